/* regions.c - code that a vendor's #if keeps from the others.
 *
 * A condition is worked out twice in three-valued logic: once as the target's compiler sees it
 * (its own macros are set), once as NVIDIA's does. What only one of them compiles was written for
 * it and is left as it is. Macros of vendors are facts of the targets: "own_macros"; NVIDIA's are
 * those of every target's "nvidia_macros". */
#include "cuda/cu.h"

enum truth { NO, YES, MAYBE };

static enum truth not_(enum truth a) { return a == MAYBE ? MAYBE : a == YES ? NO : YES; }
static enum truth and_(enum truth a, enum truth b) {
    if (a == NO || b == NO) return NO;
    return a == YES && b == YES ? YES : MAYBE;
}
static enum truth or_(enum truth a, enum truth b) { return not_(and_(not_(a), not_(b))); }

static bool is_vendors(const struct cu *f, struct str macro) {
    for (size_t s = 0; s < f->rules->n; s++) {
        struct ruleset set = f->rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (size_t i = 0; i < set.h->targets.n; i++)
            if (str_listed(macro, target_fact((struct target_ref){.set = set, .target = &t[i]},
                                              "own_macros")))
                return true;
    }
    return false;
}

/* ---- conditions ---- */

struct condition {
    const struct cu *f;
    uint32_t i, end;
    bool nvidia;   /* as NVIDIA's compiler sees it */
    bool shared;   /* no branch is the target's own: it takes NVIDIA's */
    bool mentions; /* a vendor's macro */
    bool own;      /* the target's */
    int depth;
};

bool cu_says_nvidia(const struct cu *f, struct str macro) {
    return str_listed(macro, target_fact(f->target, "nvidia_macros"));
}

static enum truth macro_truth(struct condition *c, struct str name) {
    bool own = str_listed(name, target_fact(c->f->target, "own_macros"));
    /* set while device code is compiled, and unset for the host's part of the same file */
    if (str_listed(name, target_fact(c->f->target, "device_macros"))) {
        c->mentions = c->own = true;
        return c->nvidia ? NO : MAYBE;
    }
    if (cu_says_nvidia(c->f, name)) return c->nvidia ? YES : c->shared ? MAYBE : NO;
    if (!own && !is_vendors(c->f, name)) return MAYBE;
    c->mentions = true;
    c->own |= own;
    return own && !c->nvidia ? YES : NO;
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
        value = macro_truth(c, name);
        if (cu_is(c->f, c->i, "(") && c->f->tokens.v[c->i].partner != NO_NODE) {
            c->i = c->f->tokens.v[c->i].partner + 1;
            value = MAYBE;
        }
    } else {
        struct str text = cu_text(c->f, c->i++);
        value = str_is(text, "0") ? NO : str_is(text, "1") ? YES : MAYBE;
    }
    return skip_arithmetic(c) && value != NO ? MAYBE : value;
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

/* What a condition, or all of one conditional, asks about. */
struct asked {
    bool mentions, own;
};

static enum truth directive_truth(const struct cu *f, const struct cu_directive *d, bool nvidia,
                                  bool shared, struct asked *asked) {
    struct condition c = {
        .f = f, .i = d->first + 2, .end = d->last, .nvidia = nvidia, .shared = shared};
    struct str name = cu_text(f, d->first + 1);
    enum truth value;
    if (str_ends(name, S("def"))) {
        value = c.i < c.end ? macro_truth(&c, cu_text(f, c.i)) : MAYBE;
        if (str_ends(name, S("ndef"))) value = not_(value);
    } else {
        value = alternatives(&c);
    }
    asked->mentions |= c.mentions;
    asked->own |= c.own;
    return value;
}

/* What the conditional that begins with directive i asks about in all of its branches. */
static struct asked whole_conditional(const struct cu *f, size_t i) {
    struct asked asked = {0};
    uint32_t depth = 0;
    for (; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->in_string) continue;
        if (d->kind == CD_IF && depth++ > 0) continue;
        if (d->kind == CD_ENDIF && --depth == 0) break;
        bool asks = depth == 1 && (d->kind == CD_IF || d->kind == CD_ELIF);
        if (asks) directive_truth(f, d, false, false, &asked);
    }
    return asked;
}

/* ---- branches ---- */

struct conditional {
    enum truth target, nvidia; /* whether one of the branches so far was taken */
    struct asked asked;        /* by any of them */
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

void cu_find_regions(struct cu *f) {
    VEC(struct conditional) stack = {0};
    uint32_t inside = 0; /* conditionals inside a region are the region's */
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
            struct conditional made = {.target = NO, .nvidia = NO, whole_conditional(f, i), false};
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
