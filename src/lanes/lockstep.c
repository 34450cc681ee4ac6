/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep.c - lanes of a warp that count on going in step: between two barriers one reads in
 * shared memory what another writes, or both write.
 *
 * Each function is walked through in its order, calls of the file's own functions included. Of
 * every access it is known which lanes make it, and where (indices.c). Where threads run one after
 * the other, a lane's access comes after those of the lanes before it; in step all lanes make the
 * first access before any makes the second. The two differ only if the lane of the first access is
 * behind that of the second: s[t] += s[t + 16] is right in both orders, s[t] += s[t - 16] is not.
 * That has to be so for most numbers that are tried for what the file does not tell. */
#include "lanes/lanes.h"

enum { SHAPES = 3, SAMPLES = 5, MOST_SAMPLES = 3, TERMS = 6, DEEP = 3 };
enum { MOST_SEEN = 64, MOST_PAIRS = 20000, MOST_STEPS = 200000 };

/* A condition under which lanes are here. */
struct guard {
    const struct guard *up;
    const struct lane_frame *frame;
    uint32_t first, last;
    bool negated;
};

/* Where in shared memory: an array, and what its indices are made of. */
struct term {
    const struct lane_frame *frame; /* NULL: 0 */
    uint32_t first, last;
    bool added; /* to the index before it */
};

struct place {
    uint32_t array; /* token that declares it */
    size_t n;
    struct term terms[TERMS];
    bool address; /* the next index is added to the last */
};

struct access {
    struct place place;
    const struct guard *guards;
    const struct lane_frame *frame;
    uint32_t token, end; /* in its function */
    uint32_t call;       /* in the outermost one: where it is called */
    uint32_t due;        /* of a write: the token that it is done at */
    bool write, known, guessed;
    struct str atomic; /* the function that does it, if one does */
    int64_t at[SHAPES * SAMPLES][32];
    uint32_t on[SHAPES * SAMPLES]; /* a bit for each lane */
};

struct walk {
    struct lanes *l;
    uint32_t root, call;
    int depth, shapes;
    bool row; /* a block is one thread wide */
    uint32_t steps, pairs;
    VEC(struct access *) seen, due;
};

/* ---- places ---- */

static bool place_of(struct walk *w, const struct lane_frame *frame, uint32_t first, uint32_t last,
                     struct place *out, int depth);

/* The token that declares a __shared__ array of that name for a function, or NO_NODE. */
static uint32_t shared_array(struct walk *w, struct str name, uint32_t fn) {
    const struct cu *f = w->l->f;
    for (size_t k = 0; k < w->l->shared.n; k++) {
        uint32_t i = w->l->shared.v[k], scope = lanes_function_of(w->l, i);
        if (str_eq(cu_text(f, i), name) && (scope == fn || scope == NO_NODE)) return i;
    }
    return NO_NODE;
}

static bool is_pointer(const struct cu *f, uint32_t token) {
    for (uint32_t i = token; i-- > 0 && i + 6 > token;) {
        if (cu_is(f, i, "*") || cu_is(f, i, "auto")) return true;
        if (!cu_is_word(f, i) && !cu_is(f, i, "&")) break;
    }
    return cu_is(f, token + 1, "[");
}

/* Whether an operator at token i, & or *, has one operand. */
static bool is_unary(const struct cu *f, uint32_t i) {
    return !cu_is_word(f, i - 1) && !cu_is(f, i - 1, ")") && !cu_is(f, i - 1, "]") &&
           f->tokens.v[i - 1].kind != CU_NUMBER;
}

/* Whether the file calls a function of that name: neither defines nor declares it. */
static bool is_called(const struct lanes *l, struct str name) {
    const struct cu *f = l->f;
    uint32_t i = l->functions.v[lanes_function_named(l, name)].calls;
    for (; i; i = l->calls.v[i - 1].next) {
        uint32_t at = l->calls.v[i - 1].token, before = at - (at > 0);
        if (!cu_is_word(f, before) || cu_is(f, before, "return") || cu_is(f, before, "else"))
            return true;
    }
    return false;
}

/* Whether a parameter that no call tells of points to what other lanes see: it is called or
 * declared like that, or the function is one of the device's that this file does not call. There,
 * places that a lane's number leads to are not the thread's own. */
static bool is_seen_by_others(struct walk *w, const struct lane_frame *frame, uint32_t token) {
    struct lanes *l = w->l;
    struct str name = cu_text(l->f, token);
    if (frame->up) return false;
    if (lanes_word(l, "shared", name)) return true;
    if (lanes_word(l, "shared_type", cu_declared_type(l->f, token, name))) return true;
    uint32_t function = l->functions.v[frame->function].name;
    return !lanes_is_kernel(l->f, function) && !is_called(l, cu_text(l->f, function));
}

/* What a pointer or an array is called. */
static bool named_place(struct walk *w, const struct lane_frame *frame, uint32_t token,
                        struct place *out, int depth) {
    struct lanes *l = w->l;
    const struct cu *f = l->f;
    uint32_t fn = lanes_function_of(l, token), only = NO_NODE;
    struct str name = cu_text(f, token);
    if (fn == NO_NODE || (token > 0 && (cu_is(f, token - 1, ".") || cu_is(f, token - 1, "->"))))
        return false;
    *out = (struct place){.array = shared_array(w, name, fn)};
    if (out->array != NO_NODE) return true;
    for (uint32_t i = NO_NODE; (i = lanes_definition(l, name, fn, i)) != NO_NODE;) {
        if (only != NO_NODE && !l->definitions.v[i].element) return false;
        if (!l->definitions.v[i].element) only = i;
    }
    if (only == NO_NODE || depth > DEEP * 2) return false;
    const struct definition_of *d = &l->definitions.v[only];
    if (!is_pointer(f, d->token)) return false;
    for (uint32_t i = l->functions.v[fn].body; i < l->functions.v[fn].end; i++) {
        if (!str_eq(cu_text(f, i), name)) continue;
        bool target = cu_is(f, i - 1, "*") && is_unary(f, i - 1); /* *p += v */
        bool step = cu_is(f, i + 1, "++") || cu_is(f, i + 1, "--");
        if (step || cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--")) return false;
        if (!target && cu_assigns(f, i + 1) && !cu_is(f, i + 1, "=")) return false;
    }
    if (d->first < d->last) return place_of(w, frame, d->first, d->last, out, depth + 1);
    struct cu_call call = {0};
    cu_split(f, l->functions.v[fn].open + 1, l->functions.v[fn].close, &call);
    for (size_t k = 0; k < call.arguments.n; k++) {
        if (d->token < call.arguments.v[k].first || d->token >= call.arguments.v[k].last) continue;
        if (frame->up && k < frame->call->arguments.n)
            return place_of(w, frame->up, frame->call->arguments.v[k].first,
                            frame->call->arguments.v[k].last, out, depth + 1);
        *out = (struct place){.array = d->token};
        return is_seen_by_others(w, frame, d->token);
    }
    return false;
}

static bool add_term(struct place *p, const struct lane_frame *frame, uint32_t first,
                     uint32_t last, bool added) {
    if (p->n == TERMS || first >= last) return false;
    p->terms[p->n++] = (struct term){frame, first, last, added && p->n > 0};
    return true;
}

/* name, (T *)name, &name[i], name + i */
static bool place_of(struct walk *w, const struct lane_frame *frame, uint32_t first, uint32_t last,
                     struct place *out, int depth) {
    const struct cu *f = w->l->f;
    for (bool again = true; again && first < last;) {
        uint32_t close = f->tokens.v[first].partner;
        again = cu_is(f, first, "(") && close != NO_NODE && close < last;
        if (again && close + 1 == last)
            first++, last--;
        else if (again && lanes_is_cast(f, first, last))
            first = close + 1;
        else if (again)
            return false;
    }
    bool address = cu_is(f, first, "&");
    first += address;
    if (first >= last || !cu_is_word(f, first) || cu_is(f, first + 1, "(")) return false;
    if (!named_place(w, frame, first, out, depth)) return false;
    uint32_t i = first + 1;
    for (; i < last && cu_is(f, i, "["); i = f->tokens.v[i].partner + 1) {
        if (f->tokens.v[i].partner == NO_NODE) return false;
        if (!add_term(out, frame, i + 1, f->tokens.v[i].partner, out->address)) return false;
        out->address = false;
    }
    if (i > first + 1) out->address = address;
    if (i == last) return true;
    if (address || (!cu_is(f, i, "+") && !cu_is(f, i, "-"))) return false;
    bool good = add_term(out, frame, i, last, out->address);
    out->address = true;
    return good;
}

/* ---- which lanes, and where ---- */

static struct lane_trial trial(const struct walk *w, int number, int lane) {
    static const int64_t sizes[SHAPES][2] = {{32, 8}, {16, 16}, {4, 8}};
    const int64_t *size = sizes[number / SAMPLES];
    if (w->shapes == 1) return (struct lane_trial){w->row ? 1 : 256, 256, number, lane};
    return (struct lane_trial){size[0], size[1], number % SAMPLES, lane};
}

/* A condition that is not known is taken for true. */
static bool is_on(struct walk *w, const struct guard *g, const struct lane_trial *t) {
    for (int64_t v; g; g = g->up) {
        bool known = lanes_number(w->l, g->frame, g->first, g->last, t, &v);
        w->l->guesses += !known;
        if (known && !v != g->negated) return false;
    }
    return true;
}

static bool index_of(struct walk *w, const struct place *p, const struct lane_trial *t,
                     int64_t *out) {
    int64_t index = 0, v;
    *out = 0;
    for (size_t k = 0; k < p->n; k++) {
        const struct term *term = &p->terms[k];
        v = 0;
        if (term->frame && !lanes_number(w->l, term->frame, term->first, term->last, t, &v))
            return false;
        if (v < -(1 << 20) || v > 1 << 20) return false;
        if (!p->terms[k].added)
            *out = (int64_t)((uint64_t)*out + (uint64_t)index) * 8191, index = 0;
        index += v;
    }
    *out = (int64_t)((uint64_t)*out + (uint64_t)index);
    return true;
}

/* What all rows of a block do alike counts for the first: they mean the same. */
static void drop_copies(struct access *a, int n, int width) {
    bool alike = true;
    for (int lane = width; lane < 32 && alike; lane++)
        alike = (a->on[n] >> lane & 1) == (a->on[n] >> (lane - width) & 1) &&
                a->at[n][lane] == a->at[n][lane - width];
    if (alike && width < 32) a->on[n] &= ((uint32_t)1 << width) - 1;
}

/* What all lanes write to one place is the same, or undefined on a GPU, too. */
static void drop_uniform_write(struct access *a, int n) {
    uint32_t others = a->on[n] & (a->on[n] - 1);
    int first = __builtin_ffs((int)a->on[n]) - 1;
    bool alike = a->write && others;
    for (int lane = 0; lane < 32 && alike; lane++)
        alike = !(a->on[n] >> lane & 1) || a->at[n][lane] == a->at[n][first];
    if (alike) a->on[n] = 0;
}

static void measure(struct walk *w, struct access *a) {
    uint32_t guesses = w->l->guesses;
    a->known = true;
    for (int n = 0; n < w->shapes * SAMPLES && a->known; n++) {
        for (int lane = 0; lane < 32; lane++) {
            struct lane_trial t = trial(w, n, lane);
            if (!is_on(w, a->guards, &t)) continue;
            a->on[n] |= (uint32_t)1 << lane;
            a->known &= index_of(w, &a->place, &t, &a->at[n][lane]);
        }
        drop_copies(a, n, (int)trial(w, n, 0).width);
        if (a->known) drop_uniform_write(a, n);
    }
    a->guessed = w->l->guesses != guesses;
}

static size_t dimensions(const struct place *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->n; k++) n += !p->terms[k].added;
    return n;
}

/* Whether two branches of an `if` hold them. */
static bool are_alternatives(const struct access *a, const struct access *b) {
    for (const struct guard *x = a->guards; x; x = x->up)
        for (const struct guard *y = b->guards; y; y = y->up)
            if (x->first == y->first && x->frame == y->frame && x->negated != y->negated)
                return true;
    return false;
}

/* Whether a lane's first access and an earlier lane's second are of one place. */
static bool depend_in(const struct access *a, const struct access *b, int n) {
    for (int x = 1; x < 32; x++)
        for (int y = 0; y < x && a->on[n] >> x & 1; y++)
            if ((b->on[n] >> y & 1) && a->at[n][x] == b->at[n][y]) return true;
    return false;
}

/* atomicAdd of atomicAdd_block: in which scope it is done makes no other function of it. */
static struct str without_scope(struct str name) {
    return str_sub(name, 0, str_find(name, S("_"), 0));
}

/* Whether two atomic functions come to the same in either order: those of which one thread may do
 * a block's, and another function does not. */
static bool commute(struct walk *w, const struct access *a, const struct access *b) {
    struct str name = without_scope(a->atomic);
    return name.n && str_eq(name, without_scope(b->atomic)) &&
           rules_lists(w->l->f->rules, "cuda.block_atomics", name);
}

static bool depend(struct walk *w, const struct access *a, const struct access *b) {
    if (a->place.array != b->place.array || !(a->write || b->write)) return false;
    if (commute(w, a, b)) return false;
    if (!a->known || !b->known || dimensions(&a->place) != dimensions(&b->place)) return false;
    if (a->write && b->write && (a->guessed || b->guessed)) return false;
    if (++w->pairs > MOST_PAIRS || are_alternatives(a, b)) return false;
    for (int shape = 0; shape < w->shapes; shape++) {
        int times = 0;
        for (int n = shape * SAMPLES; n < (shape + 1) * SAMPLES; n++) times += depend_in(a, b, n);
        if (times < MOST_SAMPLES) return false;
    }
    return true;
}

/* ---- intervals between barriers ---- */

static void see(struct walk *w, struct access *a) {
    if (w->seen.n == MOST_SEEN) return;
    measure(w, a);
    for (size_t k = 0; k < w->seen.n; k++) {
        const struct access *b = w->seen.v[k];
        if (!depend(w, b, a)) continue;
        bool here = a->frame == b->frame;
        lanes_event(w->l, "neighbours", here ? a->token : a->call, here ? a->end : a->call + 1);
        break;
    }
    vec_push(w->l->f->a, &w->seen, a);
}

/* What was to be written when the token is reached. */
static void write_due(struct walk *w, size_t from, uint32_t token) {
    for (size_t k = from; k < w->due.n; k++)
        if (w->due.v[k] && w->due.v[k]->due <= token) {
            see(w, w->due.v[k]);
            w->due.v[k] = NULL;
        }
}

static bool is_waiting(struct walk *w, uint32_t i) {
    struct str word = cu_text(w->l->f, i);
    if (lanes_is_barrier(w->l, i)) return true;
    return cu_is_word(w->l->f, i) &&
           (lanes_word(w->l, "shuffles", word) || lanes_word(w->l, "votes", word));
}

/* Whether a macro's text waits. */
static bool waits_in_macro(struct walk *w, struct str name) {
    const struct cu *f = w->l->f;
    for (size_t k = 0; k < f->directives.n; k++) {
        const struct cu_directive *d = &f->directives.v[k];
        if (d->kind != CD_DEFINE || !str_eq(cu_text(f, d->first + 2), name)) continue;
        for (uint32_t i = d->first + 3; i < d->last; i++)
            if (is_waiting(w, i)) return true;
    }
    return false;
}

/* ---- the walk ---- */

static void statements(struct walk *w, const struct lane_frame *frame, uint32_t i, uint32_t last,
                       const struct guard *g);

static const struct guard *guarded(struct walk *w, const struct lane_frame *frame,
                                   const struct guard *g, uint32_t first, uint32_t last,
                                   bool negated) {
    struct guard *out = arena_alloc(w->l->f->a, sizeof *out);
    *out = (struct guard){g, frame, first, last, negated};
    return out;
}

/* The access to a place whose text is tokens [i, behind); a write is done at `end`. */
static void access_to(struct walk *w, const struct lane_frame *frame, const struct place *p,
                      uint32_t i, uint32_t behind, uint32_t end, const struct guard *g) {
    const struct cu *f = w->l->f;
    bool read = !cu_is(f, behind, "="), write = cu_assigns(f, behind);
    write |= cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--");
    for (int k = 0; k < 2; k++) {
        if (!(k ? write : read)) continue;
        struct access *a = arena_zalloc(f->a, sizeof *a);
        *a = (struct access){.place = *p, .guards = g, .frame = frame, .token = i, .end = behind};
        a->call = w->call == NO_NODE ? i : w->call;
        a->write = k, a->due = end;
        if (k)
            vec_push(f->a, &w->due, a);
        else
            see(w, a);
    }
}

/* name[i] */
static void element_at(struct walk *w, const struct lane_frame *frame, uint32_t i, uint32_t end,
                       const struct guard *g) {
    const struct cu *f = w->l->f;
    struct place p;
    if (!named_place(w, frame, i, &p, 0) || p.array == i) return; /* int s[4]; is no access */
    uint32_t behind = i + 1;
    for (; cu_is(f, behind, "["); behind = f->tokens.v[behind].partner + 1) {
        if (f->tokens.v[behind].partner == NO_NODE) return;
        if (!add_term(&p, frame, behind + 1, f->tokens.v[behind].partner, p.address)) return;
        p.address = false;
    }
    if (cu_is(f, i - 1, "&") && is_unary(f, i - 1)) return;
    access_to(w, frame, &p, i, behind, end, g);
}

/* *name, *(name + i), *(T *)name: the * is token i. */
static void target_at(struct walk *w, const struct lane_frame *frame, uint32_t i, uint32_t last,
                      const struct guard *g) {
    const struct cu *f = w->l->f;
    uint32_t behind = i + 1;
    struct place p;
    while (cu_is(f, behind, "(") && lanes_is_cast(f, behind, last))
        behind = f->tokens.v[behind].partner + 1;
    bool brackets = cu_is(f, behind, "(") && f->tokens.v[behind].partner < last;
    if (!brackets && !cu_is_word(f, behind)) return;
    behind = (brackets ? f->tokens.v[behind].partner : behind) + 1;
    if (cu_is(f, behind, "[") || cu_is(f, behind, "(") || cu_is(f, behind, ".") ||
        cu_is(f, behind, "->") || cu_is(f, behind, "++") || cu_is(f, behind, "--"))
        return;
    if (!place_of(w, frame, i + 1, behind, &p, 0) || p.n == TERMS) return;
    if (!p.address) p.terms[p.n++] = (struct term){0};
    access_to(w, frame, &p, i, behind, lanes_value_end(f, i), g);
}

/* atomicAdd(&name[i], v), atomicExch(name + i, v): the function's name is token i. It writes
 * there. Which lane's is the first of one such call is open on a GPU, too; that all lanes' come
 * before another access, be it by another atomic function or by atomicExch() again, is not. */
static void atomic_at(struct walk *w, const struct lane_frame *frame, uint32_t i,
                      const struct guard *g) {
    struct cu *f = w->l->f;
    struct cu_call call = {0};
    struct place p;
    if (!cu_read_call(f, i + 1, &call) || !call.arguments.n) return;
    uint32_t first = call.arguments.v[0].first, last = call.arguments.v[0].last;
    if (!place_of(w, frame, first, last, &p, 0) || p.n == TERMS) return;
    if (!p.address) p.terms[p.n++] = (struct term){0};
    struct access *a = arena_zalloc(f->a, sizeof *a);
    *a = (struct access){.place = p, .guards = g, .frame = frame, .token = first, .end = last};
    a->call = w->call == NO_NODE ? first : w->call;
    a->write = true, a->atomic = cu_text(f, i);
    see(w, a);
}

/* A function of the file's that is called at token i. */
static void follow_call(struct walk *w, const struct lane_frame *frame, uint32_t i,
                        const struct guard *g) {
    struct lanes *l = w->l;
    uint32_t fn = lanes_function_named(l, cu_text(l->f, i));
    struct cu_call *call = arena_zalloc(l->f->a, sizeof *call);
    if (fn == NO_NODE) {
        if (rules_lists(l->f->rules, "cuda.atomics", cu_text(l->f, i))) atomic_at(w, frame, i, g);
        if (waits_in_macro(w, cu_text(l->f, i))) w->seen.n = 0;
        return;
    }
    if (!cu_read_call(l->f, i + 1, call)) return;
    if (w->depth == DEEP || fn == frame->function) {
        w->seen.n = 0;
        return;
    }
    struct lane_frame *inner = arena_alloc(l->f->a, sizeof *inner);
    *inner = (struct lane_frame){frame, fn, call};
    uint32_t before = w->call;
    if (w->call == NO_NODE) w->call = i;
    w->depth++;
    statements(w, inner, l->functions.v[fn].body, l->functions.v[fn].end, g);
    w->depth--;
    w->call = before;
}

static void expression(struct walk *w, const struct lane_frame *frame, uint32_t first,
                       uint32_t last, const struct guard *g) {
    const struct cu *f = w->l->f;
    size_t from = w->due.n;
    uint32_t calls[8], n = 0; /* those whose arguments are being looked at */
    for (uint32_t i = first; i < last && ++w->steps < MOST_STEPS; i++) {
        write_due(w, from, i);
        for (; n && f->tokens.v[calls[n - 1] + 1].partner <= i; n--)
            follow_call(w, frame, calls[n - 1], g);
        if (cu_is(f, i, "*") && (i == first || is_unary(f, i))) target_at(w, frame, i, last, g);
        if (is_waiting(w, i)) w->seen.n = 0;
        if (!cu_is_word(f, i)) continue;
        if (cu_is(f, i + 1, "[")) element_at(w, frame, i, lanes_value_end(f, i), g);
        bool called = cu_is(f, i + 1, "(") && f->tokens.v[i + 1].partner < last;
        if (called && n < ARRAY_LEN(calls)) calls[n++] = i;
    }
    write_due(w, from, UINT32_MAX);
    while (n) follow_call(w, frame, calls[--n], g);
    w->due.n = from;
}

/* Whether a statement leaves what it stands in. */
static bool leaves(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last && i < first + 3; i++)
        if (cu_is(f, i, "return") || cu_is(f, i, "continue") || cu_is(f, i, "break")) return true;
    return last >= first + 3 && cu_is(f, last - 1, "}") &&
           (cu_is(f, last - 3, "return") || cu_is(f, last - 3, "continue"));
}

static uint32_t branch(struct walk *w, const struct lane_frame *frame, uint32_t i, uint32_t last,
                       const struct guard **g) {
    const struct cu *f = w->l->f;
    uint32_t open = i + 1 + cu_is(f, i + 1, "constexpr"), close = f->tokens.v[open].partner;
    if (!cu_is(f, open, "(") || close == NO_NODE || close >= last) return i + 1;
    expression(w, frame, open + 1, close, *g);
    uint32_t end = lanes_statement_end(f, close + 1, last);
    statements(w, frame, close + 1, end, guarded(w, frame, *g, open + 1, close, false));
    const struct guard *other = guarded(w, frame, *g, open + 1, close, true);
    if (!cu_is(f, end, "else")) {
        if (leaves(f, close + 1, end)) *g = other;
        return end;
    }
    uint32_t all = lanes_statement_end(f, end + 1, last);
    statements(w, frame, end + 1, all, other);
    return all;
}

static uint32_t loop(struct walk *w, const struct lane_frame *frame, uint32_t i, uint32_t last,
                     const struct guard *g) {
    const struct cu *f = w->l->f;
    uint32_t open = i + 1, close = f->tokens.v[open].partner;
    if (!cu_is(f, open, "(") || close == NO_NODE || close >= last) return i + 1;
    expression(w, frame, open + 1, close, g);
    if (cu_is(f, i, "for")) {
        uint32_t first = open + 1, end;
        while (first < close && !cu_is(f, first, ";")) first++;
        for (end = ++first; end < close && !cu_is(f, end, ";");) end++;
        if (first < end) g = guarded(w, frame, g, first, end, false);
    }
    uint32_t end = lanes_statement_end(f, close + 1, last);
    statements(w, frame, close + 1, end, g);
    return end;
}

static void statements(struct walk *w, const struct lane_frame *frame, uint32_t i, uint32_t last,
                       const struct guard *g) {
    const struct cu *f = w->l->f;
    while (i < last && ++w->steps < MOST_STEPS) {
        uint32_t directive = f->tokens.v[i].directive, end;
        if (directive) {
            uint8_t kind = f->directives.v[directive - 1].kind;
            if (kind == CD_ELSE || kind == CD_ELIF) w->seen.n = 0; /* either is compiled */
            i = f->directives.v[directive - 1].last;
        } else if (cu_is(f, i, "{") && f->tokens.v[i].partner < last) {
            statements(w, frame, i + 1, f->tokens.v[i].partner, g);
            i = f->tokens.v[i].partner + 1;
        } else if (cu_is(f, i, "if")) {
            i = branch(w, frame, i, last, &g);
        } else if (cu_is(f, i, "for") || cu_is(f, i, "while")) {
            i = loop(w, frame, i, last, g);
        } else if (cu_is(f, i, "do") || cu_is(f, i, "else") || cu_is(f, i, "{") ||
                   cu_is(f, i, "}") || cu_is(f, i, ";")) {
            i++;
        } else {
            for (end = i; end < last && !cu_is(f, end, ";") && !f->tokens.v[end].directive; end++)
                if (f->tokens.v[end].partner != NO_NODE && f->tokens.v[end].partner > end)
                    end = f->tokens.v[end].partner;
            if (end > last) end = last;
            expression(w, frame, i, end, g);
            i = end > i ? end : i + 1;
        }
    }
}

/* ---- all functions ---- */

static void find_shared(struct lanes *l) {
    const struct cu *f = l->f;
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (!cu_is(f, i, CU_SHARED_WORD) || f->tokens.v[i].directive) continue;
        uint32_t type = i;
        for (i++; i < f->tokens.n && !cu_is(f, i, ";") && !cu_is(f, i, "{"); i++) {
            bool ends = cu_is(f, i + 1, "[") || cu_is(f, i + 1, ",") || cu_is(f, i + 1, ";");
            if (cu_is_word(f, i) && ends && i > type + 1) vec_push(f->a, &l->shared, i);
            if (f->tokens.v[i].partner != NO_NODE && f->tokens.v[i].partner > i)
                i = f->tokens.v[i].partner;
        }
    }
}

static bool has_steps(const struct lanes *l, uint32_t fn) {
    for (size_t k = 0; k < l->events.n; k++)
        if (str_is(str_of(l->events.v[k].key), "steps") &&
            lanes_function_of(l, l->events.v[k].first) == fn)
            return true;
    return false;
}

static bool asks_for(const struct lanes *l, uint32_t fn, const char *member) {
    for (uint32_t i = l->functions.v[fn].body; i + 2 < l->functions.v[fn].end; i++)
        if (cu_is(l->f, i, CU_THREAD_INDEX) && cu_is(l->f, i + 2, member)) return true;
    return false;
}

static bool same_array(const struct lanes *l, const struct lane_event *a,
                       const struct lane_event *b) {
    return str_eq(cu_text(l->f, a->first), cu_text(l->f, b->first)) &&
           lanes_function_of(l, a->first) == lanes_function_of(l, b->first);
}

/* An array is told once in a function, and not beside the steps of a reduction there. */
static void tell_once(struct lanes *l, size_t from) {
    size_t n = from;
    for (size_t k = from; k < l->events.n; k++) {
        struct lane_event e = l->events.v[k];
        bool again = has_steps(l, lanes_function_of(l, e.first));
        for (size_t m = from; m < n; m++) again |= same_array(l, &l->events.v[m], &e);
        if (!again) l->events.v[n++] = e;
    }
    l->events.n = n;
}

void lanes_find_lockstep(struct lanes *l) {
    size_t from = l->events.n;
    struct walk w = {
        .l = l,
    };
    find_shared(l);
    for (uint32_t k = 0; k < l->functions.n; k++) {
        if (!lanes_is_of_device(l, &l->functions.v[k])) continue;
        struct lane_frame frame = {NULL, k, NULL};
        w.root = k, w.call = NO_NODE, w.depth = 0;
        bool rows = asks_for(l, k, "y");
        w.row = rows && !asks_for(l, k, "x");
        w.shapes = rows && !w.row ? SHAPES : 1;
        w.seen.n = w.due.n = 0;
        statements(&w, &frame, l->functions.v[k].body, l->functions.v[k].end, NULL);
    }
    tell_once(l, from);
}
