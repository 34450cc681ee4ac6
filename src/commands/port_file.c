/* SPDX-License-Identifier: Apache-2.0 */
/* port_file.c - one source file of `port`, in a worker thread: read, run, write, and what to say
 * about it. */
#include "commands/port.h"
#include "commands/undo.h"
#include "cuda/cu.h"
#include "edit/diff.h"
#include "python/py.h"
#include "report/json.h"

#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>

struct port_worker {
    struct arena a; /* reset for every source */
    struct cm_workspace *workspace;
    struct port_item *items, **end; /* of the source at hand, a list */
};

struct port_item port_lost_item = {.failed = true};

bool port_open_workers(struct port *port) {
    port->workers = calloc(port->in.jobs, sizeof *port->workers);
    if (!port->workers) return false;
    for (size_t i = 0; i < port->in.jobs; i++) {
        port->workers[i].workspace = cm_workspace_new();
        if (!port->workers[i].workspace) return false;
    }
    return true;
}

void port_close_workers(struct port *port) {
    for (size_t i = 0; port->workers && i < port->in.jobs; i++) {
        if (port->workers[i].workspace) cm_workspace_free(port->workers[i].workspace);
        arena_free(&port->workers[i].a);
    }
    free(port->workers);
    port->workers = NULL;
}

/* ---- the item under construction ---- */

struct draft {
    struct port *port;
    struct port_target *target;
    struct arena *a;
    const struct source *source;
    struct port_item item; /* the numbers and flags */
#define PORT_TEXT(name) struct buf name;
    PORT_TEXTS(PORT_TEXT)
#undef PORT_TEXT
};

static void draft_error(struct draft *d, struct str sentence) {
    buf_addz(&d->errors, "cuda-morph: ");
    buf_add_visible(&d->errors, sentence);
    buf_addc(&d->errors, '\n');
    d->item.failed = true;
}

static struct port_item *finish(const struct draft *d) {
#define PORT_TEXT(name) &d->name,
    const struct buf *parts[] = {PORT_TEXTS(PORT_TEXT)};
#undef PORT_TEXT
    size_t size = sizeof(struct port_item);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) size += parts[i]->n;
    struct port_item *item = malloc(size);
    if (!item) return &port_lost_item;
    *item = d->item;
#define PORT_TEXT(name) &item->name,
    struct str *views[] = {PORT_TEXTS(PORT_TEXT)};
#undef PORT_TEXT
    char *to = (char *)(item + 1);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i]->n) memcpy(to, parts[i]->p, parts[i]->n);
        *views[i] = (struct str){to, parts[i]->n};
        to += parts[i]->n;
    }
    return item;
}

/* ---- saying ---- */

static void describe_notes(struct draft *d, const struct cm_result *r) {
    bool color = d->port->cli->err->color;
    for (size_t i = 0; i < r->n_notes; i++) {
        const struct cm_note *note = &r->notes[i];
        bool is_general = !note->fatal && !note->line;
        bool can_fold = is_general && d->port->in.sources.n > 1 && !d->port->verbose;
        if (can_fold) {
            buf_add(&d->remarks, note->message);
            buf_addc(&d->remarks, 0);
        } else {
            text_note(note->fatal ? &d->errors : &d->notes, str_of(d->source->path), note, color);
        }
        d->item.failed |= note->fatal;
    }
}

/* For --report: what --verify found in this file stands among its notes. */
static void add_verified(struct draft *d, struct cm_result *r) {
    const struct verify_results *found = &d->port->verified;
    VEC(struct cm_note) notes = {0};
    if (!found->n) return;
    const char *path = compile_real_path(d->a, d->source->path);
    for (size_t i = 0; i < r->n_notes; i++) vec_push(d->a, &notes, r->notes[i]);
    for (size_t i = 0; i < found->n; i++) {
        const struct verify_result *v = &found->v[i];
        struct cm_note note = {v->line, v->column, v->message, false};
        if (strcmp(v->path, path) == 0) vec_push(d->a, &notes, note);
    }
    r->notes = notes.v;
    r->n_notes = notes.n;
}

static void describe(struct draft *d, struct str input, const struct cm_result *r) {
    const struct port *port = d->port;
    struct str path = str_of(d->source->path);
    describe_notes(d, r);
    for (size_t i = 0; i < r->n_findings; i++) {
        enum cm_outcome outcome = r->findings[i].outcome;
        if (outcome != CM_MANUAL && outcome != CM_VERIFY) continue;
        text_finding(&d->manual, path, &r->findings[i], port->cli->err->color);
        buf_addc(&d->manual, 0);
    }
    struct cm_result whole = *r;
    if (port->report) add_verified(d, &whole);
    struct json_file f = {path, d->target->name, input, d->source->language, &whole};
    if (port->report) json_report_file(&d->report, &f);
    if (port->accounting) json_accounting_file(&d->accounting, &f);
    if (!port->verbose) return;
    buf_add_visible(&d->notes, path);
    buf_printf(&d->notes, ": %s\n",
               r->changed          ? "changed"
               : d->item.unwritten ? "not written"
               : d->item.failed    ? "not processed"
                                   : "unchanged");
}

/* ---- writing ---- */

static void replace(struct draft *d, const char *path, struct str input, struct str output,
                    const struct file_id *id) {
    struct str error;
    undo_record(d->port->undo, path, input, output);
    if (file_replace(d->a, path, output, id, &error))
        undo_replaced(d->port->undo);
    else
        draft_error(d, error);
}

/* Makes the copy of --backup. `undo` removes it again, unless it was there before: an older one is
 * kept. A link's copy stands beside the file that it leads to. */
static bool back_up(struct draft *d, struct str bytes, struct str *error) {
    char *real = realpath(d->source->path, NULL);
    struct str copy = real ? arena_printf(d->a, "%s%s", real, d->port->backup) : S("");
    free(real);
    bool is_new = copy.n && !file_exists(NULL, copy);
    if (!file_backup(d->a, d->source->path, d->port->backup, error)) return false;
    if (is_new) undo_record(d->port->undo, copy.p, S(""), bytes);
    return true;
}

static void write_in_place(struct draft *d, struct str input, struct str output,
                           const struct file_id *id) {
    struct str error;
    if (d->port->backup && !back_up(d, input, &error))
        draft_error(d, error);
    else
        replace(d, d->source->path, input, output, id);
}

static void write_below_root(struct draft *d, const struct cm_result *r, unsigned mode) {
    struct str error;
    const char *root = d->target->root;
    const char *relative = arena_strdup(d->a, port_relative(d->port, d->a, d->target, d->source));
    struct str text = port_rename_names(d->port, d->a, d->target, d->source, r->output);
    bool as_it_is = !r->changed && !d->source->is_stdin && str_eq(text, r->output);
    bool ok = as_it_is ? file_copy_in(d->a, root, relative, d->source->path, &error)
                       : file_create_in(d->a, root, relative, text, mode, &error);
    if (!ok) draft_error(d, error);
}

static void deliver(struct draft *d, struct str input, const struct file_id *id,
                    const struct cm_result *r) {
    struct str path = str_of(d->source->path);
    switch (d->port->mode) {
    case PORT_STDOUT:
        buf_add(&d->out, r->output);
        break;
    case PORT_DIRECTORY:
        write_below_root(d, r, d->source->is_stdin ? 0666 : id->mode);
        break;
    case PORT_IN_PLACE:
        if (r->changed) write_in_place(d, input, r->output, id);
        break;
    case PORT_DIFF:
        if (r->changed) diff_unified(&d->out, path, input, r->output, d->port->cli->out->color);
        break;
    case PORT_CHECK:
        if (!r->changed || d->port->quiet) break;
        buf_add_visible(&d->out, path);
        buf_printf(&d->out, ": would change for %.*s\n", STR_ARG(d->target->name));
        break;
    case PORT_SUMMARY:
    case PORT_DUMP:
        break;
    }
}

/* The folder whose module the result imports is one around the source: what is below it stays. */
static void add_helper(struct draft *d, struct str folder) {
    struct str path = str_of(d->source->path);
    struct str name = cm_target_fact(d->target->target, "prelude_module");
    if (!folder.n) return;
    struct str relative = port_relative(d->port, d->a, d->target, d->source);
    size_t below = path.n - folder.n - 1;
    relative.n = relative.n > below ? relative.n - below : 0;
    buf_printf(&d->helper, "%.*s/%.*s.py", STR_ARG(folder), STR_ARG(name));
    buf_addc(&d->helper, 0);
    buf_printf(&d->helper, "%.*s%.*s.py", STR_ARG(relative), STR_ARG(name));
    buf_addc(&d->helper, 0);
}

static void add_dump(struct draft *d, struct str dumped) {
    if (d->port->in.sources.n > 1 && d->port->dump < CM_DUMP_KERNELS) {
        buf_addz(&d->out, "== ");
        buf_add_visible(&d->out, str_of(d->source->path));
        buf_addz(&d->out, " ==\n");
    }
    buf_add(&d->out, dumped);
}

/* ---- the whole of it ---- */

static void say(struct draft *d, struct str problem) {
    struct cm_note note = {.message = problem};
    text_note(&d->errors, str_of(d->source->path), &note, d->port->cli->err->color);
}

static void copy_other(struct draft *d) {
    struct str error;
    d->item.copied = true;
    const char *relative = arena_strdup(d->a, d->source->relative);
    if (!file_copy_in(d->a, d->target->root, relative, d->source->path, &error))
        draft_error(d, error);
}

/* For kernels that call what a header defines. One that is there and fails is said: less is known
 * without it. `context` is the draft. */
static bool read_header(void *context, struct arena *a, struct str path, struct str *text) {
    enum { MAX_HEADER = 1 << 20 };
    struct str error;
    struct stat st;
    const char *name = arena_strdup(a, path);
    if (stat(name, &st) != 0) return false; /* nearly always, of what stands beside a file */
    if (file_read(a, name, MAX_HEADER, text, NULL, &error)) return true;
    if (S_ISREG(st.st_mode) && st.st_size <= MAX_HEADER) say(context, error);
    return false;
}

/* A source as it was read, for all targets. */
struct reading {
    struct str bytes;
    struct file_id id;
    const struct semantic_facts *semantic; /* or NULL */
    struct str error, problem;             /* why it, or that, could not be had; or empty */
};

static void read_source(struct reading *read, const struct port *port, struct arena *a,
                        const struct source *source) {
    if (!source_read(&port->in, a, source, &read->bytes, &read->id, &read->error)) return;
    read->semantic = compile_facts(&port->compile, a, source->path, source->language, read->bytes,
                                   &read->problem);
}

static void process(struct draft *d, struct cm_workspace *workspace, const struct reading *read) {
    struct port *port = d->port;
    struct str dumped = {NULL, 0};
    if (read->error.n) {
        draft_error(d, read->error);
        return;
    }
    struct cm_input in = {.name = str_of(d->source->path),
                          .bytes = read->bytes,
                          .language = d->source->language,
                          .target = d->target->target,
                          .facts = port->in.facts,
                          .semantic = read->semantic,
                          .again = port->n_now > 1,
                          .dump = port->dump,
                          .dumped = &dumped};
    const struct cu_reader headers = {read_header, d};
    static const struct py_disk disk = {file_exists, NULL};
    if (!d->source->is_stdin) in.headers = &headers;
    in.disk = &disk;
    if (read->problem.n) say(d, read->problem); /* libclang cannot help: all else can be done */
    d->item.unasked |= read->problem.n > 0;
    struct cm_result r = {0};
    cm_run_buffer(port->in.session, workspace, &in, &r);
    if (port->mode == PORT_DUMP) add_dump(d, dumped);
    memcpy(d->item.counts, r.counts, sizeof r.counts);
    d->item.words = r.n_words;
    d->item.changed = r.changed;
    if (d->source->language == CM_PYTHON || d->source->language == CM_NOTEBOOK)
        runtime_add_parts(&d->parts, r.output);
    else if (d->source->language == CM_CUDA || d->source->language == CM_CPP)
        runtime_add_headers(&d->headers, r.output);
    if (r.changed) add_helper(d, r.helper);
    bool failed = d->item.failed;
    deliver(d, read->bytes, &read->id, &r);
    d->item.unwritten = !failed && d->item.failed;
    if (d->item.unwritten) r.changed = d->item.changed = false; /* the tree is as it was */
    describe(d, read->bytes, &r);
}

static struct port_item *port_for(struct port *port, struct port_worker *w,
                                  struct port_target *target, const struct source *source,
                                  const struct reading *read) {
    struct draft *d = NEW(&w->a, struct draft);
    *d = (struct draft){.port = port, .target = target, .a = &w->a, .source = source};
#define PORT_TEXT(name) &d->name,
    struct buf *parts[] = {PORT_TEXTS(PORT_TEXT)};
#undef PORT_TEXT
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) buf_init(parts[i], &w->a);
    if (source->language == CM_NONE)
        copy_other(d);
    else if (!atomic_load(&port->stop))
        process(d, w->workspace, read);
    return finish(d);
}

static struct port_item *lose_items(struct port_worker *w) {
    for (struct port_item *item = w->items, *next; item; item = next) {
        next = item->next;
        free(item);
    }
    arena_free(&w->a);
    return &port_lost_item;
}

/* Not inlined: its variables would live in the frame that setjmp was called in. */
__attribute__((noinline)) static void port_for_all(struct port *port, struct port_worker *w,
                                                   const struct source *source) {
    struct reading *read = NEW(&w->a, struct reading);
    if (source->language != CM_NONE && !atomic_load(&port->stop))
        read_source(read, port, &w->a, source);
    for (size_t i = 0; i < port->n_now; i++) {
        *w->end = port_for(port, w, port->first + i, source, read);
        if (*w->end == &port_lost_item) {
            *w->end = NULL;
            longjmp(*w->a.escape, 1);
        }
        w->end = &(*w->end)->next;
    }
}

struct port_item *port_source(struct port *port, size_t worker, size_t index) {
    struct port_worker *w = &port->workers[worker];
    jmp_buf escape;
    w->items = NULL;
    w->end = &w->items;
    if (setjmp(escape)) return lose_items(w);
    arena_reset(&w->a);
    w->a.escape = &escape;
    cli_current_file = port->in.sources.v[index].path;
    port_for_all(port, w, &port->in.sources.v[index]);
    cli_current_file = NULL;
    return w->items;
}
