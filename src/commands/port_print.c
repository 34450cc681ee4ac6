/* port_print.c - what `port` says and reports, in the order of the paths. */
#include "commands/port.h"
#include "report/json.h"

#include <stdlib.h>

enum { MANUAL_SHOWN = 50 };

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
    t->failed += item->failed;
    for (size_t i = 0; i < CM_OUTCOMES; i++) t->counts[i] += item->counts[i];
}

void port_print_item(struct port *port, size_t index, struct port_item *item) {
    struct cli *cli = port->cli;
    add_to_totals(&port->current->totals, item);
    if (item == &port_lost_item) {
        cli_error(cli, "%s: out of memory", port->in.sources.v[index].path);
        port->in.failed = true;
        return;
    }
    port->in.failed |= item->failed;
    stream_add(cli->out, item->out);
    stream_add(cli->err, item->errors);
    if (cli->out->error) atomic_store(&port->stop, true);
    add_report_file(&port->report_text, item->report);
    add_report_file(&port->accounting_text, item->accounting);
    if (!port->quiet) {
        stream_add(cli->err, item->notes);
        struct str entry;
        for (size_t at = 0; next_entry(item->remarks, &at, &entry);)
            remarks_add(&port->remarks, cli->a, entry, port->in.sources.v[index].path);
        for (size_t at = 0; next_entry(item->manual, &at, &entry);)
            if (port->manual_shown++ < MANUAL_SHOWN) stream_add(cli->err, entry);
    }
    free(item);
}

/* ---- the end ---- */

static void add_what_next(struct port *port, struct buf *b) {
    if (port->mode == PORT_DIRECTORY) {
        buf_printf(b, "%.*s: written to ", STR_ARG(port->current->name));
        buf_add_visible(b, str_of(port->current->root));
        buf_addc(b, '\n');
    }
    bool is_last = port->current == &port->targets[port->n_targets - 1];
    if (port->mode == PORT_SUMMARY && is_last)
        buf_addz(b, "Nothing was written: add -o DIR, --in-place or --diff.\n");
}

void port_print_summary(struct port *port) {
    if (!port->quiet) {
        struct buf b;
        buf_init(&b, port->cli->a);
        if (port->manual_shown > MANUAL_SHOWN)
            buf_printf(&b, "... and %zu more to do by hand; --report FILE.json lists them all\n",
                       port->manual_shown - MANUAL_SHOWN);
        remarks_print(&port->remarks, &b, port->cli->err->color);
        text_summary(&b, port->current->name, &port->current->totals, port->cli->err->color);
        add_what_next(port, &b);
        stream_add(port->cli->err, buf_str(&b));
    }
    port->manual_shown = 0;
    port->remarks.list.n = 0;
}
