/* warp.c - operations of warps, where all threads come to them: each thread offers a value in one
 * piece, and reads those of the other lanes in the next. */
#include "cuda/kernel.h"

/* The whole warp, as a literal or a macro for one. */
static bool is_whole_mask(struct cu *f, struct cu_argument a) {
    if (a.last != a.first + 1) return false;
    struct str text = cu_text(f, a.first);
    struct kq_macro m = {0};
    if (cu_is_word(f, a.first) && kq_next_macro(f, text, &m) && m.d->last == m.d->first + 4)
        text = cu_text(m.f, m.d->first + 3);
    int64_t value;
    return cu_integer(text, &value) && value == 0xffffffff;
}

/* Whether the statement evaluates the call [word, close] whatever its other parts are. */
static bool is_certain(const struct kernel *k, const struct ks *s, uint32_t word, uint32_t close) {
    const struct cu *f = k->f;
    for (uint32_t i = s->start; i < s->last; i++) {
        if (i == word) i = close;
        bool other = cu_is_word(f, i) && str_listed(cu_text(f, i), kq_words(f, "waiting_words"));
        if (other || cu_is(f, i, "?") || cu_is(f, i, "&&") || cu_is(f, i, "||") || ks_lambda(f, i))
            return false;
    }
    return true;
}

/* A shuffle's value: a variable whose type is written. */
static bool has_type(const struct kernel *k, struct ks_offer *o) {
    uint32_t n = kv_at(k, o->value_first);
    if (n == NO_NODE || o->value_last != o->value_first + 1) return false;
    const struct kv *v = &k->v.v[n];
    o->variable = n;
    return !v->is_auto && !v->reference && v->array_first == v->array_last &&
           v->class != KV_SHARED;
}

static void look_at(struct kernel *k, uint32_t s) {
    struct cu *f = k->f;
    const struct ks *x = &k->s.v[s];
    if (x->kind != KS_EXPRESSION && x->kind != KS_DECLARATION) return;
    for (uint32_t i = x->start; i < x->last; i++) {
        bool shuffle = str_listed(cu_text(f, i), kq_words(f, "shuffle_functions"));
        bool vote = str_listed(cu_text(f, i), kq_words(f, "vote_functions"));
        struct cu_call call = {0};
        if (!cu_is_word(f, i) || (!shuffle && !vote) || !cu_is(f, i + 1, "(") ||
            f->tokens.v[i + 1].partner == NO_NODE)
            continue;
        cu_split(f, i + 2, f->tokens.v[i + 1].partner, &call);
        if (call.arguments.n < 2 || !is_whole_mask(f, call.arguments.v[0])) return;
        struct ks_offer o = {s, i, call.arguments.v[1].first, call.arguments.v[1].last, NO_NODE};
        if ((shuffle && !has_type(k, &o)) || !is_certain(k, x, i, f->tokens.v[i + 1].partner))
            return;
        vec_push(f->a, &k->offers, o);
        return;
    }
}

void kw_find_offers(struct kernel *k) {
    for (uint32_t s = 0; s < k->s.n; s++) look_at(k, s);
}

uint32_t kw_offer_of(const struct kernel *k, uint32_t statement) {
    for (uint32_t n = 0; n < k->offers.n; n++)
        if (k->offers.v[n].statement == statement) return n;
    return NO_NODE;
}

bool kw_is_offer(const struct kernel *k, uint32_t token) {
    for (uint32_t p = 0; p < k->pieces.n; p++)
        if (k->pieces.v[p].offer != NO_NODE && k->offers.v[k->pieces.v[p].offer].word == token)
            return true;
    return false;
}

uint32_t kw_piece_of(const struct kernel *k, uint32_t token) {
    for (uint32_t p = 0; p < k->pieces.n; p++) /* an offer's comes before the one around it */
        if (token >= k->pieces.v[p].from && token < k->pieces.v[p].to) return p;
    return NO_NODE;
}

bool kw_piece_uses(const struct kernel *k, uint32_t piece, uint32_t variable) {
    for (size_t u = 0; u < k->uses.n; u++)
        if (k->uses.v[u].variable == variable && kw_piece_of(k, k->uses.v[u].token) == piece)
            return true;
    for (size_t u = 0; u < k->hidden.n; u++)
        if (k->hidden.v[u].variable == variable && kw_piece_of(k, k->hidden.v[u].token) == piece)
            return true;
    return false;
}
