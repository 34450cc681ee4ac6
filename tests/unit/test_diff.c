/* SPDX-License-Identifier: Apache-2.0 */
/* Diffs, and what patch(1) makes of them. */
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "edit/diff.h"
#include "test.h"

static struct arena a;

static struct str diff_of(const char *path, struct str old, struct str new) {
    struct buf b;
    buf_init(&b, &a);
    diff_unified(&b, str_of(path), old, new, false);
    return buf_str(&b);
}

static void test_shape(void) {
    CHECK_STR(diff_of("x", S("a\n"), S("a\n")), "");
    CHECK_STR(diff_of("x", S(""), S("")), "");
    CHECK_STR(
        diff_of("d/x.py", S("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), S("1\n2\n3\n4\nV\n6\n7\n8\n9\n")),
        "--- a/d/x.py\n+++ b/d/x.py\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n 6\n 7\n 8\n");
    CHECK_STR(diff_of("x", S("a\nb"), S("a\nc")),
              "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n"
              "+c\n\\ No newline at end of file\n");
    CHECK_STR(diff_of("x", S("a"), S("a\n")),
              "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    CHECK_STR(diff_of("x", S(""), S("a\n")), "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
    CHECK_STR(diff_of("x", S("a\n"), S("")), "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n");
    CHECK_STR(diff_of("x", S("a\r\nb\r\n"), S("a\r\nc\r\n")),
              "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
}

/* Six equal lines between two changes: one hunk. Seven: two. */
static void test_hunks(void) {
    CHECK_STR(diff_of("x", S("a\n1\n2\n3\n4\n5\n6\nb\n"), S("A\n1\n2\n3\n4\n5\n6\nB\n")),
              "--- a/x\n+++ b/x\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
    CHECK_STR(diff_of("x", S("a\n1\n2\n3\n4\n5\n6\n7\nb\n"), S("A\n1\n2\n3\n4\n5\n6\n7\nB\n")),
              "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
              "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
    /* The shortest of the ways: one line in, none out. */
    CHECK_STR(diff_of("x", S("import torch\n\nx\n"), S("import torch\nimport torch_npu\n\nx\n")),
              "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n import torch\n+import torch_npu\n \n x\n");
}

static void test_names(void) {
    static const struct {
        const char *path, *want;
    } cases[] = {
        {"/abs/x", "--- a/abs/x\n"},
        {"././x", "--- a/x\n"},
        {"a b", "--- a/a b\t\n"},
        {"a\tb", "--- \"a/a\\tb\"\n"},
        {"a\nb", "--- \"a/a\\nb\"\n"},
        {"a\"b", "--- \"a/a\\\"b\"\n"},
        {"a\\b", "--- \"a/a\\\\b\"\n"},
        {"\x1b[31m", "--- \"a/\\033[31m\"\n"},
        {"\xff", "--- \"a/\\377\"\n"},
        {"\xe2\x80\xae", "--- \"a/\\342\\200\\256\"\n"},
        {"\xe4\xb8\xad", "--- a/\xe4\xb8\xad\n"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str d = diff_of(cases[i].path, S("a\n"), S("b\n"));
        CHECK_STR(str_sub(d, 0, str_find(d, S("\n"), 0) + 1), cases[i].want);
    }
}

static void test_colour(void) {
    struct buf b;
    buf_init(&b, &a);
    diff_unified(&b, S("x"), S("a\n"), S("b\n"), true);
    CHECK_STR(buf_str(&b), "\033[1m--- a/x\033[0m\n\033[1m+++ b/x\033[0m\n"
                           "\033[36m@@ -1 +1 @@\033[0m\n\033[31m-a\033[0m\n\033[32m+b\033[0m\n");
}

/* ---- with patch(1) ---- */

static uint32_t seed = 12345;
static uint32_t dice(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

static void add_random_line(struct buf *b, uint32_t words) {
    static const char *const ends[] = {"\n", "\n", "\n", "\r\n", "\r\r\n", " \n"};
    static const char *const odd[] = {"",  "--- a/x", "@@ -1 +1 @@", "\\ No newline",
                                      "+", "-",       "\t"};
    if (dice(9) == 0)
        buf_addz(b, odd[dice(ARRAY_LEN(odd))]);
    else
        buf_printf(b, "line %u", dice(words));
    buf_addz(b, ends[dice(ARRAY_LEN(ends))]);
}

/* The same text with every tenth line or so changed, left out or doubled. */
static struct str edited(struct str old, uint32_t rate) {
    struct buf b;
    buf_init(&b, &a);
    for (size_t i = 0; i < old.n;) {
        size_t end = str_find(old, S("\n"), i);
        if (end < old.n) end++;
        uint32_t what = dice(3 * rate);
        if (what == 1 || what == 2) add_random_line(&b, 1000);
        if (what != 0 && what != 1) buf_add(&b, str_sub(old, i, end));
        i = end;
    }
    struct str s = buf_str(&b);
    if (s.n && dice(3) == 0) s.n--; /* no final newline */
    return s;
}

static bool patch_agrees(const char *name, struct str old, struct str new) {
    struct str error, got, diff = diff_of(name, old, new);
    if (!file_create(&a, name, old, 0644, &error) ||
        !file_create(&a, "the.diff", diff, 0644, &error))
        return false;
    if (diff.n && system("patch -s -p1 < the.diff") != 0) return false;
    return file_read(&a, name, SIZE_MAX, &got, NULL, &error) && str_eq(got, new);
}

static void test_patch(void) {
    if (system("patch --version > /dev/null 2>&1") != 0) {
        printf("diff: patch is not installed, so its tests were left out\n");
        return;
    }
    for (int round = 0; round < 150; round++) {
        arena_reset(&a);
        struct buf old;
        buf_init(&old, &a);
        uint32_t lines = dice(120), words = 1 + dice(40);
        for (uint32_t i = 0; i < lines; i++) add_random_line(&old, words);
        struct str from = old.n ? buf_str(&old) : S("");
        if (from.n && dice(3) == 0) from.n--;
        struct str to = edited(from, 2 + dice(12));
        if (from.n == 0 || to.n == 0) continue; /* patch makes and removes files then */
        if (!CHECK(patch_agrees("x.py", from, to))) break;
    }
    static const char *const names[] = {"a b.py",     "tab\t.py",    "new\nline.py",
                                        "q\"uote.py", "back\\slash", "\xe4\xb8\xad.py",
                                        "\xff.py",    "-o"};
    bool takes_lines =
        system("patch --version | grep -q ' 2[.][0-7]'") == 0; /* 2.8 refuses them */
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!takes_lines && strchr(names[i], '\n')) continue;
        if (!CHECK(patch_agrees(names[i], S("a\nb\n"), S("a\nc\n"))))
            fprintf(stderr, "  %s\n", names[i]);
    }
}

/* ---- size ---- */

static size_t count(struct str s, const char *what) {
    size_t n = 0;
    for (size_t i = 0; (i = str_find(s, str_of(what), i)) < s.n; i++) n++;
    return n;
}

static void test_large(void) {
    arena_reset(&a);
    struct buf old, new, other;
    buf_init(&old, &a), buf_init(&new, &a), buf_init(&other, &a);
    enum { LINES = 100000 };
    for (int i = 0; i < LINES; i++) {
        buf_printf(&old, "line %d\n", i);
        if (i % 20 == 7)
            buf_printf(&new, "changed %d\n", i);
        else
            buf_printf(&new, "line %d\n", i);
        buf_printf(&other, "other %d\n", i);
    }
    /* Far more edits than one search looks for, and still not one line too many. */
    clock_t start = clock();
    struct str d = diff_of("x", buf_str(&old), buf_str(&new));
    CHECK(count(d, "\n-line") == LINES / 20 && count(d, "\n+changed") == LINES / 20);
    /* Nothing in common: bounded time. */
    d = diff_of("x", buf_str(&old), buf_str(&other));
    CHECK(count(d, "\n-line") == LINES && count(d, "\n+other") == LINES);
    d = diff_of("x", buf_str(&old), S("line 50000\n"));
    CHECK(count(d, "\n line") == 1);
    CHECK((clock() - start) / CLOCKS_PER_SEC < 20);
}

int main(void) {
    char top[] = "/tmp/cuda-morph-test-XXXXXX";
    if (!mkdtemp(top) || chdir(top) != 0) return 1;
    arena_init(&a, 0);
    test_shape();
    test_hunks();
    test_names();
    test_colour();
    test_patch();
    test_large();
    arena_free(&a);
    CHECK(chdir("/") == 0 && strncmp(top, "/tmp/", 5) == 0);
    CHECK(test_remove_tree(top));
    return test_end("diff");
}
