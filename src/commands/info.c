/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - `cuda-morph info`: which accelerators, drivers, toolkits and adapters are here. */
#include "commands/commands.h"
#include "commands/machine_report.h"

static const char *const kind_names[] = {"file", "node", "library", "tool", "python", "variable"};

static bool is_chosen(const struct machine_report *r, const struct found_target *t) {
    return r->forced.n ? str_eq(r->forced, t->target->name) : t->detected;
}

/* ---- for others ---- */

/* Folders tell who somebody is and where: --share keeps what a path ends in. */
static struct str shown_path(struct cli *cli, struct str path) {
    size_t at = path.n;
    if (!cli_has(cli, OPT_INFO_SHARE)) return path;
    while (at > 0 && path.p[at - 1] != '/') at--;
    return str_sub(path, at, path.n);
}

/* The same of the paths in a sentence. */
static struct str shown_sentence(struct cli *cli, struct str text) {
    struct buf b;
    buf_init(&b, cli->a);
    for (size_t i = 0, end; i < text.n; i = end) {
        bool is_path = text.p[i] == '/' && (i == 0 || strchr(" '\"`(=:,", text.p[i - 1]));
        end = i + 1;
        while (is_path && end < text.n && !strchr(" '\"`)=:,", text.p[end])) end++;
        struct str part = str_sub(text, i, end);
        buf_add(&b, is_path ? shown_path(cli, part) : part);
    }
    return buf_str(&b);
}

/* ---- JSON ---- */

static void add_device(struct buf *b, const struct found_device *d) {
    buf_addc(b, '{');
    buf_add_member(b, "bus", d->bus);
    buf_add_optional(b, "vendor", d->vendor);
    buf_add_optional(b, "device", d->id);
    buf_add_optional(b, "name", d->name);
    buf_addz(b, "}");
}

/* What is wrong with what is there; empty: nothing. */
static struct str problem_of(struct cli *cli, const struct found_item *f) {
    return shown_sentence(cli, f->problem.n || f->version.n ? f->problem : f->unread);
}

static void add_item(struct cli *cli, struct buf *b, const struct found_item *f) {
    buf_addc(b, '{');
    buf_add_member(b, "id", f->item->id);
    buf_printf(b, ", \"kind\": \"%s\", \"found\": %s", kind_names[f->item->kind],
               f->found ? "true" : "false");
    buf_add_optional(b, "path", shown_path(cli, f->path));
    buf_add_optional(b, "version", f->version);
    struct str problem = problem_of(cli, f);
    if (problem.n) buf_add_member(b, "problem", problem);
    buf_addz(b, "}");
}

static void add_target(struct cli *cli, struct buf *b, const struct found_target *t) {
    buf_addc(b, '{');
    buf_add_member(b, "target", t->target->name);
    buf_add_optional(b, "title", t->target->title);
    buf_printf(b, ", \"detected\": %s, \"installed\": %s, \"counted\": ",
               t->detected ? "true" : "false", t->installed ? "true" : "false");
    buf_printf(b, t->counted < 0 ? "null" : "%d", t->counted);
    buf_addz(b, ",\n   \"devices\": [");
    for (size_t i = 0; i < t->devices.n; i++) {
        if (i) buf_addz(b, ", ");
        add_device(b, &t->devices.v[i]);
    }
    buf_addz(b, "],\n   \"items\": [");
    for (size_t i = 0; i < t->items.n; i++) {
        buf_addz(b, i ? ",\n    " : "\n    ");
        add_item(cli, b, &t->items.v[i]);
    }
    buf_addz(b, "]}");
}

static void print_json(struct cli *cli, const struct machine_report *r,
                       const struct fingerprint *f) {
    struct buf b;
    buf_init(&b, cli->a);
    buf_addz(&b, "{\"version\": 1, \"tool\": {\"name\": \"cuda-morph\", \"version\": \"" CM_VERSION
                 "\"},\n \"fingerprint\": {");
    fingerprint_json(&b, f);
    buf_addz(&b, "},\n \"forced\": ");
    if (r->forced.n)
        buf_add_json(&b, r->forced);
    else
        buf_addz(&b, "null");
    buf_addz(&b, ",\n \"detected\": [");
    size_t n = 0;
    for (size_t i = 0; i < r->chosen.n; i++) {
        if (!is_chosen(r, &r->chosen.v[i])) continue;
        if (n++) buf_addz(&b, ", ");
        buf_add_json(&b, r->chosen.v[i].target->name);
    }
    buf_addz(&b, "],\n \"targets\": [");
    for (size_t i = 0; i < r->chosen.n; i++) {
        buf_addz(&b, i ? ",\n  " : "\n  ");
        add_target(cli, &b, &r->chosen.v[i]);
    }
    buf_addz(&b, "],\n \"host\": [");
    for (size_t i = 0; i < r->host.items.n; i++) {
        buf_addz(&b, i ? ",\n  " : "\n  ");
        add_item(cli, &b, &r->host.items.v[i]);
    }
    buf_addz(&b, "]}\n");
    stream_add(cli->out, buf_str(&b));
}

/* ---- text ---- */

static void print_fingerprint(struct cli *cli, const struct fingerprint *f) {
    struct buf b;
    buf_init(&b, cli->a);
    struct str unknown = S("unknown");
    struct str os = f->os.n ? f->os : unknown, kernel = f->kernel.n ? f->kernel : unknown;
    struct str cpu = f->cpu.n ? f->cpu : unknown, python = f->python.n ? f->python : S("none");
    buf_printf(&b, "cuda-morph %s\nsystem   ", CM_VERSION);
    buf_add_visible(&b, os);
    buf_printf(&b, ", kernel %.*s %.*s\ncpu      ", STR_ARG(kernel), STR_ARG(f->arch));
    buf_add_visible(&b, cpu);
    buf_printf(&b, ", %ld CPU%s", f->cpus, f->cpus == 1 ? "" : "s");
    if (f->memory) buf_printf(&b, ", %.1f GiB", (double)f->memory / (1024.0 * 1024 * 1024));
    buf_printf(&b, "\npython   %.*s\n", STR_ARG(python));
    stream_add(cli->out, buf_str(&b));
}

static void print_item(struct cli *cli, const struct found_item *f) {
    struct buf b;
    buf_init(&b, cli->a);
    buf_printf(&b, "  %-26.*s ", STR_ARG(f->item->title));
    if (f->version.n) buf_printf(&b, "%.*s  ", STR_ARG(f->version));
    if (f->found)
        buf_add_visible(&b, shown_path(cli, f->path));
    else
        buf_addz(&b, "not found");
    struct str problem = problem_of(cli, f);
    if (problem.n) buf_addz(&b, ": ");
    buf_add_visible(&b, problem);
    buf_addc(&b, '\n');
    stream_add(cli->out, buf_str(&b));
}

static void print_target(struct cli *cli, const struct found_target *t) {
    stream_printf(cli->out, "\n%.*s (%.*s)%s", STR_ARG(t->target->name), STR_ARG(t->target->title),
                  t->installed && !t->detected ? ": installed, no device" : "");
    if (t->counted >= 0)
        stream_printf(cli->out, ": %d device%s", t->counted,
                      t->counted == 1 ? " answers" : "s answer");
    stream_addz(cli->out, "\n");
    for (size_t i = 0; i < t->devices.n; i++) {
        const struct found_device *d = &t->devices.v[i];
        stream_printf(cli->out, "  device %.*s             %.*s [%.*s:%.*s]\n", STR_ARG(d->bus),
                      STR_ARG(d->name), STR_ARG(d->vendor), STR_ARG(d->id));
    }
    for (size_t i = 0; i < t->items.n; i++)
        if (t->items.v[i].found || t->detected || cli_has(cli, OPT_VERBOSE))
            print_item(cli, &t->items.v[i]);
}

/* What a report of a bug needs beside the accelerator. */
static void print_host(struct cli *cli, const struct found_target *host) {
    stream_addz(cli->out, "\nfor CUDA and builds\n");
    for (size_t i = 0; i < host->items.n; i++)
        if (host->items.v[i].found || cli_has(cli, OPT_VERBOSE))
            print_item(cli, &host->items.v[i]);
}

int command_info(struct cli *cli) {
    struct machine_report r;
    struct fingerprint f;
    if (cli->operands.n) return cli_error(cli, "info takes no operand");
    if (machine_report_read(cli, S(""), !cli_has(cli, OPT_FINGERPRINT), &r) ||
        machine_report_host(cli, &r))
        return STATUS_FAILED;
    machine_fingerprint(&r.machine, &f);
    if (cli_choice(cli, OPT_FORMAT, 0) == 1) {
        print_json(cli, &r, &f);
        return STATUS_DONE;
    }
    print_fingerprint(cli, &f);
    if (cli_has(cli, OPT_FINGERPRINT)) return STATUS_DONE;
    size_t n = 0;
    for (size_t i = 0; i < r.chosen.n; i++) {
        bool shown = is_chosen(&r, &r.chosen.v[i]);
        n += shown;
        if (shown || r.chosen.v[i].installed || cli_has(cli, OPT_TARGET) ||
            cli_has(cli, OPT_VERBOSE))
            print_target(cli, &r.chosen.v[i]);
    }
    print_host(cli, &r.host);
    if (r.forced.n) stream_printf(cli->out, "\nCUDA_MORPH_TARGET says %.*s\n", STR_ARG(r.forced));
    if (n == 0)
        stream_addz(cli->out, "\nno accelerator found; -v shows where it was looked for\n");
    return STATUS_DONE;
}
