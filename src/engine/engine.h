/* SPDX-License-Identifier: Apache-2.0 */
/* engine.h - what the parts of the engine share: the session's insides and the unit, one file on
 * its way. */
#ifndef CM_ENGINE_H
#define CM_ENGINE_H

#include "cuda/cu.h"
#include "cudamorph.h"
#include "engine/parses.h"
#include "python/py.h"
#include "text/text.h"

struct cm_target {
    struct target_ref ref;
    struct anchor_set anchors;
    struct str note; /* what the user of --target-version has to know */
};

struct cm_session {
    struct rules rules;
    struct grammar python, cuda;
    struct cm_target *targets; /* by their order */
    size_t n_targets;
    struct port_options options;
    uint64_t hash;
};

struct cm_project_facts {
    struct arena *a;
    struct py_project python;
    struct cu_project cuda;
    text_settings settings; /* of project files */
    uint64_t *seen; /* open addressing: hashes of what was told */
    size_t n_seen, size;
    uint64_t hash;
};

struct language; /* language.h */

/* One file on its way through the pipeline. */
struct unit {
    const struct cm_session *session;
    const struct language *language;
    const struct cm_input *in;
    struct arena *a;
    struct regex_cache *regex;
    struct parses *parses;  /* trees of src for other targets, or NULL: nobody asks for more */
    struct cu_lexes *lexes; /* tokens of texts that come again */
    struct str src;         /* the bytes that edits count in */
    struct str readable;    /* the same length, as tree-sitter can read them (source.c) */
    struct py_scan scan;
    struct py_names names; /* that had to be scanned for, too */
    struct py py;          /* Python */
    struct cu cu;          /* C++ */
    struct text_file text; /* project files */
    bool partial;
    /* What a language's front end hands over: its matches, what it would edit for them, and where
     * the comments are. */
    VEC(struct match *) matches;
    VEC(struct match_edit) rewrites;
    match_pairs joined; /* of matches */
    VEC(struct byte_range) comments;
    VEC(struct cm_edit) edits;
    VEC(struct cm_finding) findings, words;
    VEC(struct cm_note) notes;
    VEC(struct cm_unused) unused;
    bool refused; /* a fatal note was added */
};

/* A run of the pipeline over a unit. */
typedef void pipeline(struct unit *u, struct cm_result *out);

/* ---- unit.c ---- */

/* Adds a note; line 0: about the whole file. A fatal one refuses the file. */
void unit_note(struct unit *u, uint32_t line, uint32_t column, bool fatal, struct str message);
/* Line and column (from 1) of a byte offset. */
void unit_position(const struct unit *u, size_t offset, uint32_t *line, uint32_t *column);

/* ---- source.c: is this text we can read? ---- */

/* Binary, UTF-16, not UTF-8 without a coding line: refuses. Sets u->readable. */
void unit_check_encoding(struct unit *u);
/* The same for languages without coding lines: any bytes but NUL and UTF-16. */
void unit_check_text(struct unit *u);
/* A lone CR ends a line of Python: the text is read with LF in its place, and the edits are made
 * in the text as it is; where no line ends otherwise, theirs end like the rest. */
void source_run_lone_cr(struct unit *u, pipeline *python, struct cm_result *out);

/* ---- shared.c ---- */

/* Adds what a configuration in Python says, as lines with that prefix. */
void shared_tell(const struct cm_session *s, struct buf *b, struct str path, struct str src,
                 char prefix);
/* Of configurations that say the same, and leave it to a human, the first one speaks. */
void shared_fold(struct unit *u);

/* ---- findings.c ---- */

/* Whether a suppression comment may be in the text, so that all of it has to be parsed. */
bool unit_has_directive(const struct unit *u);
bool session_has_directive(const struct cm_session *s, struct str bytes);
/* The same for bytes that no options are known of. */
bool has_directive_word(struct str bytes);

/* Marks the matches that comments silence, then those of rules that nobody asked for; u->unused
 * gets the comments that silence nothing. */
void unit_suppress(struct unit *u);
/* The edits of each match, in order: first[match] and next[edit] are edit numbers + 1. */
struct edits_by_match {
    uint32_t *first, *next;
};
/* Matches become findings; edits get the number of theirs. */
void unit_findings(struct unit *u);
/* Fills u->words from the places that have no finding of their own. */
void unit_words(struct unit *u);

/* ---- dump.c ---- */

/* What a stage made of the unit, as text. */
struct str unit_dump(struct unit *u, enum cm_dump stage);
/* Adds a line for node i of a tree; kind NULL: only its depth is noted. */
void unit_dump_node(struct unit *u, struct buf *b, const struct tree *t, uint32_t i,
                    uint32_t *depth_of, const char *kind);

#endif
