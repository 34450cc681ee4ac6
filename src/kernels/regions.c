/* SPDX-License-Identifier: Apache-2.0 */
/* regions.c - which statement runs once for the block, which in a loop over the threads, and the
 * parallel regions that barriers part (pocl: Jaaskelainen and others, 2015).
 *
 * Each statement has a role. Uniform control flow with barriers in it runs once per block,
 * divergent one under predicates; roles and the uniformity of values depend on each other, so that
 * both are settled together, downwards only. What stands between two barriers is joined into a
 * region. */
#include "kernels/kernel.h"

enum { MOST_OWN = 46 }; /* names that a region can have beside threadIdx: cpu/split.hpp */

static bool is_compound(const struct k_statement *s) {
    return s->kind == K_IF || s->kind == K_FOR || s->kind == K_WHILE || s->kind == K_DO ||
           s->kind == K_BLOCK;
}

static bool is_loop(const struct k_statement *s) {
    return s->kind == K_FOR || s->kind == K_WHILE || s->kind == K_DO;
}

/* ---- barriers ---- */

static bool is_group(const struct kernel *k, uint32_t token) {
    uint32_t n = k_variable_at(k, token);
    return n != NO_NODE && k->v.v[n].group;
}

static bool is_barrier(const struct kernel *k, const struct k_statement *s) {
    const struct cu *f = k->f;
    uint32_t i = s->start, end = s->last - 1; /* the ; */
    if (s->kind != K_EXPRESSION || end < i + 3 || !cu_is(f, end - 1, ")")) return false;
    if (k_assembly_at(f, i) == K_ASSEMBLY_BARRIER) return true;
    if (rules_lists(f->rules, "cuda.barriers", cu_text(f, i)))
        return cu_is(f, i + 1, "(") && f->tokens.v[i + 1].partner == end - 1;
    if (cu_is(f, i + 1, ".") && cu_is(f, i + 2, "sync") && end == i + 5) return is_group(k, i);
    while (cu_is(f, i + 1, "::")) i += 2;
    if (cu_is(f, i, "sync") && end == i + 4) return is_group(k, i + 2);
    return cu_is(f, i, CU_BLOCK_GROUP) && end == i + 7 && cu_is(f, i + 4, "sync");
}

/* ---- uniform control flow: what runs at block level ---- */

static void thread_level(struct kernel *k, uint32_t s) {
    for (uint32_t n = 0; n < k->s.n; n++)
        for (uint32_t p = n; p != NO_NODE; p = k->s.v[p].parent)
            if (p == s) {
                k->s.v[n].role = K_IN_REGION;
                break;
            }
}

/* A statement that wants everything around it at the block's level, up to `top`. */
static void raise_control(struct kernel *k, uint32_t s, uint32_t top) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent) {
        if (!is_compound(&k->s.v[p])) {
            thread_level(k, p);
            return;
        }
        k->s.v[p].role = K_CONTROL;
        if (p == top) return;
    }
}

static bool control_up_to(const struct kernel *k, uint32_t s, uint32_t top) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent) {
        if (k->s.v[p].role != K_CONTROL) return false;
        if (p == top) return true;
    }
    return top == NO_NODE;
}

/* Whether all around a statement are blocks and branches, once with `raise`: at the block's level.
 */
static bool around_is_branches(struct kernel *k, uint32_t s, bool raise) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent) {
        if (k->s.v[p].role == K_CONTROL) continue;
        if (k->s.v[p].kind != K_BLOCK && (k->s.v[p].kind != K_IF || k->s.v[p].other != NO_NODE))
            return false;
        if (raise) k->s.v[p].role = K_CONTROL;
    }
    return true;
}

static bool has_barrier(const struct kernel *k) {
    for (uint32_t s = 0; s < k->s.n; s++)
        if (k->s.v[s].barrier || k_operand_of(k, s) != NO_NODE) return true;
    return false;
}

/* Loops without barriers that threads had better go through together. */
static void raise_reductions(struct kernel *k) {
    bool alone = !k->function && !has_barrier(k);
    for (uint32_t s = 1; s < k->s.n && !k->no_interchange; s++) {
        struct k_statement *x = &k->s.v[s];
        if (x->role == K_CONTROL) continue;
        if (alone ? !around_is_branches(k, s, false) : !control_up_to(k, s, NO_NODE)) continue;
        x->sums = k_is_reduction(k, s, alone, &x->in_memory);
        if (!x->sums) continue;
        if (alone) around_is_branches(k, s, true);
        x->role = K_CONTROL;
        if (k->s.v[x->child].kind == K_BLOCK) k->s.v[x->child].role = K_CONTROL;
    }
}

static void begin_roles(struct kernel *k) {
    k->s.v[0].role = K_CONTROL;
    for (uint32_t s = 0; s < k->s.n; s++)
        if ((k->s.v[s].barrier = is_barrier(k, &k->s.v[s])) || k_operand_of(k, s) != NO_NODE) {
            if (is_compound(&k->s.v[s])) k->s.v[s].role = K_CONTROL; /* in its condition */
            raise_control(k, s, NO_NODE);
        }
    for (uint32_t s = 0; s < k->s.n; s++) {
        bool jump = k->s.v[s].kind == K_BREAK || k->s.v[s].kind == K_CONTINUE;
        uint32_t loop = jump ? k_loop_of(k, s) : NO_NODE;
        if (loop != NO_NODE && k->s.v[loop].role == K_CONTROL) raise_control(k, s, loop);
        uint32_t parent = k->s.v[s].parent;
        if (!k_is_exit(k, s) || k->returns || k->s.v[parent].role != K_CONTROL) continue;
        k->s.v[s].role = K_CONTROL;
        if (k->s.v[k->s.v[s].child].kind == K_BLOCK) k->s.v[k->s.v[s].child].role = K_CONTROL;
    }
    raise_reductions(k);
}

static void begin_classes(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++) {
        struct k_variable *v = &k->v.v[n];
        if (v->class == K_SHARED) continue;
        v->class = v->statement != NO_NODE ? K_LOCAL : k->function ? K_CONTEXT : K_UNIFORM;
    }
}

/* Whether a statement at block level may stay there. */
static bool may_stay(struct kernel *k, uint32_t s, uint32_t *token) {
    const struct k_statement *x = &k->s.v[s];
    if (x->predicated) return true;
    if (x->sums && !k_reads_in_step(k, s)) return false;
    if (x->in_memory && !k_sums_side_by_side(k, s)) return false;
    bool masked = k_predicate_around(k, s) != NO_NODE;
    if (x->sums && masked && has_barrier(k)) return false;
    if (x->kind != K_BLOCK && !k_is_uniform(k, x->open + 1, x->close, token)) return false;
    for (uint32_t n = 0; is_loop(x) && n < k->s.n; n++) {
        bool jump = k->s.v[n].kind == K_BREAK || k->s.v[n].kind == K_CONTINUE;
        if (!jump || k_loop_of(k, n) != s) continue;
        uint32_t around = k_predicate_around(k, n);
        bool same = around == NO_NODE || around == k_predicate_around(k, s);
        if (control_up_to(k, n, s) && same) continue;
        *token = k->s.v[n].start;
        return false;
    }
    return true;
}

/* What threads go through together in a kernel without barriers. */
static bool is_stepped(const struct kernel *k, uint32_t s) {
    const struct k_statement *x = &k->s.v[s];
    return x->sums && x->role == K_CONTROL && !has_barrier(k);
}

static bool holds_barrier(const struct kernel *k, uint32_t s) {
    for (uint32_t n = s; n < k->s.n; n++)
        if ((k->s.v[n].barrier || k_operand_of(k, n) != NO_NODE || is_stepped(k, n)) &&
            k->s.v[n].first >= k->s.v[s].first && k->s.v[n].last <= k->s.v[s].last)
            return true;
    return false;
}

/* Constants of the kernel that types of its variables are made with, or functions that it calls.
 */
static void settle_types(struct kernel *k) {
    uint8_t *before = arena_alloc(k->f->a, k->v.n + 1);
    for (size_t u = 0; u < k->uses.n; u++) {
        uint32_t i = k->uses.v[u].token, token;
        bool needed = k_is_template_argument(k, i);
        for (uint32_t n = 0; n < k->v.n && !needed; n++) {
            const struct k_variable *v = &k->v.v[n];
            needed = (i >= v->array_first && i < v->array_last) ||
                     (i >= v->type_first && i < v->type_last);
        }
        for (uint32_t n = 0; n < k->v.n; n++) before[n] = k->v.v[n].class;
        if (!needed || k_is_uniform(k, i, i + 1, &token)) continue;
        for (uint32_t n = 0; n < k->v.n; n++) k->v.v[n].class = before[n];
    }
}

/* The variable of the block that a statement changes, or NO_NODE. */
static uint32_t changed_by(const struct kernel *k, uint32_t s) {
    uint32_t i = k->s.v[s].start;
    if (k->s.v[s].kind != K_EXPRESSION) return NO_NODE;
    if (cu_is(k->f, i, "++") || cu_is(k->f, i, "--")) i++;
    uint32_t n = k_variable_at(k, i);
    bool block = n != NO_NODE && k->v.v[n].class == K_UNIFORM && k_writes(k, i, &k->v.v[n]);
    return block ? n : NO_NODE;
}

/* Whether no region goes on from before a statement to behind it. */
static bool is_at_edge(const struct kernel *k, uint32_t s) {
    for (int forward = 0; forward < 2; forward++) {
        uint32_t at = s;
        do {
            uint32_t next = forward ? k->s.v[at].next : NO_NODE;
            for (uint32_t n = k->s.v[s].parent; !forward && n < at; n++)
                if (k->s.v[n].next == at) next = n;
            at = next;
        } while (at != NO_NODE && changed_by(k, at) != NO_NODE);
        if (at == NO_NODE || k->s.v[at].barrier || k->s.v[at].role == K_CONTROL) return true;
    }
    return false;
}

/* Variables that the block changes for all threads alike, `from = 1 - from` between two barriers:
 * they need no place for each thread. But no region is cut in two for that. */
static bool settle_one(struct kernel *k, uint32_t n) {
    const struct k_variable *v = &k->v.v[n];
    uint32_t token;
    if (v->statement == NO_NODE || v->class != K_LOCAL || !v->changed) return false;
    uint8_t *before = arena_alloc(k->f->a, k->v.n + 1);
    for (uint32_t m = 0; m < k->v.n; m++) before[m] = k->v.v[m].class;
    bool uniform = k_is_uniform(k, v->token, v->token + 1, &token);
    for (uint32_t s = 1; s < k->s.n && uniform; s++) {
        uint32_t m = changed_by(k, s);
        uniform = m == NO_NODE || before[m] == K_UNIFORM || is_at_edge(k, s);
    }
    for (uint32_t m = 0; m < k->v.n && !uniform; m++) k->v.v[m].class = before[m];
    return uniform;
}
static void settle_changed(struct kernel *k) {
    for (bool again = has_barrier(k); again;) {
        again = false;
        for (uint32_t n = 0; n < k->v.n; n++) again |= settle_one(k, n);
    }
}

/* From the outside in, until nothing changes: control flow with a barrier may stay (its condition
 * is uniform, it runs once for the block), is predicated, or belongs to its threads, which then
 * become fibers. */
static void settle_roles(struct kernel *k) {
    for (bool again = true; again;) {
        again = false;
        begin_classes(k);
        settle_types(k);
        for (uint32_t s = 1; s < k->s.n && !again; s++) {
            uint32_t token = k->s.v[s].start;
            if (k->s.v[s].role != K_CONTROL) continue;
            bool inside = k->s.v[k->s.v[s].parent].role == K_CONTROL;
            bool idle = k->s.v[s].predicated && !holds_barrier(k, s); /* its loop does not step */
            if (inside && !idle && may_stay(k, s, &token)) continue;
            k->s.v[s].predicated = false;
            const char *why = NULL;
            again = true;
            bool steps = k->s.v[s].kind == K_IF || has_barrier(k); /* else it stays one loop */
            if (inside && steps && holds_barrier(k, s) && k_may_predicate(k, s, &why)) {
                k->s.v[s].predicated = true;
                continue;
            }
            if (inside && k->fallback == NO_NODE && why)
                k->fallback = token, k->fallback_why = why;
            thread_level(k, s);
        }
    }
    settle_changed(k);
    for (uint32_t s = 1; s < k->s.n && !k->no_interchange; s++)
        if (control_up_to(k, s, NO_NODE) && k_predicate_around(k, s) == NO_NODE)
            k->s.v[s].block_stride = k_is_block_stride(k, s);
}

/* ---- roles of the statements between ---- */

static bool all_of_class(const struct kernel *k, uint32_t s, enum k_class class, bool *any) {
    bool all = true;
    *any = false;
    for (uint32_t n = 0; n < k->v.n; n++)
        if (k->v.v[n].statement == s) {
            all &= k->v.v[n].class == class;
            *any |= k->v.v[n].class == class;
        }
    return all;
}

/* Whether a barrier has it as an argument: __syncwarp(mask) stands in no region. */
static bool is_waited_with(const struct kernel *k, uint32_t variable) {
    for (size_t u = 0; u < k->uses.n; u++)
        for (uint32_t s = 0; k->uses.v[u].variable == variable && s < k->s.n; s++)
            if (k->s.v[s].barrier && k->uses.v[u].token >= k->s.v[s].first &&
                k->uses.v[u].token < k->s.v[s].last)
                return !k->v.v[variable].group;
    return false;
}

static void declaration_role(struct kernel *k, uint32_t s) {
    struct k_statement *x = &k->s.v[s];
    bool all = true, group = true, any;
    for (uint32_t n = 0; n < k->v.n; n++) {
        struct k_variable *v = &k->v.v[n];
        if (v->statement != s) continue;
        group &= v->group;
        if (v->class == K_UNIFORM) continue;
        all = all && v->class != K_SHARED && k_is_rematerialisable(k, v) && !is_waited_with(k, n);
        if (all) v->class = K_REMATERIALISED; /* for those behind it */
    }
    for (uint32_t n = 0; !all && n < k->v.n; n++)
        if (k->v.v[n].statement == s && k->v.v[n].class == K_REMATERIALISED)
            k->v.v[n].class = K_LOCAL;
    x->role = all ? K_REPEATED : K_IN_REGION;
    if (all && group) x->role = K_ONCE;
    bool is_static = false;
    for (uint32_t i = x->start; i < x->last; i++)
        is_static |= cu_is(k->f, i, "constexpr") || cu_is(k->f, i, "static");
    if (is_static || all_of_class(k, s, K_SHARED, &any)) x->role = K_ONCE;
    if (all_of_class(k, s, K_UNIFORM, &any))
        x->role = K_ONCE;
    else if (any)
        x->mixed = true;
    if (x->mixed && is_static)
        k_fail(k, x->start, "a declaration mixes what threads share with what they don't");
}

/* Whether only some threads come to a jump, or their loop is one that others stay in. */
static bool jumps_alone(const struct kernel *k, uint32_t s) {
    uint32_t around = k_predicate_around(k, s);
    if (k->s.v[s].kind == K_RETURN) return around != NO_NODE;
    uint32_t loop = k_loop_of(k, s);
    return loop != NO_NODE && (k->s.v[loop].predicated || around != k_predicate_around(k, loop));
}

static void statement_role(struct kernel *k, uint32_t s) {
    struct k_statement *x = &k->s.v[s];
    if (x->role == K_CONTROL) return;
    bool jump = x->kind == K_RETURN || x->kind == K_BREAK || x->kind == K_CONTINUE;
    uint32_t operand = k_operand_of(k, s);
    if (x->barrier || (operand != NO_NODE && k->operands.v[operand].alone)) {
        x->role = K_AT_BARRIER;
    } else if (jump && (jumps_alone(k, s) || (x->kind == K_RETURN && k->returns))) {
        x->role = K_IN_REGION;
    } else if (x->kind == K_DECLARATION) {
        declaration_role(k, s);
    } else if (x->kind == K_TYPE || x->kind == K_RETURN || x->kind == K_BREAK ||
               x->kind == K_CONTINUE || x->kind == K_EMPTY || x->kind == K_DIRECTIVE) {
        x->role = K_ONCE;
    } else if (changed_by(k, s) != NO_NODE) {
        x->role = K_ONCE;
    }
}

/* ---- parallel regions ---- */

static void close_region(struct kernel *k, struct k_region *open) {
    if (open->first != NO_NODE) {
        open->from = k->s.v[open->first].first;
        open->to = k->s.v[open->last].last;
        vec_push(k->f->a, &k->regions, *open);
    }
    *open = (struct k_region){.first = NO_NODE, .operand = NO_NODE, .head = NO_NODE};
}

/* An expression of a predicated statement's head. */
static void head_region(struct kernel *k, uint32_t s, enum k_head_part_kind part) {
    struct k_region p = {.first = NO_NODE, .last = NO_NODE, .operand = NO_NODE, .head = s};
    k_head_part(k, s, part, &p.from, &p.to);
    if (p.from < p.to) vec_push(k->f->a, &k->regions, p);
}

/* A statement with operations of the warp: its operands are regions of their own before it. */
static void operand_regions(struct kernel *k, uint32_t s) {
    for (uint32_t n = 0; n < k->operands.n; n++) {
        if (k->operands.v[n].statement != s) continue;
        struct k_region p = {.first = NO_NODE,
                             .last = NO_NODE,
                             .from = k->operands.v[n].value_first,
                             .to = k->operands.v[n].value_last,
                             .operand = n,
                             .head = NO_NODE};
        vec_push(k->f->a, &k->regions, p);
    }
}

/* Whether a statement that is for the first threads of each row alone can be a region of its own,
 * whose loop goes over those, and keeps nothing from the one before. */
static bool parts_region(const struct kernel *k, uint32_t s) {
    uint32_t bound;
    if (k->no_interchange || !k_is_for_first(k, s, &bound)) return false;
    for (size_t u = 0; u < k->uses.n; u++) {
        uint32_t i = k->uses.v[u].token;
        const struct k_variable *v = &k->v.v[k->uses.v[u].variable];
        bool inside = v->token >= k->s.v[s].first && v->token < k->s.v[s].last;
        if (i < k->s.v[s].first || i >= k->s.v[s].last || inside) continue;
        if (v->class != K_UNIFORM && v->class != K_SHARED && v->class != K_REMATERIALISED)
            return false;
    }
    for (size_t u = 0; u < k->hidden.n; u++)
        if (k->hidden.v[u].token >= k->s.v[s].first && k->hidden.v[u].token < k->s.v[s].last)
            return false;
    for (uint32_t n = s + 1; n < k->s.n && k->s.v[n].last <= k->s.v[s].last; n++)
        if (k->s.v[n].kind != K_BLOCK && k->s.v[n].kind != K_DECLARATION &&
            k->s.v[n].kind != K_EXPRESSION)
            return false;
    return true;
}

static void walk(struct kernel *k, uint32_t first) {
    struct k_region open = {.first = NO_NODE, .operand = NO_NODE, .head = NO_NODE};
    uint32_t waiting = NO_NODE; /* repeated declarations that are a region's if it goes on */
    for (uint32_t s = first; s != NO_NODE; s = k->s.v[s].next) {
        statement_role(k, s);
        struct k_statement *x = &k->s.v[s];
        bool operands = k_operand_of(k, s) != NO_NODE && !is_compound(x);
        if (operands && (x->role == K_IN_REGION || x->role == K_AT_BARRIER)) {
            close_region(k, &open);
            operand_regions(k, s);
            waiting = NO_NODE;
        }
        if (x->kind == K_EMPTY && open.first != NO_NODE) x->role = K_IN_REGION;
        if (x->mixed) { /* begins a region: what threads share of it stands before that */
            close_region(k, &open);
            waiting = NO_NODE;
            if (x->role == K_REPEATED) continue;
        }
        if (x->role == K_IN_REGION && (x->block_stride || parts_region(k, s))) {
            close_region(k, &open);
            waiting = NO_NODE;
            open.first = open.last = s;
            close_region(k, &open);
            continue;
        }
        if (x->role == K_REPEATED) {
            if (waiting == NO_NODE) waiting = s;
            continue;
        }
        if (x->role == K_IN_REGION) {
            if (open.first == NO_NODE) open.first = waiting != NO_NODE ? waiting : s;
            for (uint32_t w = waiting; w != NO_NODE && w != s; w = k->s.v[w].next)
                k->s.v[w].role = K_IN_REGION;
            x->role = K_IN_REGION;
            waiting = NO_NODE;
            open.last = s;
            continue;
        }
        close_region(k, &open);
        waiting = NO_NODE;
        if (x->role != K_CONTROL) continue;
        bool predicated = x->predicated, loop = is_loop(x);
        uint32_t branches[] = {x->child, loop ? NO_NODE : x->other};
        for (size_t n = 0; n < ARRAY_LEN(branches); n++) /* one without a barrier, too */
            if (branches[n] != NO_NODE && k->s.v[branches[n]].kind == K_BLOCK &&
                x->kind != K_BLOCK)
                k->s.v[branches[n]].role = K_CONTROL;
        if (predicated && loop) head_region(k, s, K_HEAD_INIT);
        if (predicated) operand_regions(k, s);
        if (predicated) head_region(k, s, K_HEAD_CONDITION);
        walk(k, k->s.v[s].child);
        if (predicated && loop) head_region(k, s, K_HEAD_STEP);
        if (!loop && k->s.v[s].other != NO_NODE) walk(k, k->s.v[s].other);
    }
    close_region(k, &open);
}

bool k_find_roles(struct kernel *k) {
    begin_roles(k);
    settle_roles(k);
    k_own_parameters(k, false);
    return true;
}

static bool is_cut(const struct kernel *k) {
    for (uint32_t s = 0; s < k->s.n; s++)
        if (k->s.v[s].role == K_AT_BARRIER || is_stepped(k, s)) return true;
    for (uint32_t p = 0; p < k->regions.n; p++)
        if (k->regions.v[p].operand != NO_NODE) return true;
    return false;
}

bool k_find_regions(struct kernel *k) {
    walk(k, k->s.v[0].child);
    return is_cut(k);
}

/* ---- what regions do ---- */

static bool in_control_loop(const struct kernel *k, uint32_t s) {
    for (uint32_t p = k->s.v[s].parent; p != NO_NODE; p = k->s.v[p].parent)
        if (is_loop(&k->s.v[p])) return true;
    return false;
}

static void look_at_region(struct kernel *k, uint32_t p) {
    struct k_region *region = &k->regions.v[p];
    uint32_t first = region->from, last = region->to, token;
    struct str word;
    region->effect = (uint8_t)k_effect_of(k, first, last, &token, &word);
    if (region->effect == K_MAY_BLOCK && k->fallback == NO_NODE)
        k->fallback = token, k->fallback_word = word;
    const struct k_operand *o =
        region->operand != NO_NODE ? &k->operands.v[region->operand] : NULL;
    if (region->effect == K_MAY_BLOCK && o && o->variable == NO_NODE && !o->vote)
        k_fail(k, token, "an operand of the collective may block");
    bool final = region->operand != NO_NODE || region->head != NO_NODE ||
                 (p + 1 == k->regions.n && !in_control_loop(k, region->first));
    for (uint32_t i = first; i < last && !final; i++) {
        uint32_t lambda = k_lambda_length(k->f, i);
        i += lambda ? lambda - 1 : 0;
        region->returns_early |= cu_is(k->f, i, "return");
    }
    k->returns_early |= region->returns_early;
    region->bound = NO_NODE;
    if (region->first != NO_NODE && region->effect == K_NONBLOCKING)
        region->bound = k_bound_of(k, region->first, region->last, &region->bound_leaves);
    uint32_t own = 4; /* masks */
    for (uint32_t n = 0; n < k->v.n; n++)
        own += k->v.v[n].class == K_CONTEXT && k_region_uses(k, p, n);
    for (uint32_t n = 0; n < k->operands.n; n++)
        own += k->operands.v[n].word >= first && k->operands.v[n].word < last;
    if (own > MOST_OWN) k_fail(k, k->open, "too many variables live across the barriers");
}

bool k_settle_regions(struct kernel *k) {
    for (uint32_t p = 0; !k->why && p < k->regions.n; p++) look_at_region(k, p);
    return !k->why;
}
