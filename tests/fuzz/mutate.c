/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.c - see mutate.h. A place in the text is drawn, then what happens there. */
#include "mutate.h"

#include "base/file.h"
#include "discover/discover.h"

enum { MAX_WAYS = 8, MAX_LINES = 12, MAX_DEPTH = 3000 };

/* ---- numbers ---- */

/* splitmix64 */
static uint64_t random_next(struct randomness *r) {
    uint64_t x = r->state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

size_t random_below(struct randomness *r, size_t n) { return n ? random_next(r) % n : 0; }

/* ---- text ---- */

void text_set(struct text *t, struct str s, enum cm_language language) {
    t->n = s.n < MAX_TEXT ? s.n : MAX_TEXT;
    t->language = language;
    if (t->n) memcpy(t->p, s.p, t->n);
}

void text_replace(struct text *t, size_t start, size_t end, struct str with) {
    if (t->n - (end - start) + with.n > MAX_TEXT) return;
    memmove(t->p + start + with.n, t->p + end, t->n - end);
    if (with.n) memcpy(t->p + start, with.p, with.n);
    t->n = t->n - (end - start) + with.n;
}

static void insert_many(struct text *t, size_t at, struct str s, size_t times) {
    while (times--) text_replace(t, at, at, s);
}

static struct str view(const struct text *t) { return (struct str){t->p, t->n}; }

/* ---- places ---- */

struct span {
    size_t start, end;
};

static size_t line_start(struct str s, size_t at) {
    while (at > 0 && s.p[at - 1] != '\n') at--;
    return at;
}

/* The start of the line after the one that `at` is in. */
static size_t line_end(struct str s, size_t at) {
    size_t end = str_find(s, S("\n"), at);
    return end < s.n ? end + 1 : s.n;
}

static struct span random_lines(struct str s, struct randomness *r, size_t most) {
    size_t at = random_below(r, s.n);
    struct span lines = {line_start(s, at), line_end(s, at)};
    for (size_t more = random_below(r, most); more; more--) lines.end = line_end(s, lines.end);
    return lines;
}

static bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* A word, or one character. */
static struct span random_token(struct str s, struct randomness *r) {
    size_t at = random_below(r, s.n);
    struct span token = {at, at < s.n ? at + 1 : at};
    if (at == s.n || !is_word(s.p[at])) return token;
    while (token.start > 0 && is_word(s.p[token.start - 1])) token.start--;
    while (token.end < s.n && is_word(s.p[token.end])) token.end++;
    return token;
}

/* ---- what is put in ---- */

/* clang-format off */
#define PIECE(literal) {literal, sizeof(literal) - 1}

static struct str random_piece(struct randomness *r) {
    static const struct str pieces[] = {
        /* bytes that text seldom holds */
        PIECE("\0"), PIECE("\r"), PIECE("\r\n"), PIECE("\x80"), PIECE("\xFF\xFE"),
        PIECE("\xEF\xBB\xBF"), PIECE("\xE2\x80\xA8"), PIECE("\f"), PIECE("\t"), PIECE("\n"),
        PIECE("\\"), PIECE("\\\n"), PIECE("\xC3\xA9"), PIECE("\\u00e9"), PIECE("\\ud800"),
        PIECE("\\n"),
        /* ends and beginnings */
        PIECE("("), PIECE(")"), PIECE("["), PIECE("]"), PIECE("{"), PIECE("}"), PIECE("\""),
        PIECE("'"), PIECE("\"\"\""), PIECE("'''"), PIECE("#"), PIECE(":"), PIECE(","), PIECE(";"),
        PIECE("="), PIECE("."), PIECE("*"), PIECE("**"), PIECE("@"), PIECE(":="), PIECE("f\""),
        PIECE("rb'"), PIECE("    "), PIECE(" "),
        /* words of Python */
        PIECE("if 1:\n"), PIECE("else:\n"), PIECE("try:\n"), PIECE("def f(x):\n"),
        PIECE("class C:\n"), PIECE("lambda x: "), PIECE("with a as b:\n"), PIECE("import "),
        PIECE("from "), PIECE(" as "), PIECE("return "), PIECE("global torch\n"),
        PIECE("del torch\n"), PIECE("not "), PIECE("async "), PIECE("match x:\n"),
        PIECE("pass\n"), PIECE("print x\n"), PIECE(" if a else "), PIECE(" for "),
        /* words of ours */
        PIECE("torch"), PIECE("cuda"), PIECE("\"cuda\""), PIECE("'cuda:0'"),
        PIECE("import torch\n"), PIECE("torch.cuda."), PIECE("torch.cuda.is_available()"),
        PIECE(".cuda()"), PIECE(".to('cuda')"), PIECE("from torch.cuda import *\n"),
        PIECE("from torch import cuda\n"), PIECE("device="), PIECE("import torch_npu\n"),
        PIECE("torch.npu"), PIECE("from __future__ import x\n"), PIECE("# cuda-morph: ignore\n"),
        PIECE("# cuda-morph: off\n"), PIECE("# coding: gbk\n"), PIECE("nccl"), PIECE("%%time\n"),
        PIECE("!pip install x\n"), PIECE("torch.device("),
    };
    /* clang-format on */
    return pieces[random_below(r, ARRAY_LEN(pieces))];
}

/* ---- the ways ---- */

typedef void change(struct text *t, const struct seeds *s, struct randomness *r);

static void cut_off(struct text *t, const struct seeds *s, struct randomness *r) {
    (void)s;
    t->n = random_below(r, t->n + 1);
}

static void delete_lines(struct text *t, const struct seeds *s, struct randomness *r) {
    struct span lines = random_lines(view(t), r, 3);
    (void)s;
    text_replace(t, lines.start, lines.end, S(""));
}

/* Copies lines of `from` to a line of t. */
static void copy_lines(struct text *t, struct str from, struct randomness *r) {
    static char copy[MAX_TEXT];
    struct span lines = random_lines(from, r, MAX_LINES);
    struct str text = {copy, lines.end - lines.start};
    if (text.n) memcpy(copy, from.p + lines.start, text.n);
    size_t at = line_start(view(t), random_below(r, t->n + 1));
    text_replace(t, at, at, text);
}

static void repeat_lines(struct text *t, const struct seeds *s, struct randomness *r) {
    (void)s;
    copy_lines(t, view(t), r);
}

static void borrow_lines(struct text *t, const struct seeds *s, struct randomness *r) {
    copy_lines(t, s->v[random_below(r, s->n)].bytes, r);
}

static void swap_lines(struct text *t, const struct seeds *s, struct randomness *r) {
    repeat_lines(t, s, r);
    delete_lines(t, s, r);
}

static void indent_lines(struct text *t, const struct seeds *s, struct randomness *r) {
    struct span lines = random_lines(view(t), r, MAX_LINES);
    bool is_more = random_below(r, 2);
    size_t n = random_below(r, 9);
    (void)s;
    for (size_t at = lines.start; at < lines.end && at < t->n; at = line_end(view(t), at)) {
        size_t blanks = 0;
        while (!is_more && blanks < n && at + blanks < t->n && t->p[at + blanks] == ' ') blanks++;
        if (is_more)
            insert_many(t, at, S(" "), n);
        else
            text_replace(t, at, at + blanks, S(""));
    }
}

static void delete_token(struct text *t, const struct seeds *s, struct randomness *r) {
    struct span token = random_token(view(t), r);
    (void)s;
    text_replace(t, token.start, token.end, S(""));
}

static void replace_token(struct text *t, const struct seeds *s, struct randomness *r) {
    struct span token = random_token(view(t), r);
    struct str other = s->v[random_below(r, s->n)].bytes;
    struct span with = random_token(other, r);
    text_replace(t, token.start, token.end, str_sub(other, with.start, with.end));
}

static void insert_piece(struct text *t, const struct seeds *s, struct randomness *r) {
    (void)s;
    size_t at = random_token(view(t), r).start;
    text_replace(t, at, at, random_piece(r));
}

static void insert_line(struct text *t, const struct seeds *s, struct randomness *r) {
    (void)s;
    size_t at = line_start(view(t), random_below(r, t->n + 1));
    text_replace(t, at, at, random_piece(r));
}

static void nest(struct text *t, const struct seeds *s, struct randomness *r) {
    static const char *const pairs[][2] = {
        {"(", ")"}, {"[", "]"},  {"{", "}"},      {"not ", ""},
        {"-", ""},  {"f(", ")"}, {"", ".cuda()"}, {"x if ", " else y"},
    };
    const char *const *pair = pairs[random_below(r, ARRAY_LEN(pairs))];
    struct span token = random_token(view(t), r);
    size_t depth = random_below(r, random_below(r, 8) ? 20 : MAX_DEPTH);
    (void)s;
    if (random_below(r, 4)) insert_many(t, token.end, str_of(pair[1]), depth);
    insert_many(t, token.start, str_of(pair[0]), depth);
}

/* Every occurrence of one word becomes another one. */
static void rename_word(struct text *t, const struct seeds *s, struct randomness *r) {
    struct span old = random_token(view(t), r), new = random_token(view(t), r);
    char words[2][64];
    size_t n = old.end - old.start, m = new.end - new.start;
    (void)s;
    if (n == 0 || n > sizeof words[0] || m > sizeof words[1]) return;
    memcpy(words[0], t->p + old.start, n);
    memcpy(words[1], t->p + new.start, m);
    for (size_t at = 0; (at = str_find(view(t), (struct str){words[0], n}, at)) < t->n;
         at += m + 1)
        text_replace(t, at, at + n, (struct str){words[1], m});
}

void mutate(struct text *t, const struct seeds *s, struct randomness *r) {
    static change *const changes[] = {
        cut_off,      delete_lines,  repeat_lines, borrow_lines, swap_lines, indent_lines,
        delete_token, replace_token, insert_piece, insert_line,  nest,       rename_word,
    };
    const struct seed *origin = &s->v[random_below(r, s->n)];
    text_set(t, origin->bytes, origin->language);
    for (size_t n = 1 + random_below(r, MAX_WAYS); n; n--)
        changes[random_below(r, ARRAY_LEN(changes))](t, s, r);
}

/* ---- seeds ---- */

void seeds_read(struct seeds *s, struct arena *a, const char *const *paths, size_t n) {
    struct discover_options options = {.no_ignore = true};
    struct discovery found = {0};
    discover(a, &options, paths, n, &found);
    for (size_t i = 0; i < found.n; i++) {
        struct seed seed = {.language = (enum cm_language)found.v[i].language};
        struct str error;
        bool is_ours = seed.language != CM_NONE && seed.language != CM_PROJECT;
        if (is_ours && file_read(a, found.v[i].path.p, MAX_TEXT, &seed.bytes, NULL, &error))
            vec_push(a, s, seed);
    }
}
