/* SPDX-License-Identifier: Apache-2.0 */
/* sibling.c - a file of the target's own beside a CUDA source: scan.cu beside scan.hip, or beside
 * hip/scan.hip.cpp. The project has ported it by hand, and builds its own for the target: a port
 * of the other is work that nobody asked for, and two of one name if both are built. And a tree's
 * copy of a library that the target has its own of, which is left whole. */
#include "cuda/cu.h"

/* The name with the stem in the pattern's star; `..` at its begin takes a folder off. */
static struct str name_of(struct arena *a, struct str folder, struct str stem,
                          struct str pattern) {
    size_t star = str_find(pattern, S("*"), 0);
    if (str_starts(pattern, S("../"))) {
        if (!folder.n) return (struct str){0};
        struct str above = str_folder(str_sub(folder, 0, folder.n - 1));
        return name_of(a, above, stem, str_sub(pattern, 3, pattern.n));
    }
    return arena_printf(a, "%.*s%.*s%.*s%.*s", STR_ARG(folder), STR_ARG(str_sub(pattern, 0, star)),
                        STR_ARG(stem), STR_ARG(str_sub(pattern, star + 1, pattern.n)));
}

struct str cu_sibling(struct cu *f) {
    struct str patterns = target_fact(f->target, "siblings"), text;
    struct str suffix = S(".cu"), folder = str_folder(f->path);
    if (!f->reader || !str_ends(f->path, suffix)) return (struct str){0};
    struct str stem = str_sub(f->path, folder.n, f->path.n - suffix.n);
    for (size_t i = 0; i < patterns.n;) {
        size_t end = str_find(patterns, S(" "), i);
        struct str name = name_of(f->a, folder, stem, str_sub(patterns, i, end));
        bool other = name.n && !str_eq(name, f->path);
        if (other && f->reader->read(f->reader->context, f->a, name, &text)) return name;
        i = end + 1;
    }
    return (struct str){0};
}

void cu_leave_copy(struct cu *f) {
    struct cu_region all = {0, (uint32_t)f->src.n, CR_COPY};
    if (!cu_is_copy(f, f->path)) return;
    f->regions.n = 0;
    vec_push(f->a, &f->regions, all);
}
