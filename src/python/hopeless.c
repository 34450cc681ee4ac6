/* SPDX-License-Identifier: Apache-2.0 */
/* hopeless.c - tests that the target can't pass: assertions that there is an accelerator, and `if`
 * statements that stop the program where there is none. */
#include "python/py.h"

/* Whether all that the assertion asks is this one call, whose answer on the target is False. */
static bool asserts_only(const struct py *f, const struct py_match *m) {
    return m->cell && m->cell->in_condition &&
           py_call_of(f, m->node) != NO_NODE && py_kind(f, m->group) == PY_ASSERT &&
           py_child(f, m->group, 0) == py_unparenthesized(f, py_call_of(f, m->node));
}

/* `if torch.cuda.is_available():` around it, which is false on a target without accelerator. */
static bool is_behind_test(struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        if (py_kind(f, p) != PY_IF || py_child(f, p, 1) != i) continue;
        uint32_t condition = py_child(f, p, 0);
        if (py_kind(f, condition) != PY_CALL) continue;
        struct py_name n = py_resolve(f, py_callee(f, condition));
        if (py_lists(f, "torch.available", n.path)) return true;
    }
    return false;
}

enum truth { T_UNKNOWN, T_FALSE, T_TRUE };

static enum truth opposite(enum truth t) {
    return t == T_FALSE ? T_TRUE : t == T_TRUE ? T_FALSE : T_UNKNOWN;
}

/* What a comparison with a device that isn't there comes to; `operand` is the side of the name. */
static enum truth truth_of_device(const struct py *f, uint32_t comparison, uint32_t operand) {
    struct str op = py_operator(f, comparison);
    struct str container = py_text(f, operand);
    if (str_is(op, "==") || str_is(op, "is")) return T_FALSE;
    if (str_is(op, "!=") || str_is(op, "is not")) return T_TRUE;
    if (operand == py_child(f, comparison, -1) && str_find(container, S(PY_CPU), 0) < container.n)
        return T_UNKNOWN;
    return str_is(op, "in") ? T_FALSE : str_is(op, "not in") ? T_TRUE : T_UNKNOWN;
}

/* ... and one with the number of devices, which is 0. */
static enum truth truth_of_count(const struct py *f, uint32_t comparison, uint32_t count) {
    bool first = py_child(f, comparison, 0) == count;
    struct str op = py_operator(f, comparison);
    bool none = str_is(py_text(f, py_child(f, comparison, first ? -1 : 0)), "0");
    if (none ? str_is(op, "==") : str_is(op, first ? "<" : ">")) return T_TRUE;
    if (str_is(op, first ? ">" : "<") || (none && str_is(op, "!="))) return T_FALSE;
    return !none && str_is(op, first ? ">=" : "<=") ? T_FALSE : T_UNKNOWN;
}

/* ... one with True or False of what is False; of what is None, with None. */
static enum truth truth_of_answer(const struct py *f, uint32_t comparison, uint32_t answer) {
    bool first = py_child(f, comparison, 0) == answer;
    struct str op = py_operator(f, comparison);
    struct str other = py_text(f, py_child(f, comparison, first ? -1 : 0));
    bool same = str_is(op, "==") || str_is(op, "is");
    if (!same && !str_is(op, "!=") && !str_is(op, "is not")) return T_UNKNOWN;
    if (str_is(other, "True")) return same ? T_FALSE : T_TRUE;
    return str_is(other, "False") || str_is(other, "None") ? (same ? T_TRUE : T_FALSE) : T_UNKNOWN;
}

/* What the whole condition of an assertion or an `if` comes to on a target without accelerator, as
 * far as this match says. */
static enum truth truth_of_condition(const struct py *f, const struct py_match *m) {
    bool device = m->context.compared && m->verdict == V_SAME;
    bool count = py_lists(f, "torch.count", m->token), none = py_lists(f, "torch.none", m->token);
    bool answer = none || py_lists(f, "torch.available", m->token);
    if (!device && !count && !answer && !str_is(m->token, "." PY_IS_CUDA)) return T_UNKNOWN;
    uint32_t call = py_call_of(f, m->node), i = call == NO_NODE ? m->node : call;
    enum truth t = device ? T_UNKNOWN : T_FALSE;
    for (uint32_t p; i != m->group; i = p) {
        p = py_parent(f, i);
        enum py_kind k = py_kind(f, p);
        if (k == PY_COMPARISON) {
            t = device   ? truth_of_device(f, p, i)
                : count  ? truth_of_count(f, p, i)
                : answer ? truth_of_answer(f, p, i)
                         : T_UNKNOWN;
        } else if (k == PY_NOT_OPERATOR) {
            t = opposite(t);
        } else if (k == PY_BOOLEAN_OPERATOR) {
            if (t == T_UNKNOWN || py_is_and(f, p) != (t == T_FALSE)) return T_UNKNOWN;
        } else if (k == PY_ASSERT || k == PY_IF) {
            return py_child(f, p, 0) == i ? t : T_UNKNOWN;
        } else if (k == PY_ARGUMENT_LIST && py_child(f, p, 1) == NO_NODE && !device &&
                   str_is(py_text(f, py_callee(f, py_parent(f, p))), "bool")) {
            p = py_parent(f, p);
        } else if (k != PY_PARENTHESIZED && !(device && t == T_UNKNOWN)) {
            return T_UNKNOWN;
        }
    }
    return T_UNKNOWN;
}

static uint32_t block_of(const struct py *f, uint32_t owner) {
    uint32_t c = py_child(f, owner, 0);
    while (c != NO_NODE && py_kind(f, c) != PY_BLOCK) c = py_next(f, c);
    return c;
}

/* Whether the last statement of the block ends the program, or a caller's: raise, sys.exit(1). A
 * test that is skipped ends nothing. */
static bool stops(const struct py *f, uint32_t block) {
    uint32_t last = NO_NODE;
    for (uint32_t s = py_child(f, block, 0); s != NO_NODE; s = py_next(f, s))
        if (py_kind(f, s) != PY_COMMENT) last = s;
    if (block == NO_NODE || last == NO_NODE) return false;
    uint32_t call = py_child(f, last, 0);
    if (py_kind(f, last) == PY_EXPRESSION_STATEMENT && py_kind(f, call) == PY_CALL)
        return py_lists(f, "python.exits", py_text(f, py_callee(f, call)));
    struct str text = py_text(f, last);
    return str_starts(text, S("raise")) && str_find(text, S("Skip"), 0) == text.n;
}

/* The block of the `else` that follows the `if` itself, or NO_NODE. */
static uint32_t other_arm(const struct py *f, uint32_t statement) {
    for (uint32_t c = py_child(f, statement, 0); c != NO_NODE; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_ELIF) return NO_NODE;
        if (py_kind(f, c) == PY_ELSE) return block_of(f, c);
    }
    return NO_NODE;
}

static void leave(struct py *f, struct py_match *m, const char *message) {
    m->verdict = V_MANUAL;
    m->cell = NULL;
    m->message = arena_printf(f->a, "%s on %.*s", message,
                              STR_ARG(rs_str(f->target.set, f->target.target->title)));
}

/* On a target without accelerator an assertion that there is one can't hold, and a program that
 * stops without one always does. Where an assertion says nothing else it goes (plan.c), for the
 * target is what the user asked for; else it is for a human. */
static void report_hopeless_tests(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        enum py_kind k = py_kind(f, m->group);
        if (m->suppressed || (k != PY_ASSERT && k != PY_IF) || asserts_only(f, m)) continue;
        if (k == PY_IF && py_is_apart(m)) continue;
        enum truth t = truth_of_condition(f, m);
        if (t == T_UNKNOWN || is_behind_test(f, m->group)) continue;
        if (k == PY_ASSERT) {
            if (t == T_FALSE) leave(f, m, "the assertion can't hold");
        } else if (stops(f, t == T_TRUE ? block_of(f, m->group) : other_arm(f, m->group))) {
            leave(f, m, "the program always stops at this test");
        }
    }
}

/* if is_xformers_available(): pipe.enable_xformers...() else: raise ...: without the call the
 * other arm is still what runs where the library is not there. */
static void report_arms_that_stop(struct py *f) {
    for (size_t k = 0; k < f->matches.n; k++) {
        struct py_match *m = &f->matches.v[k];
        if (m->suppressed || m->verdict == V_SAME || !m->cell ||
            !str_is(rs_str(m->row.set, m->cell->statement), "pass"))
            continue;
        for (uint32_t i = m->node, p = py_parent(f, i);
             p != NO_NODE && py_kind(f, p) != PY_FUNCTION; i = p, p = py_parent(f, p)) {
            if (py_kind(f, p) != PY_IF || block_of(f, p) != i || !stops(f, other_arm(f, p)))
                continue;
            bool asks = false;
            for (uint32_t c = py_child(f, p, 0); c < i; c++) {
                struct str asked =
                    py_kind(f, c) == PY_CALL ? py_asked_module(f, c) : (struct str){0};
                asks |= asked.n && str_find(m->token, asked, 0) < m->token.n;
            }
            if (!asks) continue;
            leave(f, m, "the test asks for a library, and the other arm stops the program");
            break;
        }
    }
}

void py_settle_hopeless(struct py *f) {
    if (str_is(target_fact(f->target, "accelerated"), "no")) report_hopeless_tests(f);
    report_arms_that_stop(f);
}
