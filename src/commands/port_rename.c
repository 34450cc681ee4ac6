/* SPDX-License-Identifier: Apache-2.0 */
/* port_rename.c - `port --rename-ext`: x.cu becomes x.hip or x.mu, as the target's compiler knows
 * its sources by (the fact source_extension), what includes x.cu includes that, and so do build
 * files that name it. */
#include "base/glob.h"
#include "commands/port.h"

static struct str extension_of(const struct port *port, const struct port_target *target) {
    struct str none = {NULL, 0};
    return port->rename ? cm_target_fact(target->target, "source_extension") : none;
}

struct str port_relative(const struct port *port, struct arena *a,
                         const struct port_target *target, const struct source *s) {
    struct str extension = extension_of(port, target);
    if (!extension.n || s->language != CM_CUDA || !str_ends(s->relative, S(".cu")))
        return s->relative;
    return arena_printf(a, "%.*s%.*s", (int)s->relative.n - 2, s->relative.p, STR_ARG(extension));
}

/* ---- includes of what is renamed ---- */

/* directory/x/../name with neither dots nor links left, by its letters alone. */
static struct str normal_path(struct arena *a, struct str directory, struct str name) {
    struct str both = arena_printf(a, "%.*s%.*s", STR_ARG(directory), STR_ARG(name));
    struct str parts[64];
    size_t n = 0;
    for (size_t at = 0; at <= both.n;) {
        size_t end = str_find(both, S("/"), at);
        struct str part = str_sub(both, at, end);
        at = end + 1;
        if (str_is(part, "..") && n)
            n--;
        else if (part.n && !str_is(part, ".") && n < ARRAY_LEN(parts))
            parts[n++] = part;
    }
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < n; i++) {
        if (i) buf_addc(&b, '/');
        buf_add(&b, parts[i]);
    }
    return buf_str(&b);
}

/* Whether an #include "name" of this source is a file that gets another name. */
static bool is_renamed(const struct port *port, struct arena *a, const struct source *from,
                       struct str name) {
    if (!str_ends(name, S(".cu"))) return false;
    struct str path = normal_path(a, str_folder(from->relative), name);
    for (size_t i = 0; i < port->in.sources.n; i++)
        if (str_eq(port->in.sources.v[i].relative, path)) return true;
    return false;
}

/* The file name between the quotes of an #include that starts at `at`, or an empty string. */
static struct str included_name(struct str text, size_t at) {
    while (at < text.n && strchr(" \t", text.p[at])) at++;
    if (at >= text.n || text.p[at] != '#') return S("");
    for (at++; at < text.n && strchr(" \t", text.p[at]);) at++;
    struct str rest = str_sub(text, at, str_find(text, S("\n"), at));
    if (!str_starts(rest, S("include"))) return S("");
    size_t open = str_find(rest, S("\""), 0), close = str_find(rest, S("\""), open + 1);
    for (size_t i = 7; i < open; i++)
        if (!strchr(" \t", rest.p[i])) return S("");
    return close < rest.n ? str_sub(rest, open + 1, close) : S("");
}

/* Behind the line that starts at `at`; *comment: whether that is inside a block comment. */
static size_t next_line(struct str text, size_t at, bool *comment) {
    char quote = 0;
    for (; at < text.n && text.p[at] != '\n'; at++) {
        struct str rest = str_sub(text, at, text.n);
        if (*comment) {
            *comment = !str_starts(rest, S("*/"));
            at += !*comment;
        } else if (quote) {
            at += text.p[at] == '\\';
            if (at < text.n && text.p[at] == quote) quote = 0;
        } else if (str_starts(rest, S("//"))) {
            return str_find(text, S("\n"), at) + 1;
        } else if (str_starts(rest, S("/*"))) {
            *comment = true;
            at++;
        } else if (text.p[at] == '"' || text.p[at] == '\'') {
            quote = text.p[at];
        }
    }
    return at + 1;
}

static struct str rename_includes(const struct port *port, struct arena *a,
                                  const struct source *source, struct str text,
                                  struct str extension) {
    struct buf b;
    size_t copied = 0;
    bool comment = false;
    buf_init(&b, a);
    for (size_t at = 0; at < text.n;) {
        struct str name = comment ? S("") : included_name(text, at);
        if (name.n && is_renamed(port, a, source, name)) {
            size_t end = (size_t)(name.p - text.p) + name.n - 2;
            buf_add(&b, str_sub(text, copied, end));
            buf_add(&b, extension);
            copied = end + 2;
        }
        at = next_line(text, at, &comment);
    }
    buf_add(&b, str_sub(text, copied, text.n));
    return buf_str(&b);
}

/* ---- build files that name what is renamed ---- */

static bool is_build_file(const struct source *s) {
    struct str name = str_sub(s->relative, str_folder(s->relative).n, s->relative.n);
    return s->language == CM_PROJECT || str_is(name, "setup.py");
}

/* A path as build files write it, behind its variables: ${HERE}/src/x.cu, $(SRC)/x.cu. */
static struct str behind_variables(struct str word) {
    size_t at = 0;
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] == '}' || word.p[i] == ')') at = i + 1;
    while (at < word.n && (word.p[at] == '/' || word.p[at] == '.')) {
        if (word.p[at] == '.' && !str_starts(str_sub(word, at, word.n), S("./")) &&
            !str_starts(str_sub(word, at, word.n), S("../")))
            break;
        at++;
    }
    return str_sub(word, at, word.n);
}

/* Whether the word ends the path of a source that gets another name, is a pattern of such (*.cu,
 * %.cu) or is the extension alone. */
static bool names_renamed(const struct port *port, struct arena *a, struct str word) {
    struct str name = behind_variables(word);
    struct buf b;
    buf_init(&b, a);
    buf_addz(&b, str_is(name, ".cu") ? "**/*" : "**/");
    for (size_t i = 0; i < name.n; i++) buf_addc(&b, name.p[i] == '%' ? '*' : name.p[i]);
    struct str pattern = buf_str(&b);
    for (size_t i = 0; i < port->in.sources.n; i++) {
        const struct source *s = &port->in.sources.v[i];
        if (s->language != CM_CUDA || !str_ends(s->relative, S(".cu"))) continue;
        if (glob_match(pattern, s->relative)) return true;
    }
    return false;
}

static bool is_path_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_-+.%*/${}()", c));
}

/* Where the word begins that ends at `end`; a parenthesis belongs to it where it closes $(..). */
static size_t word_begin(struct str text, size_t end) {
    size_t at = end;
    while (at > 0 && is_path_char(text.p[at - 1])) {
        if (text.p[at - 1] == '(' && (at < 2 || text.p[at - 2] != '$')) break;
        at--;
    }
    return at;
}

/* Whether the line is a comment up to there. */
static bool in_comment(struct str text, size_t at) {
    char quote = 0;
    size_t line = at;
    while (line > 0 && text.p[line - 1] != '\n') line--;
    for (; line < at; line++) {
        char c = text.p[line];
        if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? 0 : c;
        if (c == '#' && !quote) return true;
    }
    return false;
}

static struct str rename_in_build(const struct port *port, struct arena *a, struct str text,
                                  struct str extension) {
    static const struct str old = {".cu", 3};
    struct buf b;
    size_t copied = 0;
    buf_init(&b, a);
    for (size_t at = str_find(text, old, 0); at < text.n; at = str_find(text, old, at + old.n)) {
        size_t end = at + old.n;
        if (end < text.n && is_path_char(text.p[end]) && text.p[end] != ')') continue;
        struct str word = str_sub(text, word_begin(text, at), end);
        if (in_comment(text, at) || !names_renamed(port, a, word)) continue;
        buf_add(&b, str_sub(text, copied, end - 2));
        buf_add(&b, extension);
        copied = end;
    }
    buf_add(&b, str_sub(text, copied, text.n));
    return buf_str(&b);
}

struct str port_rename_names(const struct port *port, struct arena *a,
                             const struct port_target *target, const struct source *source,
                             struct str text) {
    struct str extension = extension_of(port, target);
    if (!extension.n || str_find(text, S(".cu"), 0) == text.n) return text;
    if (source->language == CM_CUDA || source->language == CM_CPP)
        return rename_includes(port, a, source, text, extension);
    return is_build_file(source) ? rename_in_build(port, a, text, extension) : text;
}
