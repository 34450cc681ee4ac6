/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over trees made for each test. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "discover/discover.h"
#include "test.h"

static struct arena a;
static struct discovery found;

/* Writes a file and the directories above it. */
static void put(const char *path, const char *text) {
    struct str error;
    if (!CHECK(file_make_parents(&a, path, &error) &&
               file_create(&a, path, str_of(text), 0644, &error)))
        fprintf(stderr, "  %.*s\n", STR_ARG(error));
}

static void touch_all(const char *const *paths) {
    for (; *paths; paths++) put(*paths, "");
}
#define TOUCH(...) touch_all((const char *const[]){__VA_ARGS__, NULL})

static void begin(const char *name) {
    CHECK(chdir("..") == 0 && mkdir(name, 0700) == 0 && chdir(name) == 0);
    arena_reset(&a);
}

/* The paths found below one named path, blank between; NONE files in parentheses. */
static struct str walk_with(const struct discover_options *options, const char *const *paths,
                            size_t n) {
    discover(&a, options, paths, n, &found);
    struct buf b;
    buf_init(&b, &a);
    for (size_t i = 0; i < found.n; i++) {
        if (i) buf_addc(&b, ' ');
        bool none = found.v[i].language == CM_NONE;
        buf_printf(&b, none ? "(%.*s)" : "%.*s", STR_ARG(found.v[i].path));
    }
    return buf_str(&b);
}
#define WALK(options, ...)                                                                        \
    walk_with((options), (const char *const[]){__VA_ARGS__},                                      \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const struct discover_options plain = {0};

static void test_languages(void) {
    static const struct {
        const char *name;
        enum cm_language want;
    } cases[] = {
        {"a.py", CM_PYTHON},
        {"a.pyi", CM_PYTHON},
        {"setup.py", CM_PYTHON},
        {"d/a.pyw", CM_PYTHON},
        {"a.ipynb", CM_NOTEBOOK},
        {"a.cu", CM_CUDA},
        {"a.cuh", CM_CUDA},
        {"a.cu.h", CM_CUDA},
        {"a.h", CM_CPP},
        {"a.hpp", CM_CPP},
        {"a.inl", CM_CPP},
        {"a.inc", CM_CPP},
        {"a.tpp", CM_CPP},
        {"a.cuknl", CM_CUDA},
        {"a.hcu", CM_CUDA},
        {"a.cxx", CM_CPP},
        {"requirements.txt", CM_PROJECT},
        {"requirements-dev.txt", CM_PROJECT},
        {"environment.yml", CM_PROJECT},
        {"CMakeLists.txt", CM_PROJECT},
        {"x.cmake", CM_PROJECT},
        {"Makefile", CM_PROJECT},
        {"Dockerfile.gpu", CM_PROJECT},
        {"pyproject.toml", CM_PROJECT},
        {"run.sh", CM_PROJECT},
        {"job.slurm", CM_PROJECT},
        {".env", CM_PROJECT},
        {"notes.txt", CM_NONE},
        {"a.pyc", CM_NONE},
        {"py", CM_NONE},
        {"other.toml", CM_PROJECT},
        {"cuda-morph.toml", CM_NONE},
        {"setup.cfg", CM_PROJECT},
        {"tox.ini", CM_PROJECT},
        {"settings.json", CM_PROJECT},
        {".flake8", CM_PROJECT},
        {"x.lock", CM_NONE},
        {"a.py/b", CM_NONE},
        {"a.PY", CM_NONE},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (!CHECK(language_of_name(str_of(cases[i].name)) == cases[i].want))
            fprintf(stderr, "  %s\n", cases[i].name);
    static const char *const python[] = {
        "#!/usr/bin/env python3",       "#! /usr/bin/python",        "#!/opt/x/bin/python3.11 -u",
        "#!/usr/bin/env -S python3 -u", "#!/usr/bin/env A=b python", "#!python\r",
    };
    for (size_t i = 0; i < ARRAY_LEN(python); i++)
        CHECK(language_of_first_line(str_of(python[i])) == CM_PYTHON);
    static const char *const shells[] = {"#!/bin/sh", "#!/usr/bin/env bash", "#!/bin/sh python",
                                         "#!/python/sh"};
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        CHECK(language_of_first_line(str_of(shells[i])) == CM_PROJECT);
    static const char *const other[] = {"#!/bin/perl", "#!/usr/bin/env", "#!", "", "# python"};
    for (size_t i = 0; i < ARRAY_LEN(other); i++)
        CHECK(language_of_first_line(str_of(other[i])) == CM_NONE);
}

static void test_order(void) {
    begin("order");
    TOUCH("a/z.py", "a.py", "a-b.py", "b.py", "a/b/c.py", "B.py", "note.txt", "a0.py");
    CHECK_STR(WALK(&plain, "."), "B.py a-b.py a.py a/b/c.py a/z.py a0.py b.py");
    for (size_t i = 1; i < found.n; i++) CHECK(str_cmp(found.v[i - 1].path, found.v[i].path) < 0);
    CHECK_STR(WALK(&plain, "b.py", "a"), "b.py a/b/c.py a/z.py");
    CHECK_STR(WALK(&plain, "a/"), "a/b/c.py a/z.py");
    CHECK_STR(WALK(&plain, "./a"), "./a/b/c.py ./a/z.py");
    CHECK_STR(found.v[0].relative, "b/c.py");
    CHECK(!found.v[0].named && found.v[0].path.p[found.v[0].path.n] == 0);
    /* A file reached twice is listed where it came first. */
    CHECK_STR(WALK(&plain, "a/z.py", ".", "./b.py"),
              "a/z.py B.py a-b.py a.py a/b/c.py a0.py b.py");
    CHECK(found.v[0].named && found.errors.n == 0);
    CHECK_STR(found.v[0].relative, "z.py");
}

static void test_named(void) {
    begin("named");
    TOUCH("notes.txt", ".hidden.py", "node_modules/x.py");
    put("tool", "#!/usr/bin/env python3\nimport torch\n");
    put("script", "#!/bin/perl\n");
    put("odd.name", "#!/usr/bin/python\n");
    CHECK_STR(WALK(&plain, "."), "tool");
    CHECK_STR(WALK(&plain, ".hidden.py", "node_modules", "tool", "odd.name"),
              ".hidden.py node_modules/x.py tool odd.name");
    CHECK_STR(WALK(&plain, "notes.txt", "absent", ""), "");
    CHECK(found.errors.n == 3);
    CHECK_STR(found.errors.v[0], "notes.txt: is not in a language that cuda-morph reads");
    CHECK_STR(found.errors.v[1], "absent: cannot be opened: No such file or directory");
    CHECK(mkfifo("fifo.py", 0600) == 0);
    CHECK_STR(WALK(&plain, "fifo.py"), "");
    CHECK_STR(found.errors.v[0], "fifo.py: is neither a regular file nor a directory");
    CHECK_STR(WALK(&plain, "."), "tool"); /* a FIFO in the tree is passed by */
}

static void test_ignore_files(void) {
    begin("ignore");
    TOUCH("a.py", "gen.py", "build/x.py", "src/build/y.py", "src/gen.py", "src/keep.py",
          "src/deep/only.py", "src/deep/gen.py", "data/q.py", "data/k.py", "top.py", "src/top.py");
    put(".gitignore", "# made by the build\ngen.py\n/build/\n/top.py\ndata/*\n!data/k.py\n");
    put("src/.gitignore", "!gen.py\nonly.py");
    put("src/deep/.gitignore", "gen.py\n");
    CHECK_STR(WALK(&plain, "."),
              "a.py data/k.py src/build/y.py src/gen.py src/keep.py src/top.py");
    /* In a repository, what lies above the named directory counts too. */
    CHECK_STR(WALK(&plain, "src/deep"), "src/deep/only.py");
    CHECK(mkdir(".git", 0700) == 0);
    CHECK_STR(WALK(&plain, "src/deep"), "");
    CHECK_STR(WALK(&plain, "src"), "src/build/y.py src/gen.py src/keep.py src/top.py");
    CHECK_STR(WALK(&plain, "src/deep/gen.py"), "src/deep/gen.py"); /* named: taken */
    CHECK_STR(WALK(&plain, "build"), "build/x.py");
    /* .ignore goes first, wherever it is; info/exclude last. */
    put(".ignore", "!only.py\nkeep.py\n");
    put(".git/info/exclude", "a.py\ngen.py\ntop.py\n");
    CHECK_STR(WALK(&plain, "."), "data/k.py src/build/y.py src/deep/only.py src/gen.py");
    struct discover_options all = {.no_ignore = true};
    CHECK_STR(WALK(&all, "."),
              "a.py build/x.py data/k.py data/q.py gen.py src/build/y.py src/deep/gen.py "
              "src/deep/only.py src/gen.py src/keep.py src/top.py top.py");
}

static void test_nested_repository(void) {
    begin("nested");
    TOUCH("x.py", "sub/x.py", "sub/y.py", "sub/z.py", "sub/.git/config");
    put(".gitignore", "x.py\n");
    put(".ignore", "z.py\n");
    put("sub/.gitignore", "y.py\n");
    CHECK(mkdir(".git", 0700) == 0);
    CHECK_STR(WALK(&plain, "."), "sub/x.py");
    CHECK_STR(WALK(&plain, "sub"),
              "sub/x.py sub/z.py"); /* the repository's root ends the search */
}

/* An index of git's: version 4 says of each path how much of the last one goes away. */
static void put_index(const char *path, unsigned version, const char *const *paths) {
    struct buf b;
    struct str error, last = S("");
    unsigned n = 0;
    while (paths[n]) n++;
    buf_init(&b, &a);
    buf_add(&b, S("DIRC"));
    for (int shift = 24; shift >= 0; shift -= 8) buf_addc(&b, (char)(version >> shift));
    for (int shift = 24; shift >= 0; shift -= 8) buf_addc(&b, (char)(n >> shift));
    for (unsigned i = 0; i < n; i++) {
        struct str name = str_of(paths[i]);
        bool extended = version == 3 && i == 1;
        size_t size = 62 + name.n + (extended ? 2u : 0u), common = 0;
        for (int k = 0; k < 60; k++) buf_addc(&b, 'x');
        buf_addc(&b, extended ? 0x40 : 0), buf_addc(&b, (char)name.n);
        if (extended) buf_add(&b, (struct str){"\x20", 2});
        if (version == 4) {
            while (common < last.n && common < name.n && last.p[common] == name.p[common])
                common++;
            size_t cut = last.n - common;
            if (cut > 127) buf_addc(&b, (char)(0x80 | ((cut >> 7) - 1)));
            buf_addc(&b, (char)(cut & 127));
            buf_add(&b, str_sub(name, common, name.n));
            buf_addc(&b, 0);
        } else {
            buf_add(&b, name);
            do buf_addc(&b, 0);
            while (++size % 8);
        }
        last = name;
    }
    /* An extension that looks like one entry more, and the checksum. */
    for (int k = 0; k < 62; k++) buf_addc(&b, '\0');
    buf_add(&b, (struct str){"gen/c.py\0", 9});
    for (int k = 0; k < 20; k++) buf_addc(&b, 'c');
    CHECK(file_make_parents(&a, path, &error) && file_create(&a, path, buf_str(&b), 0644, &error));
}
#define INDEX(path, version, ...)                                                                 \
    put_index((path), (version), (const char *const[]){__VA_ARGS__, NULL})

/* What git tracks belongs to the project, whatever .gitignore says. */
static void test_tracked(void) {
    static char far[300] = "gen/";
    memset(far + 4, 'x', 200);
    strcpy(far + 204, ".py");
    begin("tracked");
    TOUCH("a.py", "gen/b.py", "gen/c.py", "gen/sub/d.py", "gen/sub.py", "made/e.py", far);
    put(".gitignore", "gen/\nmade/\n");
    for (unsigned version = 2; version <= 4; version++) {
        remove(".git/index");
        INDEX(".git/index", version, "a.py", "gen/b.py", "gen/sub/d.py", far, "made.py");
        CHECK_STR(WALK(&plain, "."), arena_printf(&a, "a.py gen/b.py gen/sub/d.py %s", far).p);
    }
    /* Another version, another file, one that is cut: nothing of it is tracked. */
    static const unsigned others[] = {1, 5, 0x80000002};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        remove(".git/index");
        INDEX(".git/index", others[i], "gen/b.py");
        CHECK_STR(WALK(&plain, "."), "a.py");
    }
    remove(".git/index");
    put(".git/index", "DIR");
    CHECK_STR(WALK(&plain, "."), "a.py");
    remove(".git/index");
    put(".git/index", "DIRX");
    CHECK_STR(WALK(&plain, "."), "a.py");
}

/* A linked worktree has an index of its own and shares the excludes; a submodule has both. */
static void test_worktrees(void) {
    begin("worktrees");
    TOUCH("side/a.py", "side/b.py", "side/c.py", "main/x.py", "main/sub/a.py", "main/sub/b.py");
    put("main/.git/info/exclude", "b.py\nc.py\n");
    put("side/.git", "gitdir: ../main/.git/worktrees/side \r\nmore");
    put("main/.git/worktrees/side/commondir", "../.. \r\nmore");
    CHECK_STR(WALK(&plain, "side"), "side/a.py");
    INDEX("main/.git/worktrees/side/index", 2, "c.py");
    CHECK_STR(WALK(&plain, "side"), "side/a.py side/c.py");
    put("main/sub/.git", "gitdir: ../.git/modules/sub");
    put("main/.git/modules/sub/info/exclude", "a.py\n");
    CHECK_STR(WALK(&plain, "main/sub"), "main/sub/b.py");
    char here[4096];
    CHECK(getcwd(here, sizeof here) != NULL);
    put("far/.git", arena_printf(&a, "gitdir: %s/main/.git/worktrees/far\n", here).p);
    put("main/.git/worktrees/far/commondir", arena_printf(&a, "%s/main/.git\n", here).p);
    TOUCH("far/a.py", "far/b.py", "odd/b.py");
    CHECK_STR(WALK(&plain, "far"), "far/a.py");
    put("odd/.git", "another file of that name: ../main/.git\n");
    CHECK_STR(WALK(&plain, "odd"), "odd/b.py");
}

/* What the user never wants to see: the last configuration that says where it stands counts. */
static void test_global_excludes(void) {
    begin("global");
    TOUCH("tree/a.py", "tree/b.py", "tree/c.py", "tree/d.py");
    CHECK(mkdir("tree/.git", 0700) == 0 && mkdir("home", 0700) == 0);
    setenv("HOME", "home", 1);
    CHECK_STR(WALK(&plain, "tree"), "tree/a.py tree/b.py tree/c.py tree/d.py");
    put("home/.config/git/ignore", "a.py\n");
    put("home/mine", "b.py\n");
    put("other", "c.py\n");
    CHECK_STR(WALK(&plain, "tree"), "tree/b.py tree/c.py tree/d.py");
    put("home/.config/git/config", "[core]\n\texcludesFile = other\n");
    CHECK_STR(WALK(&plain, "tree"), "tree/a.py tree/b.py tree/d.py");
    put("home/.gitconfig", "[user]\n\texcludesfile = other\n[CORE]\r\n"
                           " EXCLUDESFILE\t=\t\"~/mine\" \r\n[alias]\nexcludesfile = none\n");
    CHECK_STR(WALK(&plain, "tree"), "tree/a.py tree/c.py tree/d.py");
    setenv("GIT_CONFIG_GLOBAL", "no/such/file", 1);
    CHECK_STR(WALK(&plain, "tree"), "tree/b.py tree/c.py tree/d.py");
    put("tree/.git/config", "[coreX]\nexcludesFile = none\n[core]\nexcludesFilter = none\n"
                            "excludesFile=other");
    CHECK_STR(WALK(&plain, "tree"), "tree/a.py tree/b.py tree/d.py");
    remove("tree/.git/config");
    setenv("XDG_CONFIG_HOME", "xdg", 1);
    put("xdg/git/ignore", "d.py\n");
    CHECK_STR(WALK(&plain, "tree"), "tree/a.py tree/b.py tree/c.py");
    unsetenv("XDG_CONFIG_HOME"), unsetenv("GIT_CONFIG_GLOBAL");
    setenv("HOME", "/nonexistent", 1);
}

static void test_patterns(void) {
    begin("patterns");
    TOUCH("a.py", "src/a.py", "src/gen/b.py", "src/gen/deep/c.py", "third_party/t.cu", "k.cu");
    struct str exclude[] = {S("gen/"), S("third_party/**")};
    struct discover_options o = {.exclude = exclude, .n_exclude = 2};
    CHECK_STR(WALK(&o, "."), "a.py k.cu src/a.py");
    CHECK_STR(WALK(&o, "third_party"), ""); /* patterns see the path as written */
    CHECK_STR(WALK(&o, "third_party/t.cu"), "third_party/t.cu");
    o.force_exclude = true;
    CHECK_STR(WALK(&o, "third_party/t.cu", "src/gen/deep/c.py", "a.py", "src/gen"), "a.py");
    char here[4096];
    CHECK(getcwd(here, sizeof here) != NULL);
    CHECK_STR(WALK(&o, arena_printf(&a, "%s/third_party/t.cu", here).p), "");
    TOUCH("node_modules/n.py", "../elsewhere/node_modules/n.py");
    CHECK_STR(WALK(&o, "node_modules/n.py"), "");
    /* Where the project lies is no matter. */
    *strrchr(here, '/') = '\0';
    const char *far = arena_printf(&a, "%s/elsewhere/node_modules/n.py", here).p;
    CHECK_STR(WALK(&o, far), far);

    struct str include[] = {S("*.cu"), S("src/gen/")};
    struct discover_options in = {.include = include, .n_include = 2};
    CHECK_STR(WALK(&in, "."), "k.cu src/gen/b.py src/gen/deep/c.py third_party/t.cu");
    CHECK_STR(WALK(&in, "src"), "src/gen/b.py src/gen/deep/c.py");
    CHECK_STR(WALK(&in, "a.py"), "a.py");
    in.exclude = (struct str[]){S("src/*"), S("!src/gen")};
    in.n_exclude = 2;
    CHECK_STR(WALK(&in, "src"), "src/gen/b.py src/gen/deep/c.py");
}

static void test_links(void) {
    begin("links");
    TOUCH("real/a.py", "out/b.py");
    CHECK(symlink("../out/b.py", "real/b.py") == 0 && symlink("..", "real/up") == 0);
    CHECK(symlink("a.py", "real/again.py") == 0 && symlink("nowhere", "real/dangling.py") == 0);
    CHECK(symlink("real", "link") == 0 && symlink("loop", "loop") == 0);
    CHECK_STR(WALK(&plain, "real"), "real/a.py");
    CHECK_STR(WALK(&plain, "link"), "link/a.py"); /* a named link is followed */
    CHECK_STR(WALK(&plain, "real/b.py"), "real/b.py");
    CHECK_STR(WALK(&plain, "link", "real"), "link/a.py"); /* once, whatever it is called */
    CHECK_STR(WALK(&plain, "loop"), "");
    CHECK(found.errors.n == 1);
}

static void test_all(void) {
    begin("all");
    TOUCH("a.py", "data.bin", ".github/ci.yml", ".clang-format", "lib/x.py", "ignored.o",
          "__pycache__/a.pyc", ".git/HEAD", "lib/sub/y.cu", ".cuda-morph-1-0.tmp", "out/old.py");
    put(".gitignore", "*.o\n");
    struct str exclude[] = {S("lib")};
    struct discover_options o = {
        .exclude = exclude, .n_exclude = 1, .want_all = true, .skip_directory = "out"};
    CHECK_STR(WALK(&o, "."),
              "(.clang-format) .github/ci.yml (.gitignore) a.py (data.bin) (lib/sub/y.cu) "
              "(lib/x.py)");
    CHECK_STR(WALK(&o, "data.bin"), "(data.bin)");
    CHECK(found.errors.n == 1);
}

static void test_odd_names(void) {
    begin("odd");
    TOUCH("a b.py", "new\nline.py", "\xff.py", "-o.py", "*.py", "x\xe2\x80\xae.py");
    CHECK_STR(WALK(&plain, "."), "*.py -o.py a b.py new\nline.py x\xe2\x80\xae.py \xff.py");
    put(".gitignore", "\\*.py\n\xff*\n");
    CHECK_STR(WALK(&plain, "."), "-o.py a b.py new\nline.py x\xe2\x80\xae.py");
}

/* Deeper than a path may be long: reported, and the rest is found. */
static void test_deep(void) {
    begin("deep");
    TOUCH("a.py", "z.py");
    char name[201];
    memset(name, 'd', 200);
    name[200] = 0;
    int fd = open(".", O_RDONLY);
    for (int i = 0; i < 25; i++) {
        CHECK(mkdirat(fd, name, 0700) == 0);
        int next = openat(fd, name, O_RDONLY);
        close(fd);
        fd = next;
    }
    close(fd);
    CHECK_STR(WALK(&plain, "."), "a.py z.py");
    CHECK(found.errors.n == 1);
    CHECK_HAS(found.errors.v[0], "cannot be read: File name too long");
}

static void test_many(void) {
    begin("many");
    CHECK(mkdir("d", 0700) == 0 && chdir("d") == 0);
    for (int i = 0; i < 3000; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d.py", i);
        close(open(name, O_WRONLY | O_CREAT, 0600));
    }
    CHECK(chdir("..") == 0);
    WALK(&plain, ".", "d");
    CHECK(found.n == 3000);
}

static void test_unreadable(void) {
    begin("unreadable");
    TOUCH("closed/x.py", "open/a.py", "open/.gitignore", "open/sub/b.py", "z.py");
    chmod("..", 0755), chmod(".", 0755); /* for another user */
    chmod("closed", 0), chmod("open/.gitignore", 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) _exit(9);
        struct str got = WALK(&plain, ".");
        _exit(str_is(got, "z.py") && found.errors.n == 2 &&
                      str_is(found.errors.v[0], "closed: cannot be read: Permission denied")
                  ? 0
                  : 1);
    }
    int status;
    waitpid(pid, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    chmod("closed", 0700);
}

/* Memory that ends in the middle of a directory must not lose the open directory. */
static void test_out_of_memory(void) {
    begin("memory");
    for (int i = 0; i < 200; i++) put(arena_printf(&a, "file%d.py", i).p, "");
    volatile int escapes = 0;
    for (size_t limit = 64; limit < 60000; limit += 997) {
        struct arena small;
        jmp_buf out;
        struct discovery d;
        arena_init(&small, limit);
        small.escape = &out;
        if (setjmp(out) == 0)
            discover(&small, &plain, (const char *const[]){"."}, 1, &d);
        else
            escapes++;
        CHECK(small.escape == &out);
        arena_free(&small);
    }
    CHECK(escapes > 10);
    int fd = open(".", O_RDONLY);
    CHECK(fd < 20);
    close(fd);
}

int main(void) {
    char top[] = "/tmp/cuda-morph-test-XXXXXX";
    if (!mkdtemp(top) || chdir(top) != 0 || mkdir("start", 0700) != 0 || chdir("start") != 0)
        return 1;
    /* What this machine's user leaves out does not count here. */
    unsetenv("XDG_CONFIG_HOME"), unsetenv("GIT_CONFIG_GLOBAL");
    setenv("HOME", "/nonexistent", 1);
    arena_init(&a, 0);
    test_languages();
    test_order();
    test_named();
    test_ignore_files();
    test_nested_repository();
    test_tracked();
    test_worktrees();
    test_global_excludes();
    test_patterns();
    test_links();
    test_all();
    test_odd_names();
    test_deep();
    test_many();
    test_unreadable();
    test_out_of_memory();
    arena_free(&a);
    CHECK(chdir("/") == 0 && strncmp(top, "/tmp/", 5) == 0);
    CHECK(test_remove_tree(top));
    return test_end("discover");
}
