/* SPDX-License-Identifier: Apache-2.0 */
/* fixture.h - what the parts of the fixture runner share.
 *
 * run_fixtures.c  the command line, the threads, the telling
 * fixture_load.c  a directory -> struct fixture (fixtures/README.md has the layout)
 * fixture_laws.c  one case, ported to its targets, against the laws
 * fixture_words.c  a reader of its own, for the law about CUDA's words
 * fixture_fixes.c   law 12: fixes alone and in pairs
 * fixture_python.c  what CPython says of every input and output
 *
 * A fixture is filled by one thread, in that thread's arena, and read by main after all is done.
 */
#ifndef CM_FIXTURE_H
#define CM_FIXTURE_H

#include "cudamorph.h"

enum { MAX_FAILURES = 12 }; /* of one case, printed */

typedef VEC(struct str) strings;

enum expectation_kind { WANT, OK, TODO, MORE, EXPECTATION_KINDS };

/* An annotation: rule is (not, not yet) found on that line. */
struct expectation {
    enum expectation_kind kind;
    uint32_t cell, line;
    struct str rule;
    bool is_found; /* for some target */
};

struct fixture_file {
    struct str name;  /* relative to the case's tree, or of the one input */
    struct str bytes; /* padded for cm_run_buffer */
    struct str blank; /* the same with the annotations' text blanked */
    enum cm_language language;
    VEC(struct expectation) expected;
};

struct failure {
    struct str message;
    strings targets; /* empty: of the case itself */
};

/* A text for CPython to compile. */
struct python_text {
    struct str target; /* empty: the input */
    size_t file;
    struct str bytes;
};

struct fixture {
    struct arena *a;
    struct str name; /* DOMAIN/CASE */
    const char *path;
    bool is_tree, unsafe, lint, sycl, known_bug;
    const char *version; /* of a target's software, or NULL */
    VEC(struct fixture_file) files;
    strings targets, notes;
    VEC(struct failure) failures;
    VEC(struct python_text) texts;
};

struct rule_use {
    struct str id;
    bool used[EXPECTATION_KINDS];
};

struct suite {
    const char *root;
    struct str only;      /* DOMAIN, DOMAIN/CASE or @FILE with such lines; empty: all */
    bool brief;           /* no cuts, and the first case that fails is the last */
    const char *language; /* the others' cases are not run; NULL: all are */
    enum { UPDATE_NONE, UPDATE_PRESENT, UPDATE_CHANGED } update;
    struct cm_session *session[8]; /* 1: unsafe fixes, 2: rules for check only, 4: SYCL */
    VEC(struct rule_use) rules;    /* every built-in rule */
    VEC(struct fixture) cases;     /* by name */
    bool python_missing;
};

/* What annotations write for a CUDA name that no rule knows. */
#define UNKNOWN_RULE "unknown"

/* The rule of that id, or NULL. */
struct rule_use *suite_rule(struct suite *s, struct str id);

/* Adds a failure; target may be empty. Messages that differ in nothing but the target become one.
 */
void fixture_fail(struct fixture *f, struct str target, const char *fmt, ...) CM_PRINTF(3, 4);

/* The first lines of the difference, indented. */
struct str fixture_difference(struct arena *a, struct str want, struct str got);

/* Says what runs in this thread, for the message about a crash. */
void fixture_doing(const struct fixture *f, struct str target, size_t cut);

/* Lists the cases below s->root that s->only asks for. False, with a message on standard error,
 * when there is none. */
bool suite_find_cases(struct suite *s, struct arena *a);

/* Reads a case into memory of a; what is wrong with it becomes failures. */
void fixture_load(const struct suite *s, struct fixture *f, struct arena *a);

/* Law 11: the first word of CUDA's in a text of Python that no finding and no word of the result
 * covers; false: all are accounted for. */
bool fixture_words_missing(struct str text, const struct cm_result *r, size_t *at, size_t *end);

/* Law 12, for one file of a case and what became of it. */
void fixture_fixes(struct fixture *f, struct str target, const struct cm_session *session,
                   struct cm_workspace *workspace, const struct cm_input *in,
                   const struct cm_result *r);

/* Ports the case to each of its targets and asserts the laws, all but what Python says; writes the
 * goldens that s->update asks for. */
void fixture_run(const struct suite *s, struct fixture *f,
                 struct cm_workspace *const workspace[3]);

/* Has CPython compile the inputs and outputs of all cases: where an input compiles, so must its
 * outputs. One process for all; sets s->python_missing when there is no python3. */
void fixture_compile_all(struct suite *s, struct arena *a);

#endif
