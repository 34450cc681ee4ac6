/* SPDX-License-Identifier: Apache-2.0 */
/* tell.c - what a file tells the others of its tree: lines, one letter (enum cu_told) and a text.
 *
 * It is found by a look at lines that costs next to nothing: every file of a tree is read for it.
 * Only a file that defines names of rules for itself is read as tokens, to know whether they are
 * there in any case. */
#include "cuda/cu.h"

static void tell(struct buf *b, char what, struct str text) {
    buf_addc(b, what);
    buf_add(b, text);
    buf_addc(b, '\n');
}

/* What is being read, and the names of rules that it defines, where they stand in it. */
struct teller {
    struct buf *b;
    const struct rules *rules;
    VEC(struct str) names;
    bool layer;
};

static void add_name(struct teller *t, struct str name) { vec_push(t->b->a, &t->names, name); }

/* Tells of the names those that are there in any case: others are ported with their uses. */
static void tell_names(struct teller *t, struct str src) {
    struct cu f = {.a = t->b->a, .src = src, .rules = t->rules};
    if (t->names.n) cu_lex(&f);
    for (uint32_t n = 0, i = 0; n < t->names.n; n++) {
        struct str name = t->names.v[n];
        while (i < f.tokens.n && f.tokens.v[i].start < (size_t)(name.p - src.p)) i++;
        if (i < f.tokens.n && !cu_optional_branch(&f, i)) tell(t->b, TELLS_NAME, name);
    }
}

/* `#define NAME 32` and `constexpr int NAME = 32;`: numbers that can be the width of a warp, one
 * less than it, or its logarithm. */
static void tell_width(struct buf *b, struct str line) {
    static const char *const numbers[] = {"32", "31", "5"};
    struct str name = {0};
    size_t at = str_find(line, S("="), 0);
    if (str_starts(line, S("#define "))) {
        name = str_word(line, str_skip_blanks(line, S("#define ").n));
        at = (size_t)(name.p + name.n - line.p);
    } else if (at < line.n) {
        size_t end = at;
        while (end > 0 && line.p[end - 1] == ' ') end--;
        for (name.p = line.p + end; name.p > line.p && is_word_char(name.p[-1]); name.n++)
            name.p--;
        at++;
    }
    struct str value = at < line.n ? str_word(line, str_skip_blanks(line, at)) : name;
    size_t end = str_skip_blanks(line, (size_t)(value.p + value.n - line.p));
    if (end < line.n && line.p[end] != ';' && line.p[end] != '/') return;
    for (size_t k = 0; name.n && k < ARRAY_LEN(numbers); k++)
        if (str_is(value, numbers[k]))
            buf_printf(b, "%c%s %.*s\n", TELLS_WIDTH, numbers[k], STR_ARG(name));
}

static void tell_include(struct buf *b, const struct rules *rules, struct str path, bool angled) {
    bool official = cu_is_official_header(rules, path);
    if (angled && (official || cu_is_standard_header(rules, path))) return;
    tell(b, angled ? TELLS_ANGLED : official ? TELLS_OFFICIAL : TELLS_QUOTED, path);
}

static void tell_directive(struct teller *t, struct str line) {
    struct buf *b = t->b;
    const struct rules *rules = t->rules;
    struct str word = str_word(line, str_skip_blanks(line, 1));
    if (!word.n) return;
    size_t at = str_skip_blanks(line, (size_t)(word.p + word.n - line.p));
    if (str_is(word, "define") && cu_is_rule_name(rules, str_word(line, at))) {
        struct str name = str_word(line, at);
        if (!cu_is_compilers_macro(rules, name)) add_name(t, name);
        at += name.n;
        t->layer |= cu_is_vendors_name(rules, str_word(line, str_skip_blanks(line, at)));
        return;
    }
    if (!str_is(word, "include") || at >= line.n || !strchr("\"<", line.p[at])) return;
    size_t end = str_find(line, line.p[at] == '<' ? S(">") : S("\""), at + 1);
    if (end < line.n) tell_include(b, rules, str_sub(line, at + 1, end), line.p[at] == '<');
}

/* `typedef T name;` and `using name = T;`. A T that is CUDA's own only says again what CUDA says:
 * `typedef struct CUstream_st *cudaStream_t;`. */
static void tell_alias(struct teller *t, struct str text) {
    const struct rules *rules = t->rules;
    enum { FAR = 200 };
    size_t end = str_find(text, S(";"), 0), names = 0;
    if (end == text.n || end > FAR || memchr(text.p, '(', end) || memchr(text.p, '{', end)) return;
    bool is_using = text.p[0] == 'u';
    struct str first = {0}, last = {0};
    for (size_t i = 0; i < end;) {
        struct str word = str_word(text, i);
        i += word.n + (word.n == 0);
        if (!word.n || word.p == text.p) continue;
        if (!first.n) first = word;
        last = word;
        names += cu_is_rule_name(rules, word);
    }
    struct str made = is_using ? first : last;
    if (names == 1 && cu_is_rule_name(rules, made)) add_name(t, made);
}

/* Past a comment or a literal at i, or i. */
static size_t skip_text(struct str src, size_t i) {
    if (src.p[i] == '/' && i + 1 < src.n && src.p[i + 1] == '/') return str_find(src, S("\n"), i);
    if (src.p[i] == '/' && i + 1 < src.n && src.p[i + 1] == '*')
        return str_find(src, S("*/"), i + 2);
    if (src.p[i] != '"' && src.p[i] != '\'') return i;
    for (size_t end = i + 1; end < src.n && src.p[end] != '\n'; end++) {
        if (src.p[end] == '\\')
            end++;
        else if (src.p[end] == src.p[i])
            return end;
    }
    return i;
}

/* `class X ... { ... T name(...) ... }` from `class` or `struct` on. */
static void tell_members(struct buf *b, const struct rules *rules, struct str src, size_t at) {
    enum { FAR = 300 };
    struct str class = str_word(src, str_skip_blanks(src, at + str_word(src, at).n));
    size_t i = class.n ? (size_t)(class.p - src.p) + class.n : src.n, from = i;
    while (i < src.n && i < from + FAR && !strchr("{;(=", src.p[i])) i++;
    if (i == src.n || src.p[i] != '{') return;
    int depth = 0;
    for (bool typed = false; i < src.n; i++) {
        i = skip_text(src, i);
        if (i >= src.n) return;
        char c = src.p[i];
        depth += (c == '{' || c == '(') - (c == '}' || c == ')');
        if (depth == 0) return;
        struct str word = depth == 1 ? str_word(src, i) : (struct str){0};
        if (!word.n) {
            typed = strchr(" \t\r\n*&>", c) && typed;
            continue;
        }
        i += word.n - 1;
        size_t next = str_skip_blanks(src, i + 1);
        if (typed && next < src.n && src.p[next] == '(' &&
            (cu_is_rule_name(rules, word) || cu_is_rule_member(rules, word)))
            buf_printf(b, "%c%.*s:%.*s\n", TELLS_MEMBER, STR_ARG(class), STR_ARG(word));
        typed = !str_is(word, "return");
    }
}

void cu_tell(struct buf *b, const struct rules *rules, struct str src) {
    struct teller t = {.b = b, .rules = rules};
    if (str_find(src, S(CU_DEVICE_WORD), 0) < src.n) tell(b, TELLS_DEVICE, S(""));
    for (size_t at = 0; at < src.n;) {
        size_t start = str_skip_blanks(src, at), end = str_find(src, S("\n"), start);
        struct str line = str_sub(src, start, end);
        if (line.n && line.p[0] == '#') tell_directive(&t, line);
        if (str_starts(line, S("#define ")) || str_starts(line, S("const")) ||
            str_starts(line, S("static const")) || str_starts(line, S("inline constexpr")))
            tell_width(b, line);
        if (str_starts(line, S("typedef ")) || str_starts(line, S("using ")))
            tell_alias(&t, str_sub(src, start, src.n));
        if (str_starts(line, S("class ")) || str_starts(line, S("struct ")))
            tell_members(b, rules, src, start);
        at = end + 1;
    }
    if (t.layer) tell(b, TELLS_LAYER, S(""));
    tell_names(&t, src);
}
