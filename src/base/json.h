/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - reading JSON: the one place that knows cJSON.
 *
 * A document keeps the first error and the readers below give harmless values after it, so code
 * can read a whole record straight through and look at json.error once. Errors are sentences:
 * "NAME:LINE:COLUMN: ..." for syntax, "NAME: /rules/3/match: ..." (a JSON pointer) for content. */
#ifndef CM_JSON_H
#define CM_JSON_H

#include "base.h"

struct cJSON; /* a value; opaque outside json.c */

enum { JSON_MAX_DEPTH = 64, JSON_MAX_SIZE = 16 * 1024 * 1024 };

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_MISSING /* the type of a NULL value */
};

struct json {
    struct arena *a;    /* for errors */
    struct str name;    /* of the document, in errors */
    struct cJSON *root; /* NULL when the text is refused */
    struct str error;   /* the first; n == 0: none */
};

/* Parses one JSON text, strictly: UTF-8, no NUL (escaped or not), nothing after the value, at most
 * JSON_MAX_DEPTH deep and JSON_MAX_SIZE long, and no key twice in an object. False with j->error.
 * Values live until json_free, strings too; name must live as long as j. When the arena ends
 * meanwhile and jumps away, json_free may be called still. */
bool json_parse(struct json *j, struct arena *a, struct str name, struct str text);
void json_free(struct json *j);

/* JSON_MISSING for NULL. */
enum json_type json_type(const struct cJSON *v);

/* The member with exactly this key, or NULL: also when object is NULL or no object. */
const struct cJSON *json_get(const struct cJSON *object, const char *key);
/* The same; it is an error when the member is missing or not of this type: then NULL. */
const struct cJSON *json_need(struct json *j, const struct cJSON *object, const char *key,
                              enum json_type type);
/* NULL when the member is missing; an error, and NULL, when it has another type. */
const struct cJSON *json_take(struct json *j, const struct cJSON *object, const char *key,
                              enum json_type type);

/* The content of a value; an error and "", 0 or false when it has another type. Strings view the
 * document and are NUL-terminated. json_int wants a whole number of at most 2^53. */
struct str json_str(struct json *j, const struct cJSON *v);
double json_number(struct json *j, const struct cJSON *v);
int64_t json_int(struct json *j, const struct cJSON *v);
bool json_bool(struct json *j, const struct cJSON *v);

/* A member that must be there, by type. */
struct str json_need_str(struct json *j, const struct cJSON *object, const char *key);
int64_t json_need_int(struct json *j, const struct cJSON *object, const char *key);
/* A member that may be missing. */
struct str json_take_str(struct json *j, const struct cJSON *object, const char *key,
                         struct str missing);
int64_t json_take_int(struct json *j, const struct cJSON *object, const char *key,
                      int64_t missing);
bool json_take_bool(struct json *j, const struct cJSON *object, const char *key, bool missing);

/* Members or elements in the order of the text:
 *     json_each(item, list) use(item);
 * Of other types, and NULL, there are none. */
const struct cJSON *json_first(const struct cJSON *v);
const struct cJSON *json_next(const struct cJSON *v);
size_t json_count(const struct cJSON *v);
/* The key of a member; "" for anything else. */
struct str json_key(const struct cJSON *v);
#define json_each(item_, container_)                                                              \
    for (const struct cJSON *item_ = json_first(container_); item_; item_ = json_next(item_))

/* Records an error about v (NULL: the document), unless there is one already. Returns false. */
bool json_fail(struct json *j, const struct cJSON *v, const char *fmt, ...) CM_PRINTF(3, 4);
/* The same for every member of object whose key is not in the NULL-ended list: a typing error
 * would go unnoticed otherwise. Names the nearest known key. True when all are known. */
bool json_only_keys(struct json *j, const struct cJSON *object, const char *const *known);

/* Where v is: "" for the root, else "/key/0/key". */
struct str json_pointer(const struct json *j, const struct cJSON *v);

#endif
