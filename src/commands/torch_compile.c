/* SPDX-License-Identifier: Apache-2.0 */
/* torch_compile.c - `cuda-morph compile`: how torch.compile is called on a target, and what it
 * needs. */
#include "commands/commands.h"
#include "commands/machine_report.h"

static bool is_need(const struct found_item *f) { return str_is(f->item->purpose, "compile"); }

static void print_text(struct cli *cli, const struct found_target *t) {
    struct buf b;
    const struct probe_compile *c = &t->target->compile;
    buf_init(&b, cli->a);
    buf_printf(&b, "%.*s: %.*s\n", STR_ARG(t->target->name), STR_ARG(c->backend));
    for (size_t at = 0; at < c->code.n;) {
        size_t end = str_find(c->code, S("\n"), at);
        buf_printf(&b, "    %.*s\n", STR_ARG(str_sub(c->code, at, end)));
        at = end + 1;
    }
    if (c->note.n) buf_printf(&b, "  note: %.*s\n", STR_ARG(c->note));
    for (size_t i = 0; i < c->modes.n; i++)
        buf_printf(&b, "  %-16.*s %.*s\n", STR_ARG(c->modes.v[i].name),
                   STR_ARG(c->modes.v[i].note));
    for (size_t i = 0; i < t->items.n; i++) {
        const struct found_item *f = &t->items.v[i];
        if (!is_need(f)) continue;
        buf_printf(&b, "  needs %.*s: ", STR_ARG(f->item->title));
        buf_add_visible(&b, f->found ? f->path : S("not found here; "));
        buf_add_visible(&b, f->found ? S("") : f->item->fix);
        buf_addc(&b, '\n');
    }
    buf_printf(&b, "  source: %.*s\n", STR_ARG(c->source));
    stream_add(cli->out, buf_str(&b));
}

static void add_json(struct buf *b, const struct found_target *t) {
    const struct probe_compile *c = &t->target->compile;
    buf_add_optional(b, "target", t->target->name);
    buf_add_optional(b, "backend", c->backend);
    buf_add_optional(b, "code", c->code);
    buf_add_optional(b, "note", c->note);
    buf_addz(b, ", \"modes\": {");
    for (size_t i = 0; i < c->modes.n; i++) {
        if (i) buf_addz(b, ", ");
        buf_add_json(b, c->modes.v[i].name);
        buf_addz(b, ": ");
        buf_add_json(b, c->modes.v[i].note);
    }
    buf_addz(b, "}, \"needs\": [");
    size_t n = 0;
    for (size_t i = 0; i < t->items.n; i++) {
        if (!is_need(&t->items.v[i])) continue;
        buf_addz(b, n++ ? ", {" : "{");
        buf_add_optional(b, "id", t->items.v[i].item->id);
        buf_printf(b, ", \"found\": %s}", t->items.v[i].found ? "true" : "false");
    }
    buf_addz(b, "]");
    buf_add_optional(b, "source", c->source);
}

int command_compile(struct cli *cli) {
    struct machine_report r;
    struct buf b;
    if (cli->operands.n) return cli_error(cli, "compile takes no operand; try --target");
    if (machine_report_read(cli, S("compile"), false, &r)) return STATUS_FAILED;
    bool json = cli_choice(cli, OPT_FORMAT, 0) == 1;
    size_t n = 0;
    buf_init(&b, cli->a);
    buf_addz(&b, "{\"version\": 1, \"targets\": [");
    for (size_t i = 0; i < r.chosen.n; i++) {
        const struct found_target *t = &r.chosen.v[i];
        if (t->target->compile.backend.n == 0) {
            cli_error(cli, "nothing is known of torch.compile on %.*s", STR_ARG(t->target->name));
            continue;
        }
        buf_addz(&b, n++ ? ",\n  {" : "\n  {");
        add_json(&b, t);
        buf_addz(&b, "}");
        if (!json) print_text(cli, t);
    }
    buf_addz(&b, "]}\n");
    if (json) stream_add(cli->out, buf_str(&b));
    return n == r.chosen.n ? STATUS_DONE : STATUS_FAILED;
}
