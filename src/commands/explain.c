/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - `cuda-morph explain RULE`: everything the rule database knows about one rule. */
#include "commands/explain.h"
#include "commands/provenance.h"
#include "commands/rule_example.h"
#include "commands/rule_list.h"
#include "cuda/header_names.h"
#include "report/text.h"
#include "rules/cell_names.h"
#include "rules/template.h"

enum { KEYS_SHOWN = 8 };

struct page {
    struct cli *cli;
    struct buf b;
    struct rule_ref r;
    target_refs targets;
};

static void add_line(struct page *p, const char *label, struct str text) {
    if (text.n == 0) return;
    buf_addz(&p->b, label);
    buf_add_visible(&p->b, text);
    buf_addc(&p->b, '\n');
}

static void add_code(struct page *p, const char *label, struct str text) {
    buf_printf(&p->b, "    %s\n", label);
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        add_line(p, "        ", end > at ? str_sub(text, at, end) : S(" "));
        at = end + 1;
    }
}

/* What the cell writes: the form that says most about it. */
static struct str cell_text(struct ruleset set, const struct rcell *c) {
    const struct rstr forms[] = {c->to,   c->call,       c->value,   c->text,
                                 c->bare, c->expression, c->compare, c->statement};
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (forms[i].n) return rs_str(set, forms[i]);
    return S("");
}

/* ---- what a template writes, to be read ---- */

/* {tail}: the row's name below the rule's namespace. */
static struct str tail_of(struct row_ref row) {
    struct str key = rs_str(row.set, row.row->key), space = rs_str(row.set, row.rule->name_space);
    bool below = space.n && key.n > space.n + 1 && str_starts(key, space);
    return below ? str_sub(key, space.n + 1, key.n) : key;
}

/* A word that is no fact: $n where the row captures it under this name, else a part of a launch.
 */
static struct str word_of(struct arena *a, struct row_ref row, struct str word) {
    struct str key = rs_str(row.set, row.row->key);
    struct str name = str_sub(word, 0, str_find(word, S(":"), 0));
    struct str capture = arena_printf(a, "$%.*s", STR_ARG(name));
    if (str_find(key, capture, 0) < key.n) return capture;
    if (str_is(name, "config")) return S("grid, block, shared, stream");
    return str_is(name, "arguments") ? S(", ...") : name;
}

/* What depends on the code has the notation of the rows' names: $1 is an argument, ... are some.
 */
static struct str placeholder_text(struct arena *a, struct row_ref row, bool several,
                                   struct str text) {
    struct placeholder p = template_placeholder(text);
    switch (p.kind) {
    case PH_RECEIVER:
        return S("x");
    case PH_ARGUMENTS:
    case PH_KEYWORDS:
        return S("...");
    case PH_TEMPLATE_ARGUMENTS:
        return S("<...>");
    case PH_FIRST:
    case PH_POSITION:
        return arena_printf(a, p.last > p.first ? "$%u, ..." : "$%u", p.first + 1);
    case PH_NAME:
    case PH_TAIL:
        if (several) return S("NAME");
        return p.kind == PH_NAME ? rs_str(row.set, row.row->key) : tail_of(row);
    case PH_WORD:
    case PH_BAD:
        break;
    }
    return word_of(a, row, text);
}

/* The template with the target's facts filled in; several: rows of other names share it. */
static void add_template(struct buf *b, struct target_ref t, struct row_ref row, bool several,
                         struct str text) {
    struct str part;
    for (size_t at = 0;;) {
        enum template_part kind = template_next(text, &at, &part);
        if (kind == TEMPLATE_END || kind == TEMPLATE_BROKEN) return;
        struct str fact = {0};
        if (kind == TEMPLATE_PLACEHOLDER) {
            fact = target_fact(t, arena_strdup(b->a, part));
            part = placeholder_text(b->a, row, several, part);
        }
        buf_add_visible(b, fact.n ? fact : part);
    }
}

/* What is said of the target that this one is like is no sentence about this one. */
static bool is_borrowed(struct row_ref row, const struct rcell *cell, struct target_ref t) {
    return cell && t.target->like.n &&
           str_eq(rs_str(row.set, cell->target), rs_str(t.set, t.target->like));
}

/* Whether a port whose kernels are SYCL's has to leave the name to a human: what the target takes
 * over from another's runtime, and the header for SYCL does not declare. */
static bool lacks_in_sycl(struct page *p, struct row_ref row, struct target_ref t,
                          const struct rcell *cell) {
    struct str through = rs_str(t.set, t.target->through);
    struct str name = cell ? cell_text(row.set, cell) : S("");
    if (!target_fact(t, "sycl_kernels").n || row.rule->spoken != RL_CUDA) return false;
    if (!name.n || !cell_is_applied(cell)) return false;
    if (!str_eq(rs_str(row.set, cell->target), through)) return false;
    for (size_t i = 0; i < name.n; i++)
        if (!is_word_char(name.p[i])) return false;
    return !header_names_declare(header_names_of(true), p->b.a, name);
}

/* What a port whose kernels are SYCL's writes, where the row says something else for it. */
static void add_sycl(struct page *p, struct row_ref row, bool several, struct target_ref t,
                     const struct rcell *otherwise) {
    const struct rcell *cell;
    if (!target_fact(t, "sycl_kernels").n || row.rule->spoken != RL_CUDA) return;
    t.sycl = true;
    enum verdict v = row_verdict(row, t, &cell);
    if (!cell || cell == otherwise || !cell->sycl) return;
    buf_printf(&p->b, "               with kernels in SYCL: %s", verdict_name(v));
    struct str text = cell_text(row.set, cell);
    if (text.n) buf_addz(&p->b, "  -> ");
    add_template(&p->b, t, row, several, text);
    buf_addc(&p->b, '\n');
}

static void add_answer(struct page *p, struct row_ref row, bool several, struct target_ref t) {
    const struct rcell *cell;
    row = row_for(row, t);
    enum verdict v = row_verdict(row, t, &cell);
    if (v == V_UNSET) return;
    struct str name = target_name(t), text = cell ? cell_text(row.set, cell) : S("");
    struct str note = cell ? rs_str(row.set, cell->note) : S("");
    if (v == V_SAME && is_borrowed(row, cell, t)) note = S("");
    int width = text.n || note.n ? 6 : 0;
    bool unverified = cell && cell->unverified;
    buf_printf(&p->b, "    %-10.*s %-*s", STR_ARG(name), width,
               unverified ? "unverified" : verdict_name(v));
    if (text.n) buf_addz(&p->b, "  -> ");
    add_template(&p->b, t, row, several, text);
    if (unverified) buf_addz(&p->b, " (never applied)");
    if (v == V_SAME && row_unread(row, cell, t).n) buf_addz(&p->b, " (unverified)");
    add_line(p, text.n ? "; " : "  ", note);
    if (note.n == 0) buf_addc(&p->b, '\n');
    if (lacks_in_sycl(p, row, t, cell))
        buf_addz(&p->b, "               with --kernels host; in SYCL it has no counterpart\n");
    add_sycl(p, row, several, t, cell);
    if (cell && v != V_SAME)
        add_line(p, "               source: ", cell_source(p->b.a, row, t, cell));
}

static enum verdict answer_of(struct row_ref row, struct target_ref t) {
    const struct rcell *cell;
    return row_verdict(row_for(row, t), t, &cell);
}

/* Rows with the same cells have the same answers, but for names that a release lacks: they are one
 * group. */
static bool same_group(const struct page *p, struct row_ref x, struct row_ref y) {
    if (x.row->cells.n != y.row->cells.n) return false;
    if (x.row->cells.n && x.row->cells.at != y.row->cells.at) return false;
    for (size_t i = 0; x.rule->spoken == RL_PYTHON && i < p->targets.n; i++)
        if (answer_of(x, p->targets.v[i]) != answer_of(y, p->targets.v[i])) return false;
    return true;
}

static void add_group(struct page *p, size_t first) {
    size_t n = 0;
    struct row_ref row = rule_row(p->r, first);
    buf_addc(&p->b, '\n');
    for (size_t i = first; i < p->r.rule->rows.n; i++) {
        struct row_ref other = rule_row(p->r, i);
        if (!same_group(p, row, other)) continue;
        if (n++ < KEYS_SHOWN || cli_has(p->cli, OPT_VERBOSE))
            add_line(p, "  ", rs_str(other.set, other.row->key));
    }
    if (n > KEYS_SHOWN && !cli_has(p->cli, OPT_VERBOSE))
        buf_printf(&p->b, "  ... and %zu more; -v lists them\n", n - KEYS_SHOWN);
    for (size_t i = 0; i < p->targets.n; i++) add_answer(p, row, n > 1, p->targets.v[i]);
}

static void add_groups(struct page *p) {
    for (size_t i = 0; i < p->r.rule->rows.n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = !same_group(p, rule_row(p->r, k), rule_row(p->r, i));
        if (is_new) add_group(p, i);
    }
}

static void add_examples(struct page *p) {
    const struct rexample *e = RS_LIST(p->r.set, p->r.rule->examples, struct rexample);
    for (size_t i = 0; i < p->r.rule->examples.n; i++) {
        struct str target = rs_str(p->r.set, e[i].target);
        buf_printf(&p->b, "\n  Example for %.*s\n", STR_ARG(target));
        add_code(p, "before:", rs_str(p->r.set, e[i].before));
        add_code(p, "after:", rs_str(p->r.set, e[i].after));
    }
}

static void add_references(struct page *p) {
    const struct rstr *list = RS_LIST(p->r.set, p->r.rule->references, struct rstr);
    if (p->r.rule->references.n) buf_addz(&p->b, "\n  References\n");
    for (size_t i = 0; i < p->r.rule->references.n; i++)
        add_line(p, "    ", rs_str(p->r.set, list[i]));
}

static void add_page(struct page *p) {
    struct str id = rs_str(p->r.set, p->r.rule->id);
    buf_printf(&p->b, "%.*s: ", STR_ARG(id));
    add_line(p, "", rs_str(p->r.set, p->r.rule->title));
    add_line(p, "\n  ", rs_str(p->r.set, p->r.rule->why));
    if (p->r.rule->since.n)
        add_line(p, "\n  ",
                 arena_printf(p->b.a, "Since %.*s.", STR_ARG(rs_str(p->r.set, p->r.rule->since))));
    add_groups(p);
    add_examples(p);
    add_references(p);
}

/* A rule that no rule file holds, because check itself looks for it. */
static bool add_own_rule(struct page *p, struct str id) {
    const struct check_rule *rule = own_rule(id);
    if (!rule) return false;
    add_line(p, "", arena_printf(p->b.a, "%.*s: %.*s", STR_ARG(id), STR_ARG(rule->title)));
    add_line(p, "\n  ", rule->why);
    return true;
}

/* What becomes of one name: its rows of all rules, the rule above each. */
static bool add_name(struct page *p, const rule_refs *refs, struct str name) {
    bool found = false;
    for (size_t i = 0; i < refs->n; i++) {
        p->r = refs->v[i];
        for (size_t k = 0; k < p->r.rule->rows.n; k++) {
            struct row_ref row = rule_row(p->r, k);
            if (!str_eq(rs_str(row.set, row.row->key), name)) continue;
            struct str id = rs_str(p->r.set, p->r.rule->id);
            buf_printf(&p->b, "%s%.*s, by ", found ? "\n" : "", STR_ARG(name));
            add_line(p, "", id);
            for (size_t t = 0; t < p->targets.n; t++) add_answer(p, row, false, p->targets.v[t]);
            found = true;
        }
    }
    return found;
}

bool explain_text(struct cli *cli, const struct rules *rules, const target_refs *targets,
                  struct str id, struct buf *out) {
    struct page p = {.cli = cli, .targets = *targets};
    rule_refs refs = {0};
    buf_init(&p.b, out->a);
    all_rules(out->a, rules, &refs);
    bool found = false;
    for (size_t i = 0; i < refs.n && !found; i++) {
        p.r = refs.v[i];
        found = str_eq(id, rs_str(p.r.set, p.r.rule->id));
    }
    if (found)
        add_page(&p);
    else if (!add_own_rule(&p, id) && !add_name(&p, &refs, id))
        return false;
    buf_add(out, buf_str(&p.b));
    return true;
}

/* The rule's first example, ported to each of the targets. */
static bool add_everywhere(struct cli *cli, const struct rules *rules, const target_refs *targets,
                           struct str id, struct buf *b) {
    rule_refs refs = {0};
    struct str *names = arena_alloc(cli->a, (targets->n + 1) * sizeof *names);
    for (size_t i = 0; i < targets->n; i++) names[i] = target_name(targets->v[i]);
    all_rules(cli->a, rules, &refs);
    for (size_t i = 0; i < refs.n; i++)
        if (str_eq(id, rs_str(refs.v[i].set, refs.v[i].rule->id)) && !refs.v[i].rule->lint)
            return example_everywhere(cli, refs.v[i], names, targets->n, b);
    return true;
}

/* The rules of a domain, which --select and severities take as well; false: it is none. */
static bool add_domain(const struct rules *rules, struct str id, bool color, struct buf *b) {
    rule_refs refs = {0};
    bool any = false;
    size_t width = 0;
    all_rules(b->a, rules, &refs);
    for (size_t i = 0; i < refs.n; i++) {
        size_t n = rs_str(refs.v[i].set, refs.v[i].rule->id).n;
        if (!str_eq(id, rs_str(refs.v[i].set, refs.v[i].rule->domain))) continue;
        if (n > width) width = n;
    }
    for (size_t i = 0; i < refs.n; i++) {
        const struct rrule *r = refs.v[i].rule;
        struct str own = rs_str(refs.v[i].set, r->id);
        if (!str_eq(id, rs_str(refs.v[i].set, r->domain))) continue;
        if (!any)
            buf_printf(b, "%.*s: %.*s\n\n", STR_ARG(id),
                       STR_ARG(rs_str(refs.v[i].set, r->domain_title)));
        any = true;
        buf_addz(b, "  ");
        text_paint(b, PAINT_CYAN, own, color);
        buf_printf(b, "%*s  %.*s\n", (int)(width - own.n), "",
                   STR_ARG(rs_str(refs.v[i].set, r->title)));
    }
    return any;
}

static int unknown_rule(struct cli *cli, const struct rules *rules, struct str id) {
    rule_refs refs = {0};
    all_rules(cli->a, rules, &refs);
    struct str *ids = arena_alloc(cli->a, (refs.n + 1) * sizeof *ids);
    for (size_t i = 0; i < refs.n; i++) ids[i] = rs_str(refs.v[i].set, refs.v[i].rule->id);
    struct str hint = cli_hint(cli->a, cli_nearest(id, ids, refs.n));
    return cli_error(cli, "no rule and no name of a rule '%.*s'%.*s", STR_ARG(id),
                     STR_ARG(hint.n ? hint : S("; 'cuda-morph rules' lists them")));
}

int command_explain(struct cli *cli) {
    struct rules rules;
    target_refs targets;
    struct buf b;
    if (cli->operands.n != 1)
        return cli_error(
            cli, "explain takes one rule or name, such as torch-cuda/memory or torch.cuda.Stream");
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &rules))
        return STATUS_FAILED;
    if (!choose_targets(cli, &rules, &targets)) return STATUS_FAILED;
    buf_init(&b, cli->a);
    struct str id = cli->operands.v[0];
    if (!explain_text(cli, &rules, &targets, id, &b)) {
        if (!add_domain(&rules, id, cli->out->color, &b)) return unknown_rule(cli, &rules, id);
        stream_add(cli->out, buf_str(&b));
        return STATUS_DONE;
    }
    if (!add_everywhere(cli, &rules, &targets, id, &b)) return STATUS_FAILED;
    stream_add(cli->out, buf_str(&b));
    return STATUS_DONE;
}
