/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - settings from TOML files.
 *
 * A setting is an option under its long name, so there is no second list of names, types and
 * help; the file gives the values that the command line leaves open, each with its line as its
 * origin. */
#include "commands/config.h"
#include "base/file.h"
#include "syntax/toml.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum setting_kind { TEXT, PATHS, GLOBS };

static const struct setting {
    enum option_id option;
    enum setting_kind kind;
} settings[] = {
#define SETTING(id, kind) {OPT_##id, kind},
#include "cli/options.def"
};

enum { MAX_CONFIG_BYTES = 1 << 20 };

struct reading {
    struct cli *cli;
    const struct project *project;
    struct config *config;
    struct str name;      /* of the file, for messages */
    struct str directory; /* what its paths are relative to */
    int depth;            /* of files that extend each other */
    bool on_command_line[ARRAY_LEN(settings)];
};

/* ---- messages ---- */

static bool fail_at(struct reading *r, const struct toml_value *v, struct str sentence) {
    cli_error(r->cli, "%.*s:%u:%u: %.*s", STR_ARG(r->name), v->line, v->column, STR_ARG(sentence));
    return false;
}

static bool unknown_key(struct reading *r, const struct toml_value *v) {
    struct str names[ARRAY_LEN(settings) + 4] = {S("per-file-ignores"), S("severity"), S("extend"),
                                                 S("required-version")};
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        names[i + 4] = str_of(cli_options[settings[i].option].name);
    struct str hint = cli_hint(r->cli->a, cli_nearest(v->key, names, ARRAY_LEN(names)));
    return fail_at(
        r, v, arena_printf(r->cli->a, "unknown key '%.*s'%.*s", STR_ARG(v->key), STR_ARG(hint)));
}

static bool wrong_type(struct reading *r, const struct toml_value *v, const char *wanted) {
    return fail_at(r, v, arena_printf(r->cli->a, "'%.*s' wants %s", STR_ARG(v->key), wanted));
}

/* ---- options ---- */

/* A pattern of the file's directory as one of the current directory. Without a '/' before its end
 * it holds anywhere and stays. */
static struct str local_pattern(struct reading *r, struct str pattern) {
    const struct project *p = r->project;
    bool is_anchored = str_find(pattern, S("/"), 0) + 1 < pattern.n;
    if (!is_anchored || str_eq(r->directory, p->current)) return pattern;
    while (pattern.n && pattern.p[0] == '/') pattern = str_sub(pattern, 1, pattern.n);
    struct str down = path_below(p->current, r->directory);
    if (down.p) return arena_printf(r->cli->a, "/%.*s/%.*s", STR_ARG(down), STR_ARG(pattern));
    struct str up = path_below(r->directory, p->current);
    bool is_here = up.p && pattern.n > up.n && str_starts(pattern, up) && pattern.p[up.n] == '/';
    return is_here ? str_sub(pattern, up.n, pattern.n) : pattern;
}

static struct str local_value(struct reading *r, enum setting_kind kind, struct str value) {
    if (kind == TEXT) return value;
    if (kind == GLOBS) return local_pattern(r, value);
    struct str path = path_absolute(r->cli->a, r->directory, value);
    struct str below = path_below(r->project->current, path);
    return below.p ? below : path.n ? path : S("/");
}

static bool set_value(struct reading *r, const struct setting *s, const struct toml_value *v,
                      struct str value) {
    struct str error;
    if (value.p) value = local_value(r, s->kind, value);
    if (cli_set(r->cli, s->option, value, &error)) return true;
    return fail_at(r, v, str_sub(error, 2, error.n)); /* without the dashes */
}

static bool set_option(struct reading *r, const struct setting *s, const struct toml_value *v) {
    const struct option *o = &cli_options[s->option];
    bool is_overridden = r->on_command_line[s - settings] && s->kind != GLOBS;
    if (o->kind == FLAG && v->type != TOML_BOOLEAN) return wrong_type(r, v, "true or false");
    if (o->kind != FLAG && o->kind != LIST && v->type != TOML_STRING)
        return wrong_type(r, v, "a string");
    if (o->kind == LIST && v->type != TOML_STRING && v->type != TOML_ARRAY)
        return wrong_type(r, v, "a list of strings");
    const struct toml_value *first = v->type == TOML_ARRAY ? v->first : v;
    for (const struct toml_value *e = first; e && v->type == TOML_ARRAY; e = e->next)
        if (e->type != TOML_STRING) return wrong_type(r, v, "a list of strings");
    if (is_overridden || !option_applies(o, r->cli->command)) return true;
    r->cli->option[s->option].count = 0;
    if (s->kind != GLOBS) r->cli->option[s->option].values.n = 0;
    r->cli->option[s->option].origin =
        str_is(r->name, "--config")
            ? r->name
            : arena_printf(r->cli->a, "%.*s:%u", STR_ARG(r->name), v->line);
    if (o->kind == FLAG) return !v->boolean || set_value(r, s, v, (struct str){NULL, 0});
    for (const struct toml_value *e = first; e; e = v->type == TOML_ARRAY ? e->next : NULL)
        if (!set_value(r, s, v, e->string)) return false;
    return true;
}

/* ---- the two tables ---- */

static bool read_ignores(struct reading *r, const struct toml_value *table) {
    struct arena *a = r->cli->a;
    if (table->type != TOML_TABLE) return wrong_type(r, table, "a table");
    for (const struct toml_value *v = table->first; v; v = v->next) {
        struct file_ignores ignores = {.pattern = v->key, .base = r->directory};
        VEC(struct str) rules = {0};
        if (v->type != TOML_ARRAY) return wrong_type(r, v, "a list of rules");
        for (const struct toml_value *e = v->first; e; e = e->next) {
            if (e->type != TOML_STRING) return wrong_type(r, v, "a list of rules");
            vec_push(a, &rules, e->string);
        }
        glob_add_rules(a, &ignores.glob, v->key);
        ignores.rules = (struct selectors){rules.v, rules.n};
        vec_push(a, &r->config->ignores, ignores);
    }
    return true;
}

static const char *const severity_words[] = {"off", "note", "warning", "error"};

static bool read_severities(struct reading *r, const struct toml_value *table) {
    if (table->type != TOML_TABLE) return wrong_type(r, table, "a table");
    for (const struct toml_value *v = table->first; v; v = v->next) {
        struct severity_setting s = {.rule = v->key, .severity = SEVERITY_OFF - 1};
        for (int i = 0; v->type == TOML_STRING && i < (int)ARRAY_LEN(severity_words); i++)
            if (str_is(v->string, severity_words[i])) s.severity = i + SEVERITY_OFF;
        if (s.severity < SEVERITY_OFF)
            return wrong_type(r, v, "one of \"off\", \"note\", \"warning\", \"error\"");
        vec_push(r->cli->a, &r->config->severities, s);
    }
    return true;
}

/* ---- required-version ---- */

static const char *next_number(const char *p, const char *end, unsigned long *n) {
    for (*n = 0; p < end && *p >= '0' && *p <= '9'; p++) *n = *n * 10 + (unsigned long)(*p - '0');
    return p < end && *p == '.' ? p + 1 : p;
}

/* -1, 0, 1: as far as `wanted` says, "0.2" is 0.2.7. */
static int compare_versions(struct str have, struct str wanted) {
    const char *h = have.p, *w = wanted.p;
    while (w < wanted.p + wanted.n) {
        unsigned long x, y;
        h = next_number(h, have.p + have.n, &x);
        w = next_number(w, wanted.p + wanted.n, &y);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static bool is_version(struct str s) {
    bool digit = false;
    for (size_t i = 0; i < s.n; i++) {
        bool is_digit = s.p[i] >= '0' && s.p[i] <= '9';
        if (!is_digit && (s.p[i] != '.' || !digit)) return false;
        digit = is_digit;
    }
    return digit;
}

/* ">=0.2", "0.2.1", "!=0.2.3" ...; *is_one says whether it is one. */
static bool fits_condition(struct str condition, bool *is_one) {
    static const struct {
        const char *sign;
        bool less, equal, more;
    } signs[] = {{">=", 0, 1, 1}, {"<=", 1, 1, 0}, {"==", 0, 1, 0}, {"!=", 1, 0, 1},
                 {">", 0, 0, 1},  {"<", 1, 0, 0},  {"", 0, 1, 0}};
    while (condition.n && condition.p[0] == ' ') condition = str_sub(condition, 1, condition.n);
    while (condition.n && condition.p[condition.n - 1] == ' ') condition.n--;
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        struct str sign = str_of(signs[i].sign);
        if (!str_starts(condition, sign)) continue;
        struct str version = str_sub(condition, sign.n, condition.n);
        while (version.n && version.p[0] == ' ') version = str_sub(version, 1, version.n);
        *is_one &= is_version(version);
        int order = *is_one ? compare_versions(S(CM_VERSION), version) : 0;
        return order < 0 ? signs[i].less : order > 0 ? signs[i].more : signs[i].equal;
    }
    return false;
}

static bool read_required_version(struct reading *r, const struct toml_value *v) {
    bool fits = true, is_one = true;
    if (v->type != TOML_STRING) return wrong_type(r, v, "a string");
    for (size_t at = 0; at < v->string.n || at == 0;) {
        size_t comma = str_find(v->string, S(","), at);
        fits &= fits_condition(str_sub(v->string, at, comma), &is_one);
        at = comma + 1;
    }
    if (!is_one) return wrong_type(r, v, "versions such as \">=0.2\" or \"0.2.0\"");
    if (fits) return true;
    return fail_at(r, v,
                   arena_printf(r->cli->a,
                                "this is cuda-morph " CM_VERSION
                                ", and the configuration requires %.*s",
                                STR_ARG(v->string)));
}

static bool read_table(struct reading *r, const struct toml_value *table) {
    for (const struct toml_value *v = table->first; v; v = v->next) {
        bool ok, is_known = false;
        for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
            if (!str_is(v->key, cli_options[settings[i].option].name)) continue;
            is_known = true;
            if (!set_option(r, &settings[i], v)) return false;
        }
        if (is_known) continue;
        if (str_is(v->key, "per-file-ignores"))
            ok = read_ignores(r, v);
        else if (str_is(v->key, "severity"))
            ok = read_severities(r, v);
        else if (str_is(v->key, "required-version"))
            ok = read_required_version(r, v);
        else if (str_is(v->key, "extend"))
            ok = true; /* read before all others */
        else
            ok = unknown_key(r, v);
        if (!ok) return false;
    }
    return true;
}

/* ---- files ---- */

/* The table of the file that is ours, or NULL: then *error is empty where the file has none. */
static const struct toml_value *our_table(struct cli *cli, const char *path, struct str *error) {
    struct str text, name = str_of(path);
    *error = S("");
    if (!file_read(cli->a, path, MAX_CONFIG_BYTES, &text, NULL, error)) return NULL;
    bool is_shared = str_ends(name, S("pyproject.toml"));
    if (is_shared && str_find(text, S("cuda-morph"), 0) == text.n) return NULL;
    const struct toml_value *root = toml_parse(cli->a, name, text, error);
    return root && is_shared ? toml_get(toml_get(root, "tool"), "cuda-morph") : root;
}

/* After a failed look at a path: no file is there, rather than one that cannot be reached now. */
static bool is_absent(void) {
    return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == EINVAL;
}

/* The directory that all named paths are in, absolute. */
static struct str common_directory(struct cli *cli, const struct project *p) {
    struct str common = {NULL, 0};
    for (size_t i = 0; i < cli->operands.n; i++) {
        struct str path = cli->operands.v[i];
        struct stat st;
        if (str_is(path, "-")) path = cli_value(cli, OPT_STDIN_FILENAME);
        if (path.n == 0) path = S(".");
        struct str dir = path_absolute(cli->a, p->current, path);
        bool is_there = stat(dir.n ? dir.p : "/", &st) == 0;
        bool is_file = is_there ? !S_ISDIR(st.st_mode) : is_absent();
        while (is_file && dir.n && dir.p[dir.n - 1] != '/') dir.n--;
        if (is_file && dir.n) dir.n--;
        if (!common.p) common = dir;
        while (common.n && !str_eq(common, dir) && !path_below(common, dir).p) {
            while (common.p[common.n - 1] != '/') common.n--;
            common.n--;
        }
    }
    return common.p ? common : p->current;
}

static bool read_file(struct reading *r, const char *path);

/* What the file extends is read first, so that its own values win. */
static bool read_extended(struct reading *r, const struct toml_value *v) {
    enum { MOST_EXTENDS = 10 };
    if (v->type != TOML_STRING) return wrong_type(r, v, "the path of a configuration file");
    if (r->depth == MOST_EXTENDS)
        return fail_at(r, v, S("configurations extend each other in a circle, or more than ten"));
    struct str name = r->name, directory = r->directory;
    struct str path = path_absolute(r->cli->a, directory, v->string);
    struct str below = path_below(r->project->current, path);
    r->depth++;
    bool ok = read_file(r, below.p ? below.p : arena_strdup(r->cli->a, path));
    r->depth--;
    r->name = name;
    r->directory = directory;
    if (ok) vec_push(r->cli->a, &r->config->extended, below.p ? below : path);
    return ok;
}

static bool read_file(struct reading *r, const char *path) {
    struct str error;
    const struct toml_value *table = our_table(r->cli, path, &error);
    if (!table && error.n == 0)
        error = arena_printf(r->cli->a, "%s: the file has no table [tool.cuda-morph]", path);
    if (!table) {
        cli_error(r->cli, "%.*s", STR_ARG(error));
        return false;
    }
    struct str absolute = path_absolute(r->cli->a, r->project->current, str_of(path));
    size_t slash = absolute.n;
    while (absolute.p[slash - 1] != '/') slash--;
    r->name = str_of(path);
    r->directory = str_sub(absolute, 0, slash - 1);
    const struct toml_value *extend = toml_get(table, "extend");
    if (extend && !read_extended(r, extend)) return false;
    r->config->path = path;
    return read_table(r, table);
}

bool config_in_directory(struct cli *cli, const struct project *project, struct str directory,
                         const char **out) {
    static const char *const names[] = {"cuda-morph.toml", ".cuda-morph.toml", "pyproject.toml"};
    *out = NULL;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str error, path = arena_printf(cli->a, "%.*s/%s", STR_ARG(directory), names[i]);
        struct str below = path_below(project->current, path);
        if (below.p) path = below;
        if (access(path.p, F_OK) != 0 && (is_absent() || errno == EACCES)) continue;
        if (!our_table(cli, path.p, &error) && error.n == 0) continue;
        *out = path.p;
        return true;
    }
    return true;
}

bool config_search_ends(struct cli *cli, struct str directory) {
    const char *home = getenv("HOME");
    return directory.n == 0 || (home && str_is(directory, home)) ||
           access(arena_printf(cli->a, "%.*s/.git", STR_ARG(directory)).p, F_OK) == 0;
}

static bool search_upwards(struct reading *r) {
    for (struct str up = common_directory(r->cli, r->project);;) {
        const char *path;
        if (!config_in_directory(r->cli, r->project, up, &path)) return false;
        if (path) return read_file(r, path);
        if (config_search_ends(r->cli, up)) return true;
        while (up.p[up.n - 1] != '/') up.n--;
        up.n--;
    }
}

/* ---- --config ---- */

static bool is_assignment(struct str text) {
    size_t n = 0;
    while (n < text.n && ((text.p[n] >= 'a' && text.p[n] <= 'z') || text.p[n] == '-')) n++;
    return n > 0 && n < text.n && text.p[n] == '=' && access(text.p, F_OK) != 0;
}

/* KEY=VALUE, the value as TOML or as plain text. */
static bool read_assignment(struct reading *r, struct str text) {
    struct arena *a = r->cli->a;
    struct str error;
    size_t equals = str_find(text, S("="), 0);
    r->name = S("--config");
    r->directory = r->project->current;
    const struct toml_value *table = toml_parse(a, r->name, text, &error);
    if (!table) {
        struct toml_value *root = NEW(a, struct toml_value), *v = NEW(a, struct toml_value);
        *v = (struct toml_value){.type = TOML_STRING,
                                 .key = str_sub(text, 0, equals),
                                 .string = str_sub(text, equals + 1, text.n),
                                 .line = 1,
                                 .column = 1};
        *root = (struct toml_value){.type = TOML_TABLE, .first = v, .last = v};
        table = root;
    }
    return read_table(r, table);
}

static struct reading start_reading(struct cli *cli, const struct project *project,
                                    struct config *out) {
    struct reading r = {.cli = cli, .project = project, .config = out};
    *out = (struct config){0};
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        r.on_command_line[i] = cli_has(cli, settings[i].option);
    return r;
}

static bool read_assignments(struct reading *r) {
    bool ok = true;
    for (size_t i = 0; ok && i < r->cli->option[OPT_CONFIG].values.n; i++) {
        struct str value = r->cli->option[OPT_CONFIG].values.v[i];
        if (is_assignment(value)) ok = read_assignment(r, value);
    }
    return ok;
}

/* The file that --config names, or NULL. */
static const char *given_file(const struct cli *cli) {
    const char *file = NULL;
    for (size_t i = 0; i < cli->option[OPT_CONFIG].values.n; i++) {
        struct str value = cli->option[OPT_CONFIG].values.v[i];
        if (!is_assignment(value)) file = value.p;
    }
    return file;
}

bool config_is_given(const struct cli *cli) { return given_file(cli) != NULL; }

bool config_read_file(struct cli *cli, const struct project *project, const char *path,
                      struct config *out) {
    struct reading r = start_reading(cli, project, out);
    return read_file(&r, path) && read_assignments(&r);
}

bool config_read(struct cli *cli, const struct project *project, struct config *out) {
    struct reading r = start_reading(cli, project, out);
    const char *file = given_file(cli);
    if (file && cli_has(cli, OPT_ISOLATED)) {
        cli_error(cli, "--config=FILE and --isolated exclude each other");
        return false;
    }
    bool ok = file ? read_file(&r, file) : cli_has(cli, OPT_ISOLATED) || search_upwards(&r);
    return ok && read_assignments(&r);
}

/* ---- using it ---- */

static const struct {
    const char *name, *help;
} own_keys[] = {
    {"extend", "a configuration file that is read first; what this one says wins"},
    {"required-version", "the versions of cuda-morph that may read this file, such as >=0.2"},
    {"per-file-ignores", "patterns of files, each with the rules that are not asked for there"},
    {"severity", "rules or domains, each with \"off\", \"note\", \"warning\" or \"error\""},
};

bool config_key(size_t n, struct str *name, struct str *help) {
    bool is_option = n < ARRAY_LEN(settings);
    size_t own = n - ARRAY_LEN(settings);
    if (!is_option && own >= ARRAY_LEN(own_keys)) return false;
    *name = str_of(is_option ? cli_options[settings[n].option].name : own_keys[own].name);
    *help = str_of(is_option ? cli_options[settings[n].option].help : own_keys[own].help);
    return true;
}

bool config_check_rules(struct cli *cli, const struct config *config,
                        const struct rule_list *rules) {
    for (size_t i = 0; i < config->ignores.n; i++)
        if (!selectors_check(cli, rules, &config->ignores.v[i].rules, "per-file-ignores"))
            return false;
    for (size_t i = 0; i < config->severities.n; i++) {
        struct selectors one = {&config->severities.v[i].rule, 1};
        if (!selectors_check(cli, rules, &one, "severity")) return false;
    }
    return true;
}

int config_severity(const struct config *config, struct str rule, int otherwise) {
    size_t longest = 0;
    for (size_t i = 0; i < config->severities.n; i++) {
        struct selectors one = {&config->severities.v[i].rule, 1};
        size_t match = selectors_match(&one, rule);
        if (match < longest || !match) continue; /* of equals the last one read */
        longest = match;
        otherwise = config->severities.v[i].severity;
    }
    return otherwise;
}

bool config_ignores(const struct config *config, const struct project *project, struct str path,
                    struct str rule) {
    for (size_t i = 0; i < config->ignores.n; i++) {
        const struct file_ignores *ignores = &config->ignores.v[i];
        struct str base = path_below(project->root, ignores->base); /* of the project's root */
        struct str below = base.p ? path_below(base, path) : (struct str){0};
        if (glob_covers(&ignores->glob, below.p ? below : path, false) &&
            selectors_match(&ignores->rules, rule))
            return true;
    }
    return false;
}

static void add_strings(struct buf *b, const struct str *v, size_t n) {
    for (size_t i = 0; i < n; i++) {
        buf_addz(b, i ? ", " : "");
        buf_add_json(b, v[i]);
    }
}

static void show_option(struct cli *cli, struct buf *b, enum option_id id) {
    const struct option *o = &cli_options[id];
    if (!option_applies(o, cli->command)) return;
    bool is_set = cli_has(cli, id);
    struct str origin = cli->option[id].origin;
    buf_printf(b, "%s%s = ", is_set || origin.n ? "" : "# ", o->name);
    if (o->kind == FLAG)
        buf_addz(b, is_set ? "true" : "false");
    else if (o->kind == LIST)
        buf_addc(b, '[');
    else
        buf_add_json(b, is_set ? cli_value(cli, id) : S(""));
    if (o->kind == LIST) {
        add_strings(b, cli->option[id].values.v, cli->option[id].values.n);
        buf_addc(b, ']');
    }
    buf_addz(b, is_set || origin.n ? "  # " : "  (default)");
    if (is_set || origin.n) buf_add_visible(b, origin.n ? origin : S("command line"));
    buf_addc(b, '\n');
}

void config_show(struct cli *cli, const struct config *config) {
    struct buf b;
    buf_init(&b, cli->a);
    buf_addz(&b, "# configuration file: ");
    buf_add_visible(&b, config->path ? str_of(config->path) : S("none"));
    for (size_t i = 0; i < config->extended.n; i++) {
        buf_addz(&b, i ? ", " : ", which extends ");
        buf_add_visible(&b, config->extended.v[i]);
    }
    buf_addc(&b, '\n');
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) show_option(cli, &b, settings[i].option);
    if (config->ignores.n) buf_addz(&b, "\n[per-file-ignores]\n");
    for (size_t i = 0; i < config->ignores.n; i++) {
        const struct file_ignores *ignores = &config->ignores.v[i];
        buf_add_json(&b, ignores->pattern);
        buf_addz(&b, " = [");
        add_strings(&b, ignores->rules.v, ignores->rules.n);
        buf_addz(&b, "]\n");
    }
    if (config->severities.n) buf_addz(&b, "\n[severity]\n");
    for (size_t i = 0; i < config->severities.n; i++) {
        const struct severity_setting *s = &config->severities.v[i];
        buf_add_json(&b, s->rule);
        buf_printf(&b, " = \"%s\"\n", severity_words[s->severity - SEVERITY_OFF]);
    }
    stream_add(cli->out, buf_str(&b));
}
