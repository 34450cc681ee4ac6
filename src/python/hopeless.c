/* SPDX-License-Identifier: Apache-2.0 */
/* hopeless.c - tests that the target can't pass: assertions that there is an accelerator, loops
 * that wait for one, and `if` statements that stop the program where there is none. */
#include "python/py.h"

/* Whether all that the assertion asks is this one call, whose answer on the target is False. */
static bool asserts_only(const struct py *f, const struct py_match *m) {
    return m->cell && m->cell->folds && py_call_of(f, m->node) != NO_NODE &&
           py_kind(f, m->group) == PY_ASSERT &&
           py_child(f, m->group, 0) == py_unparenthesized(f, py_call_of(f, m->node));
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
    bool compared = false;
    for (uint32_t p; i != m->group; i = p) {
        p = py_parent(f, i);
        enum py_kind k = py_kind(f, p);
        if (k == PY_COMPARISON) {
            if (compared) return T_UNKNOWN; /* (kind == "cuda") == available */
            compared = true;
            t = device   ? truth_of_device(f, p, i)
                : count  ? truth_of_count(f, p, i)
                : answer ? truth_of_answer(f, p, i)
                         : T_UNKNOWN;
        } else if (k == PY_NOT_OPERATOR) {
            t = opposite(t);
        } else if (k == PY_BOOLEAN_OPERATOR) {
            if (t == T_UNKNOWN || py_is_and(f, p) != (t == T_FALSE)) return T_UNKNOWN;
        } else if (k == PY_ASSERT || k == PY_IF || k == PY_WHILE) {
            return py_child(f, p, 0) == i ? t : T_UNKNOWN;
        } else if (k == PY_CONDITIONAL) {
            return T_UNKNOWN; /* "cuda" if available else "cpu" */
        } else if (k == PY_ARGUMENT_LIST && py_child(f, p, 1) == NO_NODE && !device &&
                   str_is(py_text(f, py_callee(f, py_parent(f, p))), "bool")) {
            p = py_parent(f, p);
        } else if (k != PY_PARENTHESIZED && !(device && t == T_UNKNOWN)) {
            return T_UNKNOWN;
        }
    }
    return T_UNKNOWN;
}

/* `if torch.cuda.is_available():` or `if device.type == "cuda":` around it, which are false on a
 * target without accelerator. */
static bool is_behind_test(const struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        if (py_kind(f, p) != PY_IF || py_child(f, p, 1) != i) continue;
        for (size_t k = 0; k < f->matches.n; k++)
            if (f->matches.v[k].group == p && truth_of_condition(f, &f->matches.v[k]) == T_FALSE)
                return true;
    }
    return false;
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

/* if X: return device, and then nothing but what stops: it is the other arm. */
static bool rest_stops(const struct py *f, uint32_t statement) {
    uint32_t block = block_of(f, statement), last = py_child(f, block, -1);
    if (py_next(f, block) != NO_NODE || py_kind(f, last) != PY_RETURN) return false;
    for (uint32_t s = py_next(f, statement); s != NO_NODE; s = py_next(f, s))
        for (uint32_t i = s; i < py_node(f, s)->next; i++)
            if (py_kind(f, i) == PY_RETURN) return false;
    return stops(f, py_parent(f, statement)) && py_next(f, statement) != NO_NODE;
}

static void leave(struct py *f, struct py_match *m, const char *message) {
    m->verdict = V_MANUAL;
    m->cell = NULL;
    m->message = arena_printf(f->a, "%s on %.*s", message,
                              STR_ARG(rs_str(f->target.set, f->target.target->title)));
}

/* if __name__ == "__main__": and in it nothing but this statement, which has no other arm: nothing
 * of the program runs where its test is false. */
static bool is_all_of_main(const struct py *f, uint32_t statement) {
    uint32_t block = py_parent(f, statement), guard = py_parent(f, block);
    if (py_kind(f, block) != PY_BLOCK || py_kind(f, guard) != PY_IF) return false;
    if (py_next(f, py_child(f, statement, 1)) != NO_NODE) return false;
    if (!str_starts(py_text(f, py_child(f, guard, 0)), S("__name__"))) return false;
    for (uint32_t s = py_child(f, block, 0); s != NO_NODE; s = py_next(f, s))
        if (s != statement && py_kind(f, s) != PY_COMMENT) return false;
    return true;
}

/* On a target without accelerator an assertion that there is one can't hold, and a program that
 * stops without one always does. Where an assertion says nothing else it goes (plan.c), for the
 * target is what the user asked for; else it is for a human. */
/* Whether the `and` that the match stands in asks whether there is no accelerator, too. */
static bool asks_for_none(struct py *f, const struct py_match *m) {
    uint32_t condition = py_in_parentheses(f, py_child(f, m->group, 0));
    if (!py_is_and(f, condition)) return false;
    for (uint32_t i = condition; i < py_node(f, condition)->next; i++) {
        uint32_t call = py_kind(f, i) == PY_NOT_OPERATOR ? py_child(f, i, 0) : (uint32_t)NO_NODE;
        if (py_kind(f, call) == PY_CALL &&
            py_lists(f, "torch.available", py_resolve(f, py_callee(f, call)).path))
            return true;
    }
    return false;
}

/* Whether the statements set something besides the device. */
static bool sets_more(const struct py *f, uint32_t block) {
    for (uint32_t i = block; block != NO_NODE && i < py_node(f, block)->next; i++) {
        uint32_t target = py_kind(f, i) == PY_ASSIGNMENT ? py_child(f, i, 0) : (uint32_t)NO_NODE;
        enum py_kind k = py_kind(f, target);
        bool many = k == PY_PATTERN_LIST || k == PY_TUPLE_PATTERN;
        for (uint32_t t = many ? py_child(f, target, 0) : target; t != NO_NODE;
             t = many ? py_next(f, t) : (uint32_t)NO_NODE)
            if (!py_mentions(f, "python.device_variables", py_describing_name(f, t))) return true;
    }
    return false;
}

/* if device == "cuda" and not torch.cuda.is_available(): device, half = "cpu", False. On the CPU
 * the device was "cpu" from the beginning, and the other settings are not made. */
static void report_fallbacks(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (m->suppressed || py_kind(f, m->group) != PY_IF || !m->context.compared ||
            m->verdict != V_SAME || py_is_apart(m) || truth_of_condition(f, m) != T_FALSE)
            continue;
        if (asks_for_none(f, m) && sets_more(f, block_of(f, m->group)))
            leave(f, m, "what this test sets where there is no CUDA is not set any more");
    }
}

static bool has_break(const struct py *f, uint32_t loop) {
    for (uint32_t i = loop; i < py_node(f, loop)->next; i++)
        if (py_kind(f, i) == PY_BREAK) return true;
    return false;
}

static void report_hopeless_tests(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        enum py_kind k = py_kind(f, m->group);
        bool loops = k == PY_WHILE && !has_break(f, m->group);
        if (m->suppressed || (k != PY_ASSERT && k != PY_IF && !loops) || asserts_only(f, m))
            continue;
        if (k == PY_IF && py_is_apart(m)) continue;
        enum truth t = truth_of_condition(f, m);
        if (t == T_UNKNOWN || is_behind_test(f, m->group)) continue;
        if (loops) {
            if (t == T_TRUE) leave(f, m, "the loop never ends");
        } else if (k == PY_ASSERT) {
            if (t == T_FALSE) leave(f, m, "the assertion can't hold");
        } else if (stops(f, t == T_TRUE ? block_of(f, m->group) : other_arm(f, m->group)) ||
                   (t == T_FALSE && rest_stops(f, m->group))) {
            leave(f, m, "the program always stops at this test");
        } else if (t == T_FALSE && is_all_of_main(f, m->group)) {
            leave(f, m, "nothing of the program runs behind this test");
        }
    }
}

/* Whether the condition asks for the library that the token is of. */
static bool asks_for_library(const struct py *f, uint32_t condition, struct str token) {
    for (uint32_t c = condition; c < py_node(f, condition)->next; c++) {
        struct str asked = py_kind(f, c) == PY_CALL ? py_asked_module(f, c) : (struct str){0};
        if (asked.n && str_find(token, asked, 0) < token.n) return true;
    }
    return false;
}

/* if not is_xformers_available(): raise ..., in front of the statement, in its block. */
static bool stops_before(const struct py *f, uint32_t statement, struct str token) {
    for (uint32_t s = py_child(f, py_parent(f, statement), 0); s != statement && s != NO_NODE;
         s = py_next(f, s)) {
        if (py_kind(f, s) != PY_IF || !asks_for_library(f, py_child(f, s, 0), token)) continue;
        struct str test = py_text(f, py_child(f, s, 0));
        bool misses = str_starts(test, S("not ")) || str_find(test, S(" not "), 0) < test.n ||
                      str_ends(test, S("is None"));
        if (stops(f, misses ? block_of(f, s) : other_arm(f, s))) return true;
    }
    return false;
}

/* if args.enable_xformers: the library is asked for by an option that is called like it. */
static bool is_option_of(const struct py *f, uint32_t condition, struct str token) {
    struct str text = py_text(f, condition);
    for (uint32_t i = condition; i < py_node(f, condition)->next; i++)
        if (py_kind(f, i) == PY_CALL) return false;
    while (token.n && token.p[0] == '.') token = str_sub(token, 1, token.n);
    for (size_t at = 0, end; at < token.n; at = end + 1) { /* enable_xformers_memory_... */
        end = str_find(token, S("_"), at);
        struct str word = str_sub(token, at, end);
        if (word.n > 6 && str_find(text, word, 0) < text.n) return true;
    }
    return false;
}

/* How the code around a call of an optional library looks for it. */
struct asking {
    bool asked;  /* the call runs only where the library is there */
    bool stops;  /* ... and where it is not, the program stops */
    bool option; /* it does so only for an option that asks for the library */
};

static struct asking asking_around(const struct py *f, const struct py_match *m) {
    struct asking a = {0};
    for (uint32_t i = m->node, p = py_parent(f, i); p != NO_NODE && py_kind(f, p) != PY_FUNCTION;
         i = p, p = py_parent(f, p)) {
        uint32_t condition = py_child(f, p, 0);
        if (py_kind(f, p) == PY_IF && block_of(f, p) == i) {
            bool asks = asks_for_library(f, condition, m->token);
            a.asked |= asks && !str_starts(py_text(f, condition), S("not "));
            a.stops |= asks && stops(f, other_arm(f, p));
            a.option |= is_option_of(f, condition, m->token);
        } else if (py_kind(f, p) == PY_BLOCK || py_kind(f, p) == PY_MODULE) {
            a.stops |= stops_before(f, i, m->token);
        }
    }
    a.asked |= a.stops;
    return a;
}

/* if is_xformers_available(): pipe.enable_xformers...() else: raise ...: without the call the
 * other arm is still what runs where the library is not there. That is for a human, unless the
 * user has asked for the library by an option, and is told. */
static void report_arms_that_stop(struct py *f) {
    for (size_t k = 0; k < f->matches.n; k++) {
        struct py_match *m = &f->matches.v[k];
        if (m->suppressed || m->verdict == V_SAME || m->kind != PM_ATTRIBUTE || !m->cell ||
            !py_lists(f, "python.library_switches", m->token))
            continue;
        struct asking a = asking_around(f, m);
        bool dropped = str_is(rs_str(m->row.set, m->cell->statement), "pass");
        if (a.stops && !a.option && dropped) {
            leave(f, m, "the program stops where the library that it asks for is missing");
        } else if (a.stops || (a.asked && !dropped)) {
            m->verdict = V_SAME;
            m->cell = NULL;
            m->message = S("the condition around it asks whether the library is there");
        }
    }
}

void py_settle_hopeless(struct py *f) {
    if (str_is(target_fact(f->target, "accelerated"), "no")) {
        report_hopeless_tests(f);
        report_fallbacks(f);
    }
    report_arms_that_stop(f);
}
