/* SPDX-License-Identifier: Apache-2.0 */
/* lsp.h - what the parts of the language server share.
 *
 *     lsp.c            the loop: messages in, answers out, diagnostics when typing pauses
 *     lsp_rpc.c        JSON-RPC over standard input and output
 *     lsp_documents.c  open documents: incremental changes, positions in UTF-8 and UTF-16
 *     lsp_analysis.c   a document's configuration, and what the engine finds in it
 *     lsp_actions.c    quick fixes and suppressions
 *     lsp_reading.c    hover, code lenses, completion
 *
 * One thread does all of it: a file takes milliseconds, and what a client cancels is looked for in
 * the messages that have come in before anything is worked out. */
#ifndef CM_LSP_H
#define CM_LSP_H

#include "base/json.h"
#include "commands/folders.h"
#include "report/escape.h"

/* ---- messages ---- */

struct lsp_message {
    struct json json;
    struct arena a;
    struct lsp_message *next;
};

struct lsp_rpc {
    struct buf input; /* bytes that are not a whole message yet */
    size_t read;      /* of them, taken */
    struct lsp_message *first, *last;
    bool ended; /* the client closed its end, or: */
    int error;  /* reading failed, with that errno */
};

/* Reads what is there, waiting at most that many milliseconds (-1: as long as it takes). */
void lsp_receive(struct lsp_rpc *rpc, struct cli *cli, int milliseconds);
struct lsp_message *lsp_next(struct lsp_rpc *rpc);
void lsp_free(struct lsp_message *m);
/* Sends one message: the text of a JSON object. */
void lsp_send(struct cli *cli, struct str text);
/* Whether one of the waiting messages cancels the request. */
bool lsp_is_cancelled(const struct lsp_rpc *rpc, const struct cJSON *id);

/* ---- documents ---- */

struct lsp_position {
    uint32_t line, character;
};

/* What was found for one target; all texts in the arena of the document's analysis. */
struct lsp_answer {
    const struct cm_target *target;
    size_t number; /* of the target in lsp->in.targets */
    const struct folder *folder;
    struct cm_result r;
    size_t counts[CM_OUTCOMES];
};

struct lsp_document {
    struct lsp_document *next;
    struct str uri;  /* allocated with malloc */
    struct str path; /* absolute, or the URI where it names no file */
    struct str text; /* FILE_PADDING readable bytes follow */
    int64_t version;
    enum cm_language language;
    bool is_config; /* a configuration file of ours */
    struct arena a; /* of the lines and the answers */
    VEC(uint32_t) lines;
    int weight; /* enum weight */
    VEC(struct lsp_answer) answers;
    bool is_known; /* the answers are those of the text */
    int64_t due;   /* when diagnostics are due, in milliseconds; 0: they are out */
};

struct lsp {
    struct cli *cli;
    struct lsp_rpc rpc;
    struct cm_workspace *workspace;
    bool initialized, shut_down, exits, utf8;
    bool relates; /* the client takes further places of a diagnostic */
    struct lsp_document *documents;
    /* What the client sets, as values of options; malloc. */
    struct str target; /* "rocm,ascend", or empty */
    bool unsafe_fixes;
    /* What follows from that and from configuration files: made anew when one of them changes. */
    struct arena a;
    struct inputs in;
    struct project project;
    struct folders folders;
    struct rule_list rules;
    struct rules rule_sets;
};

/* ---- lsp_documents.c ---- */

/* The open document of that address, or NULL. */
struct lsp_document *lsp_document(const struct lsp *lsp, struct str uri);
/* Opens it (again); the text is copied. */
struct lsp_document *lsp_open(struct lsp *lsp, struct str uri, struct str text);
void lsp_close(struct lsp *lsp, struct lsp_document *d);
/* Replaces bytes [start, end). */
void lsp_change(struct lsp_document *d, size_t start, size_t end, struct str text);
/* Positions as the client counts, and bytes; a position beyond a line is its end. */
struct lsp_position lsp_position_of(const struct lsp *lsp, struct lsp_document *d, size_t byte);
size_t lsp_byte_of(const struct lsp *lsp, struct lsp_document *d, struct lsp_position p);
/* {"start": ..., "end": ...} */
void lsp_add_range(const struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t start,
                   size_t end);
/* The line that holds a byte, without its end: [*start, *end). */
void lsp_line_at(struct lsp_document *d, size_t byte, size_t *start, size_t *end);

/* ---- lsp_analysis.c ---- */

/* Reads rules and forgets configurations; false after a message on standard error. */
bool lsp_read_settings(struct lsp *lsp);
/* The configuration of a document; the default where it cannot be read. */
const struct folder *lsp_folder_of(struct lsp *lsp, const struct lsp_document *d);
/* Fills d->answers, where that is not done. */
void lsp_analyse(struct lsp *lsp, struct lsp_document *d);
/* What the engine makes of another text of the document. */
void lsp_run(struct lsp *lsp, const struct lsp_document *d, const struct lsp_answer *answer,
             struct str text, struct cm_result *r);
/* Whether a finding is shown, and its sentence. */
bool lsp_is_shown(const struct cm_finding *f);
struct str lsp_message_of(struct arena *a, const struct lsp_answer *x, const struct cm_finding *f);
/* [diagnostic...] */
void lsp_add_diagnostics(struct lsp *lsp, struct buf *b, struct lsp_document *d);

/* ---- lsp_actions.c, lsp_reading.c ---- */

/* These append the result of a request, for bytes of a document. */
void lsp_code_actions(struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t start,
                      size_t end, const struct cJSON *only);
void lsp_hover(struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t at);
void lsp_code_lenses(struct lsp *lsp, struct buf *b, struct lsp_document *d);
void lsp_completion(struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t at);

#endif
