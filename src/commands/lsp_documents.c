/* SPDX-License-Identifier: Apache-2.0 */
/* lsp_documents.c - open documents: their text as the editor has it, changed in pieces, and
 * positions in it. */
#include "commands/lsp.h"
#include "discover/discover.h"

#include <stdlib.h>

static struct str copy(struct str s, size_t padding) {
    char *p = calloc(1, s.n + padding + 1);
    if (!p) abort();
    if (s.n) memcpy(p, s.p, s.n);
    return (struct str){p, s.n};
}

struct lsp_document *lsp_document(const struct lsp *lsp, struct str uri) {
    struct lsp_document *d = lsp->documents;
    while (d && !str_eq(d->uri, uri)) d = d->next;
    return d;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* file:///a/b%20c as /a/b c; another URI stays. */
static struct str path_of_uri(struct str uri) {
    if (!str_starts(uri, S("file://"))) return copy(uri, 0);
    size_t start = str_find(uri, S("/"), 7), n = 0;
    struct str path = copy(str_sub(uri, start, uri.n), 0);
    char *p = (char *)path.p;
    for (size_t i = 0; i < path.n; i++) {
        bool escaped = p[i] == '%' && i + 2 < path.n && hex(p[i + 1]) >= 0 && hex(p[i + 2]) >= 0;
        p[n++] = escaped ? (char)(hex(p[i + 1]) * 16 + hex(p[i + 2])) : p[i];
        if (escaped) i += 2;
    }
    p[n] = 0;
    return (struct str){p, n};
}

static void set_text(struct lsp_document *d, struct str text) {
    free((char *)d->text.p);
    d->text = text;
    d->is_known = false;
    d->lines.n = d->lines.cap = 0;
    d->lines.v = NULL;
    d->answers.n = d->answers.cap = 0;
    d->answers.v = NULL;
    arena_reset(&d->a);
}

static bool is_config_name(struct str path) {
    static const char *const names[] = {"/cuda-morph.toml", "/.cuda-morph.toml"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_ends(path, str_of(names[i]))) return true;
    return false;
}

struct lsp_document *lsp_open(struct lsp *lsp, struct str uri, struct str text) {
    struct lsp_document *d = lsp_document(lsp, uri);
    if (!d) {
        d = calloc(1, sizeof *d);
        if (!d) abort();
        arena_init(&d->a, 0);
        d->a.escape = lsp->cli->a->escape;
        d->uri = copy(uri, 0);
        d->path = path_of_uri(uri);
        d->next = lsp->documents;
        lsp->documents = d;
    }
    struct str first = str_sub(text, 0, str_find(text, S("\n"), 0));
    d->language = language_of_name(d->path);
    if (d->language == CM_NONE) d->language = language_of_first_line(first);
    if (d->language == CM_NOTEBOOK) d->language = CM_NONE; /* editors show its cells, not JSON */
    d->is_config = is_config_name(d->path);
    set_text(d, copy(text, FILE_PADDING));
    return d;
}

void lsp_close(struct lsp *lsp, struct lsp_document *d) {
    struct lsp_document **at = &lsp->documents;
    while (*at != d) at = &(*at)->next;
    *at = d->next;
    free((char *)d->uri.p);
    free((char *)d->path.p);
    free((char *)d->text.p);
    arena_free(&d->a);
    free(d);
}

void lsp_change(struct lsp_document *d, size_t start, size_t end, struct str text) {
    size_t n = d->text.n - (end - start) + text.n;
    char *p = calloc(1, n + FILE_PADDING + 1);
    if (!p) abort();
    memcpy(p, d->text.p, start);
    if (text.n) memcpy(p + start, text.p, text.n);
    memcpy(p + start + text.n, d->text.p + end, d->text.n - end);
    set_text(d, (struct str){p, n});
}

/* ---- positions ---- */

/* Lines end with \n, \r\n or \r, as the protocol has it. */
static void find_lines(struct lsp_document *d) {
    if (d->lines.n) return;
    vec_push(&d->a, &d->lines, 0);
    for (size_t i = 0; i < d->text.n; i++) {
        char c = d->text.p[i];
        bool ends = c == '\n' || (c == '\r' && (i + 1 == d->text.n || d->text.p[i + 1] != '\n'));
        if (ends) vec_push(&d->a, &d->lines, (uint32_t)i + 1);
    }
}

static size_t line_number(struct lsp_document *d, size_t byte) {
    find_lines(d);
    size_t low = 0, high = d->lines.n;
    while (high - low > 1) {
        size_t mid = (low + high) / 2;
        if (d->lines.v[mid] <= byte)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Bytes of the character at p, and what the client counts it as. */
static size_t character(const struct lsp *lsp, struct str rest, uint32_t *units) {
    unsigned char c = (unsigned char)rest.p[0];
    size_t n = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (n > rest.n) n = rest.n;
    *units = lsp->utf8 ? (uint32_t)n : n == 4 ? 2 : 1;
    return n;
}

static size_t line_end(struct lsp_document *d, size_t line) {
    size_t end = line + 1 < d->lines.n ? d->lines.v[line + 1] : d->text.n;
    while (end > d->lines.v[line] && strchr("\r\n", d->text.p[end - 1])) end--;
    return end;
}

struct lsp_position lsp_position_of(const struct lsp *lsp, struct lsp_document *d, size_t byte) {
    if (byte > d->text.n) byte = d->text.n;
    size_t line = line_number(d, byte), end = line_end(d, line);
    struct lsp_position p = {(uint32_t)line, 0};
    if (byte > end) byte = end;
    for (size_t at = d->lines.v[line]; at < byte;) {
        uint32_t units;
        at += character(lsp, str_sub(d->text, at, end), &units);
        p.character += units;
    }
    return p;
}

size_t lsp_byte_of(const struct lsp *lsp, struct lsp_document *d, struct lsp_position p) {
    find_lines(d);
    if (p.line >= d->lines.n) return d->text.n;
    size_t at = d->lines.v[p.line], end = line_end(d, p.line);
    for (uint32_t left = p.character, units; at < end && left > 0; left -= units) {
        size_t n = character(lsp, str_sub(d->text, at, end), &units);
        if (units > left) break; /* in the middle of a pair */
        at += n;
    }
    return at;
}

void lsp_add_range(const struct lsp *lsp, struct buf *b, struct lsp_document *d, size_t start,
                   size_t end) {
    struct lsp_position from = lsp_position_of(lsp, d, start), to = lsp_position_of(lsp, d, end);
    buf_printf(b,
               "{\"start\": {\"line\": %u, \"character\": %u}, \"end\": {\"line\": %u, "
               "\"character\": %u}}",
               from.line, from.character, to.line, to.character);
}

void lsp_line_at(struct lsp_document *d, size_t byte, size_t *start, size_t *end) {
    size_t line = line_number(d, byte);
    *start = d->lines.v[line];
    *end = line_end(d, line);
}
