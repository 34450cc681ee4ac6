/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the program's outermost frame: signals, streams, dispatch, exit status. Nothing else
 * exits. */
#include "base/file.h"
#include "commands/commands.h"
#include "commands/here.h"
#include "commands/watch.h"
#include "diag/embed.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- internal errors ---- */

static void write_error(const char *text) {
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

static void crashed(int number) {
    (void)number;
    write_error("cuda-morph: internal error in version " CM_VERSION);
    if (cli_current_file) {
        write_error(" while reading ");
        write_error(cli_current_file);
    }
    write_error("; please report it with that file\n");
    _exit(STATUS_INTERNAL);
}

static void catch_crashes(void) {
    static char stack[64 * 1024];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) sigaction(signals[i], &action, NULL);
}

/* A sanitizer wants these signals for its own report. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

/* ---- dispatch ---- */

static int run_command(struct cli *cli) {
    static int (*const commands[CMD_COUNT])(struct cli *) = {
#define COMMAND(id, name, operands, summary, text) command_##name,
#include "cli/options.def"
    };
    if (cli_has(cli, OPT_VERSION)) {
        stream_addz(cli->out, "cuda-morph " CM_VERSION "\n");
        if (cli_has(cli, OPT_VERBOSE)) stream_add(cli->out, embed_text(embed_find(S("NOTICES"))));
        return STATUS_DONE;
    }
    if (cli_has(cli, OPT_HELP)) return print_help(cli);
    if (!cli->command) return cli_error(cli, "no command was given; try 'cuda-morph help'");
    const char *absent = absent_here(cli);
    if (absent) return cli_error(cli, "%s: %s", cli->command->name, absent);
    if (cli_has(cli, OPT_WATCH)) return watch(cli);
    return commands[cli->command - cli_commands](cli);
}

static int run(struct cli *cli, int argc, char **argv) {
    struct str error;
    if (!cli_parse(cli, argc, argv, &error)) return cli_error(cli, "%.*s", STR_ARG(error));
    enum color_choice color = (enum color_choice)cli_choice(cli, OPT_COLOR, COLOR_AUTO);
    stream_choose_color(cli->out, color);
    stream_choose_color(cli->err, color);
    return run_command(cli);
}

/* Standard output has to be whole; a reader that has gone away is no error of ours. */
static int finish(struct cli *cli, int status) {
    if (stream_flush(cli->out) || cli->out->error == EPIPE) return status;
    return cli_error(cli, "standard output: %s", strerror(cli->out->error));
}

int main(int argc, char **argv) {
    static struct stream out, err;
    static struct arena arena;
    jmp_buf escape;
    file_reserve_standard_fds();
    file_install_signal_handlers();
    if (!HAS_SANITIZER) catch_crashes();
    stream_init(&out, STDOUT_FILENO, true);
    stream_init(&err, STDERR_FILENO, false);
    if (setjmp(escape)) {
        write_error("cuda-morph: out of memory\n");
        exit(STATUS_FAILED);
    }
    arena.escape = &escape;
    struct cli *cli = NEW(&arena, struct cli);
    *cli = (struct cli){.a = &arena, .out = &out, .err = &err};
    int status = finish(cli, run(cli, argc, argv));
    arena_free(&arena);
    exit(status);
}
