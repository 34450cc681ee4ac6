/* SPDX-License-Identifier: Apache-2.0 */
/* lsp_reading.c - what a reader asks: hover is `explain`, a lens says how ready the file is, and
 * completion knows the rules in suppression comments and configuration files. */
#include "commands/explain.h"
#include "commands/lsp.h"

/* ---- hover ---- */

static bool is_id_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '/' || c == '.';
}

/* The rule whose id stands at the byte: in a comment, or in a configuration file. */
static struct str rule_at(const struct lsp *lsp, const struct lsp_document *d, size_t at,
                          size_t *start) {
    size_t from = at, to = at;
    while (from > 0 && is_id_char(d->text.p[from - 1])) from--;
    while (to < d->text.n && is_id_char(d->text.p[to])) to++;
    struct str id = str_sub(d->text, from, to);
    *start = from;
    return rule_list_find(&lsp->rules, id) ? id : (struct str){0};
}

static void add_explanation(struct lsp *lsp, struct buf *b, const struct lsp_document *d,
                            struct str rule) {
    const struct folder *f = lsp_folder_of(lsp, d);
    target_refs targets = {0};
    for (size_t i = 0; i < f->n_targets; i++) {
        struct target_ref t;
        struct str name = cm_target_name(lsp->in.targets[f->targets[i]]);
        if (rules_target(&lsp->rule_sets, name, &t)) vec_push(b->a, &targets, t);
    }
    struct buf text;
    buf_init(&text, b->a);
    if (!explain_text(lsp->in.cli, &lsp->rule_sets, &targets, rule, &text)) return;
    buf_addz(b, "```text\n");
    buf_add(b, buf_str(&text));
    buf_addz(b, "```\n");
}

static void add_hover(struct lsp *lsp, struct buf *b, struct lsp_document *d, struct str markdown,
                      size_t start, size_t end) {
    buf_addz(b, "{\"contents\": {\"kind\": \"markdown\", \"value\": ");
    add_json_text(b, markdown);
    buf_addz(b, "}, \"range\": ");
    lsp_add_range(lsp, b, d, start, end);
    buf_addc(b, '}');
}

void lsp_hover(struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t at) {
    struct buf text;
    size_t start = at, end = at;
    lsp_analyse(lsp, d);
    buf_init(&text, b->a);
    struct str rule = {0};
    for (size_t k = 0; k < d->answers.n; k++)
        for (size_t i = 0; i < d->answers.v[k].r.n_findings; i++) {
            const struct lsp_answer *x = &d->answers.v[k];
            const struct cm_finding *f = &x->r.findings[i];
            if (!lsp_is_shown(f) || at < f->start || at > f->end) continue;
            if (rule.n && !str_eq(rule, f->rule)) continue; /* the first one only */
            struct str message = lsp_message_of(b->a, x, f), name = cm_target_name(x->target);
            buf_printf(&text, "**%.*s** %.*s\n\n", STR_ARG(name), STR_ARG(message));
            rule = f->rule, start = f->start, end = f->end;
        }
    if (!rule.n) {
        rule = rule_at(lsp, d, at, &start);
        end = start + rule.n;
    }
    if (!rule.n) {
        buf_addz(b, "null");
        return;
    }
    add_explanation(lsp, &text, d, rule);
    add_hover(lsp, b, d, text.n ? buf_str(&text) : rule, start, end);
}

/* ---- lenses ---- */

/* "ascend: 5 rewritten, 3 stay, 2 manual" above the first line. */
void lsp_code_lenses(struct lsp *lsp, struct buf *b, struct lsp_document *d) {
    lsp_analyse(lsp, d);
    buf_addc(b, '[');
    for (size_t k = 0; k < d->answers.n; k++) {
        const size_t *n = d->answers.v[k].counts;
        if (n[CM_PORTED] + n[CM_KEPT] + n[CM_MANUAL] == 0) continue;
        struct str name = cm_target_name(d->answers.v[k].target);
        struct str title = arena_printf(b->a, "%.*s: %zu rewritten by --fix, %zu stay, %zu manual",
                                        STR_ARG(name), n[CM_PORTED], n[CM_KEPT], n[CM_MANUAL]);
        buf_addz(b, b->p[b->n - 1] == '[' ? "{\"range\": " : ", {\"range\": ");
        lsp_add_range(lsp, b, d, 0, 0);
        buf_addz(b, ", \"command\": {\"command\": \"\", \"title\": ");
        add_json_text(b, title);
        buf_addz(b, "}}");
    }
    buf_addc(b, ']');
}

/* ---- completion ---- */

struct completion {
    struct lsp *lsp;
    struct buf *b;
    struct lsp_document *d;
    size_t start, end; /* the word that is replaced */
};

static void add_item(struct completion *c, struct str label, struct str detail, int kind) {
    buf_addz(c->b, c->b->p[c->b->n - 1] == '[' ? "{\"label\": " : ",\n{\"label\": ");
    add_json_text(c->b, label);
    buf_printf(c->b, ", \"kind\": %d, \"detail\": ", kind);
    add_json_text(c->b, detail);
    buf_addz(c->b, ", \"textEdit\": {\"range\": ");
    lsp_add_range(c->lsp, c->b, c->d, c->start, c->end);
    buf_addz(c->b, ", \"newText\": ");
    add_json_text(c->b, label);
    buf_addz(c->b, "}}");
}

/* Rules, and before those of a domain the domain. */
static void add_rules(struct completion *c) {
    enum { DOMAIN = 9, RULE = 21 };
    const struct rule_list *rules = &c->lsp->rules;
    struct str last = {0};
    for (size_t i = 0; i < rules->n; i++) {
        struct str id = rules->v[i].id, domain = str_sub(id, 0, str_find(id, S("/"), 0));
        if (!str_eq(domain, last)) add_item(c, domain, S("all rules of this domain"), DOMAIN);
        last = domain;
        add_item(c, id, rules->v[i].title, RULE);
    }
}

static void add_targets(struct completion *c) {
    enum { TARGET = 13 };
    for (size_t i = 0; i < cm_session_n_targets(c->lsp->in.session); i++) {
        const struct cm_target *t = cm_session_target_at(c->lsp->in.session, i);
        add_item(c, cm_target_name(t), cm_target_title(t), TARGET);
    }
}

static void add_keys(struct completion *c) {
    enum { KEY = 10 };
    struct str name, help;
    for (size_t i = 0; config_key(i, &name, &help); i++) add_item(c, name, help, KEY);
}

/* Whether the brackets of a suppression comment are open before the byte. */
static bool in_suppression(struct str before) {
    size_t at = before.n, mark = before.n;
    for (size_t i = 0; (i = str_find(before, S("cuda-morph:"), i)) < before.n; i++) mark = i;
    if (mark == before.n) return false;
    while (at > mark && before.p[at - 1] != '[' && before.p[at - 1] != ']') at--;
    return at > mark && before.p[at - 1] == '[';
}

static bool in_quotes(struct str before) {
    size_t quotes = 0;
    for (size_t i = 0; i < before.n; i++) quotes += before.p[i] == '"';
    return quotes % 2;
}

void lsp_completion(struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t at) {
    struct completion c = {lsp, b, d, at, at};
    size_t line, line_end;
    lsp_line_at(d, at, &line, &line_end);
    while (c.start > line && is_id_char(d->text.p[c.start - 1])) c.start--;
    struct str before = str_sub(d->text, line, at);
    buf_addz(b, "{\"isIncomplete\": false, \"items\": [");
    if (d->is_config && in_quotes(before)) {
        size_t key = 0;
        while (key < before.n && strchr(" \t", before.p[key])) key++;
        if (str_starts(str_sub(before, key, before.n), S("target")))
            add_targets(&c);
        else
            add_rules(&c);
    } else if (d->is_config && str_find(before, S("="), 0) == before.n) {
        add_keys(&c);
    } else if (in_suppression(before)) {
        add_rules(&c);
    }
    buf_addz(b, "]}");
}
