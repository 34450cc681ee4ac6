/* SPDX-License-Identifier: Apache-2.0 */
/* env.c - `cuda-morph env`: the variables with which build systems and extension builders use
 * cmcc, for a shell's eval. Which there are stands in the table of cc, under "environment". */
#include "commands/cc.h"
#include "commands/python.h"

#include <stdlib.h>
#include <string.h>

/* What a value is made of: {toolkit} is the folder that stands for NVIDIA's, {program} this one,
 * {python:NAME} a folder of the Python part, {old:NAME} what the variable NAME holds, behind a
 * colon. Empty: the Python part is not there, as it is installed apart. */
static struct str fill(struct cc *cc, struct str text) {
    struct python_place place = {.cli = cc->cli};
    struct buf b;
    buf_init(&b, cc->a);
    for (size_t at = 0; at < text.n;) {
        size_t open = str_find(text, S("{"), at), close = str_find(text, S("}"), open);
        buf_add(&b, str_sub(text, at, open));
        if (close >= text.n) break;
        struct str word = str_sub(text, open + 1, close);
        if (str_is(word, "toolkit")) buf_addz(&b, cc->toolkit);
        if (str_is(word, "program") && python_find_program(&place)) buf_addz(&b, place.program);
        if (str_starts(word, S("python:")) && python_find_program(&place)) {
            char *part = python_seek_part(&place, arena_strdup(cc->a, str_sub(word, 7, word.n)));
            if (!part) return (struct str){0};
            buf_addz(&b, part);
        }
        if (str_starts(word, S("old:"))) {
            const char *old = getenv(arena_strdup(cc->a, str_sub(word, 4, word.n)));
            if (old && *old) buf_printf(&b, ":%s", old);
        }
        at = close + 1;
    }
    return buf_str(&b);
}

int command_env(struct cli *cli) {
    struct cc *cc = NEW(cli->a, struct cc);
    *cc = (struct cc){.cli = cli, .a = cli->a};
    size_t n;
    struct str *names = cli_split(cli, OPT_TARGET, &n);
    if (cli->operands.n) return cli_error(cli, "env takes no operands");
    if (n > 1) return cli_error(cli, "env takes one target");
    if (n == 1) cc->line.target = names[0];
    if (!cc_prepare(cc)) return STATUS_FAILED;
    for (size_t i = 0; i < cc->table.environment.n; i++) {
        const struct nv_pair *v = &cc->table.environment.v[i];
        struct str value = fill(cc, v->value);
        if (!value.n) continue;
        stream_printf(cli->out, "export %.*s=", STR_ARG(v->name));
        stream_add(cli->out, cc_quoted(cc->a, value));
        stream_addz(cli->out, "\n");
    }
    struct str target = cm_target_name(cc->target);
    stream_printf(cli->out, "export CUDA_MORPH_TARGET=%.*s\n", STR_ARG(target));
    cc_finish(cc);
    return STATUS_DONE;
}
