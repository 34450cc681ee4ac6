/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.c - rules, targets, threads and sources from the command line.
 *
 * Every command that reads sources does so through here, so that the same arguments mean the same
 * files in the same order everywhere. Reads no source but standard input. */
#include "commands/inputs.h"
#include "base/pool.h"
#include "cli/target_names.h"
#include "diag/embed.h"
#include "discover/discover.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- rules and targets ---- */

/* Whether a file can be added to what a port writes: to a tree, or to a patch. */
static bool writes_trees(struct cli *cli) {
    bool folders = strcmp(cli->command->name, "port") == 0 && cli->operands.n;
    for (size_t i = 0; i < cli->operands.n; i++) folders &= is_directory(cli->operands.v[i].p);
    return folders && (cli_has(cli, OPT_OUTPUT) || cli_has(cli, OPT_IN_PLACE) ||
                       cli_has(cli, OPT_DIFF) || cli_has(cli, OPT_CHECK));
}

struct cm_session *open_session(struct cli *cli) {
    size_t n = cli->option[OPT_RULES].values.n;
    const char **paths = arena_alloc(cli->a, (n + 1) * sizeof *paths);
    for (size_t i = 0; i < n; i++) paths[i] = cli->option[OPT_RULES].values.v[i].p;
    size_t n_versions = cli->option[OPT_TARGET_VERSION].values.n;
    const char **versions = arena_alloc(cli->a, (n_versions + 1) * sizeof *versions);
    for (size_t i = 0; i < n_versions; i++)
        versions[i] = cli->option[OPT_TARGET_VERSION].values.v[i].p;
    struct cm_options options = {
        .rule_paths = paths,
        .n_rule_paths = n,
        .target_versions = versions,
        .n_target_versions = n_versions,
        .port = {.lint = strcmp(cli->command->name, "check") == 0,
                 .verify = strcmp(cli->command->name, "port") == 0 ||
                           strcmp(cli->command->name, "report") == 0,
                 .unsafe_fixes = cli_has(cli, OPT_UNSAFE_FIXES),
                 .launch_functions = cli_choice(cli, OPT_LAUNCH_SYNTAX, 0) == 1,
                 .vendor_calls = cli_choice(cli, OPT_HOST_API, 0) == 1,
                 .host_kernels = cli_choice(cli, OPT_KERNELS, 0) == 1,
                 .sycl_kernels = cli_choice(cli, OPT_KERNELS, 2) == 2,
                 .helper_modules = writes_trees(cli),
                 .foreign_suppressions = cli_has(cli, OPT_IMPORT_SUPPRESSIONS)}};
    if (cli_choice(cli, OPT_LIBRARIES, 0) == 1) {
        options.rules_name = first_fact("native_libraries");
        options.rules_text = embed_text(embed_find(options.rules_name));
    }
    struct str error = {NULL, 0};
    struct cm_session *s = cm_session_new(cli->a, &options, &error);
    for (size_t at = 0; !s && at < error.n;) {
        size_t end = str_find(error, S("\n"), at);
        if (end > at) {
            struct str line = str_sub(error, at, end);
            cli_error(cli, "%.*s", STR_ARG(line));
        }
        at = end + 1;
    }
    return s;
}

void tell_of_version(struct cli *cli, const struct cm_target *t) {
    struct str note = cm_target_note(t);
    if (note.n && !cli_has(cli, OPT_QUIET))
        stream_printf(cli->err, "cuda-morph: note: %.*s\n", STR_ARG(note));
}

static bool unknown_target(struct inputs *in, struct str name) {
    struct cli *cli = in->cli;
    struct buf names;
    buf_init(&names, cli->a);
    for (size_t i = 0; i < cm_session_n_targets(in->session); i++) {
        struct str known = cm_target_name(cm_session_target_at(in->session, i));
        buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(known));
    }
    struct str hint = cli_hint(cli->a, cm_session_nearest_target(in->session, name));
    struct str also = cm_session_also(in->session, cli->a, name);
    if (also.n)
        cli_error(cli, "'%.*s' is no target by itself: %.*s", STR_ARG(name), STR_ARG(also));
    else if (hint.n)
        cli_error(cli, "unknown target '%.*s'%.*s", STR_ARG(name), STR_ARG(hint));
    else
        cli_error(cli, "unknown target '%.*s'; there are %s", STR_ARG(name), names.p);
    return false;
}

size_t inputs_add_target(struct inputs *in, const struct cm_target *t) {
    size_t k = 0;
    if (!in->targets)
        in->targets =
            arena_zalloc(in->cli->a, cm_session_n_targets(in->session) * sizeof *in->targets);
    while (k < in->n_targets && in->targets[k] != t) k++;
    if (k < in->n_targets) return k;
    in->targets[in->n_targets++] = t;
    tell_of_version(in->cli, t);
    return k;
}

/* "xpu" is Intel's name and what Kunlunxin's tools say: whoever wrote it learns of the other one.
 * Not at each `check`, which hooks and CI run with what was settled once. */
static void tell_namesakes(struct inputs *in, const struct cm_target *t, struct str name) {
    struct str others = cm_session_also(in->session, in->cli->a, name);
    if (!others.n || cli_has(in->cli, OPT_QUIET) || strcmp(in->cli->command->name, "check") == 0)
        return;
    stream_printf(in->cli->err, "cuda-morph: note: '%.*s' is %.*s here; %.*s\n", STR_ARG(name),
                  STR_ARG(cm_target_title(t)), STR_ARG(others));
}

/* All targets, those of a family together, each family where its first one stands. */
static void add_all_targets(struct inputs *in) {
    size_t n = cm_session_n_targets(in->session);
    for (size_t i = 0; i < n; i++) {
        struct str family = cm_target_family(cm_session_target_at(in->session, i));
        for (size_t k = i; k < n; k++) {
            const struct cm_target *t = cm_session_target_at(in->session, k);
            if (k == i || str_eq(cm_target_family(t), family)) inputs_add_target(in, t);
        }
    }
}

bool inputs_read_targets(struct inputs *in, const struct str *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const struct cm_target *t = cm_session_target(in->session, names[i]);
        if (t && n == 1) tell_namesakes(in, t, names[i]);
        if (t)
            inputs_add_target(in, t);
        else if (!str_is(names[i], "all"))
            return unknown_target(in, names[i]);
        else
            add_all_targets(in);
    }
    return true;
}

bool inputs_read_jobs(struct inputs *in) {
    struct str text = cli_value(in->cli, OPT_JOBS);
    in->jobs = pool_default_jobs();
    if (!text.p) return true;
    char *end;
    unsigned long n = strtoul(text.p, &end, 10);
    if (text.n == 0 || *end || text.p[0] < '0' || text.p[0] > '9' || n > 1024) {
        cli_error(in->cli, "--jobs takes a number up to 1024, not '%s'", text.p);
        return false;
    }
    if (n) in->jobs = n;
    return true;
}

/* ---- sources ---- */

bool is_directory(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool inputs_read_list(struct cli *cli, struct str path, struct str *text) {
    struct str error;
    bool ok = str_is(path, "-") ? file_read_fd(cli->a, STDIN_FILENO, "standard input",
                                               MAX_SOURCE_BYTES, text, &error)
                                : file_read(cli->a, path.p, MAX_SOURCE_BYTES, text, NULL, &error);
    if (!ok) cli_error(cli, "%.*s", STR_ARG(error));
    return ok;
}

static bool read_files_from(struct cli *cli, path_list *paths) {
    struct str list = cli_value(cli, OPT_FILES_FROM), text;
    if (!list.p) return true;
    if (!inputs_read_list(cli, list, &text)) return false;
    struct str end_mark = cli_has(cli, OPT_NULL_DATA) ? (struct str){"", 1} : S("\n");
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, end_mark, at);
        if (end > at) vec_push(cli->a, paths, arena_strdup(cli->a, str_sub(text, at, end)));
        at = end + 1;
    }
    return true;
}

static struct str last_component(struct str path) {
    size_t at = path.n;
    while (at > 0 && path.p[at - 1] != '/') at--;
    return str_sub(path, at, path.n);
}

static bool add_stdin(struct inputs *in) {
    struct cli *cli = in->cli;
    struct str name = cli_value(cli, OPT_STDIN_FILENAME);
    if (!inputs_read_list(cli, S("-"), &in->stdin_bytes)) return false;
    enum cm_language language = name.n ? language_of_name(name) : CM_PYTHON;
    if (language == CM_NONE) {
        struct str bytes = in->stdin_bytes;
        language = language_of_first_line(str_sub(bytes, 0, str_find(bytes, S("\n"), 0)));
    }
    if (language == CM_NONE) {
        cli_error(cli, "%s: not a file name of a known language", name.p);
        return false;
    }
    struct source s = {.path = name.n ? name.p : "<stdin>",
                       .relative = last_component(name),
                       .language = language,
                       .is_stdin = true};
    vec_push(cli->a, &in->sources, s);
    return true;
}

static void add_found(struct inputs *in, const struct source_search *search,
                      const path_list *paths) {
    struct cli *cli = in->cli;
    struct discover_options options = {.exclude = cli->option[OPT_EXCLUDE].values.v,
                                       .n_exclude = cli->option[OPT_EXCLUDE].values.n,
                                       .include = cli->option[OPT_INCLUDE].values.v,
                                       .n_include = cli->option[OPT_INCLUDE].values.n,
                                       .no_ignore = cli_has(cli, OPT_NO_IGNORE),
                                       .force_exclude = cli_has(cli, OPT_FORCE_EXCLUDE),
                                       .want_all = search->want_all,
                                       .skip_directory = search->skip_directory};
    struct discovery found = {0};
    discover(cli->a, &options, paths->v, paths->n, &found);
    in->n_ignored += found.n_ignored;
    for (size_t i = 0; i < found.errors.n; i++) {
        struct str error = found.errors.v[i];
        cli_error(cli, "%.*s", STR_ARG(error));
        in->failed = true;
    }
    for (size_t i = 0; i < found.n; i++) {
        struct source s = {.path = found.v[i].path.p,
                           .relative = found.v[i].relative,
                           .language = found.v[i].language};
        vec_push(cli->a, &in->sources, s);
    }
}

static bool read_operands(struct cli *cli, path_list *paths, size_t *n_stdin) {
    for (size_t i = 0; i < cli->operands.n; i++) {
        struct str path = cli->operands.v[i];
        if (path.n == 0) {
            cli_error(cli, "an empty path was given");
            return false;
        }
        if (str_is(path, "-"))
            ++*n_stdin;
        else
            vec_push(cli->a, paths, path.p);
    }
    return true;
}

bool inputs_read_sources(struct inputs *in, const struct source_search *search) {
    struct cli *cli = in->cli;
    path_list paths = {0};
    size_t n_stdin = 0;
    if (!read_operands(cli, &paths, &n_stdin)) return false;
    if (cli_has(cli, OPT_NULL_DATA) && !cli_has(cli, OPT_FILES_FROM)) {
        cli_error(cli, "--null goes with --files-from");
        return false;
    }
    size_t n_readers = n_stdin + str_is(cli_value(cli, OPT_FILES_FROM), "-") +
                       str_is(cli_value(cli, OPT_DIFF_LINES), "-");
    if (n_readers > 1) {
        cli_error(cli, "standard input can be read only once");
        return false;
    }
    bool none = !cli->operands.n && !cli_has(cli, OPT_FILES_FROM);
    if (none && !search->otherwise) {
        cli_error(cli, "%s needs a file or directory (or - for standard input)",
                  cli->command->name);
        return false;
    }
    for (size_t i = 0; none && i < search->n_otherwise; i++)
        if (!search->skip_unknown || language_of_name(str_of(search->otherwise[i])) != CM_NONE)
            vec_push(cli->a, &paths, search->otherwise[i]);
    if (!read_files_from(cli, &paths) || (n_stdin && !add_stdin(in))) return false;
    if (paths.n) add_found(in, search, &paths);
    if (in->jobs > in->sources.n) in->jobs = in->sources.n ? in->sources.n : 1;
    in->one_file = n_stdin + paths.n == 1 && !(paths.n && is_directory(paths.v[0]));
    return true;
}

bool source_read(const struct inputs *in, struct arena *a, const struct source *s,
                 struct str *bytes, struct file_id *id, struct str *error) {
    if (!s->is_stdin) return file_read(a, s->path, MAX_SOURCE_BYTES, bytes, id, error);
    *bytes = in->stdin_bytes;
    return true;
}

void inputs_show_files(const struct inputs *in) {
    for (size_t i = 0; i < in->sources.n; i++) {
        if (in->sources.v[i].language == CM_NONE) continue;
        stream_addz(in->cli->out, in->sources.v[i].path);
        stream_addz(in->cli->out, "\n");
    }
}
