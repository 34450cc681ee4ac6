/* SPDX-License-Identifier: Apache-2.0 */
/* port_rename.c - `port --rename-ext`: x.cu becomes x.hip or x.mu, as the target's compiler knows
 * its sources by (the fact source_extension), and what includes x.cu includes that. */
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

struct str port_rename_includes(const struct port *port, struct arena *a,
                                const struct port_target *target, const struct source *source,
                                struct str text) {
    struct str extension = extension_of(port, target);
    bool is_cpp = source->language == CM_CUDA || source->language == CM_CPP;
    if (!extension.n || !is_cpp || str_find(text, S(".cu\""), 0) == text.n) return text;
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
