/* SPDX-License-Identifier: Apache-2.0 */
/* lined.c - a ported text that says the lines of the original.
 *
 * The port adds lines, the compiler's messages and a debugger's steps shall have the user's: where
 * the numbers part, a #line goes in front of the next line that can have one. Inside of a literal,
 * a comment, brackets (they may be a macro's) or a directive none can. */
#include "nvcc/nvcc.h"

#include <ctype.h>

struct weave {
    struct nv_closure *c;
    const struct nv_file *file;
    struct str text;    /* ported */
    VEC(uint32_t) want; /* [line of it] the line of the original */
    struct buf out;
    size_t i;     /* the next byte of text */
    size_t depth; /* of round brackets */
    bool in_comment, continued, directive;
    struct str raw_end; /* in a raw string: what ends it */
};

/* ---- which line of the original each line is ---- */

static void note_lines(struct weave *w, struct str part, uint32_t *line, bool counts) {
    for (size_t i = 0; i < part.n; i++) {
        if (part.p[i] != '\n') continue;
        *line += counts;
        vec_push(w->c->a, &w->want, *line);
    }
}

/* Applies the edits once more, with an eye on the lines; false: the text is another one. */
static bool map_lines(struct weave *w, struct str input, const struct cm_result *r) {
    struct buf again;
    uint32_t line = 1;
    size_t at = 0;
    buf_init(&again, w->c->a);
    vec_push(w->c->a, &w->want, line);
    for (size_t k = 0; k < r->n_edits; k++) {
        const struct cm_edit *e = &r->edits[k];
        if (e->start < at || e->end < e->start || e->end > input.n) return false;
        note_lines(w, str_sub(input, at, e->start), &line, true);
        buf_add(&again, str_sub(input, at, e->start));
        note_lines(w, e->text, &line, false);
        buf_add(&again, e->text);
        for (size_t i = e->start; i < e->end; i++) line += input.p[i] == '\n';
        if (!again.n || again.p[again.n - 1] == '\n') w->want.v[w->want.n - 1] = line;
        at = e->end;
    }
    note_lines(w, str_sub(input, at, input.n), &line, true);
    buf_add(&again, str_sub(input, at, input.n));
    return str_eq(buf_str(&again), w->text);
}

/* ---- what a line begins in ---- */

static void skip_quoted(struct weave *w, char quote) {
    for (w->i++; w->i < w->text.n && w->text.p[w->i] != quote && w->text.p[w->i] != '\n'; w->i++)
        if (w->text.p[w->i] == '\\' && w->i + 1 < w->text.n && w->text.p[w->i + 1] != '\n') w->i++;
}

static bool begins_raw(const struct weave *w) {
    bool prefix = w->i > 0 && w->text.p[w->i - 1] == 'R';
    return prefix &&
           (w->i < 2 || strchr("uUL8", w->text.p[w->i - 2]) ||
            !(isalnum((unsigned char)w->text.p[w->i - 2]) || w->text.p[w->i - 2] == '_'));
}

/* One byte, or one literal or comment as far as it stands on this line. */
static void step(struct weave *w) {
    struct str t = w->text;
    char c = t.p[w->i], next = w->i + 1 < t.n ? t.p[w->i + 1] : '\0';
    if (w->raw_end.n) {
        if (!str_starts(str_sub(t, w->i, t.n), w->raw_end)) return;
        w->i += w->raw_end.n - 1;
        w->raw_end.n = 0;
    } else if (w->in_comment) {
        if (c != '*' || next != '/') return;
        w->in_comment = false;
        w->i++;
    } else if (c == '/' && next == '*') {
        w->in_comment = true;
        w->i++;
    } else if (c == '/' && next == '/') {
        size_t end = str_find(t, S("\n"), w->i);
        w->i = end - 1;
    } else if (c == '"' && begins_raw(w)) {
        size_t open = str_find(t, S("("), w->i);
        w->raw_end = arena_printf(w->c->a, ")%.*s\"", (int)(open - w->i - 1), t.p + w->i + 1);
        w->i = open;
    } else if (c == '"') {
        skip_quoted(w, c);
    } else if (c == '\'' && !(w->i > 0 && isalnum((unsigned char)t.p[w->i - 1]))) {
        skip_quoted(w, c);
    } else if (!w->directive && c == '(') {
        w->depth++;
    } else if (!w->directive && c == ')' && w->depth) {
        w->depth--;
    }
}

/* Whether a directive may stand in front of the line that begins here. A closing brace in the
 * first column ends a function, whatever an #if has made of its brackets. */
static bool can_stop(struct weave *w) {
    if (w->in_comment || w->raw_end.n || w->continued) return false;
    if (w->text.p[w->i] == '}') w->depth = 0;
    return w->depth == 0;
}

/* ---- writing ---- */

static void add_line_directive(struct weave *w, uint32_t line) {
    buf_printf(&w->out, "#line %u \"", (unsigned)line);
    for (size_t i = 0; i < w->file->path.n; i++) {
        if (strchr("\\\"", w->file->path.p[i])) buf_addc(&w->out, '\\');
        buf_addc(&w->out, w->file->path.p[i]);
    }
    buf_addz(&w->out, "\"\n");
}

/* A line with an #include of the closure: it names the file that it means from where it was. */
static bool add_include(struct weave *w, struct str line) {
    struct nv_directive d;
    size_t at = 0;
    if (!nv_next_include(line, &at, &d)) return false;
    struct str name = str_sub(line, d.start, d.end);
    uint32_t index = nv_included(w->c, w->file, name, d.quoted);
    if (index == UINT32_MAX) return false;
    const struct nv_file *to = &w->c->files.v[index];
    buf_add(&w->out, str_sub(line, 0, d.start - 1));
    struct str path = to->overlay.n ? to->overlay : to->path;
    buf_printf(&w->out, "\"%.*s\"", STR_ARG(path));
    buf_add(&w->out, str_sub(line, d.end + 1, line.n));
    return true;
}

static void write_line(struct weave *w) {
    size_t start = w->i, end = str_find(w->text, S("\n"), start), first = start;
    struct str line = str_sub(w->text, start, end < w->text.n ? end + 1 : end);
    while (first < end && strchr(" \t", w->text.p[first])) first++;
    bool inside = w->in_comment || w->raw_end.n; /* of a comment, or a text of several lines */
    if (!w->continued) w->directive = first < end && w->text.p[first] == '#' && !inside;
    if (!w->directive || inside || w->continued || !add_include(w, line)) buf_add(&w->out, line);
    for (; w->i < end; w->i++) step(w);
    size_t last = end;
    while (last > start && w->text.p[last - 1] == '\r') last--;
    w->continued = last > start && w->text.p[last - 1] == '\\';
    w->i = end + 1;
}

struct str nv_lined(struct nv_closure *c, const struct nv_file *file, struct str input,
                    const struct cm_result *r) {
    struct weave w = {.c = c, .file = file, .text = r->output};
    uint32_t expected = 0;
    buf_init(&w.out, c->a);
    bool mapped = map_lines(&w, input, r);
    w.i = text_start(w.text);
    for (size_t k = 0; w.i < w.text.n; k++) {
        uint32_t want = mapped && k < w.want.n ? w.want.v[k] : (uint32_t)k + 1;
        if (want != expected && can_stop(&w)) {
            add_line_directive(&w, want);
            expected = want;
        }
        write_line(&w);
        expected++;
    }
    return buf_str(&w.out);
}
