/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - the parts of the check command, shared by check.c, check_file.c and check_print.c.
 *
 * check.c reads the options into a struct check and runs one pass over the sources; check_cache.c
 * finds out what the cache knows about them before, and keeps what is new after; check_file.c
 * checks (and fixes) one source for every target in a worker thread and leaves a struct
 * check_item; check_print.c takes the items in order, drops what the baseline knows and hands the
 * rest to the printers. */
#ifndef CM_CHECK_H
#define CM_CHECK_H

#include "commands/baseline.h"
#include "commands/compile.h"
#include "commands/config.h"
#include "commands/diff_lines.h"
#include "commands/folders.h"
#include "commands/inputs.h"
#include "commands/look.h"
#include "commands/owners.h"
#include "commands/ratchet.h"
#include "commands/rule_list.h"
#include "report/printer.h"
#include "report/remarks.h"

#include <stdatomic.h>

/* A format and where it goes. */
struct output {
    struct printer printer;
    const char *path;    /* NULL: standard output, as it comes */
    struct growing text; /* else: until it is whole */
};

struct check {
    struct cli *cli;
    struct inputs in;
    struct project project;
    struct config config; /* of the run */
    struct folders folders;
    struct owners owners;
    struct rule_list rules;
    struct compile_setup compile;
    struct check_run run;

    const struct diff_lines *lines; /* or NULL */
    struct baseline *baseline;      /* of --baseline, or NULL */
    struct undo *undo;              /* records of what --fix rewrites, or NULL */
    struct baseline *recorded;      /* for --write-baseline, or NULL */
    struct ratchet *ratchet;        /* of --ratchet, or NULL */
    bool rose;                      /* one of its figures did */
    bool places_same;               /* --places=same */
    bool fix, fix_only, diff, quiet, verbose;
    size_t max_warnings; /* more of them count */
    int fail_on;         /* enum severity; one above all: never */

    VEC(struct output) outputs;
    struct check_worker *workers;
    struct looks looks;
    struct cache cache;
    size_t n_remembered; /* sources that the cache answered for */

    /* What was found so far; changed by check_print.c alone. */
    struct check_totals totals;
    struct remarks remarks;
    struct arena scratch; /* for printing one file */
    bool would_change;
    size_t n_fixed_files;
    atomic_bool stop; /* nobody reads standard output any more */
};

/* What checking one source left: allocated with malloc, all texts in its own arena. */
struct check_item {
    struct arena a;
    struct check_file file;
    struct str diff;   /* of --diff */
    struct str error;  /* why it could not be read or written, or empty */
    size_t suppressed; /* findings that comments silence */
    size_t fixed;
    struct str fixes; /* which rules' findings: "torch-cuda/amp (2), torch-device/device-string" */
    bool failed, has_news;
    bool unasked; /* --semantic was wanted, and libclang gave nothing */
};

/* Stands for the item of a source for which there was no memory. */
extern struct check_item check_lost_item;

/* ---- check_cache.c ---- */

/* Looks at all sources: check->looks. */
void check_look(struct check *check);
/* Writes what is known now for the next run; before the workers are closed. */
void check_keep_answers(struct check *check);

/* ---- check_file.c ---- */

/* One for each thread; false: out of memory. */
bool check_open_workers(struct check *check);
void check_close_workers(struct check *check);
/* What the disk was asked by now, and what it said (asked.h). */
struct str check_asked(struct check *check);
/* Checks sources[index]. The caller frees the item with check_free_item. */
struct check_item *check_source(struct check *check, size_t worker, size_t index);
void check_free_item(struct check_item *item);

/* ---- check_print.c ---- */

/* Opens the outputs; false after a message. */
bool check_open_outputs(struct check *check);
/* Prints an item and adds it to the totals. Not for two threads at once. */
void check_print_item(struct check *check, size_t index, struct check_item *item);
/* Ends the outputs, writes their files and the baselines, and prints the summary. */
void check_finish(struct check *check);

#endif
