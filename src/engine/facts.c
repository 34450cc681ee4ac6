/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - what the files of a project tell about each other, by a look that costs nothing. */
#include "engine/engine.h"
#include "engine/notebook.h"

enum { FACT_CLASS = 'c', FACT_ATTRIBUTE = 'a', FACT_PACKAGE = 'p' };

static void add_fact(struct buf *b, char kind, struct str name) {
    buf_addc(b, kind);
    buf_add(b, name);
    buf_addc(b, '\n');
}

/* ---- Python ---- */

/* The class around a line: the nearest one above it that begins with `class` and a smaller indent;
 * empty where there is none. */
static struct str class_above(struct str src, size_t line, size_t indent) {
    for (size_t end = line; end > 0;) {
        size_t start = end - 1;
        while (start > 0 && src.p[start - 1] != '\n') start--;
        size_t in = 0;
        while (src.p[start + in] == ' ' || src.p[start + in] == '\t') in++;
        struct str text = str_sub(src, start + in, end);
        if (in < indent && str_starts(text, S("class "))) {
            size_t n = 6;
            while (n < text.n && !strchr("(: \n", text.p[n])) n++;
            return str_sub(text, 6, n);
        }
        if (in == 0 && text.n > 1 && text.p[0] != '#' && text.p[0] != '\n' && text.p[0] != ')')
            break;
        end = start;
    }
    return S("");
}

/* `class X` lines with `def cuda(` below them at a deeper indent, `self.is_cuda = `. */
static void python_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str own;
    for (size_t cursor = 0; rules_next_word(rules, "torch.own_names", &cursor, &own);) {
        if (str_find(src, own, 0) == src.n) continue;
        struct str set = arena_printf(b->a, "self.%.*s = ", STR_ARG(own));
        struct str def = arena_printf(b->a, "def %.*s(", STR_ARG(own));
        if (str_find(src, set, 0) < src.n) add_fact(b, FACT_ATTRIBUTE, own);
        for (size_t at = 0; (at = str_find(src, def, at)) < src.n; at++) {
            size_t line = at, indent = 0;
            while (line > 0 && src.p[line - 1] != '\n') line--;
            while (src.p[line + indent] == ' ' || src.p[line + indent] == '\t') indent++;
            if (indent == 0 || line + indent != at) continue;
            struct str name = class_above(src, line, indent);
            if (name.n && str_is(own, "cuda"))
                add_fact(b, FACT_CLASS, name);
            else if (name.n)
                add_fact(b, FACT_ATTRIBUTE, own);
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
        if (fact.n == 0 || !is_new(f, str_hash(fact))) continue;
        f->hash += str_hash(fact); /* a sum: their order means nothing */
        struct str name = arena_str(f->a, str_sub(fact, 1, fact.n));
        if (fact.p[0] == FACT_CLASS)
            vec_push(f->a, &f->python.own_cuda_classes, name);
        else
            vec_push(f->a, &f->python.own_attributes, name);
    }
}

void cm_facts_link(struct cm_project_facts *f) {
    for (size_t i = 0; i < f->packages.n; i++) {
        struct str folder = f->packages.v[i], around = folder_of(folder);
        if (around.n && is_known(f, package_hash(around))) continue;
        struct str name = str_sub(folder, around.n + (around.n > 0), folder.n);
        vec_push(f->a, &f->python.own_packages, name);
        f->hash += package_hash(name);
    }
    cu_project_link(&f->cuda, f->a);
}

uint64_t cm_facts_hash(const struct cm_project_facts *f) {
    return f->hash + cu_project_hash(&f->cuda);
}
