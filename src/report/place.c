/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - offsets as lines, columns and display cells. wcwidth(3) depends on the locale, which
 * must not decide where a caret stands; the tables are Unicode's. */
#include "report/place.h"

void line_table_make(struct line_table *t, struct arena *a, struct str text) {
    VEC(uint32_t) starts = {0};
    uint32_t start = 0;
    vec_push(a, &starts, start);
    for (const char *p; (p = memchr(text.p + start, '\n', text.n - start));) {
        start = (uint32_t)(p - text.p) + 1;
        vec_push(a, &starts, start);
    }
    *t = (struct line_table){.text = text, .starts = starts.v, .n = starts.n};
    t->last = (struct columns){SIZE_MAX, 1, 1};
}

size_t line_at(const struct line_table *t, size_t offset) {
    size_t low = 0, high = t->n;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (t->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct str line_text(const struct line_table *t, size_t line) {
    size_t end = line + 1 < t->n ? t->starts[line + 1] - 1 : t->text.n;
    struct str s = str_sub(t->text, t->starts[line], end);
    if (s.n && s.p[s.n - 1] == '\r') s.n--;
    return s;
}

/* Goes on from `c` to an offset of that line, or begins with the line anew. */
static void count_columns(const struct line_table *t, size_t line, size_t offset,
                          struct columns *c) {
    size_t first = t->starts[line];
    if (first == 0) first = text_start(t->text);
    if (c->at < first || c->at > offset) *c = (struct columns){first, 1, 1};
    while (c->at < offset) {
        uint32_t code;
        size_t n = utf8_next(t->text, c->at, &code);
        c->characters++;
        c->utf16 += n == 4 ? 2 : 1;
        c->at += n ? n : 1;
    }
}

/* The column in bytes. */
static uint32_t byte_column(const struct line_table *t, size_t line, size_t offset) {
    size_t first = t->starts[line];
    if (first == 0) first = text_start(t->text);
    return offset > first ? (uint32_t)(offset - first) + 1 : 1;
}

struct place place_of(struct line_table *t, size_t start, size_t end) {
    size_t first = line_at(t, start), last = line_at(t, end);
    count_columns(t, first, start, &t->last);
    struct columns ended = t->last;
    count_columns(t, last, end, &ended);
    return (struct place){.line = (uint32_t)first + 1,
                          .end_line = (uint32_t)last + 1,
                          .column = t->last.characters,
                          .end_column = ended.characters,
                          .utf16 = t->last.utf16,
                          .end_utf16 = ended.utf16,
                          .byte = byte_column(t, first, start),
                          .end_byte = byte_column(t, last, end)};
}

struct span {
    uint32_t from, to;
};

static bool is_in(const struct span *spans, size_t n, uint32_t code) {
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (spans[low + half].to < code) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return spans[low].from <= code && code <= spans[low].to;
}

/* Unicode's East Asian Width W and F, with small gaps closed; the last row ends every search. */
static const struct span wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},    {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},    {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},    {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},    {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},    {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},    {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},    {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},    {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE10, 0xFE19},    {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF},  {0x1AFF0, 0x1B2FF}, {0x1F004, 0x1F004},
    {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},  {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
    {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},  {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA},
    {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},  {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E},
    {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},  {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F567},
    {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},  {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6D2},  {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0},  {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD}, {0x110000, 0x110000}};

/* Marks that stand on the character before them. */
static const struct span combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489},   {0x0591, 0x05BD},    {0x05BF, 0x05C7}, {0x0610, 0x061A},
    {0x064B, 0x065F}, {0x0670, 0x0670},   {0x06D6, 0x06DC},    {0x093C, 0x093C}, {0x0941, 0x0948},
    {0x094D, 0x094D}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A},    {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF},   {0x302A, 0x302D},    {0x3099, 0x309A}, {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}, {0x110000, 0x110000}};

int cell_width(uint32_t code) {
    if (code < 0x300) return 1;
    if (is_in(combining, ARRAY_LEN(combining) - 1, code)) return 0;
    return is_in(wide, ARRAY_LEN(wide) - 1, code) ? 2 : 1;
}
