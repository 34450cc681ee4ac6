/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c - what C++ in kernels may be on NVIDIA's and not in SYCL, where a kernel neither makes
 * objects of its own nor calls what the compiler can't see: memory from the heap, virtual
 * functions, pointers to functions, recursion, variables that outlive the call, loops that wait
 * for other work-items. DPC++ refuses such a kernel, AdaptiveCpp runs it on the CPU alone. Nothing
 * is rewritten: the places are told, by rules of check's, and a port to SYCL leaves them to a
 * human. */
#include "sycl/sycl.h"

static bool is_member(const struct cu *f, uint32_t i) {
    return i > 0 && (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"));
}

/* Whether code of the device may run the function. */
static bool is_of_device(const struct sycl *s, const struct sy_function *one) {
    if (one->f != s->f) return false;
    if (one->kernel || one->lambda || one->ported) return true;
    for (uint32_t i = one->head; i < one->open; i++)
        if (sy_is_qualifier(s, s->f, i) && !cu_is(s->f, i, CU_HOST_WORD)) return true;
    return false;
}

static void add(struct sycl *s, uint32_t first, uint32_t last, const char *key) {
    struct cu *f = s->f;
    struct cu_match m = {.kind = CU_SEQUENCE, .first = first, .last = last};
    size_t cursor = 0;
    while (rules_find(f->rules, M_LANES, str_of(key), &cursor, &m.row))
        if (cu_add_lanes(f, m)) break;
}

/* ---- memory ---- */

static const struct sy_function *declared(const struct sycl *s, struct str name) {
    const struct sy_function *found = NULL;
    for (size_t i = 0; i < s->functions.n; i++) {
        const struct sy_function *one = &s->functions.v[i];
        if (!one->lambda && cu_is_word(one->f, one->name) &&
            str_eq(cu_text(one->f, one->name), name))
            found = one;
    }
    return found;
}

/* new T, delete p, malloc(n), free(p); not new (place) T. */
static bool allocates(const struct sycl *s, uint32_t i) {
    const struct cu *f = s->f;
    if (is_member(f, i) || cu_is(f, i - 1, "operator") || cu_is(f, i - 1, "::")) return false;
    if (cu_is(f, i, "new")) return cu_is_word(f, i + 1);
    if (cu_is(f, i, "delete")) return !cu_is(f, i - 1, "=");
    if (!rules_lists(f->rules, "sycl.heap", cu_text(f, i)) || !cu_is(f, i + 1, "(")) return false;
    bool declares = cu_is_word(f, i - 1) && !str_listed(cu_text(f, i - 1), S("return else do"));
    return !declares && !declared(s, cu_text(f, i));
}

/* ---- variables ---- */

/* static int x; but no constant, and nothing that has a place of its own on CUDA. */
static bool outlives(const struct sycl *s, uint32_t i) {
    const struct cu *f = s->f;
    uint32_t first = i;
    if (!cu_is(f, i, "static")) return false;
    while (!str_listed(cu_text(f, first - 1), S("; { } )"))) first--;
    for (uint32_t k = first; k < f->tokens.n && !str_listed(cu_text(f, k), S("; = [ {")); k++)
        if (str_listed(cu_text(f, k), S("const constexpr (")) || cu_is(f, k, CU_SHARED_WORD) ||
            rules_lists(f->rules, "sycl.removed", cu_text(f, k)))
            return false;
    return true;
}

/* ---- calls ---- */

/* How many there are between the parentheses that begin at `open`. */
static size_t count(const struct cu *f, uint32_t open) {
    struct cu_call list = {0};
    uint32_t close = f->tokens.v[open].partner;
    if (close == NO_NODE || close == open + 1) return 0;
    cu_split(f, open + 1, close, &list);
    return list.arguments.n;
}

/* `v.x, v.y` at `open`: numbers of vectors, which are no vectors. */
static bool takes_elements(const struct cu *f, uint32_t open) {
    uint32_t close = f->tokens.v[open].partner;
    for (uint32_t i = open + 1; i < close; i += 4)
        if (!cu_is_word(f, i) || !cu_is(f, i + 1, ".") ||
            !str_listed(cu_text(f, i + 2), S("x y z w")) ||
            !str_listed(cu_text(f, i + 3), S(", )")))
            return false;
    return close > open + 1;
}

/* A function of the program's under a name whose calls a port to SYCL writes anew. */
static bool is_overload(const struct sycl *s, const struct sy_function *one) {
    struct str same;
    return !one->lambda && cu_is_word(one->f, one->name) &&
           rules_word_row(s->f->rules, "sycl.calls", cu_text(one->f, one->name), &same) &&
           !str_eq(same, cu_text(one->f, one->name));
}

/* A call by the function's own name that can be no overload's. */
static bool recurs(const struct sycl *s, const struct sy_function *in, uint32_t i) {
    const struct cu *f = s->f;
    if (in->lambda || in->bare || !cu_is_word(f, in->name) || is_overload(s, in) ||
        !cu_is(f, i + 1, "("))
        return false;
    if (!str_eq(cu_text(f, i), cu_text(f, in->name)) || is_member(f, i)) return false;
    if (cu_is(f, i - 1, "::") || f->tokens.v[i + 1].partner == NO_NODE) return false;
    for (uint32_t k = in->head; k < in->name; k++)
        if (cu_is(f, k, "template") || cu_is(f, k, "constexpr")) return false;
    for (size_t k = 0; k < s->functions.n; k++) {
        const struct sy_function *other = &s->functions.v[k];
        if (other != in && !other->lambda && cu_is_word(other->f, other->name) &&
            other->body != NO_NODE && str_eq(cu_text(other->f, other->name), cu_text(f, i)))
            return false;
    }
    return count(f, i + 1) == count(f, in->open) && !takes_elements(f, i + 1);
}

/* Whether the function is a class's, which the token is no part of: its bare name is another's. */
static bool is_of_other_class(const struct sycl *s, const struct sy_function *one, uint32_t i) {
    const struct cu *f = one->f;
    uint32_t block = one->head;
    while (block-- > 0 && !cu_is(f, block, "{"))
        if (cu_is(f, block, "}") && f->tokens.v[block].partner != NO_NODE)
            block = f->tokens.v[block].partner;
    if (block == NO_NODE || (f == s->f && block < i && i < f->tokens.v[block].partner))
        return false;
    while (block-- > 0 && !str_listed(cu_text(f, block), S("; { }")))
        if (str_listed(cu_text(f, block), S("class struct union"))) return true;
    return false;
}

/* The name of a device function where it is no call: it is handed on, or kept. */
static bool takes_pointer(struct sycl *s, uint32_t i) {
    struct cu *f = s->f;
    if (is_member(f, i) || !str_listed(cu_text(f, i + 1), S(", ) ; }"))) return false;
    if (!str_listed(cu_text(f, i - 1), S("& ( , = { return"))) return false;
    const struct sy_function *one = declared(s, cu_text(f, i));
    if (!one || one->kernel || one->makes || one->body == NO_NODE) return false;
    if (is_of_other_class(s, one, i)) return false;
    return !sy_is_declared_at(s, i) && !sy_is_shadowed_at(s, i, cu_text(f, i));
}

/* ---- loops ---- */

/* Whether the function's head declares the word volatile. */
static bool is_volatile(const struct cu *f, const struct sy_function *in, struct str word) {
    bool found = false;
    for (uint32_t i = in->open; i != NO_NODE && i < in->close; i++) {
        found |= cu_is(f, i, "volatile");
        if (cu_is(f, i, ",")) found = false;
        if (found && str_eq(cu_text(f, i), word) && str_listed(cu_text(f, i + 1), S(", )")))
            return true;
    }
    return false;
}

/* do {..} while (again); token i is the do: reads again and again what others write, and neither
 * waits for them nor leaves. */
static bool waits_for_others(const struct sycl *s, const struct sy_function *in, uint32_t i) {
    const struct cu *f = s->f;
    bool reads = false;
    if (!cu_is(f, i, "do") || !cu_is(f, i + 1, "{")) return false;
    uint32_t close = f->tokens.v[i + 1].partner;
    if (close == NO_NODE || !cu_is(f, close + 1, "while") || !cu_is(f, close + 2, "("))
        return false;
    uint32_t negated = cu_is(f, close + 3, "!");
    if (!cu_is_word(f, close + 3 + negated) || !cu_is(f, close + 4 + negated, ")")) return false;
    for (uint32_t k = i + 2; k < close; k++) {
        struct str word = cu_text(f, k), same;
        if (!cu_is_word(f, k)) continue;
        if (str_listed(word, S("break return goto")) ||
            rules_lists(f->rules, "sycl.barriers", word) ||
            rules_lists(f->rules, "sycl.waiting", word) ||
            rules_word_row(f->rules, "sycl.calls", word, &same) || sy_needs_item(s, word))
            return false;
        reads |= cu_is(f, k + 1, "[") && is_volatile(f, in, word);
    }
    return reads;
}

/* ---- all of it ---- */

static void look_at_head(struct sycl *s, const struct sy_function *one) {
    struct cu *f = s->f;
    if (is_overload(s, one)) add(s, one->name, one->name + 1, "overload");
    for (uint32_t i = one->head; !one->lambda && i < one->open; i++)
        if (cu_is(f, i, "virtual")) add(s, i, i + 1, "virtual");
    if (one->open == NO_NODE) return;
    for (uint32_t i = one->open; i + 4 < one->close; i++) /* float (*f)(float) */
        if (cu_is(f, i, "(") && cu_is(f, i + 1, "*") && cu_is_word(f, i + 2) &&
            cu_is(f, i + 3, ")") && cu_is(f, i + 4, "("))
            add(s, i + 2, i + 3, "pointer");
}

static void look_at_word(struct sycl *s, const struct sy_function *in, uint32_t i) {
    if (waits_for_others(s, in, i))
        add(s, i, i + 1, "waiting");
    else if (allocates(s, i))
        add(s, i, i + 1, "allocation");
    else if (outlives(s, i))
        add(s, i, i + 1, "static");
    else if (recurs(s, in, i))
        add(s, i, i + 1, "recursion");
    else if (takes_pointer(s, i))
        add(s, i, i + 1, "pointer");
}

static bool in_variable(const struct sycl *s, uint32_t i) {
    for (size_t k = 0; k < s->variables.n; k++) {
        const struct sy_variable *v = &s->variables.v[k];
        if (v->f == s->f && i > v->name && i < v->end) return true;
    }
    return false;
}

static void look_everywhere(struct cu *f) {
    struct sycl *s = sy_functions(f);
    for (size_t k = 0; k < s->functions.n; k++)
        if (is_of_device(s, &s->functions.v[k])) look_at_head(s, &s->functions.v[k]);
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || f->tokens.v[i].directive) continue;
        const struct cu_region *r = cu_region_at(f, f->tokens.v[i].start);
        if (r || cu_in_string(f, f->tokens.v[i].start)) continue;
        const struct sy_function *in = sy_function_at(s, i);
        if (in ? is_of_device(s, in) : in_variable(s, i)) {
            if (in)
                look_at_word(s, in, i);
            else if (takes_pointer(s, i))
                add(s, i, i + 1, "pointer");
        }
    }
}

void sycl_match_limits(struct cu *f) {
    const struct rules *own = f->rules;
    bool device = false;
    if (!target_fact(f->target, "sycl_kernels").n || f->target.direct) return;
    if (!f->options->lint && !f->target.sycl) return;
    for (uint32_t i = 0; i < f->tokens.n && !device; i++)
        device = cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD);
    if (!device) return;
    struct rules *all = arena_alloc(f->a, sizeof *all); /* headers that are read keep it */
    *all = *own;
    all->lint = true; /* whose rules these are */
    f->rules = all;
    look_everywhere(f);
    f->rules = own;
}
