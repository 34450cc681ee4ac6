/* SPDX-License-Identifier: Apache-2.0 */
/* place.h - byte offsets of a file as people and editors count: lines, columns, display cells. */
#ifndef CM_REPORT_PLACE_H
#define CM_REPORT_PLACE_H

#include "base/base.h"

/* From 1; ends are exclusive. A byte that is no UTF-8 counts as one character; a byte order mark
 * counts as none. */
struct place {
    uint32_t line, column, end_line, end_column; /* columns in characters */
    uint32_t utf16, end_utf16;                   /* columns in UTF-16 code units */
    uint32_t byte, end_byte;                     /* columns in bytes */
};

/* Columns of an offset. */
struct columns {
    size_t at;
    uint32_t characters, utf16; /* from 1 */
};

/* Where the lines of a text start. */
struct line_table {
    struct str text;
    const uint32_t *starts;
    size_t n;
    struct columns last; /* of the last place's start: the next may be behind it in a long line */
};

/* The lines of a text, in an arena; the text is not copied. */
void line_table_make(struct line_table *t, struct arena *a, struct str text);
/* The number (from 0) of the line that holds an offset. */
size_t line_at(const struct line_table *t, size_t offset);
/* A line without its line end. */
struct str line_text(const struct line_table *t, size_t line);
/* Quick for ascending places. */
struct place place_of(struct line_table *t, size_t start, size_t end);

/* Cells a character takes on a terminal: 0 (combining), 1, or 2 (wide East-Asian, emoji). */
int cell_width(uint32_t code);

#endif
