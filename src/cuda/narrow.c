/* SPDX-License-Identifier: Apache-2.0 */
/* narrow.c - numbers that a type loses something of: int at[2] = {threadIdx.x, n}.
 *
 * nvcc leaves them to the host's compiler, which takes what is no constant with a warning. clang
 * refuses them. A number whose type is certain is cast to the type that the braces are for, as the
 * row `cm::as<float>($x...)` says; what nobody can read (calls, members, macros) stays. */
#include "cuda/classes.h"

/* A type of numbers; bits 0: it is none, or nobody knows. */
struct number {
    uint8_t bits;
    bool floats, has_sign, constant;
};

static const struct {
    const char *name;
    struct number is;
} types[] = {{"float", {32, true, true, false}},
             {"double", {64, true, true, false}},
             {"char", {8, false, true, false}},
             {"signed char", {8, false, true, false}},
             {"unsigned char", {8, false, false, false}},
             {"int8_t", {8, false, true, false}},
             {"uint8_t", {8, false, false, false}},
             {"short", {16, false, true, false}},
             {"unsigned short", {16, false, false, false}},
             {"int16_t", {16, false, true, false}},
             {"uint16_t", {16, false, false, false}},
             {"int", {32, false, true, false}},
             {"unsigned int", {32, false, false, false}},
             {"unsigned", {32, false, false, false}},
             {"int32_t", {32, false, true, false}},
             {"uint32_t", {32, false, false, false}},
             {"uint", {32, false, false, false}},
             {"long long", {64, false, true, false}},
             {"unsigned long long", {64, false, false, false}},
             {"long", {64, false, true, false}},
             {"unsigned long", {64, false, false, false}},
             {"int64_t", {64, false, true, false}},
             {"uint64_t", {64, false, false, false}},
             {"size_t", {64, false, false, false}}};

static struct number type_named(struct str name) {
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_is(name, types[i].name)) return types[i].is;
    return (struct number){0};
}

/* The type of a variable at token i, or of what a subscript of it has. */
static struct number variable(struct cu *f, uint32_t i, bool subscript) {
    struct str type = cu_declared_type(f, i, cu_text(f, i));
    if (str_find(type, S("constexpr"), 0) < type.n) return (struct number){0};
    size_t end = type.n;
    while (end > 0 && strchr(subscript ? " *" : " &", type.p[end - 1])) end--;
    for (type = str_sub(type, 0, end); type.n;) { /* static const float: float */
        struct number n = type_named(type);
        size_t blank = str_find(type, S(" "), 0);
        if (n.bits || blank == type.n) return n;
        type = str_sub(type, blank + 1, type.n);
    }
    return (struct number){0};
}

static struct number literal(struct str text) {
    struct number n = {32, false, true, true};
    bool hex = text.n > 1 && text.p[0] == '0' && (text.p[1] | 32) == 'x';
    for (size_t i = 0; i < text.n; i++) {
        char c = (char)(text.p[i] | 32);
        if (text.p[i] == '.' || (!hex && c == 'e')) n.floats = true, n.bits = 64;
        if (c == 'u') n.has_sign = false;
        if (c == 'l' && !n.floats) n.bits = 64;
    }
    if (n.floats && (text.p[text.n - 1] | 32) == 'f') n.bits = 32;
    return n;
}

/* What a + b is of. */
static struct number both(struct number a, struct number b) {
    struct number n = {0};
    if (!a.bits || !b.bits) return n;
    n.constant = a.constant && b.constant;
    if (a.floats || b.floats) {
        bool twice = (a.floats && a.bits == 64) || (b.floats && b.bits == 64);
        return (struct number){twice ? 64 : 32, true, true, n.constant};
    }
    n.bits = a.bits > b.bits ? a.bits : b.bits;
    n.has_sign = true;
    if (a.bits == n.bits) n.has_sign &= a.has_sign;
    if (b.bits == n.bits) n.has_sign &= b.has_sign;
    if (n.bits < 32) n.bits = 32, n.has_sign = true;
    return n;
}

struct str cu_vector_element(const struct rules *rules, struct str type) {
    struct str element = S("");
    if (type.n && strchr("1234", type.p[type.n - 1])) type = str_sub(type, 0, type.n - 1);
    rules_word_row(rules, "cuda.vector_elements", type, &element);
    return element;
}

/* `object.member`, and std::vector's `list.size()`: the object's name is at *i - 1. */
static struct number member(struct cu *f, uint32_t *i, uint32_t last) {
    uint32_t at = *i - 1, name = at + 2;
    struct number none = {0};
    bool points = cu_is(f, at + 1, "->");
    struct cu_shape shape = cu_variable_shape(f, at, points);
    struct cu_class class;
    *i = name + 1;
    if (*i > last || !shape.type.n) return none;
    if (cu_is(f, name, CU_LIST_SIZE) && cu_is(f, name + 1, "(") && shape.arrays && !points) {
        *i = name + 3;
        return (struct number){64, false, false, false};
    }
    if (shape.arrays) return none;
    if (!points && rules_lists(f->rules, "cuda.vector_types", shape.type))
        return type_named(cu_vector_element(f->rules, shape.type));
    if (!cu_resolve(f, &shape, &class)) return none;
    const struct cu_member *m = cu_member_of(&class, cu_text(f, name));
    return m && !m->type.arrays ? type_named(m->type.type) : none;
}

static struct number computed(struct cu *f, uint32_t first, uint32_t last);

/* The operand at token *i, which goes behind it. */
static struct number operand(struct cu *f, uint32_t *i, uint32_t last) {
    struct number none = {0}, n;
    uint32_t at = *i;
    if (at >= last) return none;
    *i = at + 1;
    if (f->tokens.v[at].kind == CU_NUMBER) return literal(cu_text(f, at));
    uint32_t close = cu_is(f, at, "(") ? f->tokens.v[at].partner : NO_NODE;
    if (close != NO_NODE && close < last) return *i = close + 1, computed(f, at + 1, close);
    if (!cu_is_word(f, at)) return none;
    if (rules_lists(f->rules, "cuda.index_vectors", cu_text(f, at)) && cu_is(f, at + 1, ".")) {
        *i = at + 3;
        return (struct number){32, false, false, false};
    }
    if (cu_is(f, at + 1, ".") || cu_is(f, at + 1, "->")) return member(f, i, last);
    if (cu_is_capitals(cu_text(f, at)) && !cu_is(f, at + 1, "(") && !cu_is(f, at + 1, "["))
        return (struct number){32, false, true, true}; /* a macro: a number, an int at least */
    bool subscript = cu_is(f, at + 1, "[") && f->tokens.v[at + 1].partner != NO_NODE;
    n = variable(f, at, subscript);
    if (subscript) *i = f->tokens.v[at + 1].partner + 1;
    return n;
}

/* The type of the sum of products at tokens [first, last). */
static struct number computed(struct cu *f, uint32_t first, uint32_t last) {
    struct number n, none = {0};
    uint32_t i = first + (cu_is(f, first, "-") ? 1 : 0);
    for (n = operand(f, &i, last); n.bits && i < last;) {
        bool shifts = cu_is(f, i, "<<") || cu_is(f, i, ">>");
        bool sums = cu_is(f, i, "+") || cu_is(f, i, "-") || cu_is(f, i, "*") || cu_is(f, i, "/") ||
                    cu_is(f, i, "%");
        if (!shifts && !sums) return none;
        i++;
        struct number by = operand(f, &i, last);
        bool constant = n.constant && by.constant;
        n = by.bits ? both(n, shifts ? n : by) : none;
        n.constant &= constant;
    }
    return n;
}

static bool narrows(struct number from, struct number to) {
    if (!from.bits || from.constant) return false;
    if (to.floats) return from.floats ? from.bits > to.bits : true;
    if (from.floats) return true;
    if (from.has_sign == to.has_sign) return from.bits > to.bits;
    return from.has_sign || from.bits >= to.bits;
}

/* The target's answer to a number that the braces of that type do not take. */
static bool find_answer(const struct cu *f, struct str type, struct cu_match *m) {
    return cu_find_row(f, arena_printf(f->a, "cm::as<%.*s>($x...)", STR_ARG(type)).p, m);
}

bool cu_is_number_type(struct str type) { return type_named(type).bits > 0; }

bool cu_computes_number(struct cu *f, uint32_t first, uint32_t last) {
    return computed(f, first, last).bits > 0;
}

void cu_cast_narrowed(struct cu *f, struct str type, uint32_t first, uint32_t last) {
    struct cu_match m = {.kind = CU_SEQUENCE, .first = first, .last = last};
    struct number to = type_named(type);
    if (first >= last || !to.bits || !narrows(computed(f, first, last), to)) return;
    if (!find_answer(f, type, &m)) return;
    struct cu_capture x = {S("x"), first, last};
    vec_push(f->a, &m.captures, x);
    cu_add_found(f, m);
}

bool cu_refuses_narrowing(const struct cu *f) {
    struct cu_match unused = {0};
    bool any = f->cuda;
    for (uint32_t i = 0; i < f->tokens.n && !any; i++)
        any = cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD);
    return any && find_answer(f, S("float"), &unused);
}
