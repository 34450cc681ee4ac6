/* SPDX-License-Identifier: Apache-2.0 */
/* escape.c - names and source text made harmless for terminals, logs and XML. */
#include "report/escape.h"

bool is_control(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

/* The old spelling of commands, which CI servers find anywhere in a line. */
static bool is_command_mark(struct str s, size_t i) {
    return str_starts(str_sub(s, i, s.n), S("##["));
}

void add_log_text(struct buf *b, struct str s) {
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = utf8_next(s, i, &c);
        if (is_command_mark(s, i))
            buf_addz(b, "\\x23");
        else if (n > 1 && is_control(c))
            buf_printf(b, "\\u{%04x}", c);
        else
            buf_add_visible(b, str_sub(s, i, i + (n ? n : 1)));
        i += n ? n : 1;
    }
}

void add_log_path(struct buf *b, struct str path) {
    size_t blanks = 0;
    while (blanks < path.n && path.p[blanks] == ' ') blanks++;
    if (str_starts(str_sub(path, blanks, path.n), S("::"))) buf_addz(b, "./");
    add_log_text(b, path);
}

void add_json_text(struct buf *b, struct str s) {
    buf_addc(b, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = utf8_next(s, i, &c);
        if (n == 0)
            buf_addz(b, "\\ufffd");
        else if (c == '"' || c == '\\')
            buf_printf(b, "\\%c", (int)c);
        else if (c == '\n')
            buf_addz(b, "\\n");
        else if (c == '\t')
            buf_addz(b, "\\t");
        else if (is_control(c) || is_command_mark(s, i))
            buf_printf(b, "\\u%04x", c);
        else
            buf_add(b, str_sub(s, i, i + n));
        i += n ? n : 1;
    }
    buf_addc(b, '"');
}

void add_xml_text(struct buf *b, struct str s) {
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = utf8_next(s, i, &c);
        if (n == 0 || c == 0xFFFE || c == 0xFFFF)
            buf_printf(b, "\\x%02x", (unsigned char)s.p[i]);
        else if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' ||
                 is_command_mark(s, i))
            buf_printf(b, "&#%u;", c);
        else
            add_log_text(b, str_sub(s, i, i + n));
        i += n && c != 0xFFFE && c != 0xFFFF ? n : 1;
    }
}

/* `%` starts an escape there; what a terminal minds is made visible before. */
static void add_github(struct buf *b, struct str s, const char *special) {
    struct buf visible;
    buf_init(&visible, b->a);
    add_log_text(&visible, s);
    for (size_t i = 0; i < visible.n; i++) {
        char c = visible.p[i];
        if (c && strchr(special, c))
            buf_printf(b, "%%%02X", (unsigned char)c);
        else
            buf_addc(b, c);
    }
}

void add_github_data(struct buf *b, struct str s) { add_github(b, s, "%\r\n"); }
void add_github_property(struct buf *b, struct str s) { add_github(b, s, "%\r\n:,"); }

void add_uri_path(struct buf *b, struct str path) {
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || (c && strchr("/-._~", c));
        if (is_plain)
            buf_addc(b, (char)c);
        else
            buf_printf(b, "%%%02X", c);
    }
}
