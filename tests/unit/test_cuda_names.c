/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_names.c - what rules about C++ write for rocm exists: held against
 * tests/names/hip.names, which says in which HIP's headers a name was seen. */
#include "rules/rules.h"

#include <ctype.h>

#include "base/file.h"
#include "test.h"

static struct arena a;

/* ---- the list ---- */

struct listed {
    struct str name, versions;
};
static VEC(struct listed) list;

static void read_list(const char *path) {
    struct str text, error;
    if (!CHECK(file_read(&a, path, 1 << 20, &text, NULL, &error))) return;
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        struct str line = str_sub(text, at, end);
        size_t space = str_find(line, S(" "), 0);
        struct listed one = {str_sub(line, 0, space), str_sub(line, space, line.n)};
        if (line.n && line.p[0] != '#') vec_push(&a, &list, one);
        at = end + 1;
    }
}

static int order(struct str x, struct str y) {
    int c = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
    return c ? c : (x.n > y.n) - (x.n < y.n);
}

static const struct listed *find(struct str name) {
    size_t low = 0, high = list.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int c = order(list.v[mid].name, name);
        if (c == 0) return &list.v[mid];
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* ---- what has to be there ---- */

/* Libraries that Debian 12 does not package: no header of theirs is at hand for
 * HIP 5.2. */
static bool is_packaged(struct str name, const char *version) {
    static const char *const later[] = {
        "hipblas", "HIPBLAS", "hipfft",   "HIPFFT",   "hipsolver",    "HIPSOLVER",  "hipcub",
        "HIPCUB",  "Hipcub",  "_Hipcub",  "__HIPCUB", "BEGIN_HIPCUB", "END_HIPCUB", "CUB_",
        "thrust",  "rccl",    "nccl",     "NCCL",     "pnccl",        "roctx",      "roctracer",
        "miopen",  "MIOPEN",  "hipLibXt", "hipXt",    "rocrand"};
    if (strcmp(version, "5.2") != 0) return true;
    for (size_t i = 0; i < ARRAY_LEN(later); i++)
        if (str_starts(name, str_of(later[i]))) return false;
    return true;
}

/* Names of the project's own: its headers for HIP have to have them. */
static bool is_ours(struct str name) {
    static const char *const headers[] = {"hip_ext.h",      "hip_simd.h", "hip_blas.h",
                                          "hip_nvtx.h",     "hip_wmma.h", "hip_atomic.h",
                                          "hip_rounding.h", "ptx.h"};
    static struct str texts[ARRAY_LEN(headers)];
    struct str error;
    for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
        struct str own = arena_printf(&a, "cuda_morph/%s", headers[i]);
        const char *path = arena_printf(&a, "runtime/include/%s", own.p).p;
        if (!texts[i].n) CHECK(file_read(&a, path, 1 << 20, &texts[i], NULL, &error));
        if (str_eq(name, own)) return true;
    }
    if (str_is(name, "char") || str_is(name, "auto") || str_is(name, "cassert"))
        return true; /* C++'s own */
    if (str_starts(name, S("cuda::"))) return true;                   /* of hip_atomic.h */
    if (str_starts(name, S("cuda_morph/"))) return false;
    if (str_starts(name, S("cm::")))
        return true; /* a row that a pass asks for; nobody writes it */
    if (!str_starts(name, S("cm_"))) return false;
    for (size_t i = 0; i < ARRAY_LEN(headers); i++)
        if (str_find(texts[i], name, 0) < texts[i].n) return true;
    return false;
}

static void check_name(struct row_ref row, struct str name, const char *version) {
    struct buf what;
    const struct listed *one = find(name);
    if (!is_packaged(name, version) || is_ours(name)) return;
    buf_init(&what, &a);
    buf_printf(&what, "%.*s writes %.*s for %.*s, which tests/names/hip.names lacks for HIP %s",
               STR_ARG(rs_str(row.set, row.rule->id)), STR_ARG(name),
               STR_ARG(rs_str(row.set, row.row->key)), version);
    bool seen = one && str_find(one->versions, str_of(version), 0) < one->versions.n;
    test_check(seen, __FILE__, __LINE__, buf_str(&what).p);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == ':'; }

/* Words of C++ and its library that templates hold beside names of HIP. */
static bool is_language(struct str word) {
    static const char *const words[] = {"reinterpret_cast",
                                        "static_cast",
                                        "const",
                                        "if",
                                        "exit",
                                        "void",
                                        "float",
                                        "_Float16",
                                        "nullptr",
                                        "type",
                                        "id",
                                        "unsigned",
                                        "uint32_t",
                                        "uint64_t",
                                        "long",
                                        "true",
                                        "false",
                                        "tanhf",
                                        "x",
                                        "y",
                                        "z"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_is(word, words[i])) return true;
    return false;
}

static void check_text(struct row_ref row, struct str text, const char *version) {
    if (row.rule->match == M_INCLUDE) {
        bool one = str_find(text, S("*"), 0) == text.n; /* a folder's headers stay as they are */
        if (text.n && one) check_name(row, text, version);
        return;
    }
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        if (text.p[i] == '{') { /* a placeholder */
            i = str_find(text, S("}"), i) + 1;
            continue;
        }
        while (i < text.n && is_word(text.p[i])) i++;
        struct str word = str_sub(text, start, i);
        while (word.n && word.p[word.n - 1] == ':') word.n--; /* of a ?: */
        bool name = word.n && word.p[0] != ':' && !isdigit((unsigned char)word.p[0]);
        if (name && !is_language(word)) check_name(row, word, version);
        if (i == start) i++;
    }
}

static void check_row(struct row_ref row, struct target_ref rocm, const char *version) {
    rocm.version = str_of(version);
    const struct rcell *cell = row_cell(row, rocm);
    if (!cell || cell->unverified) return;
    if (cell->verdict == V_SAME) check_text(row, rs_str(row.set, row.row->key), version);
    const struct rstr forms[] = {cell->to, cell->call, cell->statement, cell->value};
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        check_text(row, rs_str(row.set, forms[i]), version);
    const struct rcase *cases = RS_LIST(row.set, cell->cases, struct rcase);
    for (size_t i = 0; i < cell->cases.n; i++)
        check_text(row, rs_str(row.set, cases[i].call), version);
}

/* The device builtins are the language of hipcc and of runtime/include. */
static bool is_about_libraries(struct row_ref row) {
    struct str domain = rs_str(row.set, row.rule->domain);
    bool own = str_is(domain, "cuda-device") || str_is(domain, "torch-cpp");
    return !own && (row.rule->match == M_SYMBOL || row.rule->match == M_INCLUDE);
}

int main(void) {
    struct ruleset set;
    arena_init(&a, 0);
    if (!CHECK(ruleset_open(cm_rules_blob, cm_rules_blob_size, &set))) return test_end("names");
    read_list("tests/names/hip.names");
    CHECK(list.n > 1000);
    for (size_t i = 1; i < list.n; i++) CHECK(order(list.v[i - 1].name, list.v[i].name) < 0);

    struct rules rules = {.set = {set}, .n = 1};
    struct target_ref rocm;
    if (!CHECK(rules_target(&rules, S("rocm"), &rocm))) return test_end("cuda_names");
    const struct rrule *rule = RS_LIST(set, set.h->rules, struct rrule);
    const struct rrow *rows = RS_LIST(set, set.h->rows, struct rrow);
    for (size_t i = 0; i < set.h->rows.n; i++) {
        struct row_ref row = {set, &rows[i], &rule[rows[i].rule]};
        if (!is_about_libraries(row)) continue;
        check_row(row, rocm, "5.2");
        check_row(row, rocm, "6.4");
        check_row(row, rocm, "7.2");
    }
    return test_end("cuda_names");
}
