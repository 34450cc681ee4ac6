/* SPDX-License-Identifier: Apache-2.0 */
/* guarded.c - where a program has asked already whether the accelerator is there.
 *
 * Some rewrites ask for it by themselves: `if torch.accelerator.is_available(): x`. In code that
 * runs only where it is there, a second question is noise that a reviewer sends back: under a test
 * of availability, in the `else` of one that it is missing, of a variable that holds its answer,
 * or of the device's own name; behind `if not ...: return`, behind an assertion, in a test that is
 * skipped elsewhere. */
#include "python/imports.h"

/* A block's statements, of which a place's predecessors are read; more are not looked at. */
enum { STATEMENTS_READ = 200 };

/* The match of a node that becomes a comparison with the target's device, which holds only where
 * there is one: "cuda" in x == "cuda", x.is_cuda; NO_NODE: none. */
static uint32_t compares_device(struct draft *d, uint32_t node) {
    struct py *f = d->f;
    struct str device = target_fact(f->target, "device_compare");
    for (uint32_t i = 0; i < f->matches.n && device.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        uint32_t at = m->kind == PM_STRING ? m->literal.node : m->node;
        if (at != node || !m->cell || m->verdict != V_EXACT || m->suppressed || m->blocked)
            continue;
        struct str form =
            rs_str(m->row.set, m->kind == PM_STRING ? m->cell->compare : m->cell->value);
        if (str_find(form, S("{device_compare}"), 0) < form.n) return i;
    }
    return NO_NODE;
}

/* Whether what is no call asks for the device's own name: x.device.type == "cuda", x.is_cuda. */
static bool asks_for_device(struct draft *d, uint32_t condition) {
    struct py *f = d->f;
    uint32_t match = NO_NODE;
    if (py_kind(f, condition) == PY_COMPARISON) {
        uint32_t left = py_child(f, condition, 0), right = py_child(f, condition, 1);
        if (py_next(f, right) != NO_NODE || !str_is(py_operator(f, condition), "==")) return false;
        match = compares_device(d, py_kind(f, left) == PY_STRING ? left : right);
    } else if (py_kind(f, condition) == PY_ATTRIBUTE) {
        match = compares_device(d, condition);
    }
    struct match_pair pair = {match, (uint32_t)d->match};
    if (match != NO_NODE) vec_push(f->a, &f->joined, pair); /* one is right only with the other */
    return match != NO_NODE;
}

/* Whether the condition is, or has as one of its `and` terms, a call of torch.cuda.is_available or
 * another question that only the accelerator's presence answers with yes. */
static bool asks_available(struct draft *d, uint32_t condition) {
    struct py *f = d->f;
    for (uint32_t i = condition; i != NO_NODE;) {
        i = py_unparenthesized(f, i);
        if (py_kind(f, i) == PY_IDENTIFIER) i = py_unparenthesized(f, py_value_of(f, i));
        if (py_kind(f, i) == PY_CALL) { /* of CUDA's, or what a port has made of it */
            struct str path = py_resolve(f, py_callee(f, i)).path;
            return py_lists(f, "torch.available", path) ||
                   py_lists(f, "torch.available_ported", path);
        }
        if (!py_is_and(f, i)) return asks_for_device(d, i);
        if (asks_available(d, py_child(f, i, -1)))
            return true; /* depth: one per `and`, to the right only */
        i = py_child(f, i, 0);
    }
    return false;
}

/* `not torch.cuda.is_available()` */
static bool asks_missing(struct draft *d, uint32_t condition) {
    uint32_t i = py_unparenthesized(d->f, condition);
    return py_kind(d->f, i) == PY_NOT_OPERATOR && asks_available(d, py_child(d->f, i, 0));
}

/* device_ids=[x], which becomes `[x] if GUARD else None`: x is what counts where the guard holds.
 */
static bool gets_guard(struct draft *d, uint32_t keyword) {
    struct py *f = d->f;
    struct str guard = target_fact(f->target, "guard");
    for (uint32_t i = 0; i < f->matches.n && guard.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        struct match_pair pair = {i, (uint32_t)d->match};
        if (m->kind != PM_KEYWORD || m->node != keyword || !m->cell || m->verdict != V_EXACT ||
            m->suppressed || m->blocked)
            continue;
        struct str value = rs_str(m->row.set, m->cell->value);
        struct str test = arena_printf(f->a, "{0} if %.*s else", STR_ARG(guard));
        if (py_kind(f, py_in_parentheses(f, py_child(f, keyword, -1))) == PY_CONDITIONAL ||
            str_find(value, test, 0) == value.n)
            return false;
        vec_push(f->a, &f->joined, pair); /* neither is right without the other */
        return true;
    }
    return false;
}

/* Whether nothing behind the statement runs where the accelerator is missing. */
static bool stops_without(struct draft *d, uint32_t statement) {
    struct py *f = d->f;
    if (py_kind(f, statement) == PY_ASSERT) return asks_available(d, py_child(f, statement, 0));
    uint32_t body = py_child(f, statement, 1);
    if (py_kind(f, statement) != PY_IF || py_kind(f, body) != PY_BLOCK ||
        py_next(f, body) != NO_NODE)
        return false;
    return py_leaves(f, body) && asks_missing(d, py_child(f, statement, 0));
}

static bool stops_before(struct draft *d, uint32_t block, uint32_t statement) {
    uint32_t s = py_child(d->f, block, 0);
    for (int n = 0; s != NO_NODE && s != statement && n < STATEMENTS_READ; n++) {
        if (stops_without(d, s)) return true;
        s = py_next(d->f, s);
    }
    return false;
}

/* @unittest.skipIf(not torch.cuda.is_available(), ...), @pytest.mark.skipif(...) */
static bool is_skipped_without(struct draft *d, uint32_t decorated) {
    struct py *f = d->f;
    for (uint32_t i = py_child(f, decorated, 0); i != NO_NODE; i = py_next(f, i)) {
        uint32_t call = py_kind(f, i) == PY_DECORATOR ? py_child(f, i, 0) : (uint32_t)NO_NODE;
        if (py_kind(f, call) != PY_CALL) continue;
        uint32_t condition = py_child(f, py_arguments(f, call), 0);
        struct str name = py_resolve(f, py_callee(f, call)).path;
        bool skips = str_is(name, "pytest.mark.skipif") || str_is(name, "unittest.skipIf");
        if (condition != NO_NODE &&
            ((skips && asks_missing(d, condition)) ||
             (str_is(name, "unittest.skipUnless") && asks_available(d, condition))))
            return true;
    }
    return false;
}

/* Whether the place `i` below `p` is reached only where p's own question was answered with yes. */
static bool is_guarded_by(struct draft *d, uint32_t p, uint32_t i) {
    struct py *f = d->f;
    switch (py_kind(f, p)) {
    case PY_IF: /* what is below it besides its block is its `elif` and `else` */
        if (i > py_child(f, p, 1)) return asks_missing(d, py_child(f, p, 0));
        return py_child(f, p, 1) == i && asks_available(d, py_child(f, p, 0));
    case PY_ELIF:
        return py_child(f, p, 1) == i && asks_available(d, py_child(f, p, 0));
    case PY_CONDITIONAL:
        if (py_child(f, p, -1) == i) return asks_missing(d, py_child(f, p, 1));
        return py_child(f, p, 0) == i && asks_available(d, py_child(f, p, 1));
    case PY_BOOLEAN_OPERATOR:
        if (py_child(f, p, -1) != i) return false;
        if (py_is_and(f, p)) return asks_available(d, py_child(f, p, 0));
        return asks_missing(d, py_child(f, p, 0)); /* not GUARD or x */
    case PY_KEYWORD_ARGUMENT:
        return py_child(f, p, -1) == i && gets_guard(d, p);
    case PY_BLOCK:
        return stops_before(d, p, i);
    default:
        return false;
    }
}

bool draft_is_guarded(struct draft *d, uint32_t node) {
    struct py *f = d->f;
    for (uint32_t i = node, p = py_parent(f, node); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (is_guarded_by(d, p, i)) return true;
        /* What a test defines runs within the test; what others define, who knows when. */
        if (k == PY_FUNCTION && py_kind(f, py_parent(f, p)) == PY_DECORATED)
            return is_skipped_without(d, py_parent(f, p));
        if (k == PY_FUNCTION || k == PY_LAMBDA || k == PY_CLASS) return false;
    }
    return false;
}

/* `if GUARD: x` and `(x if GUARD else y)` are just x where the place is guarded by that test
 * anyway, and `if GUARD and y: x` is `if y: x`. */
struct str draft_without_guard(struct draft *d, struct str template) {
    struct py *f = d->f;
    struct str guard = target_fact(f->target, "guard");
    if (!guard.n || !template.n) return template;
    struct str head = arena_printf(f->a, "if %.*s: ", STR_ARG(guard));
    struct str middle = arena_printf(f->a, " if %.*s else ", STR_ARG(guard));
    struct str both = arena_printf(f->a, "if %.*s and ", STR_ARG(guard)); /* ... and has x */
    size_t at = str_find(template, middle, 0), more = str_find(template, both, 0);
    bool chooses = template.p[0] == '(' && at < template.n;
    bool asks_more = more == 0 || (template.p[0] == '(' && more < template.n);
    if ((!chooses && !asks_more && !str_starts(template, head)) ||
        !draft_is_guarded(d, d->m->node))
        return template;
    if (asks_more)
        return arena_concat(f->a, str_sub(template, 0, more + 3),
                            str_sub(template, more + both.n, template.n));
    return chooses ? str_sub(template, 1, at) : str_sub(template, head.n, template.n);
}
