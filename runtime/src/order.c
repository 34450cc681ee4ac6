/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which blocks, and the threads of a block, begin: CUDA_MORPH_ORDER=reverse or
   random:SEED. CUDA promises none, so a program whose results change with it has a race. The
   blocks of a grid are too many for a table: a random order of theirs is n -> (a * n + b) mod
   total, with an a that has no divisor in common with total. */
#include "grid.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mixed(uint64_t x) { /* splitmix64 */
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint64_t divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

void cm_order_choose(const char *text) {
    char *end = NULL;
    cm_settings.order = CM_ORDER_USUAL;
    if (!text || !*text) return;
    if (!strcmp(text, "reverse")) {
        cm_settings.order = CM_ORDER_REVERSE;
    } else if (!strncmp(text, "random", 6) && (!text[6] || text[6] == ':')) {
        cm_settings.order = CM_ORDER_RANDOM;
        cm_settings.seed = text[6] ? strtoull(text + 7, &end, 10) : 1;
    }
    if (!cm_settings.order || (end && *end))
        fprintf(stderr, "cuda-morph: CUDA_MORPH_ORDER is reverse or random:SEED, not '%s'\n",
                text);
}

uint64_t cm_order_block(uint64_t number, uint64_t total) {
    if (cm_settings.order == CM_ORDER_REVERSE) return total - 1 - number;
    if (cm_settings.order != CM_ORDER_RANDOM || total < 2) return number;
    uint64_t factor = mixed(cm_settings.seed) % total;
    while (divisor(factor, total) != 1) factor = (factor + 1) % total;
    uint64_t offset = mixed(cm_settings.seed + 1) % total;
    return (uint64_t)(((unsigned __int128)factor * number + offset) % total);
}

void cm_order_threads(struct cm_order *o, unsigned int threads) {
    uint64_t state = cm_settings.seed;
    if (o->threads == threads) return;
    o->threads = threads;
    for (unsigned int i = 0; i < threads; i++)
        o->order[i] =
            (unsigned short)(cm_settings.order == CM_ORDER_REVERSE ? threads - 1 - i : i);
    for (unsigned int i = threads; cm_settings.order == CM_ORDER_RANDOM && i-- > 1;) {
        unsigned int k = (unsigned int)((state = mixed(state)) % (i + 1));
        unsigned short other = o->order[k];
        o->order[k] = o->order[i];
        o->order[i] = other;
    }
    for (unsigned int i = 0; i < threads; i++) o->place[o->order[i]] = (unsigned short)i;
}
