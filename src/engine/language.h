/* SPDX-License-Identifier: Apache-2.0 */
/* language.h - what the pipeline asks of a language.
 *
 * The stages of engine.c are the same for all of them; a row of functions says how each stage is
 * done in one. The rows stand here and not in python/, cuda/ and text/, since those know matches
 * and edits, but neither units nor notes. */
#ifndef CM_LANGUAGE_H
#define CM_LANGUAGE_H

#include "engine/engine.h"

enum reading { READS, READS_NOT, READS_TOO_SLOWLY };

struct language {
    const char *name; /* as cm_language_name() has it */
    /* What a target's title is called in messages, where a fact of it says so; NULL: its title. */
    const char *title;
    bool accounts_words; /* every word of CUDA's has an outcome, not only what rules are about */
    /* Whether any word of the rules is in these bytes; quick, and never wrongly no. */
    bool (*prefilter)(const struct cm_target *target, enum cm_language language, struct str bytes);
    /* Sets u->readable, or refuses the bytes with a fatal note. */
    void (*check_text)(struct unit *u);
    /* Whether a second look finds anything to do. */
    bool (*is_worth)(struct unit *u);
    /* Parses, resolves, and fills u->matches and u->comments. Refuses with a fatal note; what was
     * found by then is for a human. */
    void (*match)(struct unit *u);
    /* Fills u->rewrites, once comments have suppressed what they do. */
    void (*plan)(struct unit *u);
    /* Whether u->edits left a text that the language can read; NULL: every edit does. */
    enum reading (*reads_again)(struct unit *u, struct str output);
    /* What a match's own edits made of it, where the match does not say; NULL: it always does. */
    struct str (*rewritten)(struct unit *u, uint32_t match, const struct edits_by_match *by_match);
    /* Adds the text of a stage that only this language has; NULL: none. */
    void (*dump)(struct unit *u, enum cm_dump stage, struct buf *b);
};

extern const struct language python_language, cuda_language, project_language;

/* The row; NULL for CM_NONE. Notebooks are Python, once their cells are joined. */
const struct language *language_of(enum cm_language l);

#endif
