/* SPDX-License-Identifier: Apache-2.0 */
/* header_names.c - looks names up among those that the runtime's headers declare. */
#include "cuda/header_names.h"

struct header_names header_names_of(bool sycl) {
    return sycl ? (struct header_names){cm_sycl_names, cm_sycl_name_count}
                : (struct header_names){cm_header_names, cm_header_name_count};
}

static bool has(struct header_names names, struct str name) {
    size_t low = 0, high = names.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = str_cmp(str_of(names.v[middle]), name);
        if (order == 0) return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool header_names_declare(struct header_names names, struct arena *a, struct str name) {
    return has(names, name) || has(names, arena_concat(a, name, S("::")));
}

size_t header_names_absent(struct header_names names, struct arena *a, const struct str *parts,
                           size_t n) {
    struct str around = arena_concat(a, parts[0], S("::"));
    if (!has(names, around)) return 0;
    for (size_t i = 1; i < n; i++) {
        struct str name = arena_concat(a, around, parts[i]);
        struct str inside = arena_concat(a, name, S("::"));
        if (!has(names, inside)) {
            bool open = has(names, arena_concat(a, around, S("*")));
            return open || has(names, name) ? 0 : i + 1;
        }
        around = inside;
    }
    return 0;
}
