/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.c - the file of findings that a project leaves for later.
 *
 * Entries are looked up by rule, target and fingerprint first and by path second, so that moved
 * lines and renamed files do not bring old findings back. */
#include "commands/baseline.h"
#include "base/json.h"
#include "report/escape.h"

#include <stdlib.h>
#include <unistd.h>

static int by_path(const void *x, const void *y) {
    const struct baseline_entry *a = x, *b = y;
    int order = str_cmp(a->path, b->path);
    if (!order) order = str_cmp(a->rule, b->rule);
    if (!order) order = str_cmp(a->target, b->target);
    return order ? order : (a->fingerprint > b->fingerprint) - (a->fingerprint < b->fingerprint);
}

static int by_fingerprint(const void *x, const void *y) {
    const struct baseline_entry *const *a = x, *const *b = y;
    return ((*a)->fingerprint > (*b)->fingerprint) - ((*a)->fingerprint < (*b)->fingerprint);
}

void baseline_add(struct baseline *b, struct str path, struct str rule, struct str target,
                  uint64_t fingerprint) {
    struct baseline_entry e = {.path = arena_str(b->a, path),
                               .rule = arena_str(b->a, rule),
                               .target = arena_str(b->a, target),
                               .fingerprint = fingerprint};
    vec_push(b->a, &b->entries, e);
}

static bool add_record(struct baseline *b, struct json *j, const struct cJSON *record) {
    static const char *const keys[] = {"path", "rule", "target", "fingerprint", NULL};
    json_only_keys(j, record, keys);
    struct str path = json_need_str(j, record, "path");
    struct str rule = json_need_str(j, record, "rule");
    struct str target = json_need_str(j, record, "target");
    struct str hex = json_need_str(j, record, "fingerprint");
    char *end;
    if (j->error.n) return false;
    unsigned long long fingerprint = strtoull(hex.p, &end, 16);
    if (hex.n != 16 || *end)
        return json_fail(j, record, "a fingerprint has 16 hexadecimal digits");
    baseline_add(b, path, rule, target, fingerprint);
    return true;
}

static void find_gone(struct baseline *b, const struct project *project) {
    for (size_t i = 0; i < b->entries.n; i++) {
        struct baseline_entry *e = &b->entries.v[i];
        bool is_new = i == 0 || !str_eq(e->path, e[-1].path);
        struct str path = path_absolute(b->a, project->root, e->path);
        e->is_gone = is_new ? access(path.p, F_OK) != 0 : e[-1].is_gone;
        if (e->is_gone) vec_push(b->a, &b->gone, e);
    }
    if (b->gone.n) qsort(b->gone.v, b->gone.n, sizeof *b->gone.v, by_fingerprint);
}

bool baseline_parse(struct baseline *b, struct arena *a, struct str name, struct str text,
                    const struct project *project, struct str *error) {
    static const char *const keys[] = {"version", "findings", NULL};
    struct json j;
    *b = (struct baseline){.a = a};
    if (json_parse(&j, a, name, text)) {
        json_only_keys(&j, j.root, keys);
        if (json_need_int(&j, j.root, "version") != 1)
            json_fail(&j, json_get(j.root, "version"),
                      "this version of cuda-morph reads baselines of version 1");
        json_each(record, json_need(&j, j.root, "findings", JSON_ARRAY)) {
            if (!add_record(b, &j, record)) break;
        }
    }
    *error = j.error;
    json_free(&j);
    if (error->n) return false;
    if (b->entries.n) qsort(b->entries.v, b->entries.n, sizeof *b->entries.v, by_path);
    find_gone(b, project);
    return true;
}

/* The first entry of a path, or where it would be. */
static size_t first_of(const struct baseline *b, struct str path) {
    size_t low = 0, n = b->entries.n;
    while (n > 0) {
        size_t half = n / 2;
        if (str_cmp(b->entries.v[low + half].path, path) < 0) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static bool take_gone(struct baseline *b, uint64_t fingerprint) {
    size_t low = 0, n = b->gone.n;
    while (n > 0) {
        size_t half = n / 2;
        if (b->gone.v[low + half]->fingerprint < fingerprint) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    for (; low < b->gone.n && b->gone.v[low]->fingerprint == fingerprint; low++) {
        if (b->gone.v[low]->used) continue;
        b->gone.v[low]->used = true;
        return true;
    }
    return false;
}

bool baseline_take(struct baseline *b, struct str path, uint64_t fingerprint) {
    for (size_t i = first_of(b, path); i < b->entries.n; i++) {
        struct baseline_entry *e = &b->entries.v[i];
        if (!str_eq(e->path, path)) break;
        if (e->used || e->fingerprint != fingerprint) continue;
        e->used = true;
        return true;
    }
    return take_gone(b, fingerprint);
}

void baseline_checked(struct baseline *b, struct str path) {
    for (size_t i = first_of(b, path); i < b->entries.n; i++) {
        if (!str_eq(b->entries.v[i].path, path)) break;
        b->entries.v[i].checked = true;
    }
}

struct str baseline_text(struct baseline *b, bool prune) {
    struct buf out;
    buf_init(&out, b->a);
    buf_addz(&out, "{\"version\": 1, \"findings\": [");
    if (b->entries.n) qsort(b->entries.v, b->entries.n, sizeof *b->entries.v, by_path);
    const char *separator = "\n";
    for (size_t i = 0; i < b->entries.n; i++) {
        const struct baseline_entry *e = &b->entries.v[i];
        if (prune && baseline_is_stale(e)) continue;
        buf_printf(&out, "%s{\"path\": ", separator);
        add_json_text(&out, e->path);
        buf_addz(&out, ", \"rule\": ");
        add_json_text(&out, e->rule);
        buf_addz(&out, ", \"target\": ");
        add_json_text(&out, e->target);
        buf_printf(&out, ", \"fingerprint\": \"%016llx\"}", (unsigned long long)e->fingerprint);
        separator = ",\n";
    }
    buf_addz(&out, "\n]}\n");
    return buf_str(&out);
}
