/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.h - what the files of the rule compiler share: the state of one compilation and the
 * reading of JSON with complaints that name a place.
 *
 * Every reader goes on after a complaint with a harmless value, so that one run reports all that
 * is wrong; compile.c throws the block away when there was a complaint. */
#ifndef CM_RULES_COMPILER_H
#define CM_RULES_COMPILER_H

#include "base/json.h"
#include "rules/block.h"
#include "rules/template.h"

/* Where a rule stands. */
struct place {
    struct str file, pointer;
};

/* A name of PyTorch itself, by the releases of the file that calls itself common. */
struct rcommon {
    struct str name;
    uint64_t in;
};

/* What a target's own file says of rules, in place of the rules' files: its "cells". */
struct column {
    struct json *doc;
    const struct cJSON *cells, *templates;
    struct str target, file;
};

/* A row of another set to which a target of this one adds an answer of its own. */
struct adopted {
    struct row_ref row;
    struct rlist cells;
    struct place place;
};

/* Where a list of words stands, and whether they are ids of rules. */
struct word_source {
    struct place place;
    bool are_rules;
};

/* A name that a row of another set would write and that a listed target's releases do not have. */
struct unlisted {
    struct rstr target;
    struct str name;
};

struct compiler {
    struct arena *a;
    rule_errors *errors;
    size_t n_errors_before;    /* the caller's own */
    rule_errors *hints;        /* useless templates, for rules_lint; or NULL */
    const struct rules *known; /* the other sets in use, or NULL */
    struct json *doc;          /* being read */
    struct block block;
    VEC(struct rtarget) targets; /* in their final order once all are read */
    VEC(struct rrule) rules;
    VEC(struct rrow) rows;
    VEC(struct rwords) words;
    VEC(struct rcommon) common; /* names that releases of every target share */
    VEC(struct rrelease) common_releases;
    VEC(struct place) places;             /* one for each rule */
    VEC(struct word_source) word_sources; /* one for each list of words */
    VEC(struct target_ref) all_targets;   /* own and known ones; refers to `targets` */
    VEC(struct column) columns;           /* one for each target of these sources */
    VEC(struct adopted) adopted;
    VEC(struct unlisted) unlisted;
    size_t n_own_rules; /* those behind are copies for adopted rows */
};

/* ---- reader.c ---- */

/* Adds an error at a value of the document being read; the text says what to do. */
void complain(struct compiler *c, const struct cJSON *v, const char *fmt, ...) CM_PRINTF(3, 4);
/* The same at any place. */
void complain_at(struct compiler *c, struct place where, const char *fmt, ...) CM_PRINTF(3, 4);

/* "/rules/3" and a key: "/rules/3/key", with the key escaped. */
struct str pointer_to(struct arena *a, struct str base, struct str key);
/* The place of a row's cell: below the row or below the rule's defaults. */
struct place cell_place(struct compiler *c, struct row_ref row, const struct rcell *cell);
struct place row_place(struct compiler *c, const struct rrow *row);

typedef VEC(struct str) str_list;
/* `, did you mean "X"?` for the candidate nearest to s, or an empty string. */
struct str did_you_mean(struct arena *a, struct str s, const str_list *candidates);

/* Complains about keys that are not in the NULL-ended list; `what` says what is read: "a rule".
 * Returns false, with a complaint, when v is no object. */
bool check_keys(struct compiler *c, const struct cJSON *v, const char *what,
                const char *const *known);

static inline bool is_text(const struct cJSON *v) { return json_type(v) == JSON_STRING; }
static inline bool is_object(const struct cJSON *v) { return json_type(v) == JSON_OBJECT; }
static inline bool is_array(const struct cJSON *v) { return json_type(v) == JSON_ARRAY; }

/* The content of a value; another type is a complaint and an empty string or 0. */
struct str text_of(struct compiler *c, const struct cJSON *v);
uint32_t number_of(struct compiler *c, const struct cJSON *v);

/* Members of an object. `advice` completes the complaint about one that is missing or empty: it
 * says what the member is for. NULL: it may be missing. */
struct str text_member(struct compiler *c, const struct cJSON *owner, const char *key,
                       const char *advice);
struct rstr text_in_block(struct compiler *c, const struct cJSON *owner, const char *key,
                          const char *advice);
bool flag_member(struct compiler *c, const struct cJSON *owner, const char *key);
/* An array of non-empty strings, which may be missing. */
struct rlist texts_member(struct compiler *c, const struct cJSON *owner, const char *key);
/* The position of a member's text in a NULL-ended list; a missing or unknown one is a complaint
 * and 0. */
uint32_t word_member(struct compiler *c, const struct cJSON *owner, const char *key,
                     const char *const *words);
/* "references" of a rule or target: at least one. *rows, for rules: of which rows each speaks. */
struct rlist read_references(struct compiler *c, const struct cJSON *owner, struct rlist *rows);

/* Identifiers joined by dots. */
bool is_dotted_name(struct str s);
/* What stands in a keyword's place for an argument by its position: torch.cuda.Event(1). */
static inline bool is_position(struct str keyword) {
    return keyword.n == 1 && keyword.p[0] >= '0' && keyword.p[0] <= '9';
}

/* ---- cells.c ---- */

struct template_cell {
    struct str name;
    struct rcell cell;
    bool used;
};
/* What a cell may hold depends on the rule that it stands in. */
struct cell_context {
    enum match_kind match;
    bool python;        /* names are dotted identifiers */
    bool of_argument;   /* the rule is about one argument of a call */
    bool for_namespace; /* the row is the namespace itself: "=" is the target's module */
    VEC(struct template_cell) templates;
};

/* Reads the "templates" of a rule into the context. */
void read_templates(struct compiler *c, struct cell_context *x, const struct cJSON *v);

/* Reads an object of target name -> cell. `row` (may be NULL) receives its members that are no
 * cells: "note", and of C++ names "role". */
struct rlist read_cells(struct compiler *c, struct cell_context *x, const struct cJSON *v,
                        struct rrow *row);

/* Reads one cell, whoever it is for. */
struct rcell read_cell(struct compiler *c, struct cell_context *x, const struct cJSON *v);

/* Complains about a name that is no target; there is nothing to say when no target is known. */
void check_target_name(struct compiler *c, struct str name, const struct cJSON *v);

/* ---- columns.c: answers that stand in a target's own file ---- */

/* Remembers the "cells" of a target's file. */
void read_column(struct compiler *c, const struct cJSON *target, struct str name);

/* A row's cells with those that the columns have for it; key "*": the rule's defaults. */
struct rlist with_columns(struct compiler *c, struct cell_context *x, struct str rule,
                          struct str key, struct rlist own);

/* Gives rows of the other sets the answers that the columns have for them, and complains about
 * rules and rows that are in none. Call it once the domains are read. */
void adopt_columns(struct compiler *c);

/* Adds copies of the rows in c->adopted from number `first` on, and of their rules. */
void add_adopted(struct compiler *c, size_t first);

/* ---- cuda.c: what only rules about C++ have ---- */

/* Identifiers joined by "::". */
bool is_qualified_name(struct str s);
/* "include", "remove" and "cases" of a cell. */
void read_cuda_forms(struct compiler *c, const struct cell_context *x, const struct cJSON *v,
                     struct rcell *out);
/* A member that is a PCRE2 pattern, which is tried; empty where it is missing. */
struct rstr read_pattern(struct compiler *c, const struct cJSON *owner, const char *key);
/* "where", "declared" and "scope" of a rule that matches tokens. */
void read_token_rule(struct compiler *c, const struct cJSON *v, struct rrule *r);
/* The word of a token sequence by which it is found: its first identifier that is no capture, with
 * no capture of several tokens before it. */
struct rstr read_sequence(struct compiler *c, const struct cJSON *v, struct str key);

/* ---- placeholders.c ---- */

/* Where a template stands decides which placeholders it may use. */
enum form { FORM_TO, FORM_CALL, FORM_BARE, FORM_VALUE, FORM_TEXT };

/* Complains about the syntax of a template and about placeholders that its form does not know. */
void check_template(struct compiler *c, const struct cell_context *x, enum form form,
                    struct str text, const struct cJSON *v);

/* Complains about facts that a template uses and a target that it applies to lacks, and about
 * {tail} and "=" in rows outside the namespace; or (empty) about facts that are there without
 * text. Call it once everything is read. */
void check_facts(struct compiler *c, bool empty);

/* Says what targets that come alone, without rules, lack for those of the other sets: facts, and
 * names in their lists. */
void check_new_targets(struct compiler *c);

/* ---- domains.c ---- */

/* Reads a domain file; targets are known by then. */
void read_domain(struct compiler *c, const struct cJSON *v);

/* ---- words.c ---- */

/* Reads a file of words. */
void read_words(struct compiler *c, const struct cJSON *root);

/* Complains about words that lack on the lists which theirs is within, and about ids that no rule
 * has. Call it once everything is read. */
void check_words(struct compiler *c);

/* ---- releases.c ---- */

/* Reads a file of releases; targets are known by then. */
void read_releases(struct compiler *c, const struct cJSON *root);

/* Gives each row its limits: the cells that write a name which a release of the target lacks. Call
 * it once everything is read. */
void limit_rows(struct compiler *c);

/* ---- index.c ---- */

/* Whether a key is name_space + "." + something. */
bool is_below(struct str key, struct str name_space);

/* The longest run of letters, digits and underscores. */
struct str longest_word(struct str s);

/* The word without which a row cannot match; empty when the key holds none. */
struct str anchor_of(enum match_kind match, struct str key, struct str name_space);

/* Fills the tables of the header, marks rows that are modules, and complains about rows under two
 * rules. The rows themselves are not in the block yet. */
void index_rows(struct compiler *c, struct rheader *h);
void index_anchors(struct compiler *c, struct rheader *h);

/* ---- compile.c ---- */

/* Fills *c, whose errors, hints and known are set by the caller, from sources. Returns the
 * finished block, or an empty string when there were complaints. */
struct str compile_sources(struct compiler *c, struct arena *a, const struct rule_source *sources,
                           size_t n);

#endif
