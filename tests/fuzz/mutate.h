/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.h - from programs to damaged programs, the same ones for the same random numbers. */
#ifndef CM_FUZZ_MUTATE_H
#define CM_FUZZ_MUTATE_H

#include "cudamorph.h"

enum { MAX_TEXT = 256 * 1024 };

/* A program under change. */
struct text {
    size_t n;
    enum cm_language language;
    char p[MAX_TEXT];
};

void text_set(struct text *t, struct str s, enum cm_language language);
/* Puts `with` in the place of [start, end); nothing happens when it does not fit. */
void text_replace(struct text *t, size_t start, size_t end, struct str with);

struct randomness {
    uint64_t state;
};

/* From 0 to n - 1; 0 for n = 0. */
size_t random_below(struct randomness *r, size_t n);

/* The programs to start from. */
struct seed {
    struct str bytes;
    enum cm_language language;
};
struct seeds {
    struct seed *v;
    size_t n, cap;
};

/* All Python files and notebooks below the paths that are not too long, in a's memory. */
void seeds_read(struct seeds *s, struct arena *a, const char *const *paths, size_t n);

/* Makes *t one of the seeds (at least one), changed in one to eight ways. */
void mutate(struct text *t, const struct seeds *s, struct randomness *r);

#endif
