/* SPDX-License-Identifier: Apache-2.0 */
/* here.c - what Windows lacks for some commands, and the names of what is not compiled there.
 *
 * Porting, checking, reports, rules and the language server need files alone. What starts other
 * programs, looks at Linux' files of a machine or loads libclang is left to Linux, of which
 * Windows has one (WSL). */
#include "commands/here.h"

#include "commands/commands.h"
#include "commands/watch.h"
#include "semantic/ask.h"

#define IN_WSL "use Linux for it, in WSL for instance"

static const char *absent_command(const struct cli *cli) {
    bool elsewhere = cli_has(cli, OPT_ROOT);
    switch (cli->command - cli_commands) {
    case CMD_RUN:
    case CMD_CC:
    case CMD_ENV:
    case CMD_SANITIZE:
    case CMD_VERIFY:
    case CMD_BENCH:
        return "this command needs compilers, libraries or Python of Linux, so that it is not "
               "there on Windows: " IN_WSL;
    case CMD_INFO:
    case CMD_VLLM:
    case CMD_COMPILE:
        return elsewhere ? NULL
                         : "on Windows it looks at no machine but a copy of Linux' files, with "
                           "--root DIR: " IN_WSL;
    case CMD_DOCTOR:
        return elsewhere || cli_has(cli, OPT_VERSIONS)
                   ? NULL
                   : "on Windows it looks at no machine but a copy of Linux' files, with --root "
                     "DIR, or at --versions K=V: " IN_WSL;
    default:
        return NULL;
    }
}

const char *absent_here(const struct cli *cli) {
    if (cli_has(cli, OPT_WATCH)) return "--watch is not there on Windows: " IN_WSL;
    if (cli_has(cli, OPT_SEMANTIC) || cli_has(cli, OPT_VERIFY))
        return "--semantic and --verify load libclang, which is not done on Windows: " IN_WSL;
    return cli->command ? absent_command(cli) : NULL;
}

/* ---- never called ---- */

static int never(struct cli *cli) { return cli_error(cli, "%s", "not on Windows"); }

int command_run(struct cli *cli) { return never(cli); }
int command_cc(struct cli *cli) { return never(cli); }
int command_env(struct cli *cli) { return never(cli); }
int command_sanitize(struct cli *cli) { return never(cli); }
int watch(struct cli *cli) { return never(cli); }

bool sem_ask(const struct sem *s, struct arena *a, const struct sem_input *in, unsigned wants,
             struct sem_limits limits, struct sem_answer *answer, struct str *error) {
    (void)s, (void)a, (void)in, (void)wants, (void)limits, (void)answer;
    *error = S("libclang is not loaded on Windows");
    return false;
}

bool sem_precompile(const struct sem *s, struct arena *a, const struct sem_input *in,
                    const char *folder, const char *path, struct sem_limits limits) {
    (void)s, (void)a, (void)in, (void)folder, (void)path, (void)limits;
    return false;
}
