#include "base/json.h"
#include "diag/embed.h"
#include "diag/errors.h"

struct loader {
    struct arena *a;
    struct json j;
    const struct cJSON *sources, *advice;
    struct error_family *family;
};

/* Strings of the document end with it. */
static struct str keep(struct loader *l, struct str s) { return arena_str(l->a, s); }

/* The source that a row names, as a sentence with its date. */
static struct str source_of(struct loader *l, const struct cJSON *row) {
    static const char *const keys[] = {"source", "checked", NULL};
    struct str key = json_need_str(&l->j, row, "source");
    if (key.n == 0) return S("");
    const struct cJSON *s = json_get(l->sources, arena_strdup(l->a, key));
    if (!s) {
        json_fail(&l->j, row, "\"sources\" has no \"%.*s\"", STR_ARG(key));
        return S("");
    }
    json_only_keys(&l->j, s, keys);
    struct str where = json_need_str(&l->j, s, "source");
    struct str when = json_need_str(&l->j, s, "checked");
    if (where.n == 0 || when.n == 0) json_fail(&l->j, s, "a source has a text and a date");
    return arena_printf(l->a, "%.*s (%.*s)", STR_ARG(where), STR_ARG(when));
}

static struct str advice_of(struct loader *l, const struct cJSON *row) {
    struct str key = json_take_str(&l->j, row, "advice", S(""));
    if (key.n == 0) return key;
    const struct cJSON *text = json_get(l->advice, arena_strdup(l->a, key));
    if (!text) json_fail(&l->j, row, "\"advice\" has no \"%.*s\"", STR_ARG(key));
    return text ? keep(l, json_str(&l->j, text)) : S("");
}

static void read_row(struct loader *l, const struct cJSON *v) {
    static const char *const keys[] = {"code",    "kind",   "text",   "name",       "category",
                                       "meaning", "advice", "source", "unverified", NULL};
    struct error_row r = {.kind = -1};
    json_only_keys(&l->j, v, keys);
    r.has_code = json_get(v, "code") != NULL;
    r.code = json_take_int(&l->j, v, "code", 0);
    r.kind = json_take_int(&l->j, v, "kind", -1);
    r.text = keep(l, json_take_str(&l->j, v, "text", S("")));
    r.name = keep(l, json_need_str(&l->j, v, "name"));
    r.category = keep(l, json_take_str(&l->j, v, "category", S("")));
    r.meaning = keep(l, json_need_str(&l->j, v, "meaning"));
    r.advice = advice_of(l, v);
    r.source = source_of(l, v);
    r.unverified = json_take_bool(&l->j, v, "unverified", false);
    if (r.has_code + (r.kind >= 0) + (r.text.n > 0) != 1)
        json_fail(&l->j, v, "a row has one of \"code\", \"kind\" and \"text\"");
    vec_push(l->a, &l->family->rows, r);
}

static void read_class(struct loader *l, const struct cJSON *v) {
    static const char *const keys[] = {"from",   "to",     "letters",    "meaning",
                                       "advice", "source", "unverified", NULL};
    struct error_class c = {0};
    json_only_keys(&l->j, v, keys);
    c.letters = keep(l, json_take_str(&l->j, v, "letters", S("")));
    if (c.letters.n == 0) {
        c.from = json_need_int(&l->j, v, "from");
        c.to = json_need_int(&l->j, v, "to");
    }
    c.meaning = keep(l, json_need_str(&l->j, v, "meaning"));
    c.advice = keep(l, json_take_str(&l->j, v, "advice", S("")));
    c.source = source_of(l, v);
    c.unverified = json_take_bool(&l->j, v, "unverified", false);
    vec_push(l->a, &l->family->classes, c);
}

static void read_lists(struct loader *l) {
    struct error_family *f = l->family;
    json_each(t, json_need(&l->j, l->j.root, "targets", JSON_ARRAY)) {
        struct str s = keep(l, json_str(&l->j, t));
        vec_push(l->a, &f->targets, s);
    }
    json_each(p, json_need(&l->j, l->j.root, "logs", JSON_ARRAY)) {
        struct error_pattern x = {keep(l, json_str(&l->j, p))};
        vec_push(l->a, &f->logs, x);
    }
    json_each(p, json_take(&l->j, l->j.root, "fallbacks", JSON_ARRAY)) {
        struct error_pattern x = {keep(l, json_need_str(&l->j, p, "pattern"))};
        source_of(l, p);
        vec_push(l->a, &f->fallbacks, x);
    }
    json_each(m, json_take(&l->j, l->j.root, "modules", JSON_OBJECT)) {
        struct str key = json_key(m), text = json_str(&l->j, m);
        struct str s = arena_printf(l->a, "%.*s %.*s", STR_ARG(key), STR_ARG(text));
        vec_push(l->a, &f->modules, s);
    }
}

bool errors_load_text(struct arena *a, struct error_db *db, struct str name, struct str text,
                      struct str *error) {
    static const char *const keys[] = {"family",  "title",   "targets",   "sources",
                                       "modules", "classes", "fallbacks", "logs",
                                       "advice",  "rows",    NULL};
    struct error_family family = {0};
    struct loader l = {.a = a, .family = &family};
    if (json_parse(&l.j, a, name, text)) {
        json_only_keys(&l.j, l.j.root, keys);
        family.name = keep(&l, json_need_str(&l.j, l.j.root, "family"));
        family.title = keep(&l, json_need_str(&l.j, l.j.root, "title"));
        l.sources = json_need(&l.j, l.j.root, "sources", JSON_OBJECT);
        l.advice = json_take(&l.j, l.j.root, "advice", JSON_OBJECT);
        read_lists(&l);
        json_each(v, json_take(&l.j, l.j.root, "classes", JSON_ARRAY)) read_class(&l, v);
        json_each(v, json_need(&l.j, l.j.root, "rows", JSON_ARRAY)) read_row(&l, v);
    }
    *error = l.j.error;
    json_free(&l.j);
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
