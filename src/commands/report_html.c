/* SPDX-License-Identifier: Apache-2.0 */
/* report_html.c - `report` as one page for a browser: the template src/page/report.html with the
 * survey's figures as JSON, each text once. */
#include "commands/report.h"
#include "diag/embed.h"
#include "report/escape.h"

#include <stdlib.h>

#define TEMPLATE "src/page/report.html"

/* How much of a survey goes onto the page; the rest is counted. */
struct limits {
    size_t work, places, files;
};

/* Numbers for texts that stand in the data once. */
struct numbers {
    VEC(struct str) list;
};

struct page {
    const struct report *r;
    struct arena *a;
    struct limits limits;
    struct numbers paths, advice, owners;
    size_t *path_of; /* [source]: its number + 1, or 0 */
};

static size_t number_of(struct page *p, struct numbers *n, struct str text) {
    for (size_t i = n->list.n; i > 0; i--)
        if (str_eq(n->list.v[i - 1], text)) return i - 1;
    vec_push(p->a, &n->list, text);
    return n->list.n - 1;
}

static size_t path_number(struct page *p, size_t source) {
    if (!p->path_of[source]) {
        vec_push(p->a, &p->paths.list, str_of(p->r->surveys[0].in->sources.v[source].path));
        p->path_of[source] = p->paths.list.n;
    }
    return p->path_of[source] - 1;
}

/* ---- JSON in pieces ---- */

static void add_counts(struct buf *b, const size_t *counts) {
    for (size_t i = 0; i < CM_OUTCOMES; i++) buf_printf(b, "%s%zu", i ? "," : "[", counts[i]);
    buf_addc(b, ']');
}

static void add_texts(struct buf *b, const char *key, const struct numbers *n) {
    buf_printf(b, ",\n\"%s\":[", key);
    for (size_t i = 0; i < n->list.n; i++) {
        if (i) buf_addc(b, ',');
        add_json_text(b, n->list.v[i]);
    }
    buf_addc(b, ']');
}

static void add_text(struct buf *b, const char *key, struct str text) {
    buf_printf(b, "\"%s\":", key);
    add_json_text(b, text);
    buf_addc(b, ',');
}

static void add_work(struct page *p, struct buf *b, const struct survey *s) {
    buf_addz(b, ",\"work\":[");
    for (size_t i = 0; i < s->n_work && i < p->limits.work; i++) {
        const struct survey_work *w = &s->work[i];
        buf_addz(b, i ? ",\n[" : "[");
        add_json_text(b, w->first->rule);
        buf_addc(b, ',');
        add_json_text(b, w->first->message);
        if (w->first->advice.n)
            buf_printf(b, ",%zu,[", number_of(p, &p->advice, w->first->advice));
        else
            buf_addz(b, ",-1,[");
        for (size_t k = 0; k < w->times && k < p->limits.places; k++) {
            const struct survey_manual *m = &w->first[k];
            buf_printf(b, "%s[%zu,%u", k ? "," : "", path_number(p, m->file), m->line);
            if (m->cell) buf_printf(b, ",%u", m->cell);
            buf_addc(b, ']');
        }
        buf_printf(b, "],%zu]", w->times);
    }
    buf_addc(b, ']');
}

struct ranked {
    const struct survey_file *file;
    size_t source;
};

static int most_work_first(const void *x, const void *y) {
    const struct ranked *a = x, *b = y;
    size_t m = a->file->counts[CM_MANUAL] + a->file->counts[CM_VERIFY];
    size_t n = b->file->counts[CM_MANUAL] + b->file->counts[CM_VERIFY];
    if (m == n) m = survey_total(a->file->counts), n = survey_total(b->file->counts);
    return m != n ? (m < n) - (m > n) : (a->source > b->source) - (a->source < b->source);
}

/* The two upper folders of a path, as the page's picture takes them. */
static struct str folder_of(struct str path) {
    size_t first = str_find(path, S("/"), 0), second = str_find(path, S("/"), first + 1);
    if (first == path.n) return S(".");
    return str_sub(path, 0, second < path.n ? second : first);
}

static void add_rest(struct page *p, struct buf *b, const struct survey *s,
                     const struct ranked *files, size_t n) {
    survey_libraries folders = {0};
    for (size_t i = 0; i < n; i++) {
        struct str name = folder_of(str_of(s->in->sources.v[files[i].source].path));
        size_t at = 0;
        while (at < folders.n && !str_eq(folders.v[at].name, name)) at++;
        struct survey_library fresh = {.name = name};
        if (at == folders.n) vec_push(p->a, &folders, fresh);
        for (size_t k = 0; k < CM_OUTCOMES; k++)
            folders.v[at].counts[k] += files[i].file->counts[k];
    }
    buf_addz(b, ",\"rest\":[");
    for (size_t i = 0; i < folders.n; i++) {
        buf_addz(b, i ? ",[" : "[");
        add_json_text(b, folders.v[i].name);
        buf_addc(b, ',');
        add_counts(b, folders.v[i].counts);
        buf_addc(b, ']');
    }
    buf_addc(b, ']');
}

static void add_files(struct page *p, struct buf *b, const struct survey *s) {
    struct ranked *files = arena_alloc(p->a, (s->in->sources.n + 1) * sizeof *files);
    size_t n = 0, shown;
    for (size_t i = 0; i < s->in->sources.n; i++)
        if (survey_total(s->files[i].counts) || s->files[i].problem.n)
            files[n++] = (struct ranked){&s->files[i], i};
    qsort(files, n, sizeof *files, most_work_first);
    shown = n < p->limits.files ? n : p->limits.files;
    buf_addz(b, ",\n\"files\":[");
    for (size_t i = 0; i < shown; i++) {
        const struct survey_file *f = files[i].file;
        buf_printf(b, "%s[%zu,%zu,", i ? "," : "", path_number(p, files[i].source), f->lines);
        add_counts(b, f->counts);
        if (f->problem.n) buf_addc(b, ',');
        if (f->problem.n) add_json_text(b, f->problem);
        buf_addc(b, ']');
    }
    buf_addc(b, ']');
    add_rest(p, b, s, files + shown, n - shown);
    buf_printf(b, ",\"left\":{\"work\":%zu,\"files\":%zu}",
               s->n_work > p->limits.work ? s->n_work - p->limits.work : 0, n - shown);
}

static void add_target(struct page *p, struct buf *b, size_t number) {
    const struct survey *s = &p->r->surveys[number];
    size_t minutes[2];
    report_effort(p->r, s, minutes);
    buf_addz(b, number ? ",\n{" : "{");
    add_text(b, "id", cm_target_name(s->target));
    add_text(b, "title", cm_target_title(s->target));
    buf_printf(b, "\"read\":%zu,\"cuda\":%zu,\"failed\":%zu,\"lines\":%zu,", s->n_read,
               s->n_with_cuda, s->n_failed, s->lines);
    buf_printf(b, "\"effort\":[%zu,%zu],\"counts\":", minutes[0], minutes[1]);
    add_counts(b, s->counts);
    if (p->r->before && p->r->before[number].is_there) {
        buf_addz(b, ",\"before\":{");
        add_text(b, "date", p->r->before[number].date);
        buf_addz(b, "\"counts\":");
        add_counts(b, p->r->before[number].counts);
        buf_addc(b, '}');
    }
    buf_addz(b, ",\"libraries\":[");
    for (size_t i = 0; i < s->libraries.n; i++) {
        buf_addz(b, i ? ",[" : "[");
        add_json_text(b, s->libraries.v[i].name);
        buf_addc(b, ',');
        add_counts(b, s->libraries.v[i].counts);
        buf_addc(b, ']');
    }
    buf_addc(b, ']');
    add_work(p, b, s);
    add_files(p, b, s);
    buf_addc(b, '}');
}

/* Which group each of the paths belongs to; nothing without a CODEOWNERS. */
static void add_owners(struct page *p, struct buf *b) {
    bool any = p->r->owners->rules.n > 0;
    buf_addz(b, ",\n\"owners\":[");
    for (size_t i = 0; any && i < p->paths.list.n; i++) {
        const char *path = arena_strdup(p->a, p->paths.list.v[i]);
        struct str names = owners_of(p->r->owners, project_path(p->r->place, p->a, path));
        size_t number = number_of(p, &p->owners, names.n ? names : S("-"));
        buf_printf(b, "%s%zu", i ? "," : "", number);
    }
    buf_addc(b, ']');
    add_texts(b, "ownerNames", &p->owners);
}

static struct str data_of(const struct report *r, struct arena *a, struct limits limits) {
    struct page p = {.r = r, .a = a, .limits = limits};
    struct buf b;
    buf_init(&b, a);
    p.path_of = arena_zalloc(a, (r->surveys[0].in->sources.n + 1) * sizeof *p.path_of);
    buf_addz(&b, "{");
    add_text(&b, "tool", S(CM_VERSION));
    add_text(&b, "project", r->project);
    add_text(&b, "revision", r->revision);
    add_text(&b, "date", r->date);
    add_text(&b, "basis", r->basis);
    buf_addz(&b, "\"outcomes\":[");
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        buf_printf(&b, "%s\"%s\"", i ? "," : "", cm_outcome_name((enum cm_outcome)i));
    buf_addz(&b, "],\n\"targets\":[");
    for (size_t i = 0; i < r->n; i++) add_target(&p, &b, i);
    buf_addc(&b, ']');
    add_texts(&b, "paths", &p.paths);
    add_texts(&b, "advice", &p.advice);
    add_owners(&p, &b);
    buf_addc(&b, '}');
    return buf_str(&b);
}

/* ---- the page ---- */

/* For who reads without scripts: the figures. */
static void add_table(struct buf *b, const struct report *r) {
    buf_addz(b, "<table>");
    for (size_t i = 0; i < r->n; i++) {
        const struct survey *s = &r->surveys[i];
        buf_addz(b, "<tr><th>");
        add_xml_text(b, cm_target_title(s->target));
        buf_printf(b, "</th><td>%u %%</td><td>%.*s</td></tr>", survey_percent(s->counts),
                   STR_ARG(report_verdict(b->a, s)));
    }
    buf_addz(b, "</table>");
}

/* JSON inside of a page: no text of it may end the element. */
static void add_data(struct buf *b, struct str json) {
    for (size_t at = 0, end; at < json.n; at = end + 1) {
        end = str_find(json, S("<"), at);
        buf_add(b, str_sub(json, at, end));
        if (end < json.n) buf_addz(b, "\\u003c");
    }
}

void report_html(struct buf *b, const struct report *r, bool shared) {
    enum { SHARED_BYTES = 270 * 1024 };
    struct str page = embed_text(embed_find(S(TEMPLATE)));
    struct str table = S("{noscript}"), data = S("{data}");
    size_t t = str_find(page, table, 0), d = str_find(page, data, 0);
    struct limits limits = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    if (shared) limits = (struct limits){400, 40, 800};
    struct str json = data_of(r, b->a, limits);
    while (shared && json.n > SHARED_BYTES && limits.work > 1) {
        limits = (struct limits){limits.work / 2, limits.places / 2 + 1, limits.files / 2};
        json = data_of(r, b->a, limits);
    }
    buf_add(b, str_sub(page, 0, t));
    add_table(b, r);
    buf_add(b, str_sub(page, t + table.n, d));
    add_data(b, json);
    buf_add(b, str_sub(page, d + data.n, page.n));
}
