/* SPDX-License-Identifier: Apache-2.0 */
/* cc_text.c - the texts that cc gives to the host's compiler in place of the user's.
 *
 * A source and all that it includes are ported as one project. What changes, and what includes
 * that, lies in a folder of the cache, the overlay; its name is the hash of all texts and of what
 * else the answer depends on, so that it is found again and never stale. Everything else is read
 * from where it is. */
#include "base/file.h"
#include "commands/cc.h"
#include "cuda/cu.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_MESSAGES = 1 << 20 };

struct porting {
    struct cc *cc;
    struct arena *a;
    const struct nv_source *source;
    struct cc_text *text;
    struct cm_project_facts *facts;
    struct cm_result *results; /* [file], their texts in the arena */
    struct buf messages;
};

/* ---- languages ---- */

static enum cm_language language_of(const struct porting *p, size_t i) {
    struct str path = p->text->closure.files.v[i].path;
    if (i == 0) return p->source->language == NV_CU ? CM_CUDA : CM_CPP;
    return str_ends(path, S(".cu")) || str_ends(path, S(".cuh")) ? CM_CUDA : CM_CPP;
}

/* ---- messages ---- */

/* A macro that cc defines as nvcc does is what it was. */
static bool is_defined_here(const struct porting *p, struct str token) {
    const struct nv_target *t = &p->cc->table.target;
    const nv_words *lists[] = {&t->defines, &t->cu_defines};
    for (size_t k = 0; k < ARRAY_LEN(lists); k++)
        for (size_t i = 0; i < lists[k]->n; i++) {
            struct str d = lists[k]->v[i];
            if (str_eq(str_sub(d, 0, str_find(d, S("="), 0)), token)) return true;
        }
    return false;
}

static void add_message(struct porting *p, struct str path, uint32_t line, uint32_t column,
                        const char *kind, struct str text, struct str rule) {
    buf_printf(&p->messages, "%.*s:%u:%u: %s: %.*s", STR_ARG(path), (unsigned)line,
               (unsigned)(column ? column : 1), kind, STR_ARG(text));
    if (rule.n) buf_printf(&p->messages, " [%.*s]", STR_ARG(rule));
    buf_addc(&p->messages, '\n');
}

static void add_messages(struct porting *p, size_t i, const struct cm_result *r) {
    struct str path = p->text->closure.files.v[i].path;
    const char *kind = p->cc->line.fatal_warnings ? "error" : "warning";
    for (size_t k = 0; k < r->n_notes; k++)
        if (r->notes[k].fatal || r->notes[k].line)
            add_message(p, path, r->notes[k].line ? r->notes[k].line : 1, r->notes[k].column,
                        "warning", r->notes[k].message, S(""));
    for (size_t k = 0; k < r->n_findings; k++) {
        const struct cm_finding *f = &r->findings[k];
        if (f->outcome != CM_MANUAL || is_defined_here(p, f->token)) continue;
        add_message(p, path, f->line, f->column, kind, f->message, f->rule);
        if (f->advice.n) add_message(p, path, f->line, f->column, "note", f->advice, S(""));
        p->text->n_messages++;
    }
}

/* ---- porting ---- */

static bool read_header(void *context, struct arena *a, struct str path, struct str *text) {
    const struct nv_closure *c = context;
    for (size_t i = 0; i < c->files.n; i++)
        if (str_eq(c->files.v[i].path, path)) {
            struct str kept = c->files.v[i].text;
            char *padded = arena_zalloc(a, kept.n + FILE_PADDING);
            if (kept.n) memcpy(padded, kept.p, kept.n);
            *text = (struct str){padded, kept.n};
            return true;
        }
    return false;
}

/* What outlives the workspace's next file. */
static struct cm_result keep(struct arena *a, const struct cm_result *r) {
    struct cm_result kept = {.output = arena_str(a, r->output), .n_edits = r->n_edits};
    struct cm_edit *edits = arena_alloc(a, (r->n_edits + 1) * sizeof *edits);
    for (size_t i = 0; i < r->n_edits; i++) {
        edits[i] = r->edits[i];
        edits[i].text = arena_str(a, r->edits[i].text);
    }
    kept.edits = edits;
    return kept;
}

static void port_file(struct porting *p, size_t i) {
    struct nv_file *f = &p->text->closure.files.v[i];
    struct cu_reader reader = {read_header, &p->text->closure};
    struct cm_input in = {.name = f->path,
                          .bytes = f->text,
                          .language = language_of(p, i),
                          .target = p->cc->target,
                          .facts = p->facts,
                          .headers = &reader};
    struct cm_result r = {.output = f->text};
    cli_current_file = f->path.p;
    if (cm_may_matter(in.target, in.language, in.bytes))
        cm_run_buffer(p->cc->session, p->cc->workspace, &in, &r);
    cli_current_file = NULL;
    add_messages(p, i, &r);
    f->ported = r.changed;
    p->results[i] = keep(p->a, &r);
}

static void learn_facts(struct porting *p) {
    struct nv_closure *c = &p->text->closure;
    p->facts = cm_facts_new(p->a);
    for (size_t i = 0; i < c->files.n; i++) {
        enum cm_language language = language_of(p, i);
        struct str told = cm_facts_of(p->cc->session, p->a, language, c->files.v[i].path,
                                      c->files.v[i].text);
        cm_facts_add(p->facts, language, c->files.v[i].path, told);
    }
    cm_facts_link(p->facts);
}

/* What includes a ported file has to be in the overlay as well: it would find the original. */
static void spread(struct nv_closure *c) {
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < c->files.n; i++)
            for (size_t k = 0; k < c->files.v[i].includes.n && !c->files.v[i].ported; k++)
                if (c->files.v[c->files.v[i].includes.v[k]].ported)
                    more = c->files.v[i].ported = true;
    }
}

/* ---- the overlay ---- */

static struct str overlay_path(struct arena *a, struct str folder, size_t i, struct str path) {
    size_t slash = path.n;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    return arena_printf(a, "%.*s%zu-%.*s", STR_ARG(folder), i,
                        STR_ARG(str_sub(path, slash, path.n)));
}

static struct str overlay_folder(struct porting *p) {
    struct buf b;
    const struct nv_closure *c = &p->text->closure;
    buf_init(&b, p->a);
    buf_add(&b, p->cc->identity);
    buf_printf(&b, "%d %d;", (int)p->source->language, p->cc->line.fatal_warnings);
    for (size_t i = 0; i < c->search.n; i++)
        buf_printf(&b, "%zu:%.*s;", c->search.v[i].n, STR_ARG(c->search.v[i]));
    for (size_t i = 0; i < c->files.n; i++) {
        struct hash128 h = hash128(c->files.v[i].text);
        buf_printf(&b, "%zu:%.*s %016llx%016llx;", c->files.v[i].path.n,
                   STR_ARG(c->files.v[i].path), (unsigned long long)h.v[0],
                   (unsigned long long)h.v[1]);
    }
    struct hash128 h = hash128(buf_str(&b));
    return arena_printf(p->a, "%s%016llx%016llx/", p->cc->cache, (unsigned long long)h.v[0],
                        (unsigned long long)h.v[1]);
}

/* The overlay as an earlier run left it: its list has a line for each file that is in it. */
static bool find_overlay(struct porting *p) {
    struct cc_text *t = p->text;
    struct str list, error;
    const char *path = arena_printf(p->a, "%.*slist", STR_ARG(t->folder)).p;
    if (!file_read(p->a, path, MAX_MESSAGES, &list, NULL, &error)) return false;
    cc_used(path);
    size_t numbers = str_find(list, S("\n"), 0);
    t->n_messages = strtoul(list.p, NULL, 10);
    for (const char *at = strchr(list.p, ':'); at && at < list.p + numbers;
         at = strchr(at + 1, ' ')) {
        size_t i = strtoul(at + 1, NULL, 10);
        if (i < t->closure.files.n && at[1] >= '0' && at[1] <= '9')
            t->closure.files.v[i].overlay =
                overlay_path(p->a, t->folder, i, t->closure.files.v[i].path);
    }
    t->messages = str_sub(list, numbers < list.n ? numbers + 1 : list.n, list.n);
    return true;
}

/* Writes the texts and, when all are there, the list; others may do the same meanwhile. */
static bool write_overlay(struct porting *p) {
    struct cc_text *t = p->text;
    struct nv_closure *c = &t->closure;
    struct str error;
    struct buf list;
    buf_init(&list, p->a);
    buf_printf(&list, "%zu:", t->n_messages);
    if (mkdir(t->folder.p, 0700) != 0 && access(t->folder.p, W_OK) != 0) {
        cli_error(p->cc->cli, "%.*s cannot be written", STR_ARG(t->folder));
        return false;
    }
    for (size_t i = 0; i < c->files.n; i++)
        if (c->files.v[i].ported)
            c->files.v[i].overlay = overlay_path(p->a, t->folder, i, c->files.v[i].path);
    for (size_t i = 0; i < c->files.n; i++) {
        const struct nv_file *f = &c->files.v[i];
        if (!f->ported) continue;
        buf_printf(&list, "%zu ", i);
        struct str text = nv_lined(c, f, f->text, &p->results[i]);
        if (!file_create(p->a, f->overlay.p, text, 0600, &error)) {
            cli_error(p->cc->cli, "%.*s", STR_ARG(error));
            return false;
        }
    }
    buf_addc(&list, '\n');
    if (t->messages.n) buf_add(&list, t->messages);
    const char *path = arena_printf(p->a, "%.*slist", STR_ARG(t->folder)).p;
    if (file_create(p->a, path, buf_str(&list), 0600, &error)) return true;
    cli_error(p->cc->cli, "%.*s", STR_ARG(error));
    return false;
}

bool cc_port(struct cc *cc, const struct nv_source *source, struct cc_text *out) {
    struct str error;
    struct porting p = {.cc = cc, .a = cc->a, .source = source, .text = out};
    *out = (struct cc_text){.source = source->path};
    if (!nv_closure(&out->closure, cc->a, &cc->line, source->path, cc->own, &error)) {
        cli_error(cc->cli, "%.*s", STR_ARG(error));
        return false;
    }
    out->folder = overlay_folder(&p);
    if (!find_overlay(&p) && !cc->line.dry_run) {
        buf_init(&p.messages, cc->a);
        p.results = arena_zalloc(cc->a, out->closure.files.n * sizeof *p.results);
        learn_facts(&p);
        for (size_t i = 0; i < out->closure.files.n; i++) port_file(&p, i);
        spread(&out->closure);
        out->messages = buf_str(&p.messages);
        if (!write_overlay(&p)) return false;
    }
    if (out->closure.files.v[0].overlay.n) out->source = out->closure.files.v[0].overlay;
    return true;
}

struct str cc_own_names(struct cc *cc, const struct cc_text *t, struct str text) {
    struct buf b;
    buf_init(&b, cc->a);
    for (size_t at = 0, found; at < text.n; at = found) {
        found = str_find(text, t->folder, at);
        buf_add(&b, str_sub(text, at, found));
        if (found >= text.n) break;
        size_t i = 0;
        struct str rest = str_sub(text, found, text.n);
        while (i < t->closure.files.n && !(t->closure.files.v[i].overlay.n &&
                                           str_starts(rest, t->closure.files.v[i].overlay)))
            i++;
        bool is_file = i < t->closure.files.n;
        buf_add(&b, is_file ? t->closure.files.v[i].path : t->folder);
        found += is_file ? t->closure.files.v[i].overlay.n : t->folder.n;
    }
    return buf_str(&b);
}
