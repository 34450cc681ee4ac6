/* split.c - which statements of a kernel run once per block, and which for each thread. */
#include "cuda/kernel.h"

enum { MOST_OWN = 46 }; /* names that a piece can have beside threadIdx: cpu/split.hpp */

static bool is_compound(const struct ks *s) {
    return s->kind == KS_IF || s->kind == KS_FOR || s->kind == KS_WHILE || s->kind == KS_DO ||
           s->kind == KS_BLOCK;
}

static bool is_loop(const struct ks *s) {
    return s->kind == KS_FOR || s->kind == KS_WHILE || s->kind == KS_DO;
}

/* ---- barriers ---- */

static bool is_group(const struct kernel *k, uint32_t token) {
    uint32_t n = kv_at(k, token);
    return n != NO_NODE && k->v.v[n].group;
}

static bool is_cut(const struct kernel *k, const struct ks *s) {
    const struct cu *f = k->f;
    uint32_t i = s->start, end = s->last - 1; /* the ; */
    if (s->kind != KS_EXPRESSION || end < i + 3 || !cu_is(f, end - 1, ")")) return false;
    if (str_listed(cu_text(f, i), kq_words(f, "barrier_functions")))
        return cu_is(f, i + 1, "(") && f->tokens.v[i + 1].partner == end - 1;
    if (cu_is(f, i + 1, ".") && cu_is(f, i + 2, "sync") && end == i + 5) return is_group(k, i);
    while (cu_is(f, i + 1, "::")) i += 2;
    if (cu_is(f, i, "sync") && end == i + 4) return is_group(k, i + 2);
    return cu_is(f, i, "this_thread_block") && end == i + 7 && cu_is(f, i + 4, "sync");
}

/* ---- what is hoisted to the block's level ---- */

static void thread_level(struct kernel *k, uint32_t s) {
    for (uint32_t n = 0; n < k->s.n; n++)
        for (uint32_t p = n; p != NO_NODE; p = k->s.v[p].parent)
            if (p == s) {
                k->s.v[n].role = KR_THREAD;
                break;
            }
}

/* A statement that wants everything around it at the block's level, up to `top`. */
static void hoist(struct kernel *k, uint32_t s, uint32_t top) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent) {
        if (!is_compound(&k->s.v[p])) {
            thread_level(k, p);
            return;
        }
        k->s.v[p].role = KR_HOISTED;
        if (p == top) return;
    }
}

static bool hoisted_up_to(const struct kernel *k, uint32_t s, uint32_t top) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent) {
        if (k->s.v[p].role != KR_HOISTED) return false;
        if (p == top) return true;
    }
    return top == NO_NODE;
}

/* if (...) return; */
static bool is_exit(const struct kernel *k, uint32_t s) {
    const struct ks *x = &k->s.v[s];
    if (x->kind != KS_IF || x->other != NO_NODE) return false;
    uint32_t body = x->child;
    if (k->s.v[body].kind == KS_BLOCK) body = k->s.v[body].child;
    return body != NO_NODE && k->s.v[body].kind == KS_RETURN;
}

/* Loops without barriers that threads had better go through together. */
static void hoist_sums(struct kernel *k) {
    for (uint32_t s = 1; s < k->s.n && !k->apart; s++) {
        struct ks *x = &k->s.v[s];
        if (x->role == KR_HOISTED || !hoisted_up_to(k, s, NO_NODE) || !kt_sums(k, s)) continue;
        x->sums = true;
        x->role = KR_HOISTED;
        if (k->s.v[x->child].kind == KS_BLOCK) k->s.v[x->child].role = KR_HOISTED;
    }
}

static void begin_roles(struct kernel *k) {
    k->s.v[0].role = KR_HOISTED;
    for (uint32_t s = 0; s < k->s.n; s++)
        if ((k->s.v[s].cut = is_cut(k, &k->s.v[s])) || kw_offer_of(k, s) != NO_NODE) {
            if (is_compound(&k->s.v[s])) k->s.v[s].role = KR_HOISTED; /* in its condition */
            hoist(k, s, NO_NODE);
        }
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool jump = k->s.v[s].kind == KS_BREAK || k->s.v[s].kind == KS_CONTINUE;
        uint32_t loop = jump ? km_loop_of(k, s) : NO_NODE;
        if (loop != NO_NODE && k->s.v[loop].role == KR_HOISTED) hoist(k, s, loop);
        uint32_t parent = k->s.v[s].parent;
        if (!is_exit(k, s) || k->returns || k->s.v[parent].role != KR_HOISTED) continue;
        k->s.v[s].role = KR_HOISTED;
        if (k->s.v[k->s.v[s].child].kind == KS_BLOCK) k->s.v[k->s.v[s].child].role = KR_HOISTED;
    }
    hoist_sums(k);
}

static void begin_classes(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++) {
        struct kv *v = &k->v.v[n];
        if (v->class == KV_SHARED) continue;
        v->class = v->statement != NO_NODE ? KV_LOCAL : k->function ? KV_EACH : KV_BLOCK;
    }
}

/* Whether a hoisted statement may stay so. */
static bool may_stay(struct kernel *k, uint32_t s, uint32_t *token) {
    const struct ks *x = &k->s.v[s];
    if (x->masked) return true;
    if (x->sums && (km_around(k, s) != NO_NODE || !kt_in_step(k, s))) return false;
    if (x->kind != KS_BLOCK && !ku_uniform(k, x->open + 1, x->close, token)) return false;
    for (uint32_t n = 0; is_loop(x) && n < k->s.n; n++) {
        bool jump = k->s.v[n].kind == KS_BREAK || k->s.v[n].kind == KS_CONTINUE;
        if (!jump || km_loop_of(k, n) != s) continue;
        uint32_t around = km_around(k, n);
        bool same = around == NO_NODE || around == km_around(k, s);
        if (hoisted_up_to(k, n, s) && same) continue;
        *token = k->s.v[n].start;
        return false;
    }
    return true;
}

static bool holds_cut(const struct kernel *k, uint32_t s) {
    for (uint32_t n = s; n < k->s.n; n++)
        if ((k->s.v[n].cut || kw_offer_of(k, n) != NO_NODE) &&
            k->s.v[n].first >= k->s.v[s].first && k->s.v[n].last <= k->s.v[s].last)
            return true;
    return false;
}

/* Constants of the kernel that types of its variables are made with. */
static void settle_types(struct kernel *k) {
    uint8_t *before = arena_alloc(k->f->a, k->v.n + 1);
    for (size_t u = 0; u < k->uses.n; u++) {
        uint32_t i = k->uses.v[u].token, token;
        bool needed = false;
        for (uint32_t n = 0; n < k->v.n && !needed; n++) {
            const struct kv *v = &k->v.v[n];
            needed = (i >= v->array_first && i < v->array_last) ||
                     (i >= v->type_first && i < v->type_last);
        }
        for (uint32_t n = 0; n < k->v.n; n++) before[n] = k->v.v[n].class;
        if (!needed || ku_uniform(k, i, i + 1, &token)) continue;
        for (uint32_t n = 0; n < k->v.n; n++) k->v.v[n].class = before[n];
    }
}

static void settle_roles(struct kernel *k) {
    for (bool again = true; again;) {
        again = false;
        begin_classes(k);
        settle_types(k);
        for (uint32_t s = 1; s < k->s.n && !again; s++) {
            uint32_t token = k->s.v[s].start;
            if (k->s.v[s].role != KR_HOISTED) continue;
            bool inside = k->s.v[k->s.v[s].parent].role == KR_HOISTED;
            if (inside && may_stay(k, s, &token)) continue;
            const char *why = NULL;
            again = true;
            if (inside && holds_cut(k, s) && km_may_mask(k, s, &why)) {
                k->s.v[s].masked = true;
                continue;
            }
            if (inside && k->slow == NO_NODE && why) k->slow = token, k->slow_why = why;
            thread_level(k, s);
        }
    }
    for (uint32_t s = 1; s < k->s.n && !k->apart; s++)
        if (hoisted_up_to(k, s, NO_NODE) && km_around(k, s) == NO_NODE)
            k->s.v[s].deals = kt_deals(k, s);
}

/* ---- roles of the statements between ---- */

static bool all_of_class(const struct kernel *k, uint32_t s, enum kv_class class, bool *any) {
    bool all = true;
    *any = false;
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].statement == s) {
            all &= k->v.v[n].class == class;
            *any |= k->v.v[n].class == class;
        }
    return all;
}

static void declaration_role(struct kernel *k, uint32_t s) {
    struct ks *x = &k->s.v[s];
    bool all = true, group = true, any, plain = true;
    for (uint32_t n = 0; n < k->v.n; n++) {
        struct kv *v = &k->v.v[n];
        if (v->statement != s) continue;
        plain &= v->class != KV_BLOCK && v->class != KV_SHARED;
        all = all && plain && ku_repeatable(k, v);
        if (all) v->class = KV_REPEATED; /* for those behind it */
        group &= v->group;
    }
    for (uint32_t n = 0; !all && n < k->v.n; n++)
        if (k->v.v[n].statement == s && k->v.v[n].class == KV_REPEATED) k->v.v[n].class = KV_LOCAL;
    x->role = all ? KR_REPEATED : KR_THREAD;
    if (all && group) x->role = KR_BLOCK;
    bool is_static = false;
    for (uint32_t i = x->start; i < x->last; i++)
        is_static |= cu_is(k->f, i, "constexpr") || cu_is(k->f, i, "static");
    if (is_static || all_of_class(k, s, KV_SHARED, &any)) x->role = KR_BLOCK;
    if (all_of_class(k, s, KV_BLOCK, &any))
        x->role = KR_BLOCK;
    else if (any)
        x->mixed = true;
    if (x->mixed && is_static)
        ks_fail(k, x->start, "a declaration mixes what threads share with what they don't");
}

/* Whether only some threads come to a jump, or their loop is one that others stay in. */
static bool jumps_alone(const struct kernel *k, uint32_t s) {
    uint32_t around = km_around(k, s);
    if (k->s.v[s].kind == KS_RETURN) return around != NO_NODE;
    uint32_t loop = km_loop_of(k, s);
    return loop != NO_NODE && (k->s.v[loop].masked || around != km_around(k, loop));
}

static void statement_role(struct kernel *k, uint32_t s) {
    struct ks *x = &k->s.v[s];
    if (x->role == KR_HOISTED) return;
    bool jump = x->kind == KS_RETURN || x->kind == KS_BREAK || x->kind == KS_CONTINUE;
    uint32_t offer = kw_offer_of(k, s);
    if (x->cut || (offer != NO_NODE && k->offers.v[offer].alone)) {
        x->role = KR_CUT;
    } else if (jump && (jumps_alone(k, s) || (x->kind == KS_RETURN && k->returns))) {
        x->role = KR_THREAD;
    } else if (x->kind == KS_DECLARATION) {
        declaration_role(k, s);
    } else if (x->kind == KS_TYPE || x->kind == KS_RETURN || x->kind == KS_BREAK ||
               x->kind == KS_CONTINUE || x->kind == KS_EMPTY || x->kind == KS_DIRECTIVE) {
        x->role = KR_BLOCK;
    } else if (x->kind == KS_EXPRESSION) {
        uint32_t i = x->start;
        if (cu_is(k->f, i, "++") || cu_is(k->f, i, "--")) i++;
        uint32_t n = kv_at(k, i);
        bool block = n != NO_NODE && k->v.v[n].class == KV_BLOCK;
        if (block && kv_changes(k, i, &k->v.v[n])) x->role = KR_BLOCK;
    }
}

/* ---- pieces ---- */

static void close_piece(struct kernel *k, struct ks_piece *open) {
    if (open->first != NO_NODE) {
        open->from = k->s.v[open->first].first;
        open->to = k->s.v[open->last].last;
        vec_push(k->f->a, &k->pieces, *open);
    }
    *open = (struct ks_piece){.first = NO_NODE, .offer = NO_NODE, .head = NO_NODE};
}

/* An expression of a masked statement's head. */
static void head_piece(struct kernel *k, uint32_t s, enum km_part part) {
    struct ks_piece p = {.first = NO_NODE, .last = NO_NODE, .offer = NO_NODE, .head = s};
    km_part(k, s, part, &p.from, &p.to);
    if (p.from < p.to) vec_push(k->f->a, &k->pieces, p);
}

/* A statement with operations of the warp: what it offers are pieces of their own before it. */
static void offer_pieces(struct kernel *k, uint32_t s) {
    for (uint32_t n = 0; n < k->offers.n; n++) {
        if (k->offers.v[n].statement != s) continue;
        struct ks_piece p = {.first = NO_NODE,
                             .last = NO_NODE,
                             .from = k->offers.v[n].value_first,
                             .to = k->offers.v[n].value_last,
                             .offer = n,
                             .head = NO_NODE};
        vec_push(k->f->a, &k->pieces, p);
    }
}

static void walk(struct kernel *k, uint32_t first) {
    struct ks_piece open = {.first = NO_NODE, .offer = NO_NODE, .head = NO_NODE};
    uint32_t waiting = NO_NODE; /* repeated declarations right before what may become a piece */
    for (uint32_t s = first; s != NO_NODE; s = k->s.v[s].next) {
        statement_role(k, s);
        struct ks *x = &k->s.v[s];
        bool offers = kw_offer_of(k, s) != NO_NODE && !is_compound(x);
        if (offers && (x->role == KR_THREAD || x->role == KR_CUT)) {
            close_piece(k, &open);
            offer_pieces(k, s);
            waiting = NO_NODE;
        }
        if (x->kind == KS_EMPTY && open.first != NO_NODE) x->role = KR_THREAD;
        if (x->mixed) close_piece(k, &open);
        if (x->role == KR_THREAD && x->deals) {
            close_piece(k, &open);
            waiting = NO_NODE;
            open.first = open.last = s;
            close_piece(k, &open);
            continue;
        }
        if (x->role == KR_REPEATED && open.first == NO_NODE) {
            if (waiting == NO_NODE) waiting = s;
            continue;
        }
        if (x->role == KR_THREAD || x->role == KR_REPEATED) {
            if (open.first == NO_NODE) open.first = waiting != NO_NODE ? waiting : s;
            for (uint32_t w = waiting; w != NO_NODE && w != s; w = k->s.v[w].next)
                k->s.v[w].role = KR_THREAD;
            x->role = KR_THREAD;
            waiting = NO_NODE;
            open.last = s;
            continue;
        }
        close_piece(k, &open);
        waiting = NO_NODE;
        if (x->role != KR_HOISTED) continue;
        bool masked = x->masked, loop = is_loop(x);
        uint32_t branches[] = {x->child, loop ? NO_NODE : x->other};
        for (size_t n = 0; n < ARRAY_LEN(branches); n++) /* one without a barrier, too */
            if (branches[n] != NO_NODE && k->s.v[branches[n]].kind == KS_BLOCK &&
                x->kind != KS_BLOCK)
                k->s.v[branches[n]].role = KR_HOISTED;
        if (masked && loop) head_piece(k, s, KM_FIRST);
        if (masked) offer_pieces(k, s);
        if (masked) head_piece(k, s, KM_CONDITION);
        walk(k, k->s.v[s].child);
        if (masked && loop) head_piece(k, s, KM_STEP);
        if (!loop && k->s.v[s].other != NO_NODE) walk(k, k->s.v[s].other);
    }
    close_piece(k, &open);
}

/* ---- what becomes of the variables ---- */

/* Whether token i is where a barrier between pieces names its group, which goes, or in what is
 * repeated. */
static bool in_between(const struct kernel *k, uint32_t i, const struct kv *v) {
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool repeated = v->class == KV_REPEATED && k->s.v[s].role == KR_REPEATED;
        bool counts = k->s.v[s].role == KR_CUT || repeated;
        if (v->class == KV_REPEATED && k->s.v[s].kind == KS_DECLARATION &&
            k->s.v[s].role == KR_BLOCK)
            for (uint32_t n = 0; n < k->v.n; n++)
                counts |= k->v.v[n].statement == s && k->v.v[n].group;
        if (counts && i >= k->s.v[s].first && i < k->s.v[s].last) return true;
    }
    return false;
}

static bool in_own_declaration(const struct kernel *k, const struct kv *v, uint32_t i) {
    const struct ks *s = &k->s.v[v->statement];
    return i >= s->first && i < s->last;
}

static void settle_variable(struct kernel *k, uint32_t n) {
    struct kv *v = &k->v.v[n];
    if (v->class == KV_BLOCK || v->class == KV_SHARED) return;
    bool parameter = v->statement == NO_NODE;
    uint32_t home = parameter ? NO_NODE : kw_piece_of(k, v->token);
    bool away = false;
    for (size_t u = 0; u < k->uses.n; u++) {
        uint32_t i = k->uses.v[u].token, piece = kw_piece_of(k, i);
        if (k->uses.v[u].variable != n || (!parameter && in_own_declaration(k, v, i))) continue;
        if (piece == NO_NODE && in_between(k, i, v)) continue;
        if (piece == NO_NODE) {
            ks_fail(k, i, "a thread's own variable is needed between the loops");
            return;
        }
        away |= piece != home;
    }
    for (size_t u = 0; u < k->hidden.n; u++) {
        uint32_t i = k->hidden.v[u].token, piece = kw_piece_of(k, i);
        if (k->hidden.v[u].variable != n || (!parameter && in_own_declaration(k, v, i))) continue;
        away |= piece != home;
        if (piece == NO_NODE)
            ks_fail(k, i, "a macro between the loops uses a thread's own variable");
    }
    if (parameter || v->class == KV_REPEATED) return;
    const struct ks *s = &k->s.v[v->statement], *parent = &k->s.v[s->parent];
    away |= (s->kind == KS_LOOP_HEAD && parent->masked) || v->twice;
    if (!away) return;
    v->class = KV_EACH;
    bool direct = parent->role == KR_HOISTED;
    bool declared = s->kind == KS_DECLARATION || (s->kind == KS_LOOP_HEAD && parent->masked);
    if (v->is_auto || v->reference || v->is_static || !direct || v->group || !declared)
        ks_fail(k, v->token,
                "a variable lives across a barrier, but has no type that can be kept");
    if (v->init == '{' && v->array_first != v->array_last)
        ks_fail(k, v->token, "an array with values in braces lives across a barrier");
}

/* Branches of an #if may declare a variable in one way each: each thread keeps it in all of them.
 */
static void settle_branches(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].twice && k->v.v[n].class != KV_SHARED) k->v.v[n].class = KV_EACH;
}

/* If one variable of a declaration is kept across pieces, all are. */
static void settle_variables(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++) settle_variable(k, n);
    settle_branches(k);
    for (uint32_t n = 0; n < k->v.n; n++)
        for (uint32_t m = 0; k->v.v[n].class == KV_EACH && m < k->v.n; m++)
            if (k->v.v[m].statement != NO_NODE && k->v.v[m].statement == k->v.v[n].statement &&
                k->v.v[m].class != KV_BLOCK)
                k->v.v[m].class = KV_EACH;
}

static bool in_hoisted_loop(const struct kernel *k, uint32_t s) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent)
        if (is_loop(&k->s.v[p])) return true;
    return false;
}

static void look_at_piece(struct kernel *k, uint32_t p) {
    struct ks_piece *piece = &k->pieces.v[p];
    uint32_t first = piece->from, last = piece->to, token;
    struct str word;
    piece->manner = (uint8_t)kq_manner(k, first, last, &token, &word);
    if (piece->manner == KQ_CALLS && k->slow == NO_NODE) k->slow = token, k->slow_word = word;
    const struct ks_offer *o = piece->offer != NO_NODE ? &k->offers.v[piece->offer] : NULL;
    if (piece->manner == KQ_CALLS && o && o->variable == NO_NODE && !o->vote)
        ks_fail(k, token, "an operation of all threads is given what may wait for some");
    bool final = piece->offer != NO_NODE || piece->head != NO_NODE ||
                 (p + 1 == k->pieces.n && !in_hoisted_loop(k, piece->first));
    for (uint32_t i = first; i < last && !final; i++) {
        uint32_t lambda = ks_lambda(k->f, i);
        i += lambda ? lambda - 1 : 0;
        piece->leaves |= cu_is(k->f, i, "return");
    }
    k->leaves |= piece->leaves;
    uint32_t own = 4; /* masks */
    for (uint32_t n = 0; n < k->v.n; n++)
        own += k->v.v[n].class == KV_EACH && kw_piece_uses(k, p, n);
    for (uint32_t n = 0; n < k->offers.n; n++)
        own += k->offers.v[n].word >= first && k->offers.v[n].word < last;
    if (own > MOST_OWN) ks_fail(k, k->open, "too many variables live across its barriers");
}

static bool has_hidden_return(struct kernel *k) {
    for (uint32_t i = k->open; i < k->close; i++) {
        for (struct kq_macro m = {0};
             cu_is_word(k->f, i) && kq_next_macro(k->f, cu_text(k->f, i), &m);)
            for (uint32_t t = m.d->first; t < m.d->last; t++)
                if (cu_is(m.f, t, "return")) return !ks_fail(k, i, "a macro returns from it");
    }
    return false;
}

/* A parameter that threads change for themselves would be shared by them. */
static bool keeps_parameter(struct kernel *k, uint32_t n, bool one_loop) {
    const struct kv *v = &k->v.v[n];
    uint32_t token;
    if (v->constant || (!v->changed && !v->passed)) return true;
    bool uniform = k->s.n > 0 && !one_loop; /* once per block */
    for (size_t u = 0; uniform && u < k->uses.n; u++)
        if (k->uses.v[u].variable == n)
            uniform = ku_uniform(k, k->uses.v[u].token, k->uses.v[u].token + 1, &token);
    return uniform;
}

/* They become variables of each thread, made from a parameter of another name. */
static void own_parameters(struct kernel *k, bool one_loop) {
    for (uint32_t n = 0; n < k->v.n && !k->function; n++) {
        struct kv *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class == KV_EACH || keeps_parameter(k, n, one_loop))
            continue;
        v->class = KV_EACH;
        for (uint32_t i = v->type_first; i < v->type_last; i++)
            if (cu_is(k->f, i, "&") || cu_is(k->f, i, "(") || cu_is(k->f, i, "...") ||
                cu_is(k->f, v->token + 1, "[") || k->f->tokens.v[i].directive)
                ks_fail(k, v->token, "it changes a parameter");
    }
}

/* ---- one kernel ---- */

static void tell(struct kernel *k, const char *tier, const char *why, uint32_t place) {
    struct cu_kernel told = {k->name, tier, str_of(why ? why : ""), place};
    vec_push(k->f->a, &k->f->kernels, told);
}

/* What is said of code that does not stand in a loop of its own: of a word, and of the function or
 * macro that holds it, if that is another one. */
static const char *reason(const struct kernel *k, uint32_t token, struct str word) {
    const struct cu *f = k->f;
    struct str name = cu_text(f, token);
    const char *what = "what it does is not known here, and it may wait for other threads";
    if (str_listed(word, kq_words(f, "waiting_words"))) what = "it waits for other threads";
    if (str_listed(word, kq_words(f, "calling_words"))) what = "it may have to let others run";
    if (str_is(word, "threadIdx")) what = "it asks which thread it runs for";
    if (str_is(word, "<<<")) what = "it launches a kernel";
    if (!word.n || str_eq(name, word))
        return arena_printf(f->a, "`%.*s`: %s", STR_ARG(name), what).p;
    return arena_printf(f->a, "`%.*s`: in it `%.*s`: %s", STR_ARG(name), STR_ARG(word), what).p;
}

/* No barrier between its statements. */
static void whole(struct kernel *k, struct kl_edits *edits) {
    uint32_t token = NO_NODE;
    struct str word;
    enum kq_manner manner = kq_manner(k, k->open, k->close, &token, &word);
    if (manner == KQ_CALLS) {
        bool waits = k->slow != NO_NODE;
        for (uint32_t i = k->open; i < k->close; i++)
            waits |= str_listed(cu_text(k->f, i), kq_words(k->f, "waiting_words"));
        if (k->slow != NO_NODE)
            tell(k, "fibers", k->slow_why, k->slow);
        else
            tell(k, waits ? "fibers" : "thread loop, fibers if it waits",
                 k->why ? k->why : reason(k, token, word), k->why ? k->why_token : token);
        return;
    }
    k->why = NULL;
    if (manner == KQ_ASKS) { /* as it is: each thread sets threadIdx */
        tell(k, "thread loop", NULL, NO_NODE);
        return;
    }
    own_parameters(k, true);
    if (k->why) {
        tell(k, "thread loop, not vectorised", k->why, k->why_token);
        return;
    }
    kl_write_one_loop(k, edits);
    tell(k, "thread loop", NULL, NO_NODE);
}

static bool has_cut(const struct kernel *k) {
    for (uint32_t s = 0; s < k->s.n; s++)
        if (k->s.v[s].role == KR_CUT) return true;
    for (uint32_t p = 0; p < k->pieces.n; p++)
        if (k->pieces.v[p].offer != NO_NODE) return true;
    return false;
}

/* Whether it is cut anywhere. */
static bool cut(struct kernel *k) {
    bool read = ks_read(k);
    if (!read) k->s.n = k->v.n = 0, kv_parameters(k);
    kv_find_uses(k);
    if (!read) return false;
    kw_find_offers(k);
    begin_roles(k);
    settle_roles(k);
    own_parameters(k, false);
    walk(k, k->s.v[0].child);
    return has_cut(k);
}

/* Whether what is between the cuts can be written. */
static bool settle_pieces(struct kernel *k) {
    bool good = !k->why && !has_hidden_return(k);
    if (good) settle_variables(k);
    for (uint32_t p = 0; !k->why && p < k->pieces.n; p++) look_at_piece(k, p);
    return !k->why;
}

bool kl_split(struct kernel *k) { return cut(k) && settle_pieces(k) && k->slow == NO_NODE; }

/* False: it can't be cut like that, but perhaps where fewer variables have to be kept. */
static bool one_kernel(struct kernel *k, struct kl_edits *edits) {
    if (!cut(k)) {
        whole(k, edits);
        return true;
    }
    bool together = false;
    for (uint32_t s = 0; s < k->s.n; s++) together |= k->s.v[s].sums || k->s.v[s].deals;
    if (!settle_pieces(k) || !kl_write(k, edits)) {
        if (together) return false;
        tell(k, "fibers", k->why, k->why_token);
        return true;
    }
    if (k->slow == NO_NODE)
        tell(k, "fission", NULL, NO_NODE);
    else
        tell(k, "fission, fibers where a piece waits",
             k->slow_why ? k->slow_why : reason(k, k->slow, k->slow_word), k->slow);
    return true;
}

/* The kernel whose __global__ is token i. False: only declared, or split before. */
static bool find_kernel(struct cu *f, uint32_t i, struct kernel *k) {
    uint32_t params = NO_NODE, at = i + 1;
    for (; at < f->tokens.n && !cu_is(f, at, "{") && !cu_is(f, at, ";"); at++) {
        if (f->tokens.v[at].directive) return false;
        if (!cu_is(f, at, "(") || f->tokens.v[at].partner == NO_NODE) continue;
        params = at;
        at = f->tokens.v[at].partner;
    }
    if (params == NO_NODE || !cu_is(f, at, "{") || f->tokens.v[at].partner == NO_NODE)
        return false;
    if (!cu_is_word(f, params - 1)) return false;
    *k = (struct kernel){.f = f,
                         .name = params - 1,
                         .params_open = params,
                         .params_close = f->tokens.v[params].partner,
                         .open = at,
                         .close = f->tokens.v[at].partner,
                         .slow = NO_NODE};
    for (uint32_t t = k->params_close; t < k->close; t++)
        if (str_listed(cu_text(f, t), S("CM_EACH_THREAD CM_BLOCK CM_LEAVING_BLOCK"))) return false;
    return true;
}

void cu_split_kernels(struct cu *f) {
    struct kl_edits edits = {0};
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD)) cu_read_included(f);
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct kernel k;
        bool own = !f->tokens.v[i].directive && cu_is(f, i, CU_KERNEL_WORD);
        if (!own || cu_region_at(f, f->tokens.v[i].start) || !find_kernel(f, i, &k)) continue;
        bool in_program = false;
        for (size_t n = 0; n < f->programs.n; n++)
            in_program |= f->tokens.v[i].start >= f->programs.v[n].start &&
                          f->tokens.v[i].start < f->programs.v[n].end;
        if (!in_program && !one_kernel(&k, &edits) && find_kernel(f, i, &k)) {
            k.apart = true;
            one_kernel(&k, &edits);
        }
        if (!in_program) kl_write_clock(&k, &edits);
        if (!in_program) kl_write_module(&k, &edits);
        i = k.close;
    }
    kf_write_forms(f, &edits);
    kl_merge(f, &edits);
}
