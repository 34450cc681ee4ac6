/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - --help, `help COMMAND` and `help --man`, all from options.def. */
#include "cli/target_names.h"
#include "commands/commands.h"
#include "commands/schema.h"

#include <ctype.h>

enum { WIDTH = 79, INDENT = 28 };

/* Adds text from column `indent` on, broken at spaces; `column` is where the line stands now. */
static void add_wrapped(struct buf *b, struct str text, size_t column, size_t indent) {
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S(" "), at);
        if (column > indent && column + 1 + (end - at) > WIDTH) {
            buf_addc(b, '\n');
            column = 0;
        } else if (column > indent) {
            buf_addc(b, ' ');
            column++;
        }
        for (; column < indent; column++) buf_addc(b, ' ');
        buf_add(b, str_sub(text, at, end));
        column += end - at;
        at = end + 1;
    }
    buf_addc(b, '\n');
}

/* "  -o, --output=DIR" */
static struct str option_label(struct arena *a, const struct option *o) {
    struct buf b;
    buf_init(&b, a);
    if (o->letter) buf_printf(&b, "-%c, ", o->letter);
    buf_printf(&b, "--%s", o->name);
    if (o->kind == OPTIONAL)
        buf_printf(&b, "[=%s]", o->value);
    else if (o->value)
        buf_printf(&b, "=%s", o->value);
    return buf_str(&b);
}

static void add_row(struct buf *b, struct str label, const char *text) {
    buf_addz(b, "  ");
    buf_add(b, label);
    size_t column = label.n + 2;
    if (column >= INDENT) {
        buf_addc(b, '\n');
        column = 0;
    }
    add_wrapped(b, str_of(fill_target_names(b->a, text)), column, INDENT);
}

static bool is_global(const struct option *o) { return option_applies(o, NULL); }

static void add_options(struct buf *b, const struct command *c) {
    buf_addz(b, "\nOptions:\n");
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (c ? option_applies(o, c) && !is_global(o) : is_global(o))
            add_row(b, option_label(b->a, o), o->help);
    }
    if (!c) return;
    buf_addz(b, "\nEverywhere:\n");
    for (size_t i = 0; i < OPT_COUNT; i++)
        if (is_global(&cli_options[i]))
            add_row(b, option_label(b->a, &cli_options[i]), cli_options[i].help);
}

static void add_targets(struct cli *cli, struct buf *b) {
    struct str error;
    struct cm_session *s = cm_session_new(cli->a, &(struct cm_options){0}, &error);
    if (!s) return;
    buf_addz(b, "\nTargets:\n");
    for (size_t i = 0; i < cm_session_n_targets(s); i++) {
        const struct cm_target *t = cm_session_target_at(s, i);
        add_row(b, cm_target_name(t), arena_strdup(cli->a, cm_target_title(t)));
    }
}

static const char status_text[] =
    "0: the work is done, nothing was found. 1: findings (check), a file would change (--check, "
    "--diff of check), or something needs manual porting (--strict). 2: the tool could not do all "
    "of its work. 70: an internal error.";

int print_help(struct cli *cli) {
    const struct command *c = cli->command;
    struct buf b;
    buf_init(&b, cli->a);
    if (c) {
        buf_printf(&b, "Usage: cuda-morph %s [OPTIONS] %s\n\n", c->name, c->operands);
        buf_printf(&b, "cuda-morph %s: %s.\n", c->name, c->summary);
        add_wrapped(&b, str_of(fill_target_names(cli->a, c->text)), 0, 0);
    } else {
        buf_addz(&b, "Usage: cuda-morph [-q|-v] [--color=WHEN] COMMAND [OPTIONS] [ARGUMENTS]\n\n");
        buf_addz(&b, "Ports CUDA code to other accelerators, source to source.\n\nCommands:\n");
        for (size_t i = 0; i < CMD_COUNT; i++)
            add_row(&b, str_of(cli_commands[i].name), cli_commands[i].summary);
    }
    add_options(&b, c);
    if (c && option_applies(&cli_options[OPT_TARGET], c)) add_targets(cli, &b);
    buf_addz(&b, "\nExit status:\n");
    add_wrapped(&b, str_of(status_text), 0, 2);
    if (!c) buf_addz(&b, "\n'cuda-morph help COMMAND' tells more about a command.\n");
    stream_add(cli->out, buf_str(&b));
    return STATUS_DONE;
}

/* ---- the manual page ---- */

/* Text for troff: its own characters escaped, dashes kept as dashes. */
static void add_roff(struct buf *b, struct str text) {
    if (text.n && (text.p[0] == '.' || text.p[0] == '\'')) buf_addz(b, "\\&");
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\\')
            buf_addz(b, "\\e");
        else if (text.p[i] == '-')
            buf_addz(b, "\\-");
        else
            buf_addc(b, text.p[i]);
    }
}

/* A long list of words may go on in the next line. */
static void add_roff_label(struct buf *b, struct str label) {
    for (size_t at = 0; at < label.n;) {
        size_t end = str_find(label, S("|"), at);
        if (end < label.n) end++;
        if (at) buf_addz(b, "\\:");
        add_roff(b, str_sub(label, at, end));
        at = end;
    }
}

static void add_roff_item(struct buf *b, struct str label, const char *text) {
    buf_addz(b, ".TP\n.B ");
    add_roff_label(b, label);
    buf_addc(b, '\n');
    add_roff(b, str_of(fill_target_names(b->a, text)));
    buf_addc(b, '\n');
}

static void add_roff_options(struct buf *b, const struct command *c) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (c ? option_applies(o, c) && !is_global(o) : is_global(o))
            add_roff_item(b, option_label(b->a, o), o->help);
    }
}

static const char man_start[] =
    ".SH NAME\n"
    "cuda\\-morph \\- port CUDA code to other accelerators\n"
    ".SH SYNOPSIS\n"
    ".B cuda\\-morph\n"
    "[\\-q|\\-v] [\\-\\-color WHEN]\n"
    ".I COMMAND\n"
    "[OPTIONS] [ARGUMENTS]\n"
    ".SH DESCRIPTION\n"
    "Reads source code written for NVIDIA's CUDA and writes the same code for another\n"
    "accelerator. Bytes outside the edits are kept as they are; porting the result again\n"
    "changes nothing; what cannot be ported is reported and left alone.\n";

static const char man_end[] =
    ".SH ENVIRONMENT\n"
    ".TP\n"
    ".B NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR\n"
    "turn colors off or on where \\-\\-color is auto.\n"
    ".SH EXAMPLES\n"
    ".TP\n"
    ".B cuda\\-morph port train.py \\-\\-target {example:1}\n"
    "Print the ported file.\n"
    ".TP\n"
    ".B cuda\\-morph port src \\-\\-target {example:0},{example:1} \\-o ported\n"
    "Write ported/{example:0} and ported/{example:1}.\n"
    ".TP\n"
    ".B cuda\\-morph port . \\-\\-target {default:check} \\-\\-diff | patch \\-p1\n"
    "Show the changes, and apply them.\n";

/* Prints the manual page. */
static int print_man(struct cli *cli) {
    struct buf b;
    buf_init(&b, cli->a);
    buf_printf(&b, ".TH CUDA\\-MORPH 1 \"\" \"cuda\\-morph %s\" \"User Commands\"\n", CM_VERSION);
    buf_addz(&b, ".ad l\n"); /* a line of one long word cannot be justified */
    buf_addz(&b, man_start);
    buf_addz(&b, ".SH GLOBAL OPTIONS\n");
    add_roff_options(&b, NULL);
    buf_addz(&b, ".SH COMMANDS\n");
    for (size_t i = 0; i < CMD_COUNT; i++) {
        const struct command *c = &cli_commands[i];
        buf_addz(&b, ".SS ");
        add_roff(&b, arena_printf(cli->a, "%s %s\n", c->name, c->operands));
        add_roff(&b, arena_printf(cli->a, "%s: %s. %s\n", c->name, c->summary,
                                  fill_target_names(cli->a, c->text)));
        add_roff_options(&b, c);
    }
    buf_addz(&b, ".SH EXIT STATUS\n");
    add_roff(&b, str_of(status_text));
    buf_addc(&b, '\n');
    buf_addz(&b, fill_target_names(cli->a, man_end));
    stream_add(cli->out, buf_str(&b));
    return STATUS_DONE;
}

/* The page of one command, for `man cuda-morph-port`. */
static int print_command_man(struct cli *cli) {
    const struct command *c = cli->command;
    struct buf b;
    buf_init(&b, cli->a);
    buf_addz(&b, ".TH CUDA\\-MORPH\\-");
    for (const char *p = c->name; *p; p++)
        add_roff(&b, (struct str){(char[]){(char)toupper((unsigned char)*p)}, 1});
    buf_printf(&b, " 1 \"\" \"cuda\\-morph %s\" \"User Commands\"\n", CM_VERSION);
    buf_addz(&b, ".ad l\n.SH NAME\n");
    add_roff(&b, arena_printf(cli->a, "cuda-morph-%s - %s\n", c->name, c->summary));
    buf_addz(&b, ".SH SYNOPSIS\n.B cuda\\-morph ");
    add_roff(&b, arena_printf(cli->a, "%s\n[OPTIONS]\n", c->name));
    add_roff(&b, arena_printf(cli->a, "%s\n", c->operands));
    if (*c->text) {
        buf_addz(&b, ".SH DESCRIPTION\n");
        add_roff(&b, arena_printf(cli->a, "%s\n", fill_target_names(cli->a, c->text)));
    }
    buf_addz(&b, ".SH OPTIONS\n");
    add_roff_options(&b, c);
    buf_addz(&b, ".SH GLOBAL OPTIONS\n");
    add_roff_options(&b, NULL);
    buf_addz(&b, ".SH EXIT STATUS\n");
    add_roff(&b, str_of(status_text));
    buf_addz(&b, "\n.SH SEE ALSO\n.BR cuda\\-morph (1)\n");
    stream_add(cli->out, buf_str(&b));
    return STATUS_DONE;
}

int command_help(struct cli *cli) {
    bool is_man = cli_has(cli, OPT_MAN);
    if (is_man && cli->operands.n == 0) return print_man(cli);
    if (cli_has(cli, OPT_SCHEMA)) {
        stream_add(cli->out, settings_schema(cli->a));
        return STATUS_DONE;
    }
    if (cli->operands.n > 1) return cli_error(cli, "help takes one command");
    cli->command = NULL;
    if (cli->operands.n == 0) return print_help(cli);
    struct str name = cli->operands.v[0], names[CMD_COUNT];
    for (size_t i = 0; i < CMD_COUNT; i++) {
        names[i] = str_of(cli_commands[i].name);
        if (str_eq(name, names[i])) cli->command = &cli_commands[i];
    }
    if (cli->command) return is_man ? print_command_man(cli) : print_help(cli);
    struct str hint = cli_hint(cli->a, cli_nearest(name, names, CMD_COUNT));
    return cli_error(cli, "no help on '%.*s': no such command%.*s", STR_ARG(name), STR_ARG(hint));
}
