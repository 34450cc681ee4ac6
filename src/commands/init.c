/* SPDX-License-Identifier: Apache-2.0 */
/* init.c - `cuda-morph init`: configuration, baseline, hook and CI job for a repository that has
 * none. What is there stays as it is: the lines that belong into it are shown instead. */
#include "base/file.h"
#include "cli/target_names.h"
#include "commands/again.h"
#include "commands/commands.h"
#include "commands/inputs.h"
#include "commands/project.h"
#include "diag/embed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BASELINE "cuda-morph-baseline.json"

struct planned {
    const char *path;     /* from the root of the project */
    const char *does;     /* for the list */
    const char *template; /* of rules/init/; NULL: check writes it */
    const char *instead;  /* what is there already, or NULL */
};

struct init {
    struct cli *cli;
    struct project project;
    struct str targets; /* "rocm, ascend" */
    struct planned files[4];
    size_t n, n_new;
};

static const char *one_of(const char *const *paths, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (access(paths[i], F_OK) == 0) return paths[i];
    return NULL;
}

static bool mentions(struct arena *a, const char *path, const char *word) {
    enum { MAX_BYTES = 1 << 20 };
    struct str text, error;
    return file_read(a, path, MAX_BYTES, &text, NULL, &error) &&
           str_find(text, str_of(word), 0) < text.n;
}

static void plan(struct init *t, struct planned file) {
    t->n_new += !file.instead;
    t->files[t->n++] = file;
}

/* The configuration, in any of its places. */
static const char *configuration(struct init *t) {
    static const char *const files[] = {"cuda-morph.toml", ".cuda-morph.toml"};
    const char *found = one_of(files, ARRAY_LEN(files));
    bool in_pyproject = mentions(t->cli->a, "pyproject.toml", "[tool.cuda-morph]");
    return found ? found : in_pyproject ? "pyproject.toml" : NULL;
}

static void make_plan(struct init *t) {
    static const char *const hooks[] = {".pre-commit-config.yaml", ".pre-commit-config.yml"};
    static const char *const gitlab[] = {".gitlab-ci.yml"};
    static const char *const github[] = {".github/workflows/cuda-morph.yml"};
    static const char *const baseline[] = {BASELINE};
    const char *config = configuration(t), *known = one_of(baseline, 1);
    bool on_gitlab = one_of(gitlab, 1) || mentions(t->cli->a, ".git/config", "gitlab");
    /* The configuration that is there decides whether there is a baseline, too. */
    plan(t, (struct planned){BASELINE, "today's findings, which do not count", NULL,
                             known ? known : config});
    plan(t, (struct planned){"cuda-morph.toml", "the settings", "cuda-morph.toml", config});
    plan(t, (struct planned){hooks[0], "a hook for pre-commit", "pre-commit.yaml",
                             one_of(hooks, ARRAY_LEN(hooks))});
    if (on_gitlab)
        plan(t, (struct planned){gitlab[0], "a job for GitLab", "gitlab.yml", one_of(gitlab, 1)});
    else
        plan(t, (struct planned){github[0], "a job for GitHub", "github.yml", one_of(github, 1)});
}

/* The file's text, with the targets put in. */
static struct str text_of(struct init *t, const char *template) {
    struct arena *a = t->cli->a;
    struct str path = arena_printf(a, "rules/init/%s", template), word = S("{targets}");
    struct str text = embed_text(embed_find(path));
    size_t at = str_find(text, word, 0);
    struct buf b;
    buf_init(&b, a);
    buf_add(&b, str_sub(text, 0, at));
    if (at == text.n) return buf_str(&b);
    for (size_t i = 0, end; i <= t->targets.n; i = end + 1) {
        end = str_find(t->targets, S(","), i);
        buf_printf(&b, "%s\"%.*s\"", i ? ", " : "", STR_ARG(str_sub(t->targets, i, end)));
    }
    buf_add(&b, str_sub(text, at + word.n, text.n));
    return buf_str(&b);
}

static void show_plan(struct init *t) {
    struct cli *cli = t->cli;
    stream_printf(cli->out, "For %.*s, in %.*s:\n", STR_ARG(t->targets), STR_ARG(t->project.root));
    for (size_t i = 0; i < t->n; i++) {
        const struct planned *f = &t->files[i];
        if (f->instead)
            stream_printf(cli->out, "  %-34s stays away: %s is there\n", f->path, f->instead);
        else
            stream_printf(cli->out, "  %-34s %s\n", f->path, f->does);
    }
}

/* What belongs into files of others. */
static void show_lines(struct init *t) {
    for (size_t i = 0; i < t->n; i++) {
        const struct planned *f = &t->files[i];
        bool is_others = f->instead && f->template && i >= 2 && strcmp(f->instead, f->path) == 0;
        if (!is_others || mentions(t->cli->a, f->instead, "cuda-morph")) continue;
        stream_printf(t->cli->out, "\nFor %s:\n\n", f->instead);
        stream_add(t->cli->out, text_of(t, f->template));
    }
}

static struct str ask(struct cli *cli, const char *question) {
    char line[256];
    stream_addz(cli->out, question);
    stream_flush(cli->out);
    if (!fgets(line, sizeof line, stdin)) return S("");
    line[strcspn(line, "\r\n")] = 0;
    return arena_str(cli->a, str_of(line));
}

static bool write_baseline(struct init *t) {
    struct str target = arena_printf(t->cli->a, "--target=%.*s", STR_ARG(t->targets));
    char *words[] = {NULL,
                     arena_strdup(t->cli->a, S("check")),
                     arena_strdup(t->cli->a, S("--quiet")),
                     arena_strdup(t->cli->a, S("--isolated")),
                     arena_strdup(t->cli->a, target),
                     arena_strdup(t->cli->a, S("--write-baseline=" BASELINE)),
                     NULL};
    int status = run_again(t->cli, words);
    if (status == STATUS_DONE) return true;
    if (status >= 0) cli_error(t->cli, "no baseline: the check of this tree failed");
    return false;
}

static int write_files(struct init *t) {
    struct cli *cli = t->cli;
    struct str error;
    for (size_t i = 0; i < t->n; i++) {
        const struct planned *f = &t->files[i];
        if (f->instead) continue;
        if (!f->template) {
            if (!write_baseline(t)) return STATUS_FAILED;
            continue;
        }
        if (!file_make_parents(cli->a, f->path, &error) ||
            !file_create(cli->a, f->path, text_of(t, f->template), 0666, &error))
            return cli_error(cli, "%.*s", STR_ARG(error));
    }
    if (cli_has(cli, OPT_QUIET)) return STATUS_DONE;
    stream_printf(cli->err,
                  "%zu file%s written; 'cuda-morph check' is quiet until something new comes in\n",
                  t->n_new, t->n_new == 1 ? "" : "s");
    if (!t->files[t->n - 1].instead)
        stream_addz(cli->err,
                    "The job in CI installs what the variable CUDA_MORPH names: set it in the "
                    "settings of the repository, to a wheel's address or git+https://...\n");
    return STATUS_DONE;
}

/* The names of --target, or the answer to a question, as one text without blanks. */
static bool read_targets(struct init *t, bool asks) {
    struct cli *cli = t->cli;
    size_t n;
    struct str *names = cli_split(cli, OPT_TARGET, &n), standard;
    struct inputs in = {.cli = cli, .session = open_session(cli)};
    struct buf b;
    if (!in.session) return false;
    standard = target_name(default_target("check"));
    if (!n && asks) {
        struct str answer =
            ask(cli, arena_printf(cli->a, "Which target? [%.*s] ", STR_ARG(standard)).p);
        if (answer.n) standard = answer;
    }
    if (!inputs_read_targets(&in, n ? names : &standard, n ? n : 1)) return false;
    buf_init(&b, cli->a);
    for (size_t i = 0; i < in.n_targets; i++)
        buf_printf(&b, "%s%.*s", i ? "," : "", STR_ARG(cm_target_name(in.targets[i])));
    t->targets = buf_str(&b);
    return true;
}

int command_init(struct cli *cli) {
    struct init *t = NEW(cli->a, struct init);
    bool yes = cli_has(cli, OPT_YES), asks = !yes && isatty(STDIN_FILENO);
    t->cli = cli;
    if (cli->operands.n) return cli_error(cli, "init takes no operands: it works where you are");
    project_find(&t->project, cli->a);
    if (t->project.root.n && chdir(arena_strdup(cli->a, t->project.root)) != 0)
        return cli_error(cli, "%.*s cannot be entered", STR_ARG(t->project.root));
    if (!read_targets(t, asks)) return STATUS_FAILED;
    make_plan(t);
    show_plan(t);
    show_lines(t);
    if (!t->n_new) return STATUS_DONE;
    struct str answer = asks ? ask(cli, "Write them? [y/N] ") : S("");
    if (answer.n && (answer.p[0] == 'y' || answer.p[0] == 'Y')) yes = true;
    if (!yes) {
        stream_addz(cli->err, "Nothing is written; --yes writes without a question\n");
        return STATUS_FINDINGS;
    }
    return write_files(t);
}
