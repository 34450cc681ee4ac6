/* sequence.c - the token sequences of rules: `__popc(__ballot_sync($mask..., $vote...))`.
 *
 * A sequence is C++ with captures: $x stands for one token, $x... for tokens with balanced
 * brackets up to what follows in the sequence. It is compared from its anchor, a word of its own,
 * outwards. */
#include "cuda/cu.h"

/* The pattern's own tokens; captures are a `$` word, or two tokens `$x` and `...`. */
static void lex_pattern(struct cu *out, struct arena *a, struct str text) {
    *out = (struct cu){.a = a, .src = text};
    cu_lex_text(out);
}

static bool is_capture(const struct cu *p, uint32_t i) {
    return cu_is_word(p, i) && p->src.p[p->tokens.v[i].start] == '$';
}

static struct str capture_name(const struct cu *p, uint32_t i) {
    return str_sub(p->src, p->tokens.v[i].start + 1, p->tokens.v[i].end);
}

static bool captures(struct cu *f, struct cu_match *m, struct str name, uint32_t first,
                     uint32_t last) {
    for (size_t i = 0; i < m->captures.n; i++) /* the same name is the same text */
        if (str_eq(m->captures.v[i].name, name))
            return str_eq(cu_span(f, m->captures.v[i].first, m->captures.v[i].last),
                          cu_span(f, first, last));
    struct cu_capture c = {name, first, last};
    vec_push(f->a, &m->captures, c);
    return true;
}

static bool is_operand(const struct cu *f, uint32_t i) {
    return f->tokens.v[i].kind == CU_WORD || f->tokens.v[i].kind == CU_NUMBER ||
           f->tokens.v[i].kind == CU_STRING || f->tokens.v[i].kind == CU_CHAR;
}

/* Past tokens with balanced brackets, up to one that is `stop`. */
static uint32_t balanced_until(const struct cu *f, uint32_t i, struct str stop,
                               uint32_t directive) {
    enum { FAR = 4000 };
    for (uint32_t n = 0; i < f->tokens.n && n < FAR; n++) {
        if (f->tokens.v[i].directive != directive) return NO_NODE;
        struct str text = cu_text(f, i);
        if (str_eq(text, stop)) return i;
        if (str_is(text, "(") || str_is(text, "[") || str_is(text, "{")) {
            if (f->tokens.v[i].partner == NO_NODE) return NO_NODE;
            i = f->tokens.v[i].partner;
        } else if (str_is(text, ")") || str_is(text, "]") || str_is(text, "}") ||
                   str_is(text, ";")) {
            return NO_NODE;
        }
        i++;
    }
    return NO_NODE;
}

/* Compares from pattern token `p` and token `i` on; *end: behind the last token. */
static bool forwards(struct cu *f, const struct cu *pattern, uint32_t p, uint32_t i,
                     struct cu_match *m, uint32_t *end) {
    uint32_t directive = f->tokens.v[i].directive;
    for (; p < pattern->tokens.n; p++) {
        bool capture = is_capture(pattern, p);
        if (capture && cu_is(pattern, p + 1, "...")) {
            uint32_t stop = balanced_until(f, i, cu_text(pattern, p + 2), directive);
            if (stop == NO_NODE || !captures(f, m, capture_name(pattern, p), i, stop))
                return false;
            i = stop;
            p++;
            continue;
        }
        if (i >= f->tokens.n || f->tokens.v[i].directive != directive) return false;
        if (capture ? !is_operand(f, i) || !captures(f, m, capture_name(pattern, p), i, i + 1)
                    : !str_eq(cu_text(f, i), cu_text(pattern, p)))
            return false;
        i++;
    }
    *end = i;
    return true;
}

static bool backwards(struct cu *f, const struct cu *pattern, uint32_t p, uint32_t i,
                      struct cu_match *m) {
    uint32_t directive = f->tokens.v[i].directive;
    while (p-- > 0) {
        if (i == 0 || f->tokens.v[i - 1].directive != directive) return false;
        i--;
        if (is_capture(pattern, p)
                ? !is_operand(f, i) || !captures(f, m, capture_name(pattern, p), i, i + 1)
                : !str_eq(cu_text(f, i), cu_text(pattern, p)))
            return false;
    }
    m->first = i;
    return true;
}

static bool conditions_hold(struct cu *f, struct row_ref row, const struct cu_match *m) {
    const struct rfact *where = RS_LIST(row.set, row.rule->where, struct rfact);
    const struct rfact *declared = RS_LIST(row.set, row.rule->declared, struct rfact);
    for (size_t i = 0; i < m->captures.n; i++) {
        const struct cu_capture *c = &m->captures.v[i];
        struct str text = cu_span(f, c->first, c->last);
        for (size_t k = 0; k < row.rule->where.n; k++)
            if (str_eq(rs_str(row.set, where[k].key), c->name) &&
                !regex_match(f->regex, &where[k], rs_str(row.set, where[k].value), text))
                return false;
        for (size_t k = 0; k < row.rule->declared.n; k++)
            if (str_eq(rs_str(row.set, declared[k].key), c->name) &&
                !regex_match(f->regex, &declared[k], rs_str(row.set, declared[k].value),
                             cu_declared_type(f, c->first, text)))
                return false;
    }
    return true;
}

bool cu_match_sequence(struct cu *f, struct row_ref row, uint32_t anchor, struct cu_match *m) {
    struct cu pattern;
    lex_pattern(&pattern, f->a, rs_str(row.set, row.row->key));
    struct str word = rs_str(row.set, row.row->look_up);
    uint32_t at = 0;
    while (at < pattern.tokens.n && !str_eq(cu_text(&pattern, at), word)) at++;
    if (at == pattern.tokens.n) return false;
    bool directive = f->tokens.v[anchor].directive != 0;
    if (row.rule->scope != TS_ANY && directive) {
        enum cu_directive_kind kind =
            (enum cu_directive_kind)f->directives.v[f->tokens.v[anchor].directive - 1].kind;
        bool condition = kind == CD_IF || kind == CD_ELIF;
        if (condition != (row.rule->scope == TS_DIRECTIVE)) return false;
    } else if (row.rule->scope == TS_DIRECTIVE) {
        return false;
    }
    m->captures.n = 0;
    return forwards(f, &pattern, at, anchor, m, &m->last) &&
           backwards(f, &pattern, at, anchor, m) && conditions_hold(f, row, m);
}
