/* SPDX-License-Identifier: Apache-2.0 */
/* data.h - reading the data files of the diagnostics: each row of them names where its fact was
 * read. Strings are copies in the arena, so the document may be closed. */
#ifndef CM_DIAG_DATA_H
#define CM_DIAG_DATA_H

#include "base/json.h"

struct data {
    struct arena *a;
    struct json j;
    const struct cJSON *root, *sources;
};

typedef VEC(struct str) str_vec;

/* Parses a file whose "sources" (NULL key: the whole file) is below `key`. The caller ends with
 * data_close, also after false. */
bool data_open(struct data *d, struct arena *a, struct str name, struct str text, const char *key);
/* The first error, or an empty string; frees the document. */
struct str data_close(struct data *d);

/* Text of a member: one that must be there and not be empty, and one that may be missing. */
struct str data_need(struct data *d, const struct cJSON *v, const char *key);
struct str data_take(struct data *d, const struct cJSON *v, const char *key);
/* The strings of a member that is an array, or nothing. */
str_vec data_list(struct data *d, const struct cJSON *v, const char *key);
/* The row's "source", a key of "sources", as a sentence with its date; an error without one. */
struct str data_source(struct data *d, const struct cJSON *row);

#endif
