/* SPDX-License-Identifier: Apache-2.0 */
/* header_names.c - looks names up among those that the runtime's headers declare. */
#include "cuda/header_names.h"

static bool has(struct str name) {
    size_t low = 0, high = cm_header_name_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = str_cmp(str_of(cm_header_names[middle]), name);
        if (order == 0) return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

size_t header_names_absent(struct arena *a, const struct str *parts, size_t n) {
    struct str around = arena_concat(a, parts[0], S("::"));
    if (!has(around)) return 0;
    for (size_t i = 1; i < n; i++) {
        struct str name = arena_concat(a, around, parts[i]);
        struct str inside = arena_concat(a, name, S("::"));
        if (!has(inside)) {
            bool open = has(arena_concat(a, around, S("*")));
            return open || has(name) ? 0 : i + 1;
        }
        around = inside;
    }
    return 0;
}
