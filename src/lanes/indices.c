/* SPDX-License-Identifier: Apache-2.0 */
/* indices.c - the number that an expression is for one lane of a warp. What no text tells, such as
 * a kernel's parameters, is tried with a few numbers: what holds for most of them is a property of
 * the code, not of the number. What is read from memory is not known. */
#include "lanes/lanes.h"

enum { DEEP = 24, BUDGET = 1 << 22, ALIKE = 6 };

enum named_kind {
    N_NEW,
    N_NUMBER,   /* known */
    N_VALUE,    /* what stands in [first, last) */
    N_ARGUMENT, /* what the caller gives */
    N_COUNTER,  /* of a loop: [first, last) is its first value */
    N_UNIFORM,  /* the same for all threads, and not known */
    N_CONSTANT, /* the same, and nothing in the function changes it: a size */
    N_LANE,
    N_UNKNOWN
};

struct lane_name {
    uint8_t kind;
    uint32_t first, last;
    uint32_t n;    /* of the parameter, or of the uniform name */
    uint32_t loop; /* token ( of its head */
    int64_t number;
};

/* ---- names ---- */

static bool is_changed(const struct cu *f, uint32_t i) {
    if (cu_assigns(f, i + 1)) return true;
    if (i > 0 && (cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--"))) return true;
    return i > 1 && cu_is(f, i - 1, "&") && !cu_is_word(f, i - 2) && !cu_is(f, i - 2, ")") &&
           !cu_is(f, i - 2, "]") && f->tokens.v[i - 2].kind != CU_NUMBER;
}

bool lanes_is_kernel(const struct cu *f, uint32_t name) {
    for (uint32_t i = name; i-- > 0;) {
        if (cu_is(f, i, ";") || cu_is(f, i, "}") || cu_is(f, i, "{")) break;
        if (cu_is(f, i, CU_KERNEL_WORD)) return true;
    }
    return false;
}

/* The ( of a for's head that the token stands in the first part of, or NO_NODE. */
static uint32_t head_before(const struct cu *f, uint32_t token) {
    enum { FAR = 24 };
    for (uint32_t i = token; i > 1 && i + FAR > token; i--) {
        if (cu_is(f, i - 1, ";") || cu_is(f, i - 1, "{") || cu_is(f, i - 1, "}")) break;
        if (cu_is(f, i - 1, ")") && f->tokens.v[i - 1].partner != NO_NODE)
            i = f->tokens.v[i - 1].partner + 1;
        else if (cu_is(f, i - 1, "("))
            return cu_is(f, i - 2, "for") ? i - 1 : NO_NODE;
    }
    return NO_NODE;
}

static bool varies(struct lanes *l, uint32_t first, uint32_t last, int depth);
static const struct lane_name *name_at(struct lanes *l, uint32_t token, int depth);

/* Whether all that changes a name in its function is the same for all threads. */
static bool changes_alike(struct lanes *l, struct str name, uint32_t fn, int depth) {
    const struct cu *f = l->f;
    for (uint32_t i = l->functions.v[fn].body; i < l->functions.v[fn].end; i++) {
        if (!str_eq(cu_text(f, i), name) || !is_changed(f, i)) continue;
        if (cu_is(f, i - 1, "&")) return false;
        if (cu_is(f, i + 1, "++") || cu_is(f, i + 1, "--") || cu_is(f, i - 1, "++") ||
            cu_is(f, i - 1, "--"))
            continue;
        uint32_t value = i + 2 + cu_is(f, i + 2, ">=");
        if (varies(l, value, lanes_value_end(f, value), depth + 1)) return false;
    }
    return true;
}

/* A name that nobody tells the value of: names differ in what they are tried with. */
static struct lane_name unknown_uniform(struct lanes *l, struct str name, bool constant) {
    uint32_t n = 0;
    while (n < l->uniforms.n && !str_eq(l->uniforms.v[n], name)) n++;
    if (n == l->uniforms.n) vec_push(l->f->a, &l->uniforms, name);
    return (struct lane_name){.kind = constant ? N_CONSTANT : N_UNIFORM, .n = n};
}

static struct lane_name of_parameter(struct lanes *l, const struct definition_of *d) {
    if (lanes_is_kernel(l->f, l->functions.v[d->scope].name))
        return unknown_uniform(l, d->name, true);
    return (struct lane_name){.kind = N_ARGUMENT, .n = lanes_parameter(l, d)};
}

/* The name as its function declares it. */
static struct lane_name find_local(struct lanes *l, uint32_t token, uint32_t fn, int depth) {
    const struct cu *f = l->f;
    struct str name = cu_text(f, token);
    const struct definition_of *best = NULL, *given = NULL;
    uint32_t loop = NO_NODE, changes = 0;
    for (uint32_t i = NO_NODE; (i = lanes_definition(l, name, fn, i)) != NO_NODE;) {
        const struct definition_of *d = &l->definitions.v[i];
        if (d->state == 2 && d->value.m == LV_LANE && d->first >= d->last)
            return (struct lane_name){.kind = N_LANE};
        if (d->first >= d->last && d->token < l->functions.v[fn].body) given = d;
        if (d->first >= d->last || d->token > token || d->element) continue;
        uint32_t head = head_before(f, d->token);
        if (head != NO_NODE && token >= lanes_statement_end(f, head - 1, l->functions.v[fn].end))
            continue; /* another loop's */
        if (best && best->token > d->token) continue;
        best = d, loop = head;
    }
    if (!best && !given) return (struct lane_name){.kind = N_NEW};
    if (loop != NO_NODE) return (struct lane_name){N_COUNTER, best->first, best->last, 0, loop, 0};
    for (uint32_t i = l->functions.v[fn].body; i < l->functions.v[fn].end; i++)
        if (str_eq(cu_text(f, i), name) && is_changed(f, i) && head_before(f, i) == NO_NODE)
            changes += !best || i != best->token;
    if (!changes && best) return (struct lane_name){N_VALUE, best->first, best->last, 0, 0, 0};
    if (!changes) return of_parameter(l, given);
    bool alike = changes_alike(l, name, fn, depth) &&
                 (!given || lanes_is_kernel(f, l->functions.v[fn].name));
    return alike ? unknown_uniform(l, name, false) : (struct lane_name){.kind = N_UNKNOWN};
}

static struct lane_name find_name(struct lanes *l, uint32_t token, int depth) {
    struct str name = cu_text(l->f, token);
    uint32_t fn = lanes_function_of(l, token);
    struct lane_name n = {.kind = N_NEW};
    if (fn != NO_NODE) n = find_local(l, token, fn, depth);
    if (n.kind != N_NEW) return n;
    uint32_t i = lanes_definition(l, name, NO_NODE, NO_NODE);
    if (i != NO_NODE && lanes_definition(l, name, NO_NODE, i) == NO_NODE &&
        l->definitions.v[i].fixed)
        return (struct lane_name){
            N_VALUE, l->definitions.v[i].first, l->definitions.v[i].last, 0, 0, 0};
    n.kind = N_NUMBER;
    if (cu_number_of(l->f, name, &n.number)) return n;
    return unknown_uniform(l, name, true);
}

static const struct lane_name *name_at(struct lanes *l, uint32_t token, int depth) {
    static const struct lane_name unknown = {.kind = N_UNKNOWN};
    if (depth > DEEP) return &unknown;
    if (!l->named) l->named = arena_zalloc(l->f->a, (l->f->tokens.n + 1) * sizeof *l->named);
    if (l->named[token]) return l->named[token];
    struct lane_name *n = arena_zalloc(l->f->a, sizeof *n);
    n->kind = N_UNKNOWN; /* what is made of itself */
    l->named[token] = n;
    *n = find_name(l, token, depth + 1);
    return n;
}

/* Whether an expression may differ from thread to thread. */
static bool varies(struct lanes *l, uint32_t first, uint32_t last, int depth) {
    const struct cu *f = l->f;
    if (depth > DEEP) return true;
    for (uint32_t i = first; i < last; i++) {
        if (cu_is(f, i, "[") || cu_is(f, i, CU_THREAD_INDEX)) return true;
        if (!cu_is_word(f, i) || (i > first && cu_is(f, i - 1, "."))) continue;
        if (cu_is(f, i + 1, "(") && !cu_is(f, i, "min") && !cu_is(f, i, "max")) return true;
        if (cu_is(f, i, CU_BLOCK_SIZE) || cu_is(f, i, CU_BLOCK_INDEX) || cu_is(f, i, CU_GRID_SIZE))
            continue;
        const struct lane_name *n = name_at(l, i, depth + 1);
        if (n->kind == N_UNKNOWN || n->kind == N_LANE || n->kind == N_ARGUMENT) return true;
        if ((n->kind == N_VALUE || n->kind == N_COUNTER) &&
            varies(l, n->first, n->last, depth + 1))
            return true;
    }
    return false;
}

/* ---- values ---- */

struct reader {
    struct lanes *l;
    const struct lane_frame *frame;
    const struct lane_trial *trial;
    uint32_t i, end;
    int depth;
};

struct number {
    bool known;
    int64_t v;
};

static const struct number nothing = {0};

static struct number expression(struct reader *r, int weakest);

static struct number value_of(struct reader *r, const struct lane_frame *frame, uint32_t first,
                              uint32_t last) {
    if (r->depth > DEEP || first >= last || ++r->l->tried > BUDGET) return nothing;
    struct reader inner = {r->l, frame, r->trial, first, last, r->depth + 1};
    struct number n = expression(&inner, 0);
    return inner.i == last ? n : nothing;
}

static struct number known(int64_t v) { return (struct number){true, v}; }

/* One step of a loop's counter. */
static struct number stepped(struct reader *r, struct str name, uint32_t first, uint32_t last,
                             int64_t v) {
    const struct cu *f = r->l->f;
    for (uint32_t i = first; i < last; i++) {
        if (!str_eq(cu_text(f, i), name)) continue;
        if (cu_is(f, i + 1, "++") || cu_is(f, i - 1, "++")) return known(v + 1);
        if (cu_is(f, i + 1, "--") || cu_is(f, i - 1, "--")) return known(v - 1);
        bool shifts = cu_is(f, i + 1, ">") && cu_is(f, i + 2, ">=");
        if (!shifts && (!is_changed(f, i) || cu_is(f, i + 1, "="))) return nothing;
        uint32_t value = i + 2 + shifts;
        struct number by = value_of(r, r->frame, value, lanes_value_end(f, value)), out = {0};
        struct str op = shifts ? S(">>") : cu_text(f, i + 1);
        if (op.n > 1 && !shifts) op.n--;
        out.known = by.known && cu_compute(op, v, by.v, &out.v);
        return out;
    }
    return nothing;
}

/* A counter some rounds after its first value, if the loop goes on as long. */
static struct number of_counter(struct reader *r, uint32_t token, const struct lane_name *n) {
    const struct cu *f = r->l->f;
    struct str name = cu_text(f, token);
    uint32_t close = f->tokens.v[n->loop].partner, condition = n->loop + 1;
    struct number first = value_of(r, r->frame, n->first, n->last), v = first;
    while (condition < close && !cu_is(f, condition, ";")) condition++;
    uint32_t step = condition + 1;
    while (step < close && !cu_is(f, step, ";")) step++;
    for (int k = 0; v.known && k <= r->trial->sample; k++)
        v = stepped(r, name, step + 1, close, v.v);
    if (!v.known || !first.known) return first;
    bool same = str_eq(cu_text(f, condition + 1), name);
    uint32_t tokens, s = same ? cu_operator(f, condition + 2, step, &tokens) : CU_NO_OPERATOR;
    if (s != CU_ORDERS && s != CU_EQUALS) return first;
    struct number bound = value_of(r, r->frame, condition + 2 + tokens, step), goes_on = {0};
    goes_on.known = bound.known && cu_compute(cu_text(f, condition + 2), v.v, bound.v, &goes_on.v);
    return goes_on.known && goes_on.v ? v : first;
}

static struct number of_name(struct reader *r, uint32_t token) {
    const struct lane_name *n = name_at(r->l, token, 0);
    const struct lane_frame *frame = r->frame;
    const struct cu *f = r->l->f;
    switch (n->kind) {
    case N_NUMBER:
        return known(n->number);
    case N_VALUE:
        return value_of(r, frame, n->first, n->last);
    case N_COUNTER:
        return of_counter(r, token, n);
    case N_CONSTANT: /* mostly of blocks, seldom of less than a warp */
        r->l->guesses++;
        return known(64 << ((n->n + (uint32_t)r->trial->sample) % ALIKE));
    case N_UNIFORM:
        r->l->guesses++;
        return known(1 << ((n->n + (uint32_t)r->trial->sample) % ALIKE));
    case N_LANE:
        return known(r->trial->lane);
    case N_ARGUMENT:
        if (frame->up && n->n < frame->call->arguments.n)
            return value_of(r, frame->up, frame->call->arguments.v[n->n].first,
                            frame->call->arguments.v[n->n].last);
        if (frame->up) return nothing;
        if (lanes_word(r->l, "lane", cu_text(f, token)) ||
            lanes_word(r->l, "thread", cu_text(f, token)))
            return known(r->trial->lane);
        return nothing;
    }
    return nothing;
}

static struct number of_builtin(struct reader *r) {
    const struct cu *f = r->l->f;
    const struct lane_trial *t = r->trial;
    bool x = cu_is(f, r->i + 2, "x"), y = cu_is(f, r->i + 2, "y");
    r->i += 3;
    if (cu_is(f, r->i - 3, CU_THREAD_INDEX))
        return known(x ? t->lane % t->width : y ? t->lane / t->width : 0);
    if (cu_is(f, r->i - 3, CU_BLOCK_SIZE)) return known(x ? t->width : y ? t->height : 1);
    return known(cu_is(f, r->i - 3, CU_GRID_SIZE) ? 64 : 1);
}

static struct number of_call(struct reader *r, uint32_t name, const struct cu_call *call) {
    const struct cu *f = r->l->f;
    struct number v[2] = {nothing, nothing};
    size_t n = call->arguments.n;
    for (size_t k = 0; k < n && n <= 2; k++)
        v[k] = value_of(r, r->frame, call->arguments.v[k].first, call->arguments.v[k].last);
    bool cast = lanes_is_type_word(f, name) || str_ends(cu_text(f, name), S("_cast"));
    if (n == 1) return cast ? v[0] : nothing;
    if (n != 2 || !v[0].known || !v[1].known) return nothing;
    if (cu_is(f, name, "min")) return v[0].v < v[1].v ? v[0] : v[1];
    if (cu_is(f, name, "max")) return v[0].v > v[1].v ? v[0] : v[1];
    bool product = str_ends(cu_text(f, name), S("mul24"));
    v[0].known = product && cu_compute(S("*"), v[0].v, v[1].v, &v[0].v);
    return v[0];
}

static struct number postfix(struct reader *r) {
    struct cu *f = r->l->f;
    struct cu_call call;
    struct number v;
    if (cu_is(f, r->i + 1, ".") &&
        (cu_is(f, r->i, CU_THREAD_INDEX) || cu_is(f, r->i, CU_BLOCK_SIZE) ||
         cu_is(f, r->i, CU_BLOCK_INDEX) || cu_is(f, r->i, CU_GRID_SIZE)))
        return of_builtin(r);
    while (cu_is(f, r->i + 1, "::") && cu_is_word(f, r->i + 2)) r->i += 2;
    uint32_t name = r->i;
    if (cu_is(f, name, "true") || cu_is(f, name, "false")) {
        r->i++;
        return known(cu_is(f, name, "true"));
    }
    if (cu_read_call(f, name + 1, &call) && call.close < r->end) {
        v = of_call(r, name, &call);
        r->i = call.close + 1;
    } else {
        v = cu_is(f, name, CU_WARP_SIZE) ? known(32) : of_name(r, name);
        r->i = name + 1;
    }
    while (r->i < r->end) {
        bool member = cu_is(f, r->i, ".") || cu_is(f, r->i, "->");
        bool opens = cu_is(f, r->i, "[") || cu_is(f, r->i, "(");
        if (opens && f->tokens.v[r->i].partner < r->end) {
            r->i = f->tokens.v[r->i].partner + 1;
        } else if (member && cu_is_word(f, r->i + 1)) {
            bool rank = cu_is(f, r->i + 1, CU_GROUP_RANK) && cu_is(f, r->i + 2, "(");
            r->i += rank ? 4 : 2;
            if (rank) return known(r->trial->lane);
            bool field = v.known && name_at(r->l, name, 0)->kind == N_CONSTANT;
            if (field) continue; /* of a parameter: the same for all */
        } else {
            break;
        }
        v = nothing;
    }
    return v;
}

static struct number operand(struct reader *r) {
    const struct cu *f = r->l->f;
    struct number n = nothing;
    if (r->i >= r->end || ++r->depth > 4 * DEEP) return nothing;
    if (f->tokens.v[r->i].kind == CU_NUMBER) {
        n.known = cu_integer(cu_text(f, r->i++), &n.v);
        return n;
    }
    if (cu_is(f, r->i, "(") && f->tokens.v[r->i].partner < r->end) {
        uint32_t open = r->i, close = f->tokens.v[open].partner;
        bool cast = lanes_is_cast(f, open, r->end);
        r->i = close + 1;
        return cast ? operand(r) : value_of(r, r->frame, open + 1, close);
    }
    static const char *const signs[] = {"~", "-", "+", "!", "*", "&", "++", "--"};
    for (size_t k = 0; k < ARRAY_LEN(signs); k++) {
        if (!cu_is(f, r->i, signs[k])) continue;
        r->i++;
        n = operand(r);
        n.v = k == 0 ? ~n.v : k == 3 ? !n.v : n.v;
        if (k == 1) n.known &= cu_compute(S("-"), 0, n.v, &n.v);
        if (k > 3) n = nothing;
        return n;
    }
    if (cu_is_word(f, r->i)) return postfix(r);
    r->i++;
    return n;
}

/* Of two conditions one may do. */
static struct number either(bool both, struct number a, struct number b) {
    if (a.known && !a.v == both) return known(!both);
    if (b.known && !b.v == both) return known(!both);
    if (both && (a.known || b.known)) return known(1); /* as far as the file tells */
    return a.known && b.known ? known(both) : nothing;
}

static struct number expression(struct reader *r, int weakest) {
    const struct cu *f = r->l->f;
    struct number a = operand(r);
    for (;;) {
        uint32_t tokens, at = r->i;
        int s = (int)cu_operator(f, at, r->end, &tokens);
        if (s == CU_NO_OPERATOR || s < weakest) return a;
        r->i += tokens;
        struct number b = expression(r, s == CU_CHOOSES ? s : s + 1), out = {0};
        if (s == CU_CHOOSES) {
            if (!cu_is(f, r->i, ":")) return nothing;
            r->i++;
            struct number c = expression(r, CU_CHOOSES);
            a = a.known ? (a.v ? b : c) : nothing;
        } else if (s == CU_AND || s == CU_OR) {
            a = either(s == CU_AND, a, b);
        } else {
            out.known =
                a.known && b.known && cu_compute(cu_span(f, at, at + tokens), a.v, b.v, &out.v);
            a = out;
        }
    }
}

bool lanes_number(struct lanes *l, const struct lane_frame *frame, uint32_t first, uint32_t last,
                  const struct lane_trial *trial, int64_t *out) {
    struct reader r = {l, frame, trial, first, last, 0};
    struct number n = value_of(&r, frame, first, last);
    *out = n.v;
    return n.known;
}
