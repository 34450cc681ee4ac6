/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - `cuda-morph quant MODEL_DIR`: how a model is quantised and which targets run that. */
#include "diag/quant.h"
#include "cli/target_names.h"

#include "commands/commands.h"
#include "commands/rule_sets.h"

struct page {
    struct cli *cli;
    struct buf b;
    struct quant_model model;
    const struct quant_method *method; /* NULL: no row for it */
    target_refs targets;
    size_t unsupported;
};

static struct quant_answer answer_of(struct page *p, struct target_ref t) {
    struct quant_answer none = {
        .target = target_name(t), .verdict = S("unknown"), .note = S("no row for this method")};
    for (size_t i = 0; p->method && i < p->method->answers.n; i++)
        if (str_eq(p->method->answers.v[i].target, target_name(t))) return p->method->answers.v[i];
    if (target_fact(t, "fallback").n) none.note = S("what the device's own target says");
    return none;
}

static void add_line(struct buf *b, const char *label, struct quant_evidence e) {
    buf_addz(b, label);
    buf_add_visible(b, e.file);
    buf_addz(b, ": ");
    buf_add_visible(b, e.text);
    buf_addc(b, '\n');
}

/* The verdict of each serving stack, with its source, below that of the target. */
static void print_stacks(struct page *p, const struct quant_answer *a) {
    for (size_t i = 0; i < a->stacks.n; i++) {
        const struct quant_stack *x = &a->stacks.v[i];
        buf_printf(&p->b, "           %.*s: %.*s%s%.*s (%.*s)\n", STR_ARG(x->name),
                   STR_ARG(x->verdict), x->note.n ? ", " : "", STR_ARG(x->note),
                   STR_ARG(x->source));
    }
}

static void print_text(struct page *p, struct str dir) {
    buf_add_visible(&p->b, dir);
    buf_addz(&p->b, ": ");
    buf_add_visible(&p->b, p->model.is_known ? p->model.method : S("not known"));
    buf_addz(&p->b, p->method || !p->model.is_known ? "\n" : ", a method without a row here\n");
    for (size_t i = 0; i < p->model.evidence.n; i++) add_line(&p->b, "  ", p->model.evidence.v[i]);
    for (size_t i = 0; i < p->model.problems.n; i++)
        add_line(&p->b, "  not read: ", p->model.problems.v[i]);
    bool all_run = true;
    for (size_t i = 0; i < p->targets.n; i++) {
        struct quant_answer a = answer_of(p, p->targets.v[i]);
        bool runs = str_is(a.verdict, "yes");
        p->unsupported += str_is(a.verdict, "no");
        all_run = all_run && runs;
        if (!p->model.is_known) continue;
        buf_printf(&p->b, "%-10.*s %-8.*s %.*s\n", STR_ARG(a.target), STR_ARG(a.verdict),
                   STR_ARG(a.note));
        print_stacks(p, &a);
        if (a.instead.n && !runs)
            buf_printf(&p->b, "           instead: %.*s\n", STR_ARG(a.instead));
        if (a.source.n) buf_printf(&p->b, "           source: %.*s\n", STR_ARG(a.source));
    }
    if (p->method && p->method->alternative.n && !all_run)
        buf_printf(&p->b, "instead: %.*s\n", STR_ARG(p->method->alternative));
    if (p->method) buf_printf(&p->b, "source: %.*s\n", STR_ARG(p->method->source));
    stream_add(p->cli->out, buf_str(&p->b));
}

static void add_list(struct buf *b, const char *key, const struct quant_evidence *v, size_t n) {
    buf_printf(b, ", \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        buf_addz(b, i ? ", {" : "{");
        buf_add_member(b, "file", v[i].file);
        buf_add_member(b, "text", v[i].text);
        buf_addz(b, "}");
    }
    buf_addz(b, "]");
}

static void print_json(struct page *p) {
    struct buf *b = &p->b;
    buf_addz(b, "{\"version\": 1");
    buf_add_optional(b, "method", p->model.is_known ? p->model.method : S(""));
    buf_printf(b, ", \"tensors\": %zu", p->model.tensors);
    add_list(b, "evidence", p->model.evidence.v, p->model.evidence.n);
    add_list(b, "problems", p->model.problems.v, p->model.problems.n);
    buf_addz(b, ", \"targets\": {");
    for (size_t i = 0; i < p->targets.n; i++) {
        struct quant_answer a = answer_of(p, p->targets.v[i]);
        p->unsupported += str_is(a.verdict, "no");
        buf_addz(b, i ? ", " : "");
        buf_add_json(b, a.target);
        buf_addz(b, ": {");
        buf_add_member(b, "verdict", a.verdict);
        buf_add_member(b, "note", a.note);
        if (a.instead.n) buf_add_optional(b, "instead", a.instead);
        if (a.source.n) buf_add_optional(b, "source", a.source);
        buf_addz(b, ", \"stacks\": {");
        for (size_t k = 0; k < a.stacks.n; k++) {
            if (k) buf_addz(b, ", ");
            buf_add_json(b, a.stacks.v[k].name);
            buf_addz(b, ": {");
            buf_add_member(b, "verdict", a.stacks.v[k].verdict);
            buf_add_optional(b, "note", a.stacks.v[k].note);
            buf_add_optional(b, "source", a.stacks.v[k].source);
            buf_addz(b, "}");
        }
        buf_addz(b, "}");
        buf_addz(b, "}");
    }
    buf_addz(b, "}");
    buf_add_optional(b, "alternative", p->method ? p->method->alternative : S(""));
    buf_addz(b, "}\n");
    stream_add(p->cli->out, buf_str(b));
}

int command_quant(struct cli *cli) {
    struct page p = {.cli = cli};
    struct quant_methods methods;
    struct rules rules;
    struct str error;
    if (cli->operands.n != 1) return cli_error(cli, "quant takes one model directory");
    if (!quant_load(cli->a, &methods, &error)) return cli_error(cli, "%.*s", STR_ARG(error));
    if (read_rules(cli, NULL, 0, false, &rules) || !choose_targets(cli, &rules, &p.targets))
        return STATUS_FAILED;
    if (!quant_inspect(cli->a, arena_strdup(cli->a, cli->operands.v[0]), &p.model, &error))
        return cli_error(cli, "%.*s", STR_ARG(error));
    if (p.model.is_known) p.method = quant_find(&methods, p.model.method);
    buf_init(&p.b, cli->a);
    if (cli_choice(cli, OPT_FORMAT, 0) == 1)
        print_json(&p);
    else
        print_text(&p, cli->operands.v[0]);
    if (!p.model.is_known)
        return cli_error(cli, "nothing in this directory says how the model is quantised");
    return p.unsupported && cli_has(cli, OPT_TARGET) ? STATUS_FINDINGS : STATUS_DONE;
}
