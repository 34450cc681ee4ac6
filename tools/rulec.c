/* SPDX-License-Identifier: Apache-2.0 */
/* rulec.c - compiles rules/ into a C file for the binary.
 *
 *     rulec -o OUTPUT.c FILE|DIR
 *     rulec --words FILE|DIR      the words without which no rule about Python matches, one on a
 * line
 *
 * Problems go to stderr as `file: /pointer: message`. Exit status: 0 done, 1 the rules have
 * errors, 2 usage, or something could not be read or written. */
#include <stdio.h>

#include "base/file.h"
#include "rules/rules.h"

static void print_errors(struct arena *a, const rule_errors *errors) {
    for (size_t i = 0; i < errors->n; i++) {
        const struct rule_error *e = &errors->v[i];
        struct buf b;
        buf_init(&b, a);
        buf_add_visible(&b, e->file);
        buf_addz(&b, ": ");
        buf_add_visible(&b, e->pointer);
        buf_addz(&b, e->pointer.n ? ": " : "");
        buf_add_visible(&b, e->message);
        fprintf(stderr, "%s\n", b.p);
    }
}

/* One string literal, as compilers read those faster than a list of numbers. The array is a byte
 * longer than the block: the literal's own NUL. */
static struct str c_source(struct arena *a, struct str block) {
    enum { BYTES_PER_LINE = 64 };
    struct buf b;
    buf_init(&b, a);
    buf_printf(&b,
               "/* Written by tools/rulec from rules/. */\n#include <stddef.h>\n\n"
               "const size_t cm_rules_blob_size = %zu;\n"
               "const unsigned char cm_rules_blob[%zu] __attribute__((aligned(16))) =",
               block.n, block.n + 1);
    for (size_t i = 0; i < block.n; i++) {
        unsigned char ch = (unsigned char)block.p[i];
        if (i % BYTES_PER_LINE == 0) buf_addz(&b, i ? "\"\n    \"" : "\n    \"");
        bool plain = ch >= 0x20 && ch < 0x7F && ch != '"' && ch != '\\' && ch != '?';
        buf_printf(&b, plain ? "%c" : "\\%03o", ch);
    }
    buf_addz(&b, "\";\n");
    return buf_str(&b);
}

static void print_words(struct str block) {
    struct ruleset set;
    if (!ruleset_open(block.p, block.n, &set)) return;
    for (int lint = 0; lint < 2; lint++) {
        struct rlist words = set.h->anchors[RL_PYTHON][lint].words;
        const struct ranchor *v = RS_LIST(set, words, struct ranchor);
        for (uint32_t i = 0; i < words.n; i++) printf("%.*s\n", STR_ARG(rs_str(set, v[i].word)));
    }
}

/* output NULL: prints the words. */
static int compile(struct arena *a, const char *output, const char *input) {
    struct rule_source *sources;
    size_t n;
    struct str error;
    rule_errors errors = {0};
    if (!rules_read_sources(a, input, &sources, &n, &error)) {
        fprintf(stderr, "rulec: %.*s\n", STR_ARG(error));
        return 2;
    }
    struct str block = rules_compile(a, sources, n, NULL, &errors);
    if (block.n == 0) {
        print_errors(a, &errors);
        return 1;
    }
    if (!output) {
        print_words(block);
        return 0;
    }
    if (!file_create(a, output, c_source(a, block), 0666, &error)) {
        fprintf(stderr, "rulec: %.*s\n", STR_ARG(error));
        return 2;
    }
    return 0;
}

int main(int argc, char **argv) {
    bool words = argc == 3 && strcmp(argv[1], "--words") == 0;
    if (!words && (argc != 4 || strcmp(argv[1], "-o") != 0)) {
        fprintf(stderr, "usage: rulec -o OUTPUT.c FILE|DIR, or rulec --words FILE|DIR\n");
        return 2;
    }
    struct arena a;
    arena_init(&a, 0);
    int status = compile(&a, words ? NULL : argv[2], argv[argc - 1]);
    arena_free(&a);
    return status;
}
