/* SPDX-License-Identifier: Apache-2.0 */
/* bucket.h - sizes rounded up to a few fixed ones, so that a compiled graph is used again instead
 * of being compiled for every length (torchair, CUDA graphs and their kin). C99, C++ and HIP;
 * nothing behind it. */
#ifndef CUDA_MORPH_BUCKET_H
#define CUDA_MORPH_BUCKET_H

#include <stddef.h>

/* The smallest of the n sizes in `table`, in any order, that is at least `size`; -1 where there is
 * none, or where size is negative: a size is never cut down. */
static inline long cm_bucket(long size, const long *table, size_t n) {
    long best = -1;
    for (size_t i = 0; i < n; i++)
        if (size >= 0 && table[i] >= size && (best < 0 || table[i] < best)) best = table[i];
    return best;
}

#endif
