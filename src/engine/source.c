/* SPDX-License-Identifier: Apache-2.0 */
/* source.c - bytes that may not be text.
 *
 * tree-sitter reads UTF-8. A file in another encoding that says so (PEP 263) is shown to it with
 * every byte that is not ASCII masked by a letter: lengths stay, edits are spliced into the
 * original bytes. */
#include "edit/edit.h"
#include "engine/engine.h"

static bool same_ignoring_case(struct str s, const char *z) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + 32) : s.p[i];
        if (c == '_') c = '-';
        if (z[i] != c) return false;
    }
    return z[s.n] == 0;
}

static struct str line_at(struct str s, size_t i) {
    const char *nl = i < s.n ? memchr(s.p + i, '\n', s.n - i) : NULL;
    return str_sub(s, i < s.n ? i : s.n, nl ? (size_t)(nl - s.p) : s.n);
}

static bool is_encoding_letter(char c) {
    return c == '-' || c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
}

/* The name after `coding:` or `coding=` in a line that holds nothing but a comment, or an empty
 * string. */
static struct str encoding_of_line(struct str line) {
    for (size_t at = 0; (at = str_find(line, S("coding"), at)) < line.n;) {
        at += 6;
        if (at == line.n || (line.p[at] != ':' && line.p[at] != '=')) continue;
        at++;
        while (at < line.n && (line.p[at] == ' ' || line.p[at] == '\t')) at++;
        size_t end = at;
        while (end < line.n && is_encoding_letter(line.p[end])) end++;
        if (end > at) return str_sub(line, at, end);
    }
    return (struct str){0};
}

/* The encoding that the first or second line declares (PEP 263), or an empty string. */
static struct str declared_encoding(struct str src) {
    struct str line = line_at(src, 0);
    for (int i = 0; i < 2; i++, line = line_at(src, (size_t)(line.p - src.p) + line.n + 1)) {
        size_t at = 0;
        while (at < line.n && strchr(" \t\f\r", line.p[at])) at++;
        if (at == line.n) continue;
        if (line.p[at] != '#') break;
        struct str encoding = encoding_of_line(line);
        if (encoding.n) return encoding;
    }
    return (struct str){0};
}

static bool is_utf8_name(struct str e) {
    return same_ignoring_case(e, "utf-8") || same_ignoring_case(e, "utf8") ||
           same_ignoring_case(e, "utf-8-sig") || same_ignoring_case(e, "ascii") ||
           same_ignoring_case(e, "us-ascii");
}

/* In these a byte of an ASCII letter or backslash may be the second half of a character. */
static bool is_double_byte(struct str e) {
    static const char *const names[] = {
        "gbk",       "gb2312",         "gb18030", "cp936", "big5",  "big5-hkscs", "cp950",
        "shift-jis", "shift-jisx0213", "sjis",    "cp932", "johab", "cp949"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (same_ignoring_case(e, names[i])) return true;
    return false;
}

/* Those in which letters of ASCII do not stand for themselves, or not always; "*" is any end. What
 * Python reads there is not what stands there, and may be code inside of a comment. */
static bool is_no_ascii(struct str e) {
    static const char *const names[] = {"unicode-escape",
                                        "unicodeescape",
                                        "raw-unicode-escape",
                                        "rawunicodeescape",
                                        "punycode",
                                        "idna",
                                        "undefined",
                                        "utf-7",
                                        "utf7",
                                        "u7",
                                        "unicode-1-1-*",
                                        "utf-16*",
                                        "utf16*",
                                        "u16",
                                        "utf-32*",
                                        "utf32*",
                                        "u32",
                                        "unicodebig*",
                                        "unicodelittle*",
                                        "rot-13",
                                        "rot13",
                                        "base64*",
                                        "base-64*",
                                        "hex*",
                                        "bz2*",
                                        "zlib*",
                                        "zip",
                                        "quopri*",
                                        "quoted*",
                                        "uu",
                                        "uu-codec",
                                        "hz*",
                                        "iso2022*",
                                        "iso-2022*",
                                        "csiso2022*",
                                        "cp037",
                                        "cp1026",
                                        "cp1140",
                                        "cp273",
                                        "cp424",
                                        "cp500",
                                        "cp864",
                                        "cp875",
                                        "037",
                                        "1026",
                                        "1140",
                                        "273",
                                        "424",
                                        "500",
                                        "864",
                                        "ibm*",
                                        "csibm*",
                                        "ebcdic*",
                                        "mbcs",
                                        "oem",
                                        "ansi",
                                        "dbcs"};
    static const char *const none[] = {"ibm437", "ibm819", "ibm850", "ibm852", "ibm855", "ibm866"};
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        if (same_ignoring_case(e, none[i])) return false;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t n = strlen(names[i]) - 1;
        struct str start = e.n > n ? str_sub(e, 0, n) : e;
        char head[32];
        memcpy(head, names[i], n + 2);
        if (head[n] == '*') head[n] = 0;
        if (same_ignoring_case(names[i][n] == '*' ? start : e, head)) return true;
    }
    return false;
}

static struct str masked(struct unit *u, bool pairs) {
    char *p = arena_alloc(u->a, u->src.n + 64);
    memcpy(p, u->src.p, u->src.n);
    memset(p + u->src.n, 0, 64);
    for (size_t i = 0; i < u->src.n; i++) {
        if ((unsigned char)p[i] < 0x80) continue;
        p[i] = 'x';
        if (pairs && i + 1 < u->src.n && (unsigned char)p[i + 1] >= 0x40) p[++i] = 'x';
    }
    return (struct str){p, u->src.n};
}

void unit_check_text(struct unit *u) {
    struct str s = u->src;
    u->readable = s;
    if (str_is_utf16(s)) {
        unit_note(u, 0, 0, true, S("the file is UTF-16; convert it to UTF-8 to have it ported"));
        return;
    }
    if (s.n && memchr(s.p, 0, s.n)) {
        unit_note(u, 0, 0, true, S("the file holds NUL bytes, so it is not source text"));
    }
}

void unit_check_encoding(struct unit *u) {
    struct str s = u->src;
    unit_check_text(u);
    if (u->refused) return;
    struct str encoding = declared_encoding(s);
    if (encoding.n && is_no_ascii(encoding)) {
        unit_note(u, 0, 0, true,
                  arena_printf(u->a,
                               "the file says that its encoding is %.*s, in which Python "
                               "reads something else than what stands there",
                               STR_ARG(encoding)));
        return;
    }
    if (utf8_valid(s)) return;
    if (encoding.n == 0 || is_utf8_name(encoding)) {
        unit_note(u, 0, 0, true,
                  S("the file is not UTF-8 and no coding line says what it is; Python can't read "
                    "it either"));
        return;
    }
    u->readable = masked(u, is_double_byte(encoding));
}

void source_run_lone_cr(struct unit *u, pipeline *python, struct cm_result *out) {
    struct str original = u->src;
    u->src = arena_lf_for_cr(u->a, original);
    python(u, out);
    bool only_cr = !memchr(original.p, '\n', original.n);
    for (size_t i = 0; i < u->edits.n && only_cr; i++) {
        struct str *text = &u->edits.v[i].text;
        char *p = arena_strdup(u->a, *text);
        for (size_t k = 0; k < text->n; k++)
            if (p[k] == '\n') p[k] = '\r';
        text->p = p;
    }
    out->output = u->edits.n ? edits_apply(u->a, original, u->edits.v, u->edits.n) : original;
}
