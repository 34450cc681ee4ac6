/* SPDX-License-Identifier: Apache-2.0 */
/* owners.c - CODEOWNERS as GitHub and GitLab read it: a pattern as in .gitignore, then owners; the
 * last pattern that matches counts. Headings of sections are passed over. */
#include "commands/owners.h"

#include "base/file.h"

enum { MAX_OWNERS_BYTES = 3 << 20 };

static struct str trimmed(struct str s) {
    while (s.n && strchr(" \t\r", s.p[0])) s = str_sub(s, 1, s.n);
    while (s.n && strchr(" \t\r", s.p[s.n - 1])) s.n--;
    return s;
}

static void add_line(struct owners *o, struct arena *a, struct str line) {
    size_t comment = str_find(line, S(" #"), 0);
    line = trimmed(str_sub(line, 0, comment));
    if (!line.n || line.p[0] == '#' || line.p[0] == '[' || str_starts(line, S("^["))) return;
    size_t end = 0;
    while (end < line.n && !strchr(" \t", line.p[end])) end += line.p[end] == '\\' ? 2 : 1;
    if (end > line.n) end = line.n;
    struct str pattern = str_sub(line, 0, end);
    struct owner_rule rule = {.owners = trimmed(str_sub(line, end, line.n)),
                              .files_only = str_ends(pattern, S("/*"))};
    struct glob_rule one;
    if (!glob_parse_rule(pattern, &one) || one.negated) return;
    vec_push(a, &rule.pattern, one);
    vec_push(a, &o->rules, rule);
}

void owners_read(struct owners *o, struct arena *a, const struct project *project) {
    static const char *const names[] = {".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS",
                                        ".gitlab/CODEOWNERS"};
    struct str text, error;
    *o = (struct owners){0};
    for (size_t i = 0; i < ARRAY_LEN(names) && !o->path.n; i++) {
        struct str path = arena_printf(a, "%.*s/%s", STR_ARG(project->root), names[i]);
        if (!file_read(a, path.p, MAX_OWNERS_BYTES, &text, NULL, &error)) continue;
        o->path = str_of(names[i]);
        for (size_t at = 0; at < text.n;) {
            size_t end = str_find(text, S("\n"), at);
            add_line(o, a, str_sub(text, at, end));
            at = end + 1;
        }
    }
}

struct str owners_of(const struct owners *o, struct str path) {
    for (size_t i = o->rules.n; i-- > 0;) {
        const struct owner_rule *r = &o->rules.v[i];
        bool matches = r->files_only ? glob_decide(&r->pattern, path, false) == GLOB_MATCH
                                     : glob_covers(&r->pattern, path, false);
        if (matches) return r->owners;
    }
    return S("");
}

struct str owners_group(const struct owners *o, struct str path) {
    struct str owners = owners_of(o, path);
    size_t end = 0;
    while (end < owners.n && !strchr(" \t", owners.p[end])) end++;
    if (end) return str_sub(owners, 0, end);
    size_t slash = str_find(path, S("/"), 0);
    return slash < path.n ? str_sub(path, 0, slash + 1) : S(".");
}
