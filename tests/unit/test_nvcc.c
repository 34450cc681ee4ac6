/* SPDX-License-Identifier: Apache-2.0 */
/* test_nvcc.c - what a command line of nvcc's asks for, which files a compile reads, and the lines
 * that a ported text says. tests/cli/cc.sh has the same from outside, with compilers. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "nvcc/nvcc.h"
#include "test.h"

static struct arena a;
static struct nv_table table;

/* ---- command lines ---- */

static void add_words(struct buf *b, const char *what, nv_words words) {
    if (!words.n) return;
    buf_printf(b, " %s:", what);
    for (size_t i = 0; i < words.n; i++)
        buf_printf(b, " <%.*s>", STR_ARG(words.v[i].p ? words.v[i] : S("@")));
}

static void add_text(struct buf *b, const char *what, struct str text) {
    if (text.n) buf_printf(b, " %s=%.*s", what, STR_ARG(text));
}

static void add_flags(struct buf *b, const struct nv_line *l) {
    const struct {
        const char *name;
        bool set;
    } flags[] = {{"deps", l->with_dependencies},
                 {"own", l->only_own},
                 {"phony", l->dependency_phony},
                 {"shared", l->shared},
                 {"run", l->run},
                 {"dry", l->dry_run},
                 {"verbose", l->verbose},
                 {"quiet", l->quiet},
                 {"fatal", l->fatal_warnings},
                 {"debug", l->device_debug},
                 {"syntax", l->syntax_only},
                 {"clean", l->clean},
                 {"sanitize", l->sanitize},
                 {"forward", l->forward},
                 {"help", l->help},
                 {"version", l->version},
                 {"codes", l->list_code},
                 {"archs", l->list_architectures}};
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        if (flags[i].set) buf_printf(b, " +%s", flags[i].name);
}

/* All that a command line says, in one text; what it does not say is not there. */
static const char *meaning(const char *words) {
    static const char *const languages[] = {"?", "c", "c++", "cu", "o"};
    static const char *const phases[] = {"", "-c", "-E", "-M", "-ptx", "-lib", "-dlink"};
    struct nv_line l;
    nv_words split = {0};
    struct buf b;
    nv_split_words(&a, str_of(words), &split);
    nv_read(&l, &table, &a, split);
    buf_init(&b, &a);
    buf_addz(&b, phases[l.phase]);
    for (size_t i = 0; i < l.sources.n; i++)
        buf_printf(&b, " %.*s(%s)", STR_ARG(l.sources.v[i].path),
                   languages[l.sources.v[i].language]);
    add_words(&b, "link", l.link);
    add_text(&b, "o", l.output);
    add_text(&b, "odir", l.output_directory);
    add_text(&b, "cxx", l.compiler);
    add_text(&b, "ar", l.archiver);
    add_text(&b, "std", l.standard);
    add_text(&b, "O", l.optimize);
    add_text(&b, "target", l.target);
    add_words(&b, "quotes", l.quotes);
    add_words(&b, "folders", l.folders);
    add_words(&b, "defines", l.defines);
    add_words(&b, "include", l.pre_includes);
    add_words(&b, "host", l.host);
    add_words(&b, "archive", l.archive);
    add_words(&b, "arguments", l.run_arguments);
    add_text(&b, "MF", l.dependency_file);
    add_words(&b, "MT", l.dependency_targets);
    add_flags(&b, &l);
    add_text(&b, "refused", l.refused);
    add_text(&b, "stray", l.stray);
    return buf_str(&b).n && buf_str(&b).p[0] == ' ' ? buf_str(&b).p + 1 : buf_str(&b).p;
}

/* clang-format off */
static const char *const lines[][2] = {
    /* files, by name or as said */
    {"a.cu b.c c.cc d.cpp e.cxx f.C g.ii h.i", "a.cu(cu) b.c(c) c.cc(c++) d.cpp(c++) e.cxx(c++) f.C(c++) g.ii(c++) h.i(c) "
     "link: <@> <@> <@> <@> <@> <@> <@> <@>"},
    {"a.o b.a c.so d.so.1.2 e.lo", "link: <a.o> <b.a> <c.so> <d.so.1.2> <e.lo>"},
    {"a.c.d/x.o y.z/x.cu", "y.z/x.cu(cu) link: <a.c.d/x.o> <@>"},
    {"notes words", "stray=notes"},
    {"-x cu a.cpp -x c++ b.c -x none c.c d.o", "a.cpp(cu) b.c(c++) c.c(c) link: <@> <@> <@> <d.o>"},
    {"-x fortran a.f", "refused='fortran' is no language that is known here stray=a.f"},
    {"-x cu -xc a", "a(c) link: <@>"},
    /* what is made */
    {"-c a.cu -o a.o", "-c a.cu(cu) link: <@> o=a.o"},
    {"-dc a.cu -oa.o", "-c a.cu(cu) link: <@> o=a.o"},
    {"--compile --output-file=a.o --output-directory out", "-c o=a.o odir=out"},
    {"-E", "-E"}, {"-M", "-M"}, {"-MM", "-M +own"}, {"-ptx", "-ptx"}, {"-cubin", "-ptx"}, {"-lib", "-lib"},
    {"-dlink", "-dlink"}, {"-c -link", ""},
    {"-c -MD -MF a.d -MT x -MT y -MP", "-c MF=a.d MT: <x> <y> +deps +phony"},
    {"-MMD", "+deps +own"},
    {"-shared -run -dryrun -v -w -G -fdevice-syntax-only -clean",
     "+shared +run +dry +verbose +quiet +debug +syntax +clean"},
    {"--help --version -arch-ls -code-ls", "+help +version +codes +archs"},
    /* folders, macros, libraries: joined, behind =, as the next word, with commas */
    {"-Ia -I b -I=c --include-path=d,e -isystem f", "folders: <-I> <a> <-I> <b> <-I> <c> <-I> <d> <-I> <e> <-isystem> <f>"},
    {"-DA -D B=1 -D=C=2 -UA --undefine-macro B", "defines: <-D> <A> <-D> <B=1> <-D> <C=2> <-U> <A> <-U> <B>"},
    {"-DA='\"1,2\"' '-DB=x\\,y' -DC,D", "defines: <-D> <A=\"1,2\"> <-D> <B=x,y> <-D> <C> <-D> <D>"},
    {"\"-DA='1,2',B\"", "defines: <-D> <A='1,2'> <-D> <B>"},
    {"-la -l b -Lc -Xlinker -z,now x.o", "link: <-la> <-lb> <-Lc> <-Xlinker> <-z> <-Xlinker> <now> <x.o>"},
    {"-include a.h,b.h --pre-include c.h", "include: <a.h> <b.h> <c.h>"},
    {"-Xarchive -v,-x -run-args 1,2", "archive: <-v> <-x> arguments: <1> <2>"},
    {"-std=c++20 --std c++14", "std=c++14"},
    {"-ccbin clang++ -arbin ar -target rocm", "cxx=clang++ ar=ar target=rocm"},
    {"-target-dir x -sanitize on", "+sanitize"},
    /* -O alone is -O1 */
    {"-O", "O=1"}, {"-O 9", "O=9"}, {"-O3", "O=3"}, {"-O 2 a.o", "link: <a.o> O=2"}, {"-O a.o", "link: <a.o> O=1"}, {"--optimize=0", "O=0"},
    {"-O s", "O=1 stray=s"},
    /* the host compiler's options; what says where headers are is known, too */
    {"-Xcompiler -Wall,-fPIC -g -Xcompiler=\"-O2 -x\"", "host: <-Wall> <-fPIC> <-g> <-O2> <-x>"},
    {"-Xcompiler -Ia,-I,b,-isystem,c,-iquote,d,-I", "quotes: <d> folders: <-I> <a> <-I> <b> <-isystem> <c> host: <-I>"},
    {"-Xcompiler -iquote", "host: <-iquote>"}, {"-Xcompiler -I,b", "folders: <-I> <b>"}, {"-Xcompiler -iquote,b", "quotes: <b>"},
    {"-ftemplate-depth 9 -fmad=false -fmad true", "host: <-ftemplate-depth=9> <-ffp-contract=off> <-ffp-contract=fast>"},
    {"-Werror all-warnings", "+fatal"}, {"-Werror cross-execution-space-call", ""},
    /* options that a build for one GPU needs and another machine does not */
    {"-allow-unsupported-compiler", ""},
    {"-arch=sm_80 -gencode arch=compute_80,code=sm_80 -rdc=true -lineinfo -Xptxas -v,-O3 -m64 -t4", "host: <-m64>"},
    /* what is none, and what cannot be */
    {"-nosuch -zother", "refused=Unknown option '-nosuch'; one for the host's compiler goes behind -Xcompiler"},
    {"-nosuch -forward-unknown-to-host-compiler --other=1", "host: <-nosuch> <--other=1> +forward"},
    {"--forward-unknown-opts -a", "host: <-a> +forward"},
    {"-optix-ir", "refused=-optix-ir cannot be done here: programs for ray tracing have no form for a processor"},
    {"a.o -o", "link: <a.o> refused=argument expected after '-o'"},
    {"--DA", "refused=Unknown option '--DA'; one for the host's compiler goes behind -Xcompiler"},
    {"-c=1", "refused=Unknown option '-c=1'; one for the host's compiler goes behind -Xcompiler"},
    {"-", "stray=-"}, {"@", "stray=@"},
    /* words as a shell splits them */
    {" a\\ b.o\t'c d.o'\n\"e'f.o\" g'h i'\"j k\".o '' ", "link: <a b.o> <c d.o> <e'f.o> <gh ij k.o>"},
    {"'a\\b.o' \"c\\\"d.o\" e\\", "link: <a\\b.o> <c\"d.o> stray=e\\"},
};
/* clang-format on */

static void check_meaning(const char *words, const char *want) {
    const char *got = meaning(words);
    if (!CHECK(str_is(str_of(got), want)))
        fprintf(stderr, "  of   %s\n  got  %s\n  want %s\n", words, got, want);
}

static void put(const char *path, const char *text) {
    struct str error;
    remove(path);
    CHECK(file_make_parents(&a, path, &error) &&
          file_create(&a, path, str_of(text), 0644, &error));
}

static void test_lines(void) {
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) check_meaning(lines[i][0], lines[i][1]);
    /* Files of options, which may name others; not without an end. */
    put("two", "-DB\n-optf three -DD");
    put("three", "-DC 'a b.o'");
    put("self", "-DX @self");
    check_meaning("-DA @two -DE x.o",
                  "link: <a b.o> <x.o> defines: <-D> <A> <-D> <B> <-D> <C> <-D> <D> <-D> <E>");
    check_meaning("--options-file three,three",
                  "link: <a b.o> <a b.o> defines: <-D> <C> <-D> <C>");
    CHECK_HAS(str_of(meaning("@self")), "refused=files of options name each other without an end");
    CHECK_HAS(str_of(meaning("@absent")), "refused=absent: ");
    /* A file that is there and says nothing by its name is an object. */
    put("plain", "");
    check_meaning("plain", "link: <plain>");
}

static void test_table(void) {
    struct nv_table other;
    struct str why, error;
    CHECK_STR(nv_library(&table.target, S("nosuch"), &why), "nosuch");
    CHECK(!why.p);
    CHECK_STR(nv_library(&table.target, S("cudart"), &why), "");
    CHECK(table.has_target && table.target.compilers.n > 0);
    CHECK(nv_table_read(&other, &a, S("nosuch"), &error) && !other.has_target);
}

/* ---- the files of a compile ---- */

static struct nv_closure closure_of(const char *words) {
    struct nv_line *l = arena_alloc(&a, sizeof *l);
    struct nv_closure c = {0};
    struct str error;
    nv_words split = {0};
    nv_split_words(&a, str_of(words), &split);
    nv_read(l, &table, &a, split);
    if (CHECK(l->sources.n == 1 && !l->refused.n))
        CHECK(nv_closure(&c, &a, l, l->sources.v[0].path, S("/nowhere/own"), &error));
    return c;
}

static struct str files_of(const char *words) {
    struct nv_closure c = closure_of(words);
    struct buf b;
    buf_init(&b, &a);
    for (size_t i = 0; i < c.files.n; i++)
        buf_printf(&b, "%s%.*s", i ? " " : "", STR_ARG(c.files.v[i].path));
    return buf_str(&b);
}

static void test_closure(void) {
    put("p/a.cu", "#include \"x.h\"\n  #  include <y.h>\n#include \"x.h\"\n#include <stdio.h>\n"
                  "#include NAME\n#include \"absent.h\"\n// #include \"z.h\"\n#include \"\"\n");
    put("p/x.h", "#ifdef A\n#include \"sub/z.h\"\n#endif\n#include \"a.cu\"");
    put("p/sub/z.h", "#include <y.h>\n");
    put("p/y.h", "");
    put("i/y.h", "");
    put("j/y.h", "");
    put("k/only.h", "");
    CHECK_STR(files_of("p/a.cu"), "p/a.cu p/x.h p/sub/z.h");
    CHECK_STR(files_of("p/a.cu -Ii"), "p/a.cu p/x.h i/y.h p/sub/z.h");
    struct nv_closure all = closure_of("p/a.cu -Ii");
    struct nv_file *a_cu = &all.files.v[0], *x_h = &all.files.v[1], *z_h = &all.files.v[3];
    CHECK(a_cu->includes.n == 3 && a_cu->includes.v[0] == 1 && a_cu->includes.v[1] == 2);
    CHECK(x_h->includes.n == 2 && x_h->includes.v[0] == 3 && x_h->includes.v[1] == 0);
    CHECK(z_h->includes.n == 1 && z_h->includes.v[0] == 2);
    CHECK_STR(files_of("p/a.cu -isystem i -Ij/"), "p/a.cu p/x.h j/y.h p/sub/z.h");
    CHECK_STR(files_of("p/a.cu -I p"), "p/a.cu p/x.h p/y.h p/sub/z.h");
    /* -iquote is for names in quotes alone, and what stands beside the file goes first. */
    CHECK_STR(files_of("p/a.cu -Xcompiler -iquote,i"), "p/a.cu p/x.h p/sub/z.h");
    put("p/b.cu", "#include \"y.h\"\n#include \"only.h\"\n");
    CHECK_STR(files_of("p/b.cu -Ii -Xcompiler -iquote,k"), "p/b.cu p/y.h k/only.h");
    CHECK_STR(files_of("p/b.cu -include i/y.h,absent.h"), "p/b.cu i/y.h p/y.h");
    /* NVIDIA's own headers are not searched, and links to the system's are the system's. */
    put("toolkit/cuda_runtime_api.h", "");
    put("toolkit/only.h", "");
    CHECK_STR(files_of("p/b.cu -Itoolkit"), "p/b.cu p/y.h");
    CHECK(symlink("/usr/include/stdio.h", "p/only.h") == 0);
    CHECK_STR(files_of("p/b.cu"), "p/b.cu p/y.h");
    put("c.cu", "#include \"top.h\"\n");
    put("top.h", "");
    CHECK_STR(files_of("c.cu"), "c.cu top.h");
    struct nv_closure c;
    struct nv_line l = {.table = &table, .a = &a};
    struct str error;
    CHECK(!nv_closure(&c, &a, &l, S("absent.cu"), S(""), &error) && error.n);
}

/* ---- lines ---- */

/* The text with a line `+` put where $ stands, and its #line directives. */
static struct str woven(struct nv_closure *c, const struct nv_file *file, const char *marked) {
    struct str text = str_of(marked);
    size_t at = str_find(text, S("$"), 0);
    struct str head = str_sub(text, 0, at), tail = str_sub(text, at + (at < text.n), text.n);
    struct cm_edit edit = {.start = at, .end = at, .text = S("+\n")};
    struct cm_result r = {.edits = &edit, .n_edits = at < text.n};
    struct str input = arena_concat(&a, head, tail);
    r.output = at < text.n ? arena_concat(&a, arena_concat(&a, head, edit.text), tail) : input;
    return nv_lined(c, file, input, &r);
}

static void check_woven(const char *marked, const char *want) {
    struct nv_closure c = {.a = &a};
    struct nv_file file = {.path = S("p")};
    struct str got = woven(&c, &file, marked);
    if (!CHECK(str_is(got, want)))
        fprintf(stderr, "  of:\n%s  got:\n%.*s  want:\n%s", marked, STR_ARG(got), want);
}

#define LINE(n) "#line " #n " \"p\"\n"

static void test_woven(void) {
    check_woven("a;\nb;\n", LINE(1) "a;\nb;\n");
    check_woven("$a;\nb;\n", LINE(1) "+\n" LINE(1) "a;\nb;\n");
    check_woven("a;\n$b;\nc;\n", LINE(1) "a;\n+\n" LINE(2) "b;\nc;\n");
    /* Between brackets none can stand: they may be a macro's. */
    check_woven("f(\n$a,\n)\n;\n", LINE(1) "f(\n+\na,\n)\n" LINE(4) ";\n");
    check_woven("f((a)\n$, b\n);\nc;\n", LINE(1) "f((a)\n+\n, b\n);\n" LINE(4) "c;\n");
    check_woven("a);\n$b;\n", LINE(1) "a);\n+\n" LINE(2) "b;\n");
    check_woven("f(\n#if A\n(\n#endif\n$a\n}\nb;\n",
                LINE(1) "f(\n#if A\n(\n#endif\n+\na\n" LINE(6) "}\nb;\n");
    /* Those of literals and comments do not count. */
    check_woven("f(\"(\", '(');\n$b;\n", LINE(1) "f(\"(\", '(');\n+\n" LINE(2) "b;\n");
    check_woven("f(\"\\\"(\", '\\'', \"\\\\\");\n$b;\n",
                LINE(1) "f(\"\\\"(\", '\\'', \"\\\\\");\n+\n" LINE(2) "b;\n");
    check_woven("a = 1'0 + f('(');\n$b;\n", LINE(1) "a = 1'0 + f('(');\n+\n" LINE(2) "b;\n");
    check_woven("a; // ( /*\n$b;\n", LINE(1) "a; // ( /*\n+\n" LINE(2) "b;\n");
    check_woven("a; /* ( */\n$b;\n", LINE(1) "a; /* ( */\n+\n" LINE(2) "b;\n");
    check_woven("a; /*/ (\n$*/ b;\nc;\n", LINE(1) "a; /*/ (\n+\n*/ b;\n" LINE(3) "c;\n");
    check_woven("a / b; c * d;\n$e;\n", LINE(1) "a / b; c * d;\n+\n" LINE(2) "e;\n");
    check_woven("error's end\n$b;\n", LINE(1) "error's end\n+\n" LINE(2) "b;\n");
    check_woven("'open\n$b;\n", LINE(1) "'open\n+\n" LINE(2) "b;\n");
    /* Raw strings go over lines; a name that ends in R begins none. */
    check_woven("a = R\"x(\n$(\" )\" )x\";\nb;\n",
                LINE(1) "a = R\"x(\n+\n(\" )\" )x\";\n" LINE(3) "b;\n");
    check_woven("a = u8R\"(\n$)\";\nb;\n", LINE(1) "a = u8R\"(\n+\n)\";\n" LINE(3) "b;\n");
    check_woven("R\"(\n$)\";\nb;\n", LINE(1) "R\"(\n+\n)\";\n" LINE(3) "b;\n");
    check_woven("a = XR\"(\";\n$b;\n", LINE(1) "a = XR\"(\";\n+\n" LINE(2) "b;\n");
    check_woven("a = _R\"(\";\n$b;\n", LINE(1) "a = _R\"(\";\n+\n" LINE(2) "b;\n");
    /* A directive goes on behind a backslash, and its brackets are its own. */
    check_woven("#define A( \\\n  (\n$b;\n", LINE(1) "#define A( \\\n  (\n+\n" LINE(3) "b;\n");
    check_woven("  #define A( \\\r\n(\r\n$b;\n",
                LINE(1) "  #define A( \\\r\n(\r\n+\n" LINE(3) "b;\n");
    check_woven("a \\\n$b \\\nc;\nd;\n", LINE(1) "a \\\n+\n" LINE(2) "b \\\nc;\nd;\n");
    check_woven("/*\n# (\n*/ f(\n$a)\nb;\n", LINE(1) "/*\n# (\n*/ f(\n+\na)\n" LINE(5) "b;\n");
}

static void test_maps(void) {
    struct nv_closure c = {.a = &a};
    struct nv_file file = {.path = S("a\\b\"c")};
    CHECK_STR(woven(&c, &file, "a;\n"), "#line 1 \"a\\\\b\\\"c\"\na;\n");
    file.path = S("p");
    /* What takes lines away, and an edit of several lines. */
    struct str input = S("a;\nb;\nc;\nd;\ne;\n");
    struct cm_edit edits[] = {{.start = 3, .end = 9, .text = S("")},
                              {.start = 12, .end = 12, .text = S("x\ny\n")}};
    struct cm_result r = {.output = S("a;\nd;\nx\ny\ne;\n"), .edits = edits, .n_edits = 2};
    CHECK_STR(nv_lined(&c, &file, input, &r),
              LINE(1) "a;\n" LINE(4) "d;\nx\n" LINE(5) "y\n" LINE(5) "e;\n");
    /* Edits that do not give the text, or are none: the lines are counted. */
    r.output = S("f;\ng;\n");
    CHECK_STR(nv_lined(&c, &file, input, &r), LINE(1) "f;\ng;\n");
    edits[1].start = 5;
    CHECK_STR(nv_lined(&c, &file, input, &r), LINE(1) "f;\ng;\n");
    edits[1].start = 12, edits[1].end = 99;
    CHECK_STR(nv_lined(&c, &file, input, &r), LINE(1) "f;\ng;\n");
    edits[0].start = 9, edits[0].end = 3;
    CHECK_STR(nv_lined(&c, &file, input, &r), LINE(1) "f;\ng;\n");
    CHECK_STR(woven(&c, &file,
                    "\xef\xbb\xbf"
                    "a;\n"),
              LINE(1) "a;\n");
}

/* An include says the file that it means from where it stood: that which is compiled of it. */
static void test_includes(void) {
    put("q/a.cu", "#include \"x.h\" // why\n#include <y.h>\n#include <stdio.h>\n");
    put("q/x.h", "");
    put("q/inc/y.h", "");
    struct nv_closure c = closure_of("q/a.cu -Iq/inc");
    if (!CHECK(c.files.n == 3)) return;
    c.files.v[1].overlay = S("/tmp/over/x.h");
    CHECK_STR(woven(&c, &c.files.v[0], c.files.v[0].text.p),
              "#line 1 \"q/a.cu\"\n#include \"/tmp/over/x.h\" // why\n#include \"q/inc/y.h\"\n"
              "#include <stdio.h>\n");
    CHECK_STR(woven(&c, &c.files.v[0], "/*\n#include \"x.h\"\n*/\n# include \"x.h\"\n"),
              "#line 1 \"q/a.cu\"\n/*\n#include \"x.h\"\n*/\n# include \"/tmp/over/x.h\"\n");
}

int main(void) {
    char top[] = "/tmp/cuda-morph-test-XXXXXX";
    struct str error;
    if (!mkdtemp(top) || chdir(top) != 0) return 1;
    arena_init(&a, 0);
    if (CHECK(nv_table_read(&table, &a, S("cpu"), &error))) {
        test_lines();
        test_table();
        test_closure();
        test_woven();
        test_maps();
        test_includes();
    }
    arena_free(&a);
    CHECK(chdir("/") == 0 && strncmp(top, "/tmp/", 5) == 0);
    CHECK(test_remove_tree(top));
    return test_end("nvcc");
}
