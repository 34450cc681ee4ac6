/* SPDX-License-Identifier: Apache-2.0 */
/* reductions.c - warp reductions with a hard-coded 16 or 32: shuffles whose distance begins or
 * ends at half of 32, and trees in shared memory that nothing but the width of a warp keeps in
 * order. Loops are followed by their counter alone, unrolled series by neighbours in the text. */
#include "lanes/lanes.h"

/* ---- loops ---- */

struct loop {
    uint32_t word;        /* for, while, do */
    uint32_t open, close; /* of its head */
    uint32_t first, last; /* of all of it */
};

struct loops {
    VEC(struct loop) v;
};

/* Behind the statement that starts at token i. */
static uint32_t statement_end(const struct cu *f, uint32_t i, uint32_t end, int depth) {
    static const char *const heads[] = {"for", "while", "if", "switch"};
    enum { DEEP = 40 };
    uint32_t directive = i < end ? f->tokens.v[i].directive : 0;
    if (cu_is(f, i, "{"))
        return f->tokens.v[i].partner == NO_NODE ? end : f->tokens.v[i].partner + 1;
    for (size_t k = 0; depth < DEEP && k < ARRAY_LEN(heads); k++) {
        if (!cu_is(f, i, heads[k]) || !cu_is(f, i + 1, "(")) continue;
        uint32_t close = f->tokens.v[i + 1].partner;
        if (close == NO_NODE) return end;
        uint32_t last = statement_end(f, close + 1, end, depth + 1);
        return cu_is(f, last, "else") ? statement_end(f, last + 1, end, depth + 1) : last;
    }
    for (; i < end; i++) {
        if (f->tokens.v[i].directive != directive || cu_is(f, i, "}")) return i;
        if (cu_is(f, i, ";")) return i + 1;
        uint32_t partner = f->tokens.v[i].partner;
        if (partner != NO_NODE && partner > i) i = partner;
    }
    return end;
}

uint32_t lanes_statement_end(const struct cu *f, uint32_t i, uint32_t end) {
    return statement_end(f, i, end, 0);
}

static void find_loops(struct lanes *l, struct loops *out) {
    const struct cu *f = l->f;
    uint32_t n = (uint32_t)f->tokens.n;
    for (uint32_t i = 0; i + 1 < n; i++) {
        bool head = cu_is(f, i, "for") || cu_is(f, i, "while");
        if (head && cu_is(f, i + 1, "(") && f->tokens.v[i + 1].partner != NO_NODE) {
            struct loop p = {i, i + 1, f->tokens.v[i + 1].partner, i, 0};
            p.last = statement_end(f, p.close + 1, n, 0);
            vec_push(f->a, &out->v, p);
        } else if (cu_is(f, i, "do") && cu_is(f, i + 1, "{")) {
            uint32_t close = f->tokens.v[i + 1].partner;
            if (close == NO_NODE || !cu_is(f, close + 1, "while") || !cu_is(f, close + 2, "("))
                continue;
            if (f->tokens.v[close + 2].partner == NO_NODE) continue;
            struct loop p = {i, close + 2, f->tokens.v[close + 2].partner, i, 0};
            p.last = p.close + 1;
            vec_push(f->a, &out->v, p);
        }
    }
}

/* How a loop changes a variable. */
enum change { CH_NONE, CH_HALVES, CH_DOUBLES, CH_UP, CH_DOWN };

static bool is_number(const struct cu *f, uint32_t i, int64_t value) {
    int64_t n;
    return i < f->tokens.n && f->tokens.v[i].kind == CU_NUMBER && cu_integer(cu_text(f, i), &n) &&
           n == value;
}

static enum change change_at(const struct cu *f, uint32_t i) {
    uint32_t next = i + 1;
    if (cu_is(f, i - 1, "++") || cu_is(f, next, "++")) return CH_UP;
    if (cu_is(f, i - 1, "--") || cu_is(f, next, "--")) return CH_DOWN;
    if (cu_is(f, next, "=") && str_eq(cu_text(f, i + 2), cu_text(f, i))) next = i + 3;
    bool again = next == i + 3;
    if (cu_is(f, next, ">") && (again ? cu_is(f, next + 1, ">") : cu_is(f, next + 1, ">=")))
        return is_number(f, next + 2, 1) ? CH_HALVES : CH_NONE;
    if (cu_is(f, next, again ? "/" : "/=")) return is_number(f, next + 1, 2) ? CH_HALVES : CH_NONE;
    if (cu_is(f, next, again ? "<<" : "<<="))
        return is_number(f, next + 1, 1) ? CH_DOUBLES : CH_NONE;
    if (cu_is(f, next, again ? "*" : "*="))
        return is_number(f, next + 1, 2) ? CH_DOUBLES : CH_NONE;
    if (cu_is(f, next, again ? "+" : "+=") && str_eq(cu_text(f, next + 1), cu_text(f, i)))
        return CH_DOUBLES;
    return CH_NONE;
}

static enum change change_in(const struct cu *f, const struct loop *p, struct str name) {
    for (uint32_t i = p->first; i < p->last; i++)
        if (cu_is_word(f, i) && i > 0 && str_eq(cu_text(f, i), name) && change_at(f, i))
            return change_at(f, i);
    return CH_NONE;
}

/* The tokens of the value that the variable has when the loop begins. */
static bool start_of(struct lanes *l, const struct loop *p, struct str name, uint32_t *first,
                     uint32_t *last) {
    uint32_t scope = lanes_function_of(l, p->word), at = 0;
    for (uint32_t i = NO_NODE; (i = lanes_definition(l, name, scope, i)) != NO_NODE;) {
        const struct definition_of *d = &l->definitions.v[i];
        if (d->first >= d->last || d->token > p->close || d->token < at) continue;
        at = d->token, *first = d->first, *last = d->last;
    }
    return at != 0;
}

/* Whether the loop goes on while the variable is below `below`; of 32, which the variable comes to
 * by doubling, at 16 and no more at 32. */
static bool ends_at(struct lanes *l, const struct loop *p, struct str name, int64_t below,
                    uint32_t *first, uint32_t *last) {
    const struct cu *f = l->f;
    for (uint32_t i = p->open + 1; i + 2 < p->close; i++) {
        if (!str_eq(cu_text(f, i), name)) continue;
        bool equal = cu_is(f, i + 1, "<=");
        if (!equal && !cu_is(f, i + 1, "<") && !cu_is(f, i + 1, "!=")) continue;
        *first = i + 2;
        for (*last = *first; *last < p->close && !cu_is(f, *last, ";"); ++*last)
            if (cu_is(f, *last, "(") && f->tokens.v[*last].partner != NO_NODE)
                *last = f->tokens.v[*last].partner;
        struct lane_value m = lanes_evaluate(l, *first, *last);
        if (below != 32) return m.known && m.value == (equal ? below - 1 : below);
        return m.known && m.value > 16 - equal && m.value <= below - equal;
    }
    return false;
}

/* Whether the tokens say the number themselves. A name that says that it is a warp's width is
 * reported where it is made, another one because of this loop. */
static bool says_itself(struct lanes *l, uint32_t first, uint32_t last) {
    uint32_t constant = NO_NODE;
    for (uint32_t i = first; i < last; i++) {
        if (!cu_is_word(l->f, i)) continue;
        constant = lanes_constant(l, i);
        if (constant == NO_NODE) return false;
    }
    bool counts = constant != NO_NODE && lanes_word(l, "warps", l->definitions.v[constant].name);
    if (constant != NO_NODE && !counts) lanes_use_as_width(l, constant);
    return constant == NO_NODE;
}

static bool goes_through_32(struct lanes *l, const struct loop *p, struct str name, bool power) {
    uint32_t first = 0, last = 0;
    enum change change = change_in(l->f, p, name);
    struct lane_value start = {0};
    if (change && start_of(l, p, name, &first, &last)) start = lanes_evaluate(l, first, last);
    int64_t value = start.known ? start.value : -1;
    if (power)
        return change == CH_DOWN ? value == 4 && says_itself(l, first, last)
                                 : change == CH_UP && ends_at(l, p, name, 5, &first, &last) &&
                                       says_itself(l, first, last);
    if (change == CH_HALVES) return (value == 16 || value == 32) && says_itself(l, first, last);
    return change == CH_DOUBLES && ends_at(l, p, name, 32, &first, &last) &&
           says_itself(l, first, last);
}

/* ---- shuffles ---- */

struct shuffle {
    uint32_t word;
    struct cu_call call;
    size_t delta; /* number of the argument */
};

/* A shuffle over a distance, of all lanes that the device's warp has. */
static bool read_shuffle(struct lanes *l, uint32_t i, struct shuffle *out) {
    struct cu *f = l->f;
    struct str name = cu_text(f, i);
    bool member = i > 0 && (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"));
    if (!cu_is_word(f, i) || member || !lanes_word(l, "distant_shuffles", name)) return false;
    if (!cu_read_call(f, i + 1, &out->call)) return false;
    out->word = i;
    out->delta = str_ends(name, S("_sync")) ? 2 : 1;
    if (out->call.arguments.n <= out->delta) return false;
    if (!str_starts(name, S(CU_SHUFFLE_PREFIX)) || out->call.arguments.n == out->delta + 1)
        return true;
    const struct cu_argument *width = &out->call.arguments.v[out->delta + 1];
    return lanes_evaluate(l, width->first, width->last).m == LV_WIDTH;
}

static void tell_loop(struct lanes *l, const struct loops *loops, const struct shuffle *s) {
    const struct cu *f = l->f;
    for (size_t k = loops->v.n; k-- > 0;) {
        const struct loop *p = &loops->v.v[k];
        if (p->first > s->word || p->last <= s->word) continue;
        for (size_t n = 1; n < s->call.arguments.n; n++) {
            const struct cu_argument *a = &s->call.arguments.v[n];
            for (uint32_t i = a->first; i < a->last; i++) {
                bool power = i >= a->first + 2 && cu_is(f, i - 1, "<<") && is_number(f, i - 2, 1);
                if (!cu_is_word(f, i) || !goes_through_32(l, p, cu_text(f, i), power)) continue;
                lanes_event(l, "loop", p->word, p->close + 1);
                return;
            }
        }
    }
}

/* The number that a shuffle's distance is, or 0. */
static int64_t distance_of(const struct lanes *l, const struct shuffle *s) {
    const struct cu_argument *a = &s->call.arguments.v[s->delta];
    int64_t n = 0;
    bool number = a->last == a->first + 1 && l->f->tokens.v[a->first].kind == CU_NUMBER &&
                  cu_integer(cu_text(l->f, a->first), &n);
    return number ? n : 0;
}

/* Shuffles over 16, 8, 4 lanes one after the other, or the other way round. */
struct series {
    uint32_t scope, word, end; /* of the one over 16 */
    int64_t last;
    int steps;
};

static void follow_series(struct lanes *l, struct series *c, const struct shuffle *s) {
    int64_t n = distance_of(l, s);
    uint32_t scope = lanes_function_of(l, s->word);
    bool on = c->steps && c->scope == scope && n > 0 && (n * 2 == c->last || n == c->last * 2);
    if (!on) *c = (struct series){.scope = scope, .word = NO_NODE};
    c->last = n;
    c->steps++;
    if (n == 16) c->word = s->word, c->end = s->call.close + 1;
    if (c->steps >= 3 && c->word != NO_NODE) {
        lanes_event(l, "loop", c->word, c->end);
        c->word = NO_NODE;
    }
}

void lanes_find_loops(struct lanes *l) {
    struct loops loops = {0};
    struct shuffle s;
    struct series series = {0};
    find_loops(l, &loops);
    for (uint32_t i = 0; i + 1 < l->f->tokens.n; i++) {
        if (!read_shuffle(l, i, &s)) continue;
        tell_loop(l, &loops, &s);
        follow_series(l, &series, &s);
    }
}

/* ---- reductions in shared memory ---- */

/* array[base + distance] */
struct access {
    struct str array, base;
    uint32_t token, end;
    struct str distance; /* empty: array[base] */
    int64_t value;       /* of the distance, or -1 */
    bool swaps;          /* base ^ distance */
};

static bool read_access(const struct cu *f, uint32_t i, struct access *out) {
    if (!cu_is_word(f, i) || !cu_is(f, i + 1, "[")) return false;
    uint32_t close = f->tokens.v[i + 1].partner, cut = close;
    if (close == NO_NODE || close == i + 2) return false;
    for (uint32_t t = close; t-- > i + 3;) {
        uint32_t partner = f->tokens.v[t].partner;
        if (partner != NO_NODE && partner < t) t = partner;
        if (!cu_is(f, t, "+") && !cu_is(f, t, "-") && !cu_is(f, t, "^")) continue;
        if (t + 2 == close) cut = t;
        break;
    }
    *out = (struct access){.array = cu_text(f, i), .token = i, .end = close + 1, .value = -1};
    out->base = cu_span(f, i + 2, cut);
    if (cut < close) {
        out->swaps = cu_is(f, cut, "^");
        out->distance = cu_text(f, cut + 1);
        if (f->tokens.v[cut + 1].kind != CU_NUMBER || !cu_integer(out->distance, &out->value))
            out->value = -1;
    }
    return true;
}

static bool is_written(const struct cu *f, const struct access *a) {
    return cu_assigns(f, a->end);
}

bool lanes_is_barrier(struct lanes *l, uint32_t i) {
    bool literal = l->f->tokens.v[i].kind == CU_STRING; /* asm("bar.sync 0;") */
    return (literal || cu_is_word(l->f, i)) &&
           lanes_word(l, literal ? "ptx_barrier" : "barrier", cu_text(l->f, i));
}

/* Steps without a barrier between them, of which each goes half or twice as far; and what was
 * written since the last barrier. */
struct chain {
    struct access first;
    int64_t last;
    int steps, direction; /* 1: farther, -1: nearer */
    bool told;
    VEC(struct access) writes;
};

static bool same_place(const struct access *a, const struct access *b) {
    return str_eq(a->array, b->array) && str_eq(a->base, b->base);
}

static bool is_shared(struct lanes *l, const struct access *a) {
    return lanes_word(l, "shared", a->array) ||
           lanes_word(l, "shared_type", cu_declared_type(l->f, a->token, a->array));
}

static void tell_chain(struct lanes *l, struct chain *c) {
    int64_t far = c->direction < 0 ? c->first.value : c->last;
    bool swaps =
        c->first.swaps && (is_shared(l, &c->first) || lanes_word(l, "lane", c->first.base));
    bool enough = c->steps > 2 || swaps || (c->steps == 2 && c->direction < 0 && far >= 16);
    if (c->told || !c->steps || !enough) return;
    for (size_t i = 0; i < c->writes.n; i++)
        if (same_place(&c->writes.v[i], &c->first)) c->told = true;
    if (c->told) lanes_event(l, "steps", c->first.token, c->first.end);
}

static void follow(struct chain *c, const struct access *a) {
    bool same = c->steps && same_place(a, &c->first);
    if (same && a->value == c->last) return;
    if (same && (c->last == 2 * a->value || 2 * c->last == a->value) &&
        (c->steps == 1 || (c->last > a->value) == (c->direction < 0))) {
        c->direction = c->last > a->value ? -1 : 1;
        c->last = a->value;
        c->steps++;
    } else if (a->value > 0 && (a->value & (a->value - 1)) == 0) {
        c->first = *a;
        c->last = a->value;
        c->steps = 1;
        c->direction = 0;
        c->told = false;
    }
}

/* The name of a loop's variable, which counts for one thread alone. */
static bool is_counter(struct lanes *l, const struct loops *loops, uint32_t token,
                       struct str name) {
    for (size_t k = 0; k < loops->v.n; k++) {
        const struct loop *p = &loops->v.v[k];
        if (token < p->first || token >= p->last) continue;
        enum change change = change_in(l->f, p, name);
        if (change == CH_UP || change == CH_DOWN) return true;
    }
    return false;
}

bool lanes_is_of_device(struct lanes *l, const struct lane_function *fn) {
    for (uint32_t i = fn->name; i-- > 0;) {
        if (cu_is(l->f, i, ";") || cu_is(l->f, i, "}") || cu_is(l->f, i, "{")) break;
        if (cu_is_word(l->f, i) && lanes_word(l, "device", cu_text(l->f, i))) return true;
    }
    return false;
}

static void find_chains(struct lanes *l, const struct loops *loops,
                        const struct lane_function *fn) {
    struct chain c = {0};
    struct access a;
    for (uint32_t i = fn->body; i < fn->end; i++) {
        if (lanes_is_barrier(l, i)) c.steps = 0, c.writes.n = 0, c.told = false;
        if (!read_access(l->f, i, &a)) continue;
        bool written = is_written(l->f, &a);
        if (written && a.distance.n) continue;
        if (written) vec_push(l->f->a, &c.writes, a);
        if (a.value >= 0 && !is_counter(l, loops, i, a.base)) follow(&c, &a);
        tell_chain(l, &c);
    }
}

/* A loop that halves or doubles a distance, reads array[base + distance] and writes array[base].
 */
static void find_reduction_loop(struct lanes *l, const struct loops *loops, const struct loop *p) {
    struct cu *f = l->f;
    struct access a, read = {0};
    bool reads = false, writes = false;
    uint32_t scope = lanes_function_of(l, p->word);
    if (scope == NO_NODE || !lanes_is_of_device(l, &l->functions.v[scope])) return;
    for (uint32_t i = p->first; i < p->last; i++) {
        if (lanes_is_barrier(l, i)) return;
        if (!read_access(f, i, &a)) continue;
        if (a.distance.n && a.value < 0 && !reads) {
            enum change change = change_in(f, p, a.distance);
            reads = (change == CH_HALVES || change == CH_DOUBLES) && is_shared(l, &a) &&
                    !is_counter(l, loops, i, a.base);
            if (reads) read = a;
        }
        writes |= is_written(f, &a) && !a.distance.n;
    }
    if (!reads || !writes) return;
    for (uint32_t i = p->first; i < p->last; i++)
        if (read_access(f, i, &a) && is_written(f, &a) && str_eq(a.array, read.array) &&
            str_eq(a.base, read.base) && !a.distance.n) {
            lanes_event(l, "steps", p->word, p->close + 1);
            return;
        }
}

void lanes_find_reductions(struct lanes *l) {
    struct loops loops = {0};
    find_loops(l, &loops);
    for (size_t k = 0; k < l->functions.n; k++)
        if (lanes_is_of_device(l, &l->functions.v[k])) find_chains(l, &loops, &l->functions.v[k]);
    for (size_t k = 0; k < loops.v.n; k++) find_reduction_loop(l, &loops, &loops.v.v[k]);
}
