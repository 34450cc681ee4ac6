/* SPDX-License-Identifier: Apache-2.0 */
/* checkpoint.c - where torch.load() puts what CUDA saved.
 *
 * map_location=None if torch.cuda.is_available() else "cpu": without a place, tensors go where
 * they were saved, which is CUDA for most checkpoints that people hand on, and loading those
 * raises on every other device. A test that asked for the target's device would lead there. As it
 * stands it sends them to the host, from where they are moved like others. */
#include "python/py.h"

/* Whether the expression is the map_location of torch.load(). */
static bool is_location(struct py *f, uint32_t node) {
    uint32_t p = py_parent(f, node), call = py_parent(f, p);
    if (py_kind(f, p) == PY_RETURN) /* def map_location(self): return {"cuda:0": self.device} */
        return str_ends(py_text(f, py_child(f, py_ancestor(f, p, PY_FUNCTION), 0)),
                        S("map_location"));
    if (py_kind(f, p) == PY_ASSIGNMENT || py_kind(f, p) == PY_KEYWORD_ARGUMENT)
        return py_child(f, p, 0) != node &&
               str_is(py_describing_name(f, py_child(f, p, 0)), "map_location");
    if (py_kind(f, p) != PY_ARGUMENT_LIST || py_kind(f, call) != PY_CALL) return false;
    struct py_name n = py_resolve(f, py_callee(f, call));
    return py_lists(f, "torch.load", n.path) && py_argument(f, call, S(""), 1) == node;
}

bool py_is_location(struct py *f, uint32_t value) {
    uint32_t p = py_parent(f, value), target = py_child(f, p, 0);
    if (is_location(f, value)) return true;
    if (py_kind(f, p) != PY_ASSIGNMENT || py_kind(f, target) != PY_IDENTIFIER) return false;
    if (f->scope_of[target] == 0) py_want_uses(f, py_text(f, target));
    uint32_t binding = py_lookup(f, f->scope_of[target], py_text(f, target));
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k];
        if (i != target && str_eq(py_text(f, i), py_text(f, target)) && is_location(f, i) &&
            py_lookup(f, f->scope_of[i], py_text(f, i)) == binding)
            return true;
    }
    return false;
}

enum loads { NO_LOAD, UNPLACED, PLACED, MIXED };

static bool names_cuda(struct str text) { return str_find(text, S(PY_CUDA), 0) < text.n; }

/* What the calls of torch.load() below a node say of the place; of CUDA's they say nothing here.
 */
static enum loads loads_below(struct py *f, uint32_t node) {
    enum loads found = NO_LOAD;
    for (uint32_t i = node; node != NO_NODE && i < py_node(f, node)->next; i++) {
        if (py_kind(f, i) != PY_CALL) continue;
        struct py_name n = py_resolve(f, py_callee(f, i));
        if (!n.path.p || !py_lists(f, "torch.load", n.path)) continue;
        uint32_t place = py_argument(f, i, S("map_location"), 1);
        bool none = place == NO_NODE || py_kind(f, place) == PY_NONE;
        enum loads one = none ? UNPLACED : names_cuda(py_text(f, place)) ? MIXED : PLACED;
        found = found == NO_LOAD || found == one ? one : MIXED;
    }
    return found;
}

static bool is_nothing(const struct py *f, uint32_t value) {
    struct str text = py_text(f, value);
    return py_kind(f, value) == PY_NONE || str_is(text, "{}") || str_is(text, "dict()");
}

/* What one of two values says of the place: None or the host's; {} or one with a map_location. */
static enum loads value_says(struct py *f, uint32_t value, uint32_t other) {
    enum loads calls = loads_below(f, value);
    if (calls != NO_LOAD) return calls;
    struct str text = py_text(f, value), beside = py_text(f, other);
    if (names_cuda(text)) return MIXED;
    bool options = str_starts(text, S("{")) || str_starts(text, S("dict("));
    bool place = options ? str_find(text, S("map_location"), 0) < text.n
                         : py_is_location(f, py_parent(f, value));
    if (is_nothing(f, value))
        return place || str_find(beside, S("map_location"), 0) < beside.n ? UNPLACED : NO_LOAD;
    return place ? PLACED : NO_LOAD;
}

/* The one value that a block assigns, where that is all it does. */
static uint32_t assigned_in(const struct py *f, uint32_t block) {
    uint32_t statement = py_child(f, block, 0);
    if (statement == NO_NODE || py_next(f, statement) != NO_NODE) return NO_NODE;
    uint32_t assignment = py_child(f, statement, 0);
    return py_kind(f, assignment) == PY_ASSIGNMENT ? py_child(f, assignment, -1)
                                                   : (uint32_t)NO_NODE;
}

static enum loads arm_says(struct py *f, uint32_t block, uint32_t other) {
    enum loads calls = loads_below(f, block);
    uint32_t value = assigned_in(f, block), beside = assigned_in(f, other);
    if (calls != NO_LOAD || value == NO_NODE || beside == NO_NODE) return calls;
    if (names_cuda(py_text(f, value))) return MIXED;
    if (!py_is_location(f, value)) return NO_LOAD;
    return is_nothing(f, value) ? UNPLACED : PLACED;
}

/* Whether the condition is the question itself, or more that has to be true with it; `*negated`:
 * the other way round, as in `not torch.cuda.is_available() and place is None`. */
static bool asks_only(const struct py *f, uint32_t condition, const struct py_match *m,
                      bool *negated) {
    uint32_t i = py_unparenthesized(f, py_call_of(f, m->node));
    *negated = py_kind(f, py_parent(f, i)) == PY_NOT_OPERATOR;
    if (*negated) i = py_unparenthesized(f, py_parent(f, i));
    uint32_t whole = py_in_parentheses(f, condition);
    return py_in_parentheses(f, i) == whole || (py_is_and(f, whole) && py_parent(f, i) == whole);
}

/* if not torch.cuda.is_available(): options["map_location"] = "cpu", and nothing else. */
static bool only_adds_place(const struct py *f, uint32_t block) {
    struct str text = py_text(f, block);
    uint32_t statement = py_child(f, block, 0);
    return statement != NO_NODE && py_next(f, statement) == NO_NODE && !names_cuda(text) &&
           (str_find(text, S("[\"map_location\"] = "), 0) < text.n ||
            str_find(text, S("['map_location'] = "), 0) < text.n);
}

/* The arms of the guard: the one that runs with an accelerator first. */
static bool is_for_loads(struct py *f, const struct py_match *m, uint32_t arms[2]) {
    bool negated;
    if (py_kind(f, m->group) == PY_CONDITIONAL) {
        if (!asks_only(f, py_child(f, m->group, 1), m, &negated)) return false;
        arms[0] = py_child(f, m->group, negated ? -1 : 0);
        arms[1] = py_child(f, m->group, negated ? 0 : -1);
        return value_says(f, arms[0], arms[1]) == UNPLACED &&
               value_says(f, arms[1], arms[0]) == PLACED;
    }
    if (py_kind(f, m->group) != PY_IF || !asks_only(f, py_child(f, m->group, 0), m, &negated))
        return false;
    uint32_t body = py_child(f, m->group, 1), rest = py_next(f, body);
    if (rest == NO_NODE) {
        arms[0] = arms[1] = body;
        return negated && only_adds_place(f, body);
    }
    if (py_kind(f, rest) != PY_ELSE) return false;
    rest = py_child(f, rest, -1);
    arms[0] = negated ? rest : body;
    arms[1] = negated ? body : rest;
    return arm_says(f, arms[0], arms[1]) == UNPLACED && arm_says(f, arms[1], arms[0]) == PLACED;
}

/* Whether something else below the node is rewritten. */
static bool has_others(const struct py *f, uint32_t node) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->verdict != V_SAME && m->start >= py_node(f, node)->start &&
            m->end <= py_node(f, node)->end)
            return true;
    }
    return false;
}

void py_keep_loads(struct py *f) {
    if (str_is(target_fact(f->target, "accelerated"), "no")) return; /* the test folds there */
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        uint32_t arms[2];
        if (m->suppressed || m->verdict == V_SAME || m->group == NO_NODE ||
            py_call_of(f, m->node) == NO_NODE || !py_lists(f, "torch.available", m->token) ||
            !is_for_loads(f, m, arms))
            continue;
        bool more = has_others(f, arms[0]);
        m->verdict = more ? V_MANUAL : V_SAME;
        m->cell = NULL;
        m->message =
            more ? S("what CUDA saved loads with a map_location only: give torch.load() one")
                 : S("without CUDA, torch.load() needs the place that the other arm gives it");
    }
}
