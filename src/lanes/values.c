/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - the abstract value of an expression: what it is to a warp (a lane, a count, a mask)
 * and, where it is known, its number. Abstract interpretation over the definitions of names
 * (definitions.c), not over control flow: of several definitions the first that says something
 * counts, and a name's own sound only where none does. */
#include "lanes/lanes.h"

enum { DEEP = 14 };

/* ---- expressions ---- */

struct reader {
    struct lanes *l;
    uint32_t i, end;
    int depth;
};

static const struct lane_value nothing = {.constant = NO_NODE};

static struct lane_value expression(struct reader *r, int weakest);

static struct lane_value evaluate(struct lanes *l, uint32_t first, uint32_t last, int depth) {
    if (depth > DEEP || first >= last) return nothing;
    struct reader r = {l, first, last, depth};
    struct lane_value m = expression(&r, 0);
    return r.i == last ? m : nothing;
}

struct lane_value lanes_evaluate(struct lanes *l, uint32_t first, uint32_t last) {
    return evaluate(l, first, last, 0);
}

static struct lane_value of(enum value_kind m) {
    struct lane_value out = nothing;
    out.m = m;
    out.wide = m == LV_MASK;
    return out;
}

/* Whether a type holds no more than 32 bits. */
static bool is_narrow(struct lanes *l, struct str type) { return lanes_word(l, "type", type); }

static struct lane_value of_definition(struct lanes *l, uint32_t i, int depth);

/* The k-th argument that the file's calls give a function: the first that means something. */
static struct lane_value argument_of_calls(struct lanes *l, uint32_t scope, uint32_t k,
                                           int depth) {
    enum { MANY = 64 };
    struct cu *f = l->f;
    uint32_t name = l->functions.v[scope].name;
    uint32_t i = l->functions.v[lanes_function_named(l, cu_text(f, name))].calls;
    for (int n = 0; n < MANY && i; i = l->calls.v[i - 1].next, n++) {
        struct cu_call call;
        uint32_t at = l->calls.v[i - 1].token;
        if (at == name || !cu_read_call(f, at + 1, &call) || call.arguments.n <= k) continue;
        const struct cu_argument *a = &call.arguments.v[k];
        struct lane_value m = evaluate(l, a->first, a->last, depth + 1);
        if (m.m) return m;
    }
    return nothing;
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

static struct lane_value of_definition(struct lanes *l, uint32_t i, int depth) {
    enum { UNKNOWN, BUSY, DONE };
    struct definition_of *d = &l->definitions.v[i];
    if (d->state == BUSY || depth > DEEP) return nothing;
    if (d->state == DONE) return d->value;
    d->state = BUSY;
    struct lane_value m = nothing;
    if (d->first < d->last) {
        m = evaluate(l, d->first, d->last, depth + 1);
    } else if (d->scope != NO_NODE) {
        uint32_t k = lanes_parameter(l, d);
        if (k != UINT32_MAX) m = argument_of_calls(l, d->scope, k, depth);
    }
    d = &l->definitions.v[i];
    struct str type = lanes_type(l, d);
    if (!m.m && lanes_word(l, "tile_type", type)) m = of(LV_TILE);
    if (!m.m && lanes_word(l, "group_type", type)) m = of(LV_GROUP);
    if (!m.m && lanes_word(l, "team_type", type)) m = of(LV_TEAM);
    if (!d->macro && is_narrow(l, type)) m.wide = false;
    if (!d->fixed) m.known = false;
    d->state = DONE;
    return d->value = m;
}

/* By the words that people use. */
static struct lane_value value_by_name(struct lanes *l, struct str name) {
    static const struct {
        const char *key;
        enum value_kind m;
    } words[] = {{"lane", LV_LANE},
                 {"warps", LV_WARPS},
                 {CU_WARP_WORD, LV_WARP},
                 {"thread", LV_THREAD},
                 {"threads", LV_THREADS}};
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (lanes_word(l, words[k].key, name)) return of(words[k].m);
    return nothing;
}

/* What a scope's definitions of a name make of it: the last before the token, else a later one. */
static bool best_in(struct reader *r, struct str name, uint32_t scope, uint32_t token,
                    struct lane_value *best) {
    enum { MANY = 64 }; /* what gets a value in more places has no value of its own */
    struct lanes *l = r->l;
    uint32_t best_at = 0, i = NO_NODE;
    for (int n = 0; n < MANY && (i = lanes_definition(l, name, scope, i)) != NO_NODE; n++) {
        uint32_t at = l->definitions.v[i].token;
        bool fixed = l->definitions.v[i].fixed, before = at <= token;
        if (scope == NO_NODE && !fixed && !l->definitions.v[i].macro) continue;
        struct lane_value m = of_definition(l, i, r->depth);
        if ((!m.m && !m.known) || (best->m && (!before || at < best_at))) continue;
        m.constant = m.known && fixed ? i : NO_NODE;
        *best = m;
        best_at = before ? at : best_at;
    }
    return best->m || best->known;
}

static struct lane_value of_name(struct reader *r, uint32_t token) {
    struct str name = cu_text(r->l->f, token);
    uint32_t scope = lanes_function_of(r->l, token);
    struct lane_value best = nothing;
    if (str_is(name, CU_WARP_SIZE)) return of(LV_WIDTH);
    bool found = scope != NO_NODE && best_in(r, name, scope, token, &best);
    if (!found && lanes_is_member(name)) found = best_in(r, name, MEMBERS, token, &best);
    if (!found) found = best_in(r, name, NO_NODE, token, &best);
    if (!found) best.known = cu_number_of(r->l->f, name, &best.value);
    if (!best.m) best.m = value_by_name(r->l, name).m;
    return best;
}

/* ---- calls ---- */

/* What the file's own function of that name returns. */
static struct lane_value of_function(struct lanes *l, struct str name, int depth) {
    uint32_t k = lanes_function_named(l, name);
    if (k == NO_NODE) return nothing;
    struct lane_function *fn = &l->functions.v[k];
    if (fn->asked) return fn->returns;
    fn->asked = true;
    fn->returns = nothing;
    struct lane_value m = nothing;
    for (uint32_t i = fn->body; !m.m && i < fn->end; i++)
        if (cu_is(l->f, i, "return"))
            m = evaluate(l, i + 1, lanes_value_end(l->f, i + 1), depth + 1);
    if (fn->name > 0 && is_narrow(l, cu_text(l->f, fn->name - 1))) m.wide = false;
    m.known = false;
    return fn->returns = m;
}

static struct lane_value argument(struct reader *r, const struct cu_call *call, size_t k) {
    if (call->arguments.n <= k) return nothing;
    return evaluate(r->l, call->arguments.v[k].first, call->arguments.v[k].last, r->depth + 1);
}

static struct lane_value cast_to(struct lanes *l, struct str type, struct lane_value m) {
    if (is_narrow(l, type))
        m.wide = false;
    else if (lanes_word(l, "wide_type", type))
        m.wide = true;
    return m;
}

static struct lane_value of_call(struct reader *r, struct str name, const struct cu_call *call) {
    struct lanes *l = r->l;
    if (lanes_word(l, "votes", name)) return of(LV_MASK);
    if (lanes_word(l, "shuffles", name)) return argument(r, call, str_ends(name, S("_sync")));
    if (str_is(name, "min") || str_is(name, "max")) return argument(r, call, 0);
    if (call->template_last > call->template_first && str_ends(name, S("_cast")))
        return cast_to(l, cu_span(l->f, call->template_first + 1, call->template_last - 1),
                       argument(r, call, 0));
    if (call->arguments.n == 1 && (is_narrow(l, name) || lanes_word(l, "wide_type", name)))
        return cast_to(l, name, argument(r, call, 0));
    if (str_is(name, CU_TILE_GROUP)) {
        bool sized = call->template_last > call->template_first || call->arguments.n == 2;
        return of(sized ? LV_TILE : LV_NONE);
    }
    if (lanes_word(l, "group_makers", name)) return of(LV_GROUP);
    if (str_is(name, CU_BLOCK_GROUP)) return of(LV_TEAM);
    struct lane_value m = of_function(l, name, r->depth);
    return m.m ? m : value_by_name(l, name);
}

static struct lane_value of_member_call(struct reader *r, struct lane_value object,
                                        struct str name) {
    if (lanes_word(r->l, "member_votes", name))
        return of(object.m == LV_GROUP ? LV_MASK : LV_NONE);
    if (str_is(name, CU_GROUP_RANK)) return of(object.m == LV_TEAM ? LV_THREAD : LV_NONE);
    if (object.m == LV_TEAM && (str_is(name, "size") || str_is(name, CU_GROUP_THREADS)))
        return of(LV_THREADS);
    if (object.m == LV_TILE || object.m == LV_GROUP) return nothing;
    return value_by_name(r->l, name);
}

/* threadIdx.x and its like, whose members are known. */
static bool of_builtin(struct reader *r, struct lane_value *out) {
    const struct cu *f = r->l->f;
    static const struct {
        const char *name;
        enum value_kind x, other;
    } names[] = {{CU_THREAD_INDEX, LV_THREAD, LV_NONE},
                 {CU_BLOCK_SIZE, LV_THREADS, LV_NONE},
                 {CU_BLOCK_INDEX, LV_BLOCK, LV_BLOCK},
                 {CU_GRID_SIZE, LV_BLOCK, LV_BLOCK}};
    for (size_t k = 0; k < ARRAY_LEN(names); k++) {
        if (!cu_is(f, r->i, names[k].name)) continue;
        *out = of(cu_is(f, r->i + 2, "x") ? names[k].x : names[k].other);
        r->i += 3;
        return true;
    }
    return false;
}

static struct lane_value of_member(struct reader *r, uint32_t token) {
    struct str name = cu_text(r->l->f, token);
    struct lane_value best = nothing;
    if (str_is(name, CU_WARP_SIZE)) return of(LV_WIDTH);
    best_in(r, name, MEMBERS, token, &best);
    best.known = false;
    return best.m ? best : value_by_name(r->l, name);
}

/* A name, what it belongs to, its arguments, subscripts and members. */
static struct lane_value postfix(struct reader *r) {
    struct cu *f = r->l->f;
    struct lane_value m;
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
        type |= lanes_is_type_word(f, i) || (i > open + 1 && i + 1 == close && cu_is(f, i, "*"));
    }
    return (type || (close == open + 2 && cu_is_word(f, close + 1))) &&
           (starts_operand(f, close + 1) || cu_is(f, close + 1, "-"));
}

static struct lane_value number(struct reader *r) {
    struct str text = cu_text(r->l->f, r->i++);
    struct lane_value m = nothing;
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

static struct lane_value operand(struct reader *r) {
    struct cu *f = r->l->f;
    if (r->i >= r->end || ++r->depth > 4 * DEEP) return nothing;
    if (f->tokens.v[r->i].kind == CU_NUMBER) return number(r);
    if (cu_is(f, r->i, "(") && f->tokens.v[r->i].partner < r->end) {
        uint32_t open = r->i, close = f->tokens.v[open].partner;
        if (lanes_is_cast(f, open, r->end)) {
            r->i = close + 1;
            struct lane_value m = operand(r);
            if (m.m == LV_MASK && lanes_is_split(r->l, close + 1)) return nothing;
            if (m.known && m.value == -1) m.value = 0xffffffff;
            return cast_to(r->l, cu_span(f, open + 1, close), m);
        }
        r->i = close + 1;
        return evaluate(r->l, open + 1, close, r->depth + 1);
    }
    static const char *const signs[] = {"~", "-", "+", "!", "*", "&", "++", "--"};
    for (size_t k = 0; k < ARRAY_LEN(signs); k++) {
        if (!cu_is(f, r->i, signs[k])) continue;
        r->i++;
        struct lane_value m = operand(r);
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

static bool is_either(struct lane_value a, struct lane_value b, enum value_kind m) {
    return a.m == m || b.m == m;
}

static enum value_kind sum(struct lane_value a, struct lane_value b, bool minus) {
    struct lane_value other = a.m ? b : a;
    if (is_either(a, b, LV_MASK)) return LV_MASK;
    if (is_either(a, b, LV_BIT)) return LV_BIT;
    if (is_either(a, b, LV_LANE) && other.known) return LV_LANE;
    if (is_either(a, b, LV_THREADS) && (other.known || is_either(a, b, LV_WIDTH)))
        return LV_THREADS;
    if (is_either(a, b, LV_WIDTH) && other.known) return LV_WIDTH; /* warpSize - 1 */
    if (is_either(a, b, LV_WARP) && other.known) return LV_WARP;
    bool thread = is_either(a, b, LV_THREAD) && !minus;
    if (thread && (other.known || is_either(a, b, LV_BLOCK) || a.m == b.m ||
                   is_either(a, b, LV_LANE) || is_either(a, b, LV_THREADS)))
        return LV_THREAD;
    return is_either(a, b, LV_BLOCK) && other.known ? LV_BLOCK : LV_NONE;
}

static enum value_kind product(struct lane_value a, struct lane_value b) {
    bool width =
        (a.known && a.value == 32) || (b.known && b.value == 32) || is_either(a, b, LV_WIDTH);
    if (is_either(a, b, LV_WARP) && width) return LV_THREAD;
    if (is_either(a, b, LV_WARPS) && width) return LV_THREADS;
    if (a.m == LV_BLOCK && b.m == LV_BLOCK) return LV_BLOCK;
    if (is_either(a, b, LV_THREADS) && (a.known || b.known)) return LV_THREADS;
    return is_either(a, b, LV_BLOCK) || is_either(a, b, LV_THREADS) ? LV_BLOCK : LV_NONE;
}

static enum value_kind quotient(struct lane_value a, bool width) {
    if (!width) return LV_NONE;
    return a.m == LV_THREAD ? LV_WARP : a.m == LV_THREADS ? LV_WARPS : LV_NONE;
}

static enum value_kind combine(char op, struct lane_value a, struct lane_value b) {
    bool lanes = (b.known && b.value == 32) || b.m == LV_WIDTH;
    switch (op) {
    case '+':
    case '-':
        return sum(a, b, op == '-');
    case '*':
        return product(a, b);
    case '/':
        return quotient(a, lanes);
    case '%':
        return lanes && a.m == LV_THREAD ? LV_LANE : LV_NONE;
    case '>':
        if (a.m == LV_MASK && b.known && b.value == 32) return LV_NONE; /* the upper half */
        return a.m == LV_MASK || a.m == LV_BIT ? a.m : quotient(a, b.known && b.value == 5);
    case '<':
        if (a.m == LV_MASK || a.m == LV_BIT) return a.m;
        return b.m == LV_LANE ? LV_BIT : LV_NONE;
    case '&':
        if (is_either(a, b, LV_MASK))
            return (a.known && a.value == 1) || (b.known && b.value == 1) ? LV_NONE : LV_MASK;
        if (is_either(a, b, LV_BIT)) return LV_BIT;
        if (is_either(a, b, LV_THREAD) &&
            (is_either(a, b, LV_WIDTH) || a.value == 31 || b.value == 31))
            return LV_LANE;
        return LV_NONE;
    case '|':
    case '^':
        return is_either(a, b, LV_MASK) ? LV_MASK : is_either(a, b, LV_BIT) ? LV_BIT : LV_NONE;
    }
    return LV_NONE;
}

static struct lane_value both(struct str op, struct lane_value a, struct lane_value b) {
    struct lane_value out = nothing;
    out.known = a.known && b.known && cu_compute(op, a.value, b.value, &out.value);
    out.real = a.real || b.real;
    out.m = combine(op.p[0], a, b);
    bool mask = is_either(a, b, LV_MASK);
    out.wide = mask ? (a.m != LV_MASK || a.wide) && (b.m != LV_MASK || b.wide) : a.wide || b.wide;
    if (op.p[0] == '<') out.wide = a.wide;
    return out;
}

/* Reads what binds at least as strongly as `weakest`. */
static struct lane_value expression(struct reader *r, int weakest) {
    const struct cu *f = r->l->f;
    struct lane_value a = operand(r);
    for (;;) {
        uint32_t tokens, at = r->i;
        int s = (int)cu_operator(f, at, r->end, &tokens);
        if (s == CU_NO_OPERATOR || s < weakest) return a;
        r->i += tokens;
        struct lane_value b = expression(r, s + 1);
        if (s == CU_CHOOSES) {
            if (!cu_is(f, r->i, ":")) return nothing;
            r->i++;
            struct lane_value c = expression(r, CU_CHOOSES);
            a = b.m ? b : c;
            a.known = false;
        } else if (s == CU_ORDERS || s == CU_EQUALS || s == CU_AND || s == CU_OR) {
            a = nothing;
        } else {
            a = both(cu_span(f, at, at + tokens), a, b);
        }
    }
}
