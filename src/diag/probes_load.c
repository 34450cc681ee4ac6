/* SPDX-License-Identifier: Apache-2.0 */
/* probes_load.c - "probes" of rules/targets/ into tables. */
#include "diag/embed.h"
#include "diag/probes.h"

#include <stdlib.h>

#include "rules/rules.h"

static int64_t word(struct data *d, const struct cJSON *v, const char *key,
                    const char *const *words) {
    struct str s = data_need(d, v, key);
    for (int64_t i = 0; words[i]; i++)
        if (str_is(s, words[i])) return i;
    json_fail(&d->j, v, "\"%s\" cannot be \"%.*s\"", key, STR_ARG(s));
    return 0;
}

static void read_item(struct data *d, const struct cJSON *v, struct probe_target *t) {
    static const char *const kinds[] = {"file",   "node",     "library", "tool",
                                        "python", "variable", NULL};
    static const char *const needs[] = {"required", "recommended", "optional", NULL};
    static const char *const keys[] = {"id",   "title",   "kind", "need", "full",   "proof", "any",
                                       "dirs", "version", "key",  "fix",  "source", "for",   NULL};
    static const char *const version_keys[] = {"files", "ask", "pattern", NULL};
    struct probe_item x = {0};
    json_only_keys(&d->j, v, keys);
    x.id = data_need(d, v, "id");
    x.title = data_need(d, v, "title");
    x.kind = (enum probe_kind)word(d, v, "kind", kinds);
    x.need = (enum probe_need)word(d, v, "need", needs);
    x.purpose = data_take(d, v, "for");
    x.full = json_take_bool(&d->j, v, "full", false);
    x.proof = json_take_bool(&d->j, v, "proof", false);
    x.any = data_list(d, v, "any");
    x.dirs = data_list(d, v, "dirs");
    x.key = data_take(d, v, "key");
    x.fix = data_need(d, v, "fix");
    x.source = data_source(d, v);
    const struct cJSON *version = json_take(&d->j, v, "version", JSON_OBJECT);
    if (version) {
        json_only_keys(&d->j, version, version_keys);
        x.version_files = data_list(d, version, "files");
        x.version_pattern = data_need(d, version, "pattern");
        x.version_ask = data_take(d, version, "ask");
        if (x.version_ask.n && (x.kind != PROBE_TOOL || !str_is(x.version_ask, "--version")))
            json_fail(&d->j, version, "only a tool can be asked, and for --version alone");
    }
    if (x.any.n == 0) json_fail(&d->j, v, "\"any\" names nothing");
    vec_push(d->a, &t->items, x);
}

static void read_device(struct data *d, const struct cJSON *v, struct probe_target *t) {
    static const char *const keys[] = {"vendor", "class", "id", "name", "source", NULL};
    json_only_keys(&d->j, v, keys);
    struct probe_device x = {data_need(d, v, "vendor"), data_take(d, v, "class"),
                             data_take(d, v, "id"), data_take(d, v, "name"), data_source(d, v)};
    vec_push(d->a, &t->devices, x);
}

static struct probe_variable read_variable(struct data *d, const struct cJSON *v) {
    static const char *const keys[] = {"name", "note", "source", NULL};
    json_only_keys(&d->j, v, keys);
    return (struct probe_variable){data_need(d, v, "name"), data_need(d, v, "note"),
                                   data_source(d, v)};
}

static void read_compile(struct data *d, struct probe_target *t) {
    static const char *const keys[] = {"backend", "code", "note", "modes", "source", NULL};
    const struct cJSON *v = json_take(&d->j, d->root, "compile", JSON_OBJECT);
    if (!v) return;
    json_only_keys(&d->j, v, keys);
    t->compile.backend = data_need(d, v, "backend");
    t->compile.code = data_need(d, v, "code");
    t->compile.note = data_take(d, v, "note");
    t->compile.source = data_source(d, v);
    json_each(m, json_take(&d->j, v, "modes", JSON_ARRAY)) {
        struct probe_variable x = read_variable(d, m);
        vec_push(d->a, &t->compile.modes, x);
    }
}

static void read_probes(struct data *d, struct probe_target *t) {
    static const char *const keys[] = {"sources", "devices", "select",  "conflicts",
                                       "items",   "query",   "compile", NULL};
    static const char *const query_keys[] = {"library", "init",       "drivers", "count",
                                             "source",  "properties", NULL};
    json_only_keys(&d->j, d->root, keys);
    json_each(v, json_take(&d->j, d->root, "devices", JSON_ARRAY)) read_device(d, v, t);
    json_each(v, json_take(&d->j, d->root, "select", JSON_ARRAY)) {
        struct probe_variable x = read_variable(d, v);
        vec_push(d->a, &t->select, x);
    }
    json_each(v, json_take(&d->j, d->root, "conflicts", JSON_ARRAY)) {
        struct probe_variable x = read_variable(d, v);
        vec_push(d->a, &t->conflicts, x);
    }
    json_each(v, json_take(&d->j, d->root, "items", JSON_ARRAY)) read_item(d, v, t);
    read_compile(d, t);
    const struct cJSON *q = json_take(&d->j, d->root, "query", JSON_OBJECT);
    if (!q) return;
    json_only_keys(&d->j, q, query_keys);
    data_source(d, q);
    t->query = (struct probe_query){data_need(d, q, "library"), data_take(d, q, "init"),
                                    data_take(d, q, "drivers"), data_need(d, q, "count"),
                                    data_take(d, q, "properties")};
}

/* A file of rules may hold no target, and a target no probes. */
static bool load_text(struct arena *a, struct str name, struct str text, probe_targets *out,
                      struct str *error) {
    struct data d;
    struct probe_target t = {0};
    bool is_target = false;
    if (data_open(&d, a, name, text, "probes") && json_get(d.j.root, "target")) {
        is_target = true;
        t.name = data_need(&d, d.j.root, "target");
        t.title = data_need(&d, d.j.root, "title");
        t.order = json_take_int(&d.j, d.j.root, "order", 0);
        if (d.root) read_probes(&d, &t);
    }
    *error = data_close(&d);
    if (error->n) return false;
    for (size_t i = 0; i < out->n && is_target; i++)
        if (str_eq(out->v[i].name, t.name)) {
            out->v[i] = t;
            return true;
        }
    if (is_target) vec_push(a, out, t);
    return true;
}

bool probes_load_host(struct arena *a, struct probe_target *out, struct str *error) {
    struct str path = S("rules/data/host.json");
    probe_targets one = {0};
    if (!load_text(a, path, embed_text(embed_find(path)), &one, error)) return false;
    *out = one.v[0];
    return true;
}

static int by_order(const void *x, const void *y) {
    const struct probe_target *a = x, *b = y;
    if (a->order != b->order) return a->order < b->order ? -1 : 1;
    return str_cmp(a->name, b->name);
}

bool probes_load(struct arena *a, const struct str *paths, size_t n, probe_targets *out,
                 struct str *error) {
    const struct embedded *e = NULL;
    while ((e = embed_next(e, S("rules/targets/"))) != NULL)
        if (!load_text(a, str_of(e->path), embed_text(e), out, error)) return false;
    for (size_t i = 0; i < n; i++) {
        struct rule_source *sources;
        size_t count;
        if (!rules_read_sources(a, paths[i].p, &sources, &count, error)) return false;
        for (size_t k = 0; k < count; k++)
            if (!load_text(a, sources[k].path, sources[k].text, out, error)) return false;
    }
    qsort(out->v, out->n, sizeof *out->v, by_order);
    return true;
}
