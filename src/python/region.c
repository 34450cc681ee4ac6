/* SPDX-License-Identifier: Apache-2.0 */
/* region.c - what the code around a match decides: it serves the target already, it is a table of
 * vendors, it is rewritten together with other matches, or it counts only where a test beside it
 * holds. */
#include "python/imports.h"

#include <strings.h>

bool py_is_patched(struct py *f, struct str path) {
    struct str last = str_last_dotted(path);
    for (uint32_t i = 0; i < f->tree.n; i++) {
        if (py_kind(f, i) != PY_ATTRIBUTE || !str_eq(py_text(f, py_child(f, i, -1)), last) ||
            !py_is_target(f, i))
            continue;
        struct py_name n = py_resolve(f, i);
        if (n.path.p && str_eq(n.path, path)) return true;
    }
    return false;
}

/* ---- regions that already serve the target ---- */

bool py_word_in(struct str words, struct str text) {
    for (size_t i = 0; i < words.n;) {
        size_t end = str_find(words, S(" "), i);
        struct str word = str_sub(words, i, end);
        for (size_t at = 0; word.n && at + word.n <= text.n; at++) {
            if (strncasecmp(text.p + at, word.p, word.n) != 0) continue;
            bool left = at == 0 || text.p[at - 1] == '_' || text.p[at - 1] == '.';
            size_t after = at + word.n;
            bool right = after == text.n || text.p[after] == '_' || text.p[after] == ':';
            if (left && right) return true;
        }
        i = end + 1;
    }
    return false;
}

/* Larger pieces of code than this are data, not a choice between devices; looking through them for
 * every match in them would take forever. */
enum { LARGE = 2000 };

static bool mentions(const struct py *f, uint32_t node, struct str words) {
    struct str common = target_fact(f->target, "variable_words");
    if (py_node(f, node)->next - node > LARGE) return false;
    for (uint32_t i = node; i < py_node(f, node)->next; i++) {
        enum py_kind k = py_kind(f, i);
        if ((k == PY_IDENTIFIER || k == PY_STRING_CONTENT) &&
            py_node(f, i)->end - py_node(f, i)->start < 64 && py_word_in(words, py_text(f, i)) &&
            (k != PY_IDENTIFIER || !py_word_in(common, py_text(f, i)) ||
             !py_is_mere_variable(f, i)))
            return true;
    }
    return false;
}

static bool if_chain_mentions(const struct py *f, uint32_t statement, struct str words) {
    uint32_t seen = 0;
    for (uint32_t c = py_child(f, statement, 0); c != NO_NODE && seen < LARGE; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_BLOCK || py_kind(f, c) == PY_ELSE) continue;
        uint32_t condition = py_kind(f, c) == PY_ELIF ? py_child(f, c, 0) : c;
        if (mentions(f, condition, words)) return true;
        seen += py_node(f, condition)->next - condition;
    }
    return false;
}

size_t py_vendors_named(const struct py *f, uint32_t container) {
    size_t n = 0;
    for (size_t s = 0; s < f->rules->n; s++) {
        struct ruleset set = f->rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (uint32_t i = 0; i < set.h->targets.n; i++) {
            struct str words =
                target_fact((struct target_ref){.set = set, .target = &t[i]}, "vendor_words");
            for (size_t w = 0; w < words.n;) {
                size_t end = str_find(words, S(" "), w);
                n += mentions(f, container, str_sub(words, w, end));
                w = end + 1;
            }
        }
    }
    return n;
}

/* Whether the place stands in a table of vendors. */
static bool in_vendor_table(const struct py *f, uint32_t node) {
    for (uint32_t p = py_parent(f, node); p != NO_NODE; p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_BLOCK && py_enum_around(f, node) == py_parent(f, p))
            return py_vendors_named(f, p) >= 2;
        if (k == PY_CALL || k == PY_BLOCK || k == PY_MODULE || k == PY_FUNCTION) return false;
        if (py_is_collection(k)) return py_vendors_named(f, p) >= 2;
    }
    return false;
}

static struct str upper(struct py *f, struct str s) {
    char *z = arena_strdup(f->a, s);
    for (size_t i = 0; i < s.n; i++)
        if (z[i] >= 'a' && z[i] <= 'z') z[i] = (char)(z[i] - 32);
    return (struct str){z, s.n};
}

static bool binds(struct py *f, uint32_t node, struct str name) {
    if (py_lookup(f, f->scope_of[node], name) != NO_NODE) return true;
    if (str_find(f->src, name, 0) == f->src.n) return false;
    py_want_uses(f, name);
    for (uint32_t i = 0; py_kind(f, node) == PY_ASSIGNMENT && i < f->tree.n; i++)
        if (py_kind(f, i) == PY_ASSIGNMENT &&
            str_eq(str_last_dotted(py_text(f, py_child(f, i, 0))), name))
            return true;
    return false;
}

/* is_cuda_available beside is_npu_available, NCCL_BACKEND beside HCCL_BACKEND: the vendor's own
 * row. */
static bool has_twin(struct py *f, uint32_t node, struct str name) {
    struct str mine, words = target_fact(f->target, "own_words");
    for (size_t cursor = 0; rules_next_word(f->rules, "torch.vendor_words", &cursor, &mine);)
        for (int capitals = 0; capitals < 2; capitals++) {
            if (capitals) mine = upper(f, mine);
            size_t at = str_find(name, mine, 0);
            for (size_t w = 0, end; at < name.n && w < words.n; w = end + 1) {
                end = str_find(words, S(" "), w);
                struct str word = str_sub(words, w, end);
                if (capitals) word = upper(f, word);
                if (binds(f, node,
                          arena_printf(f->a, "%.*s%.*s%.*s", (int)at, name.p, STR_ARG(word),
                                       STR_ARG(str_sub(name, at + mine.n, name.n)))))
                    return true;
            }
        }
    return false;
}

/* if npu_is_there(): return ... above the statement, in the same function: it is an else of that.
 */
static bool follows_own_return(const struct py *f, uint32_t statement, struct str words) {
    uint32_t block = py_parent(f, statement);
    if (py_kind(f, block) != PY_BLOCK || py_node(f, block)->next - block > 4 * LARGE) return false;
    for (uint32_t s = py_child(f, block, 0); s < statement; s = py_next(f, s)) {
        if (py_kind(f, s) != PY_IF || py_child(f, s, 2) != NO_NODE) continue;
        uint32_t last = py_child(f, py_child(f, s, 1), -1);
        if (py_kind(f, last) == PY_RETURN && mentions(f, py_child(f, s, 0), words)) return true;
    }
    return false;
}

/* Whether only blanks and comments stand between. */
static bool is_gap_blank(struct py *f, size_t start, size_t end) {
    for (size_t at = start; at < end; at++) {
        if (f->src.p[at] == '#') at = str_find(f->src, S("\n"), at);
        if (at < end && !strchr(" \t\r\n;", f->src.p[at])) return false;
    }
    return true;
}

/* The statement right above (step -1) or below (1), in the same block. */
static uint32_t neighbour(struct py *f, uint32_t statement, int step) {
    uint32_t block = py_parent(f, statement), i = statement;
    do {
        if (step > 0) {
            i = py_next(f, i);
        } else {
            i = i && i - 1 != block ? i - 1 : NO_NODE;
            while (i != NO_NODE && py_parent(f, i) != block) i = py_parent(f, i);
        }
    } while (py_kind(f, i) == PY_COMMENT);
    if (!f->partial || i == NO_NODE) return i;
    uint32_t first = step > 0 ? statement : i, second = step > 0 ? i : statement;
    if (is_gap_blank(f, py_node(f, first)->end, py_node(f, second)->start)) return i;
    f->wants_whole = true; /* the neighbour was not parsed */
    return NO_NODE;
}

static bool is_branch_for(const struct py *f, uint32_t statement, struct str words) {
    return py_kind(f, statement) == PY_IF && mentions(f, py_child(f, statement, 0), words);
}

/* Whether an `if` beside this one, which leaves the function too or is next to it, asks for the
 * target's own device: one branch of several, without an `elif`. */
static bool stands_beside_own_branch(struct py *f, uint32_t statement, struct str words) {
    uint32_t last = py_child(f, py_child(f, statement, 1), -1);
    struct str mine;
    bool asks = false;
    if (py_vendors_named(f, statement) >= 2 &&
        is_branch_for(f, neighbour(f, statement, -1), words))
        return true; /* if is_xpu(): ... above if is_mlu(): ... elif is_musa(): ... else: ... */
    if (py_child(f, statement, 2) != NO_NODE) return false;
    for (size_t cursor = 0; rules_next_word(f->rules, "torch.vendor_words", &cursor, &mine);)
        asks |= mentions(f, py_child(f, statement, 0), mine);
    if (!asks) return false;
    uint32_t after = neighbour(f, statement, 1);
    for (uint32_t s = after; s != NO_NODE && py_kind(f, last) == PY_RETURN; s = py_next(f, s))
        if (is_branch_for(f, s, words)) return true;
    return is_branch_for(f, neighbour(f, statement, -1), words) || is_branch_for(f, after, words);
}

/* if dev.type == "cuda" and not driver_ok(): raise RuntimeError("update your NVIDIA driver"): the
 * test is about NVIDIA, whatever the target is. */
static bool is_about_nvidia(const struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        if (py_kind(f, p) == PY_FUNCTION || py_kind(f, p) == PY_MODULE) return false;
        if ((py_kind(f, p) != PY_IF && py_kind(f, p) != PY_ELIF) || py_child(f, p, 0) != i)
            continue;
        uint32_t only = py_child(f, py_child(f, p, 1), 0);
        if (py_next(f, only) != NO_NODE || !str_starts(py_text(f, only), S("raise"))) return false;
        return py_mentions(f, "python.nvidia_words",
                           str_sub(f->src, py_node(f, i)->start, py_node(f, only)->end));
    }
    return false;
}

/* getattr(torch, device_type, torch.cuda): the module of the device that there is comes first. */
static bool is_last_resort(const struct py *f, uint32_t node) {
    uint32_t args = py_parent(f, node), call = py_parent(f, args);
    return py_kind(f, args) == PY_ARGUMENT_LIST && py_child(f, args, 2) == node &&
           str_is(py_text(f, py_callee(f, call)), "getattr") &&
           py_kind(f, py_child(f, args, 1)) != PY_STRING;
}

/* device.type == "cuda" and not check_cuda_driver(): the other half asks about NVIDIA. */
static bool is_asked_of_nvidia(struct py *f, uint32_t node) {
    uint32_t test = NO_NODE;
    for (uint32_t p = py_parent(f, node); p != NO_NODE; p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_BOOLEAN_OPERATOR) test = p;
        if (k == PY_BLOCK || k == PY_MODULE || k == PY_FUNCTION) break;
    }
    for (uint32_t i = test; test != NO_NODE && i < py_node(f, test)->next; i++)
        if (py_kind(f, i) == PY_CALL &&
            py_lists(f, "python.nvidia_questions", str_last_dotted(py_text(f, py_callee(f, i)))))
            return true;
    return false;
}

static bool is_display(enum py_kind k) { return k == PY_LIST || k == PY_TUPLE || k == PY_SET; }

/* Whether the match stands in an if chain, conditional or collection that names the target's own
 * device too. A choice of back ends has to hold the very name that a default becomes. */
static bool serves_target(struct py *f, const struct py_match *m) {
    struct str words = target_fact(f->target, "own_words");
    struct str backend = target_fact(f->target, "backend");
    bool chooses = m->kind == PM_STRING && m->row.rule->shape == SHAPE_BACKEND && backend.n;
    uint32_t node = m->node;
    if (!words.n) return false;
    for (uint32_t p = py_parent(f, node); p != NO_NODE; p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        bool found = false;
        if (k == PY_IF)
            found = if_chain_mentions(f, p, words) || follows_own_return(f, p, words) ||
                    stands_beside_own_branch(f, p, words);
        else if (k == PY_RETURN)
            found = follows_own_return(f, p, words);
        else if (is_display(k))
            found = mentions(f, p, words) && (!chooses || mentions(f, p, backend));
        else if (k == PY_CONDITIONAL || k == PY_DICTIONARY || k == PY_BOOLEAN_OPERATOR)
            found = mentions(f, p, words);
        else if (k == PY_ASSIGNMENT)
            found = has_twin(f, p, str_last_dotted(py_text(f, py_child(f, p, 0))));
        else if (k == PY_FUNCTION)
            return has_twin(f, p, py_text(f, py_child(f, p, 0)));
        else if (k == PY_CLASS)
            return py_enum_around(f, node) == p && mentions(f, py_child(f, p, -1), words);
        if (found) return true;
    }
    return false;
}

/* ---- guards: what is rewritten together ---- */

enum { SMALL_BLOCK = 4 };

static bool is_small_block(const struct py *f, uint32_t block) {
    size_t n = 0;
    for (uint32_t s = py_child(f, block, 0); s != NO_NODE; s = py_next(f, s)) n++;
    return n <= SMALL_BLOCK;
}

/* The node whose matches are rewritten together or not at all: a condition, a conditional
 * expression, an entry of a table by device; an if statement with its body when the body is short
 * and nothing else is in between. */
static uint32_t guard_of(const struct py *f, uint32_t node) {
    uint32_t guard = NO_NODE;
    for (uint32_t i = node, p = py_parent(f, node); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_CONDITIONAL || k == PY_BOOLEAN_OPERATOR || k == PY_PAIR ||
            (k == PY_STRING && guard == NO_NODE))
            guard = p;
        else if ((k == PY_IF || k == PY_ELIF || k == PY_WHILE || k == PY_ASSERT) &&
                 py_child(f, p, 0) == i)
            return p;
        else if (k == PY_BLOCK) {
            uint32_t owner = py_parent(f, p);
            bool body = (py_kind(f, owner) == PY_IF || py_kind(f, owner) == PY_ELIF) &&
                        py_child(f, owner, 1) == p;
            return guard == NO_NODE && body && is_small_block(f, p) ? owner : guard;
        } else if (k == PY_MODULE || k == PY_LAMBDA || k == PY_FUNCTION) {
            break;
        }
    }
    return guard;
}

/* ---- what follows for a match ---- */

/* `if new: from torch.amp import X` / `else: from torch.cuda.amp import X`: the port is the other
 * arm. */
static bool other_arm_is_ported(struct py *f, const struct py_match *m) {
    if (m->kind != PM_IMPORT || !m->cell) return false;
    struct str path = py_cell_import_path(f, m);
    uint32_t p = py_parent(f, m->node);
    struct str name =
        py_text(f, py_kind(f, p) == PY_ALIASED_IMPORT ? py_child(f, p, -1) : m->node);
    for (uint32_t b = py_lookup(f, py_scope_at(f, m->node), name); path.p && b != NO_NODE;
         b = f->bindings.v[b].next)
        if (str_eq(f->bindings.v[b].path, path)) return true;
    return false;
}

static const char APART[] = "the code around it tells vendors apart already";

bool py_is_apart(const struct py_match *m) { return str_is(m->message, APART); }

static void keep_own_words(struct py *f, struct py_match *m) {
    if (m->verdict != V_SAME && other_arm_is_ported(f, m)) {
        m->verdict = V_SAME;
        m->message = S("the other arm imports what it would become");
    }
    if (m->verdict == V_SAME || m->kind == PM_IMPORT || m->kind == PM_MODULE) return;
    if (m->row.rule && m->row.rule->lint)
        return; /* hazards of the target stand where the code serves it */
    if (is_last_resort(f, m->node)) {
        m->verdict = V_SAME;
        m->message = S("the module of the device that there is comes first");
        return;
    }
    if (is_asked_of_nvidia(f, m->node)) {
        m->verdict = V_SAME;
        m->message = S("the other half of the test asks about NVIDIA");
        return;
    }
    if ((m->kind == PM_STRING || m->kind == PM_ATTRIBUTE) && is_about_nvidia(f, m->node)) {
        m->verdict = V_SAME;
        m->message = S("the test and what it raises are about NVIDIA");
    } else if (serves_target(f, m)) {
        m->verdict = V_SAME;
        m->message = str_of(APART);
    } else if (m->kind == PM_STRING && in_vendor_table(f, m->node)) {
        m->verdict = V_MANUAL;
        m->cell = NULL;
        m->message = arena_printf(
            f->a, "\"%.*s\" is one entry of a table of vendors: add the target's beside it",
            STR_ARG(m->token));
    }
}

/* The part of a guard that runs only where its condition holds, and the condition itself. */
static bool rules_over(const struct py *f, uint32_t guard, const struct py_match *m) {
    switch (py_kind(f, guard)) {
    case PY_CONDITIONAL:
        return m->end <= py_node(f, py_child(f, guard, 1))->end;
    case PY_IF:
    case PY_ELIF:
        return m->start < py_node(f, py_child(f, guard, 1))->end;
    default:
        return false;
    }
}

/* "cuda" if "cuda" in device else "cpu", where the test stays: then what it asks together with,
 * and what it chooses, stays too. */
static void keep_what_kept_tests_choose(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *test = &f->matches.v[i];
        uint32_t guard = test->group;
        enum py_kind k = py_kind(f, guard);
        if (test->kind != PM_STRING || test->verdict != V_SAME || !test->context.equality)
            continue;
        if (k != PY_CONDITIONAL && k != PY_IF && k != PY_ELIF) continue;
        uint32_t condition = py_child(f, guard, k == PY_CONDITIONAL ? 1 : 0);
        struct str text = py_text(f, condition);
        if (test->start < py_node(f, condition)->start || test->end > py_node(f, condition)->end ||
            str_find(text, S(" or "), 0) < text.n || str_starts(text, S("not ")))
            continue;
        for (size_t m = 0; m < f->matches.n; m++) {
            struct py_match *other = &f->matches.v[m];
            if (other->group != guard || other->verdict == V_SAME || !rules_over(f, guard, other))
                continue;
            other->verdict = V_SAME;
            other->message = S("the call counts only where the test beside it is true");
        }
    }
}

/* Whether the block has matches, and all of them are CUDA's row beside one of the target's own. */
static bool holds_own_rows_only(const struct py *f, uint32_t block) {
    bool found = false;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->start < py_node(f, block)->start || m->end > py_node(f, block)->end) continue;
        if (!str_is(m->message, APART)) return false;
        found = true;
    }
    return found;
}

/* if torch.cuda.is_available(): state["cuda"] = ... where state["npu"] is set elsewhere: a test
 * that was ported would send the target into CUDA's row. */
static void keep_tests_of_own_rows(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *test = &f->matches.v[i];
        uint32_t guard = test->group;
        enum py_kind k = py_kind(f, guard);
        if ((k != PY_IF && k != PY_ELIF) || test->verdict == V_SAME) continue;
        uint32_t condition = py_child(f, guard, 0);
        if (test->end > py_node(f, condition)->end ||
            str_starts(py_text(f, condition), S("not ")) ||
            !holds_own_rows_only(f, py_child(f, guard, 1)))
            continue;
        test->verdict = V_SAME;
        test->cell = NULL;
        test->message = str_of(APART);
    }
}

/* Whether a test before `node` asks for the value first: x and x >= 1, if x: ... */
static bool is_asked_first(const struct py *f, uint32_t node, struct str name) {
    struct str last = str_last_dotted(str_sub(name, 0, name.n - str_last_dotted(name).n - 1));
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        uint32_t test = k == PY_BOOLEAN_OPERATOR || k == PY_IF ? py_child(f, p, 0)
                        : k == PY_CONDITIONAL                  ? py_next(f, py_child(f, p, 0))
                                                               : (uint32_t)NO_NODE;
        if (test == NO_NODE || test == i) continue;
        struct str text = py_text(f, test);
        if (str_find(text, last, 0) < text.n || str_find(text, S("is_available"), 0) < text.n)
            return true;
    }
    return false;
}

/* What stays and is None on a target without accelerator, where a value is needed: float(x), and
 * comparisons of size. */
static void report_missing_values(struct py *f) {
    if (!str_is(target_fact(f->target, "accelerated"), "no")) return;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (m->suppressed || m->verdict != V_SAME || !py_lists(f, "torch.none", m->token))
            continue;
        uint32_t p = py_parent(f, m->node);
        bool raises = false;
        if (py_kind(f, p) == PY_ARGUMENT_LIST)
            raises = py_lists(f, "python.converters", py_text(f, py_callee(f, py_parent(f, p))));
        if (py_kind(f, p) == PY_COMPARISON)
            raises = strchr("<>", py_operator(f, p).n ? py_operator(f, p).p[0] : ' ');
        if (!raises || is_asked_first(f, m->node, m->token)) continue;
        m->verdict = V_MANUAL;
        m->cell = NULL;
        m->message =
            arena_printf(f->a, "`%.*s` is None on %.*s, and this raises", STR_ARG(m->token),
                         STR_ARG(rs_str(f->target.set, f->target.target->title)));
    }
}

/* The operand of `and` or `or` that asks for the name alone: X, X is not None. */
static uint32_t operand_of(const struct py *f, uint32_t node) {
    uint32_t i = node, p = py_parent(f, i);
    if (py_kind(f, p) == PY_COMPARISON && py_child(f, p, 0) == i &&
        str_is(py_operator(f, p), "is not") && py_kind(f, py_child(f, p, -1)) == PY_NONE)
        i = p;
    i = py_unparenthesized(f, i);
    return py_kind(f, py_parent(f, i)) == PY_BOOLEAN_OPERATOR ? i : (uint32_t)NO_NODE;
}

static bool asks_if_available(const struct py *f, uint32_t node) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->start >= py_node(f, node)->start && m->end <= py_node(f, node)->end &&
            py_lists(f, "torch.available", m->token) && m->verdict != V_SAME &&
            py_call_of(f, m->node) == node)
            return true;
    }
    return false;
}

/* torch.version.cuda is not None or torch.cuda.is_available(): what is None on the target says
 * nothing beside the question itself, so it decides about nothing else. Behind `and` it goes. */
static void settle_version_tests(struct py *f) {
    if (f->target.target->keep_names) return;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (m->verdict == V_SAME || !py_lists(f, "torch.none", m->token)) continue;
        uint32_t operand = operand_of(f, m->node), test = py_parent(f, operand);
        if (operand == NO_NODE) continue;
        bool first = py_child(f, test, 0) == operand;
        if (!asks_if_available(f, py_child(f, test, first ? -1 : 0))) continue;
        if (!py_is_and(f, test)) {
            m->verdict = V_SAME;
            m->message = S("the value is None on the target, and the question beside it decides");
        } else if (m->cell) {
            m->drops = operand;
            m->verdict = V_EXACT;
        }
    }
}

/* import flash_attn, import_module("flash_attn") */
static bool imports_module(const struct py_match *m) {
    return (m->kind == PM_MODULE && !m->called) || (m->kind == PM_UNKNOWN && m->literal.node != 0);
}

/* The body of a `try` that the import stands in: what it imports is there as a whole, or not. */
static uint32_t tried_imports(const struct py *f, const struct py_match *m) {
    uint32_t block = imports_module(m) ? py_ancestor(f, m->node, PY_BLOCK) : (uint32_t)NO_NODE;
    uint32_t owner = py_parent(f, block);
    return py_kind(f, owner) == PY_TRY && py_child(f, owner, 0) == block ? block
                                                                         : (uint32_t)NO_NODE;
}

/* Whether the handler is for a module that is not there, and goes on without it. */
static bool goes_on(const struct py *f, uint32_t handler) {
    uint32_t body = py_child(f, handler, -1);
    struct str head = str_sub(f->src, py_node(f, handler)->start, py_node(f, body)->start);
    bool catches = str_find(head, S("Import"), 0) < head.n ||
                   str_find(head, S("ModuleNotFound"), 0) < head.n ||
                   str_find(head, S("Exception"), 0) < head.n || py_child(f, handler, 0) == body;
    for (uint32_t s = py_child(f, body, 0); s != NO_NODE; s = py_next(f, s))
        if (str_starts(py_text(f, s), S("raise")) ||
            str_find(py_text(f, s), S("exit("), 0) < py_text(f, s).n)
            return false;
    return catches && py_kind(f, body) == PY_BLOCK;
}

static bool is_left(const struct py_match *m) {
    return m->verdict == V_MANUAL || m->verdict == V_NONE;
}

/* Whether an import may stay where the program does without it: it would, or only gets one that
 * takes its place where it is not there. */
static bool is_left_or_doubled(const struct py *f, const struct py_match *m) {
    return is_left(m) || (m->kind == PM_MODULE && m->cell && m->cell->statement.n &&
                          m->cell == row_cell(m->row, f->target));
}

/* Whether the block binds something: a stand-in for what is missing, or a flag that says so. */
static bool binds_something(const struct py *f, uint32_t block) {
    for (uint32_t i = block; i < py_node(f, block)->next; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_ASSIGNMENT || k == PY_FUNCTION || k == PY_CLASS || k == PY_IMPORT ||
            k == PY_IMPORT_FROM)
            return true;
    }
    return false;
}

/* Whether the file uses what the import binds, outside of the `try`. */
static bool is_used_outside(const struct py *f, const struct py_match *m, uint32_t try_statement) {
    for (uint32_t b = 0; b < f->bindings.n; b++) {
        const struct py_binding *x = &f->bindings.v[b];
        uint32_t statement = py_parent(f, m->node);
        if (py_kind(f, statement) == PY_ALIASED_IMPORT) statement = py_parent(f, statement);
        if (x->node < statement || x->node >= py_node(f, statement)->next) continue;
        for (size_t k = 0; k < f->identifiers.n; k++) {
            uint32_t i = f->identifiers.v[k];
            bool inside = i >= try_statement && i < py_node(f, try_statement)->next;
            if (!inside && str_eq(py_text(f, i), x->name)) return true;
        }
    }
    return false;
}

/* except ImportError: print("please install apex"). The file goes on until it needs what nobody
 * put in the place of the import. */
static bool leaves_a_gap(struct py *f, const struct py_match *m, uint32_t block,
                         uint32_t handler) {
    if (binds_something(f, py_child(f, handler, -1)) || m->kind != PM_MODULE) return false;
    for (uint32_t s = py_child(f, block, 0); s != NO_NODE; s = py_next(f, s))
        if (py_kind(f, s) == PY_EXPRESSION_STATEMENT &&
            py_kind(f, py_child(f, s, 0)) == PY_ASSIGNMENT)
            return false; /* HAS_APEX = True */
    for (uint32_t s = py_next(f, handler); s != NO_NODE; s = py_next(f, s))
        if (py_kind(f, s) == PY_ELSE && binds_something(f, s)) return false;
    if (f->partial) f->wants_whole = true;
    return is_used_outside(f, m, py_parent(f, block));
}

/* try: import pynvml / except ImportError: pynvml = None. Nothing is to be done for the program to
 * run; what takes the library's place elsewhere is written by who wants it. */
static void keep_tried_import(struct py *f, struct py_match *m) {
    uint32_t block = tried_imports(f, m), owner = py_parent(f, block);
    if (block == NO_NODE || !is_left_or_doubled(f, m) || m->behind) return;
    for (size_t k = 0; k < f->matches.n; k++) { /* what is ported needs it */
        const struct py_match *other = &f->matches.v[k];
        if (other->group == m->group && !is_left_or_doubled(f, other) && other->verdict != V_SAME)
            return;
    }
    for (uint32_t s = py_child(f, owner, 0); s != NO_NODE; s = py_next(f, s)) {
        if (py_kind(f, s) != PY_EXCEPT) continue;
        if (!goes_on(f, s) || leaves_a_gap(f, m, block, s)) return;
        if (!is_left(m)) m->cell = NULL; /* its note is about what is not done */
        m->verdict = V_SAME;
        m->message =
            arena_printf(f->a, "the file goes on where `%.*s` is missing", STR_ARG(m->token));
        return;
    }
}

struct str py_asked_module(const struct py *f, uint32_t call) {
    struct str callee = py_text(f, py_callee(f, call)), last = str_last_dotted(callee);
    uint32_t text = py_child(f, py_arguments(f, call), 0);
    if (str_is(last, "find_spec")) {
        struct str quoted = py_kind(f, text) == PY_STRING ? py_text(f, text) : S("");
        return quoted.n > 2 ? str_sub(quoted, 1, quoted.n - 1) : (struct str){0};
    }
    if (!str_starts(last, S("is_")) || !str_ends(last, S("_available"))) return (struct str){0};
    struct str word = str_sub(last, 3, str_find(last, S("_available"), 0));
    while (word.n && strchr("0123456789_", word.p[word.n - 1])) word.n--;
    return word;
}

/* Whether the condition is a call that asks for the module, or has one among its `and` terms. */
static bool asks_for_it(const struct py *f, uint32_t condition, struct str name) {
    uint32_t i = condition;
    while (py_kind(f, i) == PY_PARENTHESIZED) i = py_child(f, i, 0);
    if (py_kind(f, i) == PY_CALL) return str_eq(py_asked_module(f, i), name);
    return py_is_and(f, i) &&
           (asks_for_it(f, py_child(f, i, 0), name) || asks_for_it(f, py_child(f, i, -1), name));
}

/* if is_xformers_available(): import xformers.ops. An import of what the target cannot have does
 * no harm where it runs only with the library. Anything else of the library may be there, and
 * differ.
 */
static void keep_what_is_asked_for(struct py *f, struct py_match *m) {
    if (!is_left_or_doubled(f, m) || m->behind || !imports_module(m)) return;
    struct str module = str_sub(m->token, 0, str_find(m->token, S("."), 0));
    if (str_is(module, PY_TORCH)) return;
    for (uint32_t i = m->node, p = py_parent(f, i); p != NO_NODE && py_kind(f, p) != PY_FUNCTION;
         i = p, p = py_parent(f, p)) {
        if ((py_kind(f, p) != PY_IF && py_kind(f, p) != PY_ELIF) || py_child(f, p, 1) != i ||
            !asks_for_it(f, py_child(f, p, 0), module))
            continue;
        if (!is_left(m)) m->cell = NULL;
        m->verdict = V_SAME;
        m->message = S("the condition around it asks whether the library is there");
        return;
    }
}

void py_look_around(struct py *f, struct py_match *m) {
    keep_own_words(f, m);
    m->drops = NO_NODE;
    if (m->kind == PM_WORD) return; /* nobody knows what it means for others */
    bool hint = m->row.rule && m->row.rule->lint && m->verdict != V_EXACT && m->verdict != V_SHIM;
    if (hint) return; /* ... and nothing is rewritten or left for its sake */
    m->group = guard_of(f, m->node);
    if (tried_imports(f, m) != NO_NODE) m->group = tried_imports(f, m);
    if (m->group == NO_NODE && m->literal.composed)
        m->group = m->node; /* f"cuda:{...}" with what is in it */
}

/* BuildExtension beside nothing but CppExtension: PyTorch's own compiles these. */
static void keep_plain_builds(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (m->verdict == V_SAME || !py_lists(f, "torch.build_commands", m->token)) continue;
        bool device_code = false;
        for (size_t k = 0; k < f->matches.n; k++)
            device_code |= f->matches.v[k].row.rule == m->row.rule &&
                           !py_lists(f, "torch.build_commands", f->matches.v[k].token);
        if (device_code) continue;
        m->verdict = V_SAME;
        m->cell = NULL;
        m->message = S("the file builds C++ alone, which PyTorch's own class compiles");
    }
}

void py_settle(struct py *f) {
    keep_plain_builds(f);
    for (size_t i = 0; i < f->matches.n; i++) {
        if (imports_module(&f->matches.v[i])) keep_tried_import(f, &f->matches.v[i]);
        keep_what_is_asked_for(f, &f->matches.v[i]);
    }
    settle_version_tests(f);
    keep_what_kept_tests_choose(f);
    keep_tests_of_own_rows(f);
    py_keep_loads(f);
    report_missing_values(f);
}
