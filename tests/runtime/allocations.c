/* SPDX-License-Identifier: Apache-2.0 */
/* Many allocations at once: each address is found in the one that holds it, and in no other, while
   they come and go in any order. */
#include "check.h"
#include <cuda_morph/runtime.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST = 3000, STEPS = 60000 };
static unsigned char *at[MOST];
static size_t sizes[MOST];
static uint32_t seed = 12345;

static uint32_t any(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static void look(int i) {
    void *base = NULL;
    size_t size = 0;
    OK(cmMemGetAddressRange(&base, &size, at[i] + any((uint32_t)sizes[i])));
    CHECK(base == at[i] && size == sizes[i]);
}

int main(void) {
    size_t before, after, total;
    OK(cmMemGetInfo(&before, &total));
    for (int step = 0; step < STEPS; step++) {
        /* Waves: mostly full, mostly empty, empty. */
        bool fill = any(100) < (step / 6000 % 2 ? 20u : 80u);
        int i = (int)any(MOST);
        if (at[i] && !fill) {
            look(i);
            OK(cmFree(at[i]));
            if (step % 97 == 0) GIVES(cmErrorInvalidValue, cmFree(at[i]));
            at[i] = NULL;
        } else if (!at[i] && fill) {
            sizes[i] = 1 + any(any(2) ? 300 : 20000);
            OK(cmMalloc((void **)&at[i], sizes[i]));
            CHECK((uintptr_t)at[i] % 256 == 0);
            at[i][0] = at[i][sizes[i] - 1] =
                (unsigned char)i; /* its own: nobody else writes here */
        } else if (at[i]) {
            look(i);
            CHECK(at[i][0] == (unsigned char)i && at[i][sizes[i] - 1] == (unsigned char)i);
        }
    }
    for (int i = 0; i < MOST; i++)
        if (at[i]) OK(cmFree(at[i]));
    OK(cmMemGetInfo(&after, &total));
    CHECK(after == before);
    void *p = &p;
    GIVES(cmErrorInvalidValue, cmMemGetAddressRange(&p, NULL, &seed));
    OK(cmMalloc(&p, 10));
    GIVES(cmErrorInvalidValue, cmMemGetAddressRange(NULL, NULL, (char *)p + 10));
    GIVES(cmErrorInvalidValue, cmFree((char *)p + 1));
    OK(cmFree(p));
    return failures != 0;
}
