/* SPDX-License-Identifier: Apache-2.0 */
/* sequence.c - the token sequences of rules: `__popc(__ballot_sync($mask..., $vote...))`.
 *
 * A sequence is C++ with captures: $x stands for one token, $$x for an operand with its members,
 * subscripts and arguments, $x... for tokens with balanced brackets up to what follows in the
 * sequence. It is compared from its anchor, a word or number of its own, outwards; one that starts
 * with # is a whole directive, one that is a string that ends in = stands for all that begin so.
 */
#include "cuda/cu.h"

/* The pattern's own tokens; captures are a `$` word, or two tokens `$x` and `...`. */
struct cu_pattern {
    struct cu_pattern *next;
    struct str word; /* of the anchor */
    struct cu text;
    uint32_t anchor;
};

/* It is kept with the texts that come again, for the files to come; else for this one. Rules may
 * be others by then, so it is known by its text. */
static const struct cu_pattern *pattern_of(struct cu *f, struct row_ref row) {
    if (!f->lexes && !f->patterns) f->patterns = arena_zalloc(f->a, sizeof *f->patterns);
    struct cu_patterns *kept = f->lexes ? &f->lexes->patterns : f->patterns;
    struct arena *a = f->lexes ? &f->lexes->a : f->a;
    uint64_t at = ((uintptr_t)row.row / sizeof *row.row) % ARRAY_LEN(kept->of);
    struct str key = rs_str(row.set, row.row->key), word = rs_str(row.set, row.row->look_up);
    for (const struct cu_pattern *p = kept->of[at]; p; p = p->next)
        if (str_eq(p->text.src, key) && str_eq(p->word, word)) return p;
    struct cu_pattern *p = arena_zalloc(a, sizeof *p);
    p->word = arena_str(a, word);
    p->text = (struct cu){.a = a, .src = arena_str(a, key)};
    cu_lex(&p->text);
    while (p->anchor < p->text.tokens.n && !str_eq(cu_text(&p->text, p->anchor), word))
        p->anchor++;
    p->next = kept->of[at];
    kept->of[at] = p;
    return p;
}

static bool is_capture(const struct cu *p, uint32_t i) {
    return cu_is_word(p, i) && p->src.p[p->tokens.v[i].start] == '$';
}

static bool is_operand_capture(const struct cu *p, uint32_t i) {
    return is_capture(p, i) && str_starts(cu_text(p, i), S("$$"));
}

static struct str capture_name(const struct cu *p, uint32_t i) {
    struct str text = cu_text(p, i);
    return str_sub(text, is_operand_capture(p, i) ? 2 : 1, text.n);
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
           f->tokens.v[i].kind == CU_STRING || f->tokens.v[i].kind == CU_CHAR ||
           f->tokens.v[i].kind == CU_HEADER;
}

/* ---- tokens ---- */

/* Text of strings without blanks and line breaks, %% being %: as PTX doesn't tell them apart. */
static struct str next_of_string(struct str s, struct str *c) {
    for (;;) {
        if (s.n && strchr(" \t", s.p[0]))
            s = str_sub(s, 1, s.n);
        else if (s.n > 1 && s.p[0] == '\\' && strchr("nt", s.p[1]))
            s = str_sub(s, 2, s.n);
        else
            break;
    }
    *c = str_sub(s, 0, s.n > 0);
    return str_sub(s, str_starts(s, S("%%")) ? 2 : s.n > 0, s.n);
}

static bool same_string(struct str a, struct str b) {
    struct str x, y;
    if (str_ends(b, S("=\""))) return str_starts(a, str_sub(b, 0, b.n - 1));
    do {
        a = next_of_string(a, &x);
        b = next_of_string(b, &y);
    } while (x.n && y.n && str_eq(x, y));
    return !x.n && !y.n;
}

/* Numbers of the same value: 31, 31u, 0x1f; those of 64 bits are others. */
static bool same_number(struct str a, struct str b) {
    int64_t x, y;
    if (str_eq(a, b)) return true;
    for (size_t i = 0; i < a.n; i++)
        if ((a.p[i] | 32) == 'l') return false;
    return cu_integer(a, &x) && cu_integer(b, &y) && x == y;
}

static bool same_token(const struct cu *f, uint32_t i, const struct cu *pattern, uint32_t p) {
    struct str a = cu_text(f, i), b = cu_text(pattern, p);
    if (f->tokens.v[i].kind != pattern->tokens.v[p].kind) return false;
    if (f->tokens.v[i].kind == CU_NUMBER) return same_number(a, b);
    if (f->tokens.v[i].kind == CU_STRING) return same_string(a, b);
    return str_eq(a, b);
}

static bool opens(const struct cu *f, uint32_t i) {
    return cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
}
static bool closes(const struct cu *f, uint32_t i) {
    return cu_is(f, i, ")") || cu_is(f, i, "]") || cu_is(f, i, "}");
}

/* Behind token i, and what it opens; NO_NODE where that ends the balanced run. */
static uint32_t step(const struct cu *f, uint32_t i, uint32_t directive, bool block) {
    if (i >= f->tokens.n || f->tokens.v[i].directive != directive) return NO_NODE;
    if (opens(f, i))
        return f->tokens.v[i].partner == NO_NODE ? NO_NODE : f->tokens.v[i].partner + 1;
    return closes(f, i) || (!block && cu_is(f, i, ";")) ? NO_NODE : i + 1;
}

/* ---- operands ---- */

static bool is_control(struct str word) {
    static const char *const words[] = {"return", "if",   "while", "for",       "switch", "case",
                                        "sizeof", "else", "throw", "co_return", "and",    "or",
                                        "not",    "do",   "in",    "assert"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_is(word, words[i])) return true;
    return false;
}

static bool joins(const struct cu *f, uint32_t i) {
    return cu_is(f, i, ".") || cu_is(f, i, "->") || cu_is(f, i, "::");
}

uint32_t cu_operand_before(const struct cu *f, uint32_t end) {
    uint32_t i = end, directive = end < f->tokens.n ? f->tokens.v[end].directive : 0;
    while (i > 0 && f->tokens.v[i - 1].directive == directive) {
        if (cu_is(f, i - 1, ")") || cu_is(f, i - 1, "]")) {
            bool call = cu_is(f, i - 1, ")");
            if (f->tokens.v[i - 1].partner == NO_NODE) return NO_NODE;
            i = f->tokens.v[i - 1].partner;
            bool goes_on = i > 0 && ((cu_is_word(f, i - 1) && !is_control(cu_text(f, i - 1))) ||
                                     cu_is(f, i - 1, ")") || cu_is(f, i - 1, "]"));
            if (goes_on) continue;
            return call ? i : NO_NODE;
        }
        if (!is_operand(f, i - 1) || is_control(cu_text(f, i - 1))) break;
        i--;
        if (i == 0 || !joins(f, i - 1)) return i;
        i--;
    }
    return NO_NODE;
}

uint32_t cu_operand_after(const struct cu *f, uint32_t i) {
    uint32_t n = (uint32_t)f->tokens.n;
    if (i >= n) return NO_NODE;
    uint32_t directive = f->tokens.v[i].directive;
    if (cu_is(f, i, "("))
        i = f->tokens.v[i].partner == NO_NODE ? n : f->tokens.v[i].partner + 1;
    else if (is_operand(f, i) && !is_control(cu_text(f, i)))
        i++;
    else
        return NO_NODE;
    while (i < n && f->tokens.v[i].directive == directive) {
        bool group = (cu_is(f, i, "(") || cu_is(f, i, "[")) && f->tokens.v[i].partner != NO_NODE;
        if (group)
            i = f->tokens.v[i].partner + 1;
        else if (joins(f, i) && cu_is_word(f, i + 1))
            i += 2;
        else
            break;
    }
    return i > n ? NO_NODE : i;
}

/* ---- sequences ---- */

static bool forwards(struct cu *f, const struct cu *pattern, uint32_t p, uint32_t i,
                     struct cu_match *m, uint32_t *end);

/* `$x...` at p: the shortest run with which the rest of the sequence follows; between braces it is
 * all statements. */
static bool run_forwards(struct cu *f, const struct cu *pattern, uint32_t p, uint32_t i,
                         struct cu_match *m, uint32_t *end) {
    enum { FAR = 4000 };
    uint32_t directive = m->directive;
    bool is_last = p + 2 >= pattern->tokens.n; /* of a directive */
    bool block = p > 0 && cu_is(pattern, p - 1, "{") && cu_is(pattern, p + 2, "}");
    for (uint32_t first = i, n = 0; n < FAR; n++) {
        bool at_end = i >= f->tokens.n || f->tokens.v[i].directive != directive;
        bool may_end = is_last || is_capture(pattern, p + 2) || at_end;
        if (may_end ? is_last == at_end : same_token(f, i, pattern, p + 2)) {
            size_t known = m->captures.n;
            if (captures(f, m, capture_name(pattern, p), first, i) &&
                forwards(f, pattern, p + 2, i, m, end))
                return true;
            m->captures.n = known;
        }
        if ((i = step(f, i, directive, block)) == NO_NODE) return false;
    }
    return false;
}

/* Compares from pattern token `p` and token `i` on; *end: behind the last token. */
static bool forwards(struct cu *f, const struct cu *pattern, uint32_t p, uint32_t i,
                     struct cu_match *m, uint32_t *end) {
    for (; p < pattern->tokens.n; p++) {
        bool capture = is_capture(pattern, p);
        if (capture && cu_is(pattern, p + 1, "...")) return run_forwards(f, pattern, p, i, m, end);
        if (i >= f->tokens.n || f->tokens.v[i].directive != m->directive) return false;
        uint32_t next = i + 1;
        if (is_operand_capture(pattern, p))
            next = cu_operand_after(f, i);
        else if (capture ? !is_operand(f, i) : !same_token(f, i, pattern, p))
            return false;
        if (next == NO_NODE || (capture && !captures(f, m, capture_name(pattern, p), i, next)))
            return false;
        i = next;
    }
    *end = i;
    return true;
}

/* A sequence's `$x...` at its start: the words of a declaration, back to where it begins. */
static bool run_backwards(struct cu *f, const struct cu *pattern, uint32_t i, struct cu_match *m) {
    uint32_t end = i;
    while (i > 0 && (cu_is_word(f, i - 1) || cu_is(f, i - 1, "::") || cu_is(f, i - 1, "&")) &&
           !f->tokens.v[i - 1].directive)
        i--;
    bool begins = i == 0 || cu_is(f, i - 1, ";") || cu_is(f, i - 1, "{") || cu_is(f, i - 1, "}") ||
                  f->tokens.v[i - 1].directive;
    m->first = i;
    return begins && i < end && captures(f, m, capture_name(pattern, 0), i, end);
}

static bool backwards(struct cu *f, const struct cu *pattern, uint32_t p, uint32_t i,
                      struct cu_match *m) {
    while (p-- > 0) {
        if (p == 1 && cu_is(pattern, p, "...")) return run_backwards(f, pattern, i, m);
        if (i == 0 || f->tokens.v[i - 1].directive != m->directive) return false;
        uint32_t end = i--;
        bool capture = is_capture(pattern, p);
        if (is_operand_capture(pattern, p))
            i = cu_operand_before(f, end);
        else if (capture ? !is_operand(f, i) : !same_token(f, i, pattern, p))
            return false;
        if (i == NO_NODE || (capture && !captures(f, m, capture_name(pattern, p), i, end)))
            return false;
    }
    m->first = i;
    return true;
}

/* ---- conditions ---- */

static bool capture_fits(struct cu *f, struct row_ref row, const struct cu_capture *c) {
    const struct rfact *where = RS_LIST(row.set, row.rule->where, struct rfact);
    const struct rfact *declared = RS_LIST(row.set, row.rule->declared, struct rfact);
    struct str text = cu_span(f, c->first, c->last);
    struct str variable = cu_text(f, c->first); /* of v[i].x the one that is declared */
    for (size_t k = 0; k < row.rule->where.n; k++)
        if (str_eq(rs_str(row.set, where[k].key), c->name) &&
            !regex_match(f->regex, &where[k], rs_str(row.set, where[k].value), text))
            return false;
    for (size_t k = 0; k < row.rule->declared.n; k++)
        if (str_eq(rs_str(row.set, declared[k].key), c->name) &&
            !regex_match(f->regex, &declared[k], rs_str(row.set, declared[k].value),
                         cu_declared_type(f, c->first, variable)))
            return false;
    return true;
}

/* Whether a rule without conditions of its own writes something else there, not just a name. */
static bool goes(struct cu *f, uint32_t i) {
    struct row_ref row;
    size_t cursor = 0;
    if (!rules_is_anchor(f->rules, RL_CUDA, cu_text(f, i), NULL)) return false;
    while (rules_find(f->rules, M_TOKENS, cu_text(f, i), &cursor, &row)) {
        const struct rrule *r = row.rule;
        const struct rcell *c = row_cell(row, f->target);
        struct cu_match m = {.kind = CU_SEQUENCE, .row = row};
        bool asks = r->file_has.n || r->file_lacks.n; /* the file, of which it is asked itself */
        if (r->function_has.n || r->function_lacks.n || !c || !c->to.n || r == f->asker) continue;
        if ((c->verdict != V_EXACT && c->verdict != V_SHIM) || (asks && f->asked)) continue;
        f->asked |= asks;
        bool found = cu_match_sequence(f, row, i, &m) && m.last > m.first + 1;
        if (asks) f->asked = false;
        if (found) return true;
    }
    return false;
}

/* Whether a header is all that a row asks for on some targets, and this one wants none, or the
 * file has it: the name itself is another row's. */
static bool has_all(struct cu *f, struct row_ref row) {
    const struct rcell *own = RS_LIST(row.set, row.row->cells, struct rcell);
    const struct rcell *cell = row_cell(row, f->target);
    bool header_only = false;
    for (uint32_t i = 0; i < row.row->cells.n; i++)
        header_only |= own[i].include.n && own[i].verdict == V_EXACT &&
                       str_eq(rs_str(row.set, own[i].to), rs_str(row.set, row.row->key));
    if (!header_only || !cell) return false;
    return cell->verdict == V_SAME ||
           (cell->include.n && cu_is_included(f, rs_str(row.set, cell->include)));
}

/* What takes the sequence that begins at token i: the << before it, or what stands before the
 * parenthesis around it. 0: the rule does not ask, or nothing does. */
static uint32_t taker(const struct cu *f, struct row_ref row, uint32_t i) {
    const struct rfact *where = RS_LIST(row.set, row.rule->where, struct rfact);
    uint32_t k = 0;
    while (k < row.rule->where.n && !str_is(rs_str(row.set, where[k].key), "(")) k++;
    if (k == row.rule->where.n) return 0;
    for (uint32_t t = i; t-- > 0;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (t + 1 == i && cu_is(f, t, "<<")) return t;
        if (cu_is(f, t, "(")) return t - (t > 0);
        if (opens(f, t) || cu_is(f, t, ";")) return 0;
        if (partner != NO_NODE && partner < t) t = partner;
    }
    return 0;
}

bool cu_conditions_hold(struct cu *f, const struct cu_match *m) {
    struct row_ref row = m->row;
    const struct rrule *r = row.rule;
    uint32_t two = m->first < 2 ? 0 : m->first - 2, takes = taker(f, row, m->first);
    uint32_t d = f->tokens.v[m->first].directive;
    const struct cu_directive *line = d ? &f->directives.v[d - 1] : NULL;
    const struct cu_capture around[] = {{S("*"), m->first, m->last},
                                        {S("<"), m->first - (m->first > 0), m->first},
                                        {S("<<"), two, m->first},
                                        {S(">"), m->last, m->last + (m->last < f->tokens.n)},
                                        {S("#"), line ? line->first : 0, line ? line->last : 0},
                                        {S("("), takes, takes + 1}};
    for (size_t i = 0; i < ARRAY_LEN(around); i++)
        if (!capture_fits(f, row, &around[i])) return false;
    for (size_t i = 0; i < m->captures.n; i++)
        if (!capture_fits(f, row, &m->captures.v[i])) return false;
    const struct {
        const struct rstr *pattern;
        bool in_file, wanted;
    } said[] = {{&r->function_has, false, true},
                {&r->function_lacks, false, false},
                {&r->file_has, true, true},
                {&r->file_lacks, true, false}};
    for (size_t i = 0; i < ARRAY_LEN(said); i++) {
        if (!said[i].pattern->n) continue;
        const struct rrule *before = f->asker;
        if (said[i].in_file) f->asker = r;
        bool says = cu_says(f, m->first, said[i].in_file, said[i].pattern,
                            rs_str(row.set, *said[i].pattern), goes);
        f->asker = before;
        if (says != said[i].wanted) return false;
    }
    if (r->function_is.n &&
        !regex_match(f->regex, &r->function_is, rs_str(row.set, r->function_is),
                     cu_function_head(f, m->first)))
        return false;
    if (r->constant.n && !cu_holds(f, rs_str(row.set, r->constant), m)) return false;
    return !has_all(f, row);
}

static bool in_scope(const struct cu *f, enum token_scope scope, uint32_t anchor) {
    uint32_t d = f->tokens.v[anchor].directive;
    if (scope == TS_ANY) return true;
    bool condition =
        d && (f->directives.v[d - 1].kind == CD_IF || f->directives.v[d - 1].kind == CD_ELIF);
    return condition == (scope == TS_DIRECTIVE);
}

bool cu_match_sequence(struct cu *f, struct row_ref row, uint32_t anchor, struct cu_match *m) {
    const struct cu_pattern *p = pattern_of(f, row);
    if (p->anchor == p->text.tokens.n) return false;
    m->captures.n = 0;
    m->directive = f->tokens.v[anchor].directive;
    if (p->text.tokens.v[0].kind == CU_HASH) {
        const struct cu_directive *d = &f->directives.v[m->directive - 1];
        if (!m->directive) return false;
        m->first = d->first;
        return forwards(f, &p->text, 0, d->first, m, &m->last) && m->last == d->last &&
               cu_conditions_hold(f, m);
    }
    return in_scope(f, (enum token_scope)row.rule->scope, anchor) &&
           forwards(f, &p->text, p->anchor, anchor, m, &m->last) &&
           backwards(f, &p->text, p->anchor, anchor, m) && cu_conditions_hold(f, m);
}
