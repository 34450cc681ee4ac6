/* SPDX-License-Identifier: Apache-2.0 */
/* base.c - arenas, strings, buffers, sorting, UTF-8.
 *
 * The C library's strings end at NUL and its allocations have to be freed one by one; sources
 * hold NUL, and a file's port makes a hundred thousand small values that all end together. Hence
 * views and arenas, as in most compilers; a long jump on the end of memory spares every caller a
 * check. */
#include "base.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- strings ---- */

int str_cmp(struct str a, struct str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool str_like(struct str s, struct str pattern) {
    if (pattern.n > 2 && pattern.p[0] == '*' && pattern.p[pattern.n - 1] == '*')
        return str_find(s, str_sub(pattern, 1, pattern.n - 1), 0) < s.n;
    if (pattern.n && pattern.p[0] == '*') return str_ends(s, str_sub(pattern, 1, pattern.n));
    if (pattern.n && pattern.p[pattern.n - 1] == '*')
        return str_starts(s, str_sub(pattern, 0, pattern.n - 1));
    return str_eq(s, pattern);
}

bool str_listed(struct str s, struct str words) {
    for (size_t i = 0, end; i < words.n; i = end + 1) {
        bool other = s.n && words.p[i] != s.p[0] && words.p[i] != '*'; /* nearly all are */
        for (end = i; end < words.n && words.p[end] != ' ';) end++;
        if (!other && str_like(s, str_sub(words, i, end))) return true;
    }
    return false;
}

size_t str_find(struct str s, struct str needle, size_t from) {
    if (needle.n == 0 || from > s.n || needle.n > s.n - from) return s.n;
    const char *p = needle.n == 1 ? memchr(s.p + from, needle.p[0], s.n - from)
                                  : memmem(s.p + from, s.n - from, needle.p, needle.n);
    return p ? (size_t)(p - s.p) : s.n;
}

size_t str_find_word(struct str s, struct str needle, size_t from) {
    for (size_t at = from; (at = str_find(s, needle, at)) < s.n; at++) {
        size_t end = at + needle.n;
        if ((at == 0 || !is_word_char(s.p[at - 1])) && (end == s.n || !is_word_char(s.p[end])))
            return at;
    }
    return s.n;
}

struct str str_folder(struct str path) {
    while (path.n && path.p[path.n - 1] != '/') path.n--;
    return path;
}

struct str str_folder_above(struct str path) {
    path = str_folder(path);
    if (path.n) path.n--;
    return path;
}

struct str str_last_dotted(struct str s) {
    for (size_t i = s.n; i > 0; i--)
        if (s.p[i - 1] == '.') return str_sub(s, i, s.n);
    return s;
}

bool str_has_lone_cr(struct str s) {
    const char *end = s.p + s.n;
    for (const char *p = s.p; s.n && (p = memchr(p, '\r', (size_t)(end - p))) != NULL; p++)
        if (p + 1 == end || p[1] != '\n') return true;
    return false;
}

uint64_t str_hash(struct str s) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.n; i++) h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
    return h;
}

/* Both halves of a product: every bit of x and y has a say. */
static uint64_t fold(uint64_t x, uint64_t y) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

struct hash128 hash128(struct str s) {
    /* digits of pi, odd */
    static const uint64_t k[4] = {0x243f6a8885a308d3u, 0x13198a2e03707345u, 0xa4093822299f31d1u,
                                  0x082efa98ec4e6c89u};
    uint64_t a = k[0] ^ s.n, b = k[1], word[4];
    while (s.n) {
        size_t n = s.n < sizeof word ? s.n : sizeof word;
        if (n < sizeof word) memset(word, 0, sizeof word);
        memcpy(word, s.p, n);
        a = fold(word[0] ^ k[0] ^ a, word[1] ^ k[1]) + a * k[2];
        b = fold(word[2] ^ k[2] ^ b, word[3] ^ k[3]) + b * k[0];
        s = str_sub(s, n, s.n);
    }
    return (struct hash128){{fold(a ^ k[3], b ^ k[1]), fold(a ^ k[2], b ^ k[0]) ^ a}};
}

size_t str_distance(struct str a, struct str b) {
    enum { MAX = 64 };
    if (a.n > MAX || b.n > MAX) return SIZE_MAX;
    size_t row[3][MAX + 1];
    for (size_t j = 0; j <= b.n; j++) row[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *cur = row[i % 3], *prev = row[(i + 2) % 3], *prev2 = row[(i + 1) % 3];
        cur[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            size_t d = prev[j - 1] + (a.p[i - 1] != b.p[j - 1]);
            if (prev[j] + 1 < d) d = prev[j] + 1;
            if (cur[j - 1] + 1 < d) d = cur[j - 1] + 1;
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1] &&
                prev2[j - 2] + 1 < d)
                d = prev2[j - 2] + 1;
            cur[j] = d;
        }
    }
    return row[a.n % 3][b.n];
}

/* ---- arenas ---- */

struct arena_block {
    struct arena_block *next;
    size_t size;
    char data[] __attribute__((aligned(16)));
};

enum { FIRST_BLOCK = 256 * 1024, MAX_BLOCK = 8 * 1024 * 1024 };

/* AddressSanitizer is told which bytes of a block were handed out, and sees a gap after each. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#else
enum { GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

/* What an allocation of n bytes takes of its block. */
static size_t room(size_t n) { return (((n ? n : 1) + 15) & ~(size_t)15) + GAP; }

static void take_back(struct arena *a, char *from) {
    a->cur = from;
    a->end = a->head ? a->head->data + a->head->size : NULL;
    a->last = NULL;
    if (from) ASAN_POISON_MEMORY_REGION(from, (size_t)(a->end - from));
}

/* For the out-of-memory rehearsal (tests/cli/oom.sh): the N-th block allocation fails. */
static long fail_countdown = -2;

static bool rehearsed_failure(void) {
    if (fail_countdown == -2) {
        const char *z = getenv("CM_ALLOC_FAIL");
        fail_countdown = z ? atol(z) : -1;
    }
    if (fail_countdown > 0) return --fail_countdown == 0;
    return false;
}

static _Noreturn void arena_escape(struct arena *a) {
    if (a->escape) longjmp(*a->escape, 1);
    abort();
}

static void arena_add_block(struct arena *a, size_t need) {
    size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
    if (size > MAX_BLOCK) size = MAX_BLOCK;
    if (size < need) size = need;
    struct arena_block *b = rehearsed_failure() ? NULL : malloc(sizeof *b + size);
    if (!b) arena_escape(a);
    b->next = a->head;
    b->size = size;
    a->head = b;
    take_back(a, b->data);
}

void arena_init(struct arena *a, size_t limit) { *a = (struct arena){.limit = limit}; }

void arena_reset(struct arena *a) {
    while (a->head && a->head->next) {
        struct arena_block *b = a->head;
        a->head = b->next;
        free(b);
    }
    take_back(a, a->head ? a->head->data : NULL);
    a->used = 0;
}

void arena_free(struct arena *a) {
    arena_reset(a);
    free(a->head);
    *a = (struct arena){.limit = a->limit, .escape = a->escape};
}

struct arena_mark arena_mark(struct arena *a) {
    a->last = NULL; /* what is there must not grow into what will be released */
    return (struct arena_mark){a->head, a->cur, a->used};
}

void arena_release(struct arena *a, struct arena_mark mark) {
    while (a->head != mark.head) {
        struct arena_block *b = a->head;
        a->head = b->next;
        free(b);
    }
    take_back(a, mark.cur);
    a->used = mark.used;
}

void *arena_alloc(struct arena *a, size_t n) {
    if (n > SIZE_MAX - 64) arena_escape(a);
    size_t taken = room(n);
    if (a->limit && a->used + taken - GAP > a->limit) arena_escape(a);
    if (!a->cur || taken > (size_t)(a->end - a->cur)) arena_add_block(a, taken);
    a->last = a->cur;
    a->cur += taken;
    a->used += taken - GAP;
    ASAN_UNPOISON_MEMORY_REGION(a->last, n);
    return a->last;
}

void *arena_zalloc(struct arena *a, size_t n) { return memset(arena_alloc(a, n), 0, n); }

void *arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n) {
    if (p && p == a->last && new_n <= (size_t)(a->end - a->last)) {
        char *end = a->last + room(new_n);
        if (end <= a->end) {
            if (end > a->cur) a->used += (size_t)(end - a->cur);
            a->cur = end;
            ASAN_UNPOISON_MEMORY_REGION(p, new_n);
            return p;
        }
    }
    void *q = arena_alloc(a, new_n);
    if (p && old_n) memcpy(q, p, old_n < new_n ? old_n : new_n);
    return q;
}

char *arena_strdup(struct arena *a, struct str s) {
    char *z = arena_alloc(a, s.n + 1);
    if (s.n) memcpy(z, s.p, s.n);
    z[s.n] = 0;
    return z;
}

struct str arena_str(struct arena *a, struct str s) {
    return (struct str){arena_strdup(a, s), s.n};
}

struct str arena_lf_for_cr(struct arena *a, struct str s) {
    char *p = arena_alloc(a, s.n + 16);
    if (s.n) memcpy(p, s.p, s.n);
    memset(p + s.n, 0, 16);
    for (size_t i = 0; i < s.n; i++)
        if (p[i] == '\r' && (i + 1 == s.n || p[i + 1] != '\n')) p[i] = '\n';
    return (struct str){p, s.n};
}

struct str arena_printf(struct arena *a, const char *fmt, ...) {
    struct buf b;
    buf_init(&b, a);
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    return buf_str(&b);
}

struct str arena_concat(struct arena *a, struct str x, struct str y) {
    char *z = arena_alloc(a, x.n + y.n + 1);
    if (x.n) memcpy(z, x.p, x.n);
    if (y.n) memcpy(z + x.n, y.p, y.n);
    z[x.n + y.n] = 0;
    return (struct str){z, x.n + y.n};
}

/* ---- growable arrays ---- */

/* A merge sort: runs of 1, 2, 4 ... items become runs of twice as many. */
void sort_stable(struct arena *a, void *items, size_t n, size_t size,
                 int (*order)(const void *x, const void *y, const void *context),
                 const void *context) {
    if (n < 2) return;
    struct arena_mark mark = arena_mark(a);
    char *v = items, *room = arena_alloc(a, n * size);
    for (size_t run = 1; run < n; run *= 2)
        for (size_t from = 0; n - from > run;) {
            size_t end = n - from > 2 * run ? from + 2 * run : n;
            char *middle = v + (from + run) * size, *to = v + from * size;
            char *left = room, *right = middle, *stop = v + end * size;
            if (order(middle - size, middle, context) > 0) {
                memcpy(room, to, run * size);
                for (; left < room + run * size; to += size) {
                    bool first = right == stop || order(left, right, context) <= 0;
                    memmove(to, first ? left : right, size);
                    *(first ? &left : &right) += size;
                }
            }
            from = end;
        }
    arena_release(a, mark);
}

/* ---- growable text ---- */

void buf_init(struct buf *b, struct arena *a) { *b = (struct buf){.a = a}; }

static void buf_reserve(struct buf *b, size_t more) {
    if (b->cap - b->n > more) return;
    size_t cap = b->cap ? b->cap * 2 : 64;
    while (cap - b->n <= more) cap *= 2;
    b->p = arena_grow(b->a, b->p, b->n, cap);
    b->cap = cap;
}

void buf_add(struct buf *b, struct str s) {
    buf_reserve(b, s.n);
    if (s.n) memcpy(b->p + b->n, s.p, s.n);
    b->n += s.n;
    b->p[b->n] = 0;
}

void buf_addz(struct buf *b, const char *z) { buf_add(b, str_of(z)); }
void buf_addc(struct buf *b, char c) { buf_add(b, (struct str){&c, 1}); }

void buf_vprintf(struct buf *b, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n > 0) {
        buf_reserve(b, (size_t)n);
        vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

void buf_printf(struct buf *b, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

size_t utf8_next(struct str s, size_t i, uint32_t *code) {
    const unsigned char *p = (const unsigned char *)s.p + i;
    size_t left = s.n - i;
    if (left == 0) return 0;
    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }
    size_t n = p[0] >= 0xF0 && p[0] < 0xF5 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC2 ? 2 : 0;
    if (p[0] >= 0xF5 || n == 0 || n > left) return 0;
    uint32_t c = p[0] & (0xFFu >> (n + 1));
    for (size_t k = 1; k < n; k++) {
        if ((p[k] & 0xC0) != 0x80) return 0;
        c = c << 6 | (p[k] & 0x3F);
    }
    if ((n == 3 && c < 0x800) || (n == 4 && c < 0x10000) || c > 0x10FFFF) return 0;
    if (c >= 0xD800 && c < 0xE000) return 0;
    *code = c;
    return n;
}

bool utf8_valid(struct str s) {
    static const uint64_t high = 0x8080808080808080u;
    uint32_t code;
    for (size_t i = 0; i < s.n;) {
        uint64_t eight[4];
        if (s.n - i >= sizeof eight) { /* most text is ASCII */
            memcpy(eight, s.p + i, sizeof eight);
            if (!((eight[0] | eight[1] | eight[2] | eight[3]) & high)) {
                i += sizeof eight;
                continue;
            }
        }
        size_t n = utf8_next(s, i, &code);
        if (n == 0) return false;
        i += n;
    }
    return true;
}

size_t utf8_offset(struct str s, size_t n) {
    size_t i = 0;
    uint32_t code;
    for (; i < s.n && n > 0; n--) {
        size_t bytes = utf8_next(s, i, &code);
        i += bytes ? bytes : 1;
    }
    return i;
}

size_t utf8_count(struct str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.n; n++) i += utf8_offset(str_sub(s, i, s.n), 1);
    return n;
}

void buf_add_json(struct buf *b, struct str s) {
    buf_addc(b, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = utf8_next(s, i, &c);
        if (n == 0) {
            buf_addz(b, "\\ufffd");
            i++;
            continue;
        }
        if (c == '"' || c == '\\')
            buf_printf(b, "\\%c", (int)c);
        else if (c == '\n')
            buf_addz(b, "\\n");
        else if (c == '\t')
            buf_addz(b, "\\t");
        else if (c == '\r')
            buf_addz(b, "\\r");
        else if (c < 0x20 || c == 0x7F)
            buf_printf(b, "\\u%04x", c);
        else
            buf_add(b, str_sub(s, i, i + n));
        i += n;
    }
    buf_addc(b, '"');
}

static void add_key(struct buf *b, const char *key) {
    bool first = b->n && b->p[b->n - 1] == '{';
    buf_printf(b, "%s\"%s\": ", first ? "" : ", ", key);
}

void buf_add_member(struct buf *b, const char *key, struct str value) {
    add_key(b, key);
    buf_add_json(b, value);
}

void buf_add_optional(struct buf *b, const char *key, struct str value) {
    add_key(b, key);
    if (value.n)
        buf_add_json(b, value);
    else
        buf_addz(b, "null");
}

static bool is_hidden(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

void buf_add_visible(struct buf *b, struct str s) {
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = utf8_next(s, i, &c);
        if (n == 0)
            buf_printf(b, "\\x%02x", (unsigned char)s.p[i]);
        else if (c < 0x20 || c == 0x7F)
            buf_printf(b, "\\x%02x", c);
        else if (is_hidden(c))
            buf_printf(b, "\\u{%04x}", c);
        else
            buf_add(b, str_sub(s, i, i + n));
        i += n ? n : 1;
    }
}
