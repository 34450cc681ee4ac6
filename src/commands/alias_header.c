/* SPDX-License-Identifier: Apache-2.0 */
/* alias_header.c - `cuda-morph alias-header`: the smallest header of #defines with which sources
 * keep CUDA's names and compile for a target all the same.
 *
 * What an alias can be is what the porter does: every CUDA name that it replaces by another name,
 * and nothing else, becomes a line; calls whose shape changes cannot, and are listed. */
#include "cli/target_names.h"
#include "commands/config.h"
#include "commands/look.h"
#include "report/text.h"

#include <stdlib.h>

enum alias_kind { ALIAS_INCLUDE, ALIAS_DEFINE, ALIAS_NAMESPACE, ALIAS_KINDS };

struct alias {
    enum alias_kind kind;
    struct str name, to; /* includes: to is empty */
};
typedef VEC(struct alias) alias_list;

/* A name that no alias can stand for, and where it is first. */
struct obstacle {
    struct str name, why;
    const char *path;
    uint32_t line;
};

struct aliases {
    struct cli *cli;
    struct arena *a;
    struct inputs in;
    const struct cm_target *target;
    alias_list list;
    VEC(struct obstacle) obstacles;
};

/* ---- lists ---- */

static int alias_order(const void *x, const void *y) {
    const struct alias *a = x, *b = y;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    int order = str_cmp(a->name, b->name);
    return order ? order : str_cmp(a->to, b->to);
}

static void add_alias(struct aliases *w, alias_list *list, enum alias_kind kind, struct str name,
                      struct str to) {
    struct alias alias = {kind, arena_str(w->a, name), arena_str(w->a, to)};
    for (size_t i = 0; i < list->n; i++)
        if (alias_order(&list->v[i], &alias) == 0) return;
    vec_push(w->a, list, alias);
}

static void add_obstacle(struct aliases *w, struct str name, struct str why, const char *path,
                         uint32_t line) {
    for (size_t i = 0; i < w->obstacles.n; i++)
        if (str_eq(w->obstacles.v[i].name, name)) return;
    struct obstacle o = {arena_str(w->a, name), arena_str(w->a, why), path, line};
    vec_push(w->a, &w->obstacles, o);
}

/* ---- from findings to aliases ---- */

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_identifier(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_word_byte(s.p[i])) return false;
    return s.n && (s.p[0] < '0' || s.p[0] > '9');
}

/* a::x -> b::x is what `namespace a = b;` says. */
static bool is_namespace_alias(struct str name, struct str to, struct str *from,
                               struct str *into) {
    size_t at = str_find(name, S("::"), 0), there = to.n >= name.n - at ? to.n - (name.n - at) : 0;
    if (at == name.n || !str_eq(str_sub(name, at, name.n), str_sub(to, there, to.n))) return false;
    *from = str_sub(name, 0, at);
    *into = str_sub(to, 0, there);
    return is_identifier(*from) && into->n;
}

/* The one edit of a finding; NULL when it has several or none. */
static const struct cm_edit *only_edit(const struct cm_result *r, uint32_t finding) {
    const struct cm_edit *found = NULL;
    for (size_t i = 0; i < r->n_edits; i++) {
        if (r->edits[i].finding != finding) continue;
        if (found) return NULL;
        found = &r->edits[i];
    }
    return found;
}

static void take_finding(struct aliases *w, const struct source *source, struct str text,
                         const struct cm_result *r, uint32_t number) {
    const struct cm_finding *f = &r->findings[number];
    struct str from, into;
    if (f->outcome == CM_MANUAL) add_obstacle(w, f->token, f->message, source->path, f->line);
    if (f->outcome != CM_PORTED) return;
    if (text.p[f->start] == '<' || text.p[f->start] == '"') {
        if (f->replacement.n) add_alias(w, &w->list, ALIAS_INCLUDE, f->replacement, S(""));
        return;
    }
    const struct cm_edit *e = only_edit(r, number);
    struct str to = e ? e->text : S("");
    bool whole = e && e->start == f->start && e->end == f->end;
    bool is_namespace = str_starts(str_sub(text, f->end, text.n), S("::"));
    if (whole && is_namespace && is_identifier(f->token))
        add_alias(w, &w->list, ALIAS_NAMESPACE, f->token, to);
    else if (whole && is_identifier(f->token) && is_identifier(to))
        add_alias(w, &w->list, ALIAS_DEFINE, f->token, to);
    else if (whole && is_identifier(f->token) && str_find(to, S("::"), 0) < to.n &&
             str_find(to, S("("), 0) == to.n)
        add_alias(w, &w->list, ALIAS_DEFINE, f->token, to);
    else if (whole && is_namespace_alias(f->token, to, &from, &into))
        add_alias(w, &w->list, ALIAS_NAMESPACE, from, into);
    else
        add_obstacle(w, f->token, S("the call changes its shape, too"), source->path, f->line);
}

/* #include lines that the port adds. */
static void take_added_includes(struct aliases *w, struct str text) {
    struct str mark = S("#include <");
    for (size_t at = 0; (at = str_find(text, mark, at)) < text.n;) {
        size_t start = at + mark.n, end = str_find(text, S(">"), start);
        if (end < text.n) add_alias(w, &w->list, ALIAS_INCLUDE, str_sub(text, start, end), S(""));
        at = end;
    }
}

static void take_source(struct aliases *w, const struct source *source, struct arena *scratch,
                        struct cm_workspace *workspace) {
    struct str bytes, error;
    if (source->language != CM_CUDA && source->language != CM_CPP) return;
    if (!source_read(&w->in, scratch, source, &bytes, NULL, &error)) {
        cli_error(w->cli, "%.*s", STR_ARG(error));
        w->in.failed = true;
        return;
    }
    struct cm_input in = {.name = str_of(source->path),
                          .bytes = bytes,
                          .language = source->language,
                          .target = w->target,
                          .facts = w->in.facts};
    struct cm_result r;
    cm_run_buffer(w->in.session, workspace, &in, &r);
    for (size_t i = 0; i < r.n_notes; i++)
        if (r.notes[i].fatal) {
            cli_error(w->cli, "%s: %.*s", source->path, STR_ARG(r.notes[i].message));
            w->in.failed = true;
        }
    for (uint32_t i = 0; i < r.n_findings; i++) take_finding(w, source, bytes, &r, i);
    for (size_t i = 0; i < r.n_edits; i++)
        if (r.edits[i].finding == UINT32_MAX) take_added_includes(w, r.edits[i].text);
}

static bool collect(struct aliases *w) {
    struct arena scratch;
    struct cm_workspace *workspace = cm_workspace_new();
    if (!workspace) return false;
    arena_init(&scratch, 0);
    scratch.escape = w->a->escape;
    for (size_t i = 0; i < w->in.sources.n; i++) {
        cli_current_file = w->in.sources.v[i].path;
        take_source(w, &w->in.sources.v[i], &scratch, workspace);
        arena_reset(&scratch);
    }
    cli_current_file = NULL;
    arena_free(&scratch);
    cm_workspace_free(workspace);
    if (w->list.n) qsort(w->list.v, w->list.n, sizeof *w->list.v, alias_order);
    return true;
}

/* One name cannot be two; that comes from rules that look at a call's arguments. */
static void drop_ambiguous(struct aliases *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->list.n; i++) {
        const struct alias *a = &w->list.v[i];
        bool like_next = i + 1 < w->list.n && a->kind != ALIAS_INCLUDE &&
                         str_eq(a->name, w->list.v[i + 1].name);
        bool like_last = i && a->kind != ALIAS_INCLUDE && str_eq(a->name, w->list.v[i - 1].name);
        if (like_next)
            add_obstacle(w, a->name, S("the target's name for it depends on the call"), NULL, 0);
        struct alias copy = *a;
        if (!like_next && !like_last) w->list.v[kept++] = copy;
    }
    w->list.n = kept;
}

/* ---- writing ---- */

static void add_line(struct buf *b, const struct alias *a) {
    static const char *const forms[] = {"#include <%.*s>\n", "#define %.*s %.*s\n",
                                        "namespace %.*s = %.*s;\n"};
    if (a->kind == ALIAS_INCLUDE)
        buf_printf(b, "#include <%.*s>\n", STR_ARG(a->name));
    else
        buf_printf(b, forms[a->kind], STR_ARG(a->name), STR_ARG(a->to));
}

static struct str header_text(struct aliases *w) {
    struct buf b;
    struct str name = cm_target_name(w->target), title = cm_target_title(w->target);
    char upper[64];
    size_t n = name.n < sizeof upper - 1 ? name.n : sizeof upper - 1;
    for (size_t i = 0; i <= n; i++) {
        char c = i < n ? name.p[i] : 0;
        upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    buf_init(&b, w->a);
    buf_printf(
        &b,
        "/* The CUDA names that these sources use, as %.*s has them: include it in the place "
        "of\n * CUDA's headers. Written by `cuda-morph alias-header --target %.*s`; with "
        "--check FILE\n * it says when this file and the sources have drifted apart. */\n"
        "#ifndef CUDA_MORPH_ALIASES_%s_H\n#define CUDA_MORPH_ALIASES_%s_H\n",
        STR_ARG(title), STR_ARG(name), upper, upper);
    bool in_cplusplus = false;
    for (size_t i = 0; i < w->list.n; i++) {
        const struct alias *a = &w->list.v[i];
        if (i == 0 || w->list.v[i - 1].kind != a->kind) buf_addc(&b, '\n');
        if (a->kind == ALIAS_NAMESPACE && !in_cplusplus) {
            buf_addz(&b, "#ifdef __cplusplus\n");
            in_cplusplus = true;
        }
        add_line(&b, a);
    }
    buf_addz(&b, in_cplusplus ? "#endif\n\n#endif\n" : "\n#endif\n");
    return buf_str(&b);
}

/* What no alias can do, for standard error. */
static void say_obstacles(struct aliases *w) {
    if (cli_has(w->cli, OPT_QUIET)) return;
    struct buf b;
    buf_init(&b, w->a);
    for (size_t i = 0; i < w->obstacles.n; i++) {
        const struct obstacle *o = &w->obstacles.v[i];
        struct cm_note note = {.line = o->line};
        note.message = arena_printf(w->a, "no alias can stand for `%.*s`: %.*s", STR_ARG(o->name),
                                    STR_ARG(o->why));
        text_note(&b, str_of(o->path ? o->path : "cuda-morph"), &note, w->cli->err->color);
    }
    stream_add(w->cli->err, buf_str(&b));
}

/* ---- --check ---- */

static struct str trimmed(struct str s) {
    while (s.n && strchr(" \t\r", s.p[0])) s = str_sub(s, 1, s.n);
    while (s.n && strchr(" \t\r;", s.p[s.n - 1])) s.n--;
    return s;
}

/* The aliases that a file has, however it is laid out. */
static void read_header(struct aliases *w, struct str text, alias_list *list) {
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        struct str line = trimmed(str_sub(text, at, end)), rest;
        at = end + 1;
        if (str_starts(line, S("#include"))) {
            rest = trimmed(str_sub(line, 8, line.n));
            if (rest.n > 2 && rest.p[0] == '<')
                add_alias(w, list, ALIAS_INCLUDE, str_sub(rest, 1, rest.n - 1), S(""));
            continue;
        }
        bool is_define = str_starts(line, S("#define "));
        if (!is_define && !str_starts(line, S("namespace "))) continue;
        rest = trimmed(str_sub(line, is_define ? 8 : 10, line.n));
        size_t name = 0;
        while (name < rest.n && is_word_byte(rest.p[name])) name++;
        struct str to = trimmed(str_sub(rest, name, rest.n));
        if (!is_define && to.n && to.p[0] == '=') to = trimmed(str_sub(to, 1, to.n));
        /* The guard has no value. */
        if (to.n && to.p[0] != '(')
            add_alias(w, list, is_define ? ALIAS_DEFINE : ALIAS_NAMESPACE, str_sub(rest, 0, name),
                      to);
    }
    if (list->n) qsort(list->v, list->n, sizeof *list->v, alias_order);
}

static bool lacks(const alias_list *list, const struct alias *a) {
    return !list->n || !bsearch(a, list->v, list->n, sizeof *a, alias_order);
}

static void say_drift(struct aliases *w, struct buf *b, const char *path, const char *what,
                      const struct alias *a) {
    buf_add_visible(b, str_of(path));
    buf_printf(b, ": %s: ", what);
    struct buf line;
    buf_init(&line, w->a);
    add_line(&line, a);
    line.n--; /* the line break */
    buf_add_visible(b, buf_str(&line));
    buf_addc(b, '\n');
}

static int check_drift(struct aliases *w, struct str path) {
    struct str text, error;
    alias_list there = {0};
    struct buf b;
    if (!file_read(w->a, path.p, MAX_SOURCE_BYTES, &text, NULL, &error))
        return cli_error(w->cli, "%.*s", STR_ARG(error));
    buf_init(&b, w->a);
    read_header(w, text, &there);
    for (size_t i = 0; i < w->list.n; i++)
        if (lacks(&there, &w->list.v[i])) say_drift(w, &b, path.p, "is missing", &w->list.v[i]);
    for (size_t i = 0; i < there.n; i++)
        if (lacks(&w->list, &there.v[i])) say_drift(w, &b, path.p, "is not needed", &there.v[i]);
    stream_add(w->cli->out, buf_str(&b));
    return w->in.failed ? STATUS_FAILED : b.n ? STATUS_FINDINGS : STATUS_DONE;
}

/* ---- the command ---- */

static bool read_target(struct aliases *w) {
    size_t n;
    struct str *names = cli_split(w->cli, OPT_TARGET, &n);
    if (n != 1) {
        cli_error(w->cli, "alias-header needs one --target=T");
        return false;
    }
    if (!inputs_read_targets(&w->in, names, 1)) return false;
    w->target = w->in.targets[0];
    if (w->in.n_targets == 1 && cm_target_fact(w->target, "aliases").n) return true;
    cli_error(w->cli,
              "alias-header is for targets that have CUDA's functions under other names: %.*s; "
              "not for %.*s",
              STR_ARG(targets_with(w->a, "aliases")), STR_ARG(names[0]));
    return false;
}

static int write_header(struct aliases *w) {
    struct str path = cli_value(w->cli, OPT_REPORT_OUTPUT), error, text = header_text(w);
    say_obstacles(w);
    if (!path.p || str_is(path, "-"))
        stream_add(w->cli->out, text);
    else if (!file_create(w->a, path.p, text, 0666, &error))
        return cli_error(w->cli, "%.*s", STR_ARG(error));
    return w->in.failed ? STATUS_FAILED : STATUS_DONE;
}

/* The header itself, where it lies among the sources, is none of them. */
static void drop_header(struct aliases *w, struct str path) {
    size_t kept = 0;
    for (size_t i = 0; i < w->in.sources.n; i++) {
        struct source s = w->in.sources.v[i];
        if (!path.p || !file_is(s.path, path.p)) w->in.sources.v[kept++] = s;
    }
    w->in.sources.n = kept;
}

int command_alias_header(struct cli *cli) {
    struct aliases *w = NEW(cli->a, struct aliases);
    struct project project;
    struct config config;
    struct source_search search = {0};
    *w = (struct aliases){.cli = cli, .a = cli->a, .in.cli = cli, .in.jobs = 1};
    project_find(&project, cli->a);
    if (!config_read(cli, &project, &config)) return STATUS_FAILED;
    if (!(w->in.session = open_session(cli))) return STATUS_FAILED;
    if (!read_target(w) || !inputs_read_sources(&w->in, &search)) return STATUS_FAILED;
    drop_header(w, cli_value(cli, OPT_REPORT_OUTPUT));
    drop_header(w, cli_value(cli, OPT_ALIAS_CHECK));
    struct looks looks;
    look_at_sources(&looks, &w->in, NULL);
    if (!collect(w)) return cli_error(cli, "out of memory");
    drop_ambiguous(w);
    return cli_has(cli, OPT_ALIAS_CHECK) ? check_drift(w, cli_value(cli, OPT_ALIAS_CHECK))
                                         : write_header(w);
}
