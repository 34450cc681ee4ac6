/* SPDX-License-Identifier: Apache-2.0 */
/* ask.h - libclang in a process of its own.
 *
 * A text can make a front end run for ever, take all memory or crash, and flags can make it open
 * what it should not. So each file is parsed by a child that has limits and may write nothing;
 * what it finds comes back through a pipe, and is read as what a stranger says. */
#ifndef CM_SEMANTIC_ASK_H
#define CM_SEMANTIC_ASK_H

#include "semantic/semantic.h"

/* What one file may take; the memory is what is allocated beyond that of this process. */
struct sem_limits {
    unsigned seconds, megabytes;
};

enum { SEM_SECONDS = 30, SEM_MEGABYTES = 4096 }; /* unless the user says otherwise */

/* What is wanted to know of a file. */
enum sem_wants { SEM_WANT_ERRORS = 1, SEM_WANT_INCLUSIONS = 2, SEM_WANT_FACTS = 4 };

struct sem_answer {
    struct sem_error *errors;
    size_t n_errors;
    struct flag_list inclusions;
    struct semantic_facts facts; /* of the file itself */
};

/* Parses a file in a child and waits for it. False with a sentence in *error where it crashes, is
 * ended by a limit, or libclang gives nothing at all. */
bool sem_ask(const struct sem *s, struct arena *a, const struct sem_input *in, unsigned wants,
             struct sem_limits limits, struct sem_answer *answer, struct str *error);
/* Parses a text that many files begin with in a child, which writes it to `path` as a precompiled
 * header: a file of `folder`, where the child may write. False: it could not, for whatever
 * reason. */
bool sem_precompile(const struct sem *s, struct arena *a, const struct sem_input *in,
                    const char *folder, const char *path, struct sem_limits limits);

#endif
