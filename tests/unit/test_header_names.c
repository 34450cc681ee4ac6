/* SPDX-License-Identifier: Apache-2.0 */
/* test_header_names.c - names that the runtime's headers declare, as tools/header_names read them:
 * functions, members, enumerators, what macros and `using` declare; and what is not there. */
#include "cuda/header_names.h"
#include "test.h"

static struct arena a;

/* How many parts of the name are spelt when it is known to be absent. */
static size_t absent(const char *name) {
    struct str parts[8], s = str_of(name);
    size_t n = 0;
    for (size_t at = 0; at <= s.n && n < ARRAY_LEN(parts); n++) {
        size_t end = str_find(s, S("::"), at);
        parts[n] = str_sub(s, at, end);
        at = end + 2;
    }
    return header_names_absent(header_names_of(false), &a, parts, n);
}

int main(void) {
    static const char *const there[] = {
        "cub::DeviceScan::ExclusiveSum",             /* a static function */
        "cub::DeviceRadixSort::SortPairsDescending", /* that a macro declares */
        "cub::BlockReduce::TempStorage",             /* a type of a class */
        "cub::BLOCK_SCAN_WARP_SCANS",                /* an enumerator */
        "thrust::plus",                              /* using */
        "thrust::set_difference",                    /* that a macro declares */
        "thrust::system::cuda::par",                 /* a variable, two namespaces in */
        "thrust::placeholders::_1",
        "thrust::host_vector::anything", /* it has a base, which nobody has read */
        "cuda::std::array",              /* using namespace */
        "cooperative_groups::this_grid",
        "cooperative_groups::thread_block::sync",
        "nvcuda::wmma::load_matrix_sync",
        "mine::anything", /* not ours */
        "cub",
    };
    static const struct {
        const char *name;
        size_t parts;
    } missing[] = {
        {"cub::DeviceScan::Nothing", 3}, {"cub::Nothing::more", 2},
        {"thrust::nothing", 2},          {"thrust::system::cuda::nothing", 4},
        {"cooperative_groups::if", 2},   {"nvcuda::wmma::nothing", 3},
    };
    arena_init(&a, 0);
    for (size_t i = 0; i < ARRAY_LEN(there); i++)
        if (!CHECK(absent(there[i]) == 0)) printf("    %s\n", there[i]);
    for (size_t i = 0; i < ARRAY_LEN(missing); i++)
        if (!CHECK(absent(missing[i].name) == missing[i].parts))
            printf("    %s\n", missing[i].name);
    for (size_t i = 1; i < cm_header_name_count; i++)
        if (!CHECK(str_cmp(str_of(cm_header_names[i - 1]), str_of(cm_header_names[i])) < 0)) break;
    arena_free(&a);
    return test_end("header_names");
}
