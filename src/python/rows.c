/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - a place and the rule's row about it become a match: which row speaks for the target,
 * and what it answers there. */
#include "python/match.h"
#include "python/plan.h"
#include "rules/template.h"

/* The statement or conditional whose condition the expression is, or a part of; NO_NODE: its value
 * goes elsewhere. */
static uint32_t condition_of(const struct py *f, uint32_t i) {
    for (uint32_t p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p))
        switch (py_kind(f, p)) {
        case PY_PARENTHESIZED:
        case PY_NOT_OPERATOR:
        case PY_BOOLEAN_OPERATOR:
            break;
        case PY_IF:
        case PY_ELIF:
        case PY_WHILE:
            return py_child(f, p, 0) == i ? p : (uint32_t)NO_NODE;
        case PY_CONDITIONAL:
            return py_child(f, p, 1) == i ? p : (uint32_t)NO_NODE;
        default:
            return NO_NODE;
        }
    return NO_NODE;
}

/* Whether what a test chooses has to do with the node: it is in it, or comes after `if not ...`
 * that leaves the function. */
static bool governs(const struct py *f, uint32_t test, uint32_t node) {
    if (node >= test && node < py_node(f, test)->next) return true;
    uint32_t condition = py_child(f, test, 0);
    if (py_kind(f, test) != PY_IF || py_kind(f, condition) != PY_NOT_OPERATOR || node < test)
        return false;
    if (py_ancestor(f, test, PY_FUNCTION) != py_ancestor(f, node, PY_FUNCTION)) return false;
    return py_leaves(f, py_child(f, test, 1));
}

/* Whether what runs the node runs what is around `call`, too, and in the same process. */
static bool is_run_with(const struct py *f, uint32_t call, uint32_t node) {
    uint32_t function = py_ancestor(f, call, PY_FUNCTION);
    return function == NO_NODE || (node > function && node < py_node(f, function)->next);
}

/* Whether the file calls that name; a test that has nothing to do with the node does not count,
 * nor does another function where the place has to be sure of it. */
static bool calls(struct py *f, uint32_t node, struct str path, bool sure) {
    for (uint32_t i = 0; i < f->tree.n; i++) {
        if (py_kind(f, i) != PY_CALL) continue;
        uint32_t callee = py_callee(f, i);
        if (!str_ends(py_text(f, callee), str_last_dotted(path))) continue;
        struct py_name n = py_resolve(f, callee);
        if (!n.path.p || !str_eq(n.path, path)) continue;
        if (sure && !is_run_with(f, i, node)) continue;
        uint32_t test = condition_of(f, i);
        if (test == NO_NODE || governs(f, test, node)) return true;
    }
    return false;
}

static const struct rcell *cell_for(struct py *f, uint32_t node, struct row_ref row,
                                    enum verdict *verdict) {
    const struct rcell *cell = row_cell(row, f->target);
    if (cell && cell->unless.n &&
        calls(f, node, rs_str(row.set, cell->unless), cell->to.n || cell->statement.n)) {
        *verdict = V_SAME;
        return cell;
    }
    if (cell)
        *verdict = cell->unverified ? V_MANUAL : (enum verdict)cell->verdict;
    else
        *verdict = f->target.target->keep_names ? V_SAME : V_MANUAL;
    return cell;
}

/* Whether it is a call without the argument that the rule is about. */
static bool lacks_argument(struct py *f, uint32_t call, struct row_ref row) {
    if (call == NO_NODE) return false;
    uint32_t args = py_arguments(f, call);
    for (uint32_t a = py_child(f, args, 0); a != NO_NODE;
         a = py_next(f, a)) /* *args, **kwargs may bring it */
        if (py_text(f, a).n && py_text(f, a).p[0] == '*') return false;
    uint32_t position = row.rule->without_position;
    uint32_t given = py_argument(f, call, rs_str(row.set, row.rule->without),
                                 position == UINT32_MAX ? -1 : (int)position);
    return given == NO_NODE || py_kind(f, given) == PY_FALSE;
}

/* Whether a rule about calls with a certain argument has nothing to say of this one. */
static bool has_other_argument(struct py *f, uint32_t call, struct row_ref row) {
    const struct rrule *rule = row.rule;
    if (!rule->with_is.n) return false;
    const struct rcell *cell = row_cell(row, f->target);
    if (call == NO_NODE || !cell || cell->verdict == V_SAME) return true;
    int position = rule->with_position == UINT32_MAX ? -1 : (int)rule->with_position;
    uint32_t given = py_argument(f, call, rs_str(row.set, rule->with), position);
    if (given == NO_NODE ||
        !regex_match(f->regex, rule, rs_str(row.set, rule->with_is), py_text(f, given)))
        return true;
    return rule->with_setting && !py_is_setting(f->project, py_describing_name(f, given));
}

bool py_row_holds(struct py *f, uint32_t call, struct row_ref row) {
    if (row.rule->without.n && !lacks_argument(f, call, row)) return false;
    return !has_other_argument(f, call, row);
}

enum py_row_found py_find_row_at(struct py *f, enum match_kind kind, struct str key, uint32_t call,
                                 struct row_ref *out) {
    size_t cursor = 0;
    struct row_ref row;
    enum py_row_found found = ROW_NONE;
    while (rules_find(f->rules, kind, key, &cursor, &row)) {
        if (row.rule->receiver.n) continue;
        enum py_row_found says = py_row_holds(f, call, row) ? ROW_HOLDS : ROW_SILENT;
        bool answers = says == ROW_HOLDS && row_cell(row, f->target);
        if (says > found || answers) *out = row, found = says;
        if (answers) break;
    }
    return found;
}

bool py_find_row(struct py *f, enum match_kind kind, struct str key, struct row_ref *out) {
    return py_find_row_at(f, kind, key, NO_NODE, out) != ROW_NONE;
}

struct py_match *py_add_match(struct py *f, enum py_match_kind kind, uint32_t node,
                              struct str token, const struct row_ref *row,
                              enum certainty certainty) {
    struct py_match m = {.kind = kind,
                         .node = node,
                         .start = py_node(f, node)->start,
                         .end = py_node(f, node)->end,
                         .token = token,
                         .certainty = certainty,
                         .group = NO_NODE,
                         .unset = NO_NODE,
                         .verdict = V_MANUAL,
                         .name = {.root = NO_NODE}};
    if (row) {
        m.row = *row;
        m.cell = cell_for(f, node, *row, &m.verdict);
    }
    vec_push(f->a, &f->matches, m);
    return &f->matches.v[f->matches.n - 1];
}

struct str py_renamed_to(struct py *f, struct row_ref row) {
    const struct rcell *cell = row_cell(row, f->target);
    struct py_match m = {.row = row, .cell = cell, .token = rs_str(row.set, row.row->key)};
    struct draft d = {.f = f, .m = &m};
    struct str name = {0}, keywords, no = {0};
    if (!cell || cell->verdict != V_EXACT || cell->unverified || !cell->to.n || cell->call.n ||
        cell->statement.n || !draft_expand(&d, rs_str(row.set, cell->to), &name, &keywords))
        return no;
    return draft_dotted_prefix(name) == name.n && draft_components(name) > 1 ? name : no;
}

/* Whether scan.c selects each statement that has the word: it is an anchor on this target, and
 * what it needs besides is in the file. */
static bool is_scanned_for(const struct py *f, struct str word) {
    struct str root;
    return rules_is_anchor_for(f->rules, RL_PYTHON, f->target, word, &root) &&
           (!root.n || str_find(f->src, root, 0) < f->src.n);
}

void py_want_uses(struct py *f, struct str name) {
    struct py_names *wanted = &f->wanted_names;
    if (!f->partial || is_scanned_for(f, name)) return;
    if (f->parsed_names && str_among(f->parsed_names->v, f->parsed_names->n, name)) return;
    if (str_among(wanted->v, wanted->n, name)) return;
    size_t at = str_find(f->src, name, 0); /* the name may be of the arena, which is released */
    if (at == f->src.n) return;
    if (!is_identifier(name) || wanted->n == PY_MAX_NAMES)
        f->wants_whole = true;
    else
        wanted->v[wanted->n++] = str_sub(f->src, at, at + name.n);
}

bool py_has_anchor(struct py *f, struct str path) {
    struct str first = str_sub(path, 0, str_find(path, S("."), 0)), root;
    for (size_t i = 0; i < path.n;) {
        size_t end = str_find(path, S("."), i);
        if (rules_is_anchor(f->rules, RL_PYTHON, str_sub(path, i, end), &root) &&
            (!root.n || str_eq(root, first)))
            return true;
        i = end + 1;
    }
    return false;
}
