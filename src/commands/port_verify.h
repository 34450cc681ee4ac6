/* SPDX-License-Identifier: Apache-2.0 */
/* port_verify.h - what `port --verify` finds. */
#ifndef CM_PORT_VERIFY_H
#define CM_PORT_VERIFY_H

#include "commands/compile.h"
#include "commands/inputs.h"

enum verify_kind {
    VERIFY_NOTE,    /* a part that could not be looked at, before the port either */
    VERIFY_MISSING, /* a header of the target is not there: the work could not be done */
    VERIFY_ERROR    /* would not compile */
};

struct verify_result {
    const char *path; /* real */
    uint32_t line, column;
    enum verify_kind kind;
    struct str message;
};

struct verify_results {
    struct verify_result *v;
    size_t n, cap;
    bool would_not_compile, not_verified;
    size_t files; /* that were asked about: sources, and headers that none of them includes */
};

/* Files by what came of it; one that fails is not also one that could not be verified. */
struct verify_counts {
    size_t files, verified, failing, not_verified;
};

/* Sorts what was found by place, and counts the files. */
struct verify_counts verify_count(struct verify_results *results);

/* What is verified: those sources for that target. */
struct verification {
    struct cli *cli;
    const struct inputs *in;
    const struct compile_setup *compile;
    const struct cm_target *target;
};

/* Verifies all sources, and writes nothing. False after a message where that cannot be done at
 * all. */
bool port_verify(const struct verification *what, struct verify_results *results);

#endif
