/* SPDX-License-Identifier: Apache-2.0 */
/* cli.c - the command line against the table of options.def.
 *
 * getopt knows neither commands with options of their own nor what a mistyped one was meant to
 * be. Every option is one row; this file only reads them, and says what is wrong in one sentence.
 * */
#include "cli/cli.h"
#include "cli/target_names.h"

#include <stdio.h>

#define IN(id) (1u << CMD_##id)
#define EVERYWHERE (~0u)

const struct command cli_commands[CMD_COUNT] = {
#define COMMAND(id, name, operands, summary, text) {#name, operands, summary, text},
#define COMMAND_AS(id, name, spelling, operands, summary, text)                                   \
    {spelling, operands, summary, text},
#include "cli/options.def"
};

const struct option cli_options[OPT_COUNT] = {
#define OPTION(id, long_name, short_name, value, kind, commands, help)                            \
    {long_name, short_name, value, kind, commands, help},
#include "cli/options.def"
};

static const struct {
    const char *name, *instead;
} no_options[] = {
#define NOT_AN_OPTION(name, instead) {name, instead},
#include "cli/options.def"
};

_Thread_local const char *cli_current_file;

/* ---- messages ---- */

int cli_error(struct cli *cli, const char *fmt, ...) {
    struct buf raw, text;
    buf_init(&raw, cli->a);
    buf_init(&text, cli->a);
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&raw, fmt, ap);
    va_end(ap);
    buf_addz(&text, "cuda-morph: ");
    buf_add_visible(&text, buf_str(&raw));
    buf_addc(&text, '\n');
    stream_add(cli->err, buf_str(&text));
    return STATUS_FAILED;
}

struct str cli_nearest(struct str word, const struct str *candidates, size_t n) {
    struct str best = {NULL, 0};
    size_t best_distance = word.n < 3 ? 2 : word.n / 3 + 2;
    for (size_t i = 0; i < n; i++) {
        bool is_prefix = word.n >= 2 && str_starts(candidates[i], word);
        size_t d = is_prefix ? 1 : str_distance(word, candidates[i]);
        if (d >= best_distance || d >= candidates[i].n) continue;
        best_distance = d;
        best = candidates[i];
    }
    return best;
}

struct str cli_hint(struct arena *a, struct str x) {
    if (x.n == 0) return S("");
    return arena_printf(a, "; did you mean '%.*s'?", STR_ARG(x));
}

/* ---- reading the result ---- */

struct str cli_value(const struct cli *cli, enum option_id id) {
    size_t n = cli->option[id].values.n;
    return n ? cli->option[id].values.v[n - 1] : (struct str){NULL, 0};
}

struct str choice_word(const char *words, size_t n) {
    struct str all = str_of(words);
    for (size_t at = 0; at <= all.n;) {
        size_t end = str_find(all, S("|"), at);
        if (n-- == 0) return str_sub(all, at, end);
        at = end + 1;
    }
    return (struct str){NULL, 0};
}

static int choice_number(const struct option *o, struct str word) {
    struct str w;
    for (int i = 0; (w = choice_word(o->value, (size_t)i)).p; i++)
        if (str_eq(w, word)) return i;
    return -1;
}

int cli_choice(const struct cli *cli, enum option_id id, int otherwise) {
    struct str word = cli_value(cli, id);
    return word.p ? choice_number(&cli_options[id], word) : otherwise;
}

struct str *cli_split(const struct cli *cli, enum option_id id, size_t *n) {
    VEC(struct str) out = {0};
    for (size_t i = 0; i < cli->option[id].values.n; i++) {
        struct str list = cli->option[id].values.v[i];
        for (size_t at = 0; at <= list.n;) {
            size_t end = str_find(list, S(","), at);
            if (end > at) vec_push(cli->a, &out, str_sub(list, at, end));
            at = end + 1;
        }
    }
    *n = out.n;
    return out.v;
}

bool option_applies(const struct option *o, const struct command *c) {
    return c ? (o->commands >> (c - cli_commands)) & 1 : o->commands == EVERYWHERE;
}

bool cli_set(struct cli *cli, enum option_id id, struct str value, struct str *error) {
    const struct option *o = &cli_options[id];
    if (o->kind == CHOICE && choice_number(o, value) < 0) {
        struct str words[8];
        size_t n = 0;
        while (n < ARRAY_LEN(words) && (words[n] = choice_word(o->value, n)).p) n++;
        struct str hint = cli_hint(cli->a, cli_nearest(value, words, n));
        *error = arena_printf(cli->a, "--%s takes one of %s, not '%.*s'%.*s", o->name, o->value,
                              STR_ARG(value), STR_ARG(hint));
        return false;
    }
    cli->option[id].count++;
    if (value.p) vec_push(cli->a, &cli->option[id].values, value);
    return true;
}

/* ---- parsing ---- */

struct parser {
    struct cli *cli;
    char **argv;
    int argc, at; /* at: the next argument */
    struct str *error;
};

static const char *where(const struct parser *p) {
    return p->cli->command ? p->cli->command->name : "cuda-morph";
}

static bool fail(struct parser *p, const char *fmt, ...) CM_PRINTF(2, 3);
static bool fail(struct parser *p, const char *fmt, ...) {
    struct buf b;
    buf_init(&b, p->cli->a);
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    *p->error = buf_str(&b);
    return false;
}

static bool store(struct parser *p, const struct option *o, struct str value) {
    return cli_set(p->cli, (enum option_id)(o - cli_options), value, p->error);
}

/* The commands that do have an option which this one has not. */
static struct str other_commands(struct parser *p, const struct option *o) {
    struct buf b;
    buf_init(&b, p->cli->a);
    for (size_t i = 0; i < CMD_COUNT; i++) {
        bool has = false;
        for (size_t k = 0; k < OPT_COUNT; k++)
            has |= strcmp(cli_options[k].name, o->name) == 0 &&
                   option_applies(&cli_options[k], &cli_commands[i]);
        if (has) buf_printf(&b, "%s%s", b.n ? ", " : "", cli_commands[i].name);
    }
    return buf_str(&b);
}

static bool unknown_option(struct parser *p, struct str name) {
    struct str names[OPT_COUNT];
    size_t n = 0;
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (option_applies(o, p->cli->command)) {
            names[n++] = str_of(o->name);
        } else if (str_is(name, o->name)) {
            struct str others = other_commands(p, o);
            return p->cli->command
                       ? fail(p, "'%s' has no option --%s; these commands have it: %.*s", where(p),
                              o->name, STR_ARG(others))
                       : fail(p, "--%s goes after the command (%.*s)", o->name, STR_ARG(others));
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(no_options); i++)
        if (str_is(name, no_options[i].name))
            return fail(p, "there is no option --%s: %s", no_options[i].name,
                        fill_target_names(p->cli->a, no_options[i].instead));
    struct str near = cli_nearest(name, names, n);
    if (near.n) near = arena_printf(p->cli->a, "--%.*s", STR_ARG(near));
    struct str hint = cli_hint(p->cli->a, near);
    return fail(p, "unknown option --%.*s of '%s'%.*s", STR_ARG(name), where(p), STR_ARG(hint));
}

static bool next_value(struct parser *p, const struct option *o, struct str *value) {
    if (p->at == p->argc)
        return fail(p, "--%s needs a value: --%s=%s", o->name, o->name, o->value);
    *value = str_of(p->argv[p->at++]);
    return true;
}

static bool parse_long(struct parser *p, struct str text) {
    size_t equals = str_find(text, S("="), 0);
    struct str name = str_sub(text, 0, equals), value = {NULL, 0};
    if (equals < text.n) value = str_sub(text, equals + 1, text.n);
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (!str_is(name, o->name) || !option_applies(o, p->cli->command)) continue;
        if (o->kind == FLAG && value.p) return fail(p, "--%s takes no value", o->name);
        bool needs = o->kind != FLAG && o->kind != OPTIONAL;
        if (needs && !value.p && !next_value(p, o, &value)) return false;
        return store(p, o, value);
    }
    return unknown_option(p, name);
}

static bool parse_short(struct parser *p, struct str letters) {
    for (size_t k = 0; k < letters.n; k++) {
        const struct option *found = NULL;
        for (size_t i = 0; i < OPT_COUNT && !found; i++) {
            const struct option *o = &cli_options[i];
            if (o->letter == letters.p[k] && option_applies(o, p->cli->command)) found = o;
        }
        if (!found) return fail(p, "unknown option -%c of '%s'", letters.p[k], where(p));
        struct str value = {NULL, 0};
        if (found->kind != FLAG) {
            value = str_sub(letters, k + 1, letters.n);
            if (value.n == 0 && !next_value(p, found, &value)) return false;
            k = letters.n;
        }
        if (!store(p, found, value)) return false;
    }
    return true;
}

static bool parse_command(struct parser *p, struct str name) {
    struct str names[CMD_COUNT];
    for (size_t i = 0; i < CMD_COUNT; i++) {
        names[i] = str_of(cli_commands[i].name);
        if (str_eq(name, names[i])) {
            p->cli->command = &cli_commands[i];
            return true;
        }
    }
    struct str hint = cli_hint(p->cli->a, cli_nearest(name, names, CMD_COUNT));
    return fail(p, "unknown command '%.*s'%.*s", STR_ARG(name),
                STR_ARG(hint.n ? hint : S("; 'cuda-morph help' lists the commands")));
}

/* The operands of `run` are another program's command line: they begin with the first argument
 * that is no option of ours, and its options are not ours. Those of `cc` are a compiler's. */
static bool begins_foreign(const struct cli *cli, struct str arg) {
    if (cli->command == &cli_commands[CMD_CC]) return true;
    bool runs =
        cli->command == &cli_commands[CMD_RUN] || cli->command == &cli_commands[CMD_SANITIZE];
    if (!runs || str_starts(arg, S("--"))) return false;
    if (arg.n < 2 || arg.p[0] != '-') return true;
    for (size_t i = 0; i < OPT_COUNT; i++)
        if (cli_options[i].letter == arg.p[1] && option_applies(&cli_options[i], cli->command))
            return false;
    return true;
}

/* Builds call the command cc by a compiler's name. */
static bool is_compilers_name(const char *program) {
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    return strcmp(name, "cmcc") == 0 || strcmp(name, "nvcc") == 0;
}

bool cli_parse(struct cli *cli, int argc, char **argv, struct str *error) {
    struct parser p = {cli, argv, argc, 1, error};
    bool only_operands = false;
    cli->n_before_dashes = SIZE_MAX;
    if (argc > 0 && is_compilers_name(argv[0])) cli->command = &cli_commands[CMD_CC];
    while (p.at < argc) {
        struct str arg = str_of(argv[p.at++]);
        bool ok = true;
        only_operands |= begins_foreign(cli, arg);
        if (only_operands || arg.n < 2 || arg.p[0] != '-') {
            if (cli->command)
                vec_push(cli->a, &cli->operands, arg);
            else
                ok = parse_command(&p, arg);
        } else if (str_is(arg, "--")) {
            only_operands = true;
            cli->n_before_dashes = cli->operands.n;
        } else if (arg.p[1] == '-') {
            ok = parse_long(&p, str_sub(arg, 2, arg.n));
        } else {
            ok = parse_short(&p, str_sub(arg, 1, arg.n));
        }
        if (!ok) return false;
    }
    return true;
}
