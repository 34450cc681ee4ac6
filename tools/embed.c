/* SPDX-License-Identifier: Apache-2.0 */
/* embed.c - puts files into the binary.
 *
 *     embed -o OUTPUT.c [NAME=]FILE...
 *
 * OUTPUT defines cm_embedded (src/diag/embed.h): each FILE under its path as given, or under NAME,
 * in that order.
 * Exit status: 0 done, 2 usage, or something could not be read or written. */
#include <stdio.h>

#include "base/file.h"

enum { BYTES_PER_LINE = 64, MAX_SIZE = 4 * 1024 * 1024 };

/* One string literal, as compilers read those faster than a list of numbers. */
static void add_literal(struct buf *b, struct str text) {
    buf_addz(b, "\"");
    for (size_t i = 0; i < text.n; i++) {
        unsigned char ch = (unsigned char)text.p[i];
        bool plain = ch >= 0x20 && ch < 0x7F && ch != '"' && ch != '\\' && ch != '?';
        if (i && i % BYTES_PER_LINE == 0) buf_addz(b, "\"\n     \"");
        buf_printf(b, plain ? "%c" : "\\%03o", ch);
    }
    buf_addz(b, "\"");
}

static bool add_file(struct buf *b, const char *argument, struct str *error) {
    const char *is = strchr(argument, '='), *path = is ? is + 1 : argument;
    struct str text, name = is ? (struct str){argument, (size_t)(is - argument)} : str_of(path);
    if (!file_read(b->a, path, MAX_SIZE, &text, NULL, error)) return false;
    buf_addz(b, "    {");
    add_literal(b, name);
    buf_addz(b, ",\n     ");
    add_literal(b, text);
    buf_printf(b, ",\n     %zu},\n", text.n);
    return true;
}

static int embed(struct arena *a, const char *output, char **paths, int n) {
    struct buf b;
    struct str error;
    buf_init(&b, a);
    buf_addz(&b, "/* Written by tools/embed. */\n#include \"diag/embed.h\"\n\n"
                 "const struct embedded cm_embedded[] = {\n");
    for (int i = 0; i < n; i++) {
        if (add_file(&b, paths[i], &error)) continue;
        fprintf(stderr, "embed: %.*s\n", STR_ARG(error));
        return 2;
    }
    buf_printf(&b, "};\nconst size_t cm_embedded_count = %d;\n", n);
    if (file_create(a, output, buf_str(&b), 0666, &error)) return 0;
    fprintf(stderr, "embed: %.*s\n", STR_ARG(error));
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 4 || strcmp(argv[1], "-o") != 0) {
        fprintf(stderr, "usage: embed -o OUTPUT.c [NAME=]FILE...\n");
        return 2;
    }
    struct arena a;
    arena_init(&a, 0);
    int status = embed(&a, argv[2], argv + 3, argc - 3);
    arena_free(&a);
    return status;
}
