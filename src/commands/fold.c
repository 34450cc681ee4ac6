/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - one finding for a kernel, or for a file, that has to be written anew, and for what a
 * file decides once. */
#include "commands/fold.h"
#include "commands/finding_text.h"

#include <stdlib.h>

/* ---- where a function ends ---- */

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The byte behind a comment, a string or a character that begins at i; i where none does. */
static size_t skip_quoted(struct str s, size_t i) {
    if (str_starts(str_sub(s, i, s.n), S("//"))) return str_find(s, S("\n"), i);
    if (str_starts(str_sub(s, i, s.n), S("/*"))) {
        size_t end = str_find(s, S("*/"), i + 2);
        return end < s.n ? end + 2 : s.n;
    }
    if (s.p[i] != '"' && s.p[i] != '\'') return i;
    if (s.p[i] == '\'' && i && is_name(s.p[i - 1])) return i; /* 1'000 */
    size_t end = i + 1;
    while (end < s.n && s.p[end] != s.p[i] && s.p[end] != '\n') end += s.p[end] == '\\' ? 2 : 1;
    return end < s.n ? end + 1 : s.n;
}

/* From the qualifier of a function to the end of its body, or of its declaration; *name is what
 * stands before its parameters. */
static size_t end_of_function(struct str s, size_t from, struct str *name) {
    size_t depth = 0, braces = 0, word = from;
    struct str last = {0};
    *name = (struct str){0};
    for (size_t i = from; i < s.n; i++) {
        size_t end = skip_quoted(s, i);
        if (end > i) {
            i = end - 1;
            continue;
        }
        char c = s.p[i];
        if (!braces && !depth && c == ';') return i + 1;
        if (!braces && !depth && is_name(c) && !(i > from && is_name(s.p[i - 1]))) word = i;
        if (!braces && !depth && is_name(c)) last = str_sub(s, word, i + 1);
        if (!braces && !depth && c == '(') *name = last;
        depth += c == '(';
        depth -= c == ')' && depth;
        braces += c == '{';
        if (c == '}' && (braces <= 1)) return i + 1;
        braces -= c == '}';
    }
    return s.n;
}

/* ---- folding ---- */

static bool can_fold(const struct check_finding *f) { return !f->is_fixable && !f->is_general; }

/* The other becomes a place of the first. */
static void take(const struct fold *f, struct check_finding *first,
                 const struct check_finding *other) {
    VEC(struct check_place)
    places = {(struct check_place *)first->places, first->n_places, first->n_places};
    struct check_place place = {other->at, other->start, other->end, other->rule, other->token};
    vec_push(f->a, &places, place);
    first->places = places.v;
    first->n_places = places.n;
    if (other != first) first->more += other->more;
    if (other->severity > first->severity) first->severity = other->severity;
}

static struct str title_of(const struct fold *f, const struct check_finding *x) {
    return cm_target_title(f->targets[x->target]);
}

static struct str counted(const struct fold *f, const struct check_finding *x) {
    size_t n = x->n_places + x->more;
    return n == 1 ? S("") : arena_printf(f->a, ", with %zu places of CUDA's", n);
}

/* Those of the same target between the head and `end`. */
static size_t fold_range(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                         size_t end, bool *gone) {
    take(f, &v[head], &v[head]);
    for (size_t i = head + 1; i < n && v[i].start < end; i++) {
        if (gone[i] || v[i].target != v[head].target || !can_fold(&v[i])) continue;
        take(f, &v[head], &v[i]);
        gone[i] = true;
    }
    return v[head].n_places;
}

static void fold_kernel(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                        bool *gone) {
    struct str name, target = title_of(f, &v[head]);
    size_t end = end_of_function(f->text, v[head].start, &name);
    if (!name.n) return;
    fold_range(f, v, n, head, end, gone);
    v[head].message = v[head].remedy =
        arena_printf(f->a, "the kernel `%.*s` has to be written anew for %.*s%.*s", STR_ARG(name),
                     STR_ARG(target), STR_ARG(counted(f, &v[head])));
}

static bool is_device_function(const struct fold *f, const struct check_finding *x) {
    return can_fold(x) && cm_session_lists(f->session, "cuda.device_qualifiers", x->token);
}

/* Device functions serve kernels: those of a file are one piece of work. */
static void fold_functions(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                           bool *gone) {
    struct str name, first = {0};
    size_t functions = 0;
    for (size_t i = head; i < n; i++) {
        if (gone[i] || v[i].target != v[head].target || !is_device_function(f, &v[i])) continue;
        size_t end = end_of_function(f->text, v[i].start, &name);
        if (!name.n) continue;
        if (!functions++) first = name;
        for (size_t k = i; k < n && v[k].start < end; k++) {
            if (gone[k] || v[k].target != v[head].target || !can_fold(&v[k])) continue;
            take(f, &v[head], &v[k]);
            gone[k] = k != head;
        }
    }
    if (!functions) return;
    v[head].message = v[head].remedy = arena_printf(
        f->a, "the device function `%.*s`%.*s to be written anew for %.*s%.*s", STR_ARG(first),
        STR_ARG(functions == 1
                    ? S(" has")
                    : arena_printf(f->a, " and %zu more of this file have", functions - 1)),
        STR_ARG(title_of(f, &v[head])), STR_ARG(counted(f, &v[head])));
}

/* A target that has no C++ of its own has the same to say of all that is CUDA's in the file. */
static void fold_file(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                      bool *gone) {
    fold_range(f, v, n, head, SIZE_MAX, gone);
    v[head].severity = SEV_NOTE;
    v[head].message = v[head].remedy = arena_printf(
        f->a, "this is CUDA C++%.*s, for which there is no form that suits every vendor",
        STR_ARG(counted(f, &v[head])));
    if (f->cuda_source) v[head].rule = f->cuda_source;
    v[head].advice = S("name a vendor with --target: check then says what becomes of each place");
    for (size_t i = 0; i < n; i++) /* what could be rewritten makes no other program of it */
        if (!gone[i] && v[i].target == v[head].target) v[i].severity = SEV_NOTE;
}

/* The build for CUDA: a vendor's stands beside it. */
static void fold_own(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                     bool *gone) {
    fold_range(f, v, n, head, SIZE_MAX, gone);
    v[head].message = v[head].remedy =
        arena_printf(f->a, "by its name this file is for CUDA%.*s", STR_ARG(counted(f, &v[head])));
    v[head].advice = arena_printf(f->a, "for %.*s have a file of its own beside it",
                                  STR_ARG(title_of(f, &v[head])));
    if (f->cuda_file) v[head].rule = f->cuda_file;
}

/* Of some hazards a file has one decision to take, wherever they stand. */
static void fold_rule(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                      bool *gone) {
    take(f, &v[head], &v[head]);
    for (size_t i = head + 1; i < n; i++) {
        bool same = v[i].rule == v[head].rule && v[i].target == v[head].target;
        if (gone[i] || !same || !can_fold(&v[i])) continue;
        take(f, &v[head], &v[i]);
        gone[i] = true;
    }
    size_t others = v[head].n_places - 1 + v[head].more;
    if (v[head].n_places == 1) return;
    v[head].message = v[head].remedy = arena_printf(
        f->a, "%.*s: `%.*s`, and %zu more %s of this file", STR_ARG(v[head].rule->title),
        STR_ARG(v[head].token), others, others == 1 ? "place" : "places");
}

static void fold_cpp(const struct fold *f, struct check_finding *v, size_t n, size_t i,
                     bool *gone) {
    if (target_is_no_vendor(f->targets[v[i].target]))
        fold_file(f, v, n, i, gone);
    else if (cm_session_lists(f->session, "cuda.kernel_qualifiers", v[i].token))
        fold_kernel(f, v, n, i, gone);
    else if (is_device_function(f, &v[i]))
        fold_functions(f, v, n, i, gone);
}

/* ---- rewrites of one rule ---- */

static int by_start(const void *x, const void *y) {
    const struct check_edit *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

/* The edits of both, each once. */
static struct check_edits joined(const struct fold *f, struct check_edits a,
                                 struct check_edits b) {
    struct check_edit *v = arena_alloc(f->a, (a.n + b.n + 1) * sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < a.n + b.n; i++) {
        const struct check_edit *e = i < a.n ? &a.v[i] : &b.v[i - a.n];
        bool known = false;
        for (size_t k = 0; k < a.n && i >= a.n && !known; k++)
            known =
                a.v[k].start == e->start && a.v[k].end == e->end && str_eq(a.v[k].text, e->text);
        if (!known) v[n++] = *e;
    }
    qsort(v, n, sizeof *v, by_start);
    return (struct check_edits){v, n};
}

/* C++: the names of one rule that --fix rewrites are one finding of a file; its fix is theirs. */
static void fold_rewrites(const struct fold *f, struct check_finding *v, size_t n, size_t head,
                          bool *gone) {
    enum { MOST_EDITS = 2000 };
    struct check_finding *first = &v[head];
    if (!first->is_fixable || !first->edits.n || first->is_general) return;
    if (first->severity == SEV_ERROR) return; /* each of these is to be looked at */
    take(f, first, first);
    for (size_t i = head + 1; i < n && first->edits.n < MOST_EDITS; i++) {
        bool same = v[i].rule == first->rule && v[i].target == first->target &&
                    v[i].is_unsafe == first->is_unsafe && v[i].is_fixable && v[i].edits.n;
        if (gone[i] || !same) continue;
        take(f, first, &v[i]);
        first->edits = joined(f, first->edits, v[i].edits);
        first->imports = joined(f, first->imports, v[i].imports);
        gone[i] = true;
    }
    if (first->n_places == 1) return;
    first->message = arena_printf(
        f->a, "`%.*s` and %zu more %s of this file are tied to CUDA; %.*s", STR_ARG(first->token),
        first->n_places - 1, first->n_places == 2 ? "place" : "places", STR_ARG(first->remedy));
}

size_t fold_findings(const struct fold *f, struct check_finding *v, size_t n) {
    bool *gone = arena_zalloc(f->a, n + 1);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (gone[i]) continue;
        if (f->is_cpp) fold_rewrites(f, v, n, i, gone);
        if (!can_fold(&v[i])) continue;
        if (f->is_own) fold_own(f, v, n, i, gone);
        if (f->is_cpp) fold_cpp(f, v, n, i, gone);
        if (!v[i].n_places && cm_session_lists(f->session, "check.once_per_file", v[i].rule->id))
            fold_rule(f, v, n, i, gone);
    }
    for (size_t i = 0; i < n; i++)
        if (!gone[i]) v[kept++] = v[i];
    return kept;
}
