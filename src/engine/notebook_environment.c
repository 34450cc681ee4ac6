/* SPDX-License-Identifier: Apache-2.0 */
/* notebook_environment.c - %env NAME=VALUE as Python: env["NAME"]="VALUE".
 *
 * The magic sets a variable of the environment as a program or a shell does, and rules read it as
 * such. What Python needs beside the magic's own bytes has no place in the file: no edit reaches
 * it, and positions do not count it. */
#include "engine/notebook.h"

/* Puts text that the file does not have into the cell's, before its byte `at`. */
static void insert(struct arena *a, struct nb_cell *c, size_t at, struct str text) {
    char *to = arena_alloc(a, c->text.n + text.n + 64);
    memset(to + c->text.n + text.n, 0, 64);
    memcpy(to, c->text.p, at);
    memcpy(to + at, text.p, text.n);
    memcpy(to + at + text.n, c->text.p + at, c->text.n - at);
    c->text = (struct str){to, c->text.n + text.n};
    struct nb_span added = {.at = (uint32_t)at, .n = (uint32_t)text.n};
    VEC(struct nb_span) spans = {0};
    bool done = false;
    for (size_t i = 0; i < c->spans.n; i++) {
        struct nb_span s = c->spans.v[i], rest = s;
        uint32_t before = s.at < at ? (uint32_t)at - s.at : 0;
        if (before < s.n && before) { /* the same bytes: an escape is none of a magic's */
            s.n = s.json_n = before;
            vec_push(a, &spans, s);
            rest.at += before, rest.json += before, rest.n -= before, rest.json_n -= before;
        }
        if (!done && rest.at >= at) {
            added.json = rest.json;
            vec_push(a, &spans, added);
            done = true;
        }
        if (done) rest.at += (uint32_t)text.n;
        vec_push(a, &spans, rest);
        added.json = rest.json + rest.json_n;
    }
    if (!done) vec_push(a, &spans, added);
    c->spans.v = spans.v, c->spans.n = spans.n, c->spans.cap = spans.cap;
}

/* %env NAME=VALUE, %env NAME VALUE, %env NAME; %set_env is its other name. */
bool notebook_is_environment(struct str line, struct nb_environment *out) {
    size_t name = str_starts(line, S("%env ")) ? 5 : str_starts(line, S("%set_env ")) ? 9 : 0, end;
    while (line.n && strchr(" \t\r", line.p[line.n - 1])) line.n--;
    for (end = name; end < line.n && is_word_char(line.p[end]);) end++;
    if (!name || end == name || (end < line.n && line.p[end] != '=' && line.p[end] != ' '))
        return false;
    for (size_t i = end; i < line.n; i++) /* what IPython fills in, and what would need escapes */
        if (strchr("\"'\\{}$\n", line.p[i])) return false;
    *out = (struct nb_environment){.name = name, .name_end = end, .end = line.n};
    return true;
}

void notebook_spell_environment(struct arena *a, struct nb_cell *c, size_t start, struct str line,
                                const struct nb_environment *e) {
    char *text = (char *)c->text.p + start;
    memcpy(text, line.p + 1, e->name - 2); /* %env X=Y: env["X */
    memcpy(text + e->name - 2, "[\"", 2);
    memcpy(text + e->name, line.p + e->name, e->end - e->name);
    if (e->name_end == e->end) {
        insert(a, c, start + e->end, S("\"]"));
        return;
    }
    text[e->name_end] = '"';
    insert(a, c, start + e->end, S("\""));
    insert(a, c, start + e->name_end + 1, S("]=\""));
}
