/* SPDX-License-Identifier: Apache-2.0 */
/* sanitize.c - `cuda-morph sanitize`: runs a program of the processor's under the runtime's
 * checks, in compute-sanitizer's manner.
 *
 * The runtime does the work (CUDA_MORPH_CHECK) and writes a line for each report to a file; here
 * they are counted. A program that was not compiled with `cmcc -sanitize` is watched by pages
 * only. */
#include "base/file.h"
#include "commands/cc.h"

#include <stdlib.h>

enum { MAX_REPORTS = 1 << 26 };

static size_t count_lines(struct str text) {
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) n += text.p[i] == '\n';
    return n;
}

int command_sanitize(struct cli *cli) {
    struct cc *cc = NEW(cli->a, struct cc);
    struct str error, reports = S(""), checks = cli_value(cli, OPT_CHECKS);
    *cc = (struct cc){.cli = cli, .a = cli->a};
    nv_words words = {0};
    if (!cli->operands.n)
        return cli_error(cli, "sanitize needs a program: cuda-morph sanitize PROGRAM ARGUMENTS");
    const char *scratch = cc_scratch(cc);
    if (!scratch) return STATUS_FAILED;
    struct str given = cli_value(cli, OPT_REPORTS);
    const char *file = given.p ? given.p : arena_printf(cc->a, "%sreports", scratch).p;
    if (given.p && !file_create(cc->a, file, S(""), 0666, &error))
        return cli_error(cli, "%.*s", STR_ARG(error));
    setenv("CUDA_MORPH_CHECK", checks.p ? checks.p : "all", 1);
    setenv("CUDA_MORPH_CHECK_OUTPUT", file, 1);
    const struct {
        enum option_id option;
        const char *variable;
    } settings[] = {{OPT_SUPPRESSIONS, "CUDA_MORPH_CHECK_SUPPRESSIONS"},
                    {OPT_STOP_AFTER, "CUDA_MORPH_CHECK_STOP"},
                    {OPT_ORDER, "CUDA_MORPH_ORDER"}};
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        struct str value = cli_value(cli, settings[i].option);
        if (value.p) setenv(settings[i].variable, arena_strdup(cc->a, value), 1);
    }
    struct str list = cli_value(cli, OPT_SUPPRESSIONS), text;
    if (list.p && !file_read(cc->a, list.p, MAX_REPORTS, &text, NULL, &error))
        return cli_error(cli, "%.*s", STR_ARG(error));
    for (size_t i = 0; i < cli->operands.n; i++) vec_push(cc->a, &words, cli->operands.v[i]);
    int status = cc_run(cc, &words, NULL);
    if (!file_read(cc->a, file, MAX_REPORTS, &reports, NULL, &error)) reports = S("");
    size_t n = count_lines(reports);
    if (!cli_has(cli, OPT_QUIET))
        stream_printf(cli->err, "cuda-morph: %zu report%s\n", n, n == 1 ? "" : "s");
    cc_clean_up(cc);
    return status ? status : n ? STATUS_FINDINGS : STATUS_DONE;
}
