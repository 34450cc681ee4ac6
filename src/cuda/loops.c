/* loops.c - kernels as loops over the threads of a block: the text that cpu/split.hpp reads. */
#include "cuda/loops.h"

void lw_replace(struct writer *w, uint32_t start, uint32_t end, struct str text) {
    struct match_edit e = {start, end, text, NO_NODE, false};
    vec_push(w->f->a, &w->edits->v, e);
}

void lw_insert(struct writer *w, uint32_t at, struct str text) { lw_replace(w, at, at, text); }

struct str lw_indent_of(const struct cu *f, uint32_t byte) {
    uint32_t line = byte, end;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    for (end = line; end < byte && strchr(" \t", f->src.p[end]);) end++;
    return str_sub(f->src, line, end);
}

struct str lw_indent_for(const struct writer *w, uint32_t byte) {
    struct str indent = lw_indent_of(w->f, byte);
    return arena_printf(w->f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(w->extra));
}

struct str lw_deeper(const struct cu *f, uint32_t byte) {
    struct str indent = lw_indent_of(f, byte);
    return indent.n && indent.p[0] == '\t' ? S("\t") : S("    ");
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
        buf_add(b, cu_ported_text(w->f, v->mark_first, lw_declarator_end(v)));
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
        if (!covered) lw_insert(w, i + 1, step);
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

/* Adds the masks of the loops that a piece leaves. */
static void add_left(struct writer *w, const struct ks_piece *p, struct buf *b) {
    const struct kernel *k = w->k;
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool left = false;
        for (uint32_t n = 0; n < k->s.n && p->first != NO_NODE && !left; n++)
            left = k->s.v[n].kind == KS_BREAK && k->s.v[n].first >= p->from &&
                   k->s.v[n].last <= p->to && km_loop_of(k, n) == s;
        if (left && k->s.v[s].masked) buf_printf(b, ", %.*s", STR_ARG(lw_mask_of(w, s, false)));
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
    lw_insert(w, start_of(f, first + 1), S("CM_FIRST("));
    lw_insert(w, end_of(f, first_end - 1), arena_printf(f->a, ", %.*s)", STR_ARG(width)));
    lw_insert(w, start_of(f, from), S("CM_GOES("));
    lw_insert(w, end_of(f, to - 1), S(")"));
    lw_replace(w, start_of(f, step), end_of(f, end - 1),
            arena_printf(f->a, "CM_NEXT(%.*s, %.*s)", STR_ARG(cu_text(f, step)), STR_ARG(width)));
}

static bool returns_value(const struct kernel *k, const struct ks_piece *p) {
    for (uint32_t i = p->from; i < p->to && k->returns; i++) {
        uint32_t lambda = ks_lambda(k->f, i);
        i += lambda ? lambda - 1 : 0;
        if (cu_is(k->f, i, "return")) return true;
    }
    return false;
}

/* The variable of what was offered, or of what a function returned. */
static struct str lane(const struct writer *w, uint32_t n) {
    return arena_printf(w->f->a, "cm_%s_%u", w->k->offers.v[n].call ? "call" : "lane", n);
}

/* What is offered is the value of the piece: no variable is there before. */
static bool is_value(const struct kernel *k, const struct ks_piece *p) {
    const struct ks_offer *o = p->offer != NO_NODE ? &k->offers.v[p->offer] : NULL;
    return o && o->variable == NO_NODE && !o->vote;
}

/* CM_THREADS, CM_VALUES, CM_CALL(f) */
static void add_loop(struct writer *w, const struct ks_piece *p, enum kq_manner manner,
                     struct buf *b) {
    static const char *const loops[] = {"THREADS", "ASKING_THREADS", "CALLING_THREADS"};
    static const char *const values[] = {"VALUES", "ASKING_VALUES", "ASKING_VALUES"};
    const struct ks_offer *o = p->offer != NO_NODE ? &w->k->offers.v[p->offer] : NULL;
    if (o && o->call) {
        struct str callee = cu_ported_text(w->f, o->first, o->value_first - 1);
        buf_printf(b, "CM_CALL(%.*s)", STR_ARG(callee));
    } else {
        buf_printf(b, "CM_%s", (is_value(w->k, p) ? values : loops)[manner]);
    }
}

bool lw_open_piece(struct writer *w, uint32_t number, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    const struct ks_piece *p = &k->pieces.v[number];
    struct str indent = lw_indent_for(w, at), step = lw_deeper(w->f, at);
    bool *needed = arena_zalloc(w->f->a, k->v.n + 1), any = false;
    find_repeated(k, p, needed);
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
    if (deals)
        buf_addz(b, "CM_STEPS");
    else
        add_loop(w, p, manner, b);
    buf_addz(b, "(threadIdx");
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].class == KV_EACH && kw_piece_uses(k, (uint32_t)(p - k->pieces.v), n))
            buf_printf(b, ", %.*s", STR_ARG(k->v.v[n].name));
    for (uint32_t n = 0; n < k->offers.n; n++) {
        bool read = p->offer == NO_NODE && kw_is_offer(k, k->offers.v[n].word) &&
                    k->offers.v[n].word >= p->from && k->offers.v[n].word < p->to;
        if (read || (p->offer == n && !is_value(k, p)))
            buf_printf(b, ", %.*s", STR_ARG(lane(w, n)));
    }
    bool condition = p->head != NO_NODE && is_condition(k, p);
    if (condition) buf_printf(b, ", %.*s", STR_ARG(lw_mask_of(w, p->head, false)));
    if (condition && k->s.v[p->head].kind == KS_IF && k->s.v[p->head].other != NO_NODE)
        buf_printf(b, ", %.*s", STR_ARG(lw_mask_of(w, p->head, true)));
    add_left(w, p, b);
    if (returns_value(k, p)) buf_addz(b, ", cm_result");
    buf_addz(b, ") {");
    for (uint32_t n = 0; n < k->v.n; n++) {
        uint32_t s = k->v.v[n].statement;
        if (!needed[n] || is_begun(k, n, needed)) continue;
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
        add_repeated(w, s, needed, b);
    }
    if ((p->head != NO_NODE || is_value(k, p)) && !any) return false;
    if (p->first == NO_NODE || k->s.v[p->first].first == k->s.v[p->first].start)
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
    return true;
}

static void leave(struct writer *w, const struct ks_piece *p) {
    const struct kernel *k = w->k;
    for (uint32_t i = p->from; i < p->to && (p->leaves || k->returns); i++) {
        uint32_t lambda = ks_lambda(w->f, i), end = i;
        i += lambda ? lambda - 1 : 0;
        if (!cu_is(w->f, i, "return")) continue;
        uint32_t behind = end_of(w->f, i);
        while (k->returns && w->f->src.p[behind] == ' ') behind++;
        lw_replace(w, start_of(w->f, i), behind, k->returns ? S("CM_RETURN(") : S("CM_LEAVE"));
        for (end = i; k->returns && end < p->to && !cu_is(w->f, end, ";"); end++)
            if (w->f->tokens.v[end].partner != NO_NODE && w->f->tokens.v[end].partner > end)
                end = w->f->tokens.v[end].partner;
        if (k->returns) lw_insert(w, start_of(w->f, end), S(")"));
    }
    for (uint32_t s = 0; s < k->s.n; s++) {
        const struct ks *x = &k->s.v[s];
        if (x->kind != KS_BREAK || x->first < p->from || x->last > p->to) continue;
        uint32_t loop = km_loop_of(k, s);
        if (loop != NO_NODE && k->s.v[loop].masked)
            lw_replace(
                w, start_of(w->f, x->start), end_of(w->f, x->start),
                arena_printf(w->f->a, "CM_BREAK(%.*s)", STR_ARG(lw_mask_of(w, loop, false))));
    }
}

uint32_t lw_after_line_break(const struct cu *f, uint32_t at) {
    while (at > 0 && f->src.p[at - 1] != '\n') at--;
    return at;
}

/* Behind the comment that ends the line, if one does. */
uint32_t lw_with_comment(const struct cu *f, uint32_t at) {
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
    struct str indent = lw_indent_for(w, start), step = lw_deeper(f, start);
    struct buf b;
    bool empty = true;
    buf_init(&b, f->a);
    lw_add_shared_part(w, p->first, &b, indent);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        bool own = false;
        for (uint32_t n = 0; n < k->v.n; n++) {
            if (k->v.v[n].statement != s || k->v.v[n].class != KV_EACH) continue;
            own = true;
            if (b.n && b.p[b.n - 1] == ';')
                buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
            lw_add_each(w, &k->v.v[n], &b);
        }
        if (!own || lw_has_init(k, s)) empty = false;
        if (s == p->last) break;
    }
    if (!empty) {
        if (b.n && b.p[b.n - 1] == ';')
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        lw_open_piece(w, number, &b, start);
    }
    if (pragma) start = lw_after_line_break(f, start_of(f, first));
    lw_insert(w, start,
              pragma ? arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(indent), STR_ARG(buf_str(&b)),
                                    STR_ARG(w->eol))
                     : buf_str(&b));
    if (pragma) lw_insert(w, start, step);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        for (uint32_t n = 0; n < k->v.n; n++)
            if (k->v.v[n].statement == s && (k->v.v[n].class == KV_EACH || k->s.v[s].mixed)) {
                lw_declaration(w, s, s != p->first && s != p->last);
                break;
            }
        if (s == p->last) break;
    }
    if (empty) return;
    leave(w, p);
    end = lw_with_comment(f, end);
    if (!spans_lines(f, first, last)) indent_lines(w, start, end, step);
    lw_insert(w, end, arena_printf(f->a, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent)));
    if (p->leaves)
        lw_insert(w, end,
                  arena_printf(f->a, "%.*s%.*sCM_ALL_%s;", STR_ARG(w->eol), STR_ARG(indent),
                               k->returns ? "RETURNED" : "LEFT"));
}

/* Adds tokens with the blanks before them. */
static void add_tokens(struct writer *w, struct buf *b, uint32_t first, uint32_t last) {
    struct cu *f = w->f;
    if (first >= last) return;
    struct str between = str_sub(f->src, end_of(f, first - 1), start_of(f, first));
    bool blank = true;
    for (size_t i = 0; i < between.n; i++) blank &= strchr(" \t\r\n", between.p[i]) != NULL;
    if (b->n && blank) buf_add(b, between);
    if (b->n && !blank) buf_addc(b, ' ');
    buf_add(b, cu_ported_text(f, first, last));
}

/* An operation as it reads what was offered. */
static struct str reading(struct writer *w, uint32_t n) {
    const struct ks_offer *o = &w->k->offers.v[n];
    struct cu *f = w->f;
    struct buf b;
    buf_init(&b, f->a);
    if (o->call) return lane(w, n);
    uint32_t wrapped = o->group != NO_NODE ? o->group : o->word, end = wrapped + 1;
    const char *name = o->group != NO_NODE ? "CM_LANES_OF" : "CM_LANES";
    if (o->reduction) name = "CM_BLOCK_OF", wrapped = o->first, end = o->word - 1;
    // `::__any(x)`: what it becomes is a macro, which no scope goes in front of.
    if (!cu_is(f, o->first, "::")) add_tokens(w, &b, o->first, wrapped);
    buf_printf(&b, "%s(%.*s)", name, STR_ARG(cu_ported_text(f, wrapped, end)));
    add_tokens(w, &b, end, o->value_first);
    struct str gap = str_sub(f->src, end_of(f, o->value_first - 1), start_of(f, o->value_first));
    if (gap.n && !memchr(gap.p, '/', gap.n)) buf_add(&b, gap);
    buf_add(&b, lane(w, n));
    add_tokens(w, &b, o->value_last, o->last);
    return buf_str(&b);
}

struct str lw_text(struct writer *w, uint32_t first, uint32_t last) {
    struct buf b;
    buf_init(&b, w->f->a);
    for (uint32_t n = 0; n < w->k->offers.n; n++) {
        const struct ks_offer *o = &w->k->offers.v[n];
        if (o->first < first || o->last > last || !kw_is_offer(w->k, o->word)) continue;
        add_tokens(w, &b, first, o->first);
        struct str gap = str_sub(w->f->src, end_of(w->f, o->first - 1), start_of(w->f, o->first));
        if (b.n && !memchr(gap.p, '/', gap.n)) buf_add(&b, gap);
        buf_add(&b, reading(w, n));
        first = o->last;
    }
    add_tokens(w, &b, first, last);
    return buf_str(&b);
}

/* What a function is called with: what the piece declares anew does not outlive it. */
static struct str arguments(struct writer *w, const struct ks_offer *o) {
    struct cu_call call = {0};
    struct buf b;
    buf_init(&b, w->f->a);
    cu_split(w->f, o->value_first, o->value_last, &call);
    for (size_t n = 0; o->value_first < o->value_last && n < call.arguments.n; n++) {
        struct cu_argument a = call.arguments.v[n];
        uint32_t v = a.last == a.first + 1 ? kv_at(w->k, a.first) : NO_NODE;
        bool repeated = v != NO_NODE && w->k->v.v[v].class == KV_REPEATED;
        repeated |=
            cu_is(w->f, a.first, "threadIdx") && (a.last == a.first + 1 || a.last == a.first + 3);
        buf_printf(&b, repeated ? "%scm::value(%.*s)" : "%s%.*s", n ? ", " : "",
                   STR_ARG(cu_ported_text(w->f, a.first, a.last)));
    }
    return b.n ? buf_str(&b) : S("");
}

/* A variable for what the lanes offer, and the piece that puts it there. */
static void add_offer(struct writer *w, uint32_t number, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    struct cu *f = w->f;
    const struct ks_piece *p = &k->pieces.v[number];
    const struct ks_offer *o = &k->offers.v[p->offer];
    struct str indent = lw_indent_for(w, at), name = lane(w, p->offer);
    struct str value = o->call ? arguments(w, o) : lw_text(w, o->value_first, o->value_last);
    struct buf type;
    buf_init(&type, f->a);
    if (is_value(k, p)) {
        if (!o->alone) buf_printf(b, "auto %.*s = ", STR_ARG(name));
        bool lines = lw_open_piece(w, number, b, at);
        buf_printf(b, o->call ? "%sreturn CM_WITH(%.*s);" : "%sreturn %.*s;", lines ? "" : " ",
                   STR_ARG(value));
        if (lines)
            buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent));
        else
            buf_addz(b, " };");
        return;
    }
    if (o->variable != NO_NODE) lw_add_type(w, &k->v.v[o->variable], &type);
    buf_printf(b, "cm::each<%.*s> %.*s;%.*s%.*s", STR_ARG(type.n ? buf_str(&type) : S("int")),
               STR_ARG(name), STR_ARG(w->eol), STR_ARG(indent));
    lw_open_piece(w, number, b, at);
    buf_printf(b, o->variable != NO_NODE ? "%.*s = %.*s;" : "%.*s = (%.*s) != 0;", STR_ARG(name),
               STR_ARG(value));
    buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent));
}

void lw_add_offers(struct writer *w, uint32_t s, struct buf *b, uint32_t at) {
    for (uint32_t p = 0; p < w->k->pieces.n; p++) {
        uint32_t n = w->k->pieces.v[p].offer;
        if (n == NO_NODE || w->k->offers.v[n].statement != s) continue;
        if (b->n) buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(lw_indent_for(w, at)));
        add_offer(w, p, b, at);
    }
}

/* The operations of a statement, cut in two. */
static void offers(struct writer *w, uint32_t s) {
    struct cu *f = w->f;
    const struct ks *x = &w->k->s.v[s];
    uint32_t at = start_of(f, x->first), first = kw_offer_of(w->k, s);
    struct buf b;
    buf_init(&b, f->a);
    if (first == NO_NODE || !kw_is_offer(w->k, w->k->offers.v[first].word)) return;
    lw_add_offers(w, s, &b, at);
    if (w->k->offers.v[first].alone) {
        lw_replace(w, start_of(f, x->start), end_of(f, x->last - 1), buf_str(&b));
        return;
    }
    buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(lw_indent_for(w, at)));
    lw_insert(w, at, buf_str(&b));
    for (uint32_t n = 0; n < w->k->offers.n; n++) {
        const struct ks_offer *o = &w->k->offers.v[n];
        if (o->statement == s)
            lw_replace(w, start_of(f, o->first), end_of(f, o->last - 1), reading(w, n));
    }
}

/* ---- the kernel ---- */

static void barrier(struct writer *w, uint32_t s) {
    const struct ks *x = &w->k->s.v[s];
    lw_insert(w, start_of(w->f, x->start), S("CM_BARRIER("));
    lw_insert(w, start_of(w->f, x->last - 1), S(")"));
}

/* Parameters that each thread changes: the kernel's get another name. */
static void own_parameters(struct writer *w, struct str indent, struct buf *b) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != KV_EACH) continue;
        lw_insert(w, start_of(w->f, v->token), S("cm_"));
        buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        lw_add_each(w, v, b);
        b->n--; /* the ; */
        buf_printf(b, "(cm_%.*s);", STR_ARG(v->name));
    }
}

static uint32_t piece_that_begins(const struct kernel *k, uint32_t s) {
    for (uint32_t p = 0; p < k->pieces.n; p++)
        if (k->pieces.v[p].first == s) return p;
    return NO_NODE;
}

void lw_list(struct writer *w, uint32_t first) {
    struct kernel *k = w->k;
    for (uint32_t s = first; s != NO_NODE; s = k->s.v[s].next) {
        const struct ks *x = &k->s.v[s];
        uint32_t p = piece_that_begins(k, s);
        bool bare = k->s.v[x->parent].kind != KS_BLOCK && (p != NO_NODE || x->masked) &&
                    k->s.v[x->parent].role == KR_HOISTED && !k->s.v[x->parent].masked;
        uint32_t start = start_of(w->f, x->first);
        uint32_t end = end_of(w->f, x->last - 1);
        struct str indent = lw_indent_of(w->f, start), step = lw_deeper(w->f, start);
        if (bare)
            lw_insert(w, start,
                      arena_printf(w->f->a, "{%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent),
                                   STR_ARG(step)));
        w->extra = bare ? step : S("");
        bool control = x->role == KR_HOISTED;
        if (!control) offers(w, s);
        if (p != NO_NODE) {
            piece(w, p);
            s = k->pieces.v[p].last;
        } else if (x->role == KR_CUT && x->cut) {
            barrier(w, s);
        } else if (x->role == KR_REPEATED) {
            lw_remove_statement(w, s, true);
        } else if (x->role == KR_HOISTED && x->masked) {
            lw_masked(w, s);
        } else if (x->role == KR_HOISTED) {
            lw_list(w, x->child);
            if (x->kind == KS_IF && x->other != NO_NODE) lw_list(w, x->other);
        }
        w->extra = S("");
        if (bare)
            lw_insert(w, end,
                      arena_printf(w->f->a, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent)));
    }
}

/* What only the block's threads can see needs no atomic instruction: they take turns. */
static void shared_atomics(struct writer *w) {
    struct kernel *k = w->k;
    for (uint32_t i = k->open; i + 3 < k->close; i++) {
        if (!str_listed(cu_text(w->f, i), kq_words(w->f, "block_atomics"))) continue;
        if (!cu_is(w->f, i + 1, "(")) continue;
        uint32_t n = kv_at(k, i + 2 + cu_is(w->f, i + 2, "&"));
        if (n != NO_NODE && k->v.v[n].class == KV_SHARED)
            lw_insert(w, end_of(w->f, i), S("_block"));
    }
}

/* Whether what another edit is about is written anew by this one, with what it says. */
static bool covers(const struct match_edit *e, const struct match_edit *other) {
    if (e->start == e->end || e == other) return false;
    if (other->start == other->end) return e->start < other->start && other->end < e->end;
    return e->start <= other->start && other->end <= e->end;
}

/* Edits of rules in the middle of what is written anew. */
static bool collides(const struct writer *w) {
    const struct cu *f = w->f;
    for (size_t n = w->first; n < w->edits->v.n; n++) {
        const struct match_edit *e = &w->edits->v.v[n];
        for (size_t i = 0; i < f->edits.n; i++) {
            const struct match_edit *other = &f->edits.v[i];
            if (covers(e, other)) continue;
            if (e->start < other->end && other->start < e->end) return true;
            if (e->start == e->end && other->start < e->start && e->start < other->end)
                return true;
        }
    }
    return false;
}

bool lw_finish(struct writer *w) {
    shared_atomics(w);
    if (!collides(w)) return true;
    w->edits->v.n = w->first;
    return ks_fail(w->k, w->k->open, "names in its declarations change");
}

bool kl_write(struct kernel *k, struct kl_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S("")};
    uint32_t open = end_of(k->f, k->open), first = start_of(k->f, k->s.v[k->s.v[0].child].first);
    const char *name = k->leaves ? "CM_LEAVING_BLOCK;" : "CM_BLOCK;";
    struct str indent = lw_indent_of(k->f, first);
    bool same_line = lw_after_line_break(k->f, first) <= open;
    struct buf b;
    buf_init(&b, k->f->a);
    if (same_line)
        buf_addc(&b, ' ');
    else
        buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
    buf_addz(&b, name);
    own_parameters(&w, indent, &b);
    lw_insert(&w, open, buf_str(&b));
    lw_list(&w, k->s.v[0].child);
    return lw_finish(&w);
}

void kl_write_one_loop(struct kernel *k, struct kl_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S("")};
    struct buf b;
    buf_init(&b, k->f->a);
    lw_insert(&w, start_of(k->f, k->open), S("CM_EACH_THREAD "));
    uint32_t inside = start_of(k->f, k->open + 1);
    bool same_line = lw_after_line_break(k->f, inside) <= start_of(k->f, k->open);
    struct str indent = lw_indent_of(k->f, inside);
    for (uint32_t n = 0; n < k->v.n; n++) { /* parameters that each thread changes */
        const struct kv *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != KV_EACH) continue;
        struct buf type;
        buf_init(&type, k->f->a);
        lw_add_type(&w, v, &type);
        if (same_line)
            buf_addc(&b, ' ');
        else
            buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
        bool pointer = type.n && type.p[type.n - 1] == '*';
        buf_printf(&b, "%.*s%s%.*s = cm_%.*s;", (int)type.n, type.p, pointer ? "" : " ",
                   STR_ARG(v->name), STR_ARG(v->name));
        lw_insert(&w, start_of(k->f, v->token), S("cm_"));
    }
    lw_insert(&w, end_of(k->f, k->open), buf_str(&b));
    lw_insert(&w, end_of(k->f, k->close), S(" CM_END"));
}

void kl_write_clock(struct kernel *k, struct kl_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, S("\n"), S("")};
    for (uint32_t i = k->open; i + 2 < k->close; i++)
        if (cu_is(k->f, i, "clock") && cu_is(k->f, i + 1, "(") && cu_is(k->f, i + 2, ")"))
            lw_insert(&w, end_of(k->f, i), S("64"));
}

/* ---- among the other edits ---- */

static bool before(const struct match_edit *a, const struct match_edit *b) {
    if (a->start != b->start) return a->start < b->start;
    return a->start == a->end && b->start != b->end;
}

static bool is_covered(const struct kl_edits *edits, const struct match_edit *e) {
    for (size_t i = 0; i < edits->v.n; i++)
        if (covers(&edits->v.v[i], e)) return true;
    return false;
}

void kl_merge(struct cu *f, const struct kl_edits *edits) {
    size_t n = 0;
    struct match_edit *mine = arena_alloc(f->a, (edits->v.n + 1) * sizeof *mine);
    for (size_t i = 0; i < edits->v.n; i++) { /* nearly in order already */
        if (is_covered(edits, &edits->v.v[i])) continue;
        size_t at = n++;
        for (; at > 0 && before(&edits->v.v[i], &mine[at - 1]); at--) mine[at] = mine[at - 1];
        mine[at] = edits->v.v[i];
    }
    VEC(struct match_edit) all = {0};
    size_t m = n;
    for (size_t i = 0; i < f->edits.n; i++) { /* the last of the file first */
        if (is_covered(edits, &f->edits.v[i])) continue;
        while (m > 0 && !before(&mine[m - 1], &f->edits.v[i])) vec_push(f->a, &all, mine[--m]);
        vec_push(f->a, &all, f->edits.v[i]);
    }
    while (m > 0) vec_push(f->a, &all, mine[--m]);
    f->edits.n = 0;
    for (size_t i = 0; i < all.n; i++) vec_push(f->a, &f->edits, all.v[i]);
}
