/* SPDX-License-Identifier: Apache-2.0 */
/* callgraph.c - the functions that kernels call: where they are defined, and what can be called
 * through a value. An over-approximation, as in class-hierarchy analysis: a pointer or a functor
 * means every function that the file lets it mean. No overloads are resolved and no templates
 * instantiated; what is not found here, effects.c assumes to block. */
#include "kernels/kernel.h"

/* The same, then files beside it: functions are found there that others only declare. */
static struct cu *source_or_neighbour(struct cu *f, size_t n, bool far) {
    struct cu *near = k_source(f, n);
    if (near || !far) return near;
    n -= f->included.n + 1;
    return n < f->neighbours.n ? f->neighbours.v[n] : NULL;
}

/* Where the declaration begins whose name is token i. */
static uint32_t head_of(const struct cu *f, uint32_t i) {
    enum { FAR = 120 };
    uint32_t first = i;
    while (first > 0 && i - first < FAR && !f->tokens.v[first - 1].directive &&
           !str_listed(cu_text(f, first - 1), S("; { } :")))
        first--;
    return first;
}

/* Whether what stands before a function's name says, or may say, that kernels can call it. */
static bool may_be_of_device(struct cu *root, const struct cu *f, uint32_t name, bool *certain) {
    bool may = false;
    for (uint32_t i = head_of(f, name); i < name; i++) {
        if (!cu_is_word(f, i)) continue;
        struct str word = cu_text(f, i);
        *certain |= str_listed(word, S(CU_DEVICE_WORD " " CU_KERNEL_WORD));
        may |= str_is(word, "constexpr") || k_is_macro(root, word);
    }
    return may || *certain;
}

/* The next definition, the host's among them. */
static bool next_any(struct cu *f, struct str name, struct k_function *d) {
    struct cu *in;
    if (!d->file && !d->at && !k_may_define(f, name)) d->file = f->included.n + 1;
    for (; (in = source_or_neighbour(f, d->file, d->far)); d->file++, d->at = 0)
        if (k_function_in(in, name, d)) return true;
    return false;
}

bool k_next_function(struct cu *f, struct str name, struct k_function *d) {
    if (!d->begun) {
        struct k_function look = {.far = false};
        bool any = false;
        while (!d->certain && next_any(f, name, &look)) {
            any = true;
            may_be_of_device(f, look.f, look.name, &d->certain);
        }
        d->far = !any && !k_is_type(f, name, true); /* a type is no function of elsewhere */
        if (d->far) cu_read_neighbours(f);
        d->begun = true;
    }
    bool certain = false;
    while (next_any(f, name, d))
        if (!d->certain || may_be_of_device(f, d->f, d->name, &certain)) return true;
    return false;
}

bool k_defines(struct cu *f, struct str name) {
    struct k_function d = {0};
    return k_next_function(f, name, &d);
}

/* [..] __device__ (...) { }: a lambda that kernels can call. */
static bool device_lambda_at(const struct cu *f, uint32_t i, struct k_function *d) {
    uint32_t length = k_lambda_length(f, i), at;
    if (!length) return false;
    bool device = false;
    for (at = cu_partner(f, i) + 1; at < i + length && !cu_is(f, at, "{"); at++)
        device |= cu_is_word(f, at);
    if (!device || cu_partner(f, at) == NO_NODE) return false;
    d->open = at, d->close = cu_partner(f, at);
    return true;
}

/* ---- what can be called through a value ---- */

struct names {
    uint32_t *buckets, n_buckets;
    VEC(struct k_function) v;
    VEC(uint32_t) next;
};

static uint32_t *bucket_of(struct names *n, struct str name) {
    return &n->buckets[str_hash(name) & (n->n_buckets - 1)];
}

/* All functions that kernels may call, by name. */
static void find_functions(struct cu *root, struct names *n) {
    n->n_buckets = 1024;
    n->buckets = arena_zalloc(root->a, n->n_buckets * sizeof *n->buckets);
    struct cu *in;
    for (size_t file = 0; (in = k_source(root, file)); file++)
        for (uint32_t i = 0; i + 1 < in->tokens.n; i++) {
            struct k_function d;
            bool certain = false;
            if (!cu_is(in, i + 1, "(") || !k_function_at(in, i, cu_text(in, i), &d)) continue;
            if (!may_be_of_device(root, in, i, &certain)) continue;
            vec_push(root->a, &n->v, d);
            uint32_t *bucket = bucket_of(n, cu_text(in, i));
            vec_push(root->a, &n->next, *bucket);
            *bucket = (uint32_t)n->v.n;
        }
}

/* The word at i is a function's name that is not called: its address goes somewhere. */
static void add_named(struct cu *root, struct names *n, const struct cu *in, uint32_t i) {
    bool alone = i > 0 && cu_is_word(in, i) && !in->tokens.v[i].directive &&
                 str_listed(cu_text(in, i - 1), S("( , < & = return")) &&
                 str_listed(cu_text(in, i + 1), S(") , > ;"));
    if (!alone) return;
    for (uint32_t at = *bucket_of(n, cu_text(in, i)); at; at = n->next.v[at - 1]) {
        const struct k_function *d = &n->v.v[at - 1];
        if (str_eq(cu_text(d->f, d->name), cu_text(in, i)))
            vec_push(root->a, &root->callables, ((struct cu_body){d->f, d->open, d->close}));
    }
}

void k_find_callables(struct cu *f) {
    if (f->callables_known) return;
    f->callables_known = true;
    struct names names = {0};
    struct k_function d = {0};
    while (k_next_function(f, S("()"), &d))
        vec_push(f->a, &f->callables, ((struct cu_body){d.f, d.open, d.close}));
    find_functions(f, &names);
    struct cu *in;
    for (size_t file = 0; (in = k_source(f, file)); file++)
        for (uint32_t i = 0; i + 1 < in->tokens.n; i++) {
            if (device_lambda_at(in, i, &d))
                vec_push(f->a, &f->callables, ((struct cu_body){in, d.open, d.close}));
            add_named(f, &names, in, i);
        }
}
