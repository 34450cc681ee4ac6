/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - what --explain-kernels tells of a kernel's variables: where the value of each is
 * kept, and why there. It repeats what the passes have decided, and decides nothing. */
#include "kernels/kernel.h"

static const char *kept_of(const struct k_variable *v) {
    switch (v->class) {
    case K_UNIFORM:
        return "uniform";
    case K_SHARED:
        return "shared";
    case K_CONTEXT:
        return "context array";
    case K_REMATERIALISED:
        return "rematerialised";
    default:
        return "local";
    }
}

static const char *why_of(const struct k_variable *v, enum k_shape shape, bool cut) {
    bool parameter = v->statement == NO_NODE;
    if (v->class == K_SHARED) return "the block's threads share it";
    if (v->class == K_UNIFORM)
        return parameter ? "a parameter that no thread changes for itself"
                         : "all that it is given is the same for all threads of a block";
    if (v->class == K_CONTEXT && parameter) return "a parameter that threads change";
    if (v->class == K_CONTEXT && k_is_object(v))
        return "of a class: each thread makes its own, and several regions use it";
    if (v->class == K_CONTEXT) return "several regions use the variable";
    if (v->class == K_REMATERIALISED) return "each region computes it from what does not change";
    if (shape == K_NEXT || shape == K_ROW_NEXT) return "affine in " CU_THREAD_INDEX ".x";
    if (!cut) return "each thread's own in the one loop";
    return "no other region uses it";
}

void k_explain(struct kernel *k, struct cu_kernel *told) {
    bool cut = k->regions.n > 0;
    uint8_t *class = arena_alloc(k->f->a, k->v.n + 1);
    for (uint32_t n = 0; n < k->v.n; n++) class[n] = k->v.v[n].class;
    for (uint32_t n = 0; n < k->v.n; n++) {
        struct k_variable *v = &k->v.v[n];
        struct cu_kernel_variable one = {.token = v->token, .varies = NO_NODE};
        bool own = v->class != K_UNIFORM && v->class != K_SHARED;
        enum k_shape shape = own ? k_shape_of(k, v->token, v->token + 1) : K_SAME;
        uint32_t token = NO_NODE;
        if (own && !k_is_uniform(k, v->token, v->token + 1, &token)) one.varies = token;
        for (uint32_t m = 0; m < k->v.n; m++) k->v.v[m].class = class[m];
        one.kept = kept_of(v);
        one.why = why_of(v, shape, cut);
        vec_push(k->f->a, &told->variables, one);
    }
}
