/* SPDX-License-Identifier: Apache-2.0 */
/* sides.c - conditionals that are one thing for kernels and another for host code.
 *
 * NVIDIA compiles a file twice: `#ifdef __CUDA_ARCH__` is true for the device's half. A CPU has
 * one text for both. Each condition about that macro is worked out for either side. Where they
 * differ in a function that both sides call, the choice moves to run time:
 *
 *     #ifdef __CUDA_ARCH__            if (cm::in_kernel()) {
 *         atomicAdd(p, 1);                atomicAdd(p, 1);
 *     #else                           } else {
 *         *p += 1;                        *p += 1;
 *     #endif                          }
 *
 * That needs branches that are statements, and whose declarations nobody behind them uses. Where
 * only kernels come, in a function of theirs or around such functions, the device's branch is
 * taken; a function of the host's keeps its own. All other conditionals that differ are manual. It
 * asks for no macro but this one, and for those of the user's that are made of it. */
#include "cuda/cu.h"

/* ---- what a condition is on each side ---- */

struct reading {
    const struct cu *f;
    uint32_t i, end;
    bool device, known;
};

struct str cu_device_macro(const struct cu *f) {
    struct str macro = target_fact(f->target, "nvidia_device_macros");
    return macro.n ? macro : S("__CUDA_ARCH__");
}

static bool is_device_macro(const struct cu *f, uint32_t i) {
    return cu_is_word(f, i) && str_eq(cu_text(f, i), cu_device_macro(f));
}

/* What the port writes for the number: the same for both sides. */
static bool is_ported_number(const struct cu *f, uint32_t i) {
    struct str macro = target_fact(f->target, "device_macro");
    return macro.n && cu_is_word(f, i) && str_eq(cu_text(f, i), macro);
}

static int64_t alternatives(struct reading *r, int depth);

static int64_t operand(struct reading *r, int depth) {
    enum { DEEP = 20, ARCH = 800 };
    const struct cu *f = r->f;
    int64_t value = 0;
    if (r->i >= r->end || depth > DEEP) return r->known = false;
    if (cu_is(f, r->i, "!")) {
        r->i++;
        return !operand(r, depth + 1);
    }
    if (cu_is(f, r->i, "(")) {
        r->i++;
        value = alternatives(r, depth + 1);
        r->known &= cu_is(f, r->i++, ")");
        return value;
    }
    if (cu_is(f, r->i, "defined")) {
        bool brackets = cu_is(f, ++r->i, "(");
        r->i += brackets;
        r->known &= is_device_macro(f, r->i++);
        if (brackets) r->known &= cu_is(f, r->i++, ")");
        return r->device;
    }
    if (is_device_macro(f, r->i)) {
        r->i++;
        return r->device ? ARCH : 0;
    }
    if (is_ported_number(f, r->i)) {
        r->i++;
        return ARCH;
    }
    r->known &= cu_integer(cu_text(f, r->i++), &value);
    return value;
}

static int64_t comparison(struct reading *r, int depth) {
    int64_t a = operand(r, depth), b;
    uint32_t tokens;
    while (r->i < r->end && r->known) {
        enum cu_strength strength = cu_operator(r->f, r->i, r->end, &tokens);
        if (strength <= CU_AND) break;
        struct str op = cu_span(r->f, r->i, r->i + tokens);
        r->i += tokens;
        b = operand(r, depth);
        r->known &= cu_compute(op, a, b, &a);
    }
    return a;
}

static int64_t alternatives(struct reading *r, int depth) {
    bool any = false, all = comparison(r, depth) != 0;
    while (r->i < r->end && r->known) {
        bool and = cu_is(r->f, r->i, "&&");
        if (!and&&!cu_is(r->f, r->i, "||")) break;
        r->i++;
        bool next = comparison(r, depth) != 0;
        any |= !and&&all;
        all = and? all && next : next;
    }
    return any || all;
}

/* False: the condition is about other things, too. */
static bool value_of(const struct cu *f, const struct cu_directive *d, bool device, bool *value) {
    struct str word = cu_text(f, d->first + 1);
    struct reading r = {f, d->first + 2, d->last, device, true};
    if (str_is(word, "if")) {
        *value = alternatives(&r, 0) != 0;
        return r.known && r.i == r.end;
    }
    *value = str_is(word, "ifdef") == device;
    return d->last == d->first + 3 && is_device_macro(f, d->first + 2);
}

/* ---- whom a function is for ---- */

enum { HOST = 1, DEVICE = 2, EITHER = 4, SPELLED = 8 };

/* What a word before a function's name says, also as a macro. */
static int sides_of_word(struct cu *f, struct str word, int depth) {
    if (str_is(word, CU_HOST_WORD)) return HOST;
    if (str_is(word, CU_DEVICE_WORD) || str_is(word, CU_KERNEL_WORD)) return DEVICE;
    if (str_is(word, "constexpr")) return EITHER;
    int sides = 0;
    bool defined = false, capitals = word.n > 1;
    for (size_t n = 0; depth < 4 && n <= f->included.n; n++) {
        struct cu *in = n ? f->included.v[n - 1] : f;
        for (size_t i = 0; i < in->directives.n; i++) {
            const struct cu_directive *d = &in->directives.v[i];
            if (d->kind != CD_DEFINE || !str_eq(cu_text(in, d->first + 2), word)) continue;
            defined = true;
            for (uint32_t t = d->first + 3; t < d->last; t++)
                if (cu_is_word(in, t)) sides |= sides_of_word(f, cu_text(in, t), depth + 1);
        }
    }
    for (size_t i = 0; i < word.n; i++)
        capitals &= word.p[i] == '_' || (word.p[i] >= 'A' && word.p[i] <= 'Z');
    return sides | (capitals && !defined && depth == 0 ? EITHER : 0);
}

/* What the words before an opening brace say: those of a lambda, or of a local class's method. */
static int sides_of_inner(struct cu *f, uint32_t from, uint32_t brace) {
    int sides = 0;
    for (uint32_t i = brace; i-- > from && !str_listed(cu_text(f, i), S("; { }"));) {
        if (!cu_is_word(f, i)) continue;
        bool spelled = cu_is(f, i, CU_DEVICE_WORD);
        sides |= (sides_of_word(f, cu_text(f, i), 0) & ~EITHER) | (spelled ? SPELLED : 0);
    }
    return sides;
}

/* The function around token i: its body; *sides: who may call it, SPELLED if no macro says so. */
static bool function_at(struct cu *f, uint32_t i, struct byte_range *body, int *sides) {
    const struct byte_range *r;
    size_t n = cu_functions(f, &r);
    *sides = 0;
    for (size_t k = 0; k < n; k++) {
        if (i < r[k].start || i >= r[k].end) continue;
        uint32_t open = r[k].start;
        for (; open < r[k].end && !cu_is(f, open, "{"); open++)
            if (cu_is_word(f, open)) {
                int one = sides_of_word(f, cu_text(f, open), 0);
                bool spelled = cu_is(f, open, CU_DEVICE_WORD) || cu_is(f, open, CU_KERNEL_WORD);
                *sides |= one | (spelled ? SPELLED : 0);
            }
        *body = (struct byte_range){open, r[k].end - 1};
        for (uint32_t t = i; t-- > open + 1;) { /* the innermost that says something */
            uint32_t partner = f->tokens.v[t].partner;
            if (!cu_is(f, t, "{") || partner == NO_NODE || partner < i) continue;
            int inner = sides_of_inner(f, open, t);
            if (!inner) continue;
            *sides = inner;
            break;
        }
        return true;
    }
    return false;
}

/* ---- branches ---- */

/* Whether tokens [first, last) are whole statements; directives in them are. */
static bool is_statements(const struct cu *f, uint32_t first, uint32_t last) {
    uint32_t code = NO_NODE;
    for (uint32_t i = first; i < last; i++) {
        uint32_t partner = f->tokens.v[i].partner;
        if (partner != NO_NODE && (partner < first || partner >= last)) return false;
        if (!f->tokens.v[i].directive) code = i;
        bool label = cu_is(f, i, "case") || cu_is(f, i, "default") ||
                     (cu_is_word(f, i) && cu_is(f, i + 1, ":") && !cu_is(f, i - 1, "?"));
        if (label && (i == first || !cu_is(f, i - 1, "::"))) return false;
    }
    return code == NO_NODE || cu_is(f, code, ";") || cu_is(f, code, "}");
}

/* Whether code behind a branch, up to `end`, names what it declares. */
static bool is_needed(const struct cu *f, uint32_t first, uint32_t last, uint32_t behind,
                      uint32_t end) {
    static const char *const no_types = "return else goto case throw new delete sizeof do";
    for (uint32_t i = first + 1; i < last; i++) {
        uint32_t partner = f->tokens.v[i].partner;
        if (cu_is(f, i, "{") && partner != NO_NODE) i = partner;
        bool mark = cu_is(f, i - 1, "*") || str_listed(cu_text(f, i - 1), S("& && > ,"));
        bool typed =
            mark || (cu_is_word(f, i - 1) && !str_listed(cu_text(f, i - 1), str_of(no_types)));
        if (!cu_is_word(f, i) || !typed || f->tokens.v[i - 1].directive) continue;
        for (uint32_t t = behind; t < end; t++)
            if (cu_is_word(f, t) && str_eq(cu_text(f, t), cu_text(f, i))) return true;
    }
    return false;
}

/* The #else (or NULL) and the #endif of an #if. False: it has an #elif. */
static bool find_rest(const struct cu *f, const struct cu_directive *d,
                      const struct cu_directive **other, const struct cu_directive **end) {
    int depth = 0;
    *other = NULL;
    for (*end = d + 1; *end < f->directives.v + f->directives.n; ++*end) {
        depth += (*end)->kind == CD_IF;
        if (depth == 0 && (*end)->kind == CD_ENDIF) return true;
        if (depth == 0 && (*end)->kind == CD_ELIF) return false;
        if (depth == 0 && (*end)->kind == CD_ELSE) *other = *end;
        depth -= (*end)->kind == CD_ENDIF;
    }
    return false;
}

/* Whether both branches can be compiled, one behind the other. */
static bool can_choose(struct cu *f, const struct cu_directive *d, struct byte_range body) {
    const struct cu_directive *other, *end;
    if (!find_rest(f, d, &other, &end)) return false;
    uint32_t first = d->last, last = other ? other->first : end->first;
    if (!str_listed(cu_text(f, d->first - 1), S("; { }")) || body.start > d->first) return false;
    if (!is_statements(f, first, last) || is_needed(f, first, last, end->last, body.end))
        return false;
    if (!other) return true;
    return is_statements(f, other->last, end->first) &&
           !is_needed(f, other->last, end->first, end->last, body.end);
}

/* Whether the conditional only includes headers or speaks to the compiler. */
static bool is_harmless(const struct cu *f, const struct cu_directive *d) {
    const struct cu_directive *other, *end;
    if (!find_rest(f, d, &other, &end)) return false;
    for (uint32_t i = d->last; i < end->first; i++)
        if (!f->tokens.v[i].directive) return false;
    for (; d < end; d++)
        if (d->kind == CD_DEFINE) return false;
    return true;
}

/* The #if that an #elif belongs to; NULL: none. */
static const struct cu_directive *find_if(const struct cu *f, const struct cu_directive *d) {
    int depth = 0;
    if (d->kind == CD_IF) return d;
    while (d-- > f->directives.v) {
        if (d->kind == CD_IF && depth-- == 0) return d;
        depth += d->kind == CD_ENDIF;
    }
    return NULL;
}

/* Whether all that a conditional holds are functions and variables of the device. */
static bool is_for_devices(struct cu *f, const struct cu_directive *d) {
    const struct cu_directive *end, *behind = f->directives.v + f->directives.n;
    int depth = 0;
    if (!(d = find_if(f, d))) return false;
    for (end = d; end < behind; end++) {
        depth += (end->kind == CD_IF) - (end->kind == CD_ENDIF);
        if (end->kind == CD_DEFINE || end->kind == CD_UNDEF) return false;
        if (depth == 0) break;
    }
    int sides = 0;
    bool any = false;
    for (uint32_t i = d->last; end < behind && i < end->first; i++) {
        if (f->tokens.v[i].directive) continue;
        if (cu_is_word(f, i)) sides |= sides_of_word(f, cu_text(f, i), 0) & (HOST | DEVICE);
        bool body = cu_is(f, i, "{"), group = body || cu_is(f, i, "(");
        if (group && f->tokens.v[i].partner == NO_NODE) return false;
        if (group) i = f->tokens.v[i].partner;
        if (i >= end->first) return false;
        if (!body && !cu_is(f, i, ";")) continue;
        bool empty = cu_is(f, i, ";") && !sides && cu_is(f, i - 1, "}");
        if (sides != DEVICE && !empty) return false;
        any = true;
        sides = 0;
    }
    return any && !sides;
}

/* Whether a branch asks a function that only kernels have, which no constant is made of. */
static bool asks_device(const struct cu *f, const struct cu_directive *d) {
    const struct cu_directive *other, *end;
    bool device;
    if (!find_rest(f, d, &other, &end) || !value_of(f, d, true, &device)) return false;
    uint32_t first = device || !other ? d->last : other->last;
    uint32_t last = device && other ? other->first : end->first;
    for (uint32_t i = first; i < last; i++) {
        struct str word = cu_text(f, i);
        bool call = cu_is_word(f, i) && cu_is(f, i + 1, "(");
        if (call && str_starts(word, S("__")) && !str_starts(word, S("__builtin_"))) return true;
        if (rules_lists(f->rules, "cuda.atomics", word)) return true;
    }
    return false;
}

/* Whether a word of the file's or its headers is a macro that is made of the device's. */
static bool is_made_of_arch(struct cu *f, struct str word, int depth) {
    for (size_t n = 0; depth < 4 && n <= f->included.n; n++) {
        struct cu *in = n ? f->included.v[n - 1] : f;
        for (size_t i = 0; i < in->directives.n; i++) {
            const struct cu_directive *d = &in->directives.v[i];
            if (d->kind != CD_DEFINE || !str_eq(cu_text(in, d->first + 2), word)) continue;
            for (uint32_t t = d->first + 3; t < d->last; t++) {
                if (!cu_is_word(in, t)) continue;
                if (is_device_macro(in, t) || is_made_of_arch(f, cu_text(in, t), depth + 1))
                    return true;
            }
        }
    }
    return false;
}

/* Whether kernels and host code are one text there. In SYCL they are for AdaptiveCpp, and DPC++
 * compiles it twice, so that what is right for one text is right for both. */
static bool is_one_text(const struct cu *f) { return target_writes_kernels(f->target); }

bool cu_asks_side_by_macro(struct cu *f, uint32_t i) {
    uint32_t number = f->tokens.v[i].directive;
    if (!number) return false;
    uint8_t kind = f->directives.v[number - 1].kind;
    bool named = cu_is(f, i - 1, "defined") || cu_is(f, i - 2, "defined") ||
                 i < f->directives.v[number - 1].first + 2 || cu_is(f, i - 1, "ifdef") ||
                 cu_is(f, i - 1, "ifndef");
    if ((kind != CD_IF && kind != CD_ELIF) || named || is_device_macro(f, i)) return false;
    if (is_one_text(f)) cu_read_included(f);
    return is_made_of_arch(f, cu_text(f, i), 0);
}

static enum cu_sides sides_of(struct cu *f, const struct cu_directive *d, int depth);

/* Which side comes to a conditional that stands in a branch of one that is chosen at run time;
 * CU_ONE_SIDE: it stands in none. The first one around it that asks for the side says so. */
static enum cu_sides side_around(struct cu *f, const struct cu_directive *d, int depth) {
    enum { DEEP = 20 };
    int closed = 0;
    bool other = false, device, host;
    if (depth > DEEP || !(d = find_if(f, d))) return CU_ONE_SIDE;
    while (d-- > f->directives.v) {
        if (closed == 0 && (d->kind == CD_ELSE || d->kind == CD_ELIF)) other = true;
        closed += d->kind == CD_ENDIF;
        if (d->kind != CD_IF || closed-- > 0) continue;
        closed = 0;
        if (value_of(f, d, true, &device) && value_of(f, d, false, &host) && device != host) {
            enum cu_sides sides = sides_of(f, d, depth + 1);
            if (sides == CU_AT_RUN_TIME) return device != other ? CU_DEVICE_SIDE : CU_HOST_SIDE;
            return sides == CU_DEVICE_SIDE ? sides : CU_ONE_SIDE;
        }
        other = false;
    }
    return CU_ONE_SIDE;
}

/* The same where an earlier port has chosen: if (cm::in_kernel()) { .. } else { .. } */
static enum cu_sides side_of_braces(const struct cu *f, const struct cu_directive *d,
                                    struct byte_range body) {
    for (uint32_t i = d->first; i-- > body.start;) {
        if (cu_is(f, i, "}") && f->tokens.v[i].partner < i) {
            i = f->tokens.v[i].partner; /* it is closed by then */
            continue;
        }
        if (!cu_is(f, i, "{") || i < 8) continue;
        uint32_t then = cu_is(f, i - 1, "else") ? f->tokens.v[i - 2].partner : i;
        if (then == NO_NODE || then < 8 || !cu_is(f, then - 4, "in_kernel")) continue;
        bool device = cu_is(f, then - 7, "!") == (then != i);
        return device ? CU_DEVICE_SIDE : CU_HOST_SIDE;
    }
    return CU_ONE_SIDE;
}

static enum cu_sides sides_of(struct cu *f, const struct cu_directive *d, int depth) {
    bool device, host, simple = d->kind == CD_IF;
    struct byte_range body;
    int sides;
    if (!is_one_text(f) || (!simple && d->kind != CD_ELIF)) return CU_ONE_SIDE;
    bool known = simple && value_of(f, d, true, &device) && value_of(f, d, false, &host);
    if (known && device == host) return CU_ONE_SIDE;
    cu_read_included(f);
    if (!function_at(f, d->first, &body, &sides)) {
        if (known && is_harmless(f, d)) return CU_ONE_SIDE;
        return is_for_devices(f, d) ? CU_DEVICE_SIDE : CU_TWO_SIDES;
    }
    if (!(sides & (DEVICE | EITHER))) return CU_HOST_SIDE;
    bool both = (sides & DEVICE && sides & HOST) || sides & EITHER;
    both |= (sides & DEVICE) && !(sides & SPELLED);
    if (!both) return CU_ONE_SIDE;
    enum cu_sides around = side_of_braces(f, d, body);
    if (around == CU_ONE_SIDE) around = side_around(f, d, depth);
    if (around != CU_ONE_SIDE) return around;
    bool constant = sides & EITHER; /* perhaps constexpr: what makes constants asks nothing */
    if (constant && (!known || !(sides & DEVICE) || !asks_device(f, d))) return CU_TWO_SIDES;
    return known && can_choose(f, d, body) ? CU_AT_RUN_TIME : CU_TWO_SIDES;
}

enum cu_sides cu_sides_of(struct cu *f, const struct cu_directive *d) { return sides_of(f, d, 0); }

void cu_take_device(struct cu *f, uint32_t first, uint32_t last, uint32_t match) {
    for (uint32_t i = last; i-- > first;)
        if (is_device_macro(f, i))
            cu_push_edit(f, f->tokens.v[i].start, f->tokens.v[i].end,
                         target_fact(f->target, "device_macro"), match);
}

static void replace(struct cu *f, const struct cu_directive *d, const char *text, uint32_t match) {
    uint32_t start = f->tokens.v[d->first].start, end = f->tokens.v[d->last - 1].end;
    cu_push_edit(f, start, end, str_of(text), match);
}

void cu_choose_side(struct cu *f, const struct cu_directive *d, uint32_t match) {
    const struct cu_directive *other, *end;
    bool device;
    find_rest(f, d, &other, &end);
    value_of(f, d, true, &device);
    replace(f, d, device ? "if (cm::in_kernel()) {" : "if (!cm::in_kernel()) {", match);
    if (other) replace(f, other, "} else {", match);
    replace(f, end, "}", match);
}
