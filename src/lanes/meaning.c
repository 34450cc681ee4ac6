/* SPDX-License-Identifier: Apache-2.0 */
/* meaning.c - what an expression is to a warp, by the definitions of the names in it. */
#include "lanes/lanes.h"

enum { DEEP = 14 };

/* ---- expressions ---- */

struct reader {
    struct lanes *l;
    uint32_t i, end;
    int depth;
};

static const struct meant nothing = {.constant = NO_NODE};

static struct meant expression(struct reader *r, int weakest);

static struct meant mean(struct lanes *l, uint32_t first, uint32_t last, int depth) {
    if (depth > DEEP || first >= last) return nothing;
    struct reader r = {l, first, last, depth};
    struct meant m = expression(&r, 0);
    return r.i == last ? m : nothing;
}

struct meant lanes_mean(struct lanes *l, uint32_t first, uint32_t last) {
    return mean(l, first, last, 0);
}

static struct meant of(enum meaning m) {
    struct meant out = nothing;
    out.m = m;
    out.wide = m == MN_MASK;
    return out;
}

/* Whether a type holds no more than 32 bits. */
static bool is_narrow(struct lanes *l, struct str type) { return lanes_word(l, "type", type); }

static struct meant of_definition(struct lanes *l, uint32_t i, int depth);

/* The k-th argument that the file's calls give a function: the first that means something. */
static struct meant argument_of_calls(struct lanes *l, uint32_t scope, uint32_t k, int depth) {
    enum { MANY = 64 };
    struct cu *f = l->f;
    uint32_t name = l->functions.v[scope].name;
    uint32_t i = l->functions.v[lanes_function_named(l, cu_text(f, name))].calls;
    for (int n = 0; n < MANY && i; i = l->calls.v[i - 1].next, n++) {
        struct cu_call call;
        uint32_t at = l->calls.v[i - 1].token;
        if (at == name || !cu_read_call(f, at + 1, &call) || call.arguments.n <= k) continue;
        const struct cu_argument *a = &call.arguments.v[k];
        struct meant m = mean(l, a->first, a->last, depth + 1);
        if (m.m) return m;
    }
    return nothing;
}

/* Which parameter of its function a definition is. */
static uint32_t position_of(const struct lanes *l, const struct definition_of *d) {
    const struct lane_function *fn = &l->functions.v[d->scope];
    struct cu_call call = {0};
    cu_split(l->f, fn->open + 1, fn->close, &call);
    for (uint32_t k = 0; k < call.arguments.n; k++)
        if (d->token >= call.arguments.v[k].first && d->token < call.arguments.v[k].last) return k;
    return UINT32_MAX;
}

/* Of a member that the class declares behind its functions. */
static struct str member_type(struct cu *f, const struct definition_of *d) {
    for (uint32_t i = d->token; (i = cu_same_after(f, i)) != NO_NODE && i + 1 < f->tokens.n;) {
        bool declares = cu_is(f, i + 1, ";") || cu_is(f, i + 1, "=") || cu_is(f, i + 1, "{");
        if (!declares || !cu_is_word(f, i - 1)) continue;
        if (!cu_is(f, i - 1, "return")) return cu_declared_type(f, i, d->name);
    }
    return (struct str){0};
}

struct str lanes_type(const struct lanes *l, const struct definition_of *d) {
    struct cu *f = l->f;
    uint32_t first = d->token;
    struct str type = {0};
    if (!cu_is(f, first + 1, "(")) type = cu_declared_type(f, first, d->name);
    if (type.n) return type;
    if (d->scope == MEMBERS) return member_type(f, d);
    while (first > 0) { /* T name(value), T<n> name */
        uint32_t i = first - 1;
        if (cu_is(f, i, ">"))
            while (i > 0 && !cu_is(f, i, "<") && !cu_is(f, i, ";")) i--;
        bool part = cu_is_word(f, i) || cu_is(f, i, "::") || cu_is(f, i, "<") ||
                    cu_is(f, i, "*") || cu_is(f, i, "&");
        if (!part || f->tokens.v[i].directive != f->tokens.v[d->token].directive) break;
        first = i;
    }
    return cu_span(f, first, d->token);
}

static struct meant of_definition(struct lanes *l, uint32_t i, int depth) {
    enum { UNKNOWN, BUSY, DONE };
    struct definition_of *d = &l->definitions.v[i];
    if (d->state == BUSY || depth > DEEP) return nothing;
    if (d->state == DONE) return d->meant;
    d->state = BUSY;
    struct meant m = nothing;
    if (d->first < d->last) {
        m = mean(l, d->first, d->last, depth + 1);
    } else if (d->scope != NO_NODE) {
        uint32_t k = position_of(l, d);
        if (k != UINT32_MAX) m = argument_of_calls(l, d->scope, k, depth);
    }
    d = &l->definitions.v[i];
    struct str type = lanes_type(l, d);
    if (!m.m && lanes_word(l, "tile_type", type)) m = of(MN_TILE);
    if (!m.m && lanes_word(l, "group_type", type)) m = of(MN_GROUP);
    if (!m.m && lanes_word(l, "team_type", type)) m = of(MN_TEAM);
    if (!d->macro && is_narrow(l, type)) m.wide = false;
    if (!d->fixed) m.known = false;
    d->state = DONE;
    return d->meant = m;
}

/* By the words that people use. */
static struct meant by_name(struct lanes *l, struct str name) {
    static const struct {
        const char *key;
        enum meaning m;
    } words[] = {{"lane", MN_LANE},
                 {"warps", MN_WARPS},
                 {"warp", MN_WARP},
                 {"thread", MN_THREAD},
                 {"threads", MN_THREADS}};
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (lanes_word(l, words[k].key, name)) return of(words[k].m);
    return nothing;
}

/* What a scope's definitions of a name make of it: the last before the token, else a later one. */
static bool best_in(struct reader *r, struct str name, uint32_t scope, uint32_t token,
                    struct meant *best) {
    enum { MANY = 64 }; /* what gets a value in more places has no meaning of its own */
    struct lanes *l = r->l;
    uint32_t best_at = 0, i = NO_NODE;
    for (int n = 0; n < MANY && (i = lanes_definition(l, name, scope, i)) != NO_NODE; n++) {
        uint32_t at = l->definitions.v[i].token;
        bool fixed = l->definitions.v[i].fixed, before = at <= token;
        if (scope == NO_NODE && !fixed && !l->definitions.v[i].macro) continue;
        struct meant m = of_definition(l, i, r->depth);
        if ((!m.m && !m.known) || (best->m && (!before || at < best_at))) continue;
        m.constant = m.known && fixed ? i : NO_NODE;
        *best = m;
        best_at = before ? at : best_at;
    }
    return best->m || best->known;
}

static struct meant of_name(struct reader *r, uint32_t token) {
    struct str name = cu_text(r->l->f, token);
    uint32_t scope = lanes_function_of(r->l, token);
    struct meant best = nothing;
    if (str_is(name, CU_WARP_SIZE)) return of(MN_WIDTH);
    bool found = scope != NO_NODE && best_in(r, name, scope, token, &best);
    if (!found && lanes_is_member(name)) found = best_in(r, name, MEMBERS, token, &best);
    if (!found) found = best_in(r, name, NO_NODE, token, &best);
    if (!found) best.known = cu_number_of(r->l->f, name, &best.value);
    if (!best.m) best.m = by_name(r->l, name).m;
    return best;
}

/* ---- calls ---- */

/* What the file's own function of that name returns. */
static struct meant of_function(struct lanes *l, struct str name, int depth) {
    uint32_t k = lanes_function_named(l, name);
    if (k == NO_NODE) return nothing;
    struct lane_function *fn = &l->functions.v[k];
    if (fn->asked) return fn->returns;
    fn->asked = true;
    fn->returns = nothing;
    struct meant m = nothing;
    for (uint32_t i = fn->body; !m.m && i < fn->end; i++)
        if (cu_is(l->f, i, "return")) m = mean(l, i + 1, lanes_value_end(l->f, i + 1), depth + 1);
    if (fn->name > 0 && is_narrow(l, cu_text(l->f, fn->name - 1))) m.wide = false;
    m.known = false;
    return fn->returns = m;
}

static struct meant argument(struct reader *r, const struct cu_call *call, size_t k) {
    if (call->arguments.n <= k) return nothing;
    return mean(r->l, call->arguments.v[k].first, call->arguments.v[k].last, r->depth + 1);
}

static struct meant cast_to(struct lanes *l, struct str type, struct meant m) {
    if (is_narrow(l, type))
        m.wide = false;
    else if (lanes_word(l, "wide_type", type))
        m.wide = true;
    return m;
}

static struct meant of_call(struct reader *r, struct str name, const struct cu_call *call) {
    struct lanes *l = r->l;
    if (lanes_word(l, "votes", name)) return of(MN_MASK);
    if (lanes_word(l, "shuffles", name)) return argument(r, call, str_ends(name, S("_sync")));
    if (str_is(name, "min") || str_is(name, "max")) return argument(r, call, 0);
    if (call->template_last > call->template_first && str_ends(name, S("_cast")))
        return cast_to(l, cu_span(l->f, call->template_first + 1, call->template_last - 1),
                       argument(r, call, 0));
    if (call->arguments.n == 1 && (is_narrow(l, name) || lanes_word(l, "wide_type", name)))
        return cast_to(l, name, argument(r, call, 0));
    if (str_is(name, CU_TILE_GROUP)) {
        bool sized = call->template_last > call->template_first || call->arguments.n == 2;
        return of(sized ? MN_TILE : MN_NONE);
    }
    if (lanes_word(l, "group_makers", name)) return of(MN_GROUP);
    if (str_is(name, CU_BLOCK_GROUP)) return of(MN_TEAM);
    struct meant m = of_function(l, name, r->depth);
    return m.m ? m : by_name(l, name);
}

static struct meant of_member_call(struct reader *r, struct meant object, struct str name) {
    if (lanes_word(r->l, "member_votes", name))
        return of(object.m == MN_GROUP ? MN_MASK : MN_NONE);
    if (str_is(name, CU_GROUP_RANK)) return of(object.m == MN_TEAM ? MN_THREAD : MN_NONE);
    if (object.m == MN_TEAM && (str_is(name, "size") || str_is(name, CU_GROUP_THREADS)))
        return of(MN_THREADS);
    if (object.m == MN_TILE || object.m == MN_GROUP) return nothing;
    return by_name(r->l, name);
}

/* threadIdx.x and its like, whose members are known. */
static bool of_builtin(struct reader *r, struct meant *out) {
    const struct cu *f = r->l->f;
    static const struct {
        const char *name;
        enum meaning x, other;
    } names[] = {{CU_THREAD_INDEX, MN_THREAD, MN_NONE},
                 {CU_BLOCK_SIZE, MN_THREADS, MN_NONE},
                 {CU_BLOCK_INDEX, MN_BLOCK, MN_BLOCK},
                 {CU_GRID_SIZE, MN_BLOCK, MN_BLOCK}};
    for (size_t k = 0; k < ARRAY_LEN(names); k++) {
        if (!cu_is(f, r->i, names[k].name)) continue;
        *out = of(cu_is(f, r->i + 2, "x") ? names[k].x : names[k].other);
        r->i += 3;
        return true;
    }
    return false;
}

static struct meant of_member(struct reader *r, uint32_t token) {
    struct str name = cu_text(r->l->f, token);
    struct meant best = nothing;
    if (str_is(name, CU_WARP_SIZE)) return of(MN_WIDTH);
    best_in(r, name, MEMBERS, token, &best);
    best.known = false;
    return best.m ? best : by_name(r->l, name);
}

/* A name, what it belongs to, its arguments, subscripts and members. */
static struct meant postfix(struct reader *r) {
    struct cu *f = r->l->f;
    struct meant m;
    if (of_builtin(r, &m)) return m;
    while (cu_is(f, r->i + 1, "::") && cu_is_word(f, r->i + 2)) r->i += 2;
    bool member = false;
    for (m = nothing; r->i < r->end;) {
        uint32_t name = r->i;
        struct cu_call call;
        if (cu_read_call(f, name + 1, &call) && call.close < r->end) {
            m = member ? of_member_call(r, m, cu_text(f, name))
                       : of_call(r, cu_text(f, name), &call);
            r->i = call.close + 1;
        } else {
            m = member ? of_member(r, name) : of_name(r, name);
            r->i = name + 1;
        }
        while (r->i < r->end && cu_is(f, r->i, "[") && f->tokens.v[r->i].partner != NO_NODE)
            r->i = f->tokens.v[r->i].partner + 1;
        bool joins = cu_is(f, r->i, ".") || cu_is(f, r->i, "->");
        if (!joins || r->i + 1 >= r->end || !cu_is_word(f, r->i + 1)) break;
        member = true;
        r->i++;
    }
    return m;
}

/* ---- operands ---- */

bool lanes_is_split(const struct lanes *l, uint32_t token) {
    const struct cu *f = l->f;
    uint32_t k = lanes_function_of(l, token);
    if (!cu_is_word(f, token) || k == NO_NODE) return false;
    for (uint32_t i = l->functions.v[k].body; i + 3 < l->functions.v[k].end; i++) {
        bool shifted = cu_is(f, i + 1, ">") && cu_is(f, i + 2, ">") && cu_is(f, i + 3, "32");
        if (shifted && str_eq(cu_text(f, i), cu_text(f, token))) return true;
    }
    return false;
}

static bool starts_operand(const struct cu *f, uint32_t i) {
    return cu_is_word(f, i) || f->tokens.v[i].kind == CU_NUMBER || cu_is(f, i, "(") ||
           cu_is(f, i, "~");
}

/* Whether the parentheses at `open` hold a type, so that they are a cast. */
bool lanes_is_cast(const struct cu *f, uint32_t open, uint32_t end) {
    uint32_t close = open < end ? f->tokens.v[open].partner : NO_NODE;
    bool type = false;
    if (!cu_is(f, open, "(") || close == NO_NODE || close + 1 >= end) return false;
    for (uint32_t i = open + 1; i < close; i++) {
        if (!cu_is_word(f, i) && !cu_is(f, i, "::") && !cu_is(f, i, "*")) return false;
        type |= lanes_is_type_word(f, i);
    }
    return (type || (close == open + 2 && cu_is_word(f, close + 1))) &&
           (starts_operand(f, close + 1) || cu_is(f, close + 1, "-"));
}

static struct meant number(struct reader *r) {
    struct str text = cu_text(r->l->f, r->i++);
    struct meant m = nothing;
    m.known = cu_integer(text, &m.value);
    for (size_t k = 0; k < text.n; k++) m.wide |= (text.p[k] | 32) == 'l';
    if (!m.known && str_find(text, S("."), 0) < text.n) {
        size_t point = str_find(text, S("."), 0);
        m.known = m.real = cu_integer(str_sub(text, 0, point), &m.value);
        for (size_t k = point + 1; k < text.n; k++)
            if (text.p[k] != '0' && (text.p[k] | 32) != 'f') m.known = false;
    }
    return m;
}

static struct meant operand(struct reader *r) {
    struct cu *f = r->l->f;
    if (r->i >= r->end || ++r->depth > 4 * DEEP) return nothing;
    if (f->tokens.v[r->i].kind == CU_NUMBER) return number(r);
    if (cu_is(f, r->i, "(") && f->tokens.v[r->i].partner < r->end) {
        uint32_t open = r->i, close = f->tokens.v[open].partner;
        if (lanes_is_cast(f, open, r->end)) {
            r->i = close + 1;
            struct meant m = operand(r);
            if (m.m == MN_MASK && lanes_is_split(r->l, close + 1)) return nothing;
            if (m.known && m.value == -1) m.value = 0xffffffff;
            return cast_to(r->l, cu_span(f, open + 1, close), m);
        }
        r->i = close + 1;
        return mean(r->l, open + 1, close, r->depth + 1);
    }
    static const char *const signs[] = {"~", "-", "+", "!", "*", "&", "++", "--"};
    for (size_t k = 0; k < ARRAY_LEN(signs); k++) {
        if (!cu_is(f, r->i, signs[k])) continue;
        r->i++;
        struct meant m = operand(r);
        if (k == 0) m.value = ~m.value;
        if (k == 1) m.known &= cu_compute(S("-"), 0, m.value, &m.value);
        if (k > 2) m = nothing;
        m.constant = NO_NODE;
        return m;
    }
    if (cu_is_word(f, r->i)) return postfix(r);
    r->i++;
    return nothing;
}

/* ---- operators ---- */

static bool is_either(struct meant a, struct meant b, enum meaning m) {
    return a.m == m || b.m == m;
}

static enum meaning sum(struct meant a, struct meant b, bool minus) {
    struct meant other = a.m ? b : a;
    if (is_either(a, b, MN_MASK)) return MN_MASK;
    if (is_either(a, b, MN_BIT)) return MN_BIT;
    if (is_either(a, b, MN_LANE) && other.known) return MN_LANE;
    if (is_either(a, b, MN_THREADS) && (other.known || is_either(a, b, MN_WIDTH)))
        return MN_THREADS;
    if (is_either(a, b, MN_WIDTH) && other.known) return MN_WIDTH; /* warpSize - 1 */
    if (is_either(a, b, MN_WARP) && other.known) return MN_WARP;
    bool thread = is_either(a, b, MN_THREAD) && !minus;
    if (thread && (other.known || is_either(a, b, MN_BLOCK) || a.m == b.m ||
                   is_either(a, b, MN_LANE) || is_either(a, b, MN_THREADS)))
        return MN_THREAD;
    return is_either(a, b, MN_BLOCK) && other.known ? MN_BLOCK : MN_NONE;
}

static enum meaning product(struct meant a, struct meant b) {
    bool width =
        (a.known && a.value == 32) || (b.known && b.value == 32) || is_either(a, b, MN_WIDTH);
    if (is_either(a, b, MN_WARP) && width) return MN_THREAD;
    if (is_either(a, b, MN_WARPS) && width) return MN_THREADS;
    if (a.m == MN_BLOCK && b.m == MN_BLOCK) return MN_BLOCK;
    if (is_either(a, b, MN_THREADS) && (a.known || b.known)) return MN_THREADS;
    return is_either(a, b, MN_BLOCK) || is_either(a, b, MN_THREADS) ? MN_BLOCK : MN_NONE;
}

static enum meaning quotient(struct meant a, bool width) {
    if (!width) return MN_NONE;
    return a.m == MN_THREAD ? MN_WARP : a.m == MN_THREADS ? MN_WARPS : MN_NONE;
}

static enum meaning combine(char op, struct meant a, struct meant b) {
    bool lanes = (b.known && b.value == 32) || b.m == MN_WIDTH;
    switch (op) {
    case '+':
    case '-':
        return sum(a, b, op == '-');
    case '*':
        return product(a, b);
    case '/':
        return quotient(a, lanes);
    case '%':
        return lanes && a.m == MN_THREAD ? MN_LANE : MN_NONE;
    case '>':
        if (a.m == MN_MASK && b.known && b.value == 32) return MN_NONE; /* the upper half */
        return a.m == MN_MASK || a.m == MN_BIT ? a.m : quotient(a, b.known && b.value == 5);
    case '<':
        if (a.m == MN_MASK || a.m == MN_BIT) return a.m;
        return b.m == MN_LANE ? MN_BIT : MN_NONE;
    case '&':
        if (is_either(a, b, MN_MASK))
            return (a.known && a.value == 1) || (b.known && b.value == 1) ? MN_NONE : MN_MASK;
        if (is_either(a, b, MN_BIT)) return MN_BIT;
        if (is_either(a, b, MN_THREAD) &&
            (is_either(a, b, MN_WIDTH) || a.value == 31 || b.value == 31))
            return MN_LANE;
        return MN_NONE;
    case '|':
    case '^':
        return is_either(a, b, MN_MASK) ? MN_MASK : is_either(a, b, MN_BIT) ? MN_BIT : MN_NONE;
    }
    return MN_NONE;
}

static struct meant both(struct str op, struct meant a, struct meant b) {
    struct meant out = nothing;
    out.known = a.known && b.known && cu_compute(op, a.value, b.value, &out.value);
    out.real = a.real || b.real;
    out.m = combine(op.p[0], a, b);
    bool mask = is_either(a, b, MN_MASK);
    out.wide = mask ? (a.m != MN_MASK || a.wide) && (b.m != MN_MASK || b.wide) : a.wide || b.wide;
    if (op.p[0] == '<') out.wide = a.wide;
    return out;
}

/* Reads what binds at least as strongly as `weakest`. */
static struct meant expression(struct reader *r, int weakest) {
    const struct cu *f = r->l->f;
    struct meant a = operand(r);
    for (;;) {
        uint32_t tokens, at = r->i;
        int s = (int)cu_operator(f, at, r->end, &tokens);
        if (s == CU_NO_OPERATOR || s < weakest) return a;
        r->i += tokens;
        struct meant b = expression(r, s + 1);
        if (s == CU_CHOOSES) {
            if (!cu_is(f, r->i, ":")) return nothing;
            r->i++;
            struct meant c = expression(r, CU_CHOOSES);
            a = b.m ? b : c;
            a.known = false;
        } else if (s == CU_ORDERS || s == CU_EQUALS || s == CU_AND || s == CU_OR) {
            a = nothing;
        } else {
            a = both(cu_span(f, at, at + tokens), a, b);
        }
    }
}
