/* engine.h - what the parts of the engine share: the session's insides and the unit, one file on
 * its way. */
#ifndef CM_ENGINE_H
#define CM_ENGINE_H

#include "cuda/cu.h"
#include "cudamorph.h"
#include "python/py.h"
#include "text/text.h"

struct cm_target {
    struct target_ref ref;
    struct anchor_set anchors;
};

struct cm_session {
    struct rules rules;
    struct grammar python, cuda;
    struct cm_target *targets; /* by their order */
    size_t n_targets;
    uint64_t rules_hash;
    bool unsafe_fixes, foreign_suppressions, launch_functions;
};

struct cm_project_facts {
    struct arena *a;
    struct py_project python;
    struct cu_project cuda;
    VEC(struct str) packages; /* folders with an __init__.py */
    uint64_t *seen;           /* open addressing: hashes of what was told */
    size_t n_seen, size;
    uint64_t hash;
};

/* One file on its way through the pipeline. */
struct unit {
    const struct cm_session *session;
    const struct cm_input *in;
    struct arena *a;
    struct regex_cache *regex;
    struct str src;      /* the bytes that edits count in */
    struct str readable; /* the same length, as tree-sitter can read them (source.c) */
    struct py_scan scan;
    struct py py;          /* Python */
    struct cu cu;          /* C++ */
    struct text_file text; /* project files */
    bool partial;
    /* What a language's front end hands over: its matches, what it would edit for them, and where
     * the comments are. */
    VEC(struct match *) matches;
    VEC(struct match_edit) rewrites;
    VEC(struct byte_range) comments;
    VEC(struct cm_edit) edits;
    VEC(struct cm_finding) findings;
    VEC(struct cm_note) notes;
    VEC(struct cm_unused) unused;
    bool refused; /* a fatal note was added */
};

void unit_note(struct unit *u, uint32_t line, uint32_t column, bool fatal, struct str message);

/* ---- source.c: is this text we can read? ---- */

/* Binary, UTF-16, not UTF-8 without a coding line: refuses. Sets u->readable. */
void unit_check_encoding(struct unit *u);
/* The same for languages without coding lines: any bytes but NUL and UTF-16. */
void unit_check_text(struct unit *u);

/* ---- findings.c ---- */

/* Marks the matches that comments silence, then those of rules that nobody asked for; u->unused
 * gets the comments that silence nothing. */
void unit_suppress(struct unit *u);
/* Matches become findings; edits get the number of theirs. */
void unit_findings(struct unit *u);
/* Line and column (from 1) of a byte offset, for offsets that ask in rising order most of the
 * time. */
void unit_position(const struct unit *u, size_t offset, uint32_t *line, uint32_t *column);

/* ---- dump.c ---- */

/* Whether a suppression comment may be in the text, so that all of it has to be parsed. */
bool unit_has_directive(const struct unit *u);
struct str unit_dump(struct unit *u, enum cm_dump stage);

#endif
