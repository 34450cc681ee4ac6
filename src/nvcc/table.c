/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - rules/data/nvcc-options.json as arrays. */
#include "base/json.h"
#include "diag/embed.h"
#include "nvcc/nvcc.h"

static const char *const action_words[NV_ACTIONS] = {
#define ACTION(id, word) word,
#include "nvcc/actions.def"
};

static enum nv_action read_action(struct json *j, const struct cJSON *row) {
    struct str word = json_need_str(j, row, "does");
    for (size_t i = 0; i < NV_ACTIONS; i++)
        if (str_is(word, action_words[i])) return (enum nv_action)i;
    json_fail(j, row, "'%.*s' is no action", STR_ARG(word));
    return NV_HARMLESS;
}

static enum nv_takes read_takes(struct json *j, const struct cJSON *row) {
    struct str word = json_take_str(j, row, "takes", S(""));
    if (word.n == 0) return NV_NOTHING;
    if (str_is(word, "list")) return NV_LIST;
    if (!str_is(word, "one")) json_fail(j, row, "takes: 'one' or 'list'");
    return NV_ONE;
}

static void read_option(struct nv_table *t, struct json *j, const struct cJSON *row) {
    static const char *const known[] = {"name",   "short", "does", "takes",
                                        "joined", "as",    "why",  NULL};
    struct arena *a = j->a;
    struct nv_option o = {.name = arena_str(a, json_need_str(j, row, "name")),
                          .letters = arena_str(a, json_take_str(j, row, "short", S(""))),
                          .does = read_action(j, row),
                          .takes = read_takes(j, row),
                          .joined = json_take_bool(j, row, "joined", false),
                          .as = arena_str(a, json_take_str(j, row, "as", S(""))),
                          .why = arena_str(a, json_take_str(j, row, "why", S("")))};
    json_only_keys(j, row, known);
    vec_push(a, &t->options, o);
}

static void read_words(struct json *j, const struct cJSON *object, const char *key,
                       nv_words *out) {
    json_each(word, json_take(j, object, key, JSON_ARRAY)) {
        struct str text = arena_str(j->a, json_str(j, word));
        vec_push(j->a, out, text);
    }
}

static void read_pairs(struct json *j, const struct cJSON *object, const char *key,
                       nv_pairs *out) {
    json_each(v, json_take(j, object, key, JSON_OBJECT)) {
        struct nv_pair pair = {arena_str(j->a, json_key(v)), arena_str(j->a, json_str(j, v))};
        vec_push(j->a, out, pair);
    }
}

static void read_target(struct nv_table *t, struct json *j, const struct cJSON *o) {
    static const char *const known[] = {
        "compilers",  "language",       "defines",        "cu_defines", "flags",
        "link",       "pre_include",    "least_standard", "libraries",  "missing",
        "unanswered", "sanitize_flags", "sanitize_link",  NULL};
    struct nv_target *to = &t->target;
    json_only_keys(j, o, known);
    to->language = arena_str(j->a, json_need_str(j, o, "language"));
    to->pre_include = arena_str(j->a, json_take_str(j, o, "pre_include", S("")));
    to->least_standard = arena_str(j->a, json_take_str(j, o, "least_standard", S("")));
    read_words(j, o, "compilers", &to->compilers);
    read_words(j, o, "defines", &to->defines);
    read_words(j, o, "cu_defines", &to->cu_defines);
    read_words(j, o, "flags", &to->flags);
    read_words(j, o, "link", &to->link);
    read_words(j, o, "sanitize_flags", &to->sanitize_flags);
    read_words(j, o, "sanitize_link", &to->sanitize_link);
    read_pairs(j, o, "libraries", &to->libraries);
    read_pairs(j, o, "missing", &to->missing);
    t->has_target = true;
}

bool nv_table_read(struct nv_table *t, struct arena *a, struct str target, struct str *error) {
    struct json j;
    struct str name = S("rules/data/nvcc-options.json"), numbers;
    *t = (struct nv_table){0};
    if (json_parse(&j, a, name, embed_text(embed_find(name)))) {
        json_each(row, json_need(&j, j.root, "options", JSON_ARRAY)) read_option(t, &j, row);
        read_pairs(&j, j.root, "environment", &t->environment);
        t->version = arena_str(a, json_need_str(&j, j.root, "version"));
        t->toolkit = arena_str(a, json_need_str(&j, j.root, "toolkit"));
        t->default_architecture = arena_str(a, json_need_str(&j, j.root, "default_architecture"));
        numbers = arena_str(a, json_need_str(&j, j.root, "architectures"));
        for (size_t at = 0, end; at < numbers.n; at = end + 1) {
            end = str_find(numbers, S(" "), at);
            struct str number = str_sub(numbers, at, end);
            vec_push(a, &t->architectures, number);
        }
        json_each(o,
                  json_need(&j, j.root, "targets", JSON_OBJECT)) if (str_eq(json_key(o), target))
            read_target(t, &j, o);
    }
    *error = arena_str(a, j.error);
    json_free(&j);
    return error->n == 0;
}

struct str nv_library(const struct nv_target *t, struct str name, struct str *why) {
    *why = (struct str){NULL, 0};
    for (size_t i = 0; i < t->libraries.n; i++)
        if (str_eq(t->libraries.v[i].name, name)) return t->libraries.v[i].value;
    for (size_t i = 0; i < t->missing.n; i++)
        if (str_eq(t->missing.v[i].name, name)) {
            *why = t->missing.v[i].value;
            return (struct str){NULL, 0};
        }
    return name;
}
