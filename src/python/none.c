/* SPDX-License-Identifier: Apache-2.0 */
/* none.c - whether a file shows that a variable may be None.
 *
 * x.cuda(args.gpu) moves x to the current device where args.gpu is None; what takes its place on a
 * target may not. A file shows it by a test for None, a default of None, a call that gives it
 * None, or an option of a command line without a default; or it shows nothing: cfg.gpu is what
 * another file makes it. */
#include "python/match.h"

static bool is_none(const struct py *f, uint32_t node) { return str_is(py_text(f, node), "None"); }

/* x is None, x is not None, x == None */
static bool asks_for_none(const struct py *f, uint32_t comparison, struct str name) {
    return py_kind(f, comparison) == PY_COMPARISON &&
           str_eq(py_text(f, py_child(f, comparison, 0)), name) &&
           is_none(f, py_child(f, comparison, -1));
}

/* Whether the node stands where a test has just said that it is not None: in the block of an `if`,
 * or the value of a conditional. */
static bool is_tested(const struct py *f, uint32_t node, struct str name) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, i)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_FUNCTION || k == PY_CLASS) return false;
        bool block = (k == PY_IF || k == PY_ELIF) && py_child(f, p, 1) == i;
        bool value = k == PY_CONDITIONAL && py_child(f, p, 0) == i;
        uint32_t test = block ? py_child(f, p, 0) : value ? py_child(f, p, 1) : (uint32_t)NO_NODE;
        if (test == NO_NODE) continue;
        if (str_eq(py_text(f, test), name)) return true;
        for (uint32_t c = test; c < py_node(f, test)->next; c++)
            if (asks_for_none(f, c, name) && !str_is(py_operator(f, c), "is") &&
                !str_is(py_operator(f, c), "=="))
                return true;
    }
    return false;
}

/* add_argument("--gpu", type=int), which is args.gpu. */
static bool is_option(struct py *f, uint32_t call, struct str name) {
    struct py_literal lit;
    uint32_t first = py_child(f, py_arguments(f, call), 0);
    if (!str_is(str_last_dotted(py_text(f, py_callee(f, call))), "add_argument") ||
        py_kind(f, first) != PY_STRING || !py_literal(f, first, &lit) || lit.composed)
        return false;
    struct str option = lit.text;
    if (!str_starts(option, S("--"))) return false;
    char *p = arena_strdup(f->a, str_sub(option, 2, option.n));
    for (size_t i = 0; p[i]; i++)
        if (p[i] == '-') p[i] = '_';
    return str_is(name, p);
}

/* Whether it is None where nobody says it. */
static bool has_no_default(struct py *f, uint32_t call) {
    uint32_t otherwise = py_argument(f, call, S("default"), -1);
    if (otherwise != NO_NODE) return is_none(f, otherwise);
    return py_argument(f, call, S("action"), -1) == NO_NODE &&
           py_argument(f, call, S("required"), -1) == NO_NODE;
}

/* Whether the file says what x.name is: it assigns it, has it for an option, or something that
 * takes no None is given it. */
static bool is_shown(struct py *f, uint32_t i, struct str whole, struct str name) {
    if (py_kind(f, i) == PY_ASSIGNMENT)
        return str_eq(str_last_dotted(py_text(f, py_child(f, i, 0))), name) &&
               !is_none(f, py_child(f, i, -1));
    if (py_kind(f, i) != PY_CALL) return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, i)));
    uint32_t first = py_child(f, py_arguments(f, i), 0);
    return is_option(f, i, name) || (first != NO_NODE && str_eq(py_text(f, first), whole) &&
                                     py_lists(f, "python.converters", callee));
}

/* move(x, None), move(x, args.gpu): whether a call in this file gives the parameter what may be
 * None. */
static bool is_given_none(struct py *f, uint32_t parameter) {
    for (uint32_t i = 0; i < f->tree.n; i++) {
        uint32_t args = py_kind(f, i) == PY_CALL ? py_arguments(f, i) : (uint32_t)NO_NODE;
        int position = 0;
        for (uint32_t a = py_child(f, args, 0); a != NO_NODE; a = py_next(f, a)) {
            bool named = py_kind(f, a) == PY_KEYWORD_ARGUMENT;
            uint32_t given = named ? py_child(f, a, -1) : a;
            struct str name = named ? py_text(f, py_child(f, a, 0)) : S("");
            bool none = is_none(f, given), may = none || py_kind(f, given) == PY_ATTRIBUTE;
            if (may && py_parameter(f, i, position, name) == parameter &&
                (none || py_may_be_none(f, given)))
                return true;
            position += !named;
        }
    }
    return false;
}

bool py_may_be_none(struct py *f, uint32_t value) {
    enum py_kind k = py_kind(f, value);
    if (k != PY_IDENTIFIER && k != PY_ATTRIBUTE) return false;
    struct str name = py_text(f, value), last = str_last_dotted(name);
    if (is_tested(f, value, name)) return false;
    if (k == PY_IDENTIFIER) {
        uint32_t b = py_lookup(f, py_scope_at(f, value), name);
        const struct py_binding *bound = b == NO_NODE ? NULL : &f->bindings.v[b];
        if (bound && bound->kind == B_PARAMETER &&
            (is_none(f, bound->value) || is_given_none(f, bound->node)))
            return true;
    }
    bool shown = py_lists(f, "python.questions", last); /* args.local_rank */
    for (uint32_t i = 0; i < f->tree.n; i++) {
        if (asks_for_none(f, i, name)) return true;
        if (k == PY_ATTRIBUTE && py_kind(f, i) == PY_CALL && is_option(f, i, last) &&
            has_no_default(f, i))
            return true;
        shown |= is_shown(f, i, name, last);
    }
    if (f->partial) f->wants_whole = true; /* the test may stand elsewhere */
    return k == PY_ATTRIBUTE && !shown;
}
