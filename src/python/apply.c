/* SPDX-License-Identifier: Apache-2.0 */
/* apply.c - which matches are applied.
 *
 * Three things can undo a match that could be rewritten alone: another match of its guard that
 * can't be, an import that has to stay, and an overlap. Each pass plans everything anew with what
 * the last one learned; it ends when nothing is taken back any more. */
#include "python/imports.h"
#include "python/match.h"

#include <strings.h>

static void plan_uses(struct py *f, struct draft **drafts) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (m->kind == PM_IMPORT) continue;
        m->applied = false;
        if (!py_applicable(f, m)) continue;
        struct draft *d = NEW(f->a, struct draft);
        *d = (struct draft){.f = f, .m = m, .match = i};
        m->applied = py_plan_match(d);
        if (m->applied)
            drafts[i] = d;
        else
            m->advice = d->why;
        bool through_import = m->name.root != NO_NODE && f->bindings.v[m->name.root].ported.p;
        if (m->applied && d->edits.n == 0 &&
            !through_import) { /* it has the target's form already */
            m->verdict = V_SAME;
            m->applied = false;
        }
    }
}

/* A use that is not rewritten keeps its import as it is. A keyword is none: its function is. */
static bool pin_imports(struct py *f) {
    bool changed = false;
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->kind == PM_IMPORT || m->kind == PM_KEYWORD || m->applied) continue;
        if (m->name.root == NO_NODE) continue;
        struct py_binding *b = &f->bindings.v[m->name.root];
        if (!b->ported.p || b->pinned) continue;
        b->pinned = changed = true;
    }
    return changed;
}

/* In a condition everything counts; in the block below it, what would raise there: names of the
 * CUDA module. */
static bool hinders(const struct py *f, const struct py_match *m) {
    if (m->applied || m->verdict == V_SAME || m->suppressed) return false;
    enum py_kind k = py_kind(f, m->group);
    if (k != PY_IF && k != PY_ELIF) return true;
    if (m->start < py_node(f, py_child(f, m->group, 0))->end) return true;
    return (m->kind == PM_NAME || m->kind == PM_UNKNOWN) &&
           (py_lists(f, "torch.module", m->token) || py_lists(f, "torch.internals", m->token) ||
            py_lists(f, "torch.builders", m->token));
}

/* A guard's matches are rewritten together or not at all. */
static bool block_groups(struct py *f) {
    bool changed = false;
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct py_match *bad = &f->matches.v[i];
        if (bad->group == NO_NODE || !hinders(f, bad)) continue;
        const struct node *group = py_node(f, bad->group);
        for (uint32_t k = 0; k < f->matches.n; k++) {
            struct py_match *m = &f->matches.v[k];
            if (m->start < group->start || m->start >= group->end) continue;
            if (m->group != bad->group || m->blocked || !m->applied) continue;
            m->blocked = changed = true;
            m->message = arena_printf(f->a,
                                      "left as it is together with `%.*s`, which needs manual "
                                      "porting and belongs to the same guard",
                                      STR_ARG(bad->token));
        }
    }
    return changed;
}

/* ---- gathering edits ---- */

/* An added import, as lines or in one: it stands before whatever begins there. */
static bool is_statement(const struct match_edit *e) {
    return e->match == NO_NODE && (str_ends(e->text, S("\n")) || str_ends(e->text, S("\r")) ||
                                   str_ends(e->text, S("; ")));
}

static int edit_order(const void *x, const void *y, const void *context) {
    (void)context;
    const struct match_edit *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    bool ia = a->start == a->end, ib = b->start == b->end;
    if (ia != ib) return ia ? -1 : 1; /* insertions before the replacement of what follows */
    if (ia && a->after != b->after) return a->after ? -1 : 1;
    if (!ia && a->end != b->end)
        return a->end > b->end ? -1 : 1; /* what contains the other goes first */
    if (a->match != b->match) {
        if (ia && (is_statement(a) || is_statement(b))) return is_statement(a) ? -1 : 1;
        bool first = a->match < b->match || b->match == NO_NODE;
        return first == (ia && a->after) ? 1 : -1; /* what ends here: inner before outer */
    }
    return 0;
}

static void sort_edits(struct py *f) {
    sort_stable(f->a, f->edits.v, f->edits.n, sizeof *f->edits.v, edit_order, NULL);
}

static void gather(struct py *f, struct draft **drafts, const bool *dropped) {
    f->edits.n = 0;
    for (uint32_t i = 0; i < f->matches.n; i++)
        for (size_t k = 0; drafts[i] && !dropped[i] && k < drafts[i]->edits.n; k++)
            vec_push(f->a, &f->edits, drafts[i]->edits.v[k]);
    sort_edits(f);
}

/* Matches inside text that another match replaces go with it; of two that overlap otherwise the
 * first wins. */
static bool drop_overlaps(struct py *f, bool *dropped) {
    bool changed = false;
    const struct match_edit *last = NULL;
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct match_edit *e = &f->edits.v[i];
        if (last && e->start < last->end && e->match != last->match && !dropped[e->match]) {
            dropped[e->match] = changed = true;
            if (e->end > last->end) {
                f->matches.v[e->match].applied = false;
                f->matches.v[e->match].message = S("another rewrite overlaps this one");
            }
        }
        if (!last || e->end > last->end) last = e;
    }
    return changed;
}

static void join(struct py *f, uint32_t a, uint32_t b) {
    struct match_pair p = {a, b};
    if (a != NO_NODE && a != b) vec_push(f->a, &f->joined, p);
}

/* Tokens that vanish inside replaced text were ported with it. */
static void absorb(struct py *f) {
    size_t k = 0;
    for (size_t i = 0; i < f->edits.n; i++) {
        const struct match_edit *e = &f->edits.v[i];
        while (k > 0 && f->matches.v[k - 1].end > e->start) k--;
        for (; k < f->matches.n && f->matches.v[k].start < e->end; k++) {
            struct py_match *m = &f->matches.v[k];
            bool inside = m->start >= e->start && m->end <= e->end;
            if (!inside || m->behind || e->match == k || e->match == NO_NODE) continue;
            m->applied = true;
            join(f, e->match, (uint32_t)k);
        }
    }
}

/* Whether the text mentions what exists only once the vendor's package is imported. */
static bool needs_vendor(const struct py *f, const struct py_match *m, struct str text) {
    bool name = m->kind == PM_STRING &&
                shape_is_whole(m->row.rule->shape); /* PYTORCH_NPU_ALLOC_CONF needs none */
    struct str words = target_fact(f->target, "import_words");
    for (size_t i = 0; i < words.n;) {
        size_t end = str_find(words, S(" "), i);
        for (size_t at = 0; at + (end - i) <= text.n; at++)
            if ((name ? strncmp : strncasecmp)(text.p + at, words.p + i, end - i) == 0)
                return true;
        i = end + 1;
    }
    return false;
}

static void note_needs(struct py *f, struct draft **drafts, const bool *dropped,
                       struct needs *needs) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct draft *d = drafts[i];
        const struct py_match *m = &f->matches.v[i];
        if (!d || dropped[i]) continue;
        needs->modules |= d->modules;
        f->matches.v[i].needs = d->modules << NEED_MODULES;
        for (size_t k = 0; k < d->edits.n; k++) {
            if (m->context.compared || m->kind == PM_METHOD ||
                !needs_vendor(f, m, d->edits.v[k].text))
                continue;
            needs->any = true;
            needs->names |= m->kind != PM_STRING;
            f->matches.v[i].needs |= 1U << NEED_VENDOR;
            if (m->kind != PM_STRING) f->matches.v[i].needs |= 1U << NEED_VENDOR_NAME;
        }
    }
}

/* A word that replaces a string must not join the words next to it: return"cuda"if x. */
static void keep_words_apart(struct py *f) {
    for (size_t i = 0; i < f->edits.n; i++) {
        struct match_edit *e = &f->edits.v[i];
        const char *src = f->src.p;
        if (e->start == e->end || !e->text.n) continue;
        bool before = e->start > 0 && py_is_word_byte(src[e->start - 1]) &&
                      !py_is_word_byte(src[e->start]) && py_is_word_byte(e->text.p[0]);
        bool after = e->end < f->src.n && py_is_word_byte(src[e->end]) &&
                     !py_is_word_byte(src[e->end - 1]) &&
                     py_is_word_byte(e->text.p[e->text.n - 1]);
        if (before || after)
            e->text = arena_printf(f->a, "%s%.*s%s", before ? " " : "", STR_ARG(e->text),
                                   after ? " " : "");
    }
}

/* The import statement that a node stands in, or NO_NODE. */
static uint32_t import_around(const struct py *f, uint32_t node) {
    for (; node != NO_NODE; node = py_parent(f, node))
        if (py_kind(f, node) == PY_IMPORT || py_kind(f, node) == PY_IMPORT_FROM) break;
    return node;
}

/* What stays of an imported module says how often it is used. */
static void tell_uses(struct py *f) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (!m->uses || m->applied || m->verdict == V_SAME || m->message.p) continue;
        struct str title = rs_str(f->target.set, f->target.target->title);
        m->message = arena_printf(
            f->a, "`%.*s` %s %.*s; the file calls it %u time%s", STR_ARG(m->token),
            m->verdict == V_NONE ? "has no counterpart on" : "needs manual porting for",
            STR_ARG(title), m->uses, m->uses == 1 ? "" : "s");
    }
}

/* ---- what is rewritten together ---- */

/* A guard's matches, by their first; `first` is indexed by node. */
static void join_group(struct py *f, uint32_t *first, uint32_t node, uint32_t match) {
    if (node == NO_NODE) return;
    if (first[node] == NO_NODE) first[node] = match;
    join(f, first[node], match);
}

/* The names of an import statement that moves, what uses them, and what changes with it. */
static void join_imports(struct py *f, uint32_t *first, uint32_t i) {
    const struct py_match *m = &f->matches.v[i];
    bool statement = m->kind == PM_IMPORT || m->kind == PM_MODULE;
    if (statement) join_group(f, first, import_around(f, m->node), i);
    if (m->name.root == NO_NODE) return;
    const struct py_binding *b = &f->bindings.v[m->name.root];
    if (b->ported.p) join_group(f, first, import_around(f, b->node), i);
}

static void join_matches(struct py *f) {
    uint32_t *guards = arena_alloc(f->a, (f->tree.n + 1) * sizeof *guards);
    uint32_t *statements = arena_alloc(f->a, (f->tree.n + 1) * sizeof *statements);
    for (size_t i = 0; i <= f->tree.n; i++) guards[i] = statements[i] = NO_NODE;
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (!m->applied) continue;
        join_group(f, guards, m->group, i);
        join_imports(f, statements, i);
    }
}

/* `from torch.cuda import empty_cache` works in every torch; what counts is that its uses are
 * rewritten. Before decisions are gathered: it is for no human, and speaks for nobody. */
static void settle_imports(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        bool stays = m->kind == PM_IMPORT && !m->applied && m->verdict == V_EXACT && !m->advice.p;
        if (!stays) continue;
        m->verdict = V_SAME;
        m->message = S("the import works everywhere, its uses are rewritten");
    }
}

void py_apply(struct py *f) {
    struct draft **drafts = NULL;
    bool *dropped = NULL;
    for (int pass = 0; pass < 16; pass++) {
        drafts = arena_zalloc(f->a, (f->matches.n + 1) * sizeof *drafts);
        dropped = arena_zalloc(f->a, (f->matches.n + 1) * sizeof *dropped);
        py_port_imports(f, drafts);
        plan_uses(f, drafts);
        bool changed = block_groups(f);
        if (!pin_imports(f) && !changed) break;
    }
    do gather(f, drafts, dropped);
    while (drop_overlaps(f, dropped));
    absorb(f);
    tell_uses(f);
    settle_imports(f);
    py_gather_decisions(f);
    join_matches(f);
    struct needs needs = {0};
    note_needs(f, drafts, dropped, &needs);
    py_add_imports(f, &needs);
    keep_words_apart(f);
    sort_edits(f);
    py_wrap_lines(f);
    sort_edits(f);
}
