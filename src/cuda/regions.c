/* SPDX-License-Identifier: Apache-2.0 */
/* regions.c - code that a vendor's #if keeps from the others.
 *
 * A condition is worked out twice in three-valued logic: once as the target's compiler sees it
 * (its own macros are set), once as NVIDIA's does. What only one of them compiles was written for
 * it and is left as it is. Macros of vendors are facts of the targets: "own_macros"; NVIDIA's are
 * those of every target's "nvidia_macros". Where a project has macros that nobody knows, what the
 * branches hold tells: one that says the target's own names ("own_names") is the target's, and
 * those beside it are not. What a macro is defined as, on the command line or in the file, is not
 * asked. */
#include "cuda/cu.h"

enum truth { NO, YES, MAYBE };

static enum truth not_(enum truth a) { return a == MAYBE ? MAYBE : a == YES ? NO : YES; }
static enum truth and_(enum truth a, enum truth b) {
    if (a == NO || b == NO) return NO;
    return a == YES && b == YES ? YES : MAYBE;
}
static enum truth or_(enum truth a, enum truth b) { return not_(and_(not_(a), not_(b))); }

/* ---- conditions ---- */

/* What a condition, or all of one conditional, asks about. */
struct asked {
    bool mentions; /* a vendor's macro */
    bool own;      /* the target's, or a branch holds the target's names */
    uint64_t held; /* the branches that do, a bit for each */
};

/* The names, and the headers that it includes, that are the target's own, in order. */
static void find_own_names(struct cu *f) {
    struct str prefixes = target_fact(f->target, "own_names");
    bool begins[256] = {false}; /* by first byte: nearly no word does */
    for (size_t at = 0; at < prefixes.n; at++)
        if (at == 0 || prefixes.p[at - 1] == ' ') begins[(unsigned char)prefixes.p[at]] = true;
    for (uint32_t i = 0; prefixes.n && i < f->tokens.n; i++) {
        bool header = f->tokens.v[i].kind == CU_HEADER;
        if (!header && f->tokens.v[i].kind != CU_WORD) continue;
        struct str word = cu_text(f, i);
        word = str_sub(word, header, word.n);
        if (word.n && begins[(unsigned char)word.p[0]] && cu_is_own_name(prefixes, word))
            vec_push(f->a, &f->own_names, i);
    }
}

/* Whether [first, last) holds one of them. */
static bool holds_own_names(const struct cu *f, uint32_t first, uint32_t last) {
    size_t low = 0, high = f->own_names.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (f->own_names.v[mid] < first)
            low = mid + 1;
        else
            high = mid;
    }
    return low < f->own_names.n && f->own_names.v[low] < last;
}

/* Whether the file, which has code of the target's own, asks somewhere for the macro that is
 * called as this one with the target's word in NVIDIA's place: ACME_CUDA, ACME_HIP. */
static bool has_twin(const struct cu *f, struct str macro) {
    struct str words = target_fact(f->target, "own_words_of_macros");
    size_t cuda = str_find(macro, S("CUDA"), 0);
    if (!f->own_names.n || cuda == macro.n) return false;
    for (size_t at = 0, end; at < words.n; at = end + 1) {
        end = str_find(words, S(" "), at);
        struct str twin = arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(str_sub(macro, 0, cuda)),
                                       STR_ARG(str_sub(words, at, end)),
                                       STR_ARG(str_sub(macro, cuda + 4, macro.n)));
        for (size_t i = 0; i < f->directives.n; i++) {
            const struct cu_directive *d = &f->directives.v[i];
            if (d->kind != CD_IF && d->kind != CD_ELIF) continue;
            for (uint32_t t = d->first; t < d->last; t++)
                if (str_eq(cu_text(f, t), twin)) return true;
        }
    }
    return false;
}

struct condition {
    const struct cu *f;
    uint32_t i, end;
    bool nvidia; /* as NVIDIA's compiler sees it */
    bool shared; /* no branch is the target's own: it takes NVIDIA's */
    struct asked asked;
    int depth;
};

bool cu_says_nvidia(const struct cu *f, struct str macro) {
    return str_listed(macro, target_fact(f->target, "nvidia_macros"));
}

static enum truth macro_truth(struct condition *c, struct str name) {
    bool own = str_listed(name, target_fact(c->f->target, "own_macros"));
    /* set while device code is compiled, and unset for the host's part of the same file */
    if (str_listed(name, target_fact(c->f->target, "device_macros"))) {
        c->asked.mentions = c->asked.own = true;
        return c->nvidia ? NO : MAYBE;
    }
    if (str_listed(name, target_fact(c->f->target, "nvidia_device_macros")))
        return c->nvidia || c->shared ? MAYBE : NO;
    if (cu_says_nvidia(c->f, name)) {
        bool twin = has_twin(c->f, name);
        c->asked.mentions |= twin;
        c->asked.own |= twin;
        return c->nvidia ? YES : c->shared ? MAYBE : NO;
    }
    if (!own && !cu_is_vendors_macro(c->f->rules, name)) return MAYBE;
    c->asked.mentions = true;
    c->asked.own |= own;
    return own && !c->nvidia ? YES : NO;
}

/* `MACRO == 1`: what the comparison with a number behind a vendor's macro makes of its value. One
 * that is set is some number other than 0. */
static enum truth compared(const struct condition *c, enum truth value) {
    int64_t number, result;
    uint32_t tokens;
    if (c->i >= c->end || value == MAYBE) return value;
    enum cu_strength strength = cu_operator(c->f, c->i, c->end, &tokens);
    if (strength <= CU_AND) return value;
    bool compares = strength == CU_EQUALS || strength == CU_ORDERS;
    if (!compares || !cu_integer(cu_text(c->f, c->i + tokens), &number))
        return value == NO ? NO : MAYBE;
    if (value == YES && number > 1) return MAYBE; /* its version */
    struct str op = cu_span(c->f, c->i, c->i + tokens);
    return cu_compute(op, value == YES, number, &result) ? (result ? YES : NO) : MAYBE;
}

static enum truth alternatives(struct condition *c);

/* Past a comparison or arithmetic, which says nothing we know. */
static bool skip_arithmetic(struct condition *c) {
    bool any = false;
    while (c->i < c->end && !cu_is(c->f, c->i, "&&") && !cu_is(c->f, c->i, "||") &&
           !cu_is(c->f, c->i, ")") && !cu_is(c->f, c->i, "?")) {
        uint32_t partner = c->f->tokens.v[c->i].partner;
        struct str name = cu_text(c->f, c->i);
        if (cu_is_word(c->f, c->i)) macro_truth(c, name);
        c->i = cu_is(c->f, c->i, "(") && partner != NO_NODE ? partner + 1 : c->i + 1;
        any = true;
    }
    return any;
}

static enum truth primary(struct condition *c) {
    enum truth value = MAYBE;
    bool known = false; /* what follows is in the value already */
    if (c->i >= c->end || c->depth > 64) {
        c->i = c->end;
        return MAYBE;
    }
    if (cu_is(c->f, c->i, "!")) {
        c->i++;
        c->depth++;
        value = not_(primary(c));
        c->depth--;
        return value;
    }
    if (cu_is(c->f, c->i, "(")) {
        c->i++;
        c->depth++;
        value = alternatives(c);
        c->depth--;
        if (cu_is(c->f, c->i, ")")) c->i++;
    } else if (cu_is(c->f, c->i, "defined")) {
        bool parenthesized = cu_is(c->f, ++c->i, "(");
        c->i += parenthesized;
        if (c->i < c->end) value = macro_truth(c, cu_text(c->f, c->i++));
        if (parenthesized && cu_is(c->f, c->i, ")")) c->i++;
        return value;
    } else if (cu_is_word(c->f, c->i)) {
        struct str name = cu_text(c->f, c->i++);
        value = compared(c, macro_truth(c, name));
        known = true;
        if (cu_is(c->f, c->i, "(") && c->f->tokens.v[c->i].partner != NO_NODE) {
            c->i = c->f->tokens.v[c->i].partner + 1;
            value = MAYBE;
            known = false;
        }
    } else {
        struct str text = cu_text(c->f, c->i++);
        value = str_is(text, "0") ? NO : str_is(text, "1") ? YES : MAYBE;
    }
    return skip_arithmetic(c) && value != NO && !known ? MAYBE : value;
}

static enum truth conjunction(struct condition *c) {
    enum truth value = primary(c);
    while (c->i < c->end && cu_is(c->f, c->i, "&&")) {
        c->i++;
        value = and_(value, primary(c));
    }
    return value;
}

static enum truth alternatives(struct condition *c) {
    enum truth value = conjunction(c);
    while (c->i < c->end && cu_is(c->f, c->i, "||")) {
        c->i++;
        value = or_(value, conjunction(c));
    }
    return cu_is(c->f, c->i, "?") ? MAYBE : value;
}

/* `#ifndef X` before `#define X`, whatever X is; one that asks for more is a condition. */
static bool is_guard_alone(const struct cu *f, const struct cu_directive *d) {
    size_t words = 0;
    for (uint32_t t = d->first + 2; t < d->last; t++)
        words += cu_is_word(f, t) && !cu_is(f, t, "defined");
    return words == 1 && cu_is_guard(f, d);
}

static enum truth directive_truth(const struct cu *f, const struct cu_directive *d, bool nvidia,
                                  bool shared, struct asked *asked) {
    struct condition c = {
        .f = f, .i = d->first + 2, .end = d->last, .nvidia = nvidia, .shared = shared};
    struct str name = cu_text(f, d->first + 1);
    enum truth value;
    if (is_guard_alone(f, d)) return MAYBE;
    if (str_ends(name, S("def"))) {
        value = c.i < c.end ? macro_truth(&c, cu_text(f, c.i)) : MAYBE;
        if (str_ends(name, S("ndef"))) value = not_(value);
    } else {
        value = alternatives(&c);
    }
    asked->mentions |= c.asked.mentions;
    asked->own |= c.asked.own;
    return value;
}

/* What the conditional that begins with directive i asks about in all of its branches. */
static struct asked whole_conditional(const struct cu *f, size_t i) {
    struct asked asked = {0};
    uint32_t depth = 0, branches = 0;
    for (; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i], *next = d + 1;
        if (d->in_string) continue;
        if (d->kind == CD_IF) depth++;
        if (d->kind == CD_ENDIF && --depth == 0) break;
        if (depth != 1 && d->kind != CD_IF && d->kind != CD_ENDIF) continue;
        bool condition = d->kind >= CD_IF;
        if (depth == 1 && condition && d->kind != CD_ENDIF) branches++;
        if (depth == 1 && (d->kind == CD_IF || d->kind == CD_ELIF))
            directive_truth(f, d, false, false, &asked);
        if (depth != 1 || branches > 64) continue;
        bool is_last = i + 1 == f->directives.n || next->in_string;
        if (holds_own_names(f, condition ? d->last : d->first,
                            is_last ? (uint32_t)f->tokens.n : next->first))
            asked.held |= (uint64_t)1 << (branches - 1);
    }
    if (branches < 2) asked.held = 0; /* nothing stands beside it */
    asked.own |= asked.held != 0;
    asked.mentions |= asked.held != 0;
    return asked;
}

/* ---- branches ---- */

struct conditional {
    enum truth target, nvidia; /* whether one of the branches so far was taken */
    struct asked asked;        /* by any of them */
    uint32_t branch;           /* how many came before the one that is being read */
    bool open;                 /* a region began with the branch that is being read */
};

static void begin_branch(struct cu *f, struct conditional *c, const struct cu_directive *d,
                         enum truth target, enum truth nvidia) {
    enum truth here = and_(not_(c->target), target), there = and_(not_(c->nvidia), nvidia);
    c->target = or_(c->target, target);
    c->nvidia = or_(c->nvidia, nvidia);
    c->open = false;
    if (!c->asked.mentions || (here != NO && there != NO)) return;
    struct cu_region r = {d->line_end, (uint32_t)f->src.n,
                          there != NO  ? CR_NVIDIA
                          : here != NO ? CR_OWN
                                       : CR_OTHER_VENDOR};
    vec_push(f->a, &f->regions, r);
    c->open = true;
}

/* Where some branches hold the target's own names, those are the target's, and of the others only
 * what a condition says is. */
static void judge_by_names(struct conditional *c, bool is_else, enum truth *target,
                           enum truth *nvidia) {
    uint32_t branch = c->branch++;
    if (!c->asked.held || branch >= 64) return;
    if (c->asked.held >> branch & 1)
        *nvidia = *target == NO ? *nvidia : NO;
    else if (is_else || *target == MAYBE)
        *target = NO;
}

void cu_find_regions(struct cu *f) {
    VEC(struct conditional) stack = {0};
    uint32_t inside = 0; /* conditionals inside a region are the region's */
    find_own_names(f);
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->in_string) continue;
        struct conditional *c = stack.n ? &stack.v[stack.n - 1] : NULL;
        bool within = c && c->open;
        if (inside ? d->kind == CD_IF : within && d->kind == CD_IF) {
            inside++;
            continue;
        }
        if (inside) {
            inside -= d->kind == CD_ENDIF;
            continue;
        }
        if (d->kind < CD_IF || (d->kind != CD_IF && !c)) continue;
        if (within) f->regions.v[f->regions.n - 1].end = f->tokens.v[d->first].start;
        if (d->kind == CD_ENDIF) {
            stack.n--;
            continue;
        }
        if (d->kind == CD_IF) {
            struct conditional made = {
                .target = NO, .nvidia = NO, .asked = whole_conditional(f, i)};
            vec_push(f->a, &stack, made);
            c = &stack.v[stack.n - 1];
        }
        struct asked here = {0};
        enum truth target = YES, nvidia = YES;
        if (d->kind != CD_ELSE) {
            bool shared = !c->asked.own;
            target = directive_truth(f, d, false, shared, &here);
            nvidia = directive_truth(f, d, true, shared, &here);
        }
        judge_by_names(c, d->kind == CD_ELSE, &target, &nvidia);
        bool others =
            d->kind != CD_ELSE && c->asked.own &&
            (target == NO || (d->kind == CD_ELIF && c->target == YES)); /* compilers' alone */
        if (here.mentions || others) { /* the condition itself knows of the vendors, too */
            struct cu_region r = {f->tokens.v[d->first].start, d->line_end,
                                  !here.mentions  ? CR_NVIDIA
                                  : !c->asked.own ? CR_SHARED
                                                  : CR_OWN};
            vec_push(f->a, &f->regions, r);
        }
        begin_branch(f, c, d, target, nvidia);
    }
}

const struct cu_region *cu_region_at(const struct cu *f, uint32_t byte) {
    size_t low = 0, high = f->regions.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (f->regions.v[mid].end <= byte)
            low = mid + 1;
        else
            high = mid;
    }
    return low < f->regions.n && f->regions.v[low].start <= byte ? &f->regions.v[low] : NULL;
}
