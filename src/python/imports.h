/* SPDX-License-Identifier: Apache-2.0 */
/* imports.h - import statements: porting them, and adding what other edits need. */
#ifndef CM_PY_IMPORTS_H
#define CM_PY_IMPORTS_H

#include "python/plan.h"

/* Plans the edits of all import statements; drafts[match] receives those of a statement under its
 * first match. Sets `ported` and `renamed` of the bindings and `applied` of the matches; bindings
 * that are `pinned` stay. */
void py_port_imports(struct py *f, struct draft **drafts);

/* What added lines are for: `need` of their edits and bits of the `needs` of matches. */
enum py_need {
    NEED_VENDOR = 1,
    NEED_VENDOR_NAME, /* an import that only names ask for, not strings */
    NEED_PRELUDE,
    NEED_MODULES,                  /* one for each of py_modules */
    NEED_BLOCKS = NEED_MODULES + 3 /* one for each function with imports of its own */
};

/* What the applied edits need. */
struct needs {
    bool any;         /* the target's device or collectives are mentioned */
    bool names;       /* ... other than inside of strings */
    unsigned modules; /* text that was written mentions them, and nothing binds them there */
};
/* Adds edits (with match == NO_NODE) for the target's import, those of py_modules, the prelude. */
void py_add_imports(struct py *f, const struct needs *needs);

/* ---- helper.c ---- */

/* Whether the text mentions a name that the helpers define. */
bool py_uses_helpers(struct str prelude, struct str text);
/* The helpers as the file says them: with its name of torch, and its line breaks. */
struct str py_spell_helpers(struct py *f, struct str prelude);
/* Whether an earlier port put them, or their import, into the file: by the text, because not all
 * of it may have been parsed. */
bool py_has_helpers(struct py *f, struct str prelude);
/* Whether the name is one of the target's helpers, and something else at the node: a parameter, a
 * function of the program's own. */
bool py_hides_helper(struct py *f, uint32_t node, struct str name);
/* Where the file has a name of theirs that an earlier port did not put there, all of it has to be
 * parsed: what it is tells whether they can be called. */
void py_ask_for_helpers(struct py *f);

/* ---- wrap.c ---- */

/* Breaks lines that the edits, which are sorted, make longer than the project's settings say. */
void py_wrap_lines(struct py *f);

/* ---- spell.c ---- */

/* The dotted path that an import of the matched name is changed to, or p == NULL when imports
 * stay. */
struct str py_cell_import_path(struct py *f, const struct py_match *m);
/* A module-level import of exactly that module, or NO_NODE. */
uint32_t py_module_binding(struct py *f, struct str path);
/* The file's line break. */
struct str py_eol(const struct py *f);
/* The modules that rewritten text may name by their full names; bit i of a set stands for the
 * i-th, the first is torch. */
extern const char *const py_modules[3];

/* One name of an import statement. */
struct py_imported {
    uint32_t item; /* child of the statement: dotted_name or aliased_import */
    uint32_t name; /* its dotted_name */
    uint32_t binding;
    uint32_t match;  /* or NO_NODE */
    struct str path; /* after the port */
    bool aliased;
};
/* a.b.c -> a.b; empty where there is no dot. */
struct str py_path_parent(struct str path);
/* Names that move to different modules: one statement per module. Where the statement shares its
 * line and holds comments, `d->why` says that it is left: false. */
bool py_split_statement(struct draft *d, uint32_t statement, struct py_imported *v, size_t n);
/* `from M import a, b` of which M goes by the name `module` and some names stay in M: those that
 * have a match of their own. Makes one statement of each; false when all names go along. Where the
 * statement shares its line or holds comments, `d->why` says that it is left. */
bool py_split_module_import(struct draft *d, uint32_t statement, struct str module);
/* Puts the import statement into a `try` whose handler, `except ImportError`, has the other one.
 * False: it has names that nothing is in the place of, or shares its line. */
bool py_import_in_its_stead(struct draft *d, uint32_t statement, struct str handler,
                            struct str other);

#endif
