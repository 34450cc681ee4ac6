/* SPDX-License-Identifier: Apache-2.0 */
/* Results survive the way into the cache and back; cut anywhere, they are refused. */
#include "commands/asked.h"
#include "commands/cache.h"
#include "test.h"

static const struct cm_finding findings[] = {
    {.start = 7,
     .end = 11,
     .line = 2,
     .column = 3,
     .end_line = 2,
     .end_column = 7,
     .rule = {"torch-cuda/memory", 17},
     .token = {"torch.cuda", 10},
     .verdict = {"exact", 5},
     .message = {"a\0b", 3},
     .replacement = {"x", 1},
     .severity = 2,
     .certain = true,
     .outcome = CM_PORTED,
     .cell = 4,
     .group = 2,
     .needs = 8},
    {.rule = {"a/kept", 6}, .outcome = CM_KEPT},
    {.rule = {"a/b", 3}, .advice = {"why", 3}, .outcome = CM_MANUAL},
};
static const struct cm_edit edits[] = {
    {7, 11, {"new", 3}, 0, 0}, {20, 20, {"", 0}, UINT32_MAX, 3}, {30, 31, {"y", 1}, 2, 0}};
static const struct cm_note notes[] = {{3, 4, {"note", 4}, true}};
static const struct cm_unused unused[] = {
    {.start = 1, .end = 2, .line = 3, .rule = {"a/b", 3}, .remove_start = 5, .remove_end = 9}};
static const struct cm_result result = {.findings = findings,
                                        .n_findings = ARRAY_LEN(findings),
                                        .edits = edits,
                                        .n_edits = ARRAY_LEN(edits),
                                        .notes = notes,
                                        .n_notes = ARRAY_LEN(notes),
                                        .unused = unused,
                                        .n_unused = ARRAY_LEN(unused)};

static void test_round_trip(struct arena *a) {
    struct buf b;
    struct cm_result r;
    buf_init(&b, a);
    cache_encode(&b, &result);
    size_t first = b.n;
    cache_encode(&b, &(struct cm_result){.n_notes = 0});
    struct str text = buf_str(&b);
    CHECK(cache_decode(a, &text, &r));
    CHECK(text.n == b.n - first);
    CHECK(r.n_findings == 2 && r.n_edits == 3 && r.n_notes == 1 && r.n_unused == 1);
    CHECK(r.counts[CM_PORTED] == 1 && r.counts[CM_MANUAL] == 1 && r.counts[CM_KEPT] == 0);
    CHECK(str_eq(r.findings[0].message, findings[0].message));
    CHECK(r.findings[0].start == 7 && r.findings[0].cell == 4 && r.findings[0].certain);
    CHECK(str_is(r.findings[1].rule, "a/b") && str_is(r.findings[1].advice, "why"));
    CHECK(r.edits[0].finding == 0 && r.edits[1].finding == UINT32_MAX);
    CHECK(r.findings[0].group == 1 && r.findings[0].needs == 8 && r.edits[1].need == 3);
    CHECK(r.edits[2].finding == 1 && str_is(r.edits[2].text, "y"));
    CHECK(r.notes[0].fatal && r.notes[0].line == 3);
    CHECK(r.unused[0].remove_end == 9 && str_is(r.unused[0].rule, "a/b"));
    CHECK(cache_decode(a, &text, &r) && text.n == 0 && r.n_findings == 0);
    CHECK(!cache_decode(a, &text, &r));
    for (size_t n = 0; n < first; n++) {
        struct str cut = str_sub(buf_str(&b), 0, n);
        char *copy = arena_strdup(a, cut);
        cut.p = copy;
        CHECK(!cache_decode(a, &cut, &r));
    }
}

static void test_hash(void) {
    char text[100] = {0};
    for (size_t n = 0; n < sizeof text; n++) {
        struct str s = {text, n};
        struct hash128 h = hash128(s);
        CHECK(hash128_eq(h, hash128(s)));
        CHECK(!hash128_eq(h, hash128((struct str){text, n + (n < 99 ? 1 : (size_t)-1)})));
        for (size_t i = 0; i < n; i++) { /* every bit counts, wherever it is */
            text[i] = 1;
            CHECK(!hash128_eq(h, hash128(s)));
            text[i] = 0;
        }
    }
}

static void test_asked(struct arena *a) {
    struct asked one, two;
    asked_init(&one, a);
    CHECK(asked_text(&one).n == 0 && asked_holds(asked_text(&one)));
    CHECK(asked_exists(&one, S(".")) && !asked_exists(&one, S("./no such file")));
    CHECK(asked_exists(&one, S(".")) && one.files.n == 2); /* each is asked once */
    struct str text = asked_text(&one);
    CHECK(asked_holds(text));
    for (size_t n = 1; n < text.n; n++)
        if (n != 5) CHECK(!asked_holds(str_sub(text, 0, n))); /* 5: the first one is whole */
    char *other = arena_strdup(a, text);
    other[0] ^= 1; /* "." was not there, then */
    CHECK(!asked_holds((struct str){other, text.n}));
    asked_init(&two, a);
    asked_add(&two, (struct str){other, text.n});
    asked_add(&two, text); /* what is known stays */
    CHECK(two.files.n == 2 && !asked_exists(&two, S(".")));
    for (int i = 0; i < 1000; i++) asked_exists(&two, arena_printf(a, "./no file %d", i));
    CHECK(two.files.n == 1002 && !asked_exists(&two, S("./no file 7")) && two.files.n == 1002);
    struct asked three;
    asked_init(&three, a);
    asked_add(&three, asked_text(&two));
    CHECK(three.files.n == 1002 && str_eq(asked_text(&three), asked_text(&two)));
}

int main(void) {
    struct arena a;
    arena_init(&a, 0);
    test_round_trip(&a);
    test_hash();
    test_asked(&a);
    arena_free(&a);
    return test_end("cache");
}
