/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.c - what a kernel declares, with scopes, and where it is used and changed. Types are
 * read by their words alone, without a table of what other files declare: types.c asks that, and
 * what a use does to a variable is uses.c's. */
#include "kernels/kernel.h"

/* Words that can begin a type beside names. */
static bool is_qualifier(const struct cu *f, struct str word) {
    return rules_lists(f->rules, "cuda.qualifiers", word);
}
static bool is_basic(struct str word) {
    return str_listed(word, S("unsigned signed long short int float double char bool auto void "
                              "wchar_t"));
}

/* Behind a type at i, or NO_NODE. */
static uint32_t after_type(const struct cu *f, uint32_t i, uint32_t end) {
    bool seen = false;
    while (i < end && cu_is_word(f, i)) {
        struct str word = cu_text(f, i);
        if (cu_aligns(f, i) && cu_is(f, i + 1, "(")) {
            i = cu_partner(f, i + 1) + 1;
        } else if (is_qualifier(f, word)) {
            i++;
        } else if (is_basic(word)) {
            seen = true;
            i++;
        } else if (!seen) {
            while (cu_is(f, i + 1, "::") && cu_is_word(f, i + 2)) i += 2;
            uint32_t close = cu_is(f, i + 1, "<") ? cu_template_end(f, i + 1) : NO_NODE;
            i = close != NO_NODE ? close + 1 : i + 1;
            while (close != NO_NODE && cu_is(f, i, "::") && cu_is_word(f, i + 1)) i += 2;
            seen = true;
        } else {
            break;
        }
    }
    return seen ? i : NO_NODE;
}

static uint32_t after_marks(const struct cu *f, uint32_t i, struct k_variable *v) {
    for (;; i++) {
        if (cu_is(f, i, "*"))
            v->pointer = true, v->constant = false;
        else if (cu_is(f, i, "&") || cu_is(f, i, "&&"))
            v->reference = true;
        else if (cu_is(f, i, "const"))
            v->constant = true;
        else if (!str_listed(cu_text(f, i), S("__restrict__ __restrict restrict volatile")))
            return i;
    }
}

/* The end of an initialiser: a comma or the end. */
static uint32_t after_value(const struct cu *f, uint32_t i, uint32_t end) {
    for (; i < end; i++) {
        if (cu_is(f, i, ",")) return i;
        bool opens = cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
        if (opens && cu_partner(f, i) != NO_NODE) {
            i = cu_partner(f, i);
        } else if (cu_is(f, i, "<") && cu_is_word(f, i - 1)) {
            uint32_t close = cu_template_end(f, i);
            bool call = close != NO_NODE && close < end &&
                        (cu_is(f, close + 1, "(") || cu_is(f, close + 1, "::") ||
                         cu_is(f, close + 1, "{"));
            if (call) i = close;
        }
    }
    return end;
}

/* One declarator at i; *i becomes what follows. */
static bool declarator(struct kernel *k, uint32_t *i, uint32_t end, struct k_variable *v) {
    const struct cu *f = k->f;
    v->mark_first = *i;
    *i = v->mark_last = after_marks(f, *i, v);
    if (*i >= end || !cu_is_word(f, *i)) return false;
    v->token = *i;
    v->name = cu_text(f, *i);
    v->array_first = v->array_last = ++*i;
    while (*i < end && cu_is(f, *i, "[") && cu_partner(f, *i) != NO_NODE)
        v->array_last = *i = cu_partner(f, *i) + 1;
    if (*i == end || cu_is(f, *i, ",")) return true;
    if (cu_is(f, *i, "=")) {
        v->init = '=';
        v->init_first = *i + 1;
        *i = v->init_last = after_value(f, *i + 1, end);
        return true;
    }
    if ((!cu_is(f, *i, "(") && !cu_is(f, *i, "{")) || cu_partner(f, *i) == NO_NODE) return false;
    v->init = f->src.p[f->tokens.v[*i].start];
    v->init_first = *i + 1;
    v->init_last = cu_partner(f, *i);
    *i = cu_partner(f, *i) + 1;
    return *i == end || cu_is(f, *i, ",");
}

static void note_type(const struct cu *f, struct k_variable *v) {
    for (uint32_t i = v->type_first; i < v->type_last; i++) {
        v->constant |= cu_is(f, i, "const") || cu_is(f, i, "constexpr");
        v->is_static |= cu_is(f, i, "static");
        v->is_auto |= cu_is(f, i, "auto");
        if (cu_is(f, i, CU_SHARED_WORD)) v->class = K_SHARED;
        v->group |= rules_lists(f->rules, "cuda.thread_groups", cu_text(f, i));
    }
}

/* CHECK_WARP bool: no name makes a type with a word of the language's, so it is a macro. */
static bool has_macro(const struct cu *f, uint32_t first, uint32_t type) {
    for (uint32_t i = first; i + 1 < type; i++) {
        struct str word = cu_text(f, i);
        if (cu_is_word(f, i) && !is_qualifier(f, word) && !is_basic(word) &&
            is_basic(cu_text(f, i + 1)))
            return true;
    }
    return false;
}

bool k_declare(struct kernel *k, uint32_t first, uint32_t last, uint32_t statement) {
    const struct cu *f = k->f;
    while (cu_is(f, first, "[") && cu_is(f, first + 1, "[") && cu_partner(f, first) != NO_NODE)
        first = cu_partner(f, first) + 1; /* [[maybe_unused]] */
    uint32_t type = after_type(f, first, last), i = type;
    bool basic = is_basic(cu_text(f, first)) || is_qualifier(f, cu_text(f, first));
    bool call = type != NO_NODE && cu_is(f, type, "(");
    if (type != NO_NODE && has_macro(f, first, type))
        return k_fail(k, first, "a macro without a semicolon stands in the body");
    if (type == NO_NODE || i >= last || call)
        return basic && !call ? k_fail(k, first, "a declaration is not understood") : false;
    size_t before = k->v.n;
    for (;; i++) {
        struct k_variable v = {.statement = statement, .type_first = first, .type_last = type};
        note_type(f, &v);
        if (!declarator(k, &i, last, &v)) {
            k->v.n = before;
            bool certain = basic || cu_is(f, first, "auto");
            return certain ? k_fail(k, first, "a declaration is not understood") : false;
        }
        uint32_t scope = k->s.v[statement].parent;
        v.scope_first = v.token;
        v.scope_last = scope == NO_NODE ? k->close : k->s.v[scope].last;
        if (k->s.v[statement].kind == K_LOOP_HEAD) v.scope_last = NO_NODE; /* not known yet */
        v.type = k_type_of(k->f, f, first, type);
        for (uint32_t t = v.init_first; v.init && t < v.init_last; t++)
            v.group |= str_listed(cu_text(f, t), S(CU_BLOCK_GROUP " " CU_TILE_GROUP));
        vec_push(f->a, &k->v, v);
        if (i >= last) return true;
    }
}

size_t k_count_values(const struct cu *f, const struct k_variable *v) {
    uint32_t open = v->init == '{' ? v->init_first - 1 : v->init_first,
             close = cu_partner(f, open);
    struct cu_call list = {0};
    if (!v->init || !cu_is(f, open, "{") || close == NO_NODE) return 0;
    cu_split(f, open + 1, close, &list);
    size_t n = list.arguments.n; /* nothing stands behind a last comma */
    return n && list.arguments.v[n - 1].first == list.arguments.v[n - 1].last ? n - 1 : n;
}

/* Whether the words before a parameter's last one make a type: f(int64_t, int n) names one. */
static bool is_named(const struct cu *f, uint32_t first, uint32_t name) {
    struct str last = cu_text(f, name);
    if (cu_is(f, name - 1, "::") || is_basic(last) || is_qualifier(f, last)) return false;
    for (uint32_t i = first; i < name; i++)
        if (cu_is_word(f, i) && !is_qualifier(f, cu_text(f, i)) &&
            !str_listed(cu_text(f, i), S("typename struct class enum union")))
            return true;
    return false;
}

void k_declare_parameters(struct kernel *k) {
    const struct cu *f = k->f;
    struct cu_call list = {0};
    if (k->params_open + 2 == k->params_close && cu_is(f, k->params_open + 1, "void")) return;
    cu_split(f, k->params_open + 1, k->params_close, &list);
    for (size_t n = 0; n < list.arguments.n; n++) {
        uint32_t i = list.arguments.v[n].first, end = list.arguments.v[n].last;
        struct k_variable v = {.statement = NO_NODE,
                               .class = K_UNIFORM,
                               .type_first = i,
                               .scope_first = k->open,
                               .scope_last = k->close};
        uint32_t name = NO_NODE;
        for (; i < end && !cu_is(f, i, "=") && !cu_is(f, i, "["); i++) {
            if (cu_is_word(f, i)) name = i;
            v.pointer |= cu_is(f, i, "*");
            v.reference |= cu_is(f, i, "&");
            v.group |= rules_lists(f->rules, "cuda.thread_groups", cu_text(f, i));
            if (cu_is(f, i, "(") && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
        }
        if (name == NO_NODE || !is_named(f, list.arguments.v[n].first, name))
            continue; /* (), (int64_t): without a name nothing uses it */
        v.pointer |= cu_is(f, i, "[");
        for (uint32_t t = list.arguments.v[n].first; t < name && !v.pointer; t++)
            v.constant |= cu_is(f, t, "const");
        v.type_last = v.mark_first = v.mark_last = v.token = name;
        v.name = cu_text(f, name);
        v.type = k_type_of(k->f, f, v.type_first, v.type_last);
        vec_push(f->a, &k->v, v);
    }
}
