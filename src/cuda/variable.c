/* variable.c - what a kernel declares, and where it is used and changed. */
#include "cuda/kernel.h"

static uint32_t partner(const struct cu *f, uint32_t i) { return f->tokens.v[i].partner; }

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
        if (str_listed(word, S("__align__ alignas")) && cu_is(f, i + 1, "(")) {
            i = partner(f, i + 1) + 1;
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

static uint32_t after_marks(const struct cu *f, uint32_t i, struct kv *v) {
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
        if (opens && partner(f, i) != NO_NODE) {
            i = partner(f, i);
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
static bool declarator(struct kernel *k, uint32_t *i, uint32_t end, struct kv *v) {
    const struct cu *f = k->f;
    v->mark_first = *i;
    *i = v->mark_last = after_marks(f, *i, v);
    if (*i >= end || !cu_is_word(f, *i)) return false;
    v->token = *i;
    v->name = cu_text(f, *i);
    v->array_first = v->array_last = ++*i;
    while (*i < end && cu_is(f, *i, "[") && partner(f, *i) != NO_NODE)
        v->array_last = *i = partner(f, *i) + 1;
    if (*i == end || cu_is(f, *i, ",")) return true;
    if (cu_is(f, *i, "=")) {
        v->init = '=';
        v->init_first = *i + 1;
        *i = v->init_last = after_value(f, *i + 1, end);
        return true;
    }
    if ((!cu_is(f, *i, "(") && !cu_is(f, *i, "{")) || partner(f, *i) == NO_NODE) return false;
    v->init = f->src.p[f->tokens.v[*i].start];
    v->init_first = *i + 1;
    v->init_last = partner(f, *i);
    *i = partner(f, *i) + 1;
    return *i == end || cu_is(f, *i, ",");
}

static void note_type(const struct cu *f, struct kv *v) {
    for (uint32_t i = v->type_first; i < v->type_last; i++) {
        v->constant |= cu_is(f, i, "const") || cu_is(f, i, "constexpr");
        v->is_static |= cu_is(f, i, "static");
        v->is_auto |= cu_is(f, i, "auto");
        if (cu_is(f, i, "__shared__")) v->class = KV_SHARED;
        v->group |= rules_lists(f->rules, "cuda.thread_groups", cu_text(f, i));
    }
}

bool kv_declare(struct kernel *k, uint32_t first, uint32_t last, uint32_t statement) {
    const struct cu *f = k->f;
    uint32_t type = after_type(f, first, last), i = type;
    bool basic = is_basic(cu_text(f, first)) || is_qualifier(f, cu_text(f, first));
    bool call = type != NO_NODE && cu_is(f, type, "(");
    if (type == NO_NODE || i >= last || call)
        return basic && !call ? ks_fail(k, first, "a declaration of it is not understood") : false;
    size_t before = k->v.n;
    for (;; i++) {
        struct kv v = {.statement = statement, .type_first = first, .type_last = type};
        note_type(f, &v);
        if (!declarator(k, &i, last, &v)) {
            k->v.n = before;
            bool certain = basic || cu_is(f, first, "auto");
            return certain ? ks_fail(k, first, "a declaration of it is not understood") : false;
        }
        uint32_t scope = k->s.v[statement].parent;
        v.scope_first = v.token;
        v.scope_last = scope == NO_NODE ? k->close : k->s.v[scope].last;
        if (k->s.v[statement].kind == KS_LOOP_HEAD) v.scope_last = NO_NODE; /* not known yet */
        for (uint32_t t = v.init_first; v.init && t < v.init_last; t++)
            v.group |= str_listed(cu_text(f, t), S("this_thread_block tiled_partition"));
        vec_push(f->a, &k->v, v);
        if (i >= last) return true;
    }
}

size_t kv_values(const struct cu *f, const struct kv *v) {
    uint32_t open = v->init == '{' ? v->init_first - 1 : v->init_first, close = partner(f, open);
    struct cu_call list = {0};
    if (!v->init || !cu_is(f, open, "{") || close == NO_NODE) return 0;
    cu_split(f, open + 1, close, &list);
    size_t n = list.arguments.n; /* nothing stands behind a last comma */
    return n && list.arguments.v[n - 1].first == list.arguments.v[n - 1].last ? n - 1 : n;
}

void kv_parameters(struct kernel *k) {
    const struct cu *f = k->f;
    struct cu_call list = {0};
    if (k->params_open + 2 == k->params_close && cu_is(f, k->params_open + 1, "void")) return;
    cu_split(f, k->params_open + 1, k->params_close, &list);
    for (size_t n = 0; n < list.arguments.n; n++) {
        uint32_t i = list.arguments.v[n].first, end = list.arguments.v[n].last;
        struct kv v = {.statement = NO_NODE,
                       .class = KV_BLOCK,
                       .type_first = i,
                       .scope_first = k->open,
                       .scope_last = k->close};
        uint32_t name = NO_NODE;
        for (; i < end && !cu_is(f, i, "=") && !cu_is(f, i, "["); i++) {
            if (cu_is_word(f, i)) name = i;
            v.pointer |= cu_is(f, i, "*");
            v.reference |= cu_is(f, i, "&");
            v.group |= rules_lists(f->rules, "cuda.thread_groups", cu_text(f, i));
            if (cu_is(f, i, "(") && partner(f, i) != NO_NODE) i = partner(f, i);
        }
        if (name == NO_NODE) continue; /* (), (void) without a name: nothing uses it */
        v.pointer |= cu_is(f, i, "[");
        for (uint32_t t = list.arguments.v[n].first; t < name && !v.pointer; t++)
            v.constant |= cu_is(f, t, "const");
        v.type_last = v.mark_first = v.mark_last = v.token = name;
        v.name = cu_text(f, name);
        vec_push(f->a, &k->v, v);
    }
}

/* ---- uses ---- */

static uint32_t meant(const struct kernel *k, uint32_t token) {
    const struct cu *f = k->f;
    uint32_t found = NO_NODE;
    if (!cu_is_word(f, token) || f->tokens.v[token].directive) return NO_NODE;
    if (cu_is(f, token - 1, ".") || cu_is(f, token - 1, "->") || cu_is(f, token - 1, "::"))
        return NO_NODE;
    struct str name = cu_text(f, token);
    for (uint32_t n = 0; n < k->v.n; n++) {
        const struct kv *v = &k->v.v[n];
        if (token < v->scope_first || token >= v->scope_last || !str_eq(v->name, name)) continue;
        if (found == NO_NODE || v->scope_first >= k->v.v[found].scope_first) found = n;
    }
    return found;
}

static bool assigns(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<="};
    for (size_t n = 0; n < ARRAY_LEN(marks); n++)
        if (cu_is(f, i, marks[n])) return true;
    return cu_is(f, i, ">") && cu_is(f, i + 1, ">=") && //
           f->tokens.v[i].end == f->tokens.v[i + 1].start;
}

/* Whether the & before token i takes an address. */
static bool takes_address(const struct cu *f, uint32_t i) {
    if (i < 2 || !cu_is(f, i - 1, "&")) return false;
    if (cu_is(f, i - 2, "return")) return true;
    bool operand = cu_is_word(f, i - 2) || f->tokens.v[i - 2].kind == CU_NUMBER ||
                   cu_is(f, i - 2, ")") || cu_is(f, i - 2, "]");
    return !operand;
}

bool kv_changes(const struct kernel *k, uint32_t i, const struct kv *v) {
    const struct cu *f = k->f;
    if (i == v->token) return false;
    if (cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--")) return true;
    uint32_t at = i + 1;
    bool element = false, through = false;
    for (;;) {
        if (cu_is(f, at, "[") && partner(f, at) != NO_NODE) {
            element = true;
            through |= v->pointer;
            at = partner(f, at) + 1;
        } else if (cu_is(f, at, ".") && cu_is_word(f, at + 1)) {
            element = true;
            at += 2;
        } else if (cu_is(f, at, "->") && cu_is_word(f, at + 1)) {
            through = true;
            at += 2;
        } else {
            break;
        }
    }
    if (through) return false;
    bool call = element && cu_is(f, at, "(") && !v->pointer && !v->group;
    bool steps = cu_is(f, at, "++") || cu_is(f, at, "--");
    if (cu_is(f, i - 1, "*") && v->pointer && !element && !steps) return false; /* *p = x */
    return assigns(f, at) || takes_address(f, i) || call;
}

/* Whether the name alone is an argument of a function that could change it. */
static bool is_passed(const struct kernel *k, uint32_t i) {
    const struct cu *f = k->f;
    bool alone = (cu_is(f, i - 1, "(") || cu_is(f, i - 1, ",")) &&
                 (cu_is(f, i + 1, ")") || cu_is(f, i + 1, ","));
    if (!alone) return false;
    uint32_t open = i - 1;
    while (open > k->open &&
           !(cu_is(f, open, "(") && partner(f, open) != NO_NODE && partner(f, open) > i)) {
        if (cu_is(f, open, ";") || cu_is(f, open, "{")) return false;
        open--;
    }
    uint32_t callee = open - 1;
    if (cu_is(f, callee, ">")) {
        while (callee > k->open && !cu_is(f, callee, "<")) callee--;
        callee--;
    }
    if (!cu_is_word(f, callee)) return false;
    struct str name = cu_text(f, callee);
    if (str_listed(name, S("if for while switch return sizeof static_cast reinterpret_cast")) ||
        kv_at(k, callee) != NO_NODE)
        return false;
    return !kq_keeps_arguments(k, name);
}

uint32_t kv_at(const struct kernel *k, uint32_t token) {
    size_t low = 0, high = k->uses.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (k->uses.v[mid].token < token)
            low = mid + 1;
        else
            high = mid;
    }
    return low < k->uses.n && k->uses.v[low].token == token ? k->uses.v[low].variable : NO_NODE;
}

/* Variables of one name in one block. */
static void find_twice(struct kernel *k) {
    for (uint32_t n = 0; n < k->v.n; n++)
        for (uint32_t m = 0; k->v.v[n].statement != NO_NODE && m < n; m++) {
            struct kv *a = &k->v.v[n], *b = &k->v.v[m];
            if (b->statement == NO_NODE || !str_eq(a->name, b->name)) continue;
            if (k->s.v[a->statement].parent == k->s.v[b->statement].parent)
                a->twice = b->twice = true;
        }
}

/* Whether a macro's text names a variable that is none of its parameters. */
static bool macro_names(struct cu *f, const struct cu_directive *d, struct str name) {
    uint32_t i = d->first + 3, body = i;
    bool call = cu_is(f, i, "(") && partner(f, i) != NO_NODE &&
                f->tokens.v[i].start == f->tokens.v[i - 1].end;
    if (call) body = partner(f, i) + 1;
    for (; i < body; i++)
        if (str_eq(cu_text(f, i), name)) return false;
    for (; i < d->last; i++)
        if (str_eq(cu_text(f, i), name) && !cu_is(f, i - 1, ".") && !cu_is(f, i - 1, "->"))
            return true;
    return false;
}

/* Uses of variables in the macros at token `at`, and in those that these hold. */
static void find_hidden(struct kernel *k, uint32_t at, struct str word, int depth) {
    for (struct kq_macro m = {0}; depth < 4 && kq_next_macro(k->f, word, &m);) {
        for (uint32_t n = 0; n < k->v.n; n++) {
            struct kv *v = &k->v.v[n];
            if (at < v->scope_first || at >= v->scope_last || !macro_names(m.f, m.d, v->name))
                continue;
            struct ks_use use = {at, n};
            vec_push(k->f->a, &k->hidden, use);
            v->passed |= !kq_only_reads(m.f, m.d);
        }
        for (uint32_t i = m.d->first + 3; i < m.d->last; i++)
            if (cu_is_word(m.f, i)) find_hidden(k, at, cu_text(m.f, i), depth + 1);
    }
}

void kv_find_uses(struct kernel *k) {
    find_twice(k);
    for (uint32_t s = 0; s < k->s.n; s++) /* the heads of loops know their ends now */
        for (uint32_t n = 0; n < k->v.n; n++)
            if (k->v.v[n].statement == s && k->v.v[n].scope_last == NO_NODE)
                k->v.v[n].scope_last = k->s.v[k->s.v[s].parent].last;
    for (uint32_t i = k->open; i < k->close; i++) {
        struct ks_use use = {i, meant(k, i)};
        if (use.variable != NO_NODE) vec_push(k->f->a, &k->uses, use);
    }
    for (uint32_t i = k->open; i < k->close; i++)
        if (cu_is_word(k->f, i)) find_hidden(k, i, cu_text(k->f, i), 0);
    for (size_t n = 0; n < k->uses.n; n++) {
        struct kv *v = &k->v.v[k->uses.v[n].variable];
        v->changed |= kv_changes(k, k->uses.v[n].token, v);
        v->passed |= !v->group && is_passed(k, k->uses.v[n].token);
    }
}
