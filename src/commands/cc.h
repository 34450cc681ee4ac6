/* SPDX-License-Identifier: Apache-2.0 */
/* cc.h - the parts of the command cc: cc.c reads the line and goes through its phases, cc_text.c
 * ports the texts of one source, cc_object.c compiles one and remembers objects, cc_evict.c
 * forgets them, cc_process.c starts other programs. */
#ifndef CM_CC_H
#define CM_CC_H

#include "commands/commands.h"
#include "nvcc/nvcc.h"

struct cc {
    struct cli *cli;
    struct arena *a;
    struct nv_table table;
    struct nv_line line;
    const struct cm_session *session;
    const struct cm_target *target;
    struct cm_workspace *workspace;
    struct str identity; /* what answers depend on beside the files: program, rules, compiler */
    char *toolkit;       /* the folder that stands for NVIDIA's: bin, include, lib64 */
    struct str own;      /* the real path of our headers, with a '/' behind it */
    char *compiler;      /* the host's, for C++ */
    const char *cache;   /* a folder with a '/' behind it; or of this run alone */
    const char *scratch; /* a folder of this run, with a '/', made when first asked for */
};

/* ---- cc.c ---- */

/* Everything that a compile needs: rules, table, toolkit, compiler, cache; false after a message.
 * cc_finish() gives back what it took. */
bool cc_prepare(struct cc *cc);
void cc_finish(struct cc *cc);

/* ---- cc_process.c ---- */

/* Runs a program and waits for it; what it writes on standard error goes to the file `errors`
 * unless that is NULL. With --dryrun it is only printed, and with -v that, too. Its status. */
int cc_run(struct cc *cc, const nv_words *words, const char *errors);
/* Prints a line of what --dryrun shows. */
void cc_show(struct cc *cc, struct str text);
/* A word as a shell reads it. */
struct str cc_quoted(struct arena *a, struct str word);
/* A folder for what is in the way afterwards; NULL after a message. It goes with cc_clean_up(). */
const char *cc_scratch(struct cc *cc);
void cc_clean_up(struct cc *cc);

/* ---- cc_text.c ---- */

/* What a source became. */
struct cc_text {
    struct nv_closure closure;
    struct str source;   /* what the compiler is given */
    struct str folder;   /* of the overlay, with a '/', or empty: nothing had to be ported */
    struct str messages; /* what needs manual porting, as a compiler says it */
    size_t n_messages;
};

/* Ports a source and what it includes, or finds that in the cache; false after a message. */
bool cc_port(struct cc *cc, const struct nv_source *source, struct cc_text *out);
/* A text of the compiler's with the user's names for the files of the overlay. */
struct str cc_own_names(struct cc *cc, const struct cc_text *t, struct str text);

/* ---- cc_evict.c ---- */

/* An entry of the cache was used now: it goes last. */
void cc_used(const char *path);
/* Takes from the cache what was used longest ago, where it has grown too large. */
void cc_evict(struct cc *cc);

/* ---- cc_object.c ---- */

/* The words that compile a source, up to what is made. */
nv_words cc_compile_words(struct cc *cc, const struct nv_source *source, const struct cc_text *t);
/* Compiles a source to the object `output` and writes the depfile that was asked for, which calls
 * it `named`; the compiler's status. */
int cc_object(struct cc *cc, const struct nv_source *source, struct str output, struct str named);
/* -E, -M, -ptx: what comes of one source, to `output` or (empty) to standard output. */
int cc_other(struct cc *cc, const struct nv_source *source, struct str output);

#endif
