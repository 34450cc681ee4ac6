/* SPDX-License-Identifier: Apache-2.0 */
/* survey.h - what a tree holds of CUDA and how much of it `port` does: the data of `report`.
 *
 * survey_run ports every source in memory for each target and adds up what became of each token:
 * per library (the domain of its rule), per file, and what needs manual porting, grouped. */
#ifndef CM_SURVEY_H
#define CM_SURVEY_H

#include "commands/inputs.h"
#include "report/progress.h"

/* The tokens of one library; or, for one file, all of them. */
struct survey_library {
    struct str name; /* domain of the rules: torch-cuda, cublas ... */
    size_t counts[CM_OUTCOMES];
};
typedef VEC(struct survey_library) survey_libraries;

/* A token that needs manual porting. */
struct survey_manual {
    struct str rule, token, message, advice;
    size_t file; /* index into the sources */
    uint32_t line, cell;
};

/* The same work at several places. */
struct survey_work {
    const struct survey_manual *first; /* its places are consecutive, in order */
    size_t times;
};

struct survey_file {
    size_t lines;
    size_t counts[CM_OUTCOMES];
    survey_libraries libraries;
    VEC(struct survey_manual) manual;
    struct str problem; /* why it was not processed, or empty */
};

struct survey {
    const struct inputs *in;
    const struct cm_target *target;
    struct survey_file *files;                   /* one for each source */
    size_t n_read, n_with_cuda, n_failed, lines; /* lines: of the files with CUDA */
    size_t counts[CM_OUTCOMES];
    survey_libraries libraries; /* the largest first */
    struct survey_work *work;   /* the most frequent first */
    size_t n_work;
};

/* The surveys of all targets, which are made together: a source is read once. */
struct surveys {
    const struct inputs *in;
    struct survey *v; /* one for each of in->targets */
    size_t n;
    struct survey_worker *workers; /* whose memory the texts live in */
    struct progress progress;      /* of survey_run */
};

/* False when there is no memory for the threads. survey_free is due in any case. */
bool survey_run(struct surveys *all, struct arena *a, const struct inputs *in);
void survey_free(struct surveys *all);

/* The sum of the outcomes. */
size_t survey_total(const size_t *counts);
/* Ported or kept, of all that no comment suppresses; rounded down. 100 where there is nothing. */
unsigned survey_percent(const size_t *counts);

#endif
