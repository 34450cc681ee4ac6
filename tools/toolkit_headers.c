/* SPDX-License-Identifier: Apache-2.0 */
/* toolkit_headers.c - CUDA's headers for host code that is compiled as it is.
 *
 *     toolkit_headers TARGET DIR
 *
 * `cuda-morph cc` ports what it compiles. A C++ file that a build hands to the host's compiler is
 * not ported, and includes <cuda_runtime.h> all the same: DIR gets a header for each of CUDA's
 * that the rules know for TARGET, which includes the runtime's in its place and
 * cuda_morph_names.h, one #define for each name that is only called otherwise there. What changes
 * its shape has none. Exit status: 0 done, 2 usage, or something could not be written. */
#include "base/file.h"
#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>

struct alias {
    struct str name, to;
};
static VEC(struct alias) names;
static struct arena a;

static bool is_identifier(struct str s) {
    bool good = s.n > 0 && !(s.p[0] >= '0' && s.p[0] <= '9');
    for (size_t i = 0; i < s.n; i++)
        good &= strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789",
                       s.p[i]) != NULL;
    return good;
}

static void write_file(const char *folder, struct str path, struct str text) {
    struct str error;
    const char *whole = arena_printf(&a, "%s/%.*s", folder, STR_ARG(path)).p;
    if (file_make_parents(&a, whole, &error) && file_create(&a, whole, text, 0644, &error)) return;
    fprintf(stderr, "toolkit_headers: %.*s\n", STR_ARG(error));
    exit(2);
}

/* A header of CUDA's, if the target has one in its place. */
static void take_header(const char *folder, struct str path, struct str to) {
    if (!path.n || path.p[0] == '/' || !file_safe_relative(path) ||
        !str_starts(to, S("cuda_morph/")))
        return;
    /* Projects have their C++ files compiled as older C++, where kernels cannot be. */
    bool for_any = str_is(to, "cuda_morph/cuda.h");
    const char *before = "#if defined(__cplusplus) && __cplusplus < 201703L\n"
                         "#define CUDA_MORPH_HOST_FILE\n#endif\n";
    write_file(folder, path,
               arena_printf(&a,
                            "/* Written by cuda-morph, from its rules. */\n"
                            "%s#include <%.*s>\n%s#include <cuda_morph_names.h>\n",
                            for_any ? before : "", STR_ARG(to),
                            for_any ? "#undef CUDA_MORPH_HOST_FILE\n" : ""));
}

static void take_name(struct str name, const struct rcell *cell, struct str to) {
    struct alias alias = {name, to};
    bool renames = cell->verdict == V_EXACT || cell->verdict == V_SHIM || cell->verdict == V_CLOSE;
    if (!renames || !is_identifier(name) || !is_identifier(to) || str_eq(name, to)) return;
    vec_push(&a, &names, alias);
}

static int by_name(const void *x, const void *y) {
    return str_cmp(((const struct alias *)x)->name, ((const struct alias *)y)->name);
}

static void write_names(const char *folder) {
    struct buf b;
    buf_init(&b, &a);
    buf_addz(&b,
             "/* Written by cuda-morph, from its rules: CUDA's names, as libcmrt has them. */\n"
             "#ifndef CUDA_MORPH_NAMES_H\n#define CUDA_MORPH_NAMES_H\n\n");
    if (names.n) qsort(names.v, names.n, sizeof *names.v, by_name);
    for (size_t i = 0; i < names.n; i++)
        if (i == 0 || !str_eq(names.v[i].name, names.v[i - 1].name))
            buf_printf(&b, "#define %.*s %.*s\n", STR_ARG(names.v[i].name),
                       STR_ARG(names.v[i].to));
    buf_addz(&b, "\n#endif\n");
    write_file(folder, S("cuda_morph_names.h"), buf_str(&b));
}

int main(int argc, char **argv) {
    static struct rules rules = {.n = 1};
    struct target_ref target;
    if (argc != 3 || !ruleset_open(cm_rules_blob, cm_rules_blob_size, &rules.set[0])) return 2;
    struct ruleset set = rules.set[0];
    if (!rules_target(&rules, str_of(argv[1]), &target)) return 2;
    const struct rrule *rule = RS_LIST(set, set.h->rules, struct rrule);
    const struct rrow *table = RS_LIST(set, set.h->rows, struct rrow);
    for (size_t i = 0; i < set.h->rules.n; i++) {
        if (rule[i].lint || (rule[i].match != M_INCLUDE && rule[i].match != M_SYMBOL)) continue;
        for (size_t k = 0; k < rule[i].rows.n; k++) {
            struct row_ref row = {set, table + rule[i].rows.at + k, rule + i};
            const struct rcell *cell = row_cell(row, target);
            if (!cell) continue;
            struct str key = rs_str(set, row.row->key), to = rs_str(set, cell->to);
            if (rule[i].match == M_INCLUDE)
                take_header(argv[2], key, to);
            else
                take_name(key, cell, to);
        }
    }
    write_names(argv[2]);
    return 0;
}
