/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - counts what holds and what does not; for the programs of this folder, in C and C++. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                                          \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            failures++;                                                                           \
            printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                 \
        }                                                                                         \
    } while (0)

/* The call gives this error, and leaves it as the last one; then the last one is forgotten. */
#define GIVES(error, call)                                                                        \
    do {                                                                                          \
        cmError_t got = (call);                                                                   \
        if (got != (error)) {                                                                     \
            failures++;                                                                           \
            printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call,                     \
                   cmGetErrorName(got), cmGetErrorName(error));                                   \
        }                                                                                         \
        if ((error) != cmSuccess) CHECK(cmGetLastError() == (error));                             \
    } while (0)

#define OK(call) GIVES(cmSuccess, call)

#endif
