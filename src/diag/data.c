/* SPDX-License-Identifier: Apache-2.0 */
/* data.c - reads the data files of the diagnostics. */
#include "diag/data.h"

bool data_open(struct data *d, struct arena *a, struct str name, struct str text,
               const char *key) {
    *d = (struct data){.a = a};
    if (!json_parse(&d->j, a, name, text)) return false;
    d->root = key ? json_get(d->j.root, key) : d->j.root;
    d->sources = json_take(&d->j, d->root, "sources", JSON_OBJECT);
    return true;
}

struct str data_close(struct data *d) {
    struct str error = d->j.error;
    json_free(&d->j);
    return error;
}

struct str data_need(struct data *d, const struct cJSON *v, const char *key) {
    struct str s = json_need_str(&d->j, v, key);
    if (s.n == 0) json_fail(&d->j, v, "\"%s\" is empty", key);
    return arena_str(d->a, s);
}

struct str data_take(struct data *d, const struct cJSON *v, const char *key) {
    return arena_str(d->a, json_take_str(&d->j, v, key, S("")));
}

str_vec data_list(struct data *d, const struct cJSON *v, const char *key) {
    str_vec out = {0};
    json_each(item, json_take(&d->j, v, key, JSON_ARRAY)) {
        struct str s = arena_str(d->a, json_str(&d->j, item));
        vec_push(d->a, &out, s);
    }
    return out;
}

struct str data_source(struct data *d, const struct cJSON *row) {
    static const char *const keys[] = {"source", "checked", NULL};
    struct str key = json_need_str(&d->j, row, "source");
    if (key.n == 0) return S("");
    const struct cJSON *s = json_get(d->sources, arena_strdup(d->a, key));
    if (!s) {
        json_fail(&d->j, row, "\"sources\" has no \"%.*s\"", STR_ARG(key));
        return S("");
    }
    json_only_keys(&d->j, s, keys);
    struct str where = data_need(d, s, "source"), when = data_need(d, s, "checked");
    return arena_printf(d->a, "%.*s (%.*s)", STR_ARG(where), STR_ARG(when));
}
