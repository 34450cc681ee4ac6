/* SPDX-License-Identifier: Apache-2.0 */
/* port_print.c - what `port` says and reports, in the order of the paths. */
#include "commands/port.h"
#include "report/json.h"

#include <stdlib.h>

enum { VERIFIED_SHOWN = 50 };

/* ---- reports ---- */

static struct str *target_names(struct port *port) {
    struct str *names = arena_alloc(port->cli->a, port->n_targets * sizeof *names);
    for (size_t i = 0; i < port->n_targets; i++) names[i] = port->targets[i].name;
    return names;
}

void port_start_reports(struct port *port) {
    struct buf b;
    buf_init(&b, port->cli->a);
    json_start(&b, target_names(port), port->n_targets);
    if (port->report) growing_add(&port->report_text, buf_str(&b));
    if (port->accounting) growing_add(&port->accounting_text, buf_str(&b));
}

static void add_report_file(struct growing *g, struct str json) {
    if (json.n == 0) return;
    bool is_first = g->p && g->n >= 2 && g->p[g->n - 2] == '[';
    if (!is_first) growing_add(g, S(",\n"));
    growing_add(g, json);
}

static void write_report(struct port *port, struct growing *g, const char *path, struct str end) {
    struct str error;
    if (!path) return;
    growing_add(g, end);
    bool ok = !g->failed;
    if (!ok)
        cli_error(port->cli, "%s: out of memory for this report", path);
    else if (strcmp(path, "-") == 0)
        stream_add(port->cli->out, (struct str){g->p, g->n});
    else if (!(ok = file_create(port->cli->a, path, (struct str){g->p, g->n}, 0666, &error)))
        cli_error(port->cli, "%.*s", STR_ARG(error));
    port->in.failed |= !ok;
    free(g->p);
}

void port_write_reports(struct port *port) {
    struct arena *a = port->cli->a;
    struct totals *totals = arena_alloc(a, port->n_targets * sizeof *totals);
    for (size_t i = 0; i < port->n_targets; i++) totals[i] = port->targets[i].totals;
    struct buf b;
    buf_init(&b, a);
    json_end(&b, target_names(port), totals, port->n_targets);
    write_report(port, &port->report_text, port->report, buf_str(&b));
    write_report(port, &port->accounting_text, port->accounting, buf_str(&b));
}

/* Whether the places that are for a human are listed. */
static bool lists_places(const struct port *port) {
    return port->n_targets <= FEW_TARGETS || port->verbose;
}

/* ---- items ---- */

/* The entry of a NUL-separated list that starts at *at; false after the last one. */
static bool next_entry(struct str list, size_t *at, struct str *entry) {
    if (*at >= list.n) return false;
    const char *end = memchr(list.p + *at, 0, list.n - *at);
    size_t to = end ? (size_t)(end - list.p) : list.n;
    *entry = str_sub(list, *at, to);
    *at = to + 1;
    return true;
}

static void add_to_totals(struct totals *t, const struct port_item *item) {
    if (item->copied)
        t->copied++;
    else
        t->files++;
    t->changed += item->changed;
    t->failed += item->failed && !item->unwritten;
    t->unwritten += item->unwritten;
    for (size_t i = 0; i < CM_OUTCOMES; i++) t->counts[i] += item->counts[i];
    t->words += item->words;
}

bool port_count_item(struct port *port, struct port_target *target, struct port_item *item) {
#define PORT_TEXT(name) &item->name,
    const struct str *texts[] = {PORT_TEXTS(PORT_TEXT)};
#undef PORT_TEXT
    bool speaks = item == &port_lost_item;
    add_to_totals(&target->totals, item);
    port->in.failed |= item->failed || item->unasked;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) speaks |= texts[i]->n > 0;
    if (!speaks) free(item);
    return speaks;
}

void port_print_item(struct port *port, size_t index, struct port_item *item) {
    struct cli *cli = port->cli;
    if (item == &port_lost_item) {
        cli_error(cli, "%s: out of memory", port->in.sources.v[index].path);
        return;
    }
    stream_add(cli->out, item->out);
    stream_add(cli->err, item->errors);
    if (cli->out->error) atomic_store(&port->stop, true);
    struct str part;
    struct port_helper helper;
    size_t from = 0;
    if (next_entry(item->helper, &from, &helper.path) &&
        next_entry(item->helper, &from, &helper.relative))
        port_need_helper(port, helper);
    for (size_t at = 0; next_entry(item->parts, &at, &part);) port_need_part(port, part);
    for (size_t at = 0; next_entry(item->headers, &at, &part);) port_need_header(port, part);
    add_report_file(&port->report_text, item->report);
    add_report_file(&port->accounting_text, item->accounting);
    if (!port->quiet) {
        stream_add(cli->err, item->notes);
        struct str entry;
        for (size_t at = 0; next_entry(item->remarks, &at, &entry);)
            remarks_add(&port->remarks, cli->a, entry, port->in.sources.v[index].path);
        for (size_t at = 0; lists_places(port) && next_entry(item->manual, &at, &entry);)
            port_add_manual(port, entry);
    }
    free(item);
}

/* ---- what --verify found ---- */

/* A file as the user named it, or from where we are. */
static const char *shown_path(struct port *port, const char *real) {
    for (size_t i = 0; i < port->in.sources.n; i++) {
        const char *path = port->in.sources.v[i].path;
        if (strcmp(compile_real_path(port->cli->a, path), real) == 0) return path;
    }
    struct str here = str_of(compile_real_path(port->cli->a, "."));
    bool is_below = str_starts(str_of(real), here) && real[here.n] == '/';
    return is_below ? real + here.n + 1 : real;
}

static void print_verified(struct port *port) {
    struct verify_results *found = &port->verified;
    struct buf b;
    buf_init(&b, port->cli->a);
    verify_count(found); /* sorted by place */
    const char *last = "", *path = "";
    for (size_t i = 0; i < found->n && i < VERIFIED_SHOWN; i++) {
        const struct verify_result *r = &found->v[i];
        if (strcmp(last, r->path) != 0) path = shown_path(port, r->path);
        last = r->path;
        bool is_error = r->kind != VERIFY_NOTE;
        struct cm_note note = {r->line, r->column, r->message, is_error};
        if (is_error || !port->quiet) text_note(&b, str_of(path), &note, port->cli->err->color);
    }
    if (found->n > VERIFIED_SHOWN)
        buf_printf(&b, "... and %zu more from --verify\n", found->n - VERIFIED_SHOWN);
    stream_add(port->cli->err, buf_str(&b));
    port->current->would_not_compile = found->would_not_compile;
    port->in.failed |= found->not_verified;
}

/* What the sum of a port cannot say: whether the result compiles. */
static void add_verified(struct port *port, struct buf *b) {
    struct verify_counts n = verify_count(&port->verified);
    if (!port->verify || !n.files) return;
    buf_printf(b, "%.*s: of %zu file%s, %zu verified, %zu failing, %zu not verified\n",
               STR_ARG(port->current->name), n.files, n.files == 1 ? "" : "s", n.verified,
               n.failing, n.not_verified);
}

/* ---- the end ---- */

static void add_what_next(struct port *port, struct buf *b) {
    if (port->mode == PORT_DIRECTORY) {
        buf_printf(b, "%.*s: written to ", STR_ARG(port->current->name));
        buf_add_visible(b, str_of(port->current->root));
        buf_addc(b, '\n');
    }
    bool is_last = port->current == &port->targets[port->n_targets - 1];
    if (!lists_places(port) && is_last)
        buf_addz(b, "Manual places are listed of up to three targets, or with -v; "
                    "--report FILE.json has them all.\n");
    if (port->mode == PORT_SUMMARY && is_last)
        buf_addz(b, "Nothing was written: add -o DIR, --in-place or --diff.\n");
}

/* The targets of a family follow each other where all are asked for. */
static void add_family(struct port *port, struct buf *b) {
    struct str family = cm_target_family(port->current->target);
    bool first = port->current == port->targets;
    if (port->n_targets <= FEW_TARGETS || !family.n) return;
    if (!first && str_eq(family, cm_target_family(port->current[-1].target))) return;
    text_paint(b, PAINT_BOLD, family, port->cli->err->color);
    buf_addc(b, '\n');
}

void port_print_summary(struct port *port) {
    print_verified(port);
    if (!port->quiet) {
        struct buf b;
        buf_init(&b, port->cli->a);
        if (!lists_places(port)) add_family(port, &b);
        port_list_manual(port, &b);
        remarks_print(&port->remarks, &b, port->cli->err->color);
        if (port->mode == PORT_DIRECTORY) port->current->totals.ignored = port->in.n_ignored;
        text_summary(&b, port->current->name, &port->current->totals, port->cli->err->color);
        add_verified(port, &b);
        port_add_needs(port, &b);
        add_what_next(port, &b);
        stream_add(port->cli->err, buf_str(&b));
    }
    port->remarks.list.n = 0;
}
