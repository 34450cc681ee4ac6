/* SPDX-License-Identifier: Apache-2.0 */
/* diff_lines.c - which lines a unified diff adds. Only that: whether the diff fits the files is
 * the business of whoever made it. */
#include "commands/diff_lines.h"

#include <unistd.h>

/* A name in quotes has the escapes of C, as git writes them. */
static struct str unquoted(struct arena *a, struct str s) {
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 1; i < s.n && s.p[i] != '"'; i++) {
        static const char letters[] = "abtnvfr", values[] = "\a\b\t\n\v\f\r";
        if (s.p[i] != '\\' || i + 1 == s.n) {
            buf_addc(&b, s.p[i]);
            continue;
        }
        const char *letter = strchr(letters, s.p[++i]);
        unsigned octal = 0;
        size_t digits = 0;
        while (digits < 3 && i + digits < s.n && s.p[i + digits] >= '0' && s.p[i + digits] <= '7')
            octal = octal * 8 + (unsigned)(s.p[i + digits++] - '0');
        if (digits == 3) i += 2;
        buf_addc(&b, digits == 3 ? (char)octal : letter ? values[letter - letters] : s.p[i]);
    }
    return buf_str(&b);
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* The file that a name of the diff means; false where there is none (any more). */
static bool find_file(struct diff_file *out, struct arena *a, const struct project *project,
                      struct str name) {
    size_t slash = str_find(name, S("/"), 0);
    struct str names[] = {slash < name.n ? str_sub(name, slash + 1, name.n) : S(""), name};
    struct str bases[] = {project->root, project->current};
    for (size_t n = 0; n < ARRAY_LEN(names); n++)
        for (size_t b = 0; b < ARRAY_LEN(bases) && names[n].n; b++) {
            struct str path = path_absolute(a, bases[b], names[n]);
            if (!exists(path.p)) continue;
            struct str below = path_below(project->current, path);
            *out = (struct diff_file){.path = project_path(project, a, path.p),
                                      .to_open = below.p ? below.p : path.p};
            return true;
        }
    return false;
}

static struct diff_file *file_of(struct diff_lines *d, struct arena *a,
                                 const struct project *project, struct str name) {
    struct diff_file file;
    if (name.n && name.p[0] == '"')
        name = unquoted(a, name);
    else
        name.n = str_find(name, S("\t"), 0); /* diff -u adds the time */
    if (str_is(name, "/dev/null") || !find_file(&file, a, project, name)) return NULL;
    for (size_t i = 0; i < d->files.n; i++)
        if (str_eq(d->files.v[i].path, file.path)) return &d->files.v[i];
    vec_push(a, &d->files, file);
    return &d->files.v[d->files.n - 1];
}

static bool number_at(struct str s, size_t *at, uint32_t *out) {
    size_t start = *at;
    uint64_t n = 0;
    for (; *at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9' && n < UINT32_MAX; ++*at)
        n = n * 10 + (uint64_t)(s.p[*at] - '0');
    *out = (uint32_t)n;
    return *at > start && n < UINT32_MAX;
}

/* "-a,b" or "+a,b"; the count is 1 where it is left out. */
static bool range_at(struct str s, size_t *at, char sign, uint32_t *start, uint32_t *count) {
    if (*at >= s.n || s.p[*at] != sign) return false;
    ++*at;
    if (!number_at(s, at, start)) return false;
    *count = 1;
    if (*at < s.n && s.p[*at] == ',') {
        ++*at;
        return number_at(s, at, count);
    }
    return true;
}

struct hunk {
    uint32_t old_left, new_left, line; /* line: the next one of the new file */
};

static bool read_hunk_header(struct str line, struct hunk *h) {
    size_t at = 3;
    uint32_t start;
    return str_starts(line, S("@@ ")) && range_at(line, &at, '-', &start, &h->old_left) &&
           at++ < line.n && range_at(line, &at, '+', &h->line, &h->new_left);
}

static void add_line(struct diff_file *file, struct arena *a, uint32_t line) {
    if (!file) return;
    struct line_range *last = file->ranges.n ? &file->ranges.v[file->ranges.n - 1] : NULL;
    struct line_range range = {line, line};
    if (last && last->last + 1 == line)
        last->last = line;
    else
        vec_push(a, &file->ranges, range);
}

/* One line inside of a hunk. */
static void read_hunk_line(struct hunk *h, struct str line, struct diff_file *file,
                           struct arena *a) {
    char sign = line.n ? line.p[0] : ' ';
    if (sign == '\\') return; /* No newline at end of file */
    if (sign == '+') add_line(file, a, h->line);
    if (sign != '-' && h->new_left) {
        h->new_left--;
        h->line++;
    }
    if (sign != '+' && h->old_left) h->old_left--;
}

bool diff_lines_read(struct diff_lines *d, struct arena *a, const struct project *project,
                     struct str text, struct str *error) {
    struct diff_file *file = NULL;
    struct hunk h = {0};
    bool any = false, has_text = false;
    *d = (struct diff_lines){0};
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        struct str line = str_sub(text, at, end);
        at = end + 1;
        has_text |= line.n > 0;
        if (h.old_left || h.new_left) {
            read_hunk_line(&h, line, file, a);
        } else if (str_starts(line, S("+++ "))) {
            if (line.p[line.n - 1] == '\r') line.n--;
            file = file_of(d, a, project, str_sub(line, 4, line.n));
        } else if (str_starts(line, S("@@ "))) {
            if (!read_hunk_header(line, &h)) {
                *error = arena_printf(a, "the diff has a hunk that cannot be read: %.*s",
                                      STR_ARG(line));
                return false;
            }
        }
        any |= str_starts(line, S("+++ ")) || str_starts(line, S("diff "));
    }
    *error = S("no unified diff was given");
    return any || !has_text;
}

bool diff_lines_touch(const struct diff_lines *d, struct str path, uint32_t first, uint32_t last) {
    for (size_t i = 0; i < d->files.n; i++) {
        const struct diff_file *f = &d->files.v[i];
        if (!str_eq(f->path, path)) continue;
        for (size_t k = 0; k < f->ranges.n; k++)
            if (f->ranges.v[k].first <= last && first <= f->ranges.v[k].last) return true;
    }
    return false;
}
