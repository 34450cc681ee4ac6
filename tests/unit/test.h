/* SPDX-License-Identifier: Apache-2.0 */
/* test.h - assertions for unit tests. A test is one program: main calls its functions and ends
 * with `return test_end("NAME");`, which prints "NAME: N passed, N failed", and how many
 * were skipped, where some were: test_skip() names each. */
#ifndef CM_TEST_H
#define CM_TEST_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

static int test_passed, test_failed, test_skipped;

static inline bool test_check(bool ok, const char *file, int line, const char *what) {
    if (ok)
        test_passed++;
    else {
        test_failed++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
    return ok;
}

static inline void test_str(struct str got, struct str want, const char *file, int line,
                            const char *what) {
    if (!test_check(str_eq(got, want), file, line, what))
        fprintf(stderr, "  got:  \"%.*s\"\n  want: \"%.*s\"\n", STR_ARG(got), STR_ARG(want));
}

#define CHECK(cond) test_check((cond), __FILE__, __LINE__, #cond)
/* struct str on the left, a string literal or char * on the right. */
#define CHECK_STR(got, want) test_str((got), str_of(want), __FILE__, __LINE__, #got " == " #want)
/* That the text contains the other one. */
#define CHECK_HAS(text, part)                                                                     \
    do {                                                                                          \
        struct str text_ = (text);                                                                \
        if (!CHECK(str_find(text_, str_of(part), 0) < text_.n))                                   \
            fprintf(stderr, "  \"%.*s\" lacks \"%s\"\n", STR_ARG(text_), part);                   \
    } while (0)

static inline void test_skip(const char *name, const char *what, struct str why) {
    test_skipped++;
    printf("%s: skipped: %s: %.*s\n", name, what, STR_ARG(why));
}

/* Removes what a test made, a folder and all below it; links are not followed. Folders are gone
 * into, since a path may be longer than a call takes. */
static inline bool test_remove_tree(const char *path) {
    struct stat st;
    if (lstat(path, &st) != 0) return false;
    if (!S_ISDIR(st.st_mode)) return unlink(path) == 0;
    if (chmod(path, 0700) != 0 || chdir(path) != 0) return false;
    bool done = true;
    DIR *dir = opendir(".");
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            done &= test_remove_tree(e->d_name);
    if (dir) closedir(dir);
    return chdir("..") == 0 && done && dir && rmdir(path) == 0;
}

static inline int test_end(const char *name) {
    printf("%s: %d passed, %d failed", name, test_passed, test_failed);
    if (test_skipped) printf(", %d skipped", test_skipped);
    putchar('\n');
    return test_failed != 0;
}

#endif
