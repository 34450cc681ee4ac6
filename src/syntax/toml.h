/* SPDX-License-Identifier: Apache-2.0 */
/* toml.h - reading TOML: the one place that knows its grammar.
 *
 * A document is a tree of values in one arena, in the order of the text. Dates and floating-point
 * numbers are recognised and not read: nothing here wants them. */
#ifndef CM_TOML_H
#define CM_TOML_H

#include "base/base.h"

enum toml_type { TOML_STRING, TOML_BOOLEAN, TOML_INTEGER, TOML_ARRAY, TOML_TABLE, TOML_OTHER };

struct toml_value {
    enum toml_type type;
    struct str key;    /* of a table's member, else empty */
    struct str string; /* TOML_STRING, decoded and NUL-terminated */
    int64_t integer;
    bool boolean;
    struct toml_value *first, *last; /* elements or members */
    size_t n;                        /* how many */
    struct toml_value *next;         /* the one after this in its array or table */
    uint32_t line, column;           /* from 1; column in bytes */
    bool is_explicit;                /* a table that has its own header */
};

/* Parses a document; NULL with a sentence in *error ("NAME:LINE:COLUMN: ...") when it is none, or
 * when a key is set twice. Views of text are kept. */
const struct toml_value *toml_parse(struct arena *a, struct str name, struct str text,
                                    struct str *error);

/* The member with this key, or NULL; also when `table` is NULL or no table. */
const struct toml_value *toml_get(const struct toml_value *table, const char *key);

#endif
