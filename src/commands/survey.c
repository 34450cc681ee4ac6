/* SPDX-License-Identifier: Apache-2.0 */
/* survey.c - ports every source in memory and adds up the outcomes, for `report`.
 *
 * The same engine with the same options as `port`: a figure of the report is what the port would
 * do, not an estimate. */
#include "commands/survey.h"
#include "base/pool.h"
#include "python/py.h"

#include <setjmp.h>
#include <stdlib.h>

size_t survey_total(const size_t *counts) {
    size_t n = 0;
    for (size_t i = 0; i < CM_OUTCOMES; i++) n += counts[i];
    return n;
}

unsigned survey_percent(const size_t *counts) {
    size_t done = counts[CM_PORTED] + counts[CM_KEPT];
    size_t all = done + counts[CM_VERIFY] + counts[CM_MANUAL];
    return all ? (unsigned)(done * 100 / all) : 100;
}

/* ---- one file ---- */

struct survey_worker {
    struct arena text, kept; /* for one file; as long as the survey */
    struct cm_workspace *workspace;
};

static struct survey_library *library_of(struct arena *a, survey_libraries *list,
                                         struct str name) {
    for (size_t i = 0; i < list->n; i++)
        if (str_eq(list->v[i].name, name)) return &list->v[i];
    struct survey_library l = {.name = arena_str(a, name)};
    vec_push(a, list, l);
    return &list->v[list->n - 1];
}

static size_t count_lines(struct str text) {
    size_t n = text.n && text.p[text.n - 1] != '\n';
    for (size_t i = 0; i < text.n; i++) n += text.p[i] == '\n';
    return n;
}

static void keep_result(struct survey_worker *w, struct survey_file *file, size_t index,
                        const struct cm_result *r) {
    struct arena *a = &w->kept;
    memcpy(file->counts, r->counts, sizeof file->counts);
    for (size_t i = 0; i < r->n_notes; i++)
        if (r->notes[i].fatal && !file->problem.n)
            file->problem = arena_str(a, r->notes[i].message);
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *f = &r->findings[i];
        struct str domain = str_sub(f->rule, 0, str_find(f->rule, S("/"), 0));
        library_of(a, &file->libraries, domain)->counts[f->outcome]++;
        if (f->outcome != CM_MANUAL && f->outcome != CM_VERIFY) continue;
        struct survey_manual m = {arena_str(a, f->rule),
                                  arena_str(a, f->token),
                                  arena_str(a, f->message),
                                  arena_str(a, f->advice),
                                  index,
                                  f->line,
                                  f->cell};
        vec_push(a, &file->manual, m);
    }
}

/* Not inlined: its variables would live in the frame that setjmp was called in. */
__attribute__((noinline)) static void survey_source(struct surveys *all, struct survey_worker *w,
                                                    size_t index) {
    const struct source *source = &all->in->sources.v[index];
    struct str bytes, error;
    bool was_read = source_read(all->in, &w->text, source, &bytes, NULL, &error);
    size_t lines = was_read ? count_lines(bytes) : 0;
    for (size_t i = 0; i < all->n; i++) {
        struct survey_file *file = &all->v[i].files[index];
        if (!was_read) {
            file->problem = arena_str(&w->kept, error);
            continue;
        }
        static const struct py_disk disk = {file_exists, NULL};
        struct cm_input in = {.name = str_of(source->path),
                              .bytes = bytes,
                              .language = source->language,
                              .target = all->v[i].target,
                              .disk = &disk,
                              .facts = all->in->facts,
                              .again = all->n > 1};
        struct cm_result r;
        cm_run_buffer(all->in->session, w->workspace, &in, &r);
        file->lines = lines;
        keep_result(w, file, index, &r);
    }
}

static void run_job(void *ctx, size_t worker, size_t index) {
    struct surveys *all = ctx;
    struct survey_worker *w = &all->workers[worker];
    jmp_buf escape;
    if (setjmp(escape)) {
        for (size_t i = 0; i < all->n; i++)
            all->v[i].files[index] = (struct survey_file){.problem = S("out of memory")};
    } else {
        arena_reset(&w->text);
        w->text.escape = w->kept.escape = &escape;
        cli_current_file = all->in->sources.v[index].path;
        survey_source(all, w, index);
    }
    w->text.escape = w->kept.escape = NULL;
    cli_current_file = NULL;
    progress_step(&all->progress);
}

/* ---- adding up ---- */

static int larger_first(const void *x, const void *y) {
    const struct survey_library *a = x, *b = y;
    size_t m = survey_total(a->counts), n = survey_total(b->counts);
    return m != n ? (m < n) - (m > n) : str_cmp(a->name, b->name);
}

static void add_up(struct survey *s, struct arena *a) {
    for (size_t i = 0; i < s->in->sources.n; i++) {
        const struct survey_file *f = &s->files[i];
        bool has_cuda = survey_total(f->counts) > 0;
        s->n_failed += f->problem.n > 0;
        s->n_read += f->problem.n == 0;
        s->n_with_cuda += has_cuda;
        s->lines += has_cuda ? f->lines : 0;
        for (size_t k = 0; k < CM_OUTCOMES; k++) s->counts[k] += f->counts[k];
        for (size_t l = 0; l < f->libraries.n; l++) {
            struct survey_library *sum = library_of(a, &s->libraries, f->libraries.v[l].name);
            for (size_t k = 0; k < CM_OUTCOMES; k++) sum->counts[k] += f->libraries.v[l].counts[k];
        }
    }
    if (s->libraries.n)
        qsort(s->libraries.v, s->libraries.n, sizeof *s->libraries.v, larger_first);
}

static int same_work(const struct survey_manual *a, const struct survey_manual *b) {
    int order = str_cmp(a->rule, b->rule);
    if (!order) order = str_cmp(a->token, b->token);
    return order ? order : str_cmp(a->message, b->message);
}

static int by_work(const void *x, const void *y) {
    const struct survey_manual *a = x, *b = y;
    int order = same_work(a, b);
    if (order) return order;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static int more_often_first(const void *x, const void *y) {
    const struct survey_work *a = x, *b = y;
    if (a->times != b->times) return a->times < b->times ? 1 : -1;
    return same_work(a->first, b->first);
}

static void group_work(struct survey *s, struct arena *a) {
    size_t n = s->counts[CM_MANUAL] + s->counts[CM_VERIFY], at = 0;
    struct survey_manual *all = arena_alloc(a, (n + 1) * sizeof *all);
    for (size_t i = 0; i < s->in->sources.n; i++)
        for (size_t k = 0; k < s->files[i].manual.n; k++) all[at++] = s->files[i].manual.v[k];
    qsort(all, at, sizeof *all, by_work);
    s->work = arena_alloc(a, (at + 1) * sizeof *s->work);
    for (size_t i = 0; i < at; i++) {
        if (i == 0 || same_work(&all[i - 1], &all[i]) != 0)
            s->work[s->n_work++] = (struct survey_work){&all[i], 0};
        s->work[s->n_work - 1].times++;
    }
    qsort(s->work, s->n_work, sizeof *s->work, more_often_first);
}

/* ---- the whole of it ---- */

bool survey_run(struct surveys *all, struct arena *a, const struct inputs *in) {
    *all = (struct surveys){.in = in, .n = in->n_targets};
    all->v = arena_zalloc(a, (all->n + 1) * sizeof *all->v);
    all->workers = arena_zalloc(a, in->jobs * sizeof *all->workers);
    for (size_t i = 0; i < all->n; i++) {
        all->v[i] = (struct survey){.in = in, .target = in->targets[i]};
        all->v[i].files = arena_zalloc(a, (in->sources.n + 1) * sizeof *all->v[i].files);
    }
    for (size_t i = 0; i < in->jobs; i++)
        if (!(all->workers[i].workspace = cm_workspace_new())) return false;
    progress_start(&all->progress, in->cli->err, in->sources.n, cli_has(in->cli, OPT_QUIET));
    pool_run(in->jobs, in->sources.n, run_job, all);
    progress_end(&all->progress);
    for (size_t i = 0; i < all->n; i++) {
        add_up(&all->v[i], a);
        group_work(&all->v[i], a);
    }
    return true;
}

void survey_free(struct surveys *all) {
    for (size_t i = 0; i < all->in->jobs; i++) {
        cm_workspace_free(all->workers[i].workspace);
        arena_free(&all->workers[i].text);
        arena_free(&all->workers[i].kept);
    }
}
