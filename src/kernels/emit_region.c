/* SPDX-License-Identifier: Apache-2.0 */
/* emit_region.c - parallel regions: the head of the loop over the threads with what it repeats,
 * and the operations of warps, which are cut in two: what each thread offers, and what it gets. */
#include "kernels/emit.h"

static bool region_holds(const struct kernel *k, const struct k_region *p, uint32_t token) {
    return k_region_of(k, token) == (uint32_t)(p - k->regions.v);
}

/* Marks the variables whose declarations a region has to repeat; what they are made of comes
 * before them. */
static void find_repeated(const struct kernel *k, const struct k_region *p, bool *needed) {
    for (uint32_t n = (uint32_t)k->v.n; n-- > 0;) {
        const struct k_variable *v = &k->v.v[n];
        if (v->class != K_REMATERIALISED || region_holds(k, p, v->token)) continue;
        bool yes = k_region_uses(k, (uint32_t)(p - k->regions.v), n);
        for (size_t u = 0; u < k->uses.n && !yes; u++) {
            uint32_t i = k->uses.v[u].token;
            if (k->uses.v[u].variable != n) continue;
            for (uint32_t m = n + 1; m < k->v.n && !yes; m++) {
                const struct k_variable *x = &k->v.v[m];
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

/* The comment that goes with a declaration from where it stood to the first region that repeats
 * it, with the blanks before it. */
static struct str comment_of(struct writer *w, uint32_t s) {
    const struct cu *f = w->f;
    uint32_t end = end_of(f, w->k->s.v[s].last - 1);
    if (w->k->s.v[s].role != K_REPEATED || w->k->s.v[s].mixed) return S("");
    for (size_t n = 0; n < w->repeated.n; n++)
        if (w->repeated.v[n] == s) return S("");
    vec_push(f->a, &w->repeated, s);
    return str_sub(f->src, end, k_with_comment(f, end));
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
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != s || !needed[n]) continue;
        if (first) buf_add(b, cu_ported_text(w->f, v->type_first, v->type_last));
        buf_addz(b, first ? " " : ", ");
        first = false;
        buf_add(b, cu_ported_text(w->f, v->mark_first, k_declarator_end(v)));
    }
    buf_addc(b, ';');
}

/* cm_if_3: which threads go through predicated statement s; of an `if`, also those that don't. */
struct str k_mask_of(struct writer *w, uint32_t s, bool other) {
    const char *name = w->k->s.v[s].kind != K_IF ? "in" : other ? "else" : "if";
    uint32_t n = 0;
    for (uint32_t i = 0; i < s; i++) n += w->k->s.v[i].predicated;
    return arena_printf(w->f->a, "cm_%s_%u", name, n);
}

/* Adds the predicates of the loops that a region leaves. */
static void add_left(struct writer *w, const struct k_region *p, struct buf *b) {
    const struct kernel *k = w->k;
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool left = false;
        for (uint32_t n = 0; n < k->s.n && p->first != NO_NODE && !left; n++)
            left = k->s.v[n].kind == K_BREAK && k->s.v[n].first >= p->from &&
                   k->s.v[n].last <= p->to && k_loop_of(k, n) == s;
        if (left && k->s.v[s].predicated) buf_printf(b, ", %.*s", STR_ARG(k_mask_of(w, s, false)));
    }
}

static bool is_condition(const struct kernel *k, const struct k_region *p) {
    uint32_t from, to;
    k_head_part(k, p->head, K_HEAD_CONDITION, &from, &to);
    return p->from == from && p->to == to;
}

static bool returns_value(const struct kernel *k, const struct k_region *p) {
    for (uint32_t i = p->from; i < p->to && k->returns; i++) {
        uint32_t lambda = k_lambda_length(k->f, i);
        i += lambda ? lambda - 1 : 0;
        if (cu_is(k->f, i, "return")) return true;
    }
    return false;
}

/* The variable of what was offered, or of what a function returned. */
static struct str lane(const struct writer *w, uint32_t n) {
    return arena_printf(w->f->a, "cm_%s_%u", w->k->operands.v[n].call ? "call" : "lane", n);
}

/* The operand is the value of the region: no variable is there before. */
static bool is_value(const struct kernel *k, const struct k_region *p) {
    const struct k_operand *o = p->operand != NO_NODE ? &k->operands.v[p->operand] : NULL;
    return o && o->variable == NO_NODE && !o->vote;
}

/* CM_THREADS(, CM_VALUES(, CM_CALL(f)( */
static void add_loop(struct writer *w, const struct k_region *p, enum k_effect effect,
                     struct buf *b) {
    static const char *const loops[] = {"THREADS", "ASKING_THREADS", "CALLING_THREADS"};
    static const char *const values[] = {"VALUES", "ASKING_VALUES", "ASKING_VALUES"};
    const struct k_operand *o = p->operand != NO_NODE ? &w->k->operands.v[p->operand] : NULL;
    if (o && o->call) {
        struct str callee = cu_ported_text(w->f, o->first, o->value_first - 1);
        buf_printf(b, "CM_CALL(%.*s)(", STR_ARG(callee));
    } else {
        buf_printf(b, "CM_%s(", (is_value(w->k, p) ? values : loops)[effect]);
    }
}

/* for (T i = a; i < b; i += c): the threads take the first step together, then the next. */
static void deal(struct writer *w, uint32_t s) {
    const struct cu *f = w->f;
    uint32_t first, first_end, from, to, step, end;
    k_head_part(w->k, s, K_HEAD_INIT, &first, &first_end);
    k_head_part(w->k, s, K_HEAD_CONDITION, &from, &to);
    k_head_part(w->k, s, K_HEAD_STEP, &step, &end);
    while (!cu_is(f, first, "=")) first++;
    struct str width = cu_ported_text(w->f, step + 2, end);
    k_insert(w, start_of(f, first + 1), S("CM_FIRST("));
    k_insert(w, end_of(f, first_end - 1), arena_printf(f->a, ", %.*s)", STR_ARG(width)));
    k_insert(w, start_of(f, from), S("CM_GOES("));
    k_insert(w, end_of(f, to - 1), S(")"));
    k_replace(
        w, start_of(f, step), end_of(f, end - 1),
        arena_printf(f->a, "CM_NEXT(%.*s, %.*s)", STR_ARG(cu_text(f, step)), STR_ARG(width)));
}

/* The threads of a row that a region is for, if it is all one `if (threadIdx.x < bound)`. */
struct bounded {
    struct str type, bound; /* of what is compared; type.n == 0: it is no such region */
    uint32_t from, to;      /* the condition */
};

static struct bounded bounds_of(struct writer *w, const struct k_region *p) {
    struct kernel *k = w->k;
    struct bounded b = {0};
    uint32_t bound;
    if (p->first == NO_NODE || p->first != p->last || p->effect != K_NONBLOCKING ||
        !k_is_for_first(k, p->first, &bound))
        return b;
    k_head_part(k, p->first, K_HEAD_CONDITION, &b.from, &b.to);
    b.bound = cu_is(w->f, bound - 1, "==") ? S("1") : cu_ported_text(w->f, bound, b.to);
    b.type = S("unsigned");
    uint32_t n = k_variable_at(k, b.from);
    if (n == NO_NODE) return b;
    struct buf type;
    buf_init(&type, w->f->a);
    k_add_type(w, &k->v.v[n], &type);
    b.type = buf_str(&type);
    return b;
}

void k_write_bound(struct writer *w, uint32_t s, bool leaves) {
    const struct cu *f = w->f;
    const struct k_statement *x = &w->k->s.v[s];
    k_insert(w, start_of(f, x->open + 1), leaves ? S("CM_RARELY(") : S("CM_MOSTLY("));
    for (uint32_t i = x->open + 1; i < x->close; i++) {
        if (cu_is(f, i, "(") && f->tokens.v[i].partner != NO_NODE) i = f->tokens.v[i].partner;
        if (!cu_is(f, i, "&&") && !cu_is(f, i, "||")) continue;
        struct str gap = str_sub(f->src, end_of(f, i - 1), start_of(f, i));
        bool blank = !memchr(gap.p, '/', gap.n) && !memchr(gap.p, '\n', gap.n);
        k_replace(w, blank ? end_of(f, i - 1) : start_of(f, i), end_of(f, i), S(","));
    }
    k_insert(w, end_of(f, x->close - 1), S(")"));
}

bool k_open_region(struct writer *w, uint32_t number, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    const struct k_region *p = &k->regions.v[number];
    struct str indent = k_indent_for(w, at), step = k_deeper(w->f, at);
    bool *needed = arena_zalloc(w->f->a, k->v.n + 1), any = false;
    find_repeated(k, p, needed);
    enum k_effect effect = p->effect, other;
    uint32_t token;
    struct str word;
    for (uint32_t n = 0; n < k->v.n; n++) {
        if (!needed[n]) continue;
        any = true;
        other = k_effect_of(k, k->v.v[n].init_first, k->v.v[n].init_last, &token, &word);
        effect = other > effect ? other : effect;
    }
    bool block_stride =
        p->first != NO_NODE && k->s.v[p->first].block_stride && effect == K_NONBLOCKING;
    if (block_stride) deal(w, p->first);
    struct bounded some = bounds_of(w, p);
    if (effect != K_NONBLOCKING) some.type.n = 0;
    bool bound = p->bound != NO_NODE && effect == K_NONBLOCKING && !block_stride && !some.type.n;
    if (bound) k_write_bound(w, p->bound, p->bound_leaves);
    if (bound)
        buf_addz(b, "CM_THREADS_MOSTLY(");
    else if (block_stride)
        buf_addz(b, "CM_STEPS(");
    else if (some.type.n)
        buf_printf(b, "CM_THREADS_BELOW(%.*s, %.*s)(", STR_ARG(some.bound), STR_ARG(some.type));
    else
        add_loop(w, p, effect, b);
    if (some.type.n) {
        k_insert(w, start_of(w->f, some.from), S("CM_BELOW("));
        k_insert(w, end_of(w->f, some.to - 1), S(")"));
    }
    buf_addz(b, CU_THREAD_INDEX);
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].class == K_CONTEXT && k_region_uses(k, (uint32_t)(p - k->regions.v), n))
            buf_printf(b, ", %.*s", STR_ARG(k->v.v[n].name));
    for (uint32_t n = 0; n < k->operands.n; n++) {
        bool read = p->operand == NO_NODE && k_is_operand(k, k->operands.v[n].word) &&
                    k->operands.v[n].word >= p->from && k->operands.v[n].word < p->to;
        if (read || (p->operand == n && !is_value(k, p)))
            buf_printf(b, ", %.*s", STR_ARG(lane(w, n)));
    }
    bool condition = p->head != NO_NODE && is_condition(k, p);
    if (condition) buf_printf(b, ", %.*s", STR_ARG(k_mask_of(w, p->head, false)));
    if (condition && k->s.v[p->head].kind == K_IF && k->s.v[p->head].other != NO_NODE)
        buf_printf(b, ", %.*s", STR_ARG(k_mask_of(w, p->head, true)));
    add_left(w, p, b);
    if (returns_value(k, p)) buf_addz(b, ", cm_result");
    buf_addz(b, ") {");
    for (uint32_t n = 0; n < k->v.n; n++) {
        uint32_t s = k->v.v[n].statement;
        if (!needed[n] || is_begun(k, n, needed)) continue;
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
        add_repeated(w, s, needed, b);
        buf_add(b, comment_of(w, s));
    }
    if ((p->head != NO_NODE || is_value(k, p)) && !any) return false;
    if (p->first == NO_NODE || k->s.v[p->first].first == k->s.v[p->first].start)
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
    return true;
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
    const struct k_operand *o = &w->k->operands.v[n];
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

struct str k_text(struct writer *w, uint32_t first, uint32_t last) {
    struct buf b;
    buf_init(&b, w->f->a);
    for (uint32_t n = 0; n < w->k->operands.n; n++) {
        const struct k_operand *o = &w->k->operands.v[n];
        if (o->first < first || o->last > last || !k_is_operand(w->k, o->word)) continue;
        add_tokens(w, &b, first, o->first);
        struct str gap = str_sub(w->f->src, end_of(w->f, o->first - 1), start_of(w->f, o->first));
        if (b.n && !memchr(gap.p, '/', gap.n)) buf_add(&b, gap);
        buf_add(&b, reading(w, n));
        first = o->last;
    }
    add_tokens(w, &b, first, last);
    return buf_str(&b);
}

/* What a function is called with: what the region declares anew does not outlive it. */
static struct str arguments(struct writer *w, const struct k_operand *o) {
    struct cu_call call = {0};
    struct buf b;
    buf_init(&b, w->f->a);
    cu_split(w->f, o->value_first, o->value_last, &call);
    for (size_t n = 0; o->value_first < o->value_last && n < call.arguments.n; n++) {
        struct cu_argument a = call.arguments.v[n];
        uint32_t v = a.last == a.first + 1 ? k_variable_at(w->k, a.first) : NO_NODE;
        bool repeated = v != NO_NODE && w->k->v.v[v].class == K_REMATERIALISED;
        repeated |= cu_is(w->f, a.first, CU_THREAD_INDEX) &&
                    (a.last == a.first + 1 || a.last == a.first + 3);
        buf_printf(&b, repeated ? "%scm::value(%.*s)" : "%s%.*s", n ? ", " : "",
                   STR_ARG(cu_ported_text(w->f, a.first, a.last)));
    }
    return b.n ? buf_str(&b) : S("");
}

/* A variable for the operands of the lanes, and the region that puts them there. */
static void add_operand(struct writer *w, uint32_t number, struct buf *b, uint32_t at) {
    struct kernel *k = w->k;
    struct cu *f = w->f;
    const struct k_region *p = &k->regions.v[number];
    const struct k_operand *o = &k->operands.v[p->operand];
    struct str indent = k_indent_for(w, at), name = lane(w, p->operand);
    struct str value = o->call ? arguments(w, o) : k_text(w, o->value_first, o->value_last);
    struct buf type;
    buf_init(&type, f->a);
    if (is_value(k, p)) {
        if (!o->alone) buf_printf(b, "auto %.*s = ", STR_ARG(name));
        bool lines = k_open_region(w, number, b, at);
        buf_printf(b, o->call ? "%sreturn CM_WITH(%.*s);" : "%sreturn %.*s;", lines ? "" : " ",
                   STR_ARG(value));
        if (lines)
            buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent));
        else
            buf_addz(b, " };");
        return;
    }
    if (o->variable != NO_NODE) k_add_type(w, &k->v.v[o->variable], &type);
    buf_printf(b, "cm::each<%.*s> %.*s;%.*s%.*s", STR_ARG(type.n ? buf_str(&type) : S("int")),
               STR_ARG(name), STR_ARG(w->eol), STR_ARG(indent));
    k_open_region(w, number, b, at);
    buf_printf(b, o->variable != NO_NODE ? "%.*s = %.*s;" : "%.*s = (%.*s) != 0;", STR_ARG(name),
               STR_ARG(value));
    buf_printf(b, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent));
}

void k_add_operands(struct writer *w, uint32_t s, struct buf *b, uint32_t at) {
    for (uint32_t p = 0; p < w->k->regions.n; p++) {
        uint32_t n = w->k->regions.v[p].operand;
        if (n == NO_NODE || w->k->operands.v[n].statement != s) continue;
        if (b->n) buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(k_indent_for(w, at)));
        add_operand(w, p, b, at);
    }
}

/* The operations of a statement, cut in two. */
void k_write_operands(struct writer *w, uint32_t s) {
    struct cu *f = w->f;
    const struct k_statement *x = &w->k->s.v[s];
    uint32_t at = start_of(f, x->first), first = k_operand_of(w->k, s);
    struct buf b;
    buf_init(&b, f->a);
    if (first == NO_NODE || !k_is_operand(w->k, w->k->operands.v[first].word)) return;
    k_add_operands(w, s, &b, at);
    if (w->k->operands.v[first].alone) {
        k_replace(w, start_of(f, x->start), end_of(f, x->last - 1), buf_str(&b));
        return;
    }
    buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(k_indent_for(w, at)));
    k_insert(w, at, buf_str(&b));
    for (uint32_t n = 0; n < w->k->operands.n; n++) {
        const struct k_operand *o = &w->k->operands.v[n];
        if (o->statement == s)
            k_replace(w, start_of(f, o->first), end_of(f, o->last - 1), reading(w, n));
    }
}
