/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - the order of the passes, and the strategy that a kernel gets with its reason: a loop
 * over the threads, fission at the barriers, or fibers.
 *
 * MCUDA (Stratton, Stone, Hwu, 2008) is the idea: between two barriers a block's threads may run
 * one after the other. What stands between two is a parallel region (pocl: Jaaskelainen and
 * others, 2015); uniform control flow with barriers in it runs once per block, divergent one under
 * predicates; what lives across a barrier is kept per thread or computed again. What cannot be
 * shown to be right keeps its text and runs on fibers. */
#include "kernels/kernel.h"

/* ---- what cannot be written ---- */

static bool has_hidden_return(struct kernel *k) {
    for (uint32_t i = k->open; i < k->close; i++) {
        for (struct k_macro m = {0};
             cu_is_word(k->f, i) && k_next_macro(k->f, cu_text(k->f, i), &m);)
            for (uint32_t t = m.d->first; t < m.d->last; t++)
                if (cu_is(m.f, t, "return"))
                    return !k_fail(k, i, "a macro returns from the kernel");
    }
    return false;
}

/* Whether threadIdx stands where a loop over the threads, whose own variable it is, cannot be
 * seen: in a class, or in a lambda that says what it captures. *token: it. */
static bool hides_thread(const struct kernel *k, uint32_t *token) {
    const struct cu *f = k->f;
    for (uint32_t i = k->open; i < k->close; i++) {
        uint32_t end = i, length = k_lambda_length(f, i);
        bool sees = cu_is(f, i + 1, "&") || cu_is(f, i + 1, "=");
        if (length && !(sees && str_listed(cu_text(f, i + 2), S("] ,")))) end = i + length;
        if (str_listed(cu_text(f, i), S("struct class union")) && cu_is_word(f, i + 1)) {
            uint32_t open = i + 2;
            while (open < i + 20 && !str_listed(cu_text(f, open), S("{ ; ( ) = >"))) open++;
            if (cu_is(f, open, "{") && f->tokens.v[open].partner != NO_NODE)
                end = f->tokens.v[open].partner;
        }
        for (*token = i; *token < end; ++*token)
            if (cu_is(f, *token, CU_THREAD_INDEX)) return true;
    }
    return false;
}

/* A macro that stands as a statement and begins with a type: THREAD_INDEX(i); */
static bool declares_by_macro(const struct kernel *k, uint32_t *token) {
    struct cu *f = k->f;
    for (uint32_t s = 0; s < k->s.n; s++) {
        struct k_macro m = {0};
        if (k->s.v[s].kind != K_EXPRESSION && k->s.v[s].kind != K_DECLARATION) continue;
        *token = k->s.v[s].start;
        while (cu_is_word(f, *token) && k_next_macro(f, cu_text(f, *token), &m)) {
            uint32_t i = m.d->first + 3, names = i;
            if (cu_is(m.f, i, "(") && m.f->tokens.v[i].partner != NO_NODE &&
                m.f->tokens.v[i].start == m.f->tokens.v[i - 1].end)
                i = m.f->tokens.v[i].partner + 1;
            bool type = str_listed(cu_text(m.f, i), S("const constexpr auto static")) ||
                        k_is_type(f, cu_text(m.f, i), true) ||
                        rules_lists(f->rules, "cuda.scalar_types", cu_text(m.f, i)) ||
                        rules_lists(f->rules, "cuda.vector_types", cu_text(m.f, i));
            for (uint32_t n = names; n < i; n++) /* DECLARE(int, i, 0): t a = b */
                type |= cu_is_word(m.f, n) && str_eq(cu_text(m.f, n), cu_text(m.f, i)) &&
                        (cu_is_word(m.f, i + 1) || cu_is(m.f, i + 1, "*"));
            uint32_t last = m.d->last;
            bool whole = k->s.v[s].kind == K_EXPRESSION && last > i + 2;
            if (type && whole && !cu_is(m.f, i + 1, "(") && !cu_is(m.f, i + 1, "::")) return true;
        }
    }
    return false;
}

/* ---- one kernel ---- */

static void report(struct kernel *k, const char *strategy, const char *why, uint32_t place) {
    struct cu_kernel told = {
        .name = k->name, .strategy = strategy, .why = str_of(why ? why : ""), .place = place};
    k_explain(k, &told);
    vec_push(k->f->a, &k->f->kernels, told);
}

/* What is said of code that does not stand in a loop of its own: of a word, and of the function or
 * macro that holds it, if that is another one. */
static const char *reason(const struct kernel *k, uint32_t token, struct str word) {
    const struct cu *f = k->f;
    struct str name = cu_text(f, token);
    const char *what = "unknown callees are assumed to block";
    if (rules_lists(f->rules, "cuda.may_block", word)) what = "the call blocks";
    if (rules_lists(f->rules, "cuda.may_spin", word))
        what = "the kernel may spin on another thread's write";
    if (str_is(word, CU_THREAD_INDEX)) what = "the callee reads " CU_THREAD_INDEX;
    if (str_listed(word, S("for while do"))) what = "the loop may spin on another thread's write";
    if (str_is(word, "<<<")) what = "the kernel launches another one";
    if (!word.n || str_eq(name, word))
        return arena_printf(f->a, "`%.*s`: %s", STR_ARG(name), what).p;
    return arena_printf(f->a, "`%.*s`: `%.*s` inside: %s", STR_ARG(name), STR_ARG(word), what).p;
}

static void tell_spent(struct kernel *k) {
    if (!k_is_spent(k->f) || k->why) return;
    k->why = "the macros and functions of the kernel name more than can be followed";
    k->why_token = k->name;
}

static void write_columns(struct kernel *k) {
    struct k_edits edits = {0};
    if (k_write_columns(k, &edits)) k_merge_edits(k->f, &edits);
}

/* No barrier between its statements. */
static void whole(struct kernel *k, struct k_edits *edits) {
    uint32_t token = NO_NODE;
    struct str word;
    enum k_effect effect = k_effect_of(k, k->open, k->close, &token, &word);
    if (effect == K_MAY_BLOCK) {
        tell_spent(k);
        bool waits = k->fallback != NO_NODE;
        for (uint32_t i = k->open; i < k->close; i++)
            waits |= rules_lists(k->f->rules, "cuda.may_block", cu_text(k->f, i));
        if (k->fallback != NO_NODE)
            report(k, "fibers", k->fallback_why, k->fallback);
        else
            report(k, waits ? "fibers" : "thread loop, fibers if a callee blocks",
                   k->why ? k->why : reason(k, token, word), k->why ? k->why_token : token);
        return;
    }
    k->why = NULL;
    if (effect == K_READS_THREAD_ID ||
        hides_thread(k, &token)) { /* as it is: each thread sets threadIdx */
        report(k, "thread loop", NULL, NO_NODE);
        return;
    }
    k_own_parameters(k, true);
    if (k->why) {
        report(k, "thread loop, not vectorised", k->why, k->why_token);
        return;
    }
    write_columns(k);
    k_write_one_loop(k, edits);
    report(k, "thread loop", NULL, NO_NODE);
}

/* A variable that goes by two names: #define shown hidden, then `int shown;` and `hidden = 1`. */
static bool declares_macro(const struct kernel *k, uint32_t *token) {
    for (uint32_t v = 0; v < k->v.n; v++) {
        struct k_macro m = {0};
        while (k_next_macro(k->f, k->v.v[v].name, &m)) {
            uint32_t body = m.d->first + 3;
            *token = k->v.v[v].token;
            if (body < m.d->last && cu_is_word(m.f, body)) return true;
        }
    }
    return false;
}

/* Whether all of it can be read as it is. */
bool k_check_text(struct kernel *k) {
    tell_spent(k);
    bool good = !k->why && !has_hidden_return(k);
    uint32_t token;
    if (good && hides_thread(k, &token))
        good = k_fail(k, token,
                      "a class or a lambda in the kernel reads " CU_THREAD_INDEX " by itself");
    if (good && declares_by_macro(k, &token))
        good = k_fail(k, token, "a macro declares a variable of the kernel");
    if (good && declares_macro(k, &token))
        good = k_fail(k, token, "a macro stands for a variable of the kernel");
    return good;
}

/* Whether a barrier separates any of its statements. */
static bool find_barriers(struct kernel *k) {
#define FIND(pass)                                                                                \
    if (!pass(k)) return false;
#define SETTLE(pass)
#include "kernels/passes.def"
#undef FIND
#undef SETTLE
    return true;
}

/* Whether what is between the barriers can be written. */
static bool settle_regions(struct kernel *k) {
#define FIND(pass)
#define SETTLE(pass)                                                                              \
    if (!pass(k)) return false;
#include "kernels/passes.def"
#undef FIND
#undef SETTLE
    return true;
}

static bool split(struct kernel *k) {
    return find_barriers(k) && settle_regions(k) && k->fallback == NO_NODE;
}

/* False: it can't be cut like that, but perhaps where fewer variables have to be kept. */
static bool one_kernel(struct kernel *k, struct k_edits *edits) {
    if (!find_barriers(k)) {
        whole(k, edits);
        return true;
    }
    bool together = false;
    for (uint32_t s = 0; s < k->s.n; s++) together |= k->s.v[s].sums || k->s.v[s].block_stride;
    bool settled = settle_regions(k);
    if (settled) write_columns(k);
    if (!settled || !k_write_kernel(k, edits)) {
        for (size_t p = 0; p < k->regions.n; p++) together |= k->regions.v[p].bound != NO_NODE;
        if (together && !k->no_interchange) return false;
        report(k, "fibers", k->why, k->why_token);
        return true;
    }
    if (k->fallback == NO_NODE)
        report(k, "fission", NULL, NO_NODE);
    else
        report(k, "fission, fibers where a region blocks",
               k->fallback_why ? k->fallback_why : reason(k, k->fallback, k->fallback_word),
               k->fallback);
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
                         .split = split,
                         .name = params - 1,
                         .params_open = params,
                         .params_close = f->tokens.v[params].partner,
                         .open = at,
                         .close = f->tokens.v[at].partner,
                         .fallback = NO_NODE};
    for (uint32_t t = k->params_close; t < k->close; t++)
        if (cu_is_each_thread(f, t) || str_listed(cu_text(f, t), S("CM_BLOCK CM_LEAVING_BLOCK")))
            return false;
    return true;
}

static void split_all(struct cu *f) {
    struct k_edits edits = {0};
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD)) cu_read_included(f);
    k_write_values(f, &edits);
    k_merge_edits(f, &edits); /* so that what is written anew has them, too */
    edits.v.n = 0;
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct kernel k;
        bool own = !f->tokens.v[i].directive && cu_is(f, i, CU_KERNEL_WORD);
        if (!own || cu_region_at(f, f->tokens.v[i].start) || !find_kernel(f, i, &k)) continue;
        bool in_program = false;
        for (size_t n = 0; n < f->programs.n; n++)
            in_program |= f->tokens.v[i].start >= f->programs.v[n].start &&
                          f->tokens.v[i].start < f->programs.v[n].end;
        if (!in_program && !one_kernel(&k, &edits) && find_kernel(f, i, &k)) {
            k.no_interchange = true;
            one_kernel(&k, &edits);
        }
        if (!in_program) k_write_clock(&k, &edits);
        if (!in_program) k_write_module(&k, &edits);
        i = k.close;
    }
    k_write_block_variants(f, split, &edits);
    k_write_spins(f, &edits);
    k_merge_edits(f, &edits);
}

void kernels_split(struct cu *f) {
    struct target_ref own = f->target;
    struct str through = rs_str(own.set, own.target->through);
    if (through.n && !(own.kernels && rules_target(f->rules, through, &f->target))) return;
    if (target_loops(f->target)) split_all(f);
    f->target = own;
}
