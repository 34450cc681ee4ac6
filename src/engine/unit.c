/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c - one file on its way: what every stage says of it. */
#include "engine/engine.h"

void unit_note(struct unit *u, uint32_t line, uint32_t column, bool fatal, struct str message) {
    struct cm_note n = {line, column, message, fatal};
    vec_push(u->a, &u->notes, n);
    u->refused |= fatal;
}

void unit_position(const struct unit *u, size_t offset, uint32_t *line, uint32_t *column) {
    *line = 1;
    size_t start = text_start(u->src);
    for (const char *p;
         start < offset && (p = memchr(u->src.p + start, '\n', offset - start)) != NULL; (*line)++)
        start = (size_t)(p - u->src.p) + 1;
    *column = offset > start ? (uint32_t)utf8_count(str_sub(u->src, start, offset)) + 1 : 1;
}
