/* SPDX-License-Identifier: Apache-2.0 */
/* emit.c - kernels as loops over the threads of a block: edits that write the vocabulary of
 * cpu/split.hpp into the source, MCUDA's thread loops around the regions that kernels.c found.
 * Nothing is decided here, and nothing is printed anew from a tree: names, comments and layout are
 * the author's. */
#include "kernels/emit.h"

void k_replace(struct writer *w, uint32_t start, uint32_t end, struct str text) {
    struct match_edit e = {start, end, text, NO_NODE, false, 0};
    vec_push(w->f->a, &w->edits->v, e);
}

void k_insert(struct writer *w, uint32_t at, struct str text) { k_replace(w, at, at, text); }

struct str k_indent_of(const struct cu *f, uint32_t byte) {
    uint32_t line = byte, end;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    for (end = line; end < byte && strchr(" \t", f->src.p[end]);) end++;
    return str_sub(f->src, line, end);
}

struct str k_indent_for(const struct writer *w, uint32_t byte) {
    struct str indent = k_indent_of(w->f, byte);
    return arena_printf(w->f->a, "%.*s%.*s", STR_ARG(indent), STR_ARG(w->extra));
}

struct str k_deeper(const struct cu *f, uint32_t byte) {
    struct str indent = k_indent_of(f, byte);
    return indent.n && indent.p[0] == '\t' ? S("\t") : S("    ");
}

/* ---- parallel regions ---- */

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

/* Lines of the source inside of a region go one step to the right. */
static void indent_lines(struct writer *w, uint32_t from, uint32_t to, struct str step) {
    const struct cu *f = w->f;
    for (uint32_t i = from; i + 1 < to; i++) {
        if (f->src.p[i] != '\n' || strchr("\r\n", f->src.p[i + 1])) continue;
        bool covered = false; /* in a string, or gone */
        for (size_t n = w->first; n < w->edits->v.n && !covered; n++)
            covered = w->edits->v.v[n].start <= i && i < w->edits->v.v[n].end;
        if (!covered) k_insert(w, i + 1, step);
    }
}

static bool spans_lines(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind == CU_STRING && memchr(text.p, '\n', text.n)) return true;
    }
    return false;
}

static bool is_condition(const struct kernel *k, const struct k_region *p) {
    uint32_t from, to;
    k_head_part(k, p->head, K_HEAD_CONDITION, &from, &to);
    return p->from == from && p->to == to;
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

/* CM_THREADS, CM_VALUES, CM_CALL(f) */
static void add_loop(struct writer *w, const struct k_region *p, enum k_effect effect,
                     struct buf *b) {
    static const char *const loops[] = {"THREADS", "ASKING_THREADS", "CALLING_THREADS"};
    static const char *const values[] = {"VALUES", "ASKING_VALUES", "ASKING_VALUES"};
    const struct k_operand *o = p->operand != NO_NODE ? &w->k->operands.v[p->operand] : NULL;
    if (o && o->call) {
        struct str callee = cu_ported_text(w->f, o->first, o->value_first - 1);
        buf_printf(b, "CM_CALL(%.*s)", STR_ARG(callee));
    } else {
        buf_printf(b, "CM_%s", (is_value(w->k, p) ? values : loops)[effect]);
    }
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
    if (block_stride)
        buf_addz(b, "CM_STEPS");
    else
        add_loop(w, p, effect, b);
    buf_addz(b, "(" CU_THREAD_INDEX);
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
    }
    if ((p->head != NO_NODE || is_value(k, p)) && !any) return false;
    if (p->first == NO_NODE || k->s.v[p->first].first == k->s.v[p->first].start)
        buf_printf(b, "%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent), STR_ARG(step));
    return true;
}

static void leave(struct writer *w, const struct k_region *p) {
    const struct kernel *k = w->k;
    for (uint32_t i = p->from; i < p->to && (p->returns_early || k->returns); i++) {
        uint32_t lambda = k_lambda_length(w->f, i), end = i;
        i += lambda ? lambda - 1 : 0;
        if (!cu_is(w->f, i, "return")) continue;
        uint32_t behind = end_of(w->f, i);
        while (k->returns && w->f->src.p[behind] == ' ') behind++;
        k_replace(w, start_of(w->f, i), behind, k->returns ? S("CM_RETURN(") : S("CM_LEAVE"));
        for (end = i; k->returns && end < p->to && !cu_is(w->f, end, ";"); end++)
            if (w->f->tokens.v[end].partner != NO_NODE && w->f->tokens.v[end].partner > end)
                end = w->f->tokens.v[end].partner;
        if (k->returns) k_insert(w, start_of(w->f, end), S(")"));
    }
    for (uint32_t s = 0; s < k->s.n; s++) {
        const struct k_statement *x = &k->s.v[s];
        if (x->kind != K_BREAK || x->first < p->from || x->last > p->to) continue;
        uint32_t loop = k_loop_of(k, s);
        if (loop != NO_NODE && k->s.v[loop].predicated)
            k_replace(w, start_of(w->f, x->start), end_of(w->f, x->start),
                      arena_printf(w->f->a, "CM_BREAK(%.*s)", STR_ARG(k_mask_of(w, loop, false))));
    }
}

uint32_t k_after_line_break(const struct cu *f, uint32_t at) {
    while (at > 0 && f->src.p[at - 1] != '\n') at--;
    return at;
}

/* Behind the comment that ends the line, if one does. */
uint32_t k_with_comment(const struct cu *f, uint32_t at) {
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

static void region(struct writer *w, uint32_t number) {
    struct kernel *k = w->k;
    const struct cu *f = w->f;
    const struct k_region *p = &k->regions.v[number];
    uint32_t first = k->s.v[p->first].first, last = k->s.v[p->last].last;
    uint32_t start = start_of(f, k->s.v[p->first].start), end = end_of(f, last - 1);
    bool pragma = first != k->s.v[p->first].start;
    struct str indent = k_indent_for(w, start), step = k_deeper(f, start);
    struct buf b;
    bool empty = true;
    buf_init(&b, f->a);
    k_add_uniform_part(w, p->first, &b, indent);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        bool own = false;
        for (uint32_t n = 0; n < k->v.n; n++) {
            if (k->v.v[n].statement != s || k->v.v[n].class != K_CONTEXT) continue;
            own = true;
            if (b.n && b.p[b.n - 1] == ';')
                buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
            k_add_context_array(w, &k->v.v[n], &b);
        }
        if (!own || k_has_init(k, s)) empty = false;
        if (s == p->last) break;
    }
    if (!empty) {
        if (b.n && b.p[b.n - 1] == ';')
            buf_printf(&b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        k_open_region(w, number, &b, start);
    }
    if (pragma) start = k_after_line_break(f, start_of(f, first));
    k_insert(w, start,
             pragma ? arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(indent), STR_ARG(buf_str(&b)),
                                   STR_ARG(w->eol))
                    : buf_str(&b));
    if (pragma) k_insert(w, start, step);
    for (uint32_t s = p->first;; s = k->s.v[s].next) {
        for (uint32_t n = 0; n < k->v.n; n++)
            if (k->v.v[n].statement == s && (k->v.v[n].class == K_CONTEXT || k->s.v[s].mixed)) {
                k_write_declaration(w, s, s != p->first && s != p->last);
                break;
            }
        if (s == p->last) break;
    }
    if (empty) return;
    leave(w, p);
    end = k_with_comment(f, end);
    if (!spans_lines(f, first, last)) indent_lines(w, start, end, step);
    k_insert(w, end, arena_printf(f->a, "%.*s%.*s};", STR_ARG(w->eol), STR_ARG(indent)));
    if (p->returns_early)
        k_insert(w, end,
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
static void operands(struct writer *w, uint32_t s) {
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

/* ---- the kernel ---- */

static void barrier(struct writer *w, uint32_t s) {
    const struct k_statement *x = &w->k->s.v[s];
    k_insert(w, start_of(w->f, x->start), S("CM_BARRIER("));
    k_insert(w, start_of(w->f, x->last - 1), S(")"));
}

/* Parameters that each thread changes: the kernel's get another name. */
static void own_parameters(struct writer *w, struct str indent, struct buf *b) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != K_CONTEXT) continue;
        k_insert(w, start_of(w->f, v->token), S("cm_"));
        buf_printf(b, "%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent));
        k_add_copies(w, v, b);
    }
}

static uint32_t region_that_begins(const struct kernel *k, uint32_t s) {
    for (uint32_t p = 0; p < k->regions.n; p++)
        if (k->regions.v[p].first == s) return p;
    return NO_NODE;
}

void k_write_list(struct writer *w, uint32_t first) {
    struct kernel *k = w->k;
    for (uint32_t s = first; s != NO_NODE; s = k->s.v[s].next) {
        const struct k_statement *x = &k->s.v[s];
        uint32_t p = region_that_begins(k, s);
        bool bare = k->s.v[x->parent].kind != K_BLOCK && (p != NO_NODE || x->predicated) &&
                    k->s.v[x->parent].role == K_CONTROL && !k->s.v[x->parent].predicated;
        uint32_t start = start_of(w->f, x->first);
        uint32_t end = end_of(w->f, x->last - 1);
        struct str indent = k_indent_of(w->f, start), step = k_deeper(w->f, start);
        if (bare)
            k_insert(w, start,
                     arena_printf(w->f->a, "{%.*s%.*s%.*s", STR_ARG(w->eol), STR_ARG(indent),
                                  STR_ARG(step)));
        w->extra = bare ? step : S("");
        bool control = x->role == K_CONTROL;
        if (!control) operands(w, s);
        if (p != NO_NODE) {
            region(w, p);
            s = k->regions.v[p].last;
        } else if (x->role == K_AT_BARRIER && x->barrier) {
            barrier(w, s);
        } else if (x->role == K_REPEATED) {
            k_remove_statement(w, s, true);
        } else if (x->role == K_CONTROL && x->predicated) {
            k_write_predicated(w, s);
        } else if (x->role == K_CONTROL) {
            k_write_list(w, x->child);
            if (x->kind == K_IF && x->other != NO_NODE) k_write_list(w, x->other);
        }
        w->extra = S("");
        if (bare)
            k_insert(w, end, arena_printf(w->f->a, "%.*s%.*s}", STR_ARG(w->eol), STR_ARG(indent)));
    }
}

/* What only the block's threads can see needs no atomic instruction: they take turns. */
static void shared_atomics(struct writer *w) {
    struct kernel *k = w->k;
    for (uint32_t i = k->open; i + 3 < k->close; i++) {
        if (!rules_lists(w->f->rules, "cuda.block_atomics", cu_text(w->f, i))) continue;
        if (!cu_is(w->f, i + 1, "(")) continue;
        uint32_t n = k_variable_at(k, i + 2 + cu_is(w->f, i + 2, "&"));
        if (n != NO_NODE && k->v.v[n].class == K_SHARED) k_insert(w, end_of(w->f, i), S("_block"));
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

bool k_finish(struct writer *w) {
    shared_atomics(w);
    if (!collides(w)) return true;
    w->edits->v.n = w->first;
    return k_fail(w->k, w->k->open, "names in the declarations change");
}

bool k_write_kernel(struct kernel *k, struct k_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S("")};
    uint32_t open = end_of(k->f, k->open), first = start_of(k->f, k->s.v[k->s.v[0].child].first);
    const char *name = k->returns_early ? "CM_LEAVING_BLOCK;" : "CM_BLOCK;";
    struct str indent = k_indent_of(k->f, first);
    bool same_line = k_after_line_break(k->f, first) <= open;
    struct buf b;
    buf_init(&b, k->f->a);
    if (same_line)
        buf_addc(&b, ' ');
    else
        buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
    buf_addz(&b, name);
    own_parameters(&w, indent, &b);
    k_insert(&w, open, buf_str(&b));
    k_write_list(&w, k->s.v[0].child);
    return k_finish(&w);
}

void k_write_one_loop(struct kernel *k, struct k_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, cu_eol(k->f), S("")};
    struct buf b;
    buf_init(&b, k->f->a);
    k_insert(&w, start_of(k->f, k->open), S("CM_EACH_THREAD "));
    uint32_t inside = start_of(k->f, k->open + 1);
    bool same_line = k_after_line_break(k->f, inside) <= start_of(k->f, k->open);
    struct str indent = k_indent_of(k->f, inside);
    for (uint32_t n = 0; n < k->v.n; n++) { /* parameters that each thread changes */
        const struct k_variable *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class != K_CONTEXT) continue;
        struct buf type;
        buf_init(&type, k->f->a);
        k_add_type(&w, v, &type);
        if (same_line)
            buf_addc(&b, ' ');
        else
            buf_printf(&b, "%.*s%.*s", STR_ARG(w.eol), STR_ARG(indent));
        bool pointer = type.n && type.p[type.n - 1] == '*';
        buf_printf(&b, "%.*s%s%.*s = cm_%.*s;", (int)type.n, type.p, pointer ? "" : " ",
                   STR_ARG(v->name), STR_ARG(v->name));
        k_insert(&w, start_of(k->f, v->token), S("cm_"));
    }
    k_insert(&w, end_of(k->f, k->open), buf_str(&b));
    k_insert(&w, end_of(k->f, k->close), S(" CM_END"));
}

void k_write_clock(struct kernel *k, struct k_edits *edits) {
    struct writer w = {k, k->f, edits, edits->v.n, S("\n"), S("")};
    for (uint32_t i = k->open; i + 2 < k->close; i++)
        if (cu_is(k->f, i, CU_CLOCK) && cu_is(k->f, i + 1, "(") && cu_is(k->f, i + 2, ")"))
            k_insert(&w, end_of(k->f, i), S("64"));
}

void k_write_spins(struct cu *f, struct k_edits *edits) {
    struct writer w = {NULL, f, edits, edits->v.n, S("\n"), S("")};
    const struct byte_range *r;
    size_t n = cu_functions(f, &r);
    for (size_t i = 0; i < n; i++) {
        bool device = false;
        uint32_t from, to;
        for (uint32_t t = r[i].start; t < r[i].end && !cu_is(f, t, "{"); t++)
            device |= cu_is(f, t, CU_DEVICE_WORD) || cu_is(f, t, CU_KERNEL_WORD);
        for (uint32_t t = r[i].start; device && t < r[i].end; t++) {
            if (!k_spins_on_memory(f, t, r[i].end, &from, &to)) continue;
            k_insert(&w, start_of(f, from), S("CM_SPIN("));
            k_insert(&w, end_of(f, to - 1), S(")"));
        }
    }
}

/* ---- among the other edits ---- */

static bool before(const struct match_edit *a, const struct match_edit *b) {
    if (a->start != b->start) return a->start < b->start;
    return a->start == a->end && b->start != b->end;
}

static bool is_covered(const struct k_edits *edits, const struct match_edit *e) {
    for (size_t i = 0; i < edits->v.n; i++)
        if (covers(&edits->v.v[i], e)) return true;
    return false;
}

void k_merge_edits(struct cu *f, const struct k_edits *edits) {
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
