/* SPDX-License-Identifier: Apache-2.0 */
/* completion.c - completion scripts for four shells, from options.def and the rules' targets. */
#include "cli/target_names.h"
#include "commands/commands.h"

static void add_target_names(struct cli *cli, struct buf *b) {
    struct str error;
    struct cm_session *s = cm_session_new(cli->a, &(struct cm_options){0}, &error);
    for (size_t i = 0; s && i < cm_session_n_targets(s); i++) {
        if (i) buf_addc(b, ' ');
        buf_add(b, cm_target_name(cm_session_target_at(s, i)));
    }
}

static void add_command_names(struct buf *b) {
    for (size_t i = 0; i < CMD_COUNT; i++)
        buf_printf(b, "%s%s", i ? " " : "", cli_commands[i].name);
}

static void add_choices(struct buf *b, const char *words) {
    struct str w;
    for (size_t i = 0; (w = choice_word(words, i)).p; i++)
        buf_printf(b, "%s%.*s", i ? " " : "", STR_ARG(w));
}

/* The words that may follow an option, separated by spaces; false where they are file names. */
static bool add_values(struct cli *cli, struct buf *b, const struct option *o) {
    if (o == &cli_options[OPT_TARGET])
        add_target_names(cli, b);
    else if (o->kind == CHOICE)
        add_choices(b, o->value);
    else if (o == &cli_options[OPT_ADD_FORMAT])
        add_choices(b, cli_options[OPT_REPORT_FORMAT].value);
    else
        return false;
    return true;
}

/* The operands that are words rather than paths. */
static void add_operands(struct buf *b, enum command_id c) {
    if (c == CMD_RULES) buf_addz(b, "list check test names docs new-target");
    if (c == CMD_COMPLETION) buf_addz(b, "bash zsh fish powershell");
    if (c == CMD_HELP) add_command_names(b);
}

static void add_flags(struct buf *b, const struct command *c) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (!option_applies(o, c)) continue;
        buf_printf(b, " --%s", o->name);
        if (o->letter) buf_printf(b, " -%c", o->letter);
    }
}

static void bash(struct cli *cli, struct buf *b) {
    buf_addz(b,
             "_cuda_morph() {\n    local cur=${COMP_WORDS[COMP_CWORD]} "
             "prev=${COMP_WORDS[COMP_CWORD-1]}\n"
             "    local command= words= i\n    COMPREPLY=()\n"
             "    [ \"$cur\" = = ] && cur=\n"
             "    [ \"$prev\" = = ] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
             "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
             "        case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac\n"
             "    done\n    case $prev in\n");
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (!o->value || o->kind == OPTIONAL) continue;
        buf_printf(b, "    --%s", o->name);
        if (o->letter) buf_printf(b, "|-%c", o->letter);
        struct buf words;
        buf_init(&words, cli->a);
        if (add_values(cli, &words, o))
            buf_printf(b, ") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words.p);
        else
            buf_addz(b, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
    }
    buf_addz(b, "    esac\n    case $command in\n    '') words='");
    add_command_names(b);
    add_flags(b, NULL);
    buf_addz(b, "' ;;\n");
    for (size_t i = 0; i < CMD_COUNT; i++) {
        buf_printf(b, "    %s) words='", cli_commands[i].name);
        add_operands(b, (enum command_id)i);
        add_flags(b, &cli_commands[i]);
        buf_addz(b, "' ;;\n");
    }
    buf_addz(b, "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "    case $cur in -*) ;; *) COMPREPLY+=($(compgen -f -- \"$cur\")) ;; esac\n"
                "}\ncomplete -o filenames -F _cuda_morph cuda-morph\n");
}

/* Text inside single quotes and, for zsh, inside [ ]. */
static void add_description(struct buf *b, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            buf_addz(b, "'\\''");
        else if (*text == '[' || *text == ']' || *text == ':')
            buf_printf(b, "\\%c", *text);
        else
            buf_addc(b, *text);
    }
}

static void zsh_option(struct cli *cli, struct buf *b, const struct option *o) {
    buf_addz(b, " \\\n        ");
    buf_addz(b, o->kind == LIST ? "'*'" : "");
    if (o->letter)
        buf_printf(b, "{-%c,--%s%s}", o->letter, o->name, o->value ? "=" : "");
    else
        buf_printf(b, "--%s%s", o->name, o->kind == OPTIONAL ? "=-" : o->value ? "=" : "");
    buf_addz(b, "'[");
    add_description(b, fill_target_names(cli->a, o->help));
    buf_addc(b, ']');
    if (o->value) {
        buf_addz(b, o->kind == OPTIONAL ? "::" : ":");
        add_description(b, o->value);
        struct buf words;
        buf_init(&words, cli->a);
        if (add_values(cli, &words, o))
            buf_printf(b, ":(%s)", words.p);
        else
            buf_addz(b, ":_files");
    }
    buf_addc(b, '\'');
}

static void zsh(struct cli *cli, struct buf *b) {
    buf_addz(b,
             "#compdef cuda-morph\n_cuda_morph() {\n    local curcontext=$curcontext state line\n"
             "    typeset -A opt_args\n    _arguments -C");
    for (size_t i = 0; i < OPT_COUNT; i++)
        if (option_applies(&cli_options[i], NULL)) zsh_option(cli, b, &cli_options[i]);
    buf_addz(b, " \\\n        '1:command:->command' '*::argument:->argument'\n    case $state in\n"
                "    command)\n        local -a commands=(\n");
    for (size_t i = 0; i < CMD_COUNT; i++) {
        buf_printf(b, "            '%s:", cli_commands[i].name);
        add_description(b, cli_commands[i].summary);
        buf_addz(b, "'\n");
    }
    buf_addz(b, "        )\n        _describe command commands ;;\n    argument)\n        case "
                "$words[1] in\n");
    for (size_t i = 0; i < CMD_COUNT; i++) {
        buf_printf(b, "        %s) _arguments", cli_commands[i].name);
        for (size_t k = 0; k < OPT_COUNT; k++)
            if (option_applies(&cli_options[k], &cli_commands[i]))
                zsh_option(cli, b, &cli_options[k]);
        struct buf words;
        buf_init(&words, cli->a);
        add_operands(&words, (enum command_id)i);
        if (words.n) buf_printf(b, " \\\n        '1:word:(%s)'", words.p);
        buf_addz(b, " \\\n        '*:file:_files' ;;\n");
    }
    buf_addz(b, "        esac ;;\n    esac\n}\nif [ \"$funcstack[1]\" = _cuda_morph ]; then\n"
                "    _cuda_morph \"$@\"\nelse\n    compdef _cuda_morph cuda-morph\nfi\n");
}

/* Text inside single quotes, for fish. */
static void add_fish_text(struct buf *b, const char *text) {
    for (; *text; text++) buf_printf(b, *text == '\'' ? "\\%c" : "%c", *text);
}

static void fish_option(struct cli *cli, struct buf *b, const struct option *o,
                        const char *command) {
    buf_addz(b, "complete -c cuda-morph");
    if (command) buf_printf(b, " -n '__fish_seen_subcommand_from %s'", command);
    buf_printf(b, " -l %s", o->name);
    if (o->letter) buf_printf(b, " -s %c", o->letter);
    struct buf words;
    buf_init(&words, cli->a);
    if (o->value && o->kind != OPTIONAL) {
        if (add_values(cli, &words, o))
            buf_printf(b, " -x -a '%s'", words.p);
        else
            buf_addz(b, " -r");
    }
    buf_addz(b, " -d '");
    add_fish_text(b, fill_target_names(cli->a, o->help));
    buf_addz(b, "'\n");
}

static void fish(struct cli *cli, struct buf *b) {
    for (size_t i = 0; i < CMD_COUNT; i++) {
        buf_printf(b, "complete -c cuda-morph -f -n __fish_use_subcommand -a %s -d '",
                   cli_commands[i].name);
        add_fish_text(b, cli_commands[i].summary);
        buf_addz(b, "'\n");
    }
    for (size_t i = 0; i < CMD_COUNT; i++) {
        struct buf words;
        buf_init(&words, cli->a);
        add_operands(&words, (enum command_id)i);
        if (words.n)
            buf_printf(b, "complete -c cuda-morph -n '__fish_seen_subcommand_from %s' -a '%s'\n",
                       cli_commands[i].name, words.p);
    }
    for (size_t k = 0; k < OPT_COUNT; k++) {
        const struct option *o = &cli_options[k];
        if (option_applies(o, NULL)) {
            fish_option(cli, b, o, NULL);
            continue;
        }
        for (size_t i = 0; i < CMD_COUNT; i++)
            if (option_applies(o, &cli_commands[i])) fish_option(cli, b, o, cli_commands[i].name);
    }
}

/* One row of PowerShell's table: after which word it comes (empty: a command; *: everywhere), the
 * word, and what it does. A here-string in single quotes takes every character as it is. */
static void powershell_row(struct buf *b, const char *after, struct str word, const char *text) {
    buf_printf(b, "%s\t%.*s\t", after, STR_ARG(word));
    for (; *text; text++) buf_addc(b, *text == '\t' || *text == '\n' ? ' ' : *text);
    buf_addc(b, '\n');
}

static void powershell_words(struct buf *b, const char *after, struct str words) {
    for (size_t at = 0; at < words.n;) {
        size_t end = str_find(words, S(" "), at);
        struct str word = str_sub(words, at, end);
        powershell_row(b, after, word, arena_str(b->a, word).p);
        at = end + 1;
    }
}

static void powershell_options(struct cli *cli, struct buf *b, const struct command *c) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option *o = &cli_options[i];
        if (c ? !option_applies(o, c) || option_applies(o, NULL) : !option_applies(o, NULL))
            continue;
        const char *text = fill_target_names(cli->a, o->help), *after = c ? c->name : "*";
        powershell_row(b, after, arena_printf(cli->a, "--%s", o->name), text);
        if (o->letter) powershell_row(b, after, arena_printf(cli->a, "-%c", o->letter), text);
    }
}

static void powershell(struct cli *cli, struct buf *b) {
    struct buf words;
    buf_addz(b, "Register-ArgumentCompleter -Native -CommandName cuda-morph -ScriptBlock {\n"
                "    param($word, $ast, $cursor)\n    $table = @'\n");
    for (size_t i = 0; i < CMD_COUNT; i++)
        powershell_row(b, "", str_of(cli_commands[i].name), cli_commands[i].summary);
    powershell_options(cli, b, NULL);
    for (size_t i = 0; i < CMD_COUNT; i++) {
        powershell_options(cli, b, &cli_commands[i]);
        buf_init(&words, cli->a);
        add_operands(&words, (enum command_id)i);
        powershell_words(b, cli_commands[i].name, buf_str(&words));
    }
    for (size_t i = 0; i < OPT_COUNT; i++) {
        buf_init(&words, cli->a);
        if (!cli_options[i].value || !add_values(cli, &words, &cli_options[i])) continue;
        powershell_words(b, arena_printf(cli->a, "--%s", cli_options[i].name).p, buf_str(&words));
    }
    buf_addz(
        b, "'@\n"
           "    $rows = @($table -split '\\r?\\n' | ForEach-Object { , ($_ -split '\\t') })\n"
           "    $words = @($ast.CommandElements | Select-Object -Skip 1 |\n"
           "        Where-Object { $_.Extent.EndOffset -lt $cursor } |\n"
           "        ForEach-Object { $_.Extent.Text })\n"
           "    $after = @('*', [string]@($words | Where-Object { $_ -notlike '-*' })[0])\n"
           "    $last = if ($words.Count) { $words[-1] } else { '' }\n"
           "    if ($last -like '-*' -and @($rows | Where-Object { $_[0] -ceq $last }).Count) {\n"
           "        $after = @($last)\n    }\n"
           "    $rows | Where-Object { $_.Count -eq 3 -and $after -ccontains $_[0] -and\n"
           "        $_[1].StartsWith($word, [System.StringComparison]::Ordinal) } |\n"
           "        ForEach-Object { [System.Management.Automation.CompletionResult]::new(\n"
           "            $_[1], $_[1], 'ParameterValue', $_[2]) }\n"
           "}\n");
}

int command_completion(struct cli *cli) {
    static const struct {
        struct str name;
        void (*write)(struct cli *cli, struct buf *b);
    } shells[] = {
        {S("bash"), bash}, {S("zsh"), zsh}, {S("fish"), fish}, {S("powershell"), powershell}};
    if (cli->operands.n != 1)
        return cli_error(cli, "completion needs one of bash, zsh, fish, powershell");
    struct str names[ARRAY_LEN(shells)];
    for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
        names[i] = shells[i].name;
        if (!str_eq(cli->operands.v[0], names[i])) continue;
        struct buf b;
        buf_init(&b, cli->a);
        shells[i].write(cli, &b);
        stream_add(cli->out, buf_str(&b));
        return STATUS_DONE;
    }
    struct str hint = cli_hint(cli->a, cli_nearest(cli->operands.v[0], names, ARRAY_LEN(names)));
    return cli_error(cli, "no completion for '%.*s', only for bash, zsh, fish and powershell%.*s",
                     STR_ARG(cli->operands.v[0]), STR_ARG(hint));
}
