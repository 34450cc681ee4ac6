/* SPDX-License-Identifier: Apache-2.0 */
/* lex.c - C++ tokens, as far as porting needs them: where each starts and ends, what is comment,
 * string or directive, and which bracket belongs to which. */
#include "cuda/cu.h"

static const unsigned char is_word[256] = {['0' ... '9'] = 1, ['A' ... 'Z'] = 1,
                                           ['a' ... 'z'] = 1, ['_'] = 1,
                                           ['$'] = 1,         [0x80 ... 0xFF] = 1};

static const char *const node_names[] = {[CK_OTHER] = NULL, [CK_ERROR] = "ERROR"};
const struct kind_table cu_kind_table = {node_names, CK_KINDS, CK_ERROR};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Numbers, and the names of directives, are in every file. */
static bool says_much(const unsigned char *start, const unsigned char *end) {
    struct str word = {(const char *)start, (size_t)(end - start)};
    return word.n && !is_digit(word.p[0]) && !str_is(word, "define") && !str_is(word, "include");
}

/* The length of what opens a launch at i, or 0: `<<<`, and `<< <` or `< <<`, which some formatter
 * made of it. Nothing else in C++ is written so. */
static size_t launch_mark(struct str s, size_t i) {
    size_t end = i, brackets = 0;
    while (end < s.n && (s.p[end] == '<' || (brackets && strchr(" \t", s.p[end])))) {
        brackets += s.p[end++] == '<';
        if (brackets == 3) return end - i;
    }
    return 0;
}

/* Whether a string ends where the word at `start` begins, as far as its line tells. */
static bool is_suffix(const unsigned char *text, const unsigned char *start) {
    const unsigned char *p = start - 1;
    bool opened = false;
    if (start == text || *p != '"') return false;
    while (p > text && p[-1] != '\n') p--;
    for (; p + 1 < start; p++) {
        if (*p == '\\')
            p++;
        else
            opened ^= *p == '"';
    }
    return p < start && opened;
}

bool cu_prefilter(const struct rules *rules, struct str src) {
    const unsigned char *text = (const unsigned char *)src.p, *p = text, *end = p + src.n;
    while (p < end) {
        while (p < end && !is_word[*p]) p++;
        const unsigned char *start = p;
        while (p < end && is_word[*p]) p++;
        if (p > start && p + 1 < end && p[0] == '\\' && (p[1] == '\n' || p[1] == '\r'))
            return true; /* it may be one more part of a name */
        if (p > start && is_suffix(text, start)) return true;
        if (says_much(start, p) &&
            rules_is_anchor(rules, RL_CUDA, (struct str){(const char *)start, (size_t)(p - start)},
                            NULL))
            return true;
    }
    for (size_t i = 0; (i = str_find(src, S("<<"), i)) < src.n; i++)
        if (launch_mark(src, i)) return true;
    return false;
}

struct lexer {
    struct cu *f;
    struct str s;
    size_t i;
    bool line_start;    /* only blanks and comments since the line break */
    uint32_t directive; /* index + 1, while in one */
};

static char at(const struct lexer *l, size_t i) { return i < l->s.n ? l->s.p[i] : 0; }

/* Length of a backslash and the line break after it, or 0. */
static size_t continuation(const struct lexer *l, size_t i) {
    if (at(l, i) != '\\') return 0;
    if (at(l, i + 1) == '\n') return 2;
    return at(l, i + 1) == '\r' && at(l, i + 2) == '\n' ? 3 : 0;
}

static void push(struct lexer *l, size_t start, enum cu_kind kind) {
    struct cu_token t = {(uint32_t)start, (uint32_t)l->i, NO_NODE, l->directive, (uint8_t)kind, 0};
    vec_push(l->f->a, &l->f->tokens, t);
    l->line_start = false;
}

static void push_comment(struct lexer *l, size_t start) {
    struct byte_range r = {(uint32_t)start, (uint32_t)l->i};
    vec_push(l->f->a, &l->f->comments, r);
}

static void line_comment(struct lexer *l) {
    size_t start = l->i;
    while (l->i < l->s.n && l->s.p[l->i] != '\n')
        l->i += continuation(l, l->i) ? continuation(l, l->i) : 1;
    size_t end = l->i;
    if (end > start && l->s.p[end - 1] == '\r') l->i--;
    push_comment(l, start);
    l->i = end;
}

static void block_comment(struct lexer *l) {
    size_t start = l->i, end = str_find(l->s, S("*/"), l->i + 2);
    l->i = end < l->s.n ? end + 2 : l->s.n;
    push_comment(l, start);
}

/* Past a literal whose opening quote is at l->i; one that isn't closed ends with its line. */
static void quoted(struct lexer *l) {
    char quote = l->s.p[l->i++];
    while (l->i < l->s.n) {
        char c = l->s.p[l->i];
        size_t joined = continuation(l, l->i);
        if (joined)
            l->i += joined;
        else if (c == '\\')
            l->i += l->i + 1 < l->s.n ? 2 : 1;
        else if (c == '\n')
            return;
        else if (l->i++, c == quote)
            return;
    }
}

/* R"delimiter( ... )delimiter" whose quote is at l->i. */
static void raw(struct lexer *l) {
    size_t open = l->i + 1;
    while (open < l->s.n && open - l->i <= 17 && l->s.p[open] != '(' && l->s.p[open] != '\n')
        open++;
    if (at(l, open) != '(') {
        quoted(l);
        return;
    }
    struct str delimiter = str_sub(l->s, l->i + 1, open);
    for (size_t end = open; (end = str_find(l->s, S(")"), end + 1)) < l->s.n;) {
        size_t quote = end + 1 + delimiter.n;
        if (at(l, quote) != '"' || !str_eq(str_sub(l->s, end + 1, quote), delimiter)) continue;
        l->i = quote + 1;
        return;
    }
    l->i = l->s.n;
}

static void number(struct lexer *l) {
    while (l->i < l->s.n) {
        char c = l->s.p[l->i], next = at(l, l->i + 1);
        bool sign = strchr("eEpP", c) && (next == '+' || next == '-');
        if (sign)
            l->i += 2;
        else if (is_word[(unsigned char)c] || c == '.' ||
                 (c == '\'' && is_word[(unsigned char)next]))
            l->i++;
        else
            return;
    }
}

static bool is_prefix(struct str word, bool *is_raw) {
    static const char *const prefixes[] = {"u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"};
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (str_is(word, prefixes[i])) {
            *is_raw = word.p[word.n - 1] == 'R';
            return true;
        }
    return false;
}

static bool is_word_at(const struct lexer *l, size_t i) {
    return i < l->s.n && is_word[(unsigned char)l->s.p[i]];
}

/* Where the word at `i` ends, and after it the line splice, if the name goes on behind one. */
static size_t word_end(const struct lexer *l, size_t i, size_t *splice) {
    while (is_word_at(l, i)) i++;
    *splice = continuation(l, i);
    if (!is_word_at(l, i + *splice)) *splice = 0;
    return i;
}

/* Gives the last token a text other than its bytes. */
static void spell(struct lexer *l, struct str text) {
    struct cu *f = l->f;
    if (f->spliced.n == UINT16_MAX) return;
    vec_push(f->a, &f->spliced, text);
    f->tokens.v[f->tokens.n - 1].spliced = (uint16_t)f->spliced.n;
}

/* A name with line splices in it. */
static void spliced_word(struct lexer *l) {
    struct cu *f = l->f;
    struct buf text;
    buf_init(&text, f->a);
    size_t start = l->i, from = start, splice;
    do {
        l->i = word_end(l, from, &splice);
        buf_add(&text, str_sub(l->s, from, l->i));
        from = l->i + splice;
    } while (splice);
    push(l, start, CU_WORD);
    spell(l, buf_str(&text));
}

static void word(struct lexer *l) {
    size_t start = l->i, splice, end = word_end(l, start, &splice);
    bool is_raw;
    if (splice) {
        spliced_word(l);
        return;
    }
    l->i = end;
    char quote = at(l, l->i);
    if ((quote == '"' || quote == '\'') && is_prefix(str_sub(l->s, start, l->i), &is_raw)) {
        if (is_raw && quote == '"')
            raw(l);
        else
            quoted(l);
        push(l, start, quote == '"' ? CU_STRING : CU_CHAR);
        return;
    }
    push(l, start, CU_WORD);
}

static void punctuation(struct lexer *l) {
    static const char *const operators[] = {
        "...", "->*", "<<=", "::", "->", "<<", "<=", ">=", "==", "!=", "&&", "||",
        "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
    size_t start = l->i, length = 1, launch = launch_mark(l->s, start);
    if (launch) {
        l->i += launch;
        push(l, start, CU_PUNCT);
        if (launch > 3) spell(l, S("<<<"));
        return;
    }
    struct str rest = str_sub(l->s, start, l->s.n);
    for (size_t i = 0; i < ARRAY_LEN(operators); i++)
        if (rest.p[0] == operators[i][0] && str_starts(rest, str_of(operators[i]))) {
            length = strlen(operators[i]);
            break;
        }
    l->i += length;
    push(l, start, CU_PUNCT);
}

/* ---- directives ---- */

static enum cu_directive_kind directive_kind(struct str name) {
    static const struct {
        const char *name;
        enum cu_directive_kind kind;
    } kinds[] = {{"include", CD_INCLUDE}, {"include_next", CD_INCLUDE},
                 {"import", CD_INCLUDE},  {"define", CD_DEFINE},
                 {"undef", CD_UNDEF},     {"if", CD_IF},
                 {"ifdef", CD_IF},        {"ifndef", CD_IF},
                 {"elif", CD_ELIF},       {"elifdef", CD_ELIF},
                 {"elifndef", CD_ELIF},   {"else", CD_ELSE},
                 {"endif", CD_ENDIF}};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_is(name, kinds[i].name)) return kinds[i].kind;
    return CD_OTHER;
}

static void blanks(struct lexer *l) {
    for (;;) {
        size_t joined = continuation(l, l->i);
        if (joined)
            l->i += joined;
        else if (l->i < l->s.n && (l->s.p[l->i] == ' ' || l->s.p[l->i] == '\t'))
            l->i++;
        else
            return;
    }
}

/* The path of an #include, or the text of an #error, which is no C++. */
static void directive_operand(struct lexer *l, enum cu_directive_kind kind, struct str name) {
    blanks(l);
    size_t start = l->i;
    if (kind == CD_INCLUDE && (at(l, l->i) == '<' || at(l, l->i) == '"')) {
        char close = at(l, l->i) == '<' ? '>' : '"';
        while (l->i < l->s.n && l->s.p[l->i] != '\n' && (l->i == start || l->s.p[l->i] != close))
            l->i++;
        if (at(l, l->i) == close) l->i++;
        push(l, start, CU_HEADER);
    } else if (str_is(name, "error") || str_is(name, "warning")) {
        while (l->i < l->s.n && l->s.p[l->i] != '\n')
            l->i += continuation(l, l->i) ? continuation(l, l->i) : 1;
        if (l->i > start) push(l, start, CU_TEXT);
    }
}

/* Whether what follows is the operand of __has_include(. */
static bool asks_for_header(const struct lexer *l) {
    const struct cu *f = l->f;
    size_t n = f->tokens.n;
    return l->directive && n > 2 && cu_is(f, (uint32_t)n - 1, "(") &&
           str_starts(cu_text(f, (uint32_t)n - 2), S("__has_include"));
}

/* A path in angle brackets, up to the line's end at most. */
static void angled(struct lexer *l, enum cu_kind kind) {
    size_t start = l->i;
    while (l->i < l->s.n && l->s.p[l->i] != '\n' && l->s.p[l->i] != '>') l->i++;
    if (at(l, l->i) == '>') l->i++;
    push(l, start, kind);
}

/* Whether what follows, in angle brackets, is a file's name and all that a macro stands for. */
static bool names_header(const struct lexer *l) {
    const struct cu *f = l->f;
    const struct cu_directive *d = l->directive ? &f->directives.v[l->directive - 1] : NULL;
    bool dotted = false;
    if (!d || d->kind != CD_DEFINE || f->tokens.n != d->first + 3) return false;
    size_t i = l->i + 1;
    for (; i < l->s.n && l->s.p[i] != '>'; i++) {
        if (!is_word[(unsigned char)l->s.p[i]] && !strchr("./-+", l->s.p[i])) return false;
        dotted |= l->s.p[i] == '.';
    }
    for (i++; i < l->s.n && strchr(" \t\r", l->s.p[i]); i++) continue;
    return dotted && (i >= l->s.n || l->s.p[i] == '\n' || l->s.p[i] == '/');
}

/* Strings that are files' names, as an #include of the file asks for them by a macro. */
static void find_named(struct cu *f) {
    VEC(struct str) asked = {0};
    uint64_t may[64] = {0}; /* the names, a bit for each: most defines have none of them */
    for (size_t n = 0; n < f->directives.n; n++) {
        const struct cu_directive *d = &f->directives.v[n];
        if (d->kind != CD_INCLUDE || d->last != d->first + 3 || !cu_is_word(f, d->first + 2))
            continue;
        uint32_t bit = cu_word_bit(cu_text(f, d->first + 2));
        may[bit / 64] |= (uint64_t)1 << bit % 64;
        vec_push(f->a, &asked, cu_text(f, d->first + 2));
    }
    for (size_t n = 0; n < f->directives.n && asked.n; n++) {
        const struct cu_directive *d = &f->directives.v[n];
        if (d->kind != CD_DEFINE || d->last != d->first + 4) continue;
        uint32_t bit = cu_word_bit(cu_text(f, d->first + 2));
        struct cu_token *text = &f->tokens.v[d->first + 3];
        if (text->kind == CU_STRING && may[bit / 64] >> bit % 64 & 1 &&
            str_among(asked.v, asked.n, cu_text(f, d->first + 2)))
            text->kind = CU_NAMED;
    }
}

static void begin_directive(struct lexer *l) {
    struct cu *f = l->f;
    struct cu_directive d = {.first = (uint32_t)f->tokens.n};
    size_t start = l->i++;
    l->directive = (uint32_t)f->directives.n + 1;
    push(l, start, CU_HASH);
    blanks(l);
    struct str name = {0};
    if (l->i < l->s.n && is_word[(unsigned char)l->s.p[l->i]]) {
        word(l);
        name = cu_text(f, (uint32_t)f->tokens.n - 1);
    }
    d.kind = (uint8_t)directive_kind(name);
    vec_push(f->a, &f->directives, d);
    directive_operand(l, (enum cu_directive_kind)d.kind, name);
}

static void end_directive(struct lexer *l) {
    struct cu *f = l->f;
    struct cu_directive *d = &f->directives.v[l->directive - 1];
    d->last = (uint32_t)f->tokens.n;
    d->line_end = (uint32_t)l->i;
    l->directive = 0;
}

/* ---- brackets ---- */

struct open_brackets {
    uint32_t *v;
    size_t n;
};

/* Both branches of an #if start from the same open brackets. */
static void pair_brackets(struct cu *f) {
    VEC(uint32_t) open = {0};
    VEC(struct open_brackets) saved = {0};
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct cu_token *t = &f->tokens.v[i];
        if (t->kind == CU_HASH) {
            enum cu_directive_kind kind =
                (enum cu_directive_kind)f->directives.v[t->directive - 1].kind;
            enum { WORTH_SAVING = 4096 };
            if (kind == CD_IF) {
                uint32_t *copy = NULL;
                size_t n = open.n <= WORTH_SAVING ? open.n : 0;
                if (n) {
                    copy = arena_alloc(f->a, n * sizeof *copy);
                    memcpy(copy, open.v, n * sizeof *copy);
                }
                struct open_brackets now = {copy, n};
                vec_push(f->a, &saved, now);
            } else if ((kind == CD_ELIF || kind == CD_ELSE) && saved.n) {
                open.n = 0;
                for (size_t k = 0; k < saved.v[saved.n - 1].n; k++)
                    vec_push(f->a, &open, saved.v[saved.n - 1].v[k]);
            } else if (kind == CD_ENDIF && saved.n) {
                saved.n--;
            }
        }
        if (t->kind != CU_PUNCT || t->end - t->start != 1) continue;
        char c = f->src.p[t->start];
        if (c == '(' || c == '[' || c == '{') {
            vec_push(f->a, &open, i);
        } else if (c == ')' || c == ']' || c == '}') {
            char want = c == ')' ? '(' : c == ']' ? '[' : '{';
            /* a bracket of a directive has its partner there */
            while (open.n && f->tokens.v[open.v[open.n - 1]].directive != t->directive &&
                   f->tokens.v[open.v[open.n - 1]].directive)
                open.n--;
            if (!open.n) continue;
            uint32_t o = open.v[open.n - 1];
            if (f->src.p[f->tokens.v[o].start] != want || f->tokens.v[o].directive != t->directive)
                continue;
            open.n--;
            f->tokens.v[o].partner = i;
            t->partner = o;
        }
    }
}

static void lex(struct cu *f) {
    struct lexer l = {.f = f, .s = f->src, .line_start = true};
    if (str_starts(l.s, S("\xEF\xBB\xBF"))) l.i = 3;
    while (l.i < l.s.n) {
        char c = l.s.p[l.i];
        size_t joined = continuation(&l, l.i), start = l.i;
        if (joined) {
            l.i += joined;
        } else if (c == '\n') {
            l.i++;
            if (l.directive) end_directive(&l);
            l.line_start = true;
        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            l.i++;
        } else if (c == '/' && at(&l, l.i + 1) == '/') {
            line_comment(&l);
        } else if (c == '/' && at(&l, l.i + 1) == '*') {
            block_comment(&l);
        } else if (c == '#' && l.line_start && !l.directive) {
            begin_directive(&l);
        } else if (is_digit(c) || (c == '.' && is_digit(at(&l, l.i + 1)))) {
            number(&l);
            push(&l, start, CU_NUMBER);
        } else if (is_word[(unsigned char)c]) {
            word(&l);
        } else if (c == '"' || c == '\'') {
            enum cu_kind string = asks_for_header(&l) ? CU_ASKED : CU_STRING;
            quoted(&l);
            push(&l, start, c == '"' ? string : CU_CHAR);
        } else if (c == '<' && asks_for_header(&l)) {
            angled(&l, CU_ASKED);
        } else if (c == '<' && names_header(&l)) {
            angled(&l, CU_NAMED);
        } else {
            punctuation(&l);
        }
    }
    if (l.directive) end_directive(&l);
    find_named(f);
    pair_brackets(f);
}

void cu_note_words(struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (f->tokens.v[i].kind != CU_WORD) continue;
        uint32_t bit = cu_word_bit(cu_text(f, i));
        f->words[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

void cu_lex(struct cu *f) {
    if (cu_find_lexed(f)) return;
    lex(f);
    cu_note_words(f);
    cu_keep_lexed(f);
}

bool cu_assigns(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<="};
    for (size_t n = 0; n < ARRAY_LEN(marks); n++)
        if (cu_is(f, i, marks[n])) return true;
    if (str_listed(cu_text(f, i), S("and_eq or_eq xor_eq"))) return true;
    return cu_is(f, i, ">") && cu_is(f, i + 1, ">=") && //
           f->tokens.v[i].end == f->tokens.v[i + 1].start;
}
