/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c - one step through a function of the file: the parameter that an argument goes to, what a
 * call of it returns, and the pattern behind a group of a match.
 *
 * literal.c follows a value inside of a function; these are the ways by which it leaves one. */
#include "python/match.h"
#include "python/plan.h"

/* The method of the class around that `self.name` calls; NO_NODE: none of this file. */
static uint32_t method_of(const struct py *f, uint32_t callee) {
    uint32_t around = py_ancestor(f, callee, PY_CLASS);
    if (py_kind(f, callee) != PY_ATTRIBUTE || around == NO_NODE ||
        !str_is(py_text(f, py_child(f, callee, 0)), "self"))
        return NO_NODE;
    for (uint32_t i = around; i < py_node(f, around)->next; i++)
        if (py_kind(f, i) == PY_FUNCTION && py_ancestor(f, i, PY_CLASS) == around &&
            str_eq(py_text(f, py_child(f, i, 0)), py_text(f, py_child(f, callee, -1))) &&
            py_kind(f, py_parent(f, i)) == PY_BLOCK) /* not decorated */
            return i;
    return NO_NODE;
}

/* The __init__ of a class; NO_NODE: it is another one's, or none that can be read. */
static uint32_t constructor_of(const struct py *f, uint32_t class) {
    for (uint32_t i = class; i < py_node(f, class)->next; i++)
        if (py_kind(f, i) == PY_FUNCTION && py_ancestor(f, i, PY_CLASS) == class &&
            str_is(py_text(f, py_child(f, i, 0)), "__init__"))
            return i;
    return NO_NODE;
}

/* Whether a decorator of this file stands before the function: it may pass on other arguments. */
static bool is_wrapped(struct py *f, uint32_t function) {
    uint32_t decorated = py_parent(f, function);
    if (py_kind(f, decorated) != PY_DECORATED) return false;
    for (uint32_t d = py_child(f, decorated, 0); d != function && d != NO_NODE;
         d = py_next(f, d)) {
        uint32_t name = py_child(f, d, 0);
        if (py_kind(f, name) == PY_CALL) name = py_callee(f, name);
        uint32_t b = py_kind(f, name) == PY_IDENTIFIER
                         ? py_lookup(f, py_scope_at(f, name), py_text(f, name))
                         : (uint32_t)NO_NODE;
        if (b != NO_NODE &&
            (f->bindings.v[b].kind == B_FUNCTION || f->bindings.v[b].kind == B_CLASS))
            return true;
    }
    return false;
}

bool py_is_own_function(struct py *f, uint32_t callee) {
    uint32_t b = py_kind(f, callee) == PY_IDENTIFIER
                     ? py_lookup(f, py_scope_at(f, callee), py_text(f, callee))
                     : (uint32_t)NO_NODE;
    return b != NO_NODE && f->bindings.v[b].kind == B_FUNCTION;
}

/* The function of this file that the callee names, and how many of its parameters no argument
 * goes to; NO_NODE: none that is known. */
static uint32_t function_of(struct py *f, uint32_t callee, int *bound) {
    uint32_t function = method_of(f, callee);
    *bound = function != NO_NODE;
    if (function != NO_NODE || py_kind(f, callee) != PY_IDENTIFIER) return function;
    uint32_t b = py_lookup(f, py_scope_at(f, callee), py_text(f, callee));
    if (b == NO_NODE || f->bindings.v[b].next != NO_NODE ||
        f->scopes.v[f->bindings.v[b].scope].kind == SCOPE_CLASS)
        return NO_NODE;
    function = py_parent(f, f->bindings.v[b].node);
    if (f->bindings.v[b].kind == B_FUNCTION)
        return is_wrapped(f, function) ? (uint32_t)NO_NODE : function;
    if (f->bindings.v[b].kind != B_CLASS) return NO_NODE;
    *bound = 1;
    return constructor_of(f, py_parent(f, f->bindings.v[b].node));
}

/* The identifier of a parameter that has a name; NO_NODE: `*args`, a tuple of Python 2. */
static uint32_t name_of_parameter(const struct py *f, uint32_t p) {
    if (py_kind(f, p) == PY_IDENTIFIER) return p;
    bool known = py_kind(f, p) == PY_DEFAULT_PARAMETER || py_kind(f, p) == PY_TYPED_PARAMETER ||
                 py_kind(f, p) == PY_TYPED_DEFAULT_PARAMETER;
    uint32_t name = known ? py_child(f, p, 0) : (uint32_t)NO_NODE;
    return py_kind(f, name) == PY_IDENTIFIER ? name : (uint32_t)NO_NODE;
}

uint32_t py_parameter(struct py *f, uint32_t call, int position, struct str keyword) {
    int bound = 0;
    uint32_t function = function_of(f, py_callee(f, call), &bound);
    uint32_t p = function == NO_NODE ? (uint32_t)NO_NODE : py_child(f, function, 1);
    if (py_kind(f, function) != PY_FUNCTION || py_kind(f, p) != PY_PARAMETERS) return NO_NODE;
    p = py_child(f, p, 0);
    for (int at = 0; p != NO_NODE; p = py_next(f, p), at++) {
        uint32_t name = name_of_parameter(f, p);
        if (str_is(py_text(f, p), "/")) at--;
        if (keyword.n && name != NO_NODE && str_eq(py_text(f, name), keyword)) return name;
        if (keyword.n) continue;
        if (at == position + bound) return name;
        enum py_kind k = py_kind(f, p);
        if (str_is(py_text(f, p), "*")) return NO_NODE;
        if (k == PY_LIST_SPLAT_PATTERN || k == PY_DICTIONARY_SPLAT_PATTERN) return NO_NODE;
    }
    return NO_NODE;
}

/* x.device.type: what the last attribute is of. */
static bool is_type_of_device(const struct py *f, uint32_t i) {
    uint32_t object = py_kind(f, i) == PY_ATTRIBUTE ? py_child(f, i, 0) : (uint32_t)NO_NODE;
    return object != NO_NODE && str_is(py_text(f, py_child(f, i, -1)), "type") &&
           str_is(py_describing_name(f, object), "device");
}

bool py_returns_device_type(struct py *f, uint32_t call) {
    int bound = 0;
    uint32_t function = py_kind(f, call) == PY_CALL ? function_of(f, py_callee(f, call), &bound)
                                                    : (uint32_t)NO_NODE;
    if (function == NO_NODE || py_kind(f, function) != PY_FUNCTION) return false;
    for (uint32_t i = function; i < py_node(f, function)->next; i++) {
        if (py_kind(f, i) != PY_RETURN || py_ancestor(f, i, PY_FUNCTION) != function) continue;
        uint32_t value = py_child(f, i, 0);
        if (py_kind(f, value) == PY_SET || py_kind(f, value) == PY_LIST ||
            py_kind(f, value) == PY_TUPLE)
            value = py_child(f, value, 0);
        if (is_type_of_device(f, value)) return true;
    }
    return false;
}

/* What the statement returns at that place of a tuple; the value itself where position < 0. */
static uint32_t returned(const struct py *f, uint32_t statement, int position) {
    uint32_t value = py_in_parentheses(f, py_child(f, statement, 0));
    if (position < 0) return value;
    if (py_kind(f, value) != PY_EXPRESSION_LIST && py_kind(f, value) != PY_TUPLE) return NO_NODE;
    value = py_child(f, value, 0);
    while (position-- > 0 && value != NO_NODE) value = py_next(f, value);
    return value;
}

bool py_returns_choice(struct py *f, struct row_ref row, uint32_t variable) {
    uint32_t call = py_value_of(f, variable), b;
    int position = -1, bound = 0;
    if (py_kind(f, variable) != PY_IDENTIFIER) return false;
    b = py_lookup(f, py_scope_at(f, variable), py_text(f, variable));
    if (b != NO_NODE && f->bindings.v[b].next == NO_NODE && call == variable)
        py_unpacked(f, f->bindings.v[b].node, &call, &position);
    uint32_t function = py_kind(f, call) == PY_CALL ? function_of(f, py_callee(f, call), &bound)
                                                    : (uint32_t)NO_NODE;
    bool own = false, other = false;
    if (py_kind(f, function) != PY_FUNCTION) return false;
    for (uint32_t i = function; i < py_node(f, function)->next; i++) {
        struct py_literal lit;
        if (py_kind(f, i) != PY_RETURN || py_ancestor(f, i, PY_FUNCTION) != function) continue;
        uint32_t value = returned(f, i, position);
        if (py_kind(f, value) != PY_STRING || !py_literal(f, value, &lit)) return false;
        own |= str_eq(lit.text, rs_str(row.set, row.row->key));
        other |= py_is_companion(row, lit.text);
    }
    return own && other;
}

bool py_group_pattern(struct py *f, uint32_t group, struct py_literal *pattern) {
    uint32_t object = NO_NODE;
    if (py_kind(f, group) == PY_SUBSCRIPT) object = py_child(f, group, 0);
    if (py_kind(f, group) == PY_CALL && py_kind(f, py_callee(f, group)) == PY_ATTRIBUTE &&
        str_is(py_text(f, py_child(f, py_callee(f, group), -1)), "group"))
        object = py_child(f, py_callee(f, group), 0);
    if (object == NO_NODE) return false;
    uint32_t found = py_value_of(f, object), callee = py_callee(f, found);
    if (py_kind(f, found) != PY_CALL) return false;
    struct py_name n = py_resolve(f, callee);
    if (py_lists(f, "python.pattern_calls", n.path)) {
        uint32_t text = py_argument(f, found, S("pattern"), 0);
        return py_kind(f, text) == PY_STRING && py_literal(f, text, pattern);
    }
    if (py_kind(f, callee) != PY_ATTRIBUTE) return false;
    struct str method = py_text(f, py_child(f, callee, -1));
    uint32_t compiled = py_value_of(f, py_child(f, callee, 0));
    if (!py_lists(f, "python.pattern_methods", method) || py_kind(f, compiled) != PY_CALL ||
        !py_lists(f, "python.pattern_calls", py_resolve(f, py_callee(f, compiled)).path))
        return false;
    uint32_t text = py_argument(f, compiled, S("pattern"), 0);
    return py_kind(f, text) == PY_STRING && py_literal(f, text, pattern);
}

bool py_is_alternative(struct row_ref row, struct str pattern, struct str word) {
    bool among = false, beside = false;
    for (size_t i = 0, end; i < pattern.n; i = end + 1) {
        for (end = i; end < pattern.n && draft_identifier_char(pattern.p[end]);) end++;
        if (end == i) continue;
        struct str this = str_sub(pattern, i + (i && pattern.p[i - 1] == '\\'), end);
        if (i >= 2 && pattern.p[i - 1] == '?') continue; /* (?P<kind>cpu|cuda) */
        if (i >= 3 && pattern.p[i - 1] == '<' && pattern.p[i - 2] == 'P') continue;
        bool companion = py_is_companion(row, this);
        bool is_index = !this.n || (this.p[0] >= '0' && this.p[0] <= '9');
        if (!companion && !is_index && !str_eq(this, word)) return false; /* a file's name, say */
        beside |= companion;
        among |= str_eq(this, word) &&
                 ((i && pattern.p[i - 1] == '|') || (end < pattern.n && pattern.p[end] == '|'));
    }
    return among && beside;
}

bool py_is_of_family(const struct py *f, struct row_ref row, uint32_t value) {
    struct py_literal lit;
    if (value == NO_NODE) return false;
    if (py_kind(f, value) == PY_CONDITIONAL)
        return py_is_of_family(f, row, py_child(f, value, 0)) &&
               py_is_of_family(f, row, py_child(f, value, -1));
    if (py_kind(f, value) != PY_STRING || !py_literal(f, value, &lit)) return false;
    struct str word = py_before_colon(lit.text);
    return str_eq(word, rs_str(row.set, row.row->key)) || py_is_companion(row, word);
}

bool py_names_devices(struct py *f, struct row_ref row, uint32_t type, uint32_t self) {
    if (!py_has_companion(f, row, type, self)) return false;
    for (uint32_t i = type + 1; i < py_node(f, type)->next; i++) {
        struct py_literal lit;
        if (i != self && py_kind(f, i) == PY_STRING && py_literal(f, i, &lit) &&
            !py_is_of_family(f, row, i))
            return false;
    }
    return true;
}

bool py_is_parameter(struct py *f, struct row_ref row, uint32_t identifier) {
    if (py_kind(f, identifier) != PY_IDENTIFIER) return false;
    uint32_t b = py_lookup(f, py_scope_at(f, identifier), py_text(f, identifier));
    if (b == NO_NODE || f->bindings.v[b].kind != B_PARAMETER) return false;
    while ((b = f->bindings.v[b].next) != NO_NODE)
        if (f->bindings.v[b].kind != B_VALUE || !py_is_of_family(f, row, f->bindings.v[b].value))
            return false;
    return true;
}

/* Whether the object's method is called below the node. */
static bool calls_method(const struct py *f, uint32_t node, struct str object, struct str method) {
    for (uint32_t i = node; i < py_node(f, node)->next; i++)
        if (py_kind(f, i) == PY_ATTRIBUTE && py_call_of(f, i) != NO_NODE &&
            str_eq(py_text(f, py_child(f, i, -1)), method) &&
            str_eq(py_text(f, py_child(f, i, 0)), object))
            return true;
    return false;
}

bool py_asks_for_method(struct py *f, uint32_t call, struct str name) {
    struct str object = py_text(f, py_argument(f, call, S(""), 0));
    struct row_ref row;
    if (!str_is(py_text(f, py_callee(f, call)), "hasattr") || !object.n ||
        py_find_row_at(f, M_ATTRIBUTE, name, NO_NODE, &row) == ROW_NONE)
        return false;
    const struct rcell *cell = row_cell(row, f->target);
    if (!cell || !cell->to.n || cell->call.n) return false; /* it is no method of another name */
    for (uint32_t i = call, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_IF || k == PY_ELIF || k == PY_CONDITIONAL)
            return calls_method(f, p, object, name);
        if (k != PY_PARENTHESIZED && k != PY_BOOLEAN_OPERATOR && k != PY_NOT_OPERATOR) break;
    }
    return false;
}

bool py_asks_for_nvidia(const struct py *f, uint32_t test) {
    for (uint32_t i = test, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_ASSIGNMENT || k == PY_KEYWORD_ARGUMENT)
            return py_child(f, p, 0) != i &&
                   py_mentions(f, "python.nvidia_words", py_text(f, py_child(f, p, 0)));
        if (k == PY_RETURN) {
            uint32_t function = py_ancestor(f, p, PY_FUNCTION);
            return function != NO_NODE &&
                   py_mentions(f, "python.nvidia_words", py_text(f, py_child(f, function, 0)));
        }
        if (k != PY_PARENTHESIZED && k != PY_BOOLEAN_OPERATOR && k != PY_NOT_OPERATOR) break;
    }
    return false;
}
