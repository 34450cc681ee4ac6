/* SPDX-License-Identifier: Apache-2.0 */
/* context.c - variables that are live across a barrier: each thread keeps its own in an array
 * (MCUDA's selective replication, pocl's context arrays), unless the value is the block's or can
 * be computed again. What has no type that can be written down stays on fibers. */
#include "kernels/kernel.h"

/* Whether token i is where a barrier between regions names its group, which goes, or in what is
 * repeated. */
static bool in_between(const struct kernel *k, uint32_t i, const struct k_variable *v) {
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool repeated = v->class == K_REMATERIALISED && k->s.v[s].role == K_REPEATED;
        bool counts = k->s.v[s].role == K_AT_BARRIER || repeated;
        if (v->class == K_REMATERIALISED && k->s.v[s].kind == K_DECLARATION &&
            k->s.v[s].role == K_ONCE)
            for (uint32_t n = 0; n < k->v.n; n++)
                counts |= k->v.v[n].statement == s && k->v.v[n].group;
        if (counts && i >= k->s.v[s].first && i < k->s.v[s].last) return true;
    }
    return false;
}

/* Whether token i is an argument of a barrier: __syncwarp(mask). */
static bool at_barrier(const struct kernel *k, uint32_t i) {
    for (uint32_t s = 0; s < k->s.n; s++)
        if (k->s.v[s].role == K_AT_BARRIER && i >= k->s.v[s].first && i < k->s.v[s].last)
            return true;
    return false;
}

static bool in_own_declaration(const struct kernel *k, const struct k_variable *v, uint32_t i) {
    const struct k_statement *s = &k->s.v[v->statement];
    return i >= s->first && i < s->last;
}

static void settle_variable(struct kernel *k, uint32_t n) {
    struct k_variable *v = &k->v.v[n];
    if (v->class == K_UNIFORM || v->class == K_SHARED) return;
    bool parameter = v->statement == NO_NODE;
    uint32_t home = parameter ? NO_NODE : k_region_of(k, v->token);
    bool live = false;
    for (size_t u = 0; u < k->uses.n; u++) {
        uint32_t i = k->uses.v[u].token, region = k_region_of(k, i);
        if (k->uses.v[u].variable != n || (!parameter && in_own_declaration(k, v, i))) continue;
        bool waits = !v->group && at_barrier(k, i);
        live |= waits; /* as fibers, the barrier stands outside of what declares it */
        if (region == NO_NODE && in_between(k, i, v)) continue;
        if (region == NO_NODE || k_is_template_argument(k, i)) {
            k_fail(k, i, "a thread's own variable is needed between the loops");
            return;
        }
        live |= region != home;
    }
    for (size_t u = 0; u < k->hidden.n; u++) {
        uint32_t i = k->hidden.v[u].token, region = k_region_of(k, i);
        if (k->hidden.v[u].variable != n || (!parameter && in_own_declaration(k, v, i))) continue;
        live |= region != home;
        if (region == NO_NODE)
            k_fail(k, i, "a macro between the loops uses a thread's own variable");
    }
    if (parameter || v->class == K_REMATERIALISED) return;
    const struct k_statement *s = &k->s.v[v->statement], *parent = &k->s.v[s->parent];
    live |= (s->kind == K_LOOP_HEAD && parent->predicated) || v->twice;
    live |= k_is_object(v) && parent->role == K_CONTROL && k_has_destructors(k->f) &&
            home != NO_NODE && v->scope_last > k->regions.v[home].to + 1;
    if (!live) return;
    v->class = K_CONTEXT;
    bool direct = parent->role == K_CONTROL;
    bool declared = s->kind == K_DECLARATION || (s->kind == K_LOOP_HEAD && parent->predicated);
    if (v->is_auto || v->reference || v->is_static || !direct || v->group || !declared)
        k_fail(k, v->token,
               "a variable whose type is not written (auto, a reference) lives across a barrier");
    for (uint32_t i = v->type_first; i < v->type_last; i++)
        if (cu_aligns(k->f, i) && (v->passed || v->array_first != v->array_last))
            k_fail(k, v->token, "a variable with an alignment of its own lives across a barrier");
    if (v->init == '{' && v->array_first != v->array_last)
        k_fail(k, v->token, "an array with values in braces lives across a barrier");
}

/* Branches of an #if may declare a variable in one way each: each thread keeps it in all of them.
 */
static void settle_branches(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].twice && k->v.v[n].class != K_SHARED) k->v.v[n].class = K_CONTEXT;
}

/* If one variable of a declaration lives across a barrier, all do. */
bool k_settle_variables(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++) settle_variable(k, n);
    settle_branches(k);
    for (uint32_t n = 0; n < k->v.n; n++)
        for (uint32_t m = 0; k->v.v[n].class == K_CONTEXT && m < k->v.n; m++)
            if (k->v.v[m].statement != NO_NODE && k->v.v[m].statement == k->v.v[n].statement &&
                k->v.v[m].class != K_UNIFORM)
                k->v.v[m].class = K_CONTEXT;
    return !k->why;
}

/* A parameter that threads change for themselves would be shared by them. */
static bool keeps_parameter(struct kernel *k, uint32_t n, bool one_loop) {
    const struct k_variable *v = &k->v.v[n];
    uint32_t token;
    if (v->constant || (!v->changed && !v->passed)) return true;
    bool uniform = k->s.n > 0 && !one_loop; /* once per block */
    for (size_t u = 0; uniform && u < k->uses.n; u++)
        if (k->uses.v[u].variable == n)
            uniform = k_is_uniform(k, k->uses.v[u].token, k->uses.v[u].token + 1, &token);
    return uniform;
}

/* They become variables of each thread, made from a parameter of another name. */
void k_own_parameters(struct kernel *k, bool one_loop) {
    for (uint32_t n = 0; n < k->v.n && !k->function; n++) {
        struct k_variable *v = &k->v.v[n];
        if (v->statement != NO_NODE || v->class == K_CONTEXT || keeps_parameter(k, n, one_loop))
            continue;
        v->class = K_CONTEXT;
        for (uint32_t i = v->type_first; i < v->type_last; i++)
            if (cu_is(k->f, i, "&") || cu_is(k->f, i, "(") || cu_is(k->f, i, "...") ||
                cu_is(k->f, v->token + 1, "[") || k->f->tokens.v[i].directive)
                k_fail(k, v->token, "the kernel changes a parameter whose type cannot be copied");
    }
}
