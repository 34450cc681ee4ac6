/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - the macros and functions that a file defines, by name: one hash table per file, made
 * once, since every other pass asks. Conditional directives are not evaluated: of a name that is
 * defined twice all definitions count. Nearly every word is no name of either kind in any file,
 * which a bit for its hash tells (a Bloom filter) without a look at each file's table. */
#include "kernels/kernel.h"

/* A directive that defines a macro, or a function's definition. */
struct entry {
    struct str name;
    const struct cu_directive *d;
    struct k_function function;
    uint32_t next; /* of the same hash, + 1 */
};

struct table {
    VEC(struct entry) v; /* in the order of the file */
    uint32_t *buckets;
    size_t n_buckets;
};

enum { FILTER_BITS = 1 << 14, KNOWN_BUCKETS = 256 };
struct filter {
    uint64_t bits[FILTER_BITS / 64];
};

struct known_name {
    struct str name;
    struct k_summary what;
    bool noted;
    uint32_t visit; /* by which round it was visited last */
    struct known_name *next;
};

struct cu_names {
    struct table macros, functions;
    /* of the file and those that k_source() gives for it, of which `filtered` have been read */
    struct filter any_macro, any_function;
    size_t filtered;
    struct known_name *known[KNOWN_BUCKETS];
    uint32_t round;
};

struct cu *k_source(struct cu *f, size_t n) {
    if (n == 0) return f;
    return n <= f->included.n ? f->included.v[n - 1] : NULL;
}

/* What stands between a function's parameters and its body; NO_NODE: it is no definition. */
static uint32_t body_of(const struct cu *f, uint32_t i) {
    while (str_listed(cu_text(f, i), S("const noexcept override final volatile & &&"))) {
        i++;
        if (cu_is(f, i - 1, "noexcept") && cu_is(f, i, "(") && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i) + 1;
    }
    if (cu_is(f, i, "->"))
        while (i < f->tokens.n && !cu_is(f, i, "{") && !cu_is(f, i, ";")) i++;
    while (cu_is(f, i, ":") || cu_is(f, i, ",")) { /* : a(b), c{d}, e<f>(g) */
        uint32_t value = i + 2;
        if (!cu_is_word(f, i + 1)) break;
        uint32_t close = cu_is(f, value, "<") ? cu_template_end(f, value) : NO_NODE;
        if (close != NO_NODE) value = close + 1;
        if ((!cu_is(f, value, "(") && !cu_is(f, value, "{")) || cu_partner(f, value) == NO_NODE)
            break;
        i = cu_partner(f, value) + 1;
    }
    return cu_is(f, i, "{") && cu_partner(f, i) != NO_NODE ? i : NO_NODE;
}

bool k_function_at(struct cu *f, uint32_t i, struct str name, struct k_function *d) {
    bool callable = str_is(name, "()"); /* operator() */
    uint32_t params = callable ? i + 3 : i + 1;
    if (!cu_is_word(f, i) || f->tokens.v[i].directive) return false;
    if (callable ? !cu_is(f, i, "operator") || !cu_is(f, i + 1, "(") || !cu_is(f, i + 2, ")")
                 : !str_eq(cu_text(f, i), name))
        return false;
    if (cu_is(f, params, "<")) { /* f<int>(...) {: one of a template's */
        uint32_t close = cu_template_end(f, params);
        params = close != NO_NODE ? close + 1 : params;
    }
    if (!cu_is(f, params, "(") || cu_partner(f, params) == NO_NODE) return false;
    uint32_t open = body_of(f, cu_partner(f, params) + 1);
    const struct cu_region *r = cu_region_at(f, f->tokens.v[i].start);
    bool others = r && (r->kind == CR_OTHER_VENDOR || r->kind == CR_NVIDIA);
    if (open == NO_NODE || others) return false;
    d->f = f;
    d->name = i, d->params = params, d->open = open, d->close = cu_partner(f, open);
    return true;
}

static void add_macros(struct table *t, struct cu *f) {
    for (size_t i = 0; i < f->directives.n; i++) {
        struct entry e = {.d = &f->directives.v[i]};
        if (e.d->kind != CD_DEFINE) continue;
        const struct cu_region *r = cu_region_at(f, f->tokens.v[e.d->first].start);
        if (r && (r->kind == CR_OTHER_VENDOR || r->kind == CR_NVIDIA)) continue;
        e.name = cu_text(f, e.d->first + 2);
        vec_push(f->a, &t->v, e);
    }
}

static void add_functions(struct table *t, struct cu *f) {
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        struct entry e = {.name = cu_text(f, i)};
        if (k_function_at(f, i, e.name, &e.function)) vec_push(f->a, &t->v, e);
        e.name = S("()");
        if (k_function_at(f, i, e.name, &e.function)) vec_push(f->a, &t->v, e);
    }
}

static void index_table(struct arena *a, struct table *t) {
    for (t->n_buckets = 16; t->n_buckets < t->v.n;) t->n_buckets *= 2;
    t->buckets = arena_zalloc(a, t->n_buckets * sizeof *t->buckets);
    for (uint32_t i = (uint32_t)t->v.n; i-- > 0;) {
        uint32_t *bucket = &t->buckets[str_hash(t->v.v[i].name) & (t->n_buckets - 1)];
        t->v.v[i].next = *bucket;
        *bucket = i + 1;
    }
}

static struct cu_names *names_of(struct cu *f) {
    if (f->names) return f->names;
    struct cu_names *n = arena_zalloc(f->a, sizeof *n);
    add_macros(&n->macros, f);
    add_functions(&n->functions, f);
    index_table(f->a, &n->macros);
    index_table(f->a, &n->functions);
    return f->names = n;
}

/* The next entry of that name behind the one of number *at, + 1; 0: the first. */
static const struct entry *next_entry(const struct table *t, struct str name, uint64_t hash,
                                      uint32_t *at) {
    uint32_t i = *at ? t->v.v[*at - 1].next : t->buckets[hash & (t->n_buckets - 1)];
    while (i && !str_eq(t->v.v[i - 1].name, name)) i = t->v.v[i - 1].next;
    if (i) *at = i;
    return i ? &t->v.v[i - 1] : NULL;
}

static void add_to_filter(struct filter *filter, const struct table *t) {
    for (size_t i = 0; i < t->v.n; i++) {
        uint64_t bit = str_hash(t->v.v[i].name) % FILTER_BITS;
        filter->bits[bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

static bool passes(const struct filter *filter, uint64_t hash) {
    uint64_t bit = hash % FILTER_BITS;
    return filter->bits[bit / 64] >> bit % 64 & 1;
}

static const struct cu_names *filtered_names(struct cu *root) {
    struct cu_names *n = names_of(root);
    struct cu *f;
    for (; (f = k_source(root, n->filtered)); n->filtered++) {
        add_to_filter(&n->any_macro, &names_of(f)->macros);
        add_to_filter(&n->any_function, &names_of(f)->functions);
    }
    return n;
}

bool k_may_define(struct cu *root, struct str name) {
    return passes(&filtered_names(root)->any_function, str_hash(name));
}

static struct known_name *known_at(struct cu *root, struct str name) {
    struct known_name **at = &names_of(root)->known[str_hash(name) % KNOWN_BUCKETS];
    while (*at && !str_eq((*at)->name, name)) at = &(*at)->next;
    if (!*at) {
        *at = NEW(root->a, struct known_name);
        (*at)->name = name;
    }
    return *at;
}

const struct k_summary *k_summary_of(struct cu *root, struct str name) {
    const struct known_name *known = known_at(root, name);
    return known->noted ? &known->what : NULL;
}

void k_note_summary(struct cu *root, struct str name, struct k_summary what) {
    struct known_name *known = known_at(root, name);
    known->what = what;
    known->noted = true;
}

bool k_visit(struct cu *root, struct str name) {
    struct known_name *known = known_at(root, name);
    uint32_t round = names_of(root)->round + 1;
    bool first = known->visit != round;
    known->visit = round;
    return first;
}

void k_forget_visits(struct cu *root) { names_of(root)->round++; }

bool k_next_macro(struct cu *f, struct str name, struct k_macro *m) {
    uint64_t hash = str_hash(name);
    if (!m->file && !m->at && !passes(&filtered_names(f)->any_macro, hash)) return false;
    for (; (m->f = k_source(f, m->file)); m->file++, m->at = 0) {
        const struct entry *e = next_entry(&names_of(m->f)->macros, name, hash, &m->at);
        if (!e) continue;
        m->d = e->d;
        return true;
    }
    return false;
}

bool k_is_macro(struct cu *f, struct str name) {
    struct k_macro m = {0};
    return k_next_macro(f, name, &m);
}

bool k_function_in(struct cu *f, struct str name, struct k_function *d) {
    const struct entry *e;
    uint64_t hash = str_hash(name);
    uint32_t end = d->at ? d->close : 0;
    while ((e = next_entry(&names_of(f)->functions, name, hash, &d->at))) {
        const struct k_function *found = &e->function;
        if (found->name < end) continue; /* in the body of the one before it */
        d->f = f;
        d->name = found->name, d->params = found->params;
        d->open = found->open, d->close = found->close;
        return true;
    }
    return false;
}
