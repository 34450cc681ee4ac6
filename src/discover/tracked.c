/* SPDX-License-Identifier: Apache-2.0 */
/* tracked.c - git's index, as far as it says which paths are tracked.
 *
 * A file that was added in spite of .gitignore belongs to the project, so a port must not lose it.
 * Versions 2 to 4 of the index are read, of SHA-1 repositories; a checksum is not looked at, nor
 * the extensions, so that a split index tracks only what its own file lists. */
#include "tracked.h"

#include "base/file.h"

enum {
    MAX_INDEX = 256 * 1024 * 1024,
    HEADER = 12,
    ENTRY = 62, /* before the path: times, ids, mode, size, SHA-1, flags */
    FLAGS = 60,
    EXTENDED = 0x4000
};

static uint32_t read_32(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* How much of the last path goes away, in version 4: 7 bits a byte, the highest says that another
 * one follows. */
static size_t read_offset(struct str s, size_t *at) {
    size_t n = 0;
    for (bool more = true; more && *at < s.n;) {
        unsigned char c = (unsigned char)s.p[(*at)++];
        n = (n << 7) + (c & 127);
        more = c & 128;
        n += more;
    }
    return n;
}

static void read_entries(struct arena *a, struct str s, struct tracked *out) {
    const unsigned char *p = (const unsigned char *)s.p;
    uint32_t version = read_32(p + 4), n = read_32(p + 8);
    struct str last = S("");
    size_t at = HEADER;
    for (uint32_t i = 0; i < n && at + ENTRY < s.n; i++) {
        size_t start = at;
        bool extended = (p[at + FLAGS] << 8 | p[at + FLAGS + 1]) & EXTENDED;
        at += ENTRY + (extended ? 2u : 0u);
        size_t cut = version == 4 ? read_offset(s, &at) : 0;
        if (at >= s.n) return;
        const char *end = memchr(s.p + at, 0, s.n - at);
        if (!end || cut > last.n) return;
        struct str path = str_sub(s, at, (size_t)(end - s.p));
        if (version == 4) path = arena_concat(a, str_sub(last, 0, last.n - cut), path);
        vec_push(a, out, path);
        last = path;
        at = (size_t)(end - s.p) + 1;
        if (version != 4) at = start + (((size_t)(end - s.p) - start) / 8 + 1) * 8;
    }
}

struct str git_folder(struct arena *a, const char *directory) {
    enum { LONGEST = 4096 };
    struct str git = arena_printf(a, "%s/.git", directory), text, error, head = S("gitdir: ");
    if (!file_read(a, git.p, LONGEST, &text, NULL, &error) || !str_starts(text, head)) return git;
    struct str named = str_sub(text, head.n, str_find(text, S("\n"), 0));
    while (named.n && strchr(" \t\r", named.p[named.n - 1])) named.n--;
    return named.n && named.p[0] == '/' ? arena_str(a, named)
                                        : arena_printf(a, "%s/%.*s", directory, STR_ARG(named));
}

void tracked_read(struct arena *a, struct str git, struct tracked *out) {
    struct str text, error;
    struct str path = arena_printf(a, "%.*s/index", STR_ARG(git));
    *out = (struct tracked){0};
    if (!file_read(a, path.p, MAX_INDEX, &text, NULL, &error)) return;
    if (text.n < HEADER || !str_starts(text, S("DIRC"))) return;
    uint32_t version = read_32((const unsigned char *)text.p + 4);
    if (version >= 2 && version <= 4) read_entries(a, text, out);
}

static int order(struct str x, struct str y) {
    size_t n = x.n < y.n ? x.n : y.n;
    int by_bytes = n ? memcmp(x.p, y.p, n) : 0;
    return by_bytes ? by_bytes : (x.n > y.n) - (x.n < y.n);
}

bool tracked_has(const struct tracked *t, struct str path, bool is_directory) {
    size_t low = 0, high = t->n;
    while (low < high) { /* the first path that is not less */
        size_t middle = low + (high - low) / 2;
        if (order(t->v[middle], path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!is_directory) return low < t->n && str_eq(t->v[low], path);
    for (; low < t->n && str_starts(t->v[low], path); low++) {
        struct str found = t->v[low];
        if (found.n > path.n && found.p[path.n] == '/') return true;
        if (found.n > path.n && found.p[path.n] > '/') return false;
    }
    return false;
}
