/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - matches become edits.
 *
 * Matches are planned from the last to the first, so that what stands inside a call is planned
 * before the call itself, which then carries the edits of its arguments along. */
#include "cuda/cu.h"
#include "rules/template.h"

/* ---- text made of pieces ---- */

/* Literal text, or bytes [start, end) of the file that stay what they are. */
struct piece {
    struct str literal;
    uint32_t start, end;
    bool is_range;
};

struct writer {
    struct cu *f;
    struct cu_match *m;
    uint32_t match; /* number of m */
    VEC(struct piece) pieces;
    struct str include; /* the header that what was written needs */
    struct str why;
};

static bool fail(struct writer *w, struct str why) {
    w->why = why;
    return false;
}

static void add_literal(struct writer *w, struct str text) {
    size_t line = str_find(text, S("\n"), 0);
    if (line < text.n && !str_is(text, "\n")) { /* several lines */
        add_literal(w, str_sub(text, 0, line));
        add_literal(w, S("\n"));
        add_literal(w, str_sub(text, line + 1, text.n));
        return;
    }
    struct piece p = {.literal = line < text.n ? cu_eol(w->f) : text};
    if (text.n) vec_push(w->f->a, &w->pieces, p);
}

static void add_range(struct writer *w, uint32_t first, uint32_t last) {
    if (first >= last) return;
    struct piece p = {.start = w->f->tokens.v[first].start,
                      .end = w->f->tokens.v[last - 1].end,
                      .is_range = true};
    vec_push(w->f->a, &w->pieces, p);
}

static bool has_comment(const struct cu *f, uint32_t start, uint32_t end) {
    size_t low = 0, high = f->comments.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (f->comments.v[mid].end <= start)
            low = mid + 1;
        else
            high = mid;
    }
    return low < f->comments.n && f->comments.v[low].start < end;
}

/* Whether `text` still has the comments that bytes [start, end) of the file have. */
static bool has_all_comments(const struct cu *f, uint32_t start, uint32_t end, struct str text) {
    size_t at = 0;
    for (size_t i = 0; has_comment(f, start, end) && i < f->comments.n; i++) {
        struct byte_range c = f->comments.v[i];
        if (c.start < start || c.end > end) continue;
        struct str comment = str_sub(f->src, c.start, c.end);
        at = str_find(text, comment, at);
        if (at == text.n) return false;
        at += comment.n;
    }
    return true;
}

static bool same_but_blanks(struct str a, struct str b) {
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.n && strchr(" \t\r\n", a.p[i])) i++;
        while (k < b.n && strchr(" \t\r\n", b.p[k])) k++;
        if (i == a.n || k == b.n) return i == a.n && k == b.n;
        if (a.p[i++] != b.p[k++]) return false;
    }
}

/* Whether the ranges come in the order that they have in the file, each once. */
static bool in_order(const struct writer *w, uint32_t start) {
    for (size_t i = 0; i < w->pieces.n; i++) {
        if (!w->pieces.v[i].is_range) continue;
        if (w->pieces.v[i].start < start) return false;
        start = w->pieces.v[i].end;
    }
    return true;
}

/* ---- what was planned inside ---- */

/* What becomes of an edit that was planned before: it stays; it goes, as its token does; or it
 * does not fit, and the later rewrite is not made. */
enum fate { KEPT, REPLACED, CUT };

/* Of an edit beside bytes [start, end). One that inserts at their edge goes with its rewrite. */
static bool is_within(const struct cu *f, const struct match_edit *e, uint32_t start,
                      uint32_t end) {
    if (e->start < start || e->end > end) return false;
    bool edge = e->start == e->end && (e->start == start || e->end == end);
    uint32_t owner = f->matches.v[e->match].start;
    return !edge || (owner >= start && owner < end);
}

static bool is_beside(const struct cu *f, const struct match_edit *e, uint32_t start,
                      uint32_t end) {
    return e->end <= start || e->start >= end ||
           (e->start == e->end && !is_within(f, e, start, end));
}

/* A rewrite is one thing: where edits of another would be cut, or some of them go and others stay,
 * this one is not made. */
static bool can_nest(struct writer *w, const struct match_edit *inner, const enum fate *fates,
                     size_t n) {
    struct cu *f = w->f;
    for (size_t i = 0; i < n; i++) {
        uint32_t match = inner[i].match, replaced = 0;
        if (fates[i] == KEPT) continue;
        for (size_t k = 0; k < n; k++) replaced += inner[k].match == match && fates[k] == REPLACED;
        if (fates[i] == REPLACED && replaced == f->matches.v[match].made) continue;
        struct str name = f->matches.v[match].token;
        return fail(w, arena_printf(f->a, "the rewrite of `%.*s` changes a part of it, too",
                                    STR_ARG(name)));
    }
    return true;
}

/* Takes these n edits off, and puts back those that are kept; the others are the match's now. */
static void take_off(struct cu *f, const struct match_edit *inner, const enum fate *fates,
                     size_t n, uint32_t match) {
    f->edits.n -= n;
    for (size_t i = n; i-- > 0;)
        if (fates[i] == KEPT)
            vec_push(f->a, &f->edits, inner[i]);
        else
            cu_join(f, inner[i].match, match);
}

/* The comma before an argument stays, with the blanks that align the argument. */
static void keep_comma(struct str src, struct match_edit *e) {
    uint32_t at = e->end;
    size_t n = e->text.n;
    while (at > e->start && strchr(" \t\r\n", src.p[at - 1])) at--;
    while (n > 0 && e->text.p[n - 1] == ' ') n--;
    bool commas = at > e->start && n > 0 && src.p[at - 1] == ',' && e->text.p[n - 1] == ',';
    if (!commas) return;
    e->end = at - 1;
    e->text.n = n - 1;
}

/* Edits of what is between the ranges; theirs stay. */
static bool write_gaps(struct writer *w, uint32_t start, uint32_t end) {
    struct cu *f = w->f;
    VEC(struct match_edit) made = {0};
    struct buf literal;
    buf_init(&literal, f->a);
    uint32_t at = start;
    for (size_t i = 0; i <= w->pieces.n; i++) {
        bool last = i == w->pieces.n;
        if (!last && !w->pieces.v[i].is_range) {
            buf_add(&literal, w->pieces.v[i].literal);
            continue;
        }
        uint32_t to = last ? end : w->pieces.v[i].start;
        struct str text = literal.n ? buf_str(&literal) : S("");
        bool apart = last && str_ends(text, S(" ")); /* from what stands behind it */
        if (apart || !same_but_blanks(str_sub(f->src, at, to), text)) {
            if (has_comment(f, at, to))
                return fail(w, S("a comment inside the expression would be lost"));
            struct match_edit e = {at, to, text, w->match, false, 0};
            keep_comma(f->src, &e);
            vec_push(f->a, &made, e);
        }
        buf_init(&literal, f->a);
        at = last ? end : w->pieces.v[i].end;
    }
    struct match_edit *inner;
    size_t n = cu_edits_before(f, end, &inner);
    enum fate *fates = arena_zalloc(f->a, (n + 1) * sizeof *fates);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < made.n; k++) {
            uint32_t from = made.v[k].start, to = made.v[k].end;
            if (from < to && is_within(f, &inner[i], from, to))
                fates[i] = REPLACED;
            else if (fates[i] == KEPT && !is_beside(f, &inner[i], from, to))
                fates[i] = CUT;
        }
    if (!can_nest(w, inner, fates, n)) return false;
    take_off(f, inner, fates, n, w->match);
    for (size_t i = 0; i < made.n; i++) cu_add_edit(f, made.v[i]);
    return true;
}

/* One edit, which carries those of the ranges along. */
static bool write_whole(struct writer *w, uint32_t start, uint32_t end) {
    struct cu *f = w->f;
    if (has_comment(f, start, end))
        return fail(w, S("a comment inside the expression would be lost"));
    struct match_edit *inner;
    size_t n = cu_edits_before(f, end, &inner), carried = 0;
    enum fate *fates = arena_zalloc(f->a, (n + 1) * sizeof *fates);
    struct match_edit *carry = arena_alloc(f->a, (n + 1) * sizeof *carry);
    for (size_t i = 0; i < n; i++) {
        if (is_beside(f, &inner[i], start, end)) continue;
        bool stays = false, cut = !is_within(f, &inner[i], start, end);
        for (size_t k = 0; k < w->pieces.n; k++) {
            const struct piece *p = &w->pieces.v[k];
            if (!p->is_range) continue;
            bool within = is_within(f, &inner[i], p->start, p->end);
            stays |= within;
            cut |= !within && !is_beside(f, &inner[i], p->start, p->end);
        }
        fates[i] = cut ? CUT : stays ? KEPT : REPLACED;
        if (stays) carry[carried++] = inner[i];
    }
    if (!can_nest(w, inner, fates, n)) return false;
    struct buf b;
    buf_init(&b, f->a);
    for (size_t i = 0; i < w->pieces.n; i++) {
        const struct piece *p = &w->pieces.v[i];
        buf_add(&b, p->is_range ? cu_text_with(f, p->start, p->end, carry, carried) : p->literal);
    }
    for (size_t i = 0; i < n; i++)
        if (!is_beside(f, &inner[i], start, end)) fates[i] = REPLACED;
    take_off(f, inner, fates, n, w->match);
    cu_push_edit(f, start, end, buf_str(&b), w->match);
    return true;
}

static bool write_pieces(struct writer *w, uint32_t start, uint32_t end) {
    struct cu *f = w->f;
    if (!(in_order(w, start) ? write_gaps : write_whole)(w, start, end)) return false;
    struct buf shown;
    buf_init(&shown, f->a);
    for (size_t i = 0; i < w->pieces.n; i++) {
        const struct piece *p = &w->pieces.v[i];
        buf_add(&shown, p->is_range ? str_sub(f->src, p->start, p->end) : p->literal);
    }
    enum { SHOWN = 72 };
    size_t line = shown.n ? str_find(buf_str(&shown), S("\n"), 0) : 0;
    w->m->replacement = line == shown.n && line <= SHOWN ? buf_str(&shown) : (struct str){0};
    return true;
}

/* ---- templates ---- */

/* What a dropped argument does is lost: calls and assignments must not be. */
static bool has_effect(const struct cu *f, struct cu_argument a) {
    for (uint32_t i = a.first; i < a.last; i++) {
        if (cu_assigns(f, i)) return true;
        bool cast = i > a.first && str_is(cu_text(f, i - 1), "sizeof");
        if (cu_is(f, i, "(") && i > a.first && cu_is_word(f, i - 1) && !cast) {
            struct str callee = cu_text(f, i - 1);
            bool macro = true; /* MASK(x), and constructors such as dim3(1) */
            for (size_t k = 0; k < callee.n; k++) macro &= callee.p[k] < 'a' || callee.p[k] > 'z';
            if (!macro && cu_role(f, i - 1) != ROLE_EXTENT) return true;
        }
    }
    return false;
}

struct template_values {
    struct writer *w;
    const struct cu_call *call; /* or NULL */
    bool *used;                 /* [argument] */
};

/* {0}: an argument; {2*}: from there on; {0-16}: those, with what stands between them. */
static bool put_arguments(struct writer *w, struct template_values *v, uint32_t first,
                          uint32_t last) {
    size_t count = v->call ? v->call->arguments.n : 0;
    bool rest = last == UINT32_MAX;
    if (!rest && last >= count)
        return fail(w, S("the call lacks an argument that the rewrite needs"));
    if (first >= count) { /* nothing: with the comma before it */
        if (w->pieces.n && !w->pieces.v[w->pieces.n - 1].is_range) {
            struct str *before = &w->pieces.v[w->pieces.n - 1].literal;
            while (before->n && strchr(", ", before->p[before->n - 1])) before->n--;
        }
        return true;
    }
    if (rest) last = (uint32_t)count - 1;
    for (uint32_t i = first; i <= last; i++) v->used[i] = true;
    add_range(w, v->call->arguments.v[first].first, v->call->arguments.v[last].last);
    return true;
}

/* {0:bare}: an argument without the cast to a pointer to void before it. */
static bool put_bare(struct writer *w, struct template_values *v, uint32_t n) {
    struct cu *f = w->f;
    if (!v->call || n >= v->call->arguments.n)
        return fail(w, S("the call lacks an argument that the rewrite needs"));
    struct cu_argument a = v->call->arguments.v[n];
    uint32_t close = cu_is(f, a.first, "(") ? f->tokens.v[a.first].partner : NO_NODE;
    if (close != NO_NODE && close + 1 < a.last && cu_is(f, close - 1, "*")) a.first = close + 1;
    bool cast = cu_is(f, a.first, "reinterpret_cast") || cu_is(f, a.first, "static_cast");
    if (cast && cu_is(f, a.last - 1, ")")) {
        a.first = f->tokens.v[a.last - 1].partner + 1;
        a.last--;
    }
    v->used[n] = true;
    add_range(w, a.first, a.last);
    return true;
}

static void put_text(void *context, struct str text) {
    struct template_values *v = context;
    add_literal(v->w, text);
}

/* Captures, and parts of the call. */
static bool put_placeholder(void *context, const struct placeholder *p, struct str *why) {
    struct template_values *v = context;
    struct writer *w = v->w;
    bool done = false;
    for (size_t i = 0; i < w->m->captures.n; i++)
        if (str_eq(w->m->captures.v[i].name, p->text)) {
            add_range(w, w->m->captures.v[i].first, w->m->captures.v[i].last);
            return true;
        }
    if (p->kind == PH_TEMPLATE_ARGUMENTS && v->call) {
        add_range(w, v->call->template_first, v->call->template_last);
        done = true;
    } else if (p->kind == PH_ARGUMENTS) {
        done = put_arguments(w, v, 0, UINT32_MAX);
    } else if (p->kind == PH_POSITION && str_is(p->option, "bare")) {
        done = put_bare(w, v, p->first);
    } else if (p->kind == PH_FIRST || p->kind == PH_POSITION) {
        done = put_arguments(w, v, p->first, p->last);
    }
    *why = w->why;
    return done;
}

/* Makes the pieces that the template says; `call` and `used` may be NULL. */
static bool expand(struct writer *w, const struct cu_call *call, bool *used, struct str template) {
    struct template_values v = {w, call, used};
    struct template_sink sink = {.context = &v,
                                 .a = w->f->a,
                                 .target = w->f->target,
                                 .name = w->m->token,
                                 .text = put_text,
                                 .placeholder = put_placeholder};
    return template_expand(template, &sink, &w->why);
}

/* ---- one match ---- */

static struct str cell_str(const struct writer *w, struct rstr s) {
    return rs_str(w->m->row.set, s);
}

static bool rename_to(struct writer *w, struct str to) {
    if (!expand(w, NULL, NULL, to)) return false;
    return write_pieces(w, w->m->start, w->m->end);
}

/* A program's blanks behind the bracket that opens its arguments stay behind that of the call that
 * is written. */
static void keep_blanks(struct writer *w, const struct cu_call *call) {
    const struct cu_token *v = w->f->tokens.v;
    struct str blanks = str_sub(w->f->src, v[call->open].end, v[call->open + 1].start);
    if (!blanks.n || !w->pieces.n || w->pieces.v[0].is_range) return;
    for (size_t i = 0; i < blanks.n; i++)
        if (!strchr(" \t\r\n", blanks.p[i])) return;
    struct str *text = &w->pieces.v[0].literal;
    size_t n = 0;
    while (n < text->n && (is_word_char(text->p[n]) || text->p[n] == ':')) n++;
    if (!n || n + 1 >= text->n || text->p[n] != '(' || text->p[n + 1] == ')') return;
    *text = arena_printf(w->f->a, "%.*s%.*s%.*s", STR_ARG(str_sub(*text, 0, n + 1)),
                         STR_ARG(blanks), STR_ARG(str_sub(*text, n + 1, text->n)));
}

static bool write_call(struct writer *w, const struct cu_call *call, struct str template,
                       uint32_t end) {
    bool *used = arena_zalloc(w->f->a, call->arguments.n + 1);
    if (!expand(w, call, used, template)) return false;
    for (size_t i = 0; i < call->arguments.n; i++)
        if (!used[i] && has_effect(w->f, call->arguments.v[i]))
            return fail(w, S("an argument that the target doesn't take has side effects"));
    keep_blanks(w, call);
    return write_pieces(w, w->m->start, end);
}

/* Whether the arguments at the conditions' positions match: their text, or the type of theirs. */
static bool arguments_fit(struct writer *w, const struct cu_call *call, struct rlist conditions,
                          bool by_type) {
    struct ruleset set = w->m->row.set;
    const struct rfact *one = RS_LIST(set, conditions, struct rfact);
    for (size_t i = 0; i < conditions.n; i++) {
        uint32_t n = template_placeholder(rs_str(set, one[i].key)).first;
        if (n >= call->arguments.n) return false;
        struct cu_argument a = call->arguments.v[n];
        struct str text = cu_span(w->f, a.first, a.last);
        bool address = by_type && cu_is(w->f, a.first, "&") && a.last == a.first + 2;
        if (by_type && a.last != a.first + 1 && !address) return false;
        if (by_type) text = cu_declared_type(w->f, a.last - 1, cu_span(w->f, a.last - 1, a.last));
        if (address) text = arena_printf(w->f->a, "&%.*s", STR_ARG(text));
        if (!regex_match(w->f->regex, &one[i], rs_str(set, one[i].value), text)) return false;
    }
    return true;
}

static bool case_fits(struct writer *w, const struct rcase *c, const struct cu_call *call) {
    if (c->count != UINT32_MAX && c->count != call->arguments.n) return false;
    return arguments_fit(w, call, c->where, false) && arguments_fit(w, call, c->declared, true);
}

static bool is_statement(const struct cu *f, uint32_t first, uint32_t close) {
    bool starts = first == 0 || cu_is(f, first - 1, ";") || cu_is(f, first - 1, "{") ||
                  cu_is(f, first - 1, "}");
    return starts && cu_is(f, close + 1, ";");
}

static bool allows(const struct cu *f, enum verdict v) {
    return v == V_EXACT || v == V_SHIM || (v == V_CLOSE && f->options->unsafe_fixes);
}

/* A program in a string has no place for a header that others provide. */
static bool take_include(struct writer *w, struct rstr header) {
    w->include = cell_str(w, header);
    if (!w->include.n || !cu_in_string(w->f, w->m->start)) return true;
    return fail(w, S("the rewrite needs a header that a program in a string doesn't see"));
}

/* A directive whose last word is that token goes, and takes its line along, but for a comment. */
static bool remove_directive(struct writer *w, uint32_t token) {
    struct cu *f = w->f;
    const struct cu_directive *d = &f->directives.v[f->tokens.v[token].directive - 1];
    uint32_t start = f->tokens.v[d->first].start, end = f->tokens.v[token].end;
    bool told = has_comment(f, end, d->line_end); /* which stays on the line */
    if (has_comment(f, start, end)) return fail(w, S("a comment inside of it would be lost"));
    while (!told && start > 0 && strchr(" \t", f->src.p[start - 1])) start--;
    while (told && end < d->line_end && strchr(" \t", f->src.p[end])) end++;
    if (!told && d->last == token + 1) end = d->line_end;
    cu_push_edit(f, start, end, S(""), w->match);
    return true;
}

static bool plan_symbol(struct writer *w) {
    struct cu *f = w->f;
    struct cu_match *m = w->m;
    const struct rcell *c = m->cell;
    struct cu_call call;
    bool called = cu_read_call(f, m->last, &call);
    struct str to = cell_str(w, c->to);
    const struct rcase *cases = RS_LIST(m->row.set, c->cases, struct rcase);
    for (size_t i = 0; called && i < c->cases.n; i++) {
        if (!case_fits(w, &cases[i], &call)) continue;
        if (cases[i].verdict)
            m->verdict = (enum verdict)cases[i].verdict;
        else if ((m->verdict == V_MANUAL || m->verdict == V_SAME) && cases[i].call.n)
            m->verdict = V_EXACT; /* the cell's verdict is for what no case fits */
        if (m->verdict == V_EXACT && f->target.target->like.n) m->verdict = V_CLOSE;
        if (cases[i].note.n) m->advice = cell_str(w, cases[i].note);
        if (!allows(f, m->verdict)) return false;
        if (!take_include(w, cases[i].include)) return false;
        if (cases[i].call.n)
            return write_call(w, &call, cell_str(w, cases[i].call), f->tokens.v[call.close].end);
        return to.n ? rename_to(w, to) : fail(w, m->advice);
    }
    if (!allows(f, m->verdict)) return false;
    if (!take_include(w, c->include)) return false;
    if (c->remove && f->tokens.v[m->first].kind == CU_HASH)
        return remove_directive(w, m->last - 1);
    if (c->remove) { /* a qualifier: with the blanks behind it */
        uint32_t end = m->end;
        while (end < f->src.n && strchr(" \t", f->src.p[end])) end++;
        cu_push_edit(f, m->start, end, S(""), w->match);
        return true;
    }
    if (called && c->statement.n && is_statement(f, m->first, call.close))
        return write_call(w, &call, cell_str(w, c->statement), f->tokens.v[call.close].end);
    bool joins = cell_str(w, c->call).n && cell_str(w, c->call).p[0] == '(';
    if (called && joins && w->m->first && cu_is(f, w->m->first - 1, "::"))
        return fail(w, S("what takes its place is no name that :: can stand before"));
    if (called && c->call.n)
        return write_call(w, &call, cell_str(w, c->call), f->tokens.v[call.close].end);
    if (!called && c->value.n) return rename_to(w, cell_str(w, c->value));
    if (to.n) return rename_to(w, to);
    m->verdict = V_MANUAL;
    return fail(w, called ? S("the rule has no form for a call of this shape")
                          : S("the name is used as a value; only calls can be rewritten"));
}

/* Whether a header of CUDA's that brings others along is included for their sake, too: by a header
 * of the program, or where the file itself has names of the number types. */
static bool needs_company(const struct cu *f) {
    if (cu_is_header(f->path)) return true;
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (rules_lists(f->rules, "cuda.half_types", cu_text(f, i))) return true;
    return false;
}

/* A header that comes along with an #include, unless the file asks for it anyway. */
static void add_company(struct writer *w) {
    struct cu *f = w->f;
    struct str path = cell_str(w, w->m->cell->include);
    if (!path.n || !needs_company(f)) return;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        bool same = m->kind == CU_INCLUDE && m->cell && m->cell->to.n;
        if (same && str_eq(rs_str(m->row.set, m->cell->to), path)) return;
    }
    w->include = path;
}

/* #include lines keep their quotes. */
static bool plan_include(struct writer *w) {
    struct cu *f = w->f;
    uint32_t token = w->m->first;
    if (w->m->cell->remove || w->m->unused) return remove_directive(w, token);
    if (!expand(w, NULL, NULL, cell_str(w, w->m->cell->to))) return false;
    struct buf path;
    buf_init(&path, f->a);
    for (size_t i = 0; i < w->pieces.n; i++) buf_add(&path, w->pieces.v[i].literal);
    w->m->replacement = cu_whole_header(f, token, buf_str(&path));
    bool ours = str_starts(w->m->replacement, S("cuda_morph/"));
    if (ours && !rules_lists(f->rules, "cuda.c_headers", w->m->replacement) &&
        cu_is_read_as_c(f, token)) {
        w->m->verdict = V_MANUAL;
        return fail(
            w, arena_printf(
                   f->a, "%.*s is C++, and this is compiled as C: compile what includes it as C++",
                   STR_ARG(w->m->replacement)));
    }
    cu_push_edit(f, w->m->start + 1, w->m->end - 1, w->m->replacement, w->match);
    add_company(w);
    cu_need_brought(f, w->m->replacement, w->match);
    return true;
}

static bool plan_sequence(struct writer *w) {
    if (!w->m->cell->to.n) return fail(w, S("the rule has no form for it"));
    return expand(w, NULL, NULL, cell_str(w, w->m->cell->to)) &&
           write_pieces(w, w->m->start, w->m->end);
}

/* Whether a part of the launch, which is written anew piece by piece, holds the edit. */
static bool is_of_launch(const struct cu *f, const struct cu_launch *l,
                         const struct match_edit *e) {
    const struct cu_token *v = f->tokens.v;
    bool within = is_within(f, e, v[l->kernel_first].start, v[l->open].start) ||
                  is_within(f, e, v[l->arguments.open].end, v[l->arguments.close].start);
    for (size_t i = 0; i < l->config.arguments.n; i++)
        within |= is_within(f, e, v[l->config.arguments.v[i].first].start,
                            v[l->config.arguments.v[i].last - 1].end);
    return within;
}

static bool plan_launch(struct writer *w) {
    struct cu *f = w->f;
    struct buf text;
    buf_init(&text, f->a);
    if (!cu_write_launch(f, cell_str(w, w->m->cell->call), w->m, &text, &w->why)) return false;
    struct cu_launch l;
    uint32_t open = w->m->first;
    while (f->tokens.v[open].start != w->m->start) open++;
    cu_read_launch(f, open, &l);
    uint32_t start = f->tokens.v[l.kernel_first].start, end = f->tokens.v[l.arguments.close].end;
    if (!has_all_comments(f, start, end, buf_str(&text)))
        return fail(w, S("a comment inside the expression would be lost"));
    struct match_edit *inner;
    size_t n = cu_edits_before(f, end, &inner);
    enum fate *fates = arena_zalloc(f->a, (n + 1) * sizeof *fates);
    for (size_t i = 0; i < n; i++)
        if (!is_of_launch(f, &l, &inner[i])) fates[i] = CUT;
    if (!can_nest(w, inner, fates, n)) return false;
    f->edits.n -= n;
    for (size_t i = 0; i < n; i++) cu_join(f, inner[i].match, w->match);
    cu_push_edit(f, start, end, buf_str(&text), w->match);
    return true;
}

static bool plan_match(struct writer *w) {
    switch (w->m->kind) {
    case CU_INCLUDE:
        return allows(w->f, w->m->verdict) && plan_include(w);
    case CU_SEQUENCE:
        return allows(w->f, w->m->verdict) && take_include(w, w->m->cell->include) &&
               plan_sequence(w);
    case CU_LAUNCH:
        return allows(w->f, w->m->verdict) && plan_launch(w);
    default:
        return plan_symbol(w);
    }
}

/* ---- all of them ---- */

static void reverse_edits(struct cu *f) {
    for (size_t i = 0, k = f->edits.n; i + 1 < k; i++) {
        struct match_edit e = f->edits.v[i];
        f->edits.v[i] = f->edits.v[--k];
        f->edits.v[k] = e;
    }
}

/* A name without a counterpart is nobody's task any more where a rewrite around it took it away.
 */
static void settle_covered(struct cu *f) {
    size_t left = f->edits.n; /* the first of the file is on top; they don't overlap */
    for (size_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        if (m->kind == CU_LAUNCH) continue; /* sorted by where its kernel stands */
        while (left > 0 && f->edits.v[left - 1].end <= m->start) left--;
        bool open = !m->applied && !m->suppressed && m->verdict != V_SAME;
        if (!open || m->kind != CU_SYMBOL || !left) continue;
        const struct match_edit *e = &f->edits.v[left - 1];
        if (e->match == i || e->start > m->start || e->end < m->end) continue;
        if (str_find(e->text, m->token, 0) < e->text.n) continue; /* it is still there */
        m->applied = true;
        m->verdict = V_EXACT;
        m->replacement = (struct str){0};
        if (e->match != NO_NODE) cu_join(f, (uint32_t)i, e->match);
    }
}

/* Whether it can be an edit at all. */
static bool can_plan(const struct cu_match *m) {
    if (m->suppressed || !m->cell || m->verdict == V_NONE) return false;
    return m->verdict != V_SAME || (!m->message.p && m->cell->cases.n);
}

/* A match in an #if that asks which side is compiled. False: it is planned as any other. */
static bool plan_side(struct cu *f, uint32_t i) {
    struct cu_match *m = &f->matches.v[i];
    uint32_t number = f->tokens.v[m->first].directive;
    if (m->suppressed || !m->cell || m->kind != CU_SEQUENCE || !number) return false;
    struct cu_directive *d = &f->directives.v[number - 1];
    if (!m->row.rule->sides) return false;
    enum cu_sides sides = cu_sides_of(f, d);
    bool by_macro = cu_asks_side_by_macro(f, m->first); /* its text has the device's number */
    bool one = sides == CU_ONE_SIDE || (by_macro && sides == CU_DEVICE_SIDE);
    if (sides == CU_TWO_SIDES || (by_macro && !one)) {
        m->verdict = V_MANUAL;
        m->message = (struct str){0};
        if (!m->advice.n)
            m->advice = S("Kernels and host code are compiled at once here, and the condition is "
                          "another one for each: make two functions of it, or one branch that is "
                          "right for both");
        return true;
    }
    bool stays = sides == CU_HOST_SIDE || by_macro || (one && m->verdict == V_MANUAL);
    if (stays) m->verdict = V_SAME, m->message = S("");
    if (one || stays) return m->verdict == V_SAME;
    m->verdict = V_EXACT;
    m->applied = true;
    m->message = S("");
    if (sides == CU_DEVICE_SIDE) cu_take_device(f, m->first, m->last, i);
    if (sides == CU_AT_RUN_TIME && !d->chosen) cu_choose_side(f, d, i), d->chosen = i + 1;
    return true;
}

/* The header of one of CUDA's libraries that PyTorch's own bring along, and that what stands for
 * those does not. */
static struct str brought_header(const struct cu *f, const struct cu_match *m) {
    struct str header = {0};
    if (!f->torch || m->kind == CU_INCLUDE || !target_writes_kernels(f->target)) return header;
    rules_word_row(f->rules, "cuda.torch_brings", rs_str(m->row.set, m->row.rule->domain),
                   &header);
    return header;
}

static void plan_one(struct cu *f, uint32_t i) {
    struct cu_match *m = &f->matches.v[i];
    if (plan_side(f, i) || !can_plan(m)) return;
    if (m->cell->unverified) {
        struct str to = rs_str(m->row.set, m->cell->to);
        m->verdict = V_MANUAL;
        m->message = arena_printf(f->a,
                                  "`%.*s` should be `%.*s` there, which is not verified yet: "
                                  "nothing was changed",
                                  STR_ARG(m->token), STR_ARG(to));
        return;
    }
    struct writer w = {.f = f, .m = m, .match = i};
    m->applied = plan_match(&w);
    if (!m->applied) {
        if (w.why.n) m->advice = w.why;
        return;
    }
    size_t headers = f->headers.n;
    cu_need_header(f, w.include, i);
    cu_need_header(f, brought_header(f, m), i);
    if (!str_eq(m->replacement, m->token)) return;
    bool needs = m->kind == CU_SEQUENCE && m->verdict == V_EXACT && f->headers.n > headers;
    if (needs) { /* a header is all that it needs to stay what it is */
        f->headers.v[headers].match = i;
        m->replacement = arena_printf(f->a, "%.*s, with #include <%.*s>", STR_ARG(m->token),
                                      STR_ARG(w.include));
        return;
    }
    m->verdict = V_SAME; /* the same name there */
    m->applied = false;
}

static bool in_capture(const struct cu_match *sequence, uint32_t token) {
    for (size_t i = 0; i < sequence->captures.n; i++)
        if (token >= sequence->captures.v[i].first && token < sequence->captures.v[i].last)
            return true;
    return false;
}

/* Names that a sequence's rewrite writes anew wait for it. */
static void find_sequences(struct cu *f) {
    VEC(uint32_t) open = {0};
    for (uint32_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        m->within = NO_NODE;
        while (open.n && f->matches.v[open.v[open.n - 1]].end <= m->start) open.n--;
        for (size_t k = open.n; k-- > 0 && m->kind == CU_SYMBOL && m->within == NO_NODE;)
            if (!in_capture(&f->matches.v[open.v[k]], m->first)) m->within = open.v[k];
        bool writes = m->kind == CU_SEQUENCE && can_plan(m) && m->cell->to.n;
        if (writes && allows(f, m->verdict)) vec_push(f->a, &open, i);
    }
}

static bool is_written(const struct cu *f, const struct cu_match *m) {
    for (size_t i = f->edits.n; i-- > 0 && f->edits.v[i].start <= m->start;)
        if (f->edits.v[i].match == m->within && f->edits.v[i].end >= m->end) return true;
    return false;
}

/* What waited for match i: written by it, or planned now. */
static void plan_waiting(struct cu *f, uint32_t i) {
    const struct cu_match *sequence = &f->matches.v[i];
    if (sequence->kind != CU_SEQUENCE) return;
    uint32_t last = i;
    while (last + 1 < f->matches.n && f->matches.v[last + 1].start < sequence->end) last++;
    for (uint32_t k = last; k > i; k--) {
        struct cu_match *m = &f->matches.v[k];
        if (m->within != i) continue;
        if (!is_written(f, m)) {
            plan_one(f, k);
        } else if (can_plan(m) && m->verdict != V_SAME) {
            cu_join(f, k, i);
            m->applied = true;
            m->verdict = V_EXACT;
        }
    }
}

void cu_plan(struct cu *f) {
    find_sequences(f);
    for (uint32_t i = (uint32_t)f->matches.n; i-- > 0;) {
        if (f->matches.v[i].within == NO_NODE) plan_one(f, i);
        plan_waiting(f, i);
    }
    for (size_t i = 0; i < f->directives.n && !f->cuda; i++)
        if (f->directives.v[i].chosen)
            cu_need_header(f, target_fact(f->target, "runtime_headers"),
                           f->directives.v[i].chosen - 1);
    settle_covered(f);
    cu_need_runtime(f);
    if (f->edits.n) cu_need_plain_names(f);
    if (!f->edits.n && !f->headers.n) return;
    cu_need_for_braced(f);
    cu_need_ahead(f);
}

/* A kernel's loops, and what is in them, are one rewrite. */
static void join_with_kernels(struct cu *f) {
    bool any = false;
    for (size_t i = 0; i < f->edits.n; i++) any |= f->edits.v[i].match == NO_NODE;
    uint32_t last = NO_NODE;
    for (uint32_t i = 0; any && i < f->matches.n; i++) {
        if (!f->matches.v[i].applied) continue;
        if (last != NO_NODE) cu_join(f, i, last);
        last = i;
    }
}

void cu_finish_edits(struct cu *f) {
    join_with_kernels(f);
    cu_drop_repeated(f);
    reverse_edits(f);
    cu_add_headers(f);
}
