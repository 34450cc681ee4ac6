/* SPDX-License-Identifier: Apache-2.0 */
/* scaffold.c - `cuda-morph scaffold`: a project for an operator of one's own, from the templates
 * in rules/scaffold/TARGET/ (for every pattern) and rules/scaffold/TARGET/PATTERN/. In them
 * @Name@, @name@, @pattern@ and @does@ are replaced, and NAME in their file names; a line
 * `@include FILE@` becomes that file of rules/scaffold/TARGET/parts/. */
#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/target_names.h"
#include "commands/commands.h"
#include "commands/rule_sets.h"
#include "diag/data.h"
#include "diag/embed.h"

enum { MAX_NAME = 64 };

struct output {
    struct str path, text; /* path: below the project's folder */
};

struct scaffold {
    struct cli *cli;
    struct arena *a;
    struct str name, snake, pattern, does, target;
    VEC(struct output) files;
};

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static bool is_good_name(struct str name) {
    if (name.n < 2 || name.n > MAX_NAME || !is_upper(name.p[0])) return false;
    bool any_lower = false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!is_upper(c) && !is_lower(c) && (c < '0' || c > '9')) return false;
        any_lower |= is_lower(c);
    }
    return any_lower;
}

/* As CANN names files after operators: AddCustom is add_custom, ABCDef abc_def, Abc2DEf abc2d_ef.
 */
static struct str snake_case(struct arena *a, struct str name) {
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool next_lower = i + 1 < name.n && is_lower(name.p[i + 1]);
        if (i && is_upper(c) && (is_lower(name.p[i - 1]) || next_lower)) buf_addc(&b, '_');
        buf_addc(&b, is_upper(c) ? (char)(c + 32) : c);
    }
    return buf_str(&b);
}

static void fill_words(struct scaffold *s, struct str text, struct buf *b) {
    const struct {
        struct str key, value;
    } words[] = {{S("@Name@"), s->name},
                 {S("@name@"), s->snake},
                 {S("@pattern@"), s->pattern},
                 {S("@does@"), s->does}};
    for (size_t at = 0; at < text.n;) {
        size_t i = 0;
        struct str rest = str_sub(text, at, text.n);
        while (i < ARRAY_LEN(words) && !str_starts(rest, words[i].key)) i++;
        if (i < ARRAY_LEN(words)) {
            buf_add(b, words[i].value);
            at += words[i].key.n;
        } else {
            buf_addc(b, text.p[at++]);
        }
    }
}

static struct str fill(struct scaffold *s, struct str text) {
    const struct str start = S("@include "), end = S("@\n");
    struct buf b;
    buf_init(&b, s->a);
    for (size_t at = 0; at < text.n;) {
        size_t found = str_find(text, start, at);
        fill_words(s, str_sub(text, at, found), &b);
        if (found == text.n) break;
        size_t name = found + start.n, stop = str_find(text, end, name);
        struct str path = arena_printf(s->a, "rules/scaffold/%.*s/parts/%.*s", STR_ARG(s->target),
                                       STR_ARG(str_sub(text, name, stop)));
        const struct embedded *part = embed_find(path);
        if (part) fill_words(s, embed_text(part), &b);
        at = stop + end.n;
    }
    return buf_str(&b);
}

/* Files directly below `prefix`, and those in folders of it where `deep`. */
static void collect(struct scaffold *s, struct str prefix, bool deep) {
    const struct embedded *e = NULL;
    while ((e = embed_next(e, prefix)) != NULL) {
        struct str path = str_of(e->path), tail = str_sub(path, prefix.n, path.n);
        if (!deep && str_find(tail, S("/"), 0) < tail.n) continue;
        size_t at = str_find(tail, S("NAME"), 0);
        if (at < tail.n)
            tail = arena_printf(s->a, "%.*s%.*s%.*s", (int)at, tail.p, STR_ARG(s->snake),
                                STR_ARG(str_sub(tail, at + 4, tail.n)));
        struct output o = {tail, fill(s, embed_text(e))};
        vec_push(s->a, &s->files, o);
    }
}

static bool describe_pattern(struct scaffold *s) {
    struct data d;
    struct str name = S("rules/scaffold/patterns.json");
    if (data_open(&d, s->a, name, embed_text(embed_find(name)), NULL))
        s->does = data_need(&d, d.root, arena_strdup(s->a, s->pattern));
    struct str error = data_close(&d);
    if (error.n) cli_error(s->cli, "%.*s", STR_ARG(error));
    return error.n == 0;
}

/* Nothing is written when any of the files is there. */
static bool is_free(struct scaffold *s, struct str folder) {
    struct stat st;
    for (size_t i = 0; i < s->files.n; i++) {
        struct str path =
            arena_printf(s->a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(s->files.v[i].path));
        if (lstat(arena_strdup(s->a, path), &st) != 0) continue;
        cli_error(s->cli, "%.*s is there already; --force overwrites it", STR_ARG(path));
        return false;
    }
    return true;
}

static int write_files(struct scaffold *s, struct str folder) {
    struct str error, inside = arena_printf(s->a, "%.*s/x", STR_ARG(folder));
    if (!file_make_parents(s->a, arena_strdup(s->a, inside), &error))
        return cli_error(s->cli, "%.*s", STR_ARG(error));
    for (size_t i = 0; i < s->files.n; i++) {
        const struct output *o = &s->files.v[i];
        if (!file_create_in(s->a, arena_strdup(s->a, folder), arena_strdup(s->a, o->path), o->text,
                            0666, &error))
            return cli_error(s->cli, "%.*s", STR_ARG(error));
        if (!cli_has(s->cli, OPT_QUIET))
            stream_printf(s->cli->out, "%.*s/%.*s\n", STR_ARG(folder), STR_ARG(o->path));
    }
    return STATUS_DONE;
}

static bool choose_target(struct scaffold *s) {
    struct rules rules;
    target_refs targets = {0};
    s->target = target_name(default_target("scaffold"));
    if (!cli_has(s->cli, OPT_TARGET)) return true;
    if (read_rules(s->cli, NULL, 0, false, &rules) || !choose_targets(s->cli, &rules, &targets))
        return false;
    s->target = target_name(targets.v[0]);
    if (targets.n == 1) return true;
    cli_error(s->cli, "scaffold takes one target");
    return false;
}

int command_scaffold(struct cli *cli) {
    static const char *const patterns[] = {"elementwise", "reduction", "matmul", "custom"};
    struct scaffold s = {.cli = cli, .a = cli->a};
    if (cli->operands.n != 1) return cli_error(cli, "scaffold takes one NAME, such as FusedAdd");
    s.name = cli->operands.v[0];
    if (!is_good_name(s.name))
        return cli_error(cli,
                         "'%.*s' is no operator's name: letters and digits, starting with a "
                         "capital and not all capitals, such as FusedAdd",
                         STR_ARG(s.name));
    if (!cli_has(cli, OPT_OUTPUT)) return cli_error(cli, "scaffold needs -o DIR");
    s.pattern = str_of(patterns[cli_choice(cli, OPT_PATTERN, 3)]);
    s.snake = snake_case(cli->a, s.name);
    if (!choose_target(&s) || !describe_pattern(&s)) return STATUS_FAILED;
    struct str base = arena_printf(cli->a, "rules/scaffold/%.*s/", STR_ARG(s.target));
    collect(&s, base, false);
    collect(&s, arena_printf(cli->a, "%.*s%.*s/", STR_ARG(base), STR_ARG(s.pattern)), true);
    if (s.files.n == 0)
        return cli_error(cli, "there is no scaffold for %.*s; %.*s have one", STR_ARG(s.target),
                         STR_ARG(targets_with(cli->a, "scaffold")));
    struct str folder = cli_value(cli, OPT_OUTPUT);
    while (folder.n > 1 && folder.p[folder.n - 1] == '/') folder.n--;
    if (!cli_has(cli, OPT_FORCE) && !is_free(&s, folder)) return STATUS_FINDINGS;
    return write_files(&s, folder);
}
