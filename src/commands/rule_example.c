/* SPDX-License-Identifier: Apache-2.0 */
/* rule_example.c - what becomes of a rule's example. A rule file holds an example for one target
 * or two; for the others it is ported here, so what explain shows is what port does. */
#include "commands/rule_example.h"

#include "base/file.h"

/* A copy that scanners may look past the end of. */
static struct str padded(struct arena *a, struct str s) {
    char *p = arena_zalloc(a, s.n + FILE_PADDING);
    if (s.n) memcpy(p, s.p, s.n);
    return (struct str){p, s.n};
}

static enum cm_language language_of(struct str name) {
    if (str_is(name, "cuda")) return CM_CPP; /* nothing is included by itself */
    for (int l = CM_PYTHON; l <= CM_PROJECT; l++)
        if (str_is(name, cm_language_name((enum cm_language)l))) return (enum cm_language)l;
    return CM_NONE;
}

bool example_port(const struct example_porter *p, struct arena *a, struct rule_ref r,
                  struct str before, struct str target, struct cm_result *out) {
    struct cm_input in = {.name = rs_str(r.set, r.rule->id),
                          .bytes = padded(a, before),
                          .language = language_of(rs_str(r.set, r.rule->language)),
                          .target = cm_session_target(p->session, target)};
    *out = (struct cm_result){0};
    if (!in.target) return false;
    cli_current_file = arena_strdup(a, in.name);
    cm_run_buffer(p->session, p->workspace, &in, out);
    cli_current_file = NULL;
    return true;
}

/* ---- for every target ---- */

struct answer {
    struct str text;   /* of the output */
    struct str manual; /* the first sentence about what is left, or empty */
    struct str names;  /* of the targets: "mlu, musa" */
};

static void add_code(struct buf *b, struct str text) {
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = str_find(text, S("\n"), at);
        buf_addz(b, "      ");
        buf_add_visible(b, str_sub(text, at, end));
        buf_addc(b, '\n');
    }
}

static void add_answer(struct buf *b, const struct answer *x, struct str before) {
    bool stays = str_eq(x->text, before);
    buf_printf(b, "    %.*s:%s\n", STR_ARG(x->names),
               stays && !x->manual.n ? " stays as it is"
               : stays               ? " is left"
                                     : "");
    if (!stays) add_code(b, x->text);
    if (!x->manual.n) return;
    buf_addz(b, "      manual: ");
    buf_add_visible(b, x->manual);
    buf_addc(b, '\n');
}

static struct answer answer_of(struct arena *a, const struct cm_result *r, struct str name) {
    struct answer x = {.text = arena_str(a, r->output), .manual = S(""), .names = name};
    for (size_t i = 0; i < r->n_findings && !x.manual.n; i++)
        if (r->findings[i].outcome == CM_MANUAL) x.manual = arena_str(a, r->findings[i].message);
    return x;
}

bool example_everywhere(struct cli *cli, struct rule_ref r, const struct str *targets, size_t n,
                        struct buf *b) {
    struct example_porter p = {open_session(cli), cm_workspace_new()};
    const struct rexample *e = RS_LIST(r.set, r.rule->examples, struct rexample);
    VEC(struct answer) answers = {0};
    if (!p.session || !p.workspace) return false;
    if (!r.rule->examples.n || n < 2) return true;
    struct str before = rs_str(r.set, e[0].before);
    for (size_t i = 0; i < n; i++) {
        struct cm_result result;
        size_t at = 0;
        if (!example_port(&p, b->a, r, before, targets[i], &result)) continue;
        struct answer x = answer_of(b->a, &result, targets[i]);
        while (at < answers.n && !(str_eq(answers.v[at].text, x.text) &&
                                   answers.v[at].manual.n == 0 && x.manual.n == 0))
            at++;
        if (at == answers.n)
            vec_push(b->a, &answers, x);
        else
            answers.v[at].names = arena_printf(b->a, "%.*s, %.*s", STR_ARG(answers.v[at].names),
                                               STR_ARG(targets[i]));
    }
    buf_addz(b, "\n  The first example, target by target\n");
    for (size_t i = 0; i < answers.n; i++) add_answer(b, &answers.v[i], before);
    cm_workspace_free(p.workspace);
    return true;
}
