/* SPDX-License-Identifier: Apache-2.0 */
/* fixture_python.c - CPython's word on inputs and outputs. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fixture.h"

extern char **environ;

/* Reads "NUMBER LENGTH\nBYTES" frames; writes "NUMBER REASON" lines for those that don't compile.
 */
static const char script[] =
    "import sys, warnings\n"
    "warnings.simplefilter('ignore')\n"
    "while header := sys.stdin.buffer.readline():\n"
    "    number, length = map(int, header.split())\n"
    "    text = sys.stdin.buffer.read(length)\n"
    "    try:\n"
    "        compile(text, 'output', 'exec', dont_inherit=True)\n"
    "    except Exception as e:\n"
    "        print(number, type(e).__name__ + ':', str(e).replace('\\n', ' '))\n";

/* Runs python3 from one file to another. False when there is none. */
static bool run_python(FILE *in, FILE *out) {
    char *argv[] = {"python3", "-I", "-c", (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    bool is_there = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (is_there) waitpid(pid, &status, 0);
    return is_there && status == 0;
}

static void write_texts(const struct suite *s, FILE *in) {
    size_t number = 0;
    for (size_t i = 0; i < s->cases.n; i++)
        for (size_t k = 0; k < s->cases.v[i].texts.n; k++) {
            struct str text = s->cases.v[i].texts.v[k].bytes;
            fprintf(in, "%zu %zu\n", number++, text.n);
            fwrite(text.p, 1, text.n, in);
        }
    fflush(in);
    rewind(in);
}

/* Reasons by number of the text; an empty string for those that compile. */
static struct str *read_reasons(struct arena *a, FILE *out, size_t n) {
    struct str *reasons = arena_zalloc(a, (n + 1) * sizeof *reasons);
    char line[1024];
    rewind(out);
    while (fgets(line, sizeof line, out)) {
        char *reason;
        size_t number = strtoul(line, &reason, 10);
        reason[strcspn(reason, "\n")] = 0;
        if (number < n) reasons[number] = arena_str(a, str_of(reason));
    }
    return reasons;
}

static bool input_compiles(const struct fixture *f, size_t file, const struct str *reasons) {
    for (size_t k = 0; k < f->texts.n; k++)
        if (f->texts.v[k].file == file && !f->texts.v[k].target.n) return !reasons[k].n;
    return false;
}

void fixture_compile_all(struct suite *s, struct arena *a) {
    size_t n = 0;
    for (size_t i = 0; i < s->cases.n; i++) n += s->cases.v[i].texts.n;
    FILE *in = tmpfile(), *out = tmpfile();
    if (in && out) {
        write_texts(s, in);
        s->python_missing = !run_python(in, out);
        const struct str *reasons = read_reasons(a, out, n);
        for (size_t i = 0; i < s->cases.n && !s->python_missing; i++) {
            struct fixture *f = &s->cases.v[i];
            for (size_t k = 0; k < f->texts.n; k++) {
                const struct python_text *t = &f->texts.v[k];
                if (!t->target.n || !reasons[k].n || !input_compiles(f, t->file, reasons))
                    continue;
                fixture_fail(f, t->target, "%.*s: CPython can't compile the output:%.*s",
                             STR_ARG(f->files.v[t->file].name), STR_ARG(reasons[k]));
            }
            reasons += f->texts.n;
        }
    }
    if (in) fclose(in);
    if (out) fclose(out);
}
