/* SPDX-License-Identifier: Apache-2.0 */
/* format_markdown.c - a comment for a pull request: the figures, the rules by their findings, and
 * the first findings of each kind, folded. A comment has 65,536 characters at most. */
#include "report/printer.h"

enum { SHOWN_FINDINGS = 100, SHOWN_RULES = 20 };

static void start(struct printer *p, struct buf *out) { printer_hold(p, out->a, 1); }

/* No controls, nothing that a server's log takes for a command. */
static struct str visible(struct arena *a, struct str s) {
    struct buf b;
    buf_init(&b, a);
    add_log_text(&b, s);
    return b.n ? buf_str(&b) : S("");
}

/* Text in a table: no markup, no link to a person, no end of the cell or the line. */
static void add_text(struct buf *b, struct str text) {
    bool code = false;
    struct str s = visible(b->a, text);
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        code ^= c == '`';
        if (c == '|')
            buf_addz(b, "\\|");
        else if (code || c == '`')
            buf_addc(b, c);
        else if (c == '<')
            buf_addz(b, "&lt;");
        else if (c == '&')
            buf_addz(b, "&amp;");
        else if (c == '@')
            buf_addz(b, "&#64;");
        else if (strchr("*_[]\\", c))
            buf_printf(b, "\\%c", c);
        else
            buf_addc(b, c);
    }
    if (code) buf_addc(b, '`'); /* one that nothing closes would take the rest of the table */
}

static void add_code(struct buf *b, struct str text) {
    struct str s = visible(b->a, text);
    buf_addc(b, '`');
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '|')
            buf_addz(b, "\\|");
        else
            buf_addc(b, s.p[i] == '`' ? ' ' : s.p[i]);
    buf_addc(b, '`');
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) {
        const struct check_finding *x = &f->findings[i];
        struct buf b;
        if (p->printed++ >= SHOWN_FINDINGS) continue;
        buf_init(&b, out->a);
        buf_addz(&b, "| ");
        add_code(&b, arena_printf(out->a, "%.*s:%u", STR_ARG(f->project_path), x->at.line));
        buf_printf(&b, " | %s | ", severity_name(x->severity));
        add_text(&b, x->message);
        if (x->advice.n) buf_addz(&b, ". ");
        add_text(&b, x->advice);
        buf_addz(&b, " | ");
        add_code(&b, x->rule->id);
        buf_addz(&b, x->is_fixable ? " | yes |\n" : " | |\n");
        growing_add(&p->held[0], buf_str(&b));
    }
}

/* "1 rule", "2 rules" */
static struct str count(struct arena *a, size_t n, const char *what) {
    return arena_printf(a, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void add_rules(struct printer *p, struct buf *out, const struct check_totals *totals) {
    size_t n;
    const struct rule_count *rows = rules_by_count(out->a, p, totals, &n);
    buf_addz(out, "\n| findings | rule | what |\n|--:|---|---|\n");
    for (size_t i = 0; i < n && i < SHOWN_RULES; i++) {
        const struct check_rule *rule = &p->run->rules[rows[i].rule];
        buf_printf(out, "| %zu | ", rows[i].count);
        add_code(out, rule->id);
        buf_addz(out, " | ");
        add_text(out, rule->title);
        buf_addz(out, " |\n");
    }
    if (n > SHOWN_RULES)
        buf_printf(out, "\n... and %s more\n", count(out->a, n - SHOWN_RULES, "rule").p);
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    buf_addz(out, "### cuda-morph");
    for (size_t i = 0; i < p->run->n_targets; i++)
        buf_printf(out, "%s%.*s", i ? ", " : ": ", STR_ARG(p->run->targets[i]));
    if (!totals->findings) {
        buf_printf(out, "\n\nNo findings in %s.\n", count(out->a, totals->files, "file").p);
        return;
    }
    buf_printf(out, "\n\n**%s** in %zu of %s: %s, %s, %s",
               count(out->a, totals->findings, "finding").p, totals->files_with_findings,
               count(out->a, totals->files, "file").p,
               count(out->a, totals->by_severity[SEV_ERROR], "error").p,
               count(out->a, totals->by_severity[SEV_WARNING], "warning").p,
               count(out->a, totals->by_severity[SEV_NOTE], "note").p);
    buf_printf(out, "; %zu fixable with `cuda-morph check --fix`.\n", totals->fixable);
    add_rules(p, out, totals);
    size_t shown = p->printed < SHOWN_FINDINGS ? p->printed : SHOWN_FINDINGS;
    buf_printf(out,
               "\n<details><summary>%s%s</summary>\n\n"
               "| place | severity | what | rule | fixable |\n|---|---|---|---|---|\n",
               shown < p->printed ? "the first " : "the ", count(out->a, shown, "finding").p);
    buf_add(out, growing_str(&p->held[0]));
    buf_addz(out, "\n</details>\n");
}

const struct printer_class format_markdown = {"markdown", start, file, end};
