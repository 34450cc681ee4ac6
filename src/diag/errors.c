/* SPDX-License-Identifier: Apache-2.0 */
/* errors.c - what an error code means.
 *
 * A number alone is many things: 1 is an error of a dozen libraries. So an answer names its
 * library, and of a log only what a vendor's pattern recognises is taken for a code. */
#include "diag/errors.h"

#include <stdlib.h>

#include "diag/errors_find.h"

/* ---- words ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

bool error_same_word(struct str x, struct str y) {
    if (x.n != y.n) return false;
    for (size_t i = 0; i < x.n; i++)
        if (lower(x.p[i]) != lower(y.p[i])) return false;
    return true;
}

static bool has_word(struct str text, struct str word) {
    for (size_t i = 0; i + word.n <= text.n; i++)
        if (error_same_word(str_sub(text, i, i + word.n), word)) return true;
    return false;
}

static bool digits(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    return s.n > 0;
}

/* A decimal (also negative) or hexadecimal number of at most 64 bits. */
static bool read_number(struct arena *a, struct str s, int64_t *out) {
    struct str body = s.n > 1 && s.p[0] == '-' ? str_sub(s, 1, s.n) : s;
    bool hex = body.n > 2 && body.p[0] == '0' && lower(body.p[1]) == 'x';
    if (body.n > 18 || (!hex && !digits(body))) return false;
    char *end, *z = arena_strdup(a, s);
    *out = strtoll(z, &end, hex ? 16 : 10);
    return *end == 0;
}

bool error_for_target(const struct error_family *f, struct str target) {
    if (target.n == 0) return true;
    for (size_t i = 0; i < f->targets.n; i++)
        if (str_eq(f->targets.v[i], target)) return true;
    return false;
}

/* ---- answers ---- */

void error_add_row(struct arena *a, const struct error_family *f, const struct error_row *r,
                   struct str code, error_hits *out) {
    struct error_hit h = {.family = f, .row = r, .code = code, .name = r->name, .count = 1};
    h.meaning = r->meaning;
    h.advice = r->advice;
    h.source = r->source;
    h.unverified = r->unverified;
    vec_push(a, out, h);
}

static void add_class(struct arena *a, const struct error_family *f, const struct error_class *c,
                      struct str code, struct str meaning, error_hits *out) {
    struct error_hit h = {.family = f, .code = code, .meaning = meaning, .count = 1};
    h.advice = c->advice;
    h.source = c->source;
    h.unverified = c->unverified;
    vec_push(a, out, h);
}

static void decode_number(struct arena *a, const struct error_family *f, int64_t number,
                          struct str code, error_hits *out) {
    for (size_t i = 0; i < f->rows.n; i++)
        if (f->rows.v[i].has_code && f->rows.v[i].code == number)
            error_add_row(a, f, &f->rows.v[i], code, out);
}

static void class_of_number(struct arena *a, const struct error_family *f, int64_t number,
                            struct str code, error_hits *out) {
    for (size_t i = 0; i < f->classes.n; i++) {
        const struct error_class *c = &f->classes.v[i];
        if (c->letters.n || number < c->from || number > c->to) continue;
        add_class(a, f, c, code, c->meaning, out);
    }
}

/* ERR, two digits of the module, three digits of the kind. */
static void decode_err(struct arena *a, const struct error_family *f, struct str code,
                       error_hits *out) {
    if (code.n != 8 || !error_same_word(str_sub(code, 0, 3), S("ERR"))) return;
    if (!digits(str_sub(code, 3, 8))) return;
    struct str module = {0};
    for (size_t i = 0; i < f->modules.n; i++)
        if (str_starts(f->modules.v[i], str_sub(code, 3, 5)))
            module = str_sub(f->modules.v[i], 3, f->modules.v[i].n);
    int64_t kind = 0;
    read_number(a, str_sub(code, 5, 8), &kind);
    for (size_t i = 0; i < f->rows.n && module.n; i++) {
        if (f->rows.v[i].kind != kind) continue;
        error_add_row(a, f, &f->rows.v[i], code, out);
        struct error_hit *h = &out->v[out->n - 1];
        h->meaning = arena_printf(a, "%.*s; module %.*s", STR_ARG(h->meaning), STR_ARG(module));
    }
}

/* A level (E, W, I), the module, four digits: from 9000 on they are internal errors. */
static void class_of_letters(struct arena *a, const struct error_family *f, struct str code,
                             error_hits *out) {
    const struct error_class *best = NULL;
    if (code.n != 6 || !digits(str_sub(code, 2, 6))) return;
    for (size_t i = 0; i < f->classes.n; i++) {
        const struct error_class *c = &f->classes.v[i];
        if (c->letters.n == 0 || !error_same_word(c->letters, str_sub(code, 0, c->letters.n)))
            continue;
        if (!best || c->letters.n > best->letters.n) best = c;
    }
    if (!best) return;
    struct str kind = code.p[2] == '9' ? S("an internal error") : S("invalid usage by the caller");
    struct str what = arena_printf(a, "%.*s: %.*s", STR_ARG(best->meaning), STR_ARG(kind));
    add_class(a, f, best, code, what, out);
}

void error_decode_in(struct arena *a, const struct error_family *f, struct str code,
                     error_hits *out) {
    int64_t number;
    size_t before = out->n;
    if (read_number(a, code, &number)) {
        decode_number(a, f, number, code, out);
        return;
    }
    for (size_t i = 0; i < f->rows.n; i++) {
        const struct error_row *r = &f->rows.v[i];
        if (error_same_word(r->text, code) || error_same_word(r->name, code))
            error_add_row(a, f, r, code, out);
    }
    if (out->n == before) decode_err(a, f, code, out);
}

void error_classes_in(struct arena *a, const struct error_family *f, struct str code,
                      error_hits *out) {
    int64_t number;
    if (read_number(a, code, &number))
        class_of_number(a, f, number, code, out);
    else
        class_of_letters(a, f, code, out);
}

void errors_decode(struct arena *a, const struct error_db *db, struct str code, struct str target,
                   error_hits *out) {
    size_t before = out->n;
    if (code.n == 0) return;
    for (size_t i = 0; i < db->families.n; i++)
        if (error_for_target(&db->families.v[i], target))
            error_decode_in(a, &db->families.v[i], code, out);
    if (out->n > before) return;
    for (size_t i = 0; i < db->families.n; i++)
        if (error_for_target(&db->families.v[i], target))
            error_classes_in(a, &db->families.v[i], code, out);
}

void errors_search(struct arena *a, const struct error_db *db, struct str word, struct str target,
                   error_hits *out) {
    for (size_t i = 0; i < db->families.n; i++) {
        const struct error_family *f = &db->families.v[i];
        for (size_t k = 0; k < f->rows.n && error_for_target(f, target); k++) {
            const struct error_row *r = &f->rows.v[k];
            struct str code = r->text;
            if (r->has_code) code = arena_printf(a, "%lld", (long long)r->code);
            if (r->kind >= 0) code = arena_printf(a, "ERR..%03d", (int)r->kind);
            if (has_word(r->name, word) || has_word(r->meaning, word) ||
                has_word(r->category, word) || has_word(r->advice, word))
                error_add_row(a, f, r, code, out);
        }
    }
}

struct str errors_nearest(const struct error_db *db, struct str word) {
    struct str best = {NULL, 0};
    size_t best_distance = word.n / 3 + 1;
    for (size_t i = 0; i < db->families.n; i++) {
        const struct error_family *f = &db->families.v[i];
        for (size_t k = 0; k < f->rows.n; k++) {
            struct str name = f->rows.v[k].name;
            size_t d = str_distance(word, name);
            if (d >= best_distance) continue;
            best_distance = d;
            best = name;
        }
    }
    return best;
}
