/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - what people read: findings, notes and the summary. Formats, decides nothing. */
#ifndef CM_REPORT_TEXT_H
#define CM_REPORT_TEXT_H

#include "cudamorph.h"

/* "path:line:col: manual: message [rule]" and its advice on lines of their own. */
void text_finding(struct buf *b, struct str path, const struct cm_finding *f, bool color);
/* "path:line: note: message", or "error" for a fatal one. */
void text_note(struct buf *b, struct str path, const struct cm_note *note, bool color);

/* The sums over the files of one target. */
struct totals {
    size_t files, changed, failed;
    size_t unwritten; /* ported, but the result could not be written */
    size_t copied;    /* no source code, mirrored as they are */
    size_t ignored;   /* left out of what is mirrored, as .gitignore says */
    size_t counts[CM_OUTCOMES];
    size_t words; /* beside the tokens, which stay */
};

/* "rocm: 12 files, 3 changed; 57 CUDA tokens: 40 ported, 10 kept, 6 manual, 1 suppressed" */
void text_summary(struct buf *b, struct str target, const struct totals *t, bool color);

/* Paints text where color is true. */
enum paint { PAINT_BOLD, PAINT_RED, PAINT_YELLOW, PAINT_CYAN, PAINT_GREEN };
void text_paint(struct buf *b, enum paint p, struct str text, bool color);

#endif
