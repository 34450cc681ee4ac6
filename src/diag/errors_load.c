/* SPDX-License-Identifier: Apache-2.0 */
/* errors_load.c - rules/errors/ into tables; what is wrong with a file is an error with its
 * place. */
#include "diag/data.h"
#include "diag/embed.h"
#include "diag/errors.h"

struct loader {
    struct data d;
    const struct cJSON *advice;
    struct error_family *family;
};

static struct str advice_of(struct loader *l, const struct cJSON *row) {
    struct str key = data_take(&l->d, row, "advice");
    if (key.n == 0) return key;
    struct str text = data_take(&l->d, l->advice, arena_strdup(l->d.a, key));
    if (text.n == 0) json_fail(&l->d.j, row, "\"advice\" has no \"%.*s\"", STR_ARG(key));
    return text;
}

static void read_row(struct loader *l, const struct cJSON *v) {
    static const char *const keys[] = {"code",       "kind",    "text",   "pattern", "says",
                                       "name",       "meaning", "advice", "source",  "category",
                                       "unverified", "follows", "last",   "vague",   "harmless",
                                       "example",    "broad",   NULL};
    struct error_row r = {.kind = -1};
    json_only_keys(&l->d.j, v, keys);
    r.has_code = json_get(v, "code") != NULL;
    r.code = json_take_int(&l->d.j, v, "code", 0);
    r.kind = json_take_int(&l->d.j, v, "kind", -1);
    r.text = data_take(&l->d, v, "text");
    r.pattern = data_take(&l->d, v, "pattern");
    r.says = data_list(&l->d, v, "says");
    r.name = data_need(&l->d, v, "name");
    r.category = data_take(&l->d, v, "category");
    r.meaning = data_need(&l->d, v, "meaning");
    r.advice = advice_of(l, v);
    r.source = data_source(&l->d, v);
    r.unverified = json_take_bool(&l->d.j, v, "unverified", false);
    r.follows = json_take_bool(&l->d.j, v, "follows", false);
    r.broad = json_take_bool(&l->d.j, v, "broad", false);
    data_take(&l->d, v, "example"); /* for the tests: a line that the row names */
    if (json_take_bool(&l->d.j, v, "last", false)) r.turn = ERROR_LAST;
    if (json_take_bool(&l->d.j, v, "vague", false)) r.turn = ERROR_VAGUE;
    if (json_take_bool(&l->d.j, v, "harmless", false)) r.turn = ERROR_HARMLESS;
    if (r.has_code + (r.kind >= 0) + (r.text.n > 0) + (r.pattern.n > 0) != 1)
        json_fail(&l->d.j, v, "a row has one of \"code\", \"kind\", \"text\" and \"pattern\"");
    if (r.pattern.n && l->family->named.pattern.n == 0)
        json_fail(&l->d.j, v, "a row with a \"pattern\" needs the file's \"named\"");
    vec_push(l->d.a, &l->family->rows, r);
}

static void read_class(struct loader *l, const struct cJSON *v) {
    static const char *const keys[] = {"from",   "to",     "letters",    "meaning",
                                       "advice", "source", "unverified", NULL};
    struct error_class c = {0};
    json_only_keys(&l->d.j, v, keys);
    c.letters = data_take(&l->d, v, "letters");
    if (c.letters.n == 0) {
        c.from = json_need_int(&l->d.j, v, "from");
        c.to = json_need_int(&l->d.j, v, "to");
    }
    c.meaning = data_need(&l->d, v, "meaning");
    c.advice = data_take(&l->d, v, "advice");
    c.source = data_source(&l->d, v);
    c.unverified = json_take_bool(&l->d.j, v, "unverified", false);
    vec_push(l->d.a, &l->family->classes, c);
}

static void read_patterns(struct loader *l) {
    struct error_family *f = l->family;
    str_vec texts = data_list(&l->d, l->d.root, "texts");
    f->named.pattern = data_take(&l->d, l->d.root, "named");
    f->words = data_list(&l->d, l->d.root, "words");
    if ((f->named.pattern.n > 0) != (f->words.n > 0))
        json_fail(&l->d.j, l->d.root, "\"named\" and \"words\" need each other");
    for (size_t i = 0; i < texts.n; i++) {
        struct error_pattern x = {texts.v[i]};
        vec_push(l->d.a, &f->texts, x);
    }
    str_vec logs = data_list(&l->d, l->d.root, "logs");
    for (size_t i = 0; i < logs.n; i++) {
        struct error_pattern x = {logs.v[i]};
        vec_push(l->d.a, &f->logs, x);
    }
    json_each(p, json_take(&l->d.j, l->d.root, "fallbacks", JSON_ARRAY)) {
        struct error_pattern x = {data_need(&l->d, p, "pattern")};
        data_source(&l->d, p);
        vec_push(l->d.a, &f->fallbacks, x);
    }
    json_each(m, json_take(&l->d.j, l->d.root, "modules", JSON_OBJECT)) {
        struct str key = json_key(m), text = json_str(&l->d.j, m);
        struct str s = arena_printf(l->d.a, "%.*s %.*s", STR_ARG(key), STR_ARG(text));
        vec_push(l->d.a, &f->modules, s);
    }
}

bool errors_load_text(struct arena *a, struct error_db *db, struct str name, struct str text,
                      struct str *error) {
    static const char *const keys[] = {"family",  "title",   "targets",   "named",   "words",
                                       "neutral", "sources", "modules",   "classes", "logs",
                                       "texts",   "advice",  "fallbacks", "rows",    NULL};
    struct error_family family = {0};
    struct loader l = {.family = &family};
    if (data_open(&l.d, a, name, text, NULL)) {
        json_only_keys(&l.d.j, l.d.root, keys);
        family.name = data_need(&l.d, l.d.root, "family");
        family.title = data_need(&l.d, l.d.root, "title");
        family.targets = data_list(&l.d, l.d.root, "targets");
        family.neutral = json_take_bool(&l.d.j, l.d.root, "neutral", false);
        l.advice = json_take(&l.d.j, l.d.root, "advice", JSON_OBJECT);
        read_patterns(&l);
        json_each(v, json_take(&l.d.j, l.d.root, "classes", JSON_ARRAY)) read_class(&l, v);
        json_each(v, json_need(&l.d.j, l.d.root, "rows", JSON_ARRAY)) read_row(&l, v);
    }
    *error = data_close(&l.d);
    if (error->n == 0) vec_push(a, &db->families, family);
    return error->n == 0;
}

bool errors_load(struct arena *a, struct error_db *db, struct str *error) {
    const struct embedded *e = NULL;
    while ((e = embed_next(e, S("rules/errors/"))) != NULL) {
        struct str name = str_of(e->path);
        if (!str_ends(name, S(".json"))) continue;
        if (!errors_load_text(a, db, name, embed_text(e), error)) return false;
    }
    return true;
}
