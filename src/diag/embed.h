/* SPDX-License-Identifier: Apache-2.0 */
/* embed.h - files that are part of the binary: data that is read as it is when a command asks for
 * it, and programs that ship with this one. The Makefile's EMBEDDED lists them; tools/embed.c
 * writes the table, in byte order of the paths. */
#ifndef CM_EMBED_H
#define CM_EMBED_H

#include "base/base.h"

struct embedded {
    const char *path; /* from the top of the source tree */
    const char *text; /* followed by a NUL */
    size_t size;
};

extern const struct embedded cm_embedded[];
extern const size_t cm_embedded_count;

/* The file of this path, or NULL. */
const struct embedded *embed_find(struct str path);
/* The next file after `last` (NULL: from the start) whose path starts with `prefix`; NULL: none.
 */
const struct embedded *embed_next(const struct embedded *last, struct str prefix);
static inline struct str embed_text(const struct embedded *e) {
    return (struct str){e->text, e->size};
}

#endif
