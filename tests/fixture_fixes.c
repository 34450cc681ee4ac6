/* SPDX-License-Identifier: Apache-2.0 */
/* fixture_fixes.c - law 12: every fix can be applied alone, and with any other.
 *
 * The fixes of a file are applied alone and in pairs, in both orders, as an editor would: what
 * both have is applied once. What comes out has to be, but for where added lines stand, what the porter
 * makes of the file when it is asked for those findings only; and it has to be readable. */
#include <stdlib.h>

#include "edit/edit.h"
#include "fixture.h"

enum { MAX_ALONE = 40, MAX_PAIRS = 30 };

struct fixes {
    struct fixture *f;
    struct str target;
    const struct cm_session *session;
    struct cm_workspace *workspace;
    const struct cm_input *in;
    const struct cm_result *r;
    VEC(const struct cm_finding *) groups; /* their first findings */
};

/* ---- what the porter makes of some findings ---- */

struct chosen {
    const struct fixes *x;
    uint32_t a, b; /* groups */
};

/* One of the groups, or one whose edits they need. */
static bool is_chosen(const struct chosen *c, uint32_t finding) {
    const struct cm_result *r = c->x->r;
    const struct cm_finding *f = &r->findings[finding];
    if (f->outcome != CM_PORTED) return false;
    bool chosen = f->group == c->a || f->group == c->b;
    for (size_t i = 0; i < r->n_edits && !chosen; i++)
        chosen = r->edits[i].finding < r->n_findings &&
                 r->findings[r->edits[i].finding].group == f->group &&
                 (cm_fix_has(r, &r->findings[c->a], &r->edits[i]) ||
                  cm_fix_has(r, &r->findings[c->b], &r->edits[i]));
    return chosen;
}

static bool wants(const void *ctx, struct str rule, size_t start, size_t end) {
    const struct chosen *c = ctx;
    for (uint32_t i = 0; i < c->x->r->n_findings; i++) {
        const struct cm_finding *f = &c->x->r->findings[i];
        if (f->start == start && f->end == end && str_eq(f->rule, rule)) return is_chosen(c, i);
    }
    return false;
}

static struct str restricted(const struct fixes *x, uint32_t a, uint32_t b) {
    struct chosen c = {x, a, b};
    struct cm_input in = *x->in;
    struct cm_result r;
    in.wants = wants;
    in.wants_ctx = &c;
    cm_run_buffer(x->session, x->workspace, &in, &r);
    return arena_str(x->f->a, r.output);
}

/* ---- applying ---- */

typedef VEC(struct cm_edit) edit_list;

static edit_list edits_of(const struct fixes *x, const struct cm_finding *group) {
    edit_list out = {0};
    for (size_t i = 0; i < x->r->n_edits; i++)
        if (cm_fix_has(x->r, group, &x->r->edits[i])) vec_push(x->f->a, &out, x->r->edits[i]);
    return out;
}

static bool is_same(const struct cm_edit *a, const struct cm_edit *b) {
    return a->start == b->start && a->end == b->end && str_eq(a->text, b->text);
}

static struct str apply(const struct fixes *x, const edit_list *edits) {
    return edits_apply(x->f->a, x->in->bytes, edits->v, edits->n);
}

/* Where a byte is after these edits; the end of a range is before what goes in there. */
static size_t moved(const edit_list *done, size_t at, bool is_end) {
    size_t to = at;
    for (size_t i = 0; i < done->n; i++) {
        const struct cm_edit *d = &done->v[i];
        if (d->end <= at && !(is_end && d->start == at)) to = to + d->text.n - (d->end - d->start);
    }
    return to;
}

/* The second fix in the text that the first has left. */
static struct str apply_both(const struct fixes *x, const edit_list *first,
                             const edit_list *second) {
    edit_list rest = {0};
    for (size_t i = 0; i < second->n; i++) {
        struct cm_edit e = second->v[i];
        bool done = false;
        for (size_t k = 0; k < first->n; k++) done |= is_same(&e, &first->v[k]);
        if (done) continue;
        size_t start = moved(first, e.start, false);
        size_t end = moved(first, e.end, e.start < e.end);
        e.start = start, e.end = end;
        vec_push(x->f->a, &rest, e);
    }
    return edits_apply(x->f->a, apply(x, first), rest.v, rest.n);
}

/* ---- the same but for where added lines stand ---- */

static int by_text(const void *a, const void *b) {
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

typedef VEC(struct str) line_list;

static struct str trimmed(struct str s) {
    while (s.n && strchr(" \t\r\n", s.p[0])) s = str_sub(s, 1, s.n);
    while (s.n && strchr(" \t\r\n", s.p[s.n - 1])) s.n--;
    return s;
}

/* Lines without blanks around them, in order. */
static line_list sorted_lines(struct arena *a, struct str s) {
    line_list lines = {0};
    for (size_t at = 0; at < s.n;) {
        size_t end = str_find(s, S("\n"), at);
        struct str line = trimmed(str_sub(s, at, end));
        if (line.n) vec_push(a, &lines, line);
        at = end + 1;
    }
    if (lines.n) qsort(lines.v, lines.n, sizeof *lines.v, by_text);
    return lines;
}

/* An #include that a port of more needs is no harm. */
static bool is_added_include(const struct fixes *x, struct str line) {
    for (size_t i = 0; i < x->r->n_edits; i++)
        if (x->r->edits[i].finding == UINT32_MAX && str_starts(line, S("#include")) &&
            str_eq(trimmed(x->r->edits[i].text), line))
            return true;
    return false;
}

static bool same_lines(const struct fixes *x, struct str got, struct str want) {
    line_list g = sorted_lines(x->f->a, got), w = sorted_lines(x->f->a, want);
    size_t k = 0;
    for (size_t i = 0; i < g.n; i++) {
        if (k < w.n && str_eq(g.v[i], w.v[k]))
            k++;
        else if (!is_added_include(x, g.v[i]))
            return false;
    }
    return k == w.n;
}

static void check_text(const struct fixes *x, const char *what, const struct cm_finding *one,
                       const struct cm_finding *two, struct str got, struct str want) {
    struct arena *a = x->f->a;
    if (str_eq(got, want)) return;
    if (same_lines(x, got, want)) {
        struct python_text text = {x->target, 0, got};
        if (x->in->language == CM_PYTHON) vec_push(a, &x->f->texts, text);
        return;
    }
    fixture_fail(x->f, x->target,
                 "%.*s: %s the fix of %u:%u%s%.0u is not what is ported for it alone:%.*s",
                 STR_ARG(x->in->name), what, one->line, one->column, two ? " and " : "",
                 two ? two->line : 0, STR_ARG(fixture_difference(a, want, got)));
}

static void check_pair(const struct fixes *x, size_t i, size_t k) {
    const struct cm_finding *a = x->groups.v[i], *b = x->groups.v[k];
    edit_list one = edits_of(x, a), two = edits_of(x, b);
    struct str want = restricted(x, a->group, b->group);
    check_text(x, "first", a, b, apply_both(x, &one, &two), want);
    check_text(x, "last", a, b, apply_both(x, &two, &one), want);
}

void fixture_fixes(struct fixture *f, struct str target, const struct cm_session *session,
                   struct cm_workspace *workspace, const struct cm_input *in,
                   const struct cm_result *r) {
    struct fixes x = {
        .f = f, .target = target, .session = session, .workspace = workspace, .in = in, .r = r};
    if (in->language == CM_NOTEBOOK) return; /* its places are others */
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *g = &r->findings[i];
        if (g->outcome == CM_PORTED && g->group == i) vec_push(f->a, &x.groups, g);
    }
    for (size_t i = 0; i < x.groups.n && i < MAX_ALONE; i++) {
        const struct cm_finding *g = x.groups.v[i];
        edit_list edits = edits_of(&x, g);
        if (!edits.n)
            fixture_fail(f, target, "%.*s: the fix of %u:%u is empty", STR_ARG(in->name), g->line,
                         g->column);
        check_text(&x, "alone,", g, NULL, apply(&x, &edits), restricted(&x, g->group, g->group));
    }
    size_t pairs = x.groups.n * (x.groups.n ? x.groups.n - 1 : 0) / 2, seen = 0;
    size_t step = pairs / MAX_PAIRS + 1;
    for (size_t i = 0; i < x.groups.n; i++)
        for (size_t k = i + 1; k < x.groups.n; k++)
            if (seen++ % step == 0) check_pair(&x, i, k);
}
