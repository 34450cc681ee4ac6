/* SPDX-License-Identifier: Apache-2.0 */
/* port.h - the parts of the port command, shared by port.c, port_file.c and port_print.c.
 *
 * port.c reads the options into a struct port and runs a pass over the sources for all targets;
 * port_file.c ports one source in a worker thread and leaves a struct port_item for each target;
 * port_print.c prints the items in order, target by target. */
#ifndef CM_PORT_H
#define CM_PORT_H

#include "commands/compile.h"
#include "commands/inputs.h"
#include "commands/port_verify.h"
#include "report/growing.h"
#include "report/remarks.h"
#include "report/text.h"

#include <stdatomic.h>

enum port_mode {
    PORT_SUMMARY, /* nothing is written */
    PORT_STDOUT,
    PORT_DIRECTORY,
    PORT_IN_PLACE,
    PORT_DIFF,
    PORT_CHECK,
    PORT_DUMP
};

/* A module of helpers that a port adds to a package. */
struct port_helper {
    struct str path, relative; /* as the user sees it; below -o */
};

/* One target of --target. */
struct port_target {
    const struct cm_target *target;
    struct str name;
    const char *root; /* where -o puts its tree, or NULL */
    struct totals totals;
    VEC(struct str) parts;   /* of the Python runtime, that the written texts import */
    VEC(struct str) headers; /* of libcmrt, that the written texts include */
    VEC(struct port_helper) helpers;
    bool would_not_compile; /* says --verify */
};

struct port {
    struct cli *cli;
    struct inputs in;

    enum port_mode mode;
    enum cm_dump dump;
    bool check, strict, quiet, verbose, verify, rename;
    struct compile_setup compile;
    const char *backup;              /* suffix, or NULL */
    struct undo *undo;               /* records of what is rewritten in place, or NULL */
    const char *report, *accounting; /* file names, or NULL */

    struct port_target *targets; /* in.targets with what port keeps of each */
    size_t n_targets;

    /* The pass that is running: its targets, and the one that is being spoken of. */
    struct port_target *first, *current;
    size_t n_now;
    struct port_worker *workers;
    atomic_bool stop; /* nobody reads standard output any more */
    VEC(struct str) manual; /* port_manual.c: entries of the current target */
    struct remarks remarks;
    struct verify_results verified; /* of --verify */
    struct growing report_text, accounting_text;
};

/* The texts that porting one source leaves:
 *   out                for standard output
 *   errors             lines for standard error, also with --quiet
 *   notes              more such lines, without --quiet
 *   remarks            notes on the whole file, each ended by NUL
 *   manual             what needs manual porting: entries, each ended by NUL
 *   report, accounting JSON, or empty
 *   parts, headers     of the Python runtime and of libcmrt: names, each ended by NUL
 *   helper             a path and a place below -o, each ended by NUL; or empty */
#define PORT_TEXTS(X)                                                                             \
    X(out) X(errors) X(notes) X(remarks) X(manual) X(report) X(accounting)                        \
    X(parts) X(headers) X(helper)

/* What porting one source left, in one allocation of malloc's. */
struct port_item {
#define PORT_TEXT(name) struct str name;
    PORT_TEXTS(PORT_TEXT)
#undef PORT_TEXT
    size_t counts[CM_OUTCOMES], words;
    bool changed, failed, copied;
    bool unwritten;         /* ported, but the result could not be written */
    bool unasked;           /* --semantic was wanted, and libclang gave nothing */
    struct port_item *next; /* of the same source for the next target of the pass */
};

/* Stands for the item of a source for which there was no memory. */
extern struct port_item port_lost_item;

/* Ports sources[index] for the targets of the pass and does with the results what the mode says;
 * items for all of them, or port_lost_item for all. Memory is the worker's own. The caller frees
 * the items, but for port_lost_item. */
struct port_item *port_source(struct port *port, size_t worker, size_t index);

/* One set of scratch memory per thread. */
bool port_open_workers(struct port *port);
void port_close_workers(struct port *port);

/* --rename-ext: the place of a source below the target's -o; and a text whose includes, or names
 * of sources in a build file, are those of renamed files as they are called now. Memory in `a`. */
struct str port_relative(const struct port *port, struct arena *a,
                         const struct port_target *target, const struct source *s);
struct str port_rename_names(const struct port *port, struct arena *a,
                             const struct port_target *target, const struct source *source,
                             struct str text);

/* ---- port_manual.c ---- */

/* Notes an entry of what is left to a human, for the list at the target's end. */
void port_add_manual(struct port *port, struct str entry);
/* Lists what was noted, and forgets it. */
void port_list_manual(struct port *port, struct buf *b);

/* ---- port_runtime.c ---- */

/* Adds the parts of the Python runtime that a text imports or names, each ended by NUL. */
void runtime_add_parts(struct buf *b, struct str text);
/* Adds the headers of libcmrt that a text includes, as it spells them, each ended by NUL. */
void runtime_add_headers(struct buf *b, struct str text);
/* The current target's result imports that part, or includes that header. */
void port_need_part(struct port *port, struct str part);
void port_need_header(struct port *port, struct str header);
/* Adds the lines of the summary that name what the result needs, if it needs anything. */
void port_add_needs(struct port *port, struct buf *b);
/* --with-runtime: copies what the current target's result needs below its root; false after a
 * message. */
bool port_copy_runtime(struct port *port);

/* The current target's result needs that module; notes it once. */
void port_need_helper(struct port *port, struct port_helper helper);
/* Writes these modules where the results went, or shows them as a diff; false after a message. */
bool port_write_helpers(struct port *port);

/* Prints an item of the current target and frees it. Not for two threads at once. */
void port_print_item(struct port *port, size_t index, struct port_item *item);
/* Adds it to the target's totals, and frees it where nothing else is to be said; false then. */
bool port_count_item(struct port *port, struct port_target *target, struct port_item *item);
/* Prints what is left to say about the current target after its last item. */
void port_print_summary(struct port *port);
/* Starts the files of --report and --accounting, and writes them. */
void port_start_reports(struct port *port);
void port_write_reports(struct port *port);

#endif
