/* SPDX-License-Identifier: Apache-2.0 */
/* match.h - what the files that find matches share. */
#ifndef CUDA_MORPH_PYTHON_MATCH_H
#define CUDA_MORPH_PYTHON_MATCH_H

#include "python/py.h"

/* ---- rows.c ---- */

/* Whether the row speaks of that call: a rule with `with` or `without` is about some calls only.
 * call: NO_NODE where the name is not called. */
bool py_row_holds(struct py *f, uint32_t call, struct row_ref row);

enum py_row_found {
    ROW_NONE,
    ROW_SILENT, /* the rules know the key, and say nothing of this call */
    ROW_HOLDS,
};

/* The first row of that key that holds for the call and says something about the target, else the
 * first that holds, else (ROW_SILENT) the first. */
enum py_row_found py_find_row_at(struct py *f, enum match_kind kind, struct str key, uint32_t call,
                                 struct row_ref *out);
/* The same where nothing is called; whether there is any row. */
bool py_find_row(struct py *f, enum match_kind kind, struct str key, struct row_ref *out);
/* Adds a match at `node`; row == NULL: the rules know nothing of it, and a human has to look. The
 * result is valid until the next one is added. */
struct py_match *py_add_match(struct py *f, enum py_match_kind kind, uint32_t node,
                              struct str token, const struct row_ref *row,
                              enum certainty certainty);

/* The dotted name that the row's own becomes on the target wherever it stands; empty: there is
 * none, or it takes more than another name. */
struct str py_renamed_to(struct py *f, struct row_ref row);

/* Whether some part of the dotted name is a word of the rules. */
bool py_has_anchor(struct py *f, struct str path);

/* ---- own.c ---- */

/* Whether the file imports that package or something of it. */
bool py_imports(const struct py *f, struct str package);

/* ---- match_string.c ---- */

/* Matches of a string, one of the literals that py_literal() knows. Returns why its place is none
 * for a device, or NULL. */
const char *py_match_string(struct py *f, uint32_t node);

/* dict(os.environ, CUDA_VISIBLE_DEVICES="0"): a keyword that names a variable. False: it names
 * none, or the call builds no dictionary. */
bool py_match_environment_keyword(struct py *f, uint32_t call, uint32_t keyword);

/* ---- words.c ---- */

/* Whether the file has to account for all its words of CUDA's: sets f->accounts. */
void py_start_accounting(struct py *f);
/* configuration.c: whether the file holds settings and calls nothing that it imports. */
void py_find_configuration(struct py *f);
/* What stands at a node and no match is about goes to f->words, or becomes a PM_WORD; `why`: the
 * reason for a literal to stay, where one is known. */
void py_account_name(struct py *f, uint32_t identifier);
void py_account_import(struct py *f, uint32_t statement);
void py_account_string(struct py *f, uint32_t string, const char *why);
/* How the message of what account_package() finds ends. */
#define PY_PACKAGE_MESSAGE "is a package for NVIDIA"
/* A word that stays where the node is, and why. */
void py_keep_word(struct py *f, uint32_t node, const char *why);

/* ---- gather.c ---- */

/* Once all matches are there: options of one list that are for a human become one finding. */
void py_gather_lists(struct py *f);
/* Once it is known what is rewritten: what is for a human and one decision becomes one finding. */
void py_gather_decisions(struct py *f);

/* import_module("flash_attn"), optional_import("cuda.cudart"): a module that the rules are about,
 * imported by its name in a text. */
bool py_match_module_name(struct py *f, uint32_t string);

/* ---- environment.c ---- */

/* What a string with an environment variable's name is: the variable itself, as far as its form
 * tells; a key that labels the variable's value; or a key of who knows what. */
enum environment_use { ENVIRONMENT_ASKED, ENVIRONMENT_LABEL, ENVIRONMENT_UNPROVEN };
enum environment_use py_environment_use(struct py *f, uint32_t string);
/* Whether the variable of that name is set here and asked for nowhere in the file: what reads it
 * is another program, or a library. */
bool py_sets_environment(struct py *f, uint32_t string);
/* Whether the keywords of the call are keys of a dictionary, dict(os.environ, X="0"), and how sure
 * it is that they are variables of an environment. */
bool py_keyword_is_variable(struct py *f, uint32_t call, enum certainty *sure);

/* ---- match_import.c ---- */

/* The nearest module around `path` that the rules know; false: none. */
bool py_find_holder(struct py *f, struct str path, struct row_ref *row);
/* bnb.nn.Linear8bitLt(): counts a call into a module that a rule is about, or matches one that the
 * runtime lacks. Whether it is matched. */
bool py_match_module_call(struct py *f, uint32_t node, struct py_name n);
/* Whether the expression names something of a module that a rule is about. */
bool py_is_module_use(struct py *f, uint32_t node);
/* After all matches were found: the calls that were counted go to their imports. */
void py_count_module_uses(struct py *f);

/* Whether `import module` finds the user's own: in the tree that is ported (f->project), or beside
 * the file (f->disk). */
bool py_is_own_package(struct py *f, struct str module);

/* Whether a setup.py of the tree builds a module of that name. */
bool py_is_own_extension(const struct py *f, struct str module);

/* import bev_pool_ext, from pcdet.ops import iou3d_nms_cuda: the name of a compiled module that
 * the statement brings in from outside of the tree; NO_NODE: none. */
uint32_t py_compiled_module(struct py *f, uint32_t statement);

/* Whether the name that the statement imports is a class of a library, whose file is nowhere
 * around this one. */
bool py_is_class_of_library(struct py *f, uint32_t statement, struct str name);
/* Matches of an `import` and of a `from ... import` statement. */
void py_match_import(struct py *f, uint32_t statement);
void py_match_import_from(struct py *f, uint32_t statement);

#endif
