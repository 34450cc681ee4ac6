/* SPDX-License-Identifier: Apache-2.0 */
/* base.h - memory, strings and growable arrays: the vocabulary of every other file.
 *
 * Ownership: everything a file's port needs comes from one arena (the tree-sitter tree included),
 * which is reset when the file is done; nothing is freed one by one.
 * Strings are (pointer, length) views; they may hold NUL and are not terminated unless said so.
 * Out of memory, or an arena past its limit, never exits: arena_alloc jumps to arena->escape. */
#ifndef CM_BASE_H
#define CM_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef CM_PRINTF
#define CM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#endif
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* ---- strings ---- */

struct str {
    const char *p;
    size_t n;
};

#define S(literal) ((struct str){(literal), sizeof(literal) - 1})
#define STR_ARG(s) (int)(s).n, (s).p /* for "%.*s" */

static inline struct str str_of(const char *z) { return (struct str){z, z ? strlen(z) : 0}; }
static inline struct str str_sub(struct str s, size_t from, size_t to) {
    return (struct str){s.p + from, to - from};
}
static inline bool str_eq(struct str a, struct str b) {
    if (a.n != b.n) return false; /* most that differ do so in their first byte */
    return a.n == 0 || (a.p[0] == b.p[0] && memcmp(a.p, b.p, a.n) == 0);
}
static inline bool str_is(struct str a, const char *z) {
    if (a.n == 0 || a.p[0] != z[0]) return a.n == 0 && z[0] == 0;
    return str_eq(a, str_of(z));
}
static inline bool str_starts(struct str s, struct str prefix) {
    if (s.n < prefix.n || prefix.n == 0) return s.n >= prefix.n;
    return s.p[0] == prefix.p[0] && memcmp(s.p, prefix.p, prefix.n) == 0;
}
/* Whether a text begins as UTF-16 does. */
static inline bool str_is_utf16(struct str s) {
    return s.n > 1 && (!memcmp(s.p, "\xFF\xFE", 2) || !memcmp(s.p, "\xFE\xFF", 2));
}
static inline bool str_ends(struct str s, struct str suffix) {
    if (s.n < suffix.n || suffix.n == 0) return s.n >= suffix.n;
    return s.p[s.n - 1] == suffix.p[suffix.n - 1] &&
           memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0;
}
/* Whether s is one of the n strings at v. */
static inline bool str_among(const struct str *v, size_t n, struct str s) {
    while (n > 0 && !str_eq(v[n - 1], s)) n--;
    return n > 0;
}
/* Whether s is the pattern; "a*" stands for all that begin with a, "*a" for all that end so, and
 * "*" for everything: a list of operators has no place for it. */
bool str_like(struct str s, struct str pattern);
/* Whether s is like one of the words, which blanks separate. */
bool str_listed(struct str s, struct str words);
/* Byte order, shorter first on a tie: the order of every sorted table and report. */
int str_cmp(struct str a, struct str b);
/* Position of needle in s at or after from, or s.n when it is not there. */
size_t str_find(struct str s, struct str needle, size_t from);
/* The same, where the needle is no part of a longer word: torch is not in torch_musa. */
size_t str_find_word(struct str s, struct str needle, size_t from);
/* Letters, digits and underscores: what a word is made of. */
static inline bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/* The word that begins there; empty: there is none. */
static inline struct str str_word(struct str s, size_t from) {
    size_t end = from;
    while (end < s.n && is_word_char(s.p[end])) end++;
    return str_sub(s, from, end);
}
/* Behind the blanks and tabs that stand there. */
static inline size_t str_skip_blanks(struct str s, size_t from) {
    while (from < s.n && (s.p[from] == ' ' || s.p[from] == '\t')) from++;
    return from;
}
/* Where the line begins that the place is in. */
static inline size_t str_line_start(struct str s, size_t at) {
    while (at > 0 && s.p[at - 1] != '\n') at--;
    return at;
}
/* Everything after the last '.', or the whole string. */
struct str str_last_dotted(struct str s);
/* The folder of a path, with its last '/'; empty: it names none. */
struct str str_folder(struct str path);
/* The folder around a path, without a '/' behind it; empty: there is none. */
struct str str_folder_above(struct str path);
/* Whether a CR stands without an LF after it: a line end to Python, and to nobody else. */
bool str_has_lone_cr(struct str s);
/* 64-bit FNV-1a; the hash of every table in this program, on disk and in memory. */
uint64_t str_hash(struct str s);
/* 128 bits for telling contents apart, about ten bytes a nanosecond; not for secrets, and not the
 * same on machines with another byte order. */
struct hash128 {
    uint64_t v[2];
};
struct hash128 hash128(struct str s);
static inline bool hash128_eq(struct hash128 a, struct hash128 b) {
    return a.v[0] == b.v[0] && a.v[1] == b.v[1];
}
/* Damerau-Levenshtein distance, for "did you mean"; both at most 64 bytes, else SIZE_MAX. */
size_t str_distance(struct str a, struct str b);

/* ---- arenas ---- */

struct arena_block;
struct arena {
    struct arena_block *head; /* newest block */
    char *last;               /* start of the newest allocation, for growing in place */
    char *cur, *end;
    size_t used;     /* bytes handed out since the last reset */
    size_t limit;    /* 0: none; past it arena_alloc escapes */
    jmp_buf *escape; /* where to go when memory ends; NULL: abort() */
};

/* An empty arena; limit: the bytes past which it escapes, 0: none. */
void arena_init(struct arena *a, size_t limit);
/* Forgets every allocation and keeps one block for the next file. */
void arena_reset(struct arena *a);
void arena_free(struct arena *a);
/* A point to go back to: arena_release forgets what was allocated since. */
struct arena_mark {
    struct arena_block *head;
    char *cur;
    size_t used;
};
struct arena_mark arena_mark(struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);
/* 16-byte aligned, not cleared. Never returns NULL. */
void *arena_alloc(struct arena *a, size_t n);
void *arena_zalloc(struct arena *a, size_t n);
/* In place when p was the newest allocation, else a copy. */
void *arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n);
/* A NUL-terminated copy. */
char *arena_strdup(struct arena *a, struct str s);
struct str arena_str(struct arena *a, struct str s);
/* A copy with LF for each lone CR: the same length, followed by 16 readable bytes. */
struct str arena_lf_for_cr(struct arena *a, struct str s);
struct str arena_printf(struct arena *a, const char *fmt, ...) CM_PRINTF(2, 3);
struct str arena_concat(struct arena *a, struct str x, struct str y);

#define NEW(a, type) ((type *)arena_zalloc((a), sizeof(type)))

/* ---- growable arrays: struct { T *v; size_t n, cap; } ---- */

#define VEC(type)                                                                                 \
    struct {                                                                                      \
        type *v;                                                                                  \
        size_t n, cap;                                                                            \
    }
#define vec_push(arena_, vec_, item_)                                                             \
    do {                                                                                          \
        if ((vec_)->n == (vec_)->cap) {                                                           \
            size_t cap_ = (vec_)->cap ? (vec_)->cap * 2 : 8;                                      \
            (vec_)->v = arena_grow((arena_), (vec_)->v, (vec_)->cap * sizeof *(vec_)->v,          \
                                   cap_ * sizeof *(vec_)->v);                                     \
            (vec_)->cap = cap_;                                                                   \
        }                                                                                         \
        (vec_)->v[(vec_)->n++] = (item_);                                                         \
    } while (0)

/* Sorts n items of `size` bytes; equal ones keep their order, which qsort does not promise. The
 * arena lends room; `order` compares as for qsort and gets `context`. */
void sort_stable(struct arena *a, void *items, size_t n, size_t size,
                 int (*order)(const void *x, const void *y, const void *context),
                 const void *context);

/* ---- growable text ---- */

struct buf {
    struct arena *a;
    char *p; /* kept NUL-terminated once anything was added */
    size_t n, cap;
};

/* An empty buffer in an arena; what is added is copied. */
void buf_init(struct buf *b, struct arena *a);
void buf_add(struct buf *b, struct str s);
void buf_addz(struct buf *b, const char *z);
void buf_addc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) CM_PRINTF(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
static inline struct str buf_str(const struct buf *b) { return (struct str){b->p, b->n}; }
/* A JSON string literal with its quotes; bytes that are not UTF-8 become U+FFFD. */
void buf_add_json(struct buf *b, struct str s);
/* A member of a JSON object with a string, behind a comma unless the object has just begun;
 * optional: null where it is empty. */
void buf_add_member(struct buf *b, const char *key, struct str value);
void buf_add_optional(struct buf *b, const char *key, struct str value);
/* Text for a terminal or a log: C0, DEL, C1 and bidi controls written as \xNN or \u{NNNN}. */
void buf_add_visible(struct buf *b, struct str s);

/* Length of the UTF-8 sequence at s[i] (1 to 4), or 0 when the bytes are not UTF-8.
 * *code receives the code point. */
size_t utf8_next(struct str s, size_t i, uint32_t *code);
bool utf8_valid(struct str s);
/* How many characters; a byte that is no UTF-8 counts as one. */
size_t utf8_count(struct str s);
/* The bytes of the first n characters, or all there are. */
size_t utf8_offset(struct str s, size_t n);
/* Where lines and columns are counted from: a byte order mark is no character. */
static inline size_t text_start(struct str s) {
    return s.n >= 3 && memcmp(s.p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

#endif
