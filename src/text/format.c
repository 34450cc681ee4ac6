/* SPDX-License-Identifier: Apache-2.0 */
/* format.c - how long lines of Python are in a project, by the settings of its formatter. */
#include "text/text.h"

enum { BLACK = 88 }; /* black's lines, and ruff's, where nothing is said */

/* [tool.black] -> tool.black; empty: the line is no section's head. */
static struct str section_of(struct str line) {
    if (!line.n || line.p[0] != '[') return (struct str){0};
    return str_sub(line, 1, str_find(line, S("]"), 1));
}

static size_t number_at(struct str s, size_t at) {
    size_t n = 0;
    while (at < s.n && strchr(" \t=\"',:", s.p[at])) at++;
    for (; at < s.n && s.p[at] >= '0' && s.p[at] <= '9' && n < 1000; at++)
        n = n * 10 + (size_t)(s.p[at] - '0');
    return n;
}

/* line-length = 100; 0: the line says something else. */
static size_t length_of(const struct rules *rules, struct str line) {
    size_t end = str_find(line, S("="), 0), key = end;
    while (key && strchr(" \t", line.p[key - 1])) key--;
    bool is = end < line.n && rules_lists(rules, "python.line_lengths", str_sub(line, 0, key));
    return is ? number_at(line, end) : 0;
}

/* - id: black, and its arguments, of a list of hooks. */
static size_t length_of_hook(struct str src) {
    enum { AROUND = 200 };
    size_t at = str_find(src, S("id: black"), 0), option;
    if (at == src.n) return 0;
    struct str hook = str_sub(src, at, at + AROUND < src.n ? at + AROUND : src.n);
    option = str_find(hook, S("line-length"), 0);
    return option < hook.n ? number_at(hook, option + 11) : BLACK;
}

static void tell(struct buf *out, char prefix, size_t length, bool formats) {
    if (length) buf_printf(out, "%c%zu%c\n", prefix, length, formats ? 'f' : 'c');
}

void text_tell_lines(const struct rules *rules, struct buf *out, char prefix, struct str src) {
    bool formats = false, checks = false, open = false, ahead = true;
    size_t length;
    for (size_t start = 0, end; start < src.n; start = end + 1) {
        end = str_find(src, S("\n"), start);
        struct str line = str_sub(src, start, end), section = section_of(line);
        if (section.n) {
            ahead = false;
            if (open) tell(out, prefix, BLACK, true);
            formats = rules_lists(rules, "python.formatters", section);
            checks = rules_lists(rules, "python.line_checkers", section);
            open = str_is(section, "tool.black") || str_is(section, "tool.ruff");
        }
        if ((length = length_of(rules, line)) == 0) continue;
        if (formats || checks || ahead)
            tell(out, prefix, length, formats || ahead); /* ruff.toml */
        open = false;
    }
    if (open) tell(out, prefix, BLACK, true);
    tell(out, prefix, length_of_hook(src), true);
}
