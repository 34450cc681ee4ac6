/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - what the files of a project tell about each other, by a look that costs nothing. */
#include "engine/engine.h"
#include "engine/notebook.h"

enum { FACT_CLASS = 'c', FACT_MOVING = 'm', FACT_ATTRIBUTE = 'a', FACT_PACKAGE = 'p' };

static void add_fact(struct buf *b, char kind, struct str name) {
    buf_addc(b, kind);
    buf_add(b, name);
    buf_addc(b, '\n');
}

/* ---- Python ---- */

/* `class X` lines with `def cuda(` below them at a deeper indent, `self.is_cuda = `. */
static void python_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str own;
    for (size_t cursor = 0; rules_next_word(rules, "torch.own_names", &cursor, &own);) {
        if (str_find(src, own, 0) == src.n) continue;
        struct str set = arena_printf(b->a, "self.%.*s = ", STR_ARG(own));
        struct str def = arena_printf(b->a, "def %.*s(", STR_ARG(own));
        if (str_find(src, set, 0) < src.n) add_fact(b, FACT_ATTRIBUTE, own);
        for (size_t at = 0; (at = str_find(src, def, at)) < src.n; at++) {
            struct str name = py_class_around(src, at);
            if (name.n && str_is(own, "cuda"))
                add_fact(b, py_moves_by_to(src, at) ? FACT_MOVING : FACT_CLASS, name);
            else if (name.n)
                add_fact(b, FACT_ATTRIBUTE, py_member_kind(b->a, own, src, at));
        }
    }
}

/* ---- all together ---- */

struct str cm_facts_of(const struct cm_session *s, struct arena *a, enum cm_language language,
                       struct str bytes) {
    struct buf b;
    buf_init(&b, a);
    if (language == CM_PYTHON)
        python_facts(&s->rules, &b, str_has_lone_cr(bytes) ? arena_lf_for_cr(a, bytes) : bytes);
    if (language == CM_NOTEBOOK) python_facts(&s->rules, &b, notebook_text(a, bytes));
    if (language == CM_CUDA || language == CM_CPP) cu_tell(&b, &s->rules, bytes);
    return b.n ? buf_str(&b) : S("");
}

struct cm_project_facts *cm_facts_new(struct arena *a) {
    struct cm_project_facts *f = NEW(a, struct cm_project_facts);
    f->a = a;
    return f;
}

static bool is_known(const struct cm_project_facts *f, uint64_t hash) {
    hash += hash == 0;
    size_t i = hash & (f->size - 1);
    while (f->size && f->seen[i] && f->seen[i] != hash) i = (i + 1) & (f->size - 1);
    return f->size && f->seen[i];
}

/* Whether the fact is new; it is remembered. */
static bool is_new(struct cm_project_facts *f, uint64_t hash) {
    if (f->n_seen * 2 >= f->size) {
        size_t old_size = f->size;
        uint64_t *old = f->seen;
        f->size = old_size ? old_size * 2 : 64;
        f->seen = arena_zalloc(f->a, f->size * sizeof *f->seen);
        f->n_seen = 0;
        for (size_t i = 0; i < old_size; i++)
            if (old[i]) is_new(f, old[i]);
    }
    hash += hash == 0;
    size_t i = hash & (f->size - 1);
    while (f->seen[i] && f->seen[i] != hash) i = (i + 1) & (f->size - 1);
    if (f->seen[i]) return false;
    f->seen[i] = hash;
    f->n_seen++;
    return true;
}

/* The folder of a path, without its '/'. */
static struct str folder_of(struct str path) {
    while (path.n && path.p[--path.n] != '/') continue;
    return path;
}

static uint64_t package_hash(struct str folder) { return str_hash(folder) + FACT_PACKAGE; }

void cm_facts_add(struct cm_project_facts *f, enum cm_language language, struct str path,
                  struct str told) {
    if (language == CM_CUDA || language == CM_CPP) {
        cu_project_add(&f->cuda, f->a, path, told);
        return;
    }
    if (str_ends(path, S("/__init__.py")) && is_new(f, package_hash(folder_of(path))))
        vec_push(f->a, &f->packages, arena_str(f->a, folder_of(path)));
    for (size_t at = 0, end; at < told.n; at = end + 1) {
        end = str_find(told, S("\n"), at);
        struct str fact = str_sub(told, at, end);
        bool is_class = fact.n && fact.p[0] != FACT_ATTRIBUTE;
        uint64_t hash = str_hash(fact) + (is_class ? str_hash(path) * 31 : 0);
        if (fact.n == 0 || !is_new(f, hash)) continue;
        f->hash += hash; /* a sum: their order means nothing */
        struct str name = arena_str(f->a, str_sub(fact, 1, fact.n));
        struct py_own_class own = {.name = name, .moves = fact.p[0] == FACT_MOVING};
        own.path = is_class ? arena_str(f->a, path) : (struct str){0};
        if (is_class)
            vec_push(f->a, &f->python.own_cuda_classes, own);
        else
            vec_push(f->a, &f->python.own_attributes, name);
    }
}

/* Where imports of the class's file are looked for, and what they begin with. */
static void find_root(const struct cm_project_facts *f, struct py_own_class *own) {
    struct str inner =
        str_ends(own->path, S(".py")) ? str_sub(own->path, 0, own->path.n - 3) : own->path;
    own->root = folder_of(own->path);
    while (own->root.n && is_known(f, package_hash(own->root))) {
        inner = own->root;
        own->root = folder_of(own->root);
    }
    own->package = str_sub(inner, own->root.n + (own->root.n > 0), inner.n);
}

void cm_facts_link(struct cm_project_facts *f) {
    for (size_t i = 0; i < f->packages.n; i++) {
        struct str folder = f->packages.v[i], around = folder_of(folder);
        if (around.n && is_known(f, package_hash(around))) continue;
        struct str name = str_sub(folder, around.n + (around.n > 0), folder.n);
        vec_push(f->a, &f->python.own_packages, name);
        f->hash += package_hash(name);
    }
    for (size_t i = 0; i < f->python.own_cuda_classes.n; i++)
        find_root(f, &f->python.own_cuda_classes.v[i]);
    cu_project_link(&f->cuda, f->a);
}

uint64_t cm_facts_hash(const struct cm_project_facts *f) {
    return f->hash + cu_project_hash(&f->cuda);
}
