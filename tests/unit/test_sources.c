/* SPDX-License-Identifier: Apache-2.0 */
/* Every fact of the diagnostics' data files names where it was read, and when. */
#include "base/json.h"
#include "diag/embed.h"
#include "test.h"

static struct arena arena;

struct walk {
    struct json j;
    const struct cJSON *sources;
    size_t facts, without;
};

/* A fact is an object with members of its own, in a list or under one of these names. */
static bool is_single_fact(struct str key) {
    return str_is(key, "query") || str_is(key, "compile");
}

static void check_fact(struct walk *w, const struct cJSON *v) {
    w->facts++;
    struct str key = json_take_str(&w->j, v, "source", S(""));
    const struct cJSON *s = json_get(w->sources, arena_strdup(&arena, key));
    bool ok = key.n && s && json_need_str(&w->j, s, "source").n > 4 &&
              json_need_str(&w->j, s, "checked").n >= strlen("2026-11");
    if (!ok) w->without++;
}

static void walk(struct walk *w, const struct cJSON *v) {
    json_each(child, v) {
        enum json_type type = json_type(child);
        bool in_list = json_type(v) == JSON_ARRAY;
        if (type == JSON_OBJECT && (in_list || is_single_fact(json_key(child))))
            check_fact(w, child);
        if (type == JSON_OBJECT || type == JSON_ARRAY) walk(w, child);
    }
}

/* How many facts of a text have no source; `root`: where its "sources" are, NULL: at the top. */
static size_t without_source(struct str name, struct str text, const char *root, size_t *facts) {
    struct walk w = {0};
    if (!CHECK(json_parse(&w.j, &arena, name, text))) return 1;
    const struct cJSON *top = root ? json_get(w.j.root, root) : w.j.root;
    w.sources = json_get(top, "sources");
    walk(&w, top);
    json_free(&w.j);
    *facts += w.facts;
    return w.without;
}

static void test_folder(const char *folder, const char *root, size_t least) {
    const struct embedded *e = NULL;
    size_t facts = 0;
    while ((e = embed_next(e, str_of(folder))) != NULL)
        if (str_ends(str_of(e->path), S(".json")))
            if (!CHECK(without_source(str_of(e->path), embed_text(e), root, &facts) == 0))
                fprintf(stderr, "%s: a row has no source\n", e->path);
    if (!CHECK(facts >= least)) fprintf(stderr, "%s: only %zu facts\n", folder, facts);
}

static void test_a_row_without_is_found(void) {
    size_t facts = 0;
    struct str bad = S("{\"sources\": {\"a\": {\"source\": \"a page\", \"checked\": \"2026-11\"},"
                       " \"b\": {\"source\": \"a page\", \"checked\": \"\"}}, \"rows\": ["
                       "{\"source\": \"a\"}, {\"source\": \"b\"}, {\"source\": \"c\"}, {}]}");
    CHECK(without_source(S("a test"), bad, NULL, &facts) == 3);
    CHECK(facts == 4);
}

/* Flags of compilers: one place and date for the file. */
static void test_flags(void) {
    struct json j;
    const struct embedded *e = embed_find(S("rules/data/nvcc-flags.json"));
    if (!CHECK(e && json_parse(&j, &arena, str_of(e->path), embed_text(e)))) return;
    CHECK(json_need_str(&j, j.root, "checked").n > strlen("2026-11"));
    json_free(&j);
}

int main(void) {
    arena_init(&arena, 0);
    test_folder("rules/errors/", NULL, 700);
    test_folder("rules/versions/", NULL, 110);
    test_folder("rules/quant/", NULL, 25);
    test_folder("rules/targets/", "probes", 150);
    test_flags();
    test_a_row_without_is_found();
    arena_free(&arena);
    return test_end("sources");
}
