/* SPDX-License-Identifier: Apache-2.0 */
/* cudamorph.h - the public interface of the porting engine.
 *
 * A session holds the rules and what one run of the tool agrees on; it is read-only after
 * cm_session_new, so any number of threads may call cm_run_buffer on it at once, each with a
 * struct cm_workspace of its own. cm_run_buffer is pure: bytes in, bytes and findings out; it
 * reads and writes no file and prints nothing.
 *
 * Ownership: results live in the workspace until its next cm_run_buffer or cm_workspace_free.
 * Strings are (pointer, length) and may hold NUL. Positions: byte offsets from 0; lines and
 * columns from 1, columns in characters (a byte order mark is none). */
#ifndef CUDAMORPH_H
#define CUDAMORPH_H

#include "base/base.h"
#include "rules/options.h"

#define CM_VERSION "0.2.0"

enum cm_language {
    CM_NONE, /* nothing that the tool reads */
    CM_PYTHON,
    CM_NOTEBOOK,
    CM_CUDA,
    CM_CPP,    /* C too */
    CM_PROJECT /* build files, requirements, scripts */
};
/* As the reports spell it: "python", "c++". */
const char *cm_language_name(enum cm_language l);

/* ---- session ---- */

struct cm_session;

struct cm_options {
    const char *const *rule_paths; /* --rules, first wins over later; built-in rules come last */
    size_t n_rule_paths;
    /* Rules as a text, which win over the built-in ones and not over rule_paths; its name is for
     * messages. Empty: none. */
    struct str rules_name, rules_text;
    const char *const *target_versions; /* "rocm=6.4": the version of a target's software */
    size_t n_target_versions;
    struct port_options port;
};

/* Loads rules. On failure returns NULL and sets *error to one or more lines, each a sentence with
 * its place; the text lives in `a`, like the session itself. */
struct cm_session *cm_session_new(struct arena *a, const struct cm_options *options,
                                  struct str *error);

struct cm_target; /* one row of rules/targets */

/* By name or alias; NULL when there is none. */
const struct cm_target *cm_session_target(const struct cm_session *s, struct str name);
/* All targets, in the order in which they are shown. */
size_t cm_session_n_targets(const struct cm_session *s);
const struct cm_target *cm_session_target_at(const struct cm_session *s, size_t i);
/* The name that --target takes. */
struct str cm_target_name(const struct cm_target *t);
/* Whether kernels become loops there, for a machine without a GPU. */
bool cm_target_loops(const struct cm_target *t);
/* What messages call it: "Huawei Ascend". */
struct str cm_target_title(const struct cm_target *t);
/* What it has in common with its neighbours: reports put targets of one family together. */
struct str cm_target_family(const struct cm_target *t);
/* What the user of its --target-version has to know, a sentence without its full stop; empty:
 * nothing. */
struct str cm_target_note(const struct cm_target *t);
/* The targets that people call `name`, too, though another one answers to it, as a part of a
 * sentence; empty: none. */
struct str cm_session_also(const struct cm_session *s, struct arena *a, struct str name);
/* A fact of its file in rules/targets; empty, with p == NULL, when it has none of that name. */
struct str cm_target_fact(const struct cm_target *t, const char *key);
/* The Python module that a result whose `helper` is set imports: its text, and its name without
 * the .py. */
struct str cm_target_helper(const struct cm_target *t, struct arena *a, struct str *name);
/* Whether a list of rules/words.json has the word. */
bool cm_session_lists(const struct cm_session *s, const char *list, struct str word);
/* Whether a rule is about this header of CUDA's, as written between <> or "". */
bool cm_session_knows_header(const struct cm_session *s, struct str header);
/* The known name nearest to `name`, or an empty string. */
struct str cm_session_nearest_target(const struct cm_session *s, struct str name);
/* Hash of all rules, options and versions in use: part of every cache key. */
uint64_t cm_session_hash(const struct cm_session *s);

/* Whether cm_run_buffer could have anything to tell about these bytes: no finding, no note. Fast;
 * may say yes too often, never no. */
bool cm_may_matter(const struct cm_target *target, enum cm_language language, struct str bytes);

/* Names that the files of one tree share: classes that define their own cuda() and the like,
 * packages, macros and types of C++ that have names of CUDA's, for the files that include them.
 * Made of what each file tells before any of them is ported; NULL stands for "only what the file
 * itself says". Python for which cm_may_matter is false for every target tells nothing. */
struct cm_project_facts;
struct cm_project_facts *cm_facts_new(struct arena *a);
/* What one file tells: lines, or nothing. In `a`, with what it takes to find out. */
struct str cm_facts_of(const struct cm_session *s, struct arena *a, enum cm_language language,
                       struct str path, struct str bytes);
/* The same, without what matters to none of these targets: quicker, not for what is kept. */
struct str cm_facts_for(const struct cm_session *s, const struct cm_target *const *targets,
                        size_t n_targets, struct arena *a, enum cm_language language,
                        struct str path, struct str bytes);
/* Adds (a copy of) what a file tells; its path is the name that cm_input gives it. Not for two
 * threads at once. */
void cm_facts_add(struct cm_project_facts *f, enum cm_language language, struct str path,
                  struct str told);
/* To be called when all have told, before any is ported. */
void cm_facts_link(struct cm_project_facts *f);
/* The same for the same facts, in whichever order they came. */
uint64_t cm_facts_hash(const struct cm_project_facts *f);

/* ---- one file ---- */

/* What became of a CUDA-specific token. */
enum cm_outcome {
    CM_PORTED,
    CM_KEPT,
    CM_VERIFY, /* it runs, and check knows how it can be silently wrong there */
    CM_MANUAL,
    CM_SUPPRESSED,
    CM_OUTCOMES
};
/* "ported", "kept", "to verify", "manual", "suppressed". */
const char *cm_outcome_name(enum cm_outcome o);

struct cm_edit {
    size_t start, end; /* bytes of the input that are replaced */
    struct str text;   /* by this */
    uint32_t finding;  /* number of its finding, or UINT32_MAX: an added import or helper */
    uint8_t need;      /* the bit of `needs` that asks for it; 0: none, or of an added edit all */
};

struct cm_finding {
    size_t start, end;
    uint32_t line, column, end_line, end_column;
    struct str rule;    /* domain/kebab-name */
    struct str title;   /* of the rule */
    struct str token;   /* what it is: the resolved name, or the literal */
    struct str verdict; /* same, exact, close, shim, manual, none */
    struct str message; /* one sentence */
    struct str advice;  /* one sentence, may be empty */
    struct str
        replacement;  /* what stands there now, or what --unsafe-fixes would write; may be empty */
    uint8_t severity; /* enum severity of rules.h */
    bool certain;     /* false: it may mean something else; only --unsafe-fixes rewrites it */
    enum cm_outcome outcome;
    uint32_t cell; /* notebooks: cell number from 1, lines count inside it; else 0 */
    /* Ported: the first finding of those that are rewritten together or not at all, and the added
     * edits that their rewrite needs. See cm_fix_has(). */
    uint32_t group, needs;
    uint32_t more; /* others of its list or file that it speaks for, which are no findings */
};

/* A problem with the file as a whole or with a part of it; not a finding of a rule. */
struct cm_note {
    uint32_t line, column; /* 0: the whole file */
    struct str message;
    bool fatal; /* the file was not processed: nothing of it may be changed */
};

/* A suppression comment that silences nothing, or one rule in the brackets of one that silences
 * something. */
struct cm_unused {
    size_t start, end;
    uint32_t line, column, end_line, end_column, cell; /* as in struct cm_finding */
    struct str rule; /* what stands in the brackets, or empty: all of the comment */
    size_t remove_start, remove_end; /* what to delete; equal: leave that to a human */
};

struct cm_result {
    struct str output; /* the ported text; the input's own bytes when nothing changed */
    bool changed;
    bool skipped;      /* the prefilter found nothing to do */
    bool asked_disk;   /* it depends on which files lie around this one */
    struct str helper; /* Python: the folder in which the output imports cm_target_helper()'s
                          module; or empty */
    const struct cm_edit *edits;
    size_t n_edits;
    const struct cm_finding *findings; /* by position */
    size_t n_findings;
    /* Other words of CUDA's, by position: all are kept, and their messages say why. */
    const struct cm_finding *words;
    size_t n_words;
    const struct cm_note *notes;
    size_t n_notes;
    const struct cm_unused *unused; /* by position */
    size_t n_unused;
    size_t
        counts[CM_OUTCOMES]; /* they add up to n_findings: every CUDA-specific token of the file */
};

/* Whether the edit belongs to the fix of this finding. A fix holds all that it needs: it can be
 * applied alone, or with any others; an edit that several fixes have is made once. */
bool cm_fix_has(const struct cm_result *r, const struct cm_finding *f, const struct cm_edit *e);

enum cm_dump {
    CM_DUMP_NONE,
    CM_DUMP_TOKENS,
    CM_DUMP_TREE,
    CM_DUMP_NAMES,
    CM_DUMP_MATCHES,
    CM_DUMP_EDITS,
    CM_DUMP_KERNELS,     /* how each kernel runs, of targets that make loops of them */
    CM_DUMP_KERNELS_JSON /* the same with its variables, a line of JSON for each kernel */
};

struct semantic_facts; /* semantic/semantic.h */
struct cu_reader;      /* cuda/cu.h */
struct py_disk;        /* python/py.h */

struct cm_input {
    struct str name;  /* for messages only */
    struct str bytes; /* at least 16 readable bytes must follow them */
    enum cm_language language;
    const struct cm_target *target;
    const struct cm_project_facts *facts;  /* or NULL */
    const struct semantic_facts *semantic; /* C++: what libclang says of the names, or NULL */
    const struct cu_reader *headers;       /* C++: how they are read, or NULL: they are not */
    const struct py_disk *disk;            /* Python: asked for modules beside the file, or NULL */
    /* Which rules are asked for, and of which bytes of the text; NULL: all. What the others find
     * is left as it is and counts as suppressed. Of a notebook, the bytes are those of its joined
     * cells. */
    bool (*wants)(const void *ctx, struct str rule, size_t start, size_t end);
    const void *wants_ctx;
    /* The same bytes are run for other targets, too, right before or after: what does not depend
     * on the target is done once. It changes no result. */
    bool again;
    enum cm_dump dump; /* CM_DUMP_NONE, or: put that stage's text into `dumped` */
    struct str *dumped;
};

struct cm_workspace; /* one per thread */
struct cm_workspace *cm_workspace_new(void);
void cm_workspace_free(struct cm_workspace *w);

/* Ports one buffer. Never fails: what went wrong is a note in the result, with the output equal to
 * the input. */
void cm_run_buffer(const struct cm_session *s, struct cm_workspace *w, const struct cm_input *in,
                   struct cm_result *out);

#endif
