/* SPDX-License-Identifier: Apache-2.0 */
#include "../../runtime/include/cuda_morph/bucket.h"
#include "diag/embed.h"
#include "diag/probes.h"
#include "diag/quant.h"
#include "diag/versions.h"
#include "test.h"

static struct arena arena;

/* A row of any of these files without a source is an error of its reader. */
static void test_every_row_has_a_source(void) {
    probe_targets targets = {0};
    struct quant_methods methods;
    struct str error;
    size_t tables = 0;
    const struct embedded *e = NULL;
    CHECK(probes_load(&arena, NULL, 0, &targets, &error));
    CHECK(targets.n >= 7);
    for (size_t i = 0; i < targets.n; i++)
        for (size_t k = 0; k < targets.v[i].items.n; k++)
            if (targets.v[i].items.v[k].source.n == 0 || targets.v[i].items.v[k].fix.n == 0)
                CHECK_STR(targets.v[i].items.v[k].title, "an item with a source and a fix");
    CHECK(quant_load(&arena, &methods, &error));
    for (size_t i = 0; i < methods.v.n; i++) CHECK(methods.v.v[i].source.n > 0);
    while ((e = embed_next(e, S("rules/versions/"))) != NULL) {
        version_set none = {0};
        version_findings found = {0};
        struct str path = str_of(e->path);
        struct str target = str_sub(path, strlen("rules/versions/"), path.n - strlen(".json"));
        if (!CHECK(versions_check(&arena, target, &none, &found, &error)))
            fprintf(stderr, "%.*s\n", STR_ARG(error));
        CHECK(found.n == 0);
        tables++;
    }
    CHECK(tables >= 6);
}

static void test_versions(void) {
    static const struct {
        const char *x, *y;
        int match;
    } rows[] = {{"2.5.1", "2.5.1", 2},
                {"2.5.1+cpu", "2.5.1", 2},
                {"v2.5.1", "2.5.1", 2},
                {"2.5.1", "2.5.1.post1", 1},
                {"2.5.1.post1", "2.5.1", 1},
                {"2.5.1.post1", "2.5.1.post2", 1},
                {"2.1.0.post12", "2.1.0.post12", 2},
                {"2.10", "2.1", 0},
                {"2.1.2", "2.1", 2},
                {"8.0.rc3", "8.0.RC3", 2},
                {"8.0.0", "8.0.RC3", 0},
                {"", "2.1", 0},
                {"2.1", "", 0},
                {"3.11", "3.1", 0}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (!CHECK(version_match(str_of(rows[i].x), str_of(rows[i].y)) == rows[i].match))
            fprintf(stderr, "  %s and %s\n", rows[i].x, rows[i].y);
    CHECK(version_compare(S("2.10"), S("2.9")) > 0);
    CHECK(version_compare(S("2.6"), S("2.6.0+cpu")) == 0);
    CHECK(version_compare(S("1.13.1"), S("2.0")) < 0);
    CHECK(version_compare(S("99999999999999999999"), S("2")) > 0);
}

/* A size above the last bucket is an error, not cut down. */
static void test_buckets(void) {
    const long table[] = {128, 256}, mixed[] = {512, 64, 128};
    CHECK(cm_bucket(137, table, 2) == 256);
    CHECK(cm_bucket(128, table, 2) == 128 && cm_bucket(0, table, 2) == 128);
    CHECK(cm_bucket(257, table, 2) == -1 && cm_bucket(-1, table, 2) == -1);
    CHECK(cm_bucket(65, mixed, 3) == 128 && cm_bucket(1, mixed, 0) == -1);
}

int main(void) {
    arena_init(&arena, 0);
    test_every_row_has_a_source();
    test_versions();
    test_buckets();
    arena_free(&arena);
    return test_end("diag");
}
