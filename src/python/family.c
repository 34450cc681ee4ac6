/* SPDX-License-Identifier: Apache-2.0 */
/* family.c - what a literal spells, which name describes a value, and which words are of a rule's
 * family.
 *
 * No flow of values here: literal.c follows them and table.c looks for look-ups, both with these.
 */
#include "python/py.h"

bool py_literal(const struct py *f, uint32_t string, struct py_literal *out) {
    uint32_t start = py_child(f, string, 0);
    struct str prefix = py_text(f, start);
    for (size_t i = 0; i < prefix.n; i++)
        if (prefix.p[i] == 'b' || prefix.p[i] == 'B') return false;
    uint32_t content = py_next(f, start);
    if (py_kind(f, content) != PY_STRING_CONTENT || tree_first_child(&f->tree, content) != NO_NODE)
        return false;
    *out = (struct py_literal){.node = string,
                               .string = string,
                               .start = py_node(f, content)->start,
                               .end = py_node(f, content)->end,
                               .text = py_text(f, content),
                               .composed = py_kind(f, py_next(f, content)) != PY_STRING_END};
    uint32_t hole = py_next(f, content);
    if (out->composed && py_kind(f, py_next(f, hole)) != PY_STRING_END) return false; /* prose */
    uint32_t p = py_parent(f, string);
    if (py_kind(f, p) == PY_CONCATENATED_STRING) {
        if (py_child(f, p, 0) != string) return false;
        out->node = p;
        out->composed = true;
    }
    for (p = py_parent(f, out->node); p != NO_NODE; p = py_parent(f, out->node)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_BINARY_OPERATOR && py_child(f, p, 0) == out->node) {
            out->node = p;
        } else if (k == PY_ATTRIBUTE && str_is(py_text(f, py_child(f, p, -1)), "format") &&
                   py_call_of(f, p) != NO_NODE) {
            out->node = py_call_of(f, p);
        } else {
            break;
        }
        out->composed = true;
    }
    p = py_parent(f, out->node);
    if (py_kind(f, p) == PY_EXPRESSION_STATEMENT || py_kind(f, p) == PY_BINARY_OPERATOR)
        return false;
    out->plain_call_free = true;
    for (uint32_t i = out->node; i < py_node(f, out->node)->next; i++) {
        if (py_kind(f, i) != PY_CALL) continue;
        struct str callee = str_last_dotted(py_text(f, py_callee(f, i)));
        bool pure = str_is(callee, "str") || str_is(callee, "int") || str_is(callee, "format") ||
                    str_is(callee, "current_device") || str_is(callee, "get_rank");
        if (!pure) out->plain_call_free = false;
    }
    return true;
}

/* ---- names that describe a value ---- */

struct str py_describing_name(const struct py *f, uint32_t i) {
    for (int hops = 0; i != NO_NODE && hops < 16; hops++) {
        switch (py_kind(f, i)) {
        case PY_IDENTIFIER:
            return py_text(f, i);
        case PY_PARENTHESIZED:
        case PY_AWAIT:
            i = py_child(f, i, 0);
            break;
        case PY_NAMED_EXPRESSION:
            i = py_child(f, i, -1);
            break;
        case PY_ATTRIBUTE:
            return py_text(f, py_child(f, i, -1));
        case PY_SUBSCRIPT: {
            struct py_literal key;
            uint32_t index = py_child(f, i, -1);
            if (py_kind(f, index) == PY_STRING && py_literal(f, index, &key)) return key.text;
            i = py_child(f, i, 0);
            break;
        }
        case PY_CALL: {
            uint32_t callee = py_callee(f, i);
            struct str name = py_describing_name(f, callee);
            uint32_t args = py_arguments(f, i);
            uint32_t first = args == NO_NODE ? (uint32_t)NO_NODE : py_child(f, args, 0);
            if (str_is(name, "str") || str_is(name, "repr") || str_is(name, "getattr")) {
                if (str_is(name, "getattr")) first = py_next(f, first);
                struct py_literal key;
                if (py_kind(f, first) == PY_STRING && py_literal(f, first, &key)) return key.text;
                i = first;
            } else if (py_kind(f, callee) == PY_ATTRIBUTE &&
                       (str_is(name, "split") || str_is(name, "lower") || str_is(name, "strip") ||
                        str_is(name, "partition"))) {
                i = py_child(f, callee, 0);
            } else if (py_kind(f, callee) == PY_ATTRIBUTE &&
                       (str_is(name, "get") || str_is(name, "pop"))) {
                struct py_literal key;
                if (py_kind(f, first) == PY_STRING && py_literal(f, first, &key)) return key.text;
                return name;
            } else {
                return name;
            }
            break;
        }
        default:
            return (struct str){0};
        }
    }
    return (struct str){0};
}

uint32_t py_unpacked(const struct py *f, uint32_t identifier, uint32_t *call, int *position) {
    uint32_t list = py_parent(f, identifier), assignment = py_parent(f, list);
    enum py_kind k = py_kind(f, list);
    *call = NO_NODE;
    *position = 0;
    if ((k != PY_PATTERN_LIST && k != PY_TUPLE_PATTERN) ||
        py_kind(f, assignment) != PY_ASSIGNMENT || py_child(f, assignment, 0) != list)
        return NO_NODE;
    uint32_t value = py_child(f, assignment, -1);
    bool many = py_kind(f, value) == PY_EXPRESSION_LIST || py_kind(f, value) == PY_TUPLE;
    uint32_t e = many ? py_child(f, value, 0) : (uint32_t)NO_NODE;
    for (uint32_t t = py_child(f, list, 0); t != identifier; t = py_next(f, t), ++*position) {
        if (py_kind(f, t) == PY_LIST_SPLAT_PATTERN || py_kind(f, e) == PY_LIST_SPLAT)
            return NO_NODE;
        if (e != NO_NODE) e = py_next(f, e);
    }
    if (py_kind(f, value) == PY_CALL) *call = value;
    return py_kind(f, e) == PY_LIST_SPLAT ? (uint32_t)NO_NODE : e;
}

uint32_t py_value_of(const struct py *f, uint32_t i) {
    uint32_t call;
    int position;
    i = py_in_parentheses(f, i);
    if (py_kind(f, i) == PY_NAMED_EXPRESSION) return py_child(f, i, -1);
    if (py_kind(f, i) != PY_IDENTIFIER) return i;
    uint32_t b = py_lookup(f, py_scope_at(f, i), py_text(f, i));
    if (b == NO_NODE || f->bindings.v[b].next != NO_NODE) return i;
    if (f->bindings.v[b].kind == B_VALUE) return f->bindings.v[b].value;
    uint32_t element = py_unpacked(f, f->bindings.v[b].node, &call, &position);
    if (element != NO_NODE) return element;
    bool parts = call != NO_NODE && position == 0 &&
                 py_kind(f, py_callee(f, call)) == PY_ATTRIBUTE &&
                 (str_is(str_last_dotted(py_text(f, py_callee(f, call))), "partition") ||
                  str_is(str_last_dotted(py_text(f, py_callee(f, call))), "split"));
    return parts ? call : i; /* kind, _, index = str(x.device).partition(":") */
}

bool py_name_fits(struct py *f, struct row_ref row, struct str name) {
    while (name.n && name.p[0] == '-') name = str_sub(name, 1, name.n);
    return name.n && (row_lists(row, row.rule->keywords, name) ||
                      regex_match(f->regex, row.rule, rs_str(row.set, row.rule->variables), name));
}

bool py_is_setting(const struct py_project *project, struct str name) {
    char plain[64];
    while (name.n && name.p[0] == '-') name = str_sub(name, 1, name.n);
    if (!project || !name.n || name.n > sizeof plain) return false;
    for (size_t i = 0; i < name.n; i++) plain[i] = name.p[i] == '-' ? '_' : name.p[i];
    name.p = plain;
    return str_among(project->set_backends.v, project->set_backends.n, name);
}

/* ---- companions ---- */

bool py_is_companion(struct row_ref row, struct str word) {
    return row_lists(row, row.rule->companions, word);
}

struct str py_before_colon(struct str s) {
    const char *colon = memchr(s.p, ':', s.n);
    return colon ? str_sub(s, 0, (size_t)(colon - s.p)) : s;
}

/* Whether some literal below `container`, other than `self`, is of the rule's family; or the
 * condition of a conditional asks for an accelerator. */
bool py_has_companion(struct py *f, struct row_ref row, uint32_t container, uint32_t self) {
    if (py_node(f, container)->next - container > 2000) return false; /* a table of data */
    for (uint32_t i = container + 1; i < py_node(f, container)->next; i++) {
        if (i == self) {
            i = py_node(f, i)->next - 1;
            continue;
        }
        if (py_kind(f, i) == PY_ATTRIBUTE && row.rule->shape == SHAPE_DEVICE) {
            struct py_name n = py_resolve(f, i);
            if (py_lists(f, "torch.module", n.path)) return true;
        }
        if (py_kind(f, i) != PY_STRING) continue;
        struct py_literal lit;
        if (py_literal(f, i, &lit) &&
            row_lists(row, row.rule->companions, py_before_colon(lit.text)))
            return true;
    }
    return false;
}

/* Whether another key of the dictionary, or a part of one, is of the rule's family. One of another
 * accelerator comes before and after: what is asked for at run time may be that one, too, and then
 * either takes the other's place. */
enum companion_key py_companion_key(struct py *f, struct row_ref row, uint32_t pair) {
    enum companion_key found = NO_COMPANION;
    bool rival = false;
    for (uint32_t p = py_child(f, py_parent(f, pair), 0); p != NO_NODE; p = py_next(f, p)) {
        if (py_kind(f, p) != PY_PAIR || p == pair) continue;
        uint32_t key = py_child(f, p, 0);
        struct py_literal lit;
        bool is_one = py_kind(f, key) == PY_STRING
                          ? py_literal(f, key, &lit) &&
                                row_lists(row, row.rule->companions, py_before_colon(lit.text))
                          : py_kind(f, key) == PY_TUPLE && py_has_companion(f, row, key, NO_NODE);
        if (is_one) found = p < pair ? COMPANION_BEFORE : COMPANION_AFTER;
        rival |= is_one && py_kind(f, key) == PY_STRING && row.rule->shape == SHAPE_DEVICE &&
                 !py_lists(f, "python.no_accelerators", py_before_colon(lit.text));
    }
    return rival ? COMPANION_BEFORE : found;
}

/* In a list of words, at least half have to be of the family: ["bool", "byte", "cpu", "cuda"]
 * names methods. */
bool py_is_family_list(struct py *f, struct row_ref row, uint32_t list, uint32_t self) {
    size_t strings = 0, family = 0;
    bool alone = row.rule->companions.n == 0; /* a word is no family of itself */
    if (alone || py_node(f, list)->next - list > 2000) return false; /* a table of data */
    for (uint32_t e = py_child(f, list, 0); e != NO_NODE; e = py_next(f, e)) {
        struct py_literal lit;
        if (e == self || py_kind(f, e) != PY_STRING || !py_literal(f, e, &lit)) continue;
        strings++;
        family += row_lists(row, row.rule->companions, py_before_colon(lit.text)) ||
                  str_eq(py_before_colon(lit.text), rs_str(row.set, row.row->key));
    }
    return strings == 0 ? py_has_companion(f, row, list, self)
                        : family > 0 && family * 2 >= strings;
}

/* ---- places that are assigned to ---- */

/* What targets may lie in: (a, [b, *c]). */
static bool holds_targets(enum py_kind k) {
    switch (k) {
    case PY_TUPLE:
    case PY_LIST:
    case PY_PARENTHESIZED:
    case PY_EXPRESSION_LIST:
    case PY_LIST_SPLAT:
    case PY_PATTERN_LIST:
    case PY_TUPLE_PATTERN:
    case PY_LIST_PATTERN:
    case PY_LIST_SPLAT_PATTERN:
        return true;
    default:
        return false;
    }
}

bool py_is_target(const struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        switch (py_kind(f, p)) {
        case PY_DELETE:
        case PY_AS_PATTERN_TARGET:
            return true;
        case PY_ASSIGNMENT:
        case PY_AUGMENTED_ASSIGNMENT:
        case PY_FOR:
        case PY_FOR_IN:
            return py_child(f, p, 0) == i;
        default:
            if (!holds_targets(py_kind(f, p))) return false;
        }
    }
    return false;
}

/* ---- variables that hold one of several devices ---- */

/* What a value gives of the rule's family: its own word, or another one. */
struct family_words {
    bool own, other;
};

/* Whether the value is a word of the family by itself, or either of two by a condition: "cuda" if
 * torch.cuda.is_available() else None. What stands below a question for the device is chosen by
 * it, as a conditional is. */
static bool is_word_of(struct py *f, struct row_ref row, uint32_t value, struct family_words *w) {
    bool either = py_kind(f, value) == PY_CONDITIONAL, found = false;
    uint32_t ends[] = {either ? py_child(f, value, 0) : value, py_child(f, value, -1)};
    for (size_t i = 0; i < (either ? 2U : 1U); i++) {
        struct py_literal lit;
        uint32_t end = py_unparenthesized(f, ends[i]);
        if (py_kind(f, end) != PY_STRING || !py_literal(f, end, &lit)) continue;
        struct str word = py_before_colon(lit.text);
        bool own = str_eq(word, rs_str(row.set, row.row->key));
        bool other = py_is_companion(row, word);
        uint32_t block = py_parent(f, py_parent(f, py_parent(f, end)));
        uint32_t test = py_kind(f, block) == PY_BLOCK ? py_parent(f, block) : (uint32_t)NO_NODE;
        if (own && !either &&
            (py_kind(f, test) != PY_IF ||
             !py_has_companion(f, row, py_child(f, test, 0), (uint32_t)NO_NODE)))
            return false;
        w->own |= own;
        w->other |= other || (own && either && py_has_companion(f, row, value, end));
        found |= own || other;
    }
    return found;
}

bool py_is_chosen(struct py *f, struct row_ref row, uint32_t identifier) {
    struct family_words words = {0};
    if (py_kind(f, identifier) != PY_IDENTIFIER || row.rule->shape != SHAPE_DEVICE) return false;
    for (uint32_t b = py_lookup(f, py_scope_at(f, identifier), py_text(f, identifier));
         b != NO_NODE; b = f->bindings.v[b].next) {
        const struct py_binding *v = &f->bindings.v[b];
        if (v->kind != B_VALUE || v->value == NO_NODE ||
            !is_word_of(f, row, py_unparenthesized(f, v->value), &words))
            return false;
    }
    return words.own && words.other;
}

bool py_lists_devices(struct py *f, struct row_ref row, uint32_t identifier) {
    if (py_kind(f, identifier) != PY_IDENTIFIER || row.rule->shape != SHAPE_DEVICE) return false;
    for (uint32_t b = py_lookup(f, py_scope_at(f, identifier), py_text(f, identifier));
         b != NO_NODE; b = f->bindings.v[b].next) {
        uint32_t value = f->bindings.v[b].kind == B_VALUE ? f->bindings.v[b].value : NO_NODE;
        if ((py_kind(f, value) == PY_LIST || py_kind(f, value) == PY_TUPLE) &&
            py_is_family_list(f, row, value, (uint32_t)NO_NODE))
            return true;
    }
    return false;
}
