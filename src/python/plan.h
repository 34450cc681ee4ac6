/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - between plan.c (the edits of one match), imports.c and apply.c (which matches are
 * applied). */
#ifndef CM_PY_PLAN_H
#define CM_PY_PLAN_H

#include "python/py.h"

/* The edits of one match while it is not yet known whether all of them are possible. */
struct draft {
    struct py *f;
    const struct py_match *m;
    uint32_t match; /* its index */
    VEC(struct match_edit) edits;
    unsigned modules;  /* what the new text needs imported: see py_modules */
    struct str callee; /* the new callee of a call, where it is a dotted name */
    struct str why;    /* why it can't be done */
};

/* ---- draft.c ---- */

/* Replaces bytes [start, end) by text; an edit that changes nothing is none. */
void draft_put(struct draft *d, size_t start, size_t end, struct str text);
/* Inserts text at `at` as the end of what stands before it, not as the start of what follows. */
void draft_put_after(struct draft *d, size_t at, struct str text);
/* Notes the first reason and returns false. */
bool draft_fail(struct draft *d, struct str why);
/* Expands facts, {name} and {tail}. {*...}, {.} and {0} become the bytes \1, \2 and \3 for the
 * caller; the keyword list of {*:...} goes to *keywords. */
bool draft_expand(struct draft *d, struct str template, struct str *out, struct str *keywords);
/* Whether evaluating the expression can do something (or it holds a comment), so that it must not
 * be dropped. */
bool draft_has_effect(struct py *f, uint32_t node);
bool draft_has_comment(const struct py *f, uint32_t node);
/* How many other matches stand in the node: text of it that is written elsewhere lacks what
 * they become. */
size_t draft_matches_in(const struct draft *d, uint32_t node);
/* A string of the match's cell. */
struct str draft_cell_str(const struct draft *d, struct rstr r);
/* Length of the dotted name at the start of s; number of components of a dotted name. */
size_t draft_dotted_prefix(struct str s);
size_t draft_components(struct str s);
bool draft_identifier_char(char c);

/* ---- rename.c ---- */

/* Notes that text was written which needs this module imported, where it is one of py_modules. */
void draft_need(struct draft *d, struct str module);
/* Writes `torch.` and the other modules of py_modules in the text the way the file can say them.
 */
bool draft_spell_roots(struct draft *d, struct str *text);
/* Makes the chain or dotted_name at `node` read `text`, touching only the components that differ.
 */
void draft_rename_chain(struct draft *d, uint32_t node, struct str text);
/* Makes the expression at `node` (a chain, or a getattr call) name `path`, through the imports of
 * the file. */
bool draft_rename_to(struct draft *d, uint32_t node, struct str path);

/* ---- template.c ---- */

/* Rewrites the call of the match by a template of its cell. */
bool template_apply(struct draft *d, struct str template, uint32_t call);
/* Drops the parentheses around a text where it stands alone at `node` anyway. */
struct str template_alone(const struct py *f, uint32_t node, struct str text);
/* Replaces [start, end) by text in which \2 stands for the receiver, which stays where it is. */
bool template_around_receiver(struct draft *d, size_t start, size_t end, struct str text);
/* `if X: y` and the like: whether the template is one, whether the statement's line has room for
 * one, and its form on two lines with the statement's indent. */
bool template_is_compound(struct str template);
bool template_fits_line(const struct py *f, uint32_t statement);
struct str template_on_two_lines(struct draft *d, uint32_t statement, struct str template);

/* ---- guarded.c ---- */

/* The template without the target's guard where the place is guarded by that test already. */
struct str draft_without_guard(struct draft *d, struct str template);
/* Whether the node counts only where the device of the target is there. */
bool draft_is_guarded(struct draft *d, uint32_t node);

/* ---- idiom.c ---- */

/* A comparison of the call, `call()[0] >= 8`, that is false without an accelerator gets the guard
 * of the target in front, where `guard and comparison` can stand in its stead. */
bool idiom_guard_comparison(struct draft *d, uint32_t call);
/* An assertion that always holds goes, unless a comment of it would be lost. */
bool idiom_drop_assert(struct draft *d, uint32_t statement);
/* Where the call becomes False: the `if` that asks it goes, if nothing would be left in it. */
bool idiom_drop_if(struct draft *d, uint32_t call);
/* `a if CALL else b` where the call becomes False: just b. False when it is no such place. */
bool idiom_fold_conditional(struct draft *d, uint32_t call);
/* A statement that becomes nothing: its line goes when the block has others. False when it has to
 * be `pass`. */
bool idiom_drop_statement(struct draft *d, uint32_t statement);
/* The element of a list or set that would repeat another goes, with its comma. */
void idiom_drop_duplicate(struct draft *d);
/* An assignment that would repeat the one in front of it goes, with its line. */
void idiom_drop_repeated(struct draft *d);
/* Of a conditional whose branches come to say the same only that stays. */
void idiom_join_branches(struct draft *d);
/* Text inside the hole of an f-string gets quotes that fit, or the draft fails. */
bool idiom_fit_into_fstring(struct draft *d);
/* `device=` goes before an argument that the new callee takes by position only. */
void idiom_drop_keyword_name(struct draft *d);

/* ---- plan.c, plan_string.c ---- */

/* Fills the draft; false with `why` when the place doesn't allow the rewrite. */
bool py_plan_match(struct draft *d);
bool plan_string(struct draft *d);

#endif
