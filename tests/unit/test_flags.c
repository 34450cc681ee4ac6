/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines, the table of flags that clang must not see, and compile_commands.json. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "semantic/flags.h"
#include "test.h"

static struct arena a;

/* The words with one blank between them. */
static struct str joined(const struct flag_list *f) {
    struct buf b;
    buf_init(&b, &a);
    buf_addz(&b, "");
    for (size_t i = 0; i < f->n; i++) buf_printf(&b, "%s%s", i ? " " : "", f->v[i]);
    return buf_str(&b);
}

/* What becomes of the user's own flags. */
static struct str translated(const char *command) {
    struct flag_list words = {0}, out = {0};
    struct flag_source own = {0};
    flags_split(&a, str_of(command), &words);
    flags_translate(&a, &own, words.v, words.n, &out);
    return joined(&out);
}

/* Flags of a compile_commands.json: those that pass, a bar, the names of those that don't. */
static struct str judged(const char *command) {
    struct flag_list words = {0}, out = {0}, tree = {0}, refused = {0};
    struct flag_source source = {"/no/such", &tree, &refused};
    flags_split(&a, str_of(command), &words);
    flags_translate(&a, &source, words.v, words.n, &out);
    return arena_printf(&a, "%.*s|%.*s", STR_ARG(joined(&out)), STR_ARG(joined(&refused)));
}

static void test_split(void) {
    struct flag_list words = {0};
    flags_split(&a, S(" cc  -DA='x y' -DB=\"q\\\"r\\n\" c\\ d '' \n-e"), &words);
    CHECK(words.n == 6);
    if (words.n != 6) return;
    CHECK_STR(str_of(words.v[1]), "-DA=x y");
    CHECK_STR(str_of(words.v[2]), "-DB=q\"r\\n");
    CHECK_STR(str_of(words.v[3]), "c d");
    CHECK_STR(str_of(words.v[4]), "");
    CHECK_STR(str_of(words.v[5]), "-e");
    struct flag_list none = {0};
    flags_split(&a, S(""), &none);
    CHECK(none.n == 0);
}

static void test_translate(void) {
    CHECK_STR(translated("-I inc -Iinc2 -DX=1 -std=c++17 -Wall"), "-Iinc -Iinc2 -DX=1 -std=c++17");
    CHECK_STR(
        translated("-gencode arch=compute_80,code=sm_80 -arch=sm_90 --gpu-architecture sm_80"),
        "");
    CHECK_STR(translated("-Xcompiler -fPIC,-fopenmp --compiler-options=-O2 -O3 -g -lineinfo"),
              "-fPIC -fopenmp");
    CHECK_STR(translated("--std c++14 --include-path=a --define-macro B=2 -isystem=c"),
              "-std=c++14 -Ia -DB=2 -isystem c");
    CHECK_STR(translated("-c -o x.o -MD -MF x.d -lcublas -L/lib --expt-relaxed-constexpr -x cu"),
              "");
    CHECK_STR(translated("-rdc=true -use_fast_math -maxrregcount 32 -DKEEP"), "-DKEEP");
    CHECK_STR(translated("-o"), "");
    CHECK_STR(translated("-fno-rtti --some-new-flag"), "-fno-rtti --some-new-flag");
    CHECK_STR(translated("-Xclang -ast-dump x"), "-Xclang -ast-dump x");
}

static void test_refused(void) {
    CHECK_STR(judged("-Iinc -fno-rtti --some-new-flag -O2 -Wall"),
              "-I/no/such/inc -fno-rtti|--some-new-flag");
    CHECK_STR(judged("-MJ f -Xclang -load -DX stray"), "-DX|-MJ -Xclang");
    CHECK_STR(judged("-Xcompiler -fPIC,-MJ,f,-DX -Xcompiler=-Xclang,-load"),
              "-fPIC -DX|-MJ -Xclang");
    CHECK_STR(judged("-ivfsoverlay=x -MJ -MJ -MJ"), "|-ivfsoverlay -MJ");
    CHECK_STR(judged("-I -Xclang -isystem -load -D -MJ"),
              "-I/no/such/-Xclang -isystem /no/such/-load -D-MJ|");
    CHECK_STR(judged("-include /etc/hostname -include x.h"), "-include x.h|-include");
    CHECK_STR(judged("-Xcompiler -Xcompiler=-Xcompiler=-Xcompiler=-Xcompiler=-DX"), "|");
}

static void write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    if (CHECK(f != NULL)) {
        fputs(text, f);
        fclose(f);
    }
}

static struct str flags_of(const struct compile_db *db, const char *path) {
    struct flag_list flags = {0};
    struct flag_list refused = {0};
    const struct compile_command *c = compile_db_find(db, arena_printf(&a, "%s", path).p);
    CHECK(c != NULL);
    if (c) compile_command_flags(&a, db, c, path, &refused, &flags);
    CHECK(refused.n == 0);
    return joined(&flags);
}

static void test_db(const char *folder) {
    struct str error;
    const char *where = arena_printf(&a, "%s/compile_commands.json", folder).p;
    write_text(arena_printf(&a, "%s/a.cu", folder).p, "");
    mkdir(arena_printf(&a, "%s/sub", folder).p, 0777);
    write_text(arena_printf(&a, "%s/flags.rsp", folder).p, "-Irsp -DFROM_FILE\n");
    write_text(where,
               "[{\"directory\": \".\", \"file\": \"a.cu\", \"arguments\": [\"ccache\", "
               "\"nvcc\", \"-Iinc\", \"--options-file\", \"flags.rsp\", \"-c\", \"a.cu\"]},\n"
               "{\"directory\": \"sub\", \"file\": \"b.cpp\", "
               "\"command\": \"g++ -DB='\\\"x\\\"' -c b.cpp -o b.o\"}]\n");
    const struct compile_db *db = compile_db_read(&a, folder, &error);
    CHECK(db != NULL);
    if (!db) return;
    CHECK(db->n == 2);
    struct str flags = arena_printf(&a, "-I%s/inc -I%s/rsp -DFROM_FILE", folder, folder);
    CHECK_STR(flags_of(db, arena_printf(&a, "%s/a.cu", folder).p), flags.p);
    CHECK_STR(flags_of(db, db->v[1].file), "-DB=\"x\"");
    CHECK_STR(flags_of(db, arena_printf(&a, "%s/a.cuh", folder).p), flags.p);
    CHECK_STR(flags_of(db, arena_printf(&a, "%s/x.h", folder).p), flags.p);
    CHECK_STR(flags_of(db, arena_printf(&a, "%s/sub/z.h", folder).p), "-DB=\"x\"");
    CHECK(str_ends(str_of(db->v[1].directory), S("/sub")));
    CHECK(compile_db_read(&a, where, &error) != NULL); /* the file itself */
    static const char *const bad[] = {"{}", "[{}]", "[{\"directory\": \"x\", \"file\": \"y\"}]",
                                      "[",
                                      "[{\"directory\": 1, \"file\": \"y\", \"command\": \"c\"}]"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        write_text(where, bad[i]);
        error = (struct str){NULL, 0};
        CHECK(compile_db_read(&a, folder, &error) == NULL);
        CHECK_HAS(error, "compile_commands.json");
    }
    unlink(where);
    CHECK(compile_db_read(&a, folder, &error) == NULL);
}

/* A header has the flags of the source whose name it shares, and not of one that begins alike. */
static void test_db_header(const char *folder) {
    struct str error;
    const char *where = arena_printf(&a, "%s/compile_commands.json", folder).p;
    write_text(where,
               "[{\"directory\": \".\", \"file\": \"one.cu\", \"command\": \"nvcc -DONE\"},\n"
               "{\"directory\": \".\", \"file\": \"once.cu\", \"command\": \"nvcc -DONCE\"},\n"
               "{\"directory\": \".\", \"file\": \"ons.cu\", \"command\": \"nvcc -DONS\"}]\n");
    const struct compile_db *db = compile_db_read(&a, folder, &error);
    CHECK(db != NULL);
    if (!db) return;
    CHECK_STR(flags_of(db, arena_printf(&a, "%s/once.h", folder).p), "-DONCE");
    CHECK_STR(flags_of(db, arena_printf(&a, "%s/ons.h", folder).p), "-DONS");
    unlink(where);
}

int main(void) {
    char folder[] = "/tmp/cm-flags.XXXXXX";
    arena_init(&a, 0);
    test_split();
    test_translate();
    test_refused();
    if (CHECK(mkdtemp(folder) != NULL)) {
        char *real = realpath(folder, NULL);
        test_db(real);
        test_db_header(real);
        static const char *const made[] = {"a.cu", "flags.rsp", "compile_commands.json", "sub",
                                           ""};
        for (size_t i = 0; i < ARRAY_LEN(made); i++)
            remove(arena_printf(&a, "%s/%s", folder, made[i]).p);
        free(real);
    }
    arena_free(&a);
    return test_end("flags");
}
