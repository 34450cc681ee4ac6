/* SPDX-License-Identifier: Apache-2.0 */
/* pytest.c - what pytest hands to a test or a fixture: the values of a parameter.
 *
 * @pytest.mark.parametrize("n, kind", [(1, "cuda"), pytest.param(2, "cpu")]) above a test, and
 * @pytest.fixture(params=["cpu", "cuda"]) above a fixture that says request.param: a column of
 * values in a decorator, and a name for them in the function below. */
#include "python/py.h"

static bool is_list(const struct py *f, uint32_t node) {
    return py_kind(f, node) == PY_LIST || py_kind(f, node) == PY_TUPLE;
}

/* The last part of what a call names. */
static struct str called(const struct py *f, uint32_t call) {
    return py_kind(f, call) == PY_CALL ? str_last_dotted(py_text(f, py_callee(f, call)))
                                       : (struct str){0};
}

/* The at-th name of "n, kind", or of ["n", "kind"]; empty: there is none. *more: there are several
 * names, so that each value stands in a row. */
static struct str name_at(const struct py *f, uint32_t names, uint32_t at, bool *more) {
    struct py_literal lit;
    *more = is_list(f, names);
    if (*more) names = py_child(f, names, (int)at), at = 0;
    if (py_kind(f, names) != PY_STRING || !py_literal(f, names, &lit) || lit.composed)
        return (struct str){0};
    struct str text = lit.text, name = {0};
    *more |= memchr(text.p, ',', text.n) != NULL;
    for (size_t from = 0, end; from < text.n && at != UINT32_MAX; from = end + 1, at--) {
        end = str_find(text, S(","), from);
        while (from < end && text.p[from] == ' ') from++;
        name = str_sub(text, from, end);
        while (name.n && name.p[name.n - 1] == ' ') name.n--;
    }
    return at == UINT32_MAX ? name : (struct str){0};
}

/* What the decorator's call gives values to: fills in the name and where the values stand. */
static bool read_decorator(const struct py *f, uint32_t call, uint32_t at, struct py_column *out) {
    bool more = false;
    uint32_t definition = py_child(f, py_parent(f, py_parent(f, call)), -1);
    *out = (struct py_column){.call = call, .function = definition, .at = -1};
    if (py_kind(f, py_parent(f, call)) != PY_DECORATOR) return false;
    if (str_is(called(f, call), "fixture")) {
        out->values = py_argument(f, call, S("params"), -1);
        out->name = py_text(f, py_child(f, definition, 0));
    } else if (str_is(called(f, call), "parametrize")) {
        out->values = py_argument(f, call, S("argvalues"), 1);
        out->name = name_at(f, py_argument(f, call, S("argnames"), 0), at, &more);
        if (more) out->at = (int)at;
    }
    return out->name.n && is_list(f, out->values);
}

/* The value in an element of the list: of pytest.param("cuda", marks=...) the first argument. */
static uint32_t value_in(const struct py *f, const struct py_column *column, uint32_t element) {
    uint32_t row = element;
    if (str_is(called(f, element), "param"))
        row = py_arguments(f, element);
    else if (column->at < 0)
        return element;
    else if (!is_list(f, element))
        return NO_NODE;
    return py_child(f, row, column->at < 0 ? 0 : column->at);
}

bool py_column_of_value(const struct py *f, uint32_t value, struct py_column *out) {
    uint32_t list = py_parent(f, value), element = value, at = 0;
    bool row = is_list(f, list) && is_list(f, py_parent(f, list));
    bool param =
        py_kind(f, list) == PY_ARGUMENT_LIST && str_is(called(f, py_parent(f, list)), "param");
    if (row || param) {
        for (uint32_t e = py_child(f, list, 0); e != value && e != NO_NODE; e = py_next(f, e))
            at++;
        element = param ? py_parent(f, list) : list;
        list = py_parent(f, element);
    }
    uint32_t p = py_parent(f, list);
    if (py_kind(f, p) == PY_KEYWORD_ARGUMENT) p = py_parent(f, p);
    return py_kind(f, p) == PY_ARGUMENT_LIST && read_decorator(f, py_parent(f, p), at, out) &&
           out->values == list && value_in(f, out, element) == value;
}

/* The column of that name among the decorators of a function or class; `fixture`: what the
 * function itself is given as request.param. */
static bool column_above(const struct py *f, uint32_t definition, struct str name, bool fixture,
                         struct py_column *out) {
    uint32_t decorated = py_parent(f, definition);
    if (py_kind(f, decorated) != PY_DECORATED) return false;
    for (uint32_t d = py_child(f, decorated, 0); d != NO_NODE && d != definition;
         d = py_next(f, d)) {
        uint32_t call = py_child(f, d, 0);
        if (py_kind(f, call) != PY_CALL || str_is(called(f, call), "fixture") != fixture) continue;
        for (uint32_t at = 0; read_decorator(f, call, at, out); at++) {
            if (fixture || str_eq(out->name, name)) return true;
            if (out->at < 0) break;
        }
    }
    return false;
}

/* Whether the fixture hands on what it is given. */
static bool hands_on(const struct py *f, uint32_t fixture) {
    for (uint32_t i = fixture; i < py_node(f, fixture)->next; i++) {
        enum py_kind k = py_kind(f, py_parent(f, i));
        if (py_kind(f, i) == PY_ATTRIBUTE && (k == PY_RETURN || k == PY_YIELD) &&
            str_is(py_text(f, i), "request.param"))
            return true;
    }
    return false;
}

bool py_column_of_name(const struct py *f, uint32_t node, struct py_column *out) {
    uint32_t function = py_ancestor(f, node, PY_FUNCTION);
    if (function == NO_NODE) return false;
    if (str_is(py_text(f, node), "request.param"))
        return column_above(f, function, S(""), true, out);
    struct str name = py_text(f, node);
    uint32_t b = py_kind(f, node) == PY_IDENTIFIER ? py_lookup(f, py_scope_at(f, node), name)
                                                   : (uint32_t)NO_NODE;
    if (b == NO_NODE || f->bindings.v[b].kind != B_PARAMETER || f->bindings.v[b].next != NO_NODE)
        return false;
    function = py_ancestor(f, f->bindings.v[b].node, PY_FUNCTION);
    if (column_above(f, function, name, false, out)) return true;
    uint32_t class = py_ancestor(f, function, PY_CLASS);
    if (class != NO_NODE && column_above(f, class, name, false, out)) return true;
    b = py_lookup(f, 0, name); /* a fixture of the file */
    uint32_t fixture = b != NO_NODE && f->bindings.v[b].kind == B_FUNCTION
                           ? py_parent(f, f->bindings.v[b].node)
                           : (uint32_t)NO_NODE;
    return fixture != NO_NODE && column_above(f, fixture, name, true, out) && hands_on(f, fixture);
}

bool py_column_is_of_family(const struct py *f, struct row_ref row,
                            const struct py_column *column) {
    bool own = false, other = false;
    for (uint32_t e = py_child(f, column->values, 0); e != NO_NODE; e = py_next(f, e)) {
        struct py_literal lit;
        uint32_t value = value_in(f, column, e);
        if (py_kind(f, value) != PY_STRING) continue;
        if (!py_literal(f, value, &lit)) return false;
        struct str word = py_before_colon(lit.text);
        bool is_own = str_eq(word, rs_str(row.set, row.row->key));
        if (!is_own && !py_is_companion(row, word)) return false;
        own |= is_own;
        other |= !is_own;
    }
    return own && other;
}

bool py_column_has_ids(const struct py *f, uint32_t list) {
    uint32_t p = py_parent(f, list);
    if (py_kind(f, p) == PY_KEYWORD_ARGUMENT) p = py_parent(f, p);
    return py_kind(f, p) == PY_ARGUMENT_LIST &&
           py_argument(f, py_parent(f, p), S("ids"), -1) != NO_NODE;
}
