/* SPDX-License-Identifier: Apache-2.0 */
/* notebook.h - Jupyter notebooks: their code cells as Python text, and its edits in the JSON.
 *
 * The JSON is never written anew. What is read remembers which bytes of the file spell which bytes
 * of a cell's text, so an edit of the text is an edit of the file that leaves every other byte.
 *
 * notebook_json.c   bytes -> cells with their text (struct notebook)
 * notebook_magic.c  hides what IPython reads and Python does not
 * notebook_environment.c  but for %env, which becomes Python
 * notebook.c        cells -> one Python text -> its results, in terms of the file */
#ifndef CM_NOTEBOOK_H
#define CM_NOTEBOOK_H

#include "engine/engine.h"

/* ---- notebook_json.c ---- */

/* Bytes of a cell's text and those of the file that spell them: the same ones, one escape, or none
 * (notebook_environment.c). */
struct nb_span {
    uint32_t at, n;
    uint32_t json, json_n;
};

struct nb_cell {
    uint32_t number; /* from 1, among cells of all types */
    struct str text; /* the decoded source; 64 readable bytes follow it */
    VEC(struct nb_span) spans;
    uint32_t json;        /* where its source starts in the file */
    struct str separator; /* what stands between two lines of the source, quotes included */
    uint32_t hidden;      /* lines before the text that Python does not get to see: %%time */
    bool unreadable;      /* NUL or half of a surrogate pair: no Python source */
    bool crlf;
    /* notebook.c: */
    bool anchored;      /* words of rules occur in it */
    bool left;          /* it is not part of the Python text */
    uint32_t begin, at; /* where it starts there, and where its own text does */
};

struct notebook {
    VEC(struct nb_cell) cells; /* those of code, without empty ones */
    struct str language;       /* of the kernel, when it is not Python; else empty */
    bool has_cells;            /* there is a list of cells, as in nbformat 4 */
    bool has_worksheets;       /* ... or of worksheets, as before */
    bool ascii;                /* the file writes other characters as \uXXXX */
    const char *error;         /* why it is no JSON, at byte error_at; else NULL */
    size_t error_at;
};

/* Reads the JSON of a notebook; everything lives in `a`. Accepts what Python's json module does,
 * NaN included, however deeply nested. False with error and error_at when it is no JSON. */
bool notebook_read(struct notebook *nb, struct arena *a, struct str json);

/* The text of all code cells, for looking things up in it; empty when it is no JSON. */
struct str notebook_text(struct arena *a, struct str json);

/* `text` as part of a JSON string of the cell. Line breaks become those of the cell, and start a
 * new string of its list, but for a last one when the string ends after the text (`closes`). */
struct str notebook_escape(struct arena *a, const struct notebook *nb, const struct nb_cell *cell,
                           struct str text, bool closes);

/* ---- notebook_magic.c ---- */

/* What a `%%` cell is to us. */
enum nb_magic { NB_NONE, NB_PYTHON /* its body is Python all the same: %%time */, NB_FOREIGN };
enum nb_magic notebook_cell_magic(struct str text);

/* Overwrites lines and values that only IPython understands by `0` and blanks: %magic, !shell,
 * help?, x = !shell, x = %magic. Line breaks and lengths stay. Before each, calls `report` with
 * its start and end. Of `%time` and `%timeit` lines the statement stays, part of the program. */
typedef void hidden_text(void *ctx, size_t start, size_t end);
void notebook_hide_magics(char *text, size_t n, hidden_text *report, void *ctx);

/* ---- notebook_environment.c ---- */

/* A line `%env NAME=VALUE`: where its name starts and ends, and where its value does. */
struct nb_environment {
    size_t name, name_end, end;
};
/* Whether the line is one that can be Python. A value that a rule may be about is none: what
 * replaces it, with its quotes, would have no place in the file. */
bool notebook_is_environment(struct str line, struct nb_environment *out);

/* Spells the line, which begins at `start` and is hidden there, as Python. */
void notebook_spell_environment(struct arena *a, struct nb_cell *c, size_t start, struct str line,
                                const struct nb_environment *e);

/* ---- notebook.c ---- */

/* Ports the notebook u->src into *out, with `python` as what ports its Python text. */
void notebook_run(struct unit *u, pipeline *python, struct cm_result *out);

#endif
