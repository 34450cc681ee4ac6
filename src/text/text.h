/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - project files: shell scripts, YAML, Dockerfiles, requirements, build files.
 *
 * They have no grammar in common, so they are read word by word outside of comments. A word is
 * looked up among the names that mean the same wherever they stand ("texts" of a string rule: the
 * environment variables), among the values of options (--device cuda), and begins the patterns of
 * rules that match "text". Edits replace the token that was found; the line stays as it is. */
#ifndef CM_TEXT_H
#define CM_TEXT_H

#include "base/regex.h"
#include "rules/match.h"
#include "syntax/tree.h"

struct text_match {
    MATCH_BASE
    bool is_item;     /* of a list under a key: device: [cpu, cuda] */
    bool is_variable; /* the word itself is the row's key, wherever it stands */
};

struct text_file {
    /* From the caller. */
    struct arena *a;
    struct str src;
    const struct rules *rules;
    struct target_ref target;
    struct regex_cache *regex;
    const struct port_options *options;
    struct str path; /* of the file */
    /* Results, by position. */
    VEC(struct text_match) matches;
    VEC(struct match_edit) edits;
    match_pairs joined; /* the places of one variable */
    VEC(struct byte_range) comments;
    struct str
        compared; /* the value that was asked about last, and whether a line compares with it */
    bool is_compared;
    bool too_many; /* more matches than a file that a human wrote has */
};

/* Whether a word of these bytes is one of the rules for project files. */
bool text_prefilter(const struct rules *rules, struct str src);

/* "${DEVICE}" before `end`: the variable that a test of a shell asks for; empty: it is none. */
struct str text_name_in_test(struct str line, size_t end);

/* Adds lines "PREFIX NAME" for the names that the file gives a backend to: dist_backend. */
void text_tell_settings(const struct rules *rules, struct buf *out, char prefix, struct str src);

/* Fills f->matches and f->comments. */
void text_match_all(struct text_file *f);

/* Fills f->edits, once comments have suppressed what they do. The occurrences of one variable are
 * rewritten together or not at all: what one line sets, another reads. */
void text_plan(struct text_file *f);

#endif
