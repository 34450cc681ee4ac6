/* SPDX-License-Identifier: Apache-2.0 */
/* verify_preamble.h - the target's own header, read once for the many files that begin with it.
 *
 * It is most of what --verify reads of a small file. A file gets it precompiled only if that is
 * the same: nothing but headers of the language stands before it. */
#ifndef CM_VERIFY_PREAMBLE_H
#define CM_VERIFY_PREAMBLE_H

#include "cudamorph.h"
#include "semantic/ask.h"

#include <pthread.h>

/* One text of flags, and the file for it. */
struct preamble {
    struct str flags;
    const char *path; /* NULL: there is none (yet) */
    bool tried;
};

struct preambles {
    const struct cm_session *session;
    const struct sem *sem;
    struct sem_limits limits;
    const char *header; /* hip/hip_runtime.h */
    pthread_mutex_t lock;
    struct arena a;
    VEC(struct preamble) v;
    const char *folder; /* made with the first file, removed with all */
};

/* Nothing is made before preamble_for is asked twice for the same flags. */
void preambles_begin(struct preambles *p, const struct cm_session *session, const struct sem *sem,
                     struct sem_limits limits, const char *header);
/* The precompiled header that `text`, parsed as `in` says, may begin with instead of reading it,
 * or NULL. For any thread. */
const char *preamble_for(struct preambles *p, const struct sem_input *in, struct str text);
/* Removes what was written. */
void preambles_end(struct preambles *p);

#endif
