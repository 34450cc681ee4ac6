/* SPDX-License-Identifier: Apache-2.0 */
/* libclang as the second opinion: whose a name is, what type a variable has, what would not
 * compile and where. Skipped where there is no libclang. */
#include "diag/embed.h"
#include "semantic/ask.h"
#include "test.h"

#include <stdlib.h>

static struct arena arena;
static const struct sem *sem;
static const char cuda[] = "-x cuda --cuda-host-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80";

static struct sem_unit *parse(const char *path, const struct sem_file *files, size_t n) {
    struct str error;
    struct sem_input in = {
        .path = path, .language = cuda, .cuda_decls = true, .files = files, .n_files = n};
    struct sem_unit *u = sem_parse(sem, &arena, &in, &error);
    CHECK(u != NULL);
    return u;
}

/* The entry of the n-th occurrence of a word. */
static const struct sem_name *name_of(const struct semantic_facts *f, struct str text,
                                      const char *word, size_t nth) {
    size_t at = str_find(text, str_of(word), 0);
    for (; nth > 1; nth--) at = str_find(text, str_of(word), at + 1);
    const struct sem_name *name = sem_name_at(f, at);
    CHECK(name != NULL);
    static const struct sem_name none;
    return name ? name : &none;
}

static void test_names(void) {
    struct str header = S("#pragma once\n"
                          "namespace app { int cudaFree(int); }\n"
                          "#define cudaCheck(x) (x)\n");
    struct str text = S("#include <cuda_runtime.h>\n"
                        "#include \"user.h\"\n"
                        "struct S { int cudaStream_t; };\n"
                        "__global__ void k(float *p, int n) {\n"
                        "    unsigned votes = __ballot_sync(0xffffffffu, n > 2);\n"
                        "    unsigned long long wide = __ballot_sync(~0u, n);\n"
                        "    auto third = __ballot_sync(~0u, n);\n"
                        "    if (votes) p[threadIdx.x] = wide + third;\n"
                        "}\n"
                        "int main() {\n"
                        "    float *p; S s; s.cudaStream_t = app::cudaFree(3);\n"
                        "    cudaCheck(cudaMalloc(&p, 4));\n"
                        "    k<<<1, 32>>>(p, 1); // cudaFree\n"
                        "    cudaFree(p); cudaNoSuchName(p);\n"
                        "}\n");
    struct sem_file files[] = {{"/nowhere/a.cu", text}, {"/nowhere/user.h", header}};
    struct sem_unit *u = parse("/nowhere/a.cu", files, 2);
    if (!u) return;
    struct semantic_facts f = sem_facts(u, &arena, "/nowhere/a.cu");
    CHECK(f.n > 40);
    CHECK(name_of(&f, text, "cudaStream_t", 1)->origin == SEM_USER);
    CHECK(name_of(&f, text, "cudaStream_t", 1)->declares);
    CHECK(name_of(&f, text, "cudaStream_t", 2)->origin == SEM_USER);
    CHECK(!name_of(&f, text, "cudaStream_t", 2)->declares);
    CHECK(name_of(&f, text, "cudaFree", 1)->origin == SEM_USER);
    CHECK(name_of(&f, text, "cudaCheck", 1)->origin == SEM_USER);
    CHECK(name_of(&f, text, "cudaMalloc", 1)->origin == SEM_SYSTEM);
    CHECK(name_of(&f, text, "cudaFree", 3)->origin == SEM_SYSTEM);
    CHECK(name_of(&f, text, "cudaNoSuchName", 1)->origin == SEM_UNKNOWN);
    CHECK(name_of(&f, text, "threadIdx", 1)->origin == SEM_SYSTEM);
    CHECK_STR(name_of(&f, text, "votes", 1)->type, "unsigned int");
    CHECK_STR(name_of(&f, text, "votes", 2)->type, "unsigned int");
    CHECK_STR(name_of(&f, text, "wide", 2)->type, "unsigned long long");
    CHECK_STR(name_of(&f, text, "third", 2)->type, "unsigned int");
    CHECK(sem_name_at(&f, str_find(text, S("// cudaFree"), 0) + 3) == NULL);
    CHECK(sem_is_users(&f, str_find(text, S("cudaFree"), 0)));
    sem_unit_free(u);
}

static void test_errors(void) {
    struct str header = S("inline void h(int *p) { no_such(p); }\n");
    struct str text = S("#include \"user.h\"\n"
                        "#include <no/such.h>\n"
                        "template <class T> void twice(T t) { t.run(); }\n"
                        "int main() {\n"
                        "    twice(1);\n"
                        "    return undeclared;\n"
                        "}\n");
    struct sem_file files[] = {{"/nowhere/b.cu", text}, {"/nowhere/user.h", header}};
    struct sem_unit *u = parse("/nowhere/b.cu", files, 2);
    if (!u) return;
    struct sem_error *e;
    size_t n;
    sem_errors(u, &arena, &e, &n);
    CHECK(n == 4);
    if (n == 4) {
        CHECK_STR(str_of(e[0].path), "/nowhere/user.h");
        CHECK(e[0].line == 1 && e[0].offset == str_find(header, S("no_such"), 0));
        CHECK_STR(e[1].missing_header, "no/such.h");
        CHECK(e[1].line == 2);
        CHECK(e[2].line == 3 || e[2].line == 6);
        CHECK(e[3].line == 6 || e[3].line == 3);
        CHECK_STR(e[0].missing_header, "");
    }
    struct flag_list paths = {0};
    sem_inclusions(u, &arena, &paths);
    CHECK(paths.n == 2);
    sem_unit_free(u);
}

/* A file is listed once, however often it is read; it itself, too. */
static void test_inclusions(void) {
    struct sem_file files[] = {
        {"/nowhere/i.cu", S("#ifndef I\n#define I\n#include \"i.cu\"\n#include \"x.h\"\n"
                            "#include \"x.h\"\n#endif\n")},
        {"/nowhere/x.h", S("#undef X\n#define X\n")}};
    struct sem_unit *u = parse("/nowhere/i.cu", files, 2);
    struct flag_list paths = {0};
    if (!u) return;
    sem_inclusions(u, &arena, &paths);
    CHECK(paths.n == 2);
    sem_unit_free(u);
}

/* The toolkit that flags of a build name is not read where its declarations are our own: its header
 * is as missing as without them. */
static void test_toolkit(void) {
    char folder[] = "/tmp/cm-toolkit.XXXXXX";
    if (!CHECK(mkdtemp(folder))) return;
    struct str header = arena_printf(&arena, "%s/cuda_runtime.h", folder);
    FILE *f = fopen(header.p, "w");
    if (CHECK(f)) fputs("#error of the toolkit\n", f);
    if (f) fclose(f);
    struct sem_file file = {"/nowhere/t.cu", S("#include <cuda_runtime.h>\ncudaStream_t s;\n")};
    const char *const flags[][2] = {
        {"-I", folder}, {"-isystem", folder}, {arena_printf(&arena, "-I%s", folder).p, "-DX"}};
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        struct flag_list given = {.v = (const char **)flags[i], .n = 2};
        struct sem_input in = {.path = file.path,
                               .language = cuda,
                               .cuda_decls = true,
                               .files = &file,
                               .n_files = 1,
                               .flags = &given};
        struct str error;
        struct sem_error *e;
        size_t n = 1;
        struct sem_unit *u = sem_parse(sem, &arena, &in, &error);
        if (!CHECK(u != NULL)) continue;
        sem_errors(u, &arena, &e, &n);
        CHECK(n == 1);
        if (n == 1) CHECK_STR(e[0].missing_header, "cuda_runtime.h");
        sem_unit_free(u);
    }
    remove(header.p);
    remove(folder);
}

/* The declarations that stand in for CUDA's headers are right in each of the languages. */
static void test_decls(void) {
    static const char *const languages[] = {
        cuda, "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80",
        "-x c++ -std=c++11", "-x c"};
    struct str text = embed_text(embed_find(S("rules/data/cuda_decls.h")));
    struct sem_file file = {"/nowhere/decls.h", text};
    for (size_t i = 0; i < ARRAY_LEN(languages); i++) {
        struct sem_input in = {
            .path = file.path, .language = languages[i], .files = &file, .n_files = 1};
        struct str error;
        struct sem_error *e;
        size_t n;
        struct sem_unit *u = sem_parse(sem, &arena, &in, &error);
        if (!CHECK(u != NULL)) continue;
        sem_errors(u, &arena, &e, &n);
        CHECK(n == 0);
        for (size_t k = 0; k < n; k++)
            fprintf(stderr, "  %s: line %u: %.*s\n", languages[i], e[k].line,
                    STR_ARG(e[k].message));
        sem_unit_free(u);
    }
}

/* A child says what a parse in this process would, and one that ends late or badly is told of. */
static void test_ask(void) {
    struct str text = S("#include <no/such.h>\n"
                        "template <int n> struct T { typedef T<n - 1> a; typename a::a b; };\n"
                        "int main() { int cudaFree = no_such; return cudaFree; }\n");
    struct str endless = S("constexpr int f() { int n = 0; for (;;) n = (n + 1) & 7; return n; }\n"
                           "static_assert(f(), \"\");\n");
    struct sem_file file = {"/nowhere/q.cu", text};
    struct sem_input in = {
        .path = file.path, .language = cuda, .cuda_decls = true, .files = &file, .n_files = 1};
    struct sem_answer got;
    struct str error;
    struct sem_limits usual = {SEM_SECONDS, SEM_MEGABYTES}, small = {1, SEM_MEGABYTES};
    unsigned all = SEM_WANT_ERRORS | SEM_WANT_INCLUSIONS | SEM_WANT_FACTS;
    struct sem_unit *u = parse(file.path, &file, 1);
    if (!u) return;
    struct semantic_facts f = sem_facts(u, &arena, file.path);
    struct sem_error *e;
    size_t n;
    sem_errors(u, &arena, &e, &n);
    CHECK(sem_ask(sem, &arena, &in, all, usual, &got, &error));
    CHECK(got.n_errors == n && n > 1 && got.facts.n == f.n && got.inclusions.n == 1);
    for (size_t i = 0; i < n && i < got.n_errors; i++) {
        CHECK(str_eq(got.errors[i].message, e[i].message) && got.errors[i].line == e[i].line);
        CHECK(str_eq(got.errors[i].missing_header, e[i].missing_header));
    }
    for (size_t i = 0; i < f.n && i < got.facts.n; i++) {
        const struct sem_name *x = &f.v[i], *y = &got.facts.v[i];
        CHECK(x->start == y->start && x->end == y->end && x->origin == y->origin);
        CHECK(x->declares == y->declares && str_eq(x->type, y->type) && str_eq(x->usr, y->usr));
    }
    sem_unit_free(u);
    struct flag_list flags = {0};
    vec_push(&arena, &flags, "-fconstexpr-steps=2000000000");
    file.text = endless;
    in.flags = &flags;
    CHECK(!sem_ask(sem, &arena, &in, all, small, &got, &error));
    CHECK_STR(error, "libclang takes more than 1 second");
}

/* Whether libclang has stddef.h and its like, which are a package of their own. */
static bool has_own_headers(void) {
    struct sem_file file = {"/nowhere/stddef.c", S("#include <stddef.h>\nsize_t n;\n")};
    struct sem_input in = {.path = file.path, .language = "-x c", .files = &file, .n_files = 1};
    struct str error;
    struct sem_error *e;
    size_t n = 1;
    struct sem_unit *u = sem_parse(sem, &arena, &in, &error);
    if (!u) return false;
    sem_errors(u, &arena, &e, &n);
    sem_unit_free(u);
    return n == 0;
}

int main(void) {
    struct str error;
    arena_init(&arena, 0);
    sem = sem_open(&arena, &error);
    if (!sem) {
        test_skip("semantic", "everything", error);
    } else if (!has_own_headers()) {
        test_skip("semantic", "everything", S("libclang-common-dev is not here, only libclang"));
    } else {
        test_names();
        test_decls();
        test_errors();
        test_inclusions();
        test_toolkit();
        test_ask();
    }
    arena_free(&arena);
    return test_end("semantic");
}
