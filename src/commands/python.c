/* SPDX-License-Identifier: Apache-2.0 */
/* python.c - this program's Python part and an interpreter for it. The part is looked for beside
 * the program, never on Python's own path, where another version might lie. An environment whose
 * name has one of glob's characters is searched for no wheel. */
#include "commands/python.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* The first of the patterns (glob(7)), below the program's directory, that something is at. */
static char *first_there(struct python_place *p, const char *const *patterns, size_t n) {
    struct arena *a = p->cli->a;
    for (size_t i = 0; i < n; i++) {
        const char *pattern = arena_printf(a, "%s/%s", p->directory, patterns[i]).p;
        if (!strchr(patterns[i], '*')) {
            if (access(pattern, R_OK) == 0) return arena_strdup(a, str_of(pattern));
            continue;
        }
        glob_t found = {0};
        char *path = glob(pattern, 0, NULL, &found) == 0
                         ? arena_strdup(a, str_of(found.gl_pathv[0]))
                         : NULL;
        globfree(&found);
        if (path) return path;
    }
    return NULL;
}

char *python_seek_part(struct python_place *p, const char *name) {
    struct arena *a = p->cli->a;
    const char *const places[] = {arena_printf(a, "python/%s", name).p,
                                  arena_printf(a, "../share/cuda-morph/python/%s", name).p,
                                  arena_printf(a, "../lib/python3*/site-packages/%s", name).p};
    return first_there(p, places, ARRAY_LEN(places));
}

char *python_find_part(struct python_place *p, const char *name) {
    char *path = python_seek_part(p, name);
    if (!path)
        cli_error(p->cli, "the Python part is missing: %s is neither in %s nor in %s/%s", name,
                  "python/ beside the program", p->directory, "../share/cuda-morph/python");
    return path;
}

char *python_find_library(struct python_place *p) {
    static const char *const places[] = {"libcudamorph.so", "../lib/cuda-morph/libcudamorph.so"};
    char *path = first_there(p, places, ARRAY_LEN(places));
    if (!path)
        cli_error(p->cli, "libcudamorph.so is missing: it is neither in %s nor in %s/%s",
                  p->directory, p->directory, "../lib/cuda-morph");
    return path;
}

bool python_find_program(struct python_place *p) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n <= 0 || (size_t)n == sizeof path) {
        cli_error(p->cli, "/proc/self/exe cannot be read, so the Python part cannot be found");
        return false;
    }
    p->program = arena_strdup(p->cli->a, (struct str){path, (size_t)n});
    p->directory = arena_strdup(p->cli->a, p->program[0] ? str_of(p->program) : S("/"));
    *strrchr(p->directory, '/') = '\0';
    return true;
}

static bool is_program(const char *path) { return access(path, X_OK) == 0; }

char *program_in_path(struct arena *a, const char *name) {
    if (strchr(name, '/')) return is_program(name) ? arena_strdup(a, str_of(name)) : NULL;
    struct str all = str_of(getenv("PATH"));
    for (size_t at = 0; at <= all.n && all.p;) {
        size_t end = str_find(all, S(":"), at);
        struct str folder = str_sub(all, at, end);
        if (folder.n == 0) folder = S(".");
        char *path = arena_strdup(a, arena_printf(a, "%.*s/%s", STR_ARG(folder), name));
        if (is_program(path)) return path;
        at = end + 1;
    }
    return NULL;
}

bool python_find_interpreter(struct python_place *p) {
    struct arena *a = p->cli->a;
    struct str named = cli_value(p->cli, OPT_PYTHON);
    const char *environment = getenv("VIRTUAL_ENV");
    if (named.p) {
        p->python = program_in_path(a, named.p);
        if (!p->python) cli_error(p->cli, "there is no Python interpreter '%.*s'", STR_ARG(named));
        return p->python != NULL;
    }
    if (environment && *environment) {
        struct str path = arena_printf(a, "%s/bin/python3", environment);
        if (is_program(arena_strdup(a, path))) p->python = arena_strdup(a, path);
    }
    if (!p->python) p->python = program_in_path(a, "python3");
    if (!p->python) p->python = program_in_path(a, "python");
    if (!p->python)
        cli_error(p->cli, "there is no python3 in PATH; --python names an interpreter");
    return p->python != NULL;
}

int python_become(struct python_place *p, char **argv) {
    argv[0] = p->python;
    stream_flush(p->cli->out);
    stream_flush(p->cli->err);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execv(p->python, argv);
    return cli_error(p->cli, "%s: %s", p->python, strerror(errno));
}
