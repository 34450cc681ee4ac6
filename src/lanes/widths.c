/* SPDX-License-Identifier: Apache-2.0 */
/* widths.c - where code takes a warp for 32 lanes: arithmetic, constants, masks and their bits. It
 * asks values.c what operands are, and reports only what such a value proves or a name of the
 * rules' vocabulary says; it rewrites nothing. */
#include "lanes/lanes.h"

/* ---- arithmetic ---- */

struct operation {
    char op;
    bool compares;
    uint32_t at, right, end; /* tokens: the operator, its right side, behind that */
};

static bool read_operation(struct lanes *l, uint32_t i, struct operation *out) {
    const struct cu *f = l->f;
    static const char *const marks[] = {
        "%", "/", "&", "*", "%=", "/=", "&=", "==", "!=", "<", ">=", ">"};
    enum { FIRST_COMPARISON = 7 };
    bool angle = cu_is(f, i, ">") && i > 0 && cu_is(f, i - 1, ">");
    bool shift = cu_is(f, i, ">") && (cu_is(f, i + 1, ">") || cu_is(f, i + 1, ">="));
    if (i == 0 || angle || f->tokens.v[i].kind != CU_PUNCT) return false;
    *out = (struct operation){.op = '>', .at = i, .right = i + 2};
    for (size_t k = 0; !shift && k < ARRAY_LEN(marks); k++) {
        if (!cu_is(f, i, marks[k])) continue;
        out->op = marks[k][0];
        out->compares = k >= FIRST_COMPARISON;
        out->right = i + 1;
    }
    if (out->right == i + 2 && !shift) return false;
    uint32_t operand = out->right;
    if (lanes_is_cast(f, operand, (uint32_t)f->tokens.n))
        operand = f->tokens.v[operand].partner + 1;
    if (cu_is(f, operand, "~") || cu_is(f, operand, "-")) operand++;
    out->end = cu_operand_after(f, operand);
    return out->end != NO_NODE;
}

static enum cu_strength strength_of(const struct operation *o) {
    return o->compares    ? CU_ORDERS
           : o->op == '>' ? CU_SHIFTS
           : o->op == '&' ? CU_BIT_AND
                          : CU_TIMES;
}

static uint32_t left_of(const struct lanes *l, uint32_t at, enum cu_strength strength) {
    const struct cu *f = l->f;
    uint32_t start = at;
    for (;;) {
        uint32_t before = cu_operand_before(f, start);
        if (before == NO_NODE || before >= start) return start;
        start = before;
        while (start > 0 && cu_is(f, start - 1, ")") &&
               f->tokens.v[start - 1].partner != NO_NODE &&
               lanes_is_cast(f, f->tokens.v[start - 1].partner, (uint32_t)f->tokens.n))
            start = f->tokens.v[start - 1].partner;
        uint32_t tokens, op = start - 1;
        if (start < 2) return start;
        if (cu_is(f, op, ">") && cu_is(f, op - 1, ">")) op--;
        enum cu_strength s = cu_operator(f, op, (uint32_t)f->tokens.n, &tokens);
        if (s < strength || op + tokens != start || s == CU_NO_OPERATOR) return start;
        start = op;
    }
}

/* The variable that the expression from `start` on is put into, or an empty string. */
static struct str goal(const struct cu *f, uint32_t start) {
    if (start < 2) return (struct str){0};
    uint32_t equals = start - 1;
    while (equals > 1 && cu_is(f, equals, "(")) equals--;
    if (cu_is_word(f, equals) && cu_is(f, equals + 1, "(")) /* = std::min(...) */
        for (uint32_t i = equals; i > 1; i--) {
            if (cu_is(f, i - 1, "=")) return cu_text(f, i - 2);
            if (!cu_is_word(f, i - 1) && !cu_is(f, i - 1, "::")) break;
        }
    bool made = cu_is_word(f, equals) && equals + 1 < start && cu_is_word(f, equals - 1) &&
                !cu_is(f, equals - 1, "return"); /* T name(value) */
    if (made) return cu_text(f, equals);
    bool gives = cu_is(f, equals, "=") || cu_is(f, equals, "/=");
    return gives ? cu_text(f, equals - 1) : (struct str){0};
}

static bool goal_is_lane(struct lanes *l, struct str name) {
    return name.n && lanes_word(l, "goal", name);
}

/* The definition of the constant that is all there is in tokens [first, last) but numbers. */
static uint32_t named_in(struct lanes *l, uint32_t first, uint32_t last, bool *any_word) {
    uint32_t found = NO_NODE;
    *any_word = false;
    for (uint32_t i = first; i < last; i++) {
        if (!cu_is_word(l->f, i)) continue;
        *any_word = true;
        uint32_t d = lanes_constant(l, i);
        if (d != NO_NODE) found = d;
    }
    return found;
}

/* Whether that value on the right makes lanes or warps of what is on the left. */
static bool divides(const struct operation *o, struct lane_value left, struct lane_value right) {
    bool counts = left.m == LV_THREAD || left.m == LV_THREADS;
    if (o->compares) return left.m == LV_LANE && right.value == 31;
    switch (o->op) {
    case '%':
        return counts && right.value == 32 && !right.real;
    case '/':
        return counts && right.value == 32;
    case '>':
        return counts && right.value == 5;
    case '&':
        return counts && (right.value == 31 || right.value == -32 || right.value == 0xffffffe0 ||
                          right.value == ~(int64_t)31);
    case '*':
        return (left.m == LV_WARP || left.m == LV_WARPS) && right.value == 32;
    default:
        return false;
    }
}

static bool may_divide(const struct operation *o, int64_t value) {
    return o->compares    ? value == 31
           : o->op == '>' ? value == 5
           : o->op == '&' ? value == 31 || value == -32 || value == 0xffffffe0
                          : value == 32;
}

/* lane + steps: it is compared with the last lane all the same. */
static bool has_lane(struct lanes *l, uint32_t first, uint32_t last) {
    bool lane = false;
    for (uint32_t i = first; i < last; i++) {
        static const char *const marks[] = {"(", ")", "+", "-"};
        bool mark = false;
        for (size_t k = 0; k < ARRAY_LEN(marks); k++) mark |= cu_is(l->f, i, marks[k]);
        if (!mark && !cu_is_word(l->f, i) && l->f->tokens.v[i].kind != CU_NUMBER) return false;
        if (cu_is_word(l->f, i)) lane |= lanes_word(l, "lane", cu_text(l->f, i));
    }
    return lane;
}

static void look_at_width(struct lanes *l, const struct operation *o) {
    struct cu *f = l->f;
    struct lane_value right = lanes_evaluate(l, o->right, o->end), left;
    if (o->op != '*' && (!right.known || !may_divide(o, right.value))) return;
    uint32_t start = left_of(l, o->at, strength_of(o)), first = o->right, last = o->end;
    left = lanes_evaluate(l, start, o->at);
    if (o->compares && !left.m && has_lane(l, start, o->at)) left.m = LV_LANE;
    if (o->op == '*' && left.known && (right.m == LV_WARP || right.m == LV_WARPS)) {
        struct lane_value swapped = left;
        left = right, right = swapped;
        first = start, last = o->at;
    }
    if (!right.known || !may_divide(o, right.value)) return;
    bool divisor = !o->compares && o->op != '*';
    bool proven = divides(o, left, right);
    bool other = left.m != LV_LANE;
    bool rounds = o->op == '*' && last == first + 1 && f->tokens.v[first].kind == CU_NUMBER &&
                  lanes_word(l, "threads", goal(f, start));
    bool named_goal = divisor && other && goal_is_lane(l, goal(f, start));
    if (!proven && !named_goal && !rounds) return;
    bool words;
    uint32_t constant = named_in(l, first, last, &words);
    if (constant == NO_NODE && words) { /* another file's: told there, if its name says it */
        bool alone = last == first + 1 && !lanes_is_width_name(l, cu_text(f, first));
        if (alone && named_goal && proven) lanes_event(l, "width", start, o->end);
        return;
    }
    if (constant != NO_NODE) {
        if (proven && named_goal) lanes_use_as_width(l, constant);
        return;
    }
    lanes_event(l, "width", start, o->end);
}

/* `__shfl_sync(mask, v, 31)`: the last lane. */
static void look_at_last_lane(struct lanes *l, uint32_t i) {
    struct cu *f = l->f;
    struct cu_call call;
    if (!lanes_word(l, "indexed_shuffles", cu_text(f, i)) || !cu_read_call(f, i + 1, &call))
        return;
    size_t lane = str_ends(cu_text(f, i), S("_sync")) ? 2 : 1;
    if (call.arguments.n != lane + 1) return;
    const struct cu_argument *a = &call.arguments.v[lane];
    bool words;
    struct lane_value m = lanes_evaluate(l, a->first, a->last);
    named_in(l, a->first, a->last, &words);
    if (m.known && m.value == 31 && !words) lanes_event(l, "width", i, call.close + 1);
}

/* ---- shifts ---- */

/* Whether nothing in the file tells what the name stands for: a parameter, a member. */
static bool is_untold(struct lanes *l, uint32_t token) {
    struct str name = cu_text(l->f, token);
    uint32_t scope = lanes_function_of(l, token);
    for (uint32_t i = NO_NODE; (i = lanes_definition(l, name, scope, i)) != NO_NODE;)
        if (l->definitions.v[i].first < l->definitions.v[i].last) return false;
    return true;
}

/* Whether the function around the token asks what lanes say. */
static bool function_votes(struct lanes *l, uint32_t token) {
    uint32_t k = lanes_function_of(l, token);
    for (uint32_t i = k == NO_NODE ? 0 : l->functions.v[k].body; k != NO_NODE; i++) {
        if (i >= l->functions.v[k].end) break;
        struct str word = cu_text(l->f, i);
        if (cu_is_word(l->f, i) &&
            (lanes_word(l, "votes", word) || lanes_word(l, "distant_shuffles", word)))
            return true;
    }
    return false;
}

/* Whether the tokens call it a lane, or the function asks lanes for something. */
static bool is_surely_lane(struct lanes *l, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (cu_is(l->f, i, CU_THREAD_INDEX) ||
            (cu_is_word(l->f, i) && lanes_word(l, "lane", cu_text(l->f, i))))
            return true;
    return function_votes(l, first);
}

static void look_at_shift(struct lanes *l, uint32_t i) {
    struct cu *f = l->f;
    bool left_shift = cu_is(f, i, "<<");
    bool right_shift = cu_is(f, i, ">") && cu_is(f, i + 1, ">");
    uint32_t right = i + (left_shift ? 1 : 2);
    if (!left_shift && !right_shift) return;
    if (lanes_is_cast(f, right, (uint32_t)f->tokens.n)) right = f->tokens.v[right].partner + 1;
    uint32_t end = cu_operand_after(f, right);
    if (end == NO_NODE || lanes_evaluate(l, right, end).m != LV_LANE ||
        !is_surely_lane(l, right, end))
        return;
    uint32_t start = left_of(l, i, 8);
    struct lane_value m = lanes_evaluate(l, start, i);
    bool named = !m.m && !m.known && i == start + 1 && is_untold(l, start) &&
                 lanes_word(l, "mask", cu_text(f, start)) &&
                 lanes_word(l, "type", cu_declared_type(f, start, cu_text(f, start)));
    bool number = m.known && (left_shift ? m.value != 0 : m.value >= 0x7fffffff);
    if (m.wide || (!number && !named && m.m != LV_MASK && m.m != LV_BIT)) return;
    lanes_event(l, "shift", start, end);
}

/* ---- masks ---- */

/* The type of what an element of an array or what a reference stands for. */
static struct str pointee(struct str type) {
    static const char *const ends[] = {"*", "&", " ", "const", "__restrict__", "__restrict"};
    for (bool again = true; again;) {
        again = false;
        for (size_t k = 0; k < ARRAY_LEN(ends); k++)
            if (type.n > strlen(ends[k]) && str_ends(type, str_of(ends[k]))) {
                type.n -= strlen(ends[k]);
                again = true;
            }
    }
    return type;
}

static bool keeps_32_bits(struct lanes *l, const struct definition_of *d) {
    struct str type = lanes_type(l, d);
    bool reference = type.n && type.p[type.n - 1] == '&';
    return lanes_word(l, "type", d->element || reference ? pointee(type) : type);
}

static bool is_wide_mask(struct lanes *l, uint32_t first, uint32_t last) {
    struct lane_value m = lanes_evaluate(l, first, last);
    return m.m == LV_MASK && m.wide;
}

static void look_at_definition(struct lanes *l, uint32_t i) {
    struct definition_of d = l->definitions.v[i];
    if (d.macro || d.first >= d.last) return;
    if (is_wide_mask(l, d.first, d.last) && keeps_32_bits(l, &d))
        lanes_event(l, "variable", d.token, d.last);
}

/* (unsigned)mask, unsigned(mask), static_cast<unsigned>(mask) */
static void look_at_cast(struct lanes *l, uint32_t i) {
    struct cu *f = l->f;
    if (lanes_is_cast(f, i, (uint32_t)f->tokens.n)) {
        uint32_t close = f->tokens.v[i].partner, end = cu_operand_after(f, close + 1);
        if (end != NO_NODE && lanes_word(l, "type", cu_span(f, i + 1, close)) &&
            !lanes_is_split(l, close + 1) && is_wide_mask(l, close + 1, end))
            lanes_event(l, "variable", i, end);
        return;
    }
    struct cu_call call;
    struct str type = cu_text(f, i);
    if (!cu_is_word(f, i) || (!str_ends(type, S("_cast")) && !lanes_word(l, "type", type))) return;
    if (!cu_read_call(f, i + 1, &call) || call.arguments.n != 1) return;
    if (call.template_last > call.template_first && str_ends(type, S("_cast")))
        type = cu_span(f, call.template_first + 1, call.template_last - 1);
    if (lanes_word(l, "type", type) && !lanes_is_split(l, call.open + 1) &&
        is_wide_mask(l, call.open + 1, call.close))
        lanes_event(l, "variable", i, call.close + 1);
}

/* A mask given to a function of the file that takes 32 bits. */
static void look_at_arguments(struct lanes *l, uint32_t i) {
    struct cu *f = l->f;
    struct cu_call call, parameters = {0};
    if (!cu_is_word(f, i) || !cu_is(f, i + 1, "(")) return;
    uint32_t k = lanes_function_named(l, cu_text(f, i));
    if (k == NO_NODE || l->functions.v[k].name == i || !cu_read_call(f, i + 1, &call)) return;
    const struct lane_function *fn = &l->functions.v[k];
    cu_split(f, fn->open + 1, fn->close, &parameters);
    for (size_t n = 0; n < call.arguments.n && n < parameters.arguments.n; n++) {
        const struct cu_argument *a = &call.arguments.v[n], *p = &parameters.arguments.v[n];
        if (p->last < p->first + 2) continue;
        if (lanes_word(l, "type", cu_span(f, p->first, p->last - 1)) &&
            is_wide_mask(l, a->first, a->last))
            lanes_event(l, "variable", a->first, a->last);
    }
}

static void look_at_return(struct lanes *l, uint32_t i) {
    uint32_t end = lanes_value_end(l->f, i + 1);
    if (cu_is(l->f, i, "return") && is_wide_mask(l, i + 1, end)) lanes_event(l, "return", i, end);
}

static void look_at_bits(struct lanes *l, uint32_t i) {
    struct cu *f = l->f;
    struct cu_call call;
    if (!lanes_word(l, "bit_functions", cu_text(f, i)) || !cu_read_call(f, i + 1, &call)) return;
    if (!call.arguments.n) return;
    uint32_t first = call.arguments.v[0].first, last = call.arguments.v[0].last;
    struct lane_value m = lanes_evaluate(l, first, last);
    bool named = !m.m && !m.known && last == first + 1 && is_untold(l, first) &&
                 lanes_word(l, "mask", cu_text(f, first)) && function_votes(l, i);
    if (m.m == LV_MASK || named) lanes_event(l, "bits", i, call.close + 1);
}

/* ---- groups ---- */

/* Whether the name at a token is one of the namespace cooperative_groups. */
static bool is_of_groups(const struct lanes *l, uint32_t i) {
    const struct cu *f = l->f;
    if (!cu_is(f, i - 1, "::")) return false;
    if (cu_is(f, i - 2, CU_GROUPS)) return true;
    for (uint32_t t = 0; t + 3 < f->tokens.n; t++)
        if (cu_is(f, t, "namespace") && str_eq(cu_text(f, t + 1), cu_text(f, i - 2)) &&
            cu_is(f, t + 2, "=") && cu_is(f, t + 3, CU_GROUPS))
            return true;
    return lanes_word((struct lanes *)l, "groups", cu_text(f, i - 2));
}

/* reduce(tile, v), cg::labeled_partition(tile, key), cg::cluster_group */
static void look_at_group(struct lanes *l, uint32_t i) {
    struct cu *f = l->f;
    struct row_ref row;
    struct cu_call call;
    const char *key = arena_printf(f->a, "group:%.*s", STR_ARG(cu_text(f, i))).p;
    if (i < 2 || !lanes_row(l, key, &row) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return;
    bool qualified = is_of_groups(l, i), calls = cu_read_call(f, i + 1, &call);
    bool has_group = false;
    if (!qualified && !cu_is(f, i - 1, "::") && calls && call.arguments.n) {
        const struct cu_argument *a = &call.arguments.v[0];
        enum value_kind m = (enum value_kind)lanes_evaluate(l, a->first, a->last).m;
        has_group = m == LV_TILE || m == LV_GROUP || m == LV_TEAM;
    }
    if (qualified || has_group)
        lanes_event(l, key, qualified ? i - 2 : i, calls ? call.close + 1 : i + 1);
}

/* ---- constants ---- */

static bool has_word(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (cu_is_word(f, i)) return true;
    return false;
}

/* `n < 32 ? n : 32` and min(n, 32): 32 at most. */
static bool ends_at_32(const struct cu *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first + 1; i < last; i++) {
        int64_t n;
        bool choice = cu_is(f, i - 1, ":") || cu_is(f, i - 1, ",") || cu_is(f, i - 1, "?");
        if (choice && f->tokens.v[i].kind == CU_NUMBER && cu_integer(cu_text(f, i), &n) && n == 32)
            return true;
    }
    return false;
}

static void look_at_constant(struct lanes *l, uint32_t i) {
    struct definition_of d = l->definitions.v[i];
    if (d.first >= d.last || d.element) return;
    if (has_word(l->f, d.first, d.last)) {
        if (ends_at_32(l->f, d.first, d.last) && lanes_rule_word(l, "constant", "name", d.name))
            lanes_event(l, "constant", d.macro ? d.token - 2 : d.token, d.last);
        return;
    }
    struct lane_value m = lanes_evaluate(l, d.first, d.last);
    if (!m.known || m.real) return;
    const char *key = m.value == 32 ? "name" : m.value == 5 ? "log" : m.value == 31 ? "mask" : "";
    if (*key && lanes_rule_word(l, "constant", key, d.name))
        lanes_event(l, "constant", d.macro ? d.token - 2 : d.token, d.last);
}

static bool is_argument_for_mask(struct lanes *l, const struct definition_of *d, uint32_t i) {
    struct cu *f = l->f;
    if (i < 2 || i + 1 >= f->tokens.n || !cu_is(f, i - 1, "(")) return false;
    if (d->scope != NO_NODE && lanes_function_of(l, i) != d->scope) return false;
    bool alone = cu_is(f, i + 1, ",") || cu_is(f, i + 1, ")");
    return alone && lanes_word(l, "takes_mask", cu_text(f, i - 2));
}

/* Whether the name is given to a function as the lanes that take part, by itself or by what it is
 * the value of. */
static bool is_given_as_mask(struct lanes *l, uint32_t definition, int depth) {
    enum { DEEP = 3 };
    struct cu *f = l->f;
    const struct definition_of d = l->definitions.v[definition];
    uint32_t first = d.token, i;
    while ((i = cu_same_before(f, first)) != NO_NODE) first = i;
    for (i = first; i != NO_NODE; i = cu_same_after(f, i))
        if (is_argument_for_mask(l, &d, i)) return true;
    for (i = first; depth < DEEP && d.fixed && i != NO_NODE; i = cu_same_after(f, i)) {
        uint32_t other = lanes_valued(l, i);
        if (other != NO_NODE && is_given_as_mask(l, other, depth + 1)) return true;
    }
    return false;
}

static bool names_constant(struct lanes *l, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (cu_is_word(l->f, i) && lanes_constant(l, i) != NO_NODE) return true;
    return false;
}

static void look_at_full_mask(struct lanes *l, uint32_t i) {
    struct definition_of d = l->definitions.v[i];
    struct str text = d.first < d.last ? cu_span(l->f, d.first, d.last) : S("");
    if (!text.n || d.element) return;
    if (lanes_word(l, "wide_number", text) || names_constant(l, d.first, d.last)) return;
    struct lane_value m = lanes_evaluate(l, d.first, d.last);
    bool full = m.known && (m.value == 0xffffffff || m.value == -1);
    if (!full && !lanes_rule_word(l, "full-mask", "value", text)) return;
    struct str type = lanes_type(l, &d);
    if (!d.macro && lanes_word(l, "wide_type", type)) return;
    if (lanes_rule_word(l, "full-mask", "name", d.name) || is_given_as_mask(l, i, 0))
        lanes_event(l, "full-mask", d.macro ? d.token - 2 : d.token, d.last);
}

static void tell_widths(struct lanes *l) {
    for (size_t i = 0; i < l->widths.n; i++) {
        const struct definition_of *d = &l->definitions.v[l->widths.v[i]];
        lanes_event(l, "constant", d->macro ? d->token - 2 : d->token, d->last);
    }
}

/* ---- all of them ---- */

/* Files without any of these words are not about lanes. */
static bool is_worth(struct lanes *l) {
    for (uint32_t i = 0; i < l->f->tokens.n; i++)
        if (cu_is_word(l->f, i) && lanes_word(l, "worth", cu_text(l->f, i))) return true;
    return false;
}

static void look_everywhere(struct lanes *l) {
    const struct cu *f = l->f;
    bool groups = false; /* whether the file names their namespace */
    for (uint32_t i = 0; i < f->tokens.n; i++)
        groups |= cu_is(f, i, CU_GROUPS) || f->tokens.v[i].kind == CU_HEADER;
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        uint32_t d = f->tokens.v[i].directive;
        if (d && f->directives.v[d - 1].kind != CD_DEFINE) continue;
        struct operation o;
        if (read_operation(l, i, &o)) look_at_width(l, &o);
        look_at_shift(l, i);
        look_at_cast(l, i);
        if (!cu_is_word(f, i)) continue;
        look_at_bits(l, i);
        look_at_arguments(l, i);
        look_at_return(l, i);
        look_at_last_lane(l, i);
        if (groups) look_at_group(l, i);
    }
    for (uint32_t i = 0; i < l->definitions.n; i++) {
        look_at_definition(l, i);
        look_at_constant(l, i);
        look_at_full_mask(l, i);
    }
    tell_widths(l);
    lanes_find_loops(l);
    lanes_find_reductions(l);
    lanes_find_lockstep(l);
}

static int by_first(const void *x, const void *y, const void *context) {
    const struct lane_event *a = x, *b = y;
    (void)context;
    return (a->first > b->first) - (a->first < b->first);
}

/* Adds the matches of what was found. */
static void add_events(struct cu *f, struct lanes *l) {
    sort_stable(f->a, l->events.v, l->events.n, sizeof *l->events.v, by_first, NULL);
    for (size_t i = 0; i < l->events.n; i++) {
        const struct lane_event *e = &l->events.v[i];
        struct cu_match m = {.kind = CU_SEQUENCE, .first = e->first, .last = e->last};
        size_t cursor = 0;
        while (rules_find(f->rules, M_LANES, str_of(e->key), &cursor, &m.row))
            if (cu_add_lanes(f, m)) break;
    }
}

void cu_match_lanes(struct cu *f) {
    struct lanes l = {.f = f};
    if (!lanes_row(&l, "width", &l.words) || !is_worth(&l)) return;
    lanes_read(&l);
    look_everywhere(&l);
    add_events(f, &l);
}

void cu_match_lockstep(struct cu *f) {
    const struct rules *own = f->rules;
    struct rules all = *own;
    struct lanes l = {.f = f};
    bool shared = false;
    for (uint32_t i = 0; i < f->tokens.n && !shared; i++)
        shared =
            cu_is(f, i, "volatile") || cu_is(f, i, CU_SHARED_WORD) || cu_is(f, i, CU_DEVICE_WORD);
    if (!shared || !target_writes_kernels(f->target)) return;
    all.lint = true; /* whose vocabulary this is */
    f->rules = &all;
    if (lanes_row(&l, "width", &l.words)) {
        lanes_read(&l);
        lanes_find_reductions(&l);
        lanes_find_lockstep(&l);
        add_events(f, &l);
    }
    f->rules = own;
}
