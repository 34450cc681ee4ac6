/* loops.c - kernels as loops over the threads of a block: the text that cpu/split.hpp reads. */
#include "cuda/kernel.h"

struct writer {
    struct kernel *k;
    struct cu *f;
    struct kl_edits *edits;
    size_t first; /* of this kernel's edits */
    struct str eol;
    struct str extra; /* indentation of a statement that got braces */
};

static void replace(struct writer *w, uint32_t start, uint32_t end, struct str text) {
    struct match_edit e = {start, end, text, NO_NODE, false};
    vec_push(w->f->a, &w->edits->v, e);
}

static void insert(struct writer *w, uint32_t at, struct str text) { replace(w, at, at, text); }

static uint32_t start_of(const struct cu *f, uint32_t token) { return f->tokens.v[token].start; }
static uint32_t end_of(const struct cu *f, uint32_t token) { return f->tokens.v[token].end; }

static struct str indent_of(const struct cu *f, uint32_t byte) {
    uint32_t line = byte, end;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    for (end = line; end < byte && strchr(" \t", f->src.p[end]);) end++;
    return str_sub(f->src, line, end);
}

static struct str indent_for(const struct writer *w, uint32_t byte) {
    struct str indent = indent_of(w->f, byte);
    return arena_printf(w->f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(w->extra));
}

static struct str deeper(const struct cu *f, uint32_t byte) {
    struct str indent = indent_of(f, byte);
    return indent.n && indent.p[0] == '\t' ? S("\t") : S("    ");
}

/* ---- types of what each thread has for itself ---- */

static void add_type(struct writer *w, const struct kv *v, struct buf *b) {
    struct cu *f = w->f;
    for (uint32_t i = v->type_first; i < v->type_last; i++) {
        bool drop = !v->pointer && (cu_is(f, i, "const") || cu_is(f, i, "constexpr"));
        if (drop || str_listed(cu_text(f, i),
                               S("register __restrict__ __restrict restrict __grid_constant__")))
            continue;
        bool words = b->n && cu_is_word(f, i) && cu_is_word(f, i - 1) && b->p[b->n - 1] != '<';
        bool mark = b->n && cu_is(f, i, "*") && b->p[b->n - 1] != '*';
        if (i > v->type_first && (words || mark)) buf_addc(b, ' ');
        buf_add(b, cu_ported_text(f, i, i + 1));
    }
    for (uint32_t i = v->mark_first; i < v->mark_last; i++)
        if (!cu_is(f, i, "const") || cu_is(f, i + 1, "*"))
            buf_printf(b, " %.*s", STR_ARG(cu_text(f, i)));
}

static void add_each(struct writer *w, const struct kv *v, struct buf *b) {
    buf_addz(b, "cm::each<");
    struct buf type;
    buf_init(&type, w->f->a);
    add_type(w, v, &type);
    buf_add(b, buf_str(&type));
    if (v->array_last > v->array_first && cu_is(w->f, v->array_first + 1, "]")) {
        buf_printf(b, "[%zu]", kv_values(w->f, v));
        buf_add(b, cu_ported_text(w->f, v->array_first + 2, v->array_last));
    } else {
        buf_add(b, cu_ported_text(w->f, v->array_first, v->array_last));
    }
    buf_printf(b, "> %.*s;", STR_ARG(v->name));
}

/* ---- declarations ---- */

static bool has_init(const struct kernel *k, uint32_t statement) {
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].statement == statement && k->v.v[n].init) return true;
    return false;
}

/* A statement that goes, with its line where it has one for itself. */
static void remove_statement(struct writer *w, uint32_t s, bool line) {
    const struct cu *f = w->f;
    uint32_t start = start_of(f, w->k->s.v[s].start), end = end_of(f, w->k->s.v[s].last - 1);
    uint32_t from = start, to = end;
    while (from > 0 && strchr(" \t", f->src.p[from - 1])) from--;
    while (to < f->src.n && strchr(" \t\r", f->src.p[to])) to++;
    bool alone = from > 0 && f->src.p[from - 1] == '\n' && to < f->src.n && f->src.p[to] == '\n';
    if (line && alone)
        replace(w, from, to + 1, S(""));
    else
        replace(w, start, end, S(""));
}

/* The token behind a variable, what it is made of included. */
static uint32_t declarator_end(const struct kv *v) {
    if (!v->init) return v->array_last;
    return v->init == '=' ? v->init_last : v->init_last + 1;
}

/* T v = x; becomes v = x; */
static void declarator(struct writer *w, const struct kv *v, uint32_t from, bool more) {
    struct cu *f = w->f;
    uint32_t name = start_of(f, v->token), after = end_of(f, v->token);
    bool array = v->array_first != v->array_last;
    if (!v->init) { /* goes with the comma behind it */
        uint32_t last = array ? v->array_last - 1 : v->token;
        replace(w, from, more ? start_of(f, last + 2) : end_of(f, last), S(""));
        return;
    }
    replace(w, from, name, array ? S("cm::assign(") : S(""));
    if (array) {
        replace(w, after, start_of(f, v->init_first), S(", "));
        insert(w, end_of(f, v->init_last - 1), S(")"));
    } else if (v->init != '=') {
        struct buf type;
        buf_init(&type, f->a);
        add_type(w, v, &type);
        bool words = memchr(type.p, ' ', type.n) != NULL; /* (unsigned int)(x) */
        struct str made = arena_printf(f->a, words ? " = (%.*s)" : " = %.*s", (int)type.n, type.p);
        insert(w, after, v->init == '(' ? made : S(" = "));
    }
    if (!more) return;
    uint32_t comma = v->init == '=' ? v->init_last : v->init_last + 1;
    replace(w, start_of(f, comma), end_of(f, comma), S(";"));
}

/* What of a mixed declaration stays in the loop over the threads. */
static void mixed_declaration(struct writer *w, uint32_t s) {
    struct kernel *k = w->k;
    struct buf b;
    bool first = true;
    buf_init(&b, w->f->a);
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement != s || v->class == KV_BLOCK) continue;
        if (v->class == KV_EACH) { /* so are the others */
            struct str value = cu_ported_text(w->f, v->init_first, v->init_last);
            if (v->init && b.n) buf_addc(&b, ' ');
            if (v->init) buf_printf(&b, "%.*s = %.*s;", STR_ARG(v->name), STR_ARG(value));
            continue;
        }
        if (first) buf_add(&b, cu_ported_text(w->f, v->type_first, v->type_last));
        buf_addz(&b, first ? " " : ", ");
        first = false;
        buf_add(&b, cu_ported_text(w->f, v->mark_first, declarator_end(v)));
    }
    if (!first) buf_addc(&b, ';');
    replace(w, start_of(w->f, k->s.v[s].start), end_of(w->f, k->s.v[s].last - 1), buf_str(&b));
}

/* What of it stands before that loop. */
static void add_shared_part(struct writer *w, uint32_t s, struct buf *b, struct str indent) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n && k->s.v[s].mixed; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement != s || v->class != KV_BLOCK) continue;
        buf_add(b, cu_ported_text(w->f, v->type_first, v->type_last));
        buf_printf(b, " %.*s;%.*s%.*s",
                   STR_ARG(cu_ported_text(w->f, v->mark_first, declarator_end(v))),
                   STR_ARG(w->eol), STR_ARG(indent));
    }
}

static void declaration(struct writer *w, uint32_t s, bool inner) {
    struct kernel *k = w->k;
    if (k->s.v[s].mixed) {
        mixed_declaration(w, s);
        return;
    }
    if (!has_init(k, s)) {
        remove_statement(w, s, inner);
        return;
    }
    uint32_t from = start_of(w->f, k->s.v[s].start);
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement != s) continue;
        bool more = n + 1 < k->v.n && k->v.v[n + 1].statement == s;
        declarator(w, v, from, more);
        if (!more) continue;
        uint32_t next = k->v.v[n + 1].mark_first;
        from = start_of(w->f, next);
    }
}

/* ---- pieces ---- */

static bool piece_holds(const struct kernel *k, const struct ks_piece *p, uint32_t token) {
    return kw_piece_of(k, token) == (uint32_t)(p - k->pieces.v);
}

/* Marks the variables whose declarations a piece has to repeat; what they are made of comes before
 * them. */
static void find_repeated(const struct kernel *k, const struct ks_piece *p, bool *needed) {
    for (uint32_t n = (uint32_t)k->v.n; n-- > 0;) {
        const struct kv *v = &k->v.v[n];
        if (v->class != KV_REPEATED || piece_holds(k, p, v->token)) continue;
        bool yes = kw_piece_uses(k, (uint32_t)(p - k->pieces.v), n);
        for (size_t u = 0; u < k->uses.n && !yes; u++) {
            uint32_t i = k->uses.v[u].token;
            if (k->uses.v[u].variable != n) continue;
            for (uint32_t m = n + 1; m < k->v.n && !yes; m++) {
                const struct kv *x = &k->v.v[m];
                yes = needed[m] && x->init && i >= x->init_first && i < x->init_last;
            }
        }
        needed[n] = yes;
    }
}

/* Whether a needed variable of the same declaration stands before it. */
static bool is_begun(const struct kernel *k, uint32_t n, const bool *needed) {
    for (uint32_t m = n; m-- > 0 && k->v.v[m].statement == k->v.v[n].statement;)
        if (needed[m]) return true;
    return false;
}

/* The declaration of those variables of a statement that are needed. */
static void add_repeated(struct writer *w, uint32_t s, const bool *needed, struct buf *b) {
    struct kernel *k = w->k;
    bool all = true, first = true;
    for (uint32_t n = 0; n < k->v.n; n++) all &= k->v.v[n].statement != s || needed[n];
    if (all) {
        buf_add(b, cu_ported_text(w->f, k->s.v[s].start, k->s.v[s].last));
        return;
    }
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement != s || !needed[n]) continue;
        if (first) buf_add(b, cu_ported_text(w->f, v->type_first, v->type_last));
        buf_addz(b, first ? " " : ", ");
        first = false;
        buf_add(b, cu_ported_text(w->f, v->mark_first, declarator_end(v)));
    }
    buf_addc(b, ';');
}

/* Lines of the source inside of a piece go one step to the right. */
static void indent_lines(struct writer *w, uint32_t from, uint32_t to, struct str step) {
    const struct cu *f = w->f;
    for (uint32_t i = from; i + 1 < to; i++) {
        if (f->src.p[i] != '\n' || strchr("\r\n", f->src.p[i + 1])) continue;
        bool covered = false; /* in a string, or gone */
        for (size_t n = w->first; n < w->edits->v.n && !covered; n++)
            covered = w->edits->v.v[n].start <= i && i < w->edits->v.v[n].end;
        if (!covered) insert(w, i + 1, step);
    }
}

static bool spans_lines(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind == CU_STRING && memchr(text.p, '\n', text.n)) return true;
    }
    return false;
}

static bool is_condition(const struct kernel *k, const struct ks_piece *p) {
    uint32_t from, to;
    km_part(k, p->head, KM_CONDITION, &from, &to);
    return p->from == from && p->to == to;
}

/* cm_if_3: which threads go through masked statement s; of an `if`, also those that don't. */
static struct str mask_of(struct writer *w, uint32_t s, bool other) {
    const char *name = w->k->s.v[s].kind != KS_IF ? "in" : other ? "else" : "if";
    uint32_t n = 0;
    for (uint32_t i = 0; i < s; i++) n += w->k->s.v[i].masked;
    return arena_printf(w->f->a, "cm_%s_%u", name, n);
}

/* Adds the masks of the loops that a piece leaves. */
static void add_left(struct writer *w, const struct ks_piece *p, struct buf *b) {
    const struct kernel *k = w->k;
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool left = false;
        for (uint32_t n = 0; n < k->s.n && p->first != NO_NODE && !left; n++)
            left = k->s.v[n].kind == KS_BREAK && k->s.v[n].first >= p->from &&
                   k->s.v[n].last <= p->to && km_loop_of(k, n) == s;
        if (left && k->s.v[s].masked) buf_printf(b, ", %.*s", STR_ARG(mask_of(w, s, false)));
    }
}

/* for (T i = a; i < b; i += c): the threads take the first step together, then the next. */
static void deal(struct writer *w, uint32_t s) {
    const struct cu *f = w->f;
    uint32_t first, first_end, from, to, step, end;
    km_part(w->k, s, KM_FIRST, &first, &first_end);
    km_part(w->k, s, KM_CONDITION, &from, &to);
    km_part(w->k, s, KM_STEP, &step, &end);
    while (!cu_is(f, first, "=")) first++;
    struct str width = cu_ported_text(w->f, step + 2, end);
    insert(w, start_of(f, first + 1), S("CM_FIRST("));
    insert(w, end_of(f, first_end - 1), arena_printf(f->a, ", %.*s)", STR_ARG(width)));
    insert(w, start_of(f, from), S("CM_GOES("));
    insert(w, end_of(f, to - 1), S(")"));
    replace(w, start_of(f, step), end_of(f, end - 1),
            arena_printf(f->a, "CM_NEXT(%.*s, %.*s)", STR_ARG(cu_text(f, step)), STR_ARG(width)));
}

static void open_piece(struct writer *w, uint32_t number, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    const struct ks_piece *p = &k->pieces.v[number];
    struct str indent = indent_for(w, at), step = deeper(w->f, at);
    bool *needed = arena_zalloc(w->f->a, k->v.n + 1), any = false;
    find_repeated(k, p, needed);
    buf_addz(b, "CM_");
    static const char *const names[] = {"THREADS", "ASKING_THREADS", "CALLING_THREADS"};
    enum kq_manner manner = p->manner, other;
    uint32_t token;
    struct str word;
    for (uint32_t n = 0; n < k->v.n; n++) {
        if (!needed[n]) continue;
        any = true;
        other = kq_manner(k, k->v.v[n].init_first, k->v.v[n].init_last, &token, &word);
        manner = other > manner ? other : manner;
    }
    bool deals = p->first != NO_NODE && k->s.v[p->first].deals && manner == KQ_QUIET;
    if (deals) deal(w, p->first);
    buf_printf(b, "%s(threadIdx", deals ? "STEPS" : names[manner]);
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].class == KV_EACH && kw_piece_uses(k, (uint32_t)(p - k->pieces.v), n))
            buf_printf(b, ", %.*s", STR_ARG(k->v.v[n].name));
    for (uint32_t n = 0; n < k->offers.n; n++) {
        bool read = p->first != NO_NODE && kw_is_offer(k, k->offers.v[n].word) &&
                    k->offers.v[n].word >= p->from && k->offers.v[n].word < p->to;
        if (read || p->offer == n) buf_printf(b, ", cm_lane_%u", n);
    }
    bool condition = p->head != NO_NODE && is_condition(k, p);
    if (condition) buf_printf(b, ", %.*s", STR_ARG(mask_of(w, p->head, false)));
    if (condition && k->s.v[p->head].kind == KS_IF && k->s.v[p->head].other != NO_NODE)
        buf_printf(b, ", %.*s", STR_ARG(mask_of(w, p->head, true)));
    add_left(w, p, b);
    buf_addz(b, ") {");
    for (uint32_t n = 0; n < k->v.n; n++) {
        uint32_t s = k->v.v[n].statement;
        if (!needed[n] || is_begun(k, n, needed)) continue;
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
        add_repeated(w, s, needed, b);
    }
    if (p->head != NO_NODE && !any) return;
    if (p->first == NO_NODE || k->s.v[p->first].first == k->s.v[p->first].start)
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
}

static void leave(struct writer *w, const struct ks_piece *p) {
    const struct kernel *k = w->k;
    for (uint32_t i = p->from; i < p->to && p->leaves; i++) {
        uint32_t lambda = ks_lambda(w->f, i);
        i += lambda ? lambda - 1 : 0;
        if (cu_is(w->f, i, "return"))
            replace(w, start_of(w->f, i), end_of(w->f, i), S("CM_LEAVE"));
    }
    for (uint32_t s = 0; s < k->s.n; s++) {
        const struct ks *x = &k->s.v[s];
        if (x->kind != KS_BREAK || x->first < p->from || x->last > p->to) continue;
        uint32_t loop = km_loop_of(k, s);
        if (loop != NO_NODE && k->s.v[loop].masked)
            replace(w, start_of(w->f, x->start), end_of(w->f, x->start),
                    arena_printf(w->f->a, "CM_BREAK(%.*s)", STR_ARG(mask_of(w, loop, false))));
    }
}

static uint32_t after_line_break(const struct cu *f, uint32_t at) {
    while (at > 0 && f->src.p[at - 1] != '\n') at--;
    return at;
}

/* Behind the comment that ends the line, if one does. */
static uint32_t with_comment(const struct cu *f, uint32_t at) {
    uint32_t i = at;
    while (i < f->src.n && strchr(" \t", f->src.p[i])) i++;
    for (size_t n = 0; n < f->comments.n; n++) {
        struct byte_range c = f->comments.v[n];
        if (c.start != i || !memchr(f->src.p + c.start, '\n', f->src.n - c.start)) continue;
        uint32_t end = c.end;
        while (end > c.start && strchr("\r\n", f->src.p[end - 1])) end--;
        bool last = end < f->src.n && strchr("\r\n", f->src.p[end]);
        return last && !memchr(f->src.p + c.start, '\n', end - c.start) ? end : at;
    }
    return at;
}

static void piece(struct writer *w, uint32_t number) {
    struct kernel *k = w->k;
    const struct cu *f = w->f;
    const struct ks_piece *p = &k->pieces.v[number];
    uint32_t first = k->s.v[p->first].first, last = k->s.v[p->last].last;
    uint32_t start = start_of(f, k->s.v[p->first].start), end = end_of(f, last - 1);
    bool pragma = first != k->s.v[p->first].start;
    struct str indent = indent_for(w, start), step = deeper(f, start);
    struct buf b;
    bool empty = true;
    buf_init(&b, f->a);
    add_shared_part(w, p->first, &b, indent);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        bool own = false;
        for (uint32_t n = 0; n < k->v.n; n++) {
            if (k->v.v[n].statement != s || k->v.v[n].class != KV_EACH) continue;
            own = true;
            if (b.n && b.p[b.n - 1] == ';')
                buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
            add_each(w, &k->v.v[n], &b);
        }
        if (!own || has_init(k, s)) empty = false;
        if (s == p->last) break;
    }
    if (!empty) {
        if (b.n && b.p[b.n - 1] == ';')
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        open_piece(w, number, &b, start);
    }
    if (pragma) start = after_line_break(f, start_of(f, first));
    insert(w, start,
           pragma ? arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(indent), STR_ARG(buf_str(&b)),
                                 STR_ARG(w->eol))
                  : buf_str(&b));
    if (pragma) insert(w, start, step);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        for (uint32_t n = 0; n < k->v.n; n++)
            if (k->v.v[n].statement == s && (k->v.v[n].class == KV_EACH || k->s.v[s].mixed)) {
                declaration(w, s, s != p->first && s != p->last);
                break;
            }
        if (s == p->last) break;
    }
    if (empty) return;
    leave(w, p);
    end = with_comment(f, end);
    if (!spans_lines(f, first, last)) indent_lines(w, start, end, step);
    insert(w, end, arena_printf(f->a, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent)));
    if (p->leaves)
        insert(w, end,
               arena_printf(f->a, "%.*s%.*sCM_ALL_LEFT;", STR_ARG(w->eol), STR_ARG(indent)));
}

/* A variable for what the lanes offer, and the piece that puts it there; the operation reads it.
 */
static void offer(struct writer *w, uint32_t number) {
    struct kernel *k = w->k;
    struct cu *f = w->f;
    uint32_t n = k->pieces.v[number].offer, s = k->offers.v[n].statement;
    const struct ks_offer *o = &k->offers.v[n];
    uint32_t at = start_of(f, k->s.v[s].first);
    struct str indent = indent_for(w, at);
    struct buf b, type;
    buf_init(&b, f->a);
    buf_init(&type, f->a);
    if (o->variable != NO_NODE) add_type(w, &k->v.v[o->variable], &type);
    buf_printf(&b, "cm::each<%.*s> cm_lane_%u;%.*s%.*s",
               STR_ARG(type.n ? buf_str(&type) : S("int")), n, STR_ARG(w->eol), STR_ARG(indent));
    open_piece(w, number, &b, at);
    struct str value = cu_ported_text(f, o->value_first, o->value_last);
    buf_printf(&b, o->variable != NO_NODE ? "cm_lane_%u = %.*s;" : "cm_lane_%u = (%.*s) != 0;", n,
               STR_ARG(value));
    buf_printf(&b, "%.*s%.*s};%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(w->eol),
               STR_ARG(indent));
    insert(w, at, buf_str(&b));
    insert(w, start_of(f, o->word), S("CM_LANES("));
    insert(w, end_of(f, o->word), S(")"));
    replace(w, start_of(f, o->value_first), end_of(f, o->value_last - 1),
            arena_printf(f->a, "cm_lane_%u", n));
}

/* ---- the kernel ---- */

static void barrier(struct writer *w, uint32_t s) {
    const struct ks *x = &w->k->s.v[s];
    insert(w, start_of(w->f, x->start), S("CM_BARRIER("));
    insert(w, start_of(w->f, x->last - 1), S(")"));
}

/* Parameters that each thread changes: the kernel's get another name. */
static void own_parameters(struct writer *w, struct str indent, struct buf *b) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != KV_EACH) continue;
        insert(w, start_of(w->f, v->token), S("cm_"));
        buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        add_each(w, v, b);
        b->n--; /* the ; */
        buf_printf(b, "(cm_%.*s);", STR_ARG(v->name));
    }
}

/* ---- masked statements ---- */

static uint32_t head_piece(const struct kernel *k, uint32_t s, enum km_part part) {
    uint32_t from, to;
    km_part(k, s, part, &from, &to);
    for (uint32_t p = 0; p < k->pieces.n && from < to; p++)
        if (k->pieces.v[p].head == s && k->pieces.v[p].from == from) return p;
    return NO_NODE;
}

/* The declaration in the head of a `for`, as assignments. */
static void add_first(struct writer *w, uint32_t s, struct buf *b) {
    struct kernel *k = w->k;
    bool declares = false;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement == NO_NODE || v->statement != k->s.v[s].other) continue;
        struct str value = cu_ported_text(w->f, v->init_first, v->init_last);
        if (declares && v->init) buf_addc(b, ' ');
        declares = true;
        if (v->init) buf_printf(b, "%.*s = %.*s;", STR_ARG(v->name), STR_ARG(value));
    }
    if (declares) return;
    const struct ks_piece *p = &k->pieces.v[head_piece(k, s, KM_FIRST)];
    buf_printf(b, "%.*s;", STR_ARG(cu_ported_text(w->f, p->from, p->to)));
}

/* A loop over the threads that evaluates one part of the head, or, without one, of a condition
 * that is always true. */
static void head(struct writer *w, uint32_t s, enum km_part part, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    uint32_t number = head_piece(k, s, part);
    struct str mask = mask_of(w, s, false);
    if (number == NO_NODE && part != KM_CONDITION) return;
    if (b->n) buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent_for(w, at)));
    if (number == NO_NODE) {
        buf_printf(b, "CM_THREADS(threadIdx, %.*s) { %.*s = true; };", STR_ARG(mask),
                   STR_ARG(mask));
        return;
    }
    const struct ks_piece *p = &k->pieces.v[number];
    struct str text = cu_ported_text(w->f, p->from, p->to);
    size_t before = b->n;
    open_piece(w, number, b, at);
    bool lines = memchr(b->p + before, '\n', b->n - before) != NULL, plain = true;
    for (uint32_t i = p->from; i < p->to; i++)
        plain &= !cu_is(w->f, i, "=") && !cu_is(w->f, i, ",");
    if (!lines) buf_addc(b, ' ');
    if (part == KM_FIRST)
        add_first(w, s, b);
    else if (part == KM_STEP)
        buf_printf(b, "%.*s;", STR_ARG(text));
    else
        buf_printf(b, plain ? "%.*s = %.*s;" : "%.*s = bool(%.*s);", STR_ARG(mask), STR_ARG(text));
    if (part == KM_CONDITION && k->s.v[s].kind == KS_IF && k->s.v[s].other != NO_NODE)
        buf_printf(b, " %.*s = !%.*s;", STR_ARG(mask_of(w, s, true)), STR_ARG(mask));
    if (lines)
        buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent_for(w, at)));
    else
        buf_addz(b, " };");
}

static void list(struct writer *w, uint32_t first);

/* Only blanks stand between. */
static bool blank_between(const struct cu *f, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (!strchr(" \t\r\n", f->src.p[i])) return false;
    return true;
}

/* What follows the head, which ends before byte `from`, in braces; `end` goes before the last one.
 */
static void masked_body(struct writer *w, uint32_t from, uint32_t child, struct str indent,
                        struct str end) {
    const struct ks *x = &w->k->s.v[child];
    struct cu *f = w->f;
    uint32_t at = start_of(f, x->first);
    struct str step = deeper(f, at),
               inner = arena_printf(f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(step));
    struct str here = arena_printf(f->a, "{%.*s%.*sCM_HERE;", STR_ARG(w->eol), STR_ARG(inner));
    if (x->kind == KS_BLOCK) {
        replace(w, start_of(f, x->open), end_of(f, x->open), here);
        list(w, x->child);
        if (end.n)
            insert(w, start_of(f, x->close),
                   arena_printf(f->a, "%.*s%.*s%.*s%.*s", STR_ARG(step), STR_ARG(end),
                                STR_ARG(w->eol), STR_ARG(indent)));
        return;
    }
    here = arena_printf(f->a, " %.*s%.*s%.*s", STR_ARG(here), STR_ARG(w->eol), STR_ARG(inner));
    if (blank_between(f, from, at))
        replace(w, from, at, here);
    else
        insert(w, at, here);
    list(w, child);
    struct buf b;
    buf_init(&b, f->a);
    if (end.n) buf_printf(&b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(inner), STR_ARG(end));
    buf_printf(&b, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent));
    insert(w, with_comment(f, end_of(f, x->last - 1)), buf_str(&b));
}

/* The end of each round: the step, then whether there is another one. */
static struct str next_round(struct writer *w, uint32_t s) {
    struct buf b;
    buf_init(&b, w->f->a);
    uint32_t at = start_of(w->f, w->k->s.v[s].start);
    struct str before = w->extra;
    w->extra = deeper(w->f, at);
    head(w, s, KM_STEP, &b, at);
    head(w, s, KM_CONDITION, &b, at);
    w->extra = before;
    return buf_str(&b);
}

static void masked(struct writer *w, uint32_t s) {
    struct kernel *k = w->k;
    struct cu *f = w->f;
    const struct ks *x = &k->s.v[s];
    uint32_t at = start_of(f, x->start);
    struct str indent = indent_for(w, at), mask = mask_of(w, s, false);
    struct buf b;
    buf_init(&b, f->a);
    for (uint32_t n = 0; n < k->v.n && x->kind == KS_FOR; n++)
        if (k->v.v[n].statement == x->other && k->v.v[n].class == KV_EACH) {
            add_each(w, &k->v.v[n], &b);
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        }
    buf_printf(&b, "cm::each<bool> %.*s;", STR_ARG(mask));
    bool other = x->kind == KS_IF && x->other != NO_NODE;
    if (other) buf_printf(&b, " cm::each<bool> %.*s;", STR_ARG(mask_of(w, s, true)));
    if (x->kind == KS_FOR) head(w, s, KM_FIRST, &b, at);
    if (x->kind == KS_DO)
        buf_printf(&b, "%.*s%.*sCM_THREADS(threadIdx, %.*s) { %.*s = true; };", STR_ARG(w->eol),
                   STR_ARG(indent), STR_ARG(mask), STR_ARG(mask));
    else
        head(w, s, KM_CONDITION, &b, at);
    buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
    if (x->kind == KS_IF)
        buf_printf(&b, "if (CM_WHERE(%.*s))", STR_ARG(mask));
    else
        buf_printf(&b, "for (CM_WHILE(%.*s))", STR_ARG(mask));
    if (x->first != x->start) { /* a #pragma about the loop */
        uint32_t line = after_line_break(f, start_of(f, x->first));
        replace(w, line, after_line_break(f, at), S(""));
    }
    uint32_t head_end = x->kind == KS_DO ? end_of(f, x->start) : end_of(f, x->close);
    replace(w, at, head_end, buf_str(&b));
    masked_body(w, head_end, x->child, indent, x->kind == KS_IF ? S("") : next_round(w, s));
    if (x->kind == KS_DO) /* while (...); */
        replace(w, end_of(f, x->open - 2), end_of(f, x->last - 1), S(""));
    if (!other) return;
    uint32_t word = k->s.v[x->child].last, from = end_of(f, word - 1);
    if (!blank_between(f, from, start_of(f, word))) from = start_of(f, word);
    replace(w, from, end_of(f, word),
            arena_printf(f->a, "%.*s%.*sif (CM_WHERE(%.*s))", STR_ARG(w->eol), STR_ARG(indent),
                         STR_ARG(mask_of(w, s, true))));
    masked_body(w, end_of(f, word), x->other, indent, S(""));
}

static uint32_t piece_that_begins(const struct kernel *k, uint32_t s) {
    for (uint32_t p = 0; p < k->pieces.n; p++)
        if (k->pieces.v[p].first == s) return p;
    return NO_NODE;
}

static void list(struct writer *w, uint32_t first) {
    struct kernel *k = w->k;
    for (uint32_t s = first; s != NO_NODE; s = k->s.v[s].next) {
        const struct ks *x = &k->s.v[s];
        uint32_t p = piece_that_begins(k, s);
        bool bare = k->s.v[x->parent].kind != KS_BLOCK && (p != NO_NODE || x->masked) &&
                    k->s.v[x->parent].role == KR_HOISTED && !k->s.v[x->parent].masked;
        uint32_t start = start_of(w->f, x->first);
        uint32_t end = end_of(w->f, x->last - 1);
        struct str indent = indent_of(w->f, start), step = deeper(w->f, start);
        if (bare)
            insert(w, start,
                   arena_printf(w->f->a, "{%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent),
                                STR_ARG(step)));
        w->extra = bare ? step : S("");
        for (uint32_t n = 0; n < k->pieces.n; n++)
            if (k->pieces.v[n].offer != NO_NODE &&
                k->offers.v[k->pieces.v[n].offer].statement == s)
                offer(w, n);
        if (p != NO_NODE) {
            piece(w, p);
            s = k->pieces.v[p].last;
        } else if (x->role == KR_CUT) {
            barrier(w, s);
        } else if (x->role == KR_REPEATED) {
            remove_statement(w, s, true);
        } else if (x->role == KR_HOISTED && x->masked) {
            masked(w, s);
        } else if (x->role == KR_HOISTED) {
            list(w, x->child);
            if (x->kind == KS_IF && x->other != NO_NODE) list(w, x->other);
        }
        w->extra = S("");
        if (bare)
            insert(w, end, arena_printf(w->f->a, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent)));
    }
}

/* What only the block's threads can see needs no atomic instruction: they take turns. */
static void shared_atomics(struct writer *w) {
    struct kernel *k = w->k;
    for (uint32_t i = k->open; i + 3 < k->close; i++) {
        if (!str_listed(cu_text(w->f, i), kq_words(w->f, "block_atomics"))) continue;
        if (!cu_is(w->f, i + 1, "(")) continue;
        uint32_t n = kv_at(k, i + 2 + cu_is(w->f, i + 2, "&"));
        if (n != NO_NODE && k->v.v[n].class == KV_SHARED) insert(w, end_of(w->f, i), S("_block"));
    }
}

/* Edits of rules in the middle of what is written anew. */
static bool collides(const struct writer *w) {
    const struct cu *f = w->f;
    for (size_t n = w->first; n < w->edits->v.n; n++) {
        const struct match_edit *e = &w->edits->v.v[n];
        for (size_t i = 0; i < f->edits.n; i++) {
            const struct match_edit *other = &f->edits.v[i];
            if (e->start < other->end && other->start < e->end) return true;
            if (e->start == e->end && other->start < e->start && e->start < other->end)
                return true;
        }
    }
    return false;
}

bool kl_write(struct kernel *k, struct kl_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S("")};
    uint32_t open = end_of(k->f, k->open), first = start_of(k->f, k->s.v[k->s.v[0].child].first);
    const char *name = k->leaves ? "CM_LEAVING_BLOCK;" : "CM_BLOCK;";
    struct str indent = indent_of(k->f, first);
    bool same_line = after_line_break(k->f, first) <= open;
    struct buf b;
    buf_init(&b, k->f->a);
    if (same_line)
        buf_addc(&b, ' ');
    else
        buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
    buf_addz(&b, name);
    own_parameters(&w, indent, &b);
    insert(&w, open, buf_str(&b));
    list(&w, k->s.v[0].child);
    shared_atomics(&w);
    if (!collides(&w)) return true;
    edits->v.n = w.first;
    return ks_fail(k, k->open, "names in its declarations change");
}

void kl_write_one_loop(struct kernel *k, struct kl_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S("")};
    struct buf b;
    buf_init(&b, k->f->a);
    insert(&w, start_of(k->f, k->open), S("CM_EACH_THREAD "));
    uint32_t inside = start_of(k->f, k->open + 1);
    bool same_line = after_line_break(k->f, inside) <= start_of(k->f, k->open);
    struct str indent = indent_of(k->f, inside);
    for (uint32_t n = 0; n < k->v.n; n++) { /* parameters that each thread changes */
        const struct kv *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != KV_EACH) continue;
        struct buf type;
        buf_init(&type, k->f->a);
        add_type(&w, v, &type);
        if (same_line)
            buf_addc(&b, ' ');
        else
            buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
        bool pointer = type.n && type.p[type.n - 1] == '*';
        buf_printf(&b, "%.*s%s%.*s = cm_%.*s;", (int)type.n, type.p, pointer ? "" : " ",
                   STR_ARG(v->name), STR_ARG(v->name));
        insert(&w, start_of(k->f, v->token), S("cm_"));
    }
    insert(&w, end_of(k->f, k->open), buf_str(&b));
    insert(&w, end_of(k->f, k->close), S(" CM_END"));
}

void kl_write_clock(struct kernel *k, struct kl_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, S("\n"), S("")};
    for (uint32_t i = k->open; i + 2 < k->close; i++)
        if (cu_is(k->f, i, "clock") && cu_is(k->f, i + 1, "(") && cu_is(k->f, i + 2, ")"))
            insert(&w, end_of(k->f, i), S("64"));
}

/* ---- among the other edits ---- */

static bool before(const struct match_edit *a, const struct match_edit *b) {
    if (a->start != b->start) return a->start < b->start;
    return a->start == a->end && b->start != b->end;
}

void kl_merge(struct cu *f, const struct kl_edits *edits) {
    size_t n = edits->v.n;
    struct match_edit *mine = arena_alloc(f->a, (n + 1) * sizeof *mine);
    for (size_t i = 0; i < n; i++) { /* nearly in order already */
        size_t at = i;
        for (; at > 0 && before(&edits->v.v[i], &mine[at - 1]); at--) mine[at] = mine[at - 1];
        mine[at] = edits->v.v[i];
    }
    VEC(struct match_edit) all = {0};
    size_t m = n;
    for (size_t i = 0; i < f->edits.n; i++) { /* the last of the file first */
        while (m > 0 && !before(&mine[m - 1], &f->edits.v[i])) vec_push(f->a, &all, mine[--m]);
        vec_push(f->a, &all, f->edits.v[i]);
    }
    while (m > 0) vec_push(f->a, &all, mine[--m]);
    f->edits.n = 0;
    for (size_t i = 0; i < all.n; i++) vec_push(f->a, &f->edits, all.v[i]);
}
