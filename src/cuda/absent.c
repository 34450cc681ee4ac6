/* SPDX-License-Identifier: Apache-2.0 */
/* absent.c - names of CUDA's libraries that a port would keep, and that no header of the runtime
 * has: cub::DeviceMerge::MergeKeys, thrust::set_union_by_key, cg::this_cluster. They are manual at
 * their place, and no surprise of the compiler.
 *
 * Only names that are spelt out from a library's namespace on are judged, or from what the file
 * says is short for it (`namespace cg = cooperative_groups;`). A file that adds to such a
 * namespace is not: what it means may be its own. */
#include "cuda/cu.h"
#include "cuda/header_names.h"

enum { MOST_PARTS = 16 };

/* What `namespace NAME = LIBRARY;` says of a word, from its place upwards; else the word. */
static struct str unaliased(struct cu *f, uint32_t word) {
    for (uint32_t i = cu_same_before(f, word); i != NO_NODE && i > 0; i = cu_same_before(f, i))
        if (cu_is(f, i - 1, "namespace") && cu_is(f, i + 1, "=") && cu_is_word(f, i + 2))
            return cu_text(f, i + 2);
    return cu_text(f, word);
}

/* `namespace thrust {` */
static bool is_reopened(struct cu *f, uint32_t word) {
    for (int back = 0; back < 2; back++)
        for (uint32_t i = word; i != NO_NODE;
             i = back ? cu_same_before(f, i) : cu_same_after(f, i))
            if (i > 0 && cu_is(f, i - 1, "namespace") && !cu_is(f, i + 1, "=")) return true;
    return false;
}

/* Whether the file includes a header of the library's folder: <cuda/atomic>. */
static bool includes_folder(const struct cu *f, struct str name) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct str path = cu_text(f, i);
        if (f->tokens.v[i].kind == CU_HEADER && path.n > name.n + 1 &&
            str_starts(str_sub(path, 1, path.n), name) && path.p[name.n + 1] == '/')
            return true;
    }
    return false;
}

/* A qualified name, part by part; what is between < and > is none of its business. */
struct parts {
    struct str v[MOST_PARTS];
    uint32_t token[MOST_PARTS];
    size_t n, plain; /* plain: of them before the first < */
};

static struct parts read_parts(struct cu *f, uint32_t first) {
    struct parts p = {.v = {unaliased(f, first)}, .token = {first}, .n = 1};
    for (uint32_t i = first + 1; p.n < MOST_PARTS; i += 2) {
        uint32_t close = cu_is(f, i, "<") ? cu_template_end(f, i) : NO_NODE;
        if (close != NO_NODE) {
            if (!p.plain) p.plain = p.n;
            i = close + 1;
        }
        if (!cu_is(f, i, "::") || !cu_is_word(f, i + 1)) break;
        p.token[p.n] = i + 1;
        p.v[p.n++] = cu_text(f, i + 1);
    }
    if (!p.plain) p.plain = p.n;
    return p;
}

bool cu_find_absent(struct cu *f, uint32_t first, struct cu_absent *out) {
    if (!target_writes_kernels(f->target)) return false;
    struct str library = unaliased(f, first);
    if (!rules_lists(f->rules, "cuda.library_namespaces", library)) return false;
    struct parts p = read_parts(f, first);
    size_t absent = header_names_absent(header_names_of(f->target.sycl), f->a, p.v, p.n);
    if (!absent || is_reopened(f, first)) return false;
    if (rules_lists(f->rules, "cuda.shared_namespaces", library) && !includes_folder(f, library))
        return false;
    struct buf b;
    buf_init(&b, f->a);
    for (size_t i = 0; i < absent; i++) buf_printf(&b, "%s%.*s", i ? "::" : "", STR_ARG(p.v[i]));
    out->name = buf_str(&b);
    out->last = p.token[absent - 1] + 1;
    out->first = absent <= p.plain ? first : out->last - 1;
    return true;
}
