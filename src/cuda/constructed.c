/* SPDX-License-Identifier: Apache-2.0 */
/* constructed.c - shared memory of classes that have a constructor: __shared__ Vector s[32].
 *
 * nvcc says that nobody calls the constructor, and goes on; clang refuses the variable. A target
 * may keep such variables in storage that is never constructed (`cm::shared($t..., $v, $n...)`).
 * What makes a class one is read where the file, or a header of it, defines it. */
#include "cuda/cu.h"

enum { DEEP = 4 };

static bool constructs(struct cu *f, struct str name, int depth);

/* Whether what stands at token i of a class's body, behind the parameters of a constructor or a
 * destructor, does nothing. */
static bool is_empty(const struct cu *f, uint32_t i) {
    if (cu_is(f, i, "noexcept")) i++;
    return cu_is(f, i, "{") && f->tokens.v[i].partner == i + 1;
}

/* Whether all parameters at `open` have defaults. */
static bool is_default(struct cu *f, uint32_t open) {
    struct cu_call call = {0};
    if (!cu_read_call(f, open, &call)) return false;
    for (size_t k = 0; k < call.arguments.n; k++) {
        bool given = false;
        for (uint32_t i = call.arguments.v[k].first; i < call.arguments.v[k].last; i++)
            given |= cu_is(f, i, "=") || cu_is(f, i, "void");
        if (!given) return false;
    }
    return true;
}

/* Whether a member gets its value at token i: int n = 0; int n{}; int n[2]{}; */
static bool is_given(const struct cu *f, uint32_t i) {
    static const char *const heads[] = {"struct", "class",   "union",     ":",
                                        "public", "private", "protected", "virtual"};
    uint32_t partner = f->tokens.v[i].partner;
    if (!cu_is_word(f, i - 1) && !cu_is(f, i - 1, "]")) return false;
    if (cu_is(f, i, "=")) return !cu_is(f, i + 1, "default");
    if (!cu_is(f, i, "{") || partner == NO_NODE || !cu_is(f, partner + 1, ";")) return false;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        if (cu_is(f, i - 2, heads[k])) return false;
    return true;
}

/* Whether the constructor at token i may run on the device: what says nothing is the host's, which
 * nvcc lets pass where it does nothing, and clang does not. */
static bool runs_on_device(const struct cu *f, uint32_t i) {
    while (i-- > 0 && !cu_is(f, i, ";") && !cu_is(f, i, "{") && !cu_is(f, i, "}") &&
           !cu_is(f, i, ":"))
        if (cu_is(f, i, CU_DEVICE_WORD) || cu_is(f, i, "constexpr") ||
            cu_is_capitals(cu_text(f, i)) || str_starts(cu_text(f, i), S("__")) ||
            rules_lists(f->rules, "cuda.attributes", cu_text(f, i)))
            return true;
    return false;
}

/* What a class's body says: whether making an object of it does something. */
static bool body_constructs(struct cu *f, uint32_t open, struct str name, int depth) {
    bool given = false, any = false, member = true;
    for (uint32_t i = open + 1; i < f->tokens.v[open].partner; i++) {
        uint32_t partner = f->tokens.v[i].partner;
        bool own = cu_is_word(f, i) && str_eq(cu_text(f, i), name) && cu_is(f, i + 1, "(");
        if (own && f->tokens.v[i + 1].partner != NO_NODE) {
            uint32_t behind = f->tokens.v[i + 1].partner + 1;
            if (cu_is(f, behind, "=")) continue; /* = default, = delete */
            bool ends = cu_is(f, i - 1, "~");
            if (!ends && !is_default(f, i + 1)) continue;
            if (!is_empty(f, behind) || !runs_on_device(f, i)) return true;
            any |= !ends;
        }
        if (cu_is(f, i, "virtual")) return true;
        if (cu_is(f, i, "static") || cu_is(f, i, "using") || cu_is(f, i, "enum") ||
            cu_is(f, i, "operator") || cu_is(f, i, "friend"))
            member = false;
        if (cu_is(f, i, ";") || cu_is(f, i, "}") || cu_is(f, i, ":")) member = true;
        given |= member && is_given(f, i);
        bool object = cu_is_word(f, i) && cu_is_word(f, i + 1) && member &&
                      (cu_is(f, i + 2, ";") || cu_is(f, i + 2, "[") || cu_is(f, i + 2, ",")) &&
                      depth < DEEP;
        if (object && !str_eq(cu_text(f, i), name) && constructs(f, cu_text(f, i), depth + 1))
            return true;
        if (partner != NO_NODE && partner > i) i = partner;
        if (cu_is(f, i, "}")) member = true;
    }
    return given && !any;
}

/* Whether making an object of the class of that name does something, as far as can be read. */
static bool constructs(struct cu *f, struct str name, int depth) {
    cu_read_included(f);
    for (size_t n = 0; n <= f->included.n; n++) {
        struct cu *in = n ? f->included.v[n - 1] : f;
        for (uint32_t i = 1; i + 1 < in->tokens.n; i++) {
            if (!cu_is_word(in, i) || !str_eq(cu_text(in, i), name)) continue;
            bool alias = cu_is(in, i - 1, "using") && cu_is(in, i + 1, "=") &&
                         cu_is_word(in, i + 2) && cu_is(in, i + 3, ";");
            if (alias && depth < DEEP) return constructs(f, cu_text(in, i + 2), depth + 1);
            uint32_t open = i + 1, head = i;
            while (head > 0 && i - head < 8 && !cu_is(in, head, "struct") &&
                   !cu_is(in, head, "class") && !cu_is(in, head, ";") && !cu_is(in, head, "}"))
                head--;
            if (!cu_is(in, head, "struct") && !cu_is(in, head, "class")) continue;
            if (cu_is(in, open, ":"))
                while (open < in->tokens.n && !cu_is(in, open, "{") && !cu_is(in, open, ";"))
                    open++;
            if (!cu_is(in, open, "{") || in->tokens.v[open].partner == NO_NODE) continue;
            return body_constructs(in, open, name, depth);
        }
    }
    return false;
}

static void add_capture(struct cu *f, struct cu_match *m, const char *name, uint32_t first,
                        uint32_t last) {
    struct cu_capture c = {str_of(name), first, last};
    vec_push(f->a, &m->captures, c);
}

/* The variable whose specifier stands at token i. */
static void judge(struct cu *f, uint32_t i, struct cu_match m) {
    uint32_t type = i + 1, last = type, name, end;
    while (cu_is_word(f, last) && cu_is(f, last + 1, "::")) last += 2;
    if (!cu_is_word(f, last)) return;
    name = last + 1;
    if (cu_is(f, name, "<")) {
        uint32_t close = cu_template_end(f, name);
        if (close == NO_NODE) return;
        name = close + 1;
    }
    for (end = name + 1; cu_is(f, end, "[") && f->tokens.v[end].partner != NO_NODE;)
        end = f->tokens.v[end].partner + 1;
    if (!cu_is_word(f, name) || !cu_is(f, end, ";")) return;
    if (i > 0 && cu_is_word(f, i - 1) && !cu_is(f, i - 1, "static")) return;
    if (cu_region_at(f, f->tokens.v[i].start) || !constructs(f, cu_text(f, last), 0)) return;
    m.kind = CU_SEQUENCE;
    m.first = i;
    m.last = end;
    add_capture(f, &m, "t", type, name);
    add_capture(f, &m, "v", name, name + 1);
    add_capture(f, &m, "n", name + 1, end);
    cu_add_found(f, m);
}

void cu_match_constructed(struct cu *f) {
    struct cu_match m = {0};
    if (!cu_find_row(f, "cm::shared($t..., $v, $n...)", &m)) return;
    for (uint32_t i = 0; i + 3 < f->tokens.n; i++)
        if (cu_is(f, i, CU_SHARED_WORD) && !f->tokens.v[i].directive) judge(f, i, m);
}
