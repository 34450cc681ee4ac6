/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - the command line: what the user asked for, in one value.
 *
 * cli_parse fills a struct cli from argv by the rows of options.def; commands read it with
 * cli_has, cli_value and cli_list. Strings point into argv. Commands return an exit status; only
 * main.c exits. */
#ifndef CM_CLI_H
#define CM_CLI_H

#include "base/base.h"
#include "report/stream.h"

enum status { STATUS_DONE = 0, STATUS_FINDINGS = 1, STATUS_FAILED = 2, STATUS_INTERNAL = 70 };

enum command_id {
#define COMMAND(id, name, operands, summary, text) CMD_##id,
#include "cli/options.def"
    CMD_COUNT
};

enum option_id {
#define OPTION(id, long_name, short_name, value, kind, commands, help) OPT_##id,
#include "cli/options.def"
    OPT_COUNT
};

enum option_kind { FLAG, VALUE, CHOICE, LIST, OPTIONAL };

struct command {
    const char *name, *operands, *summary, *text;
};

struct option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what its value is called, or for CHOICE the words; NULL for flags */
    enum option_kind kind;
    unsigned commands; /* bit (1 << command_id) */
    const char *help;
};

extern const struct command cli_commands[CMD_COUNT];
extern const struct option cli_options[OPT_COUNT];

struct cli {
    struct arena *a; /* lives as long as the program */
    struct stream *out, *err;
    const struct command *command; /* NULL: none was named */
    struct {
        size_t count; /* times given */
        VEC(struct str) values;
        struct str origin; /* where a configuration file set it; empty: the command line */
    } option[OPT_COUNT];
    VEC(struct str) operands;
    size_t n_before_dashes; /* operands before "--"; SIZE_MAX: there is no "--" */
};

/* Reads argv. Returns false and sets *error to a sentence for anything that is not in the table;
 * *cli then holds what came before it. */
bool cli_parse(struct cli *cli, int argc, char **argv, struct str *error);

static inline bool cli_has(const struct cli *cli, enum option_id id) {
    return cli->option[id].count > 0;
}
/* The last value given, or an empty string with p == NULL. */
struct str cli_value(const struct cli *cli, enum option_id id);
/* A CHOICE's word by its number, or `otherwise` when it was not given. */
int cli_choice(const struct cli *cli, enum option_id id, int otherwise);
/* The elements of a comma-separated option in all its occurrences, empty ones left out. */
struct str *cli_split(const struct cli *cli, enum option_id id, size_t *n);

/* Gives an option a value, or a flag itself (value.p NULL); false with a sentence in *error. */
bool cli_set(struct cli *cli, enum option_id id, struct str value, struct str *error);

/* Whether the command takes the option. */
bool option_applies(const struct option *o, const struct command *c);
/* The n-th of the words in a|b|c; empty with p == NULL after the last one. */
struct str choice_word(const char *words, size_t n);

/* The file this thread is working on, for the message about a crash; NULL: none. */
extern _Thread_local const char *cli_current_file;

/* ---- messages ---- */

/* Prints "cuda-morph: ..." and a newline on standard error, control characters made visible;
 * returns STATUS_FAILED. */
int cli_error(struct cli *cli, const char *fmt, ...) CM_PRINTF(2, 3);
/* The candidate that `word` is probably a misspelling of, or an empty string. */
struct str cli_nearest(struct str word, const struct str *candidates, size_t n);
/* "; did you mean 'x'?", or an empty string for an empty x. */
struct str cli_hint(struct arena *a, struct str x);

#endif
