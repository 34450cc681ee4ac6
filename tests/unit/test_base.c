/* SPDX-License-Identifier: Apache-2.0 */
/* Strings, arenas, growable text, and the thread pool. */
#include <sched.h>
#include <stdatomic.h>

#include "base/pool.h"
#include "test.h"

static void test_strings(void) {
    CHECK(str_cmp(S("a"), S("b")) < 0);
    CHECK(str_cmp(S("a"), S("ab")) < 0);
    CHECK(str_cmp(S("\xff"), S("a")) > 0);
    CHECK(str_cmp(S("same"), S("same")) == 0);
    CHECK(str_find(S("abcabc"), S("ca"), 0) == 2);
    CHECK(str_find(S("abcabc"), S("abc"), 1) == 3);
    CHECK(str_find_word(S("torch_musa.torch"), S("torch"), 0) == 11);
    CHECK(str_find_word(S("torch_musa, mytorch"), S("torch"), 0) == 19);
    CHECK(str_find_word(S("a"), S(""), 0) == 1);
    CHECK(str_find(S("abc"), S("x"), 0) == 3);
    CHECK(str_find(S("abc"), S("abcd"), 0) == 3);
    CHECK(str_find(S(""), S("a"), 0) == 0);
    CHECK(str_find(S("abc"), S("a"), 4) == 3);
    CHECK_STR(str_last_dotted(S("torch.cuda.amp")), "amp");
    CHECK_STR(str_last_dotted(S("torch")), "torch");
    CHECK_STR(str_last_dotted(S("torch.")), "");
    CHECK_STR(str_word(S("int n_2=7"), 4), "n_2");
    CHECK_STR(str_word(S("a n"), 2), "n");
    CHECK_STR(str_word(S("a\xc3\xa4"), 0), "a");
    CHECK_STR(str_word(S("a b"), 1), "");
    CHECK_STR(str_word(S("a"), 1), "");
    CHECK(str_skip_blanks(S(" \t x"), 0) == 3 && str_skip_blanks(S("x \n"), 1) == 2);
    CHECK(str_skip_blanks(S("a  "), 1) == 3 && str_skip_blanks(S("a  "), 3) == 3);
    CHECK_STR(str_folder(S("a/b.py")), "a/");
    CHECK_STR(str_folder(S("b.py")), "");
    CHECK_STR(str_folder_above(S("a/b/c")), "a/b");
    CHECK_STR(str_folder_above(S("a")), "");
    CHECK_STR(str_folder_above(S("/a")), "");
    CHECK(str_starts(S("abc"), S("ab")) && !str_starts(S("a"), S("ab")));
    CHECK(str_ends(S("abc"), S("bc")) && !str_ends(S("c"), S("bc")));
    CHECK(str_hash(S("a")) == 0xaf63dc4c8601ec8cu); /* the published FNV-1a value */
}

static void test_distance(void) {
    CHECK(str_distance(S(""), S("")) == 0);
    CHECK(str_distance(S(""), S("abc")) == 3);
    CHECK(str_distance(S("rocm"), S("rcom")) == 1); /* a swap */
    CHECK(str_distance(S("kitten"), S("sitting")) == 3);
    CHECK(str_distance(S("rocm"), S("ascend")) == str_distance(S("ascend"), S("rocm")));
    char x[65];
    memset(x, 'x', sizeof x);
    CHECK(str_distance((struct str){x, 64}, S("")) == 64);
    CHECK(str_distance((struct str){x, 65}, S("")) == SIZE_MAX);
}

static void test_arena(void) {
    struct arena a;
    arena_init(&a, 0);
    char *p = arena_alloc(&a, 3), *q = arena_alloc(&a, 5);
    CHECK(p != q && (uintptr_t)p % 16 == 0 && (uintptr_t)q % 16 == 0);
    memcpy(q, "hello", 5);
    CHECK(arena_grow(&a, q, 5, 100) == q); /* the newest grows in place */
    memcpy(p, "abc", 3);
    char *moved = arena_grow(&a, p, 3, 1000);
    CHECK(moved != p && memcmp(moved, "abc", 3) == 0);
    char *large = arena_zalloc(&a, 10u << 20);
    CHECK(large[0] == 0 && large[(10u << 20) - 1] == 0);
    CHECK(arena_strdup(&a, S("xyz"))[3] == 0);
    CHECK_STR(arena_concat(&a, S("ab"), S("cd")), "abcd");
    CHECK_STR(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    arena_reset(&a);
    CHECK(a.used == 0);
    arena_free(&a);
}

/* What is made of texts is followed by a NUL, also where other bytes lay before. */
static void test_ends_of_texts(void) {
    struct arena a;
    arena_init(&a, 0);
    for (int i = 0; i < 4; i++) {
        struct arena_mark here = arena_mark(&a);
        memset(arena_alloc(&a, 64), 'x', 64);
        arena_release(&a, here);
        struct str s = i == 0   ? arena_concat(&a, S("ab"), S("cd"))
                       : i == 1 ? arena_str(&a, S("abcd"))
                       : i == 2 ? str_of(arena_strdup(&a, S("abcd")))
                                : arena_printf(&a, "ab%s", "cd");
        CHECK(s.n == 4 && memcmp(s.p, "abcd", 5) == 0);
    }
    arena_free(&a);
}

static void test_arena_limit(void) {
    struct arena a;
    jmp_buf out;
    arena_init(&a, 1024);
    a.escape = &out;
    volatile int rounds = 0;
    if (setjmp(out) == 0) {
        for (;;) {
            arena_alloc(&a, 100);
            rounds++;
        }
    }
    CHECK(rounds == 9);
    if (setjmp(out) == 0) {
        arena_alloc(&a, SIZE_MAX - 3);
        CHECK(!"an impossible size was allocated");
    }
    arena_free(&a);
}

static void test_vectors(void) {
    struct arena a;
    arena_init(&a, 0);
    VEC(size_t) v = {0};
    for (size_t i = 0; i < 10000; i++) {
        vec_push(&a, &v, i * 3);
        if (i % 7 == 0) arena_alloc(&a, 1); /* so that it has to move */
    }
    bool ok = v.n == 10000;
    for (size_t i = 0; i < v.n; i++) ok = ok && v.v[i] == i * 3;
    CHECK(ok);
    arena_free(&a);
}

struct numbered {
    int key, at;
};

static int by_key(const void *x, const void *y, const void *sign) {
    return *(const int *)sign *
           (((const struct numbered *)x)->key - ((const struct numbered *)y)->key);
}

/* Equal ones keep their order, forwards and backwards, however many there are. */
static void test_sort(void) {
    struct arena a;
    arena_init(&a, 0);
    for (int n = 0; n < 70; n++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct numbered v[70];
            for (int i = 0; i < n; i++) v[i] = (struct numbered){i * 7919 % 13, i};
            sort_stable(&a, v, (size_t)n, sizeof *v, by_key, &sign);
            bool ok = true;
            for (int i = 1; i < n; i++) {
                int order = by_key(&v[i - 1], &v[i], &sign);
                ok = ok && (order < 0 || (order == 0 && v[i - 1].at < v[i].at));
            }
            CHECK(ok);
        }
    CHECK(a.used == 0);
    arena_free(&a);
}

static struct str json_of(struct arena *a, struct str s) {
    struct buf b;
    buf_init(&b, a);
    buf_add_json(&b, s);
    return buf_str(&b);
}

static struct str visible_of(struct arena *a, struct str s) {
    struct buf b;
    buf_init(&b, a);
    buf_add_visible(&b, s);
    return buf_str(&b);
}

static void test_text(void) {
    struct arena a;
    arena_init(&a, 0);
    struct buf b;
    buf_init(&b, &a);
    for (int i = 0; i < 1000; i++) buf_printf(&b, "%d,", i);
    CHECK(b.n == 3890 && b.p[b.n] == 0);
    CHECK_STR(json_of(&a, S("a\"\\\n\t\r\x01")), "\"a\\\"\\\\\\n\\t\\r\\u0001\"");
    CHECK_STR(json_of(&a, S("\xff\xe4\xb8\xad")), "\"\\ufffd\xe4\xb8\xad\"");
    CHECK_STR(json_of(&a, S("")), "\"\"");
    CHECK_STR(visible_of(&a, S("a\x1b[31m")), "a\\x1b[31m");
    CHECK_STR(visible_of(&a, S("a\nb\x7f")), "a\\x0ab\\x7f");
    CHECK_STR(visible_of(&a, S("\xc2\x9b")), "\\u{009b}");     /* C1: an escape by itself */
    CHECK_STR(visible_of(&a, S("\xe2\x80\xae")), "\\u{202e}"); /* right-to-left override */
    CHECK_STR(visible_of(&a, S("\xc3\xa9 \xff")), "\xc3\xa9 \\xff");
    arena_free(&a);
}

static void test_utf8(void) {
    uint32_t c;
    CHECK(utf8_next(S("a"), 0, &c) == 1 && c == 'a');
    CHECK(utf8_next(S("\xf0\x9f\x98\x80"), 0, &c) == 4 && c == 0x1F600);
    CHECK(utf8_valid(S("\xe4\xb8\xad\xe6\x96\x87")));
    static const char *const bad[] = {
        "\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x80\x80",
        "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff",         "\xe4\xb8",         "\xe4\x41\x41",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) CHECK(!utf8_valid(str_of(bad[i])));
}

/* ---- the pool ---- */

enum { ITEMS = 5000, JOBS = 4 };

struct tally {
    atomic_int runs[ITEMS];
    atomic_bool busy[JOBS];
    atomic_int overlaps, wrong_worker;
};

static void count_item(void *ctx, size_t worker, size_t index) {
    struct tally *t = ctx;
    if (worker >= JOBS) {
        atomic_fetch_add(&t->wrong_worker, 1);
        return;
    }
    if (atomic_exchange(&t->busy[worker], true)) atomic_fetch_add(&t->overlaps, 1);
    if (index % 64 == 0) sched_yield();
    atomic_fetch_add(&t->runs[index], 1);
    atomic_store(&t->busy[worker], false);
}

struct order {
    size_t n, seen[10];
};

static void note_order(void *ctx, size_t worker, size_t index) {
    struct order *o = ctx;
    o->seen[o->n++] = worker == 0 ? index : SIZE_MAX;
}

static void test_pool(void) {
    static struct tally t;
    pool_run(JOBS, ITEMS, count_item, &t);
    int right = 0;
    for (size_t i = 0; i < ITEMS; i++) right += t.runs[i] == 1;
    CHECK(right == ITEMS);
    CHECK(t.overlaps == 0 && t.wrong_worker == 0);

    for (size_t jobs = 0; jobs < 2; jobs++) {
        struct order o = {0};
        pool_run(jobs, 10, note_order, &o);
        bool in_order = o.n == 10;
        for (size_t i = 0; i < o.n; i++) in_order = in_order && o.seen[i] == i;
        CHECK(in_order);
    }
    struct order none = {0};
    pool_run(8, 0, note_order, &none);
    CHECK(none.n == 0);
}

static void test_default_jobs(void) {
    CHECK(pool_quota_cpus(S("max 100000\n")) == 0);
    CHECK(pool_quota_cpus(S("150000 100000\n")) == 2);
    CHECK(pool_quota_cpus(S("200000 100000")) == 2);
    CHECK(pool_quota_cpus(S("1000 100000")) == 1);
    CHECK(pool_quota_cpus(S("100000")) == 0);
    CHECK(pool_quota_cpus(S("")) == 0);
    CHECK(pool_quota_cpus(S("-5 -5")) == 0);
    CHECK(pool_default_jobs() >= 1);
    cpu_set_t old, one;
    if (sched_getaffinity(0, sizeof old, &old) != 0) return;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &old)) {
            CPU_SET(i, &one);
            break;
        }
    if (sched_setaffinity(0, sizeof one, &one) != 0) return;
    CHECK(pool_default_jobs() == 1);
    sched_setaffinity(0, sizeof old, &old);
}

int main(void) {
    test_strings();
    test_distance();
    test_arena();
    test_ends_of_texts();
    test_arena_limit();
    test_vectors();
    test_sort();
    test_text();
    test_utf8();
    test_pool();
    test_default_jobs();
    return test_end("base");
}
