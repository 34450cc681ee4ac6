/* SPDX-License-Identifier: Apache-2.0 */
/* notebook_magic.c - what IPython reads and Python does not.
 *
 * Knows as much of Python's lexis as tells where a statement starts: strings, comments, brackets
 * and continued lines. `%` in brackets is an operator, at the start of a statement a magic. */
#include "engine/notebook.h"

static size_t line_end(struct str s, size_t i) {
    const char *nl = i < s.n ? memchr(s.p + i, '\n', s.n - i) : NULL;
    return nl ? (size_t)(nl - s.p) : s.n;
}

enum nb_magic notebook_cell_magic(struct str text) {
    static const char *const python[] = {"time", "timeit", "capture", "prun"};
    size_t i = 0;
    while (i < text.n && (text.p[i] == '\n' || text.p[i] == '\r')) i++;
    if (!str_starts(str_sub(text, i, text.n), S("%%"))) return NB_NONE;
    size_t start = i + 2, end = start;
    while (end < text.n && !strchr(" \t\r\n", text.p[end])) end++;
    for (size_t k = 0; k < ARRAY_LEN(python); k++)
        if (str_is(str_sub(text, start, end), python[k])) return NB_PYTHON;
    return NB_FOREIGN;
}

/* Past the string literal whose opening quote is at i. */
static size_t skip_string(struct str s, size_t i) {
    char quote = s.p[i];
    bool triple = i + 2 < s.n && s.p[i + 1] == quote && s.p[i + 2] == quote;
    size_t quotes = triple ? 3 : 1;
    for (i += quotes; i < s.n; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (!triple && s.p[i] == '\n')
            return i;
        else if (s.p[i] == quote &&
                 (!triple || (i + 2 < s.n && s.p[i + 1] == quote && s.p[i + 2] == quote)))
            return i + quotes;
    }
    return s.n;
}

/* The end of a line for the shell or a magic: a backslash at its end continues it. */
static size_t command_end(struct str s, size_t i) {
    for (;;) {
        size_t end = line_end(s, i), last = end;
        if (last > i && s.p[last - 1] == '\r') last--;
        if (end == s.n || last == i || s.p[last - 1] != '\\') return end;
        i = end + 1;
    }
}

struct hiding {
    char *text;
    hidden_text *report;
    void *ctx;
};

static void hide(const struct hiding *h, size_t start, size_t end) {
    h->report(h->ctx, start, end);
    for (size_t i = start; i < end; i++)
        if (h->text[i] != '\n' && h->text[i] != '\r') h->text[i] = i == start ? '0' : ' ';
}

/* Where the statement of a `%time` or `%timeit` line starts; `end` when it is another line. */
static size_t timed_statement(struct str s, size_t i, size_t end) {
    static const struct str magics[] = {{"%timeit ", 8}, {"%time ", 6}};
    struct str line = str_sub(s, i, end);
    size_t at = str_starts(line, magics[0]) ? 8 : str_starts(line, magics[1]) ? 6 : line.n;
    at = str_skip_blanks(line, at);
    while (at + 1 < line.n && line.p[at] == '-' && strchr("nrpvtcqo", line.p[at + 1])) {
        bool has_value = strchr("nrpv", line.p[at + 1]);
        size_t start = at + 2;
        for (at = start; at < line.n && line.p[at] != ' ' && line.p[at] != '\t';) at++;
        if (has_value && at == start)
            for (at = str_skip_blanks(line, at); at < line.n && line.p[at] != ' ';) at++;
        at = str_skip_blanks(line, at);
    }
    return at < line.n && line.p[at] != '\r' && !str_starts(str_sub(line, at, line.n), S("--"))
               ? i + at
               : end;
}

/* `%time x` becomes `0    ;x`. */
static void hide_timer(const struct hiding *h, size_t start, size_t statement) {
    memset(h->text + start, ' ', statement - start);
    h->text[start] = '0';
    h->text[statement - 1] = ';';
}

/* Whether the `=` at i assigns what the shell or a magic gives. */
static bool assigns_command(struct str s, size_t i) {
    if (i == 0 || strchr("=!<>", s.p[i - 1])) return false;
    size_t value = str_skip_blanks(s, i + 1);
    return value < s.n && (s.p[value] == '!' || s.p[value] == '%');
}

/* Hides what has to be hidden of the statement that starts at `start`; returns its end. */
static size_t hide_in_statement(const struct hiding *h, struct str s, size_t start) {
    size_t depth = 0, i = start;
    char last = 0;
    while (i < s.n && !(s.p[i] == '\n' && depth == 0)) {
        char c = s.p[i];
        if (c == '#') {
            i = line_end(s, i);
        } else if (c == '"' || c == '\'') {
            i = skip_string(s, i);
            last = c;
        } else if (c == '=' && depth == 0 && assigns_command(s, i)) {
            size_t value = str_skip_blanks(s, i + 1), end = command_end(s, value);
            hide(h, value, end);
            return end;
        } else {
            if (c == '\\')
                i += 1 + (i + 2 < s.n && s.p[i + 1] == '\r' && s.p[i + 2] == '\n');
            else if (c == '(' || c == '[' || c == '{')
                depth++;
            else if ((c == ')' || c == ']' || c == '}') && depth)
                depth--;
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n') last = c;
            i++;
        }
    }
    if (i > s.n) i = s.n;
    if (last == '?') hide(h, start, i);
    return i;
}

void notebook_hide_magics(char *text, size_t n, hidden_text *report, void *ctx) {
    struct hiding h = {text, report, ctx};
    struct str s = {text, n};
    for (size_t i = 0; i < n; i++) {
        i = str_skip_blanks(s, i);
        if (i == n) return;
        if (memchr("%!?,;/", s.p[i], 6)) {
            size_t end = command_end(s, i), timed = timed_statement(s, i, end);
            if (timed == end)
                hide(&h, i, end);
            else
                hide_timer(&h, i, timed);
            i = timed == end ? end : hide_in_statement(&h, s, timed);
        } else if (s.p[i] != '\n') {
            i = hide_in_statement(&h, s, i);
        }
    }
}
