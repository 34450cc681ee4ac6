/* SPDX-License-Identifier: Apache-2.0 */
/* embed.c - looks files up that the binary carries. */
#include "diag/embed.h"

const struct embedded *embed_next(const struct embedded *last, struct str prefix) {
    size_t i = last ? (size_t)(last - cm_embedded) + 1 : 0;
    while (i < cm_embedded_count && !str_starts(str_of(cm_embedded[i].path), prefix)) i++;
    return i < cm_embedded_count ? &cm_embedded[i] : NULL;
}

const struct embedded *embed_find(struct str path) {
    const struct embedded *e = NULL;
    while ((e = embed_next(e, path)) != NULL)
        if (str_is(path, e->path)) return e;
    return NULL;
}
