/* SPDX-License-Identifier: Apache-2.0 */
/* folders.c - from a source to the nearest configuration above it.
 *
 * Every directory is looked at once; sources of one directory share its answer. */
#include "commands/folders.h"

#include "base/glob.h"

struct folder_entry {
    struct str directory; /* absolute; p == NULL: free */
    struct folder *folder;
};

struct cli *cli_copy(const struct cli *cli) {
    struct cli *copy = NEW(cli->a, struct cli);
    *copy = *cli;
    for (int i = 0; i < OPT_COUNT; i++) {
        size_t n = cli->option[i].values.n;
        copy->option[i].values.v = arena_alloc(cli->a, (n + 1) * sizeof(struct str));
        copy->option[i].values.cap = n;
        if (n) memcpy(copy->option[i].values.v, cli->option[i].values.v, n * sizeof(struct str));
    }
    return copy;
}

/* ---- one configuration ---- */

static bool read_selection(struct folders *all, struct folder *f) {
    struct cli *cli = f->cli;
    size_t n, more;
    struct str *select = cli_split(cli, OPT_SELECT, &n);
    struct str *extend = cli_split(cli, OPT_EXTEND_SELECT, &more);
    struct selectors added = {extend, more};
    f->select = (struct selectors){select, n};
    f->ignore.v = cli_split(cli, OPT_IGNORE, &f->ignore.n);
    if (!selectors_check(cli, all->rules, &f->select, "--select") ||
        !selectors_check(cli, all->rules, &added, "--extend-select") ||
        !selectors_check(cli, all->rules, &f->ignore, "--ignore") ||
        !config_check_rules(cli, &f->config, all->rules))
        return false;
    struct str *both = arena_alloc(cli->a, (n + more + 1) * sizeof *both);
    if (n) memcpy(both, select, n * sizeof *both);
    if (more) memcpy(both + n, extend, more * sizeof *both);
    /* Without --select everything is; --extend-select then only overrides --ignore. */
    if (!n && more) both[more++] = S("");
    f->select = (struct selectors){both, n + more};
    return true;
}

static bool read_targets(struct folders *all, struct folder *f, struct str otherwise) {
    size_t n;
    struct str *names = cli_split(f->cli, OPT_TARGET, &n);
    struct inputs own = {.cli = all->in->cli, .session = all->in->session};
    if (!inputs_read_targets(&own, n ? names : &otherwise, n ? n : 1)) return false;
    f->targets = arena_alloc(f->cli->a, own.n_targets * sizeof *f->targets);
    f->n_targets = own.n_targets;
    f->asks_target = n > 0;
    for (size_t i = 0; i < own.n_targets; i++)
        f->targets[i] = inputs_add_target(all->in, own.targets[i]);
    return true;
}

bool folder_read_options(struct folders *all, struct folder *f, struct str otherwise) {
    return read_selection(all, f) && read_targets(all, f, otherwise);
}

static void read_patterns(struct folder *f, const struct folder *run) {
    static const enum option_id options[] = {OPT_EXCLUDE, OPT_INCLUDE};
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct glob_rules *rules = i ? &f->include : &f->exclude;
        size_t n = f->cli->option[options[i]].values.n;
        for (size_t k = 0; k < n; k++) {
            struct glob_rule rule;
            if (glob_parse_rule(f->cli->option[options[i]].values.v[k], &rule))
                vec_push(f->cli->a, rules, rule);
        }
    }
    if (!f->cli->option[OPT_INCLUDE].origin.n || f == run) f->include.n = 0;
}

/* Settings of the whole run that another file than the run's says for itself. */
static void warn_about_run_settings(struct folders *all, const struct folder *f) {
    static const enum option_id ids[] = {
        OPT_BASELINE,      OPT_REPORT_FORMAT,       OPT_FAIL_ON,
        OPT_NO_CACHE,      OPT_NO_IGNORE,           OPT_UNSAFE_FIXES,
        OPT_FORCE_EXCLUDE, OPT_IMPORT_SUPPRESSIONS, OPT_RULES};
    const struct cli *run = all->run->cli;
    for (size_t i = 0; i < ARRAY_LEN(ids) && !cli_has(run, OPT_QUIET); i++) {
        struct str origin = f->cli->option[ids[i]].origin;
        if (!cli_has(f->cli, ids[i]) || !origin.n || str_eq(origin, run->option[ids[i]].origin))
            continue;
        cli_error(all->in->cli,
                  "%.*s: '%s' holds for a whole run, so it is taken from the configuration of the "
                  "directory that all paths are in; nothing was done with this line",
                  STR_ARG(origin), cli_options[ids[i]].name);
    }
}

/* ---- from directories to configurations ---- */

static struct folder_entry *slot_of(struct folder_entry *table, size_t size, struct str name) {
    size_t i = str_hash(name) & (size - 1);
    while (table[i].directory.p && !str_eq(table[i].directory, name)) i = (i + 1) & (size - 1);
    return &table[i];
}

static void remember(struct folders *all, struct str directory, struct folder *folder) {
    struct arena *a = all->in->cli->a;
    if (all->n_entries * 2 >= all->size) {
        size_t size = all->size ? all->size * 2 : 64;
        struct folder_entry *table = arena_zalloc(a, size * sizeof *table);
        for (size_t i = 0; i < all->size; i++)
            if (all->table[i].directory.p)
                *slot_of(table, size, all->table[i].directory) = all->table[i];
        all->table = table;
        all->size = size;
    }
    *slot_of(all->table, all->size, directory) = (struct folder_entry){directory, folder};
    all->n_entries++;
}

static struct folder *known(const struct folders *all, struct str directory) {
    return all->size ? slot_of(all->table, all->size, directory)->folder : NULL;
}

/* NULL after a message. */
static struct folder *read_folder(struct folders *all, const char *path, struct str otherwise) {
    struct arena *a = all->in->cli->a;
    if (all->run->config.path &&
        str_eq(path_absolute(a, all->project->current, str_of(path)),
               path_absolute(a, all->project->current, str_of(all->run->config.path))))
        return all->run;
    struct folder *f = NEW(a, struct folder);
    *f = (struct folder){.cli = cli_copy(all->plain)};
    if (!config_read_file(f->cli, all->project, path, &f->config)) return NULL;
    if (!folder_read_options(all, f, otherwise)) return NULL;
    read_patterns(f, all->run);
    warn_about_run_settings(all, f);
    vec_push(a, &all->all, f);
    return f;
}

static struct str parent_of(struct str directory) {
    while (directory.n && directory.p[directory.n - 1] != '/') directory.n--;
    while (directory.n && directory.p[directory.n - 1] == '/') directory.n--;
    return directory;
}

/* The configuration of a directory; NULL after a message. */
static struct folder *find(struct folders *all, struct str directory, struct str otherwise) {
    VEC(struct str) passed = {0};
    struct folder *f = NULL;
    for (struct str up = directory;; up = parent_of(up)) {
        f = known(all, up);
        if (f) break;
        vec_push(all->in->cli->a, &passed, up);
        const char *path;
        if (!config_in_directory(all->in->cli, all->project, up, &path)) return NULL;
        if (path && !(f = read_folder(all, path, otherwise))) return NULL;
        if (!f && config_search_ends(all->in->cli, up)) f = all->run;
        if (f) break;
    }
    for (size_t i = 0; i < passed.n; i++) remember(all, passed.v[i], f);
    return f;
}

const struct folder *folders_of_path(struct folders *all, struct str path, struct str otherwise) {
    return find(all, parent_of(path), otherwise);
}

bool folder_wants(const struct folder *f, const struct project *project, struct str path,
                  struct str rule) {
    size_t selected = f->select.n ? selectors_match(&f->select, rule) : 1;
    size_t ignored = selectors_match(&f->ignore, rule);
    return selected > ignored && config_severity(&f->config, rule, 0) != SEVERITY_OFF &&
           !config_ignores(&f->config, project, path, rule);
}

static bool leaves_out(const struct folders *all, const struct folder *f, struct str path) {
    if (f == all->run) return false;
    struct str below = path_below(all->project->current, path);
    if (below.p) path = below;
    return glob_covers(&f->exclude, path, false) ||
           (f->include.n && !glob_covers(&f->include, path, false));
}

bool folders_find(struct folders *all, struct str default_target) {
    struct inputs *in = all->in;
    struct cli *cli = in->cli;
    bool one = cli_has(all->plain, OPT_ISOLATED) || config_is_given(all->plain);
    size_t kept = 0;
    all->of = arena_alloc(cli->a, (in->sources.n + 1) * sizeof *all->of);
    vec_push(cli->a, &all->all, all->run);
    for (size_t i = 0; i < in->sources.n; i++) {
        struct source source = in->sources.v[i];
        struct str path = path_absolute(cli->a, all->project->current, str_of(source.path));
        const struct folder *f = one ? all->run : find(all, parent_of(path), default_target);
        if (!f) return false;
        if (leaves_out(all, f, path)) continue;
        all->of[kept] = f;
        in->sources.v[kept++] = source;
    }
    in->sources.n = kept;
    return true;
}
