/* SPDX-License-Identifier: Apache-2.0 */
/* lsp_actions.c - quick fixes: this finding, all of its rule, all of the file; and a comment that
 * silences it, with room for the reason. */
#include "commands/lsp.h"

#include "edit/edit.h"

struct actions {
    struct lsp *lsp;
    struct buf *b;
    struct lsp_document *d;
    bool quick, all; /* the kinds that the client asks for */
};

/* ---- writing one ---- */

static void start_action(struct actions *x, struct str title, const char *kind, bool preferred) {
    buf_addz(x->b, x->b->p[x->b->n - 1] == '[' ? "{\"title\": " : ", {\"title\": ");
    add_json_text(x->b, title);
    buf_printf(x->b,
               ", \"kind\": \"%s\"%s, \"edit\": {\"documentChanges\": [{\"textDocument\": "
               "{\"uri\": ",
               kind, preferred ? ", \"isPreferred\": true" : "");
    add_json_text(x->b, x->d->uri);
    buf_printf(x->b, ", \"version\": %lld}, \"edits\": [", (long long)x->d->version);
}

static void add_edit(struct actions *x, size_t start, size_t end, struct str text) {
    buf_addz(x->b, x->b->p[x->b->n - 1] == '[' ? "{\"range\": " : ", {\"range\": ");
    lsp_add_range(x->lsp, x->b, x->d, start, end);
    buf_addz(x->b, ", \"newText\": ");
    add_json_text(x->b, text);
    buf_addc(x->b, '}');
}

static void end_action(struct actions *x) { buf_addz(x->b, "]}]}}"); }

/* ---- fixes ---- */

/* What belongs to the fixes of the chosen findings, each edit once and in order. */
static bool is_chosen(const struct cm_result *r, const bool *chosen, const struct cm_edit *e) {
    for (size_t i = 0; i < r->n_findings; i++)
        if (chosen[i] && cm_fix_has(r, &r->findings[i], e)) return true;
    return false;
}

static void fix_action(struct actions *x, const struct cm_result *r, const bool *chosen,
                       struct str title, const char *kind, bool preferred) {
    bool any = false;
    for (size_t i = 0; i < r->n_edits && !any; i++) any = is_chosen(r, chosen, &r->edits[i]);
    if (!any) return;
    start_action(x, title, kind, preferred);
    for (size_t i = 0; i < r->n_edits; i++)
        if (is_chosen(r, chosen, &r->edits[i]))
            add_edit(x, r->edits[i].start, r->edits[i].end, r->edits[i].text);
    end_action(x);
}

static struct str for_target(struct actions *x, const struct lsp_answer *answer) {
    if (x->d->answers.n < 2) return S("");
    return arena_printf(x->b->a, " for %.*s", STR_ARG(cm_target_title(answer->target)));
}

static void fix_one(struct actions *x, const struct lsp_answer *answer, size_t number) {
    const struct cm_result *r = &answer->r;
    const struct cm_finding *f = &r->findings[number];
    struct arena *a = x->b->a;
    bool *chosen = arena_zalloc(a, r->n_findings + 1);
    bool plain = f->replacement.n && !str_eq(f->replacement, f->token) &&
                 !memchr(f->replacement.p, '\n', f->replacement.n);
    bool unsafe = str_is(f->verdict, "close") || !f->certain;
    bool dot = str_starts(f->token, S(".")) && !strchr(".(", f->replacement.p[0]);
    struct str what = plain ? arena_printf(a, "Replace `%.*s` by `%s%.*s`", STR_ARG(f->token),
                                           dot ? "." : "", STR_ARG(f->replacement))
                            : arena_printf(a, "Rewrite `%.*s`", STR_ARG(f->token));
    chosen[number] = true;
    fix_action(x, r, chosen,
               arena_printf(a, "%.*s%.*s%s", STR_ARG(what), STR_ARG(for_target(x, answer)),
                            unsafe ? " (unsafe)" : ""),
               "quickfix", !unsafe && x->d->answers.n == 1);
}

static void fix_rule(struct actions *x, const struct lsp_answer *answer, struct str rule) {
    const struct cm_result *r = &answer->r;
    bool *chosen = arena_zalloc(x->b->a, r->n_findings + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->n_findings; i++) {
        chosen[i] = r->findings[i].outcome == CM_PORTED && str_eq(r->findings[i].rule, rule);
        n += chosen[i];
    }
    if (n < 2) return;
    struct str title = arena_printf(x->b->a, "Fix all %zu of %.*s in this file%.*s", n,
                                    STR_ARG(rule), STR_ARG(for_target(x, answer)));
    fix_action(x, r, chosen, title, "quickfix", false);
}

static void fix_file(struct actions *x, const struct lsp_answer *answer) {
    const struct cm_result *r = &answer->r;
    bool *chosen = arena_zalloc(x->b->a, r->n_findings + 1);
    for (size_t i = 0; i < r->n_findings; i++) chosen[i] = r->findings[i].outcome == CM_PORTED;
    struct str title = arena_printf(x->b->a, "cuda-morph: fix all in this file%.*s",
                                    STR_ARG(for_target(x, answer)));
    fix_action(x, r, chosen, title, "source.fixAll.cuda-morph", false);
}

/* ---- suppressions ---- */

/* Whether the text with the comment in it is silent about the finding, and says nothing new. */
static bool silences(struct actions *x, const struct lsp_answer *answer, const struct cm_edit *e) {
    struct cm_result r;
    struct buf padded;
    struct str text = edits_apply(x->b->a, x->d->text, e, 1);
    buf_init(&padded, x->b->a);
    buf_add(&padded, text);
    for (size_t i = 0; i < FILE_PADDING; i++) buf_addc(&padded, 0);
    lsp_run(x->lsp, x->d, answer, (struct str){padded.p, text.n}, &r);
    return r.n_notes <= answer->r.n_notes && r.n_unused <= answer->r.n_unused &&
           r.counts[CM_SUPPRESSED] > answer->counts[CM_SUPPRESSED];
}

/* Behind the line, or above it where that is inside of a string. */
static void suppress(struct actions *x, const struct lsp_answer *answer,
                     const struct cm_finding *f) {
    struct arena *a = x->b->a;
    size_t start, end, indent;
    lsp_line_at(x->d, f->start, &start, &end);
    for (indent = start; indent < end && strchr(" \t", x->d->text.p[indent]);) indent++;
    const char *mark = x->d->language == CM_CUDA || x->d->language == CM_CPP ? "//" : "#";
    struct str blanks = str_sub(x->d->text, start, indent);
    struct cm_edit edits[] = {
        {.start = end, .end = end, .finding = UINT32_MAX},
        {.start = start, .end = start, .finding = UINT32_MAX},
    };
    edits[0].text =
        arena_printf(a, "  %s cuda-morph: ignore[%.*s] TODO: say why", mark, STR_ARG(f->rule));
    edits[1].text = arena_printf(a, "%.*s%s cuda-morph: ignore-next[%.*s] TODO: say why\n",
                                 STR_ARG(blanks), mark, STR_ARG(f->rule));
    for (size_t i = 0; i < ARRAY_LEN(edits); i++) {
        if (!silences(x, answer, &edits[i])) continue;
        struct str title = arena_printf(a, "Suppress %.*s here", STR_ARG(f->rule));
        start_action(x, title, "quickfix", false);
        add_edit(x, edits[i].start, edits[i].end, edits[i].text);
        end_action(x);
        return;
    }
}

/* ---- all of them ---- */

static bool wants_kind(const struct cJSON *only, const char *kind) {
    struct json j = {0};
    if (json_type(only) != JSON_ARRAY) return true;
    json_each(item, only) {
        struct str asked = json_type(item) == JSON_STRING ? json_str(&j, item) : S("?");
        struct str whole = str_of(kind);
        bool covers = str_starts(whole, asked) &&
                      (asked.n == 0 || whole.n == asked.n || whole.p[asked.n] == '.');
        if (covers) return true;
    }
    return false;
}

static bool said_before(const struct cm_result *r, size_t number, size_t start, size_t end) {
    for (size_t i = 0; i < number; i++) {
        const struct cm_finding *f = &r->findings[i];
        if (lsp_is_shown(f) && f->start <= end && f->end >= start &&
            str_eq(f->rule, r->findings[number].rule))
            return true;
    }
    return false;
}

void lsp_code_actions(struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t start,
                      size_t end, const struct cJSON *only) {
    struct actions x = {lsp, b, d, wants_kind(only, "quickfix"),
                        wants_kind(only, "source.fixAll.cuda-morph")};
    lsp_analyse(lsp, d);
    buf_addc(b, '[');
    for (size_t k = 0; k < d->answers.n; k++) {
        const struct lsp_answer *answer = &d->answers.v[k];
        for (size_t i = 0; x.quick && i < answer->r.n_findings; i++) {
            const struct cm_finding *f = &answer->r.findings[i];
            if (!lsp_is_shown(f) || f->start > end || f->end < start) continue;
            if (f->outcome == CM_PORTED) fix_one(&x, answer, i);
            if (said_before(&answer->r, i, start, end)) continue;
            if (f->outcome == CM_PORTED) fix_rule(&x, answer, f->rule);
            suppress(&x, answer, f);
        }
        if (x.all) fix_file(&x, answer);
    }
    buf_addc(b, ']');
}
