/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - which functions of a tree get the work-item, so that each file that declares, defines
 * or calls one writes the same.
 *
 * A file is read with some of its headers alone, and a name may mean functions of many. So names
 * decide, over all files that #include lines hold together: what asks for the work-item gets it,
 * and what calls that, where one file alone has functions of that name. Where several have, or a
 * macro makes one, or one is used as a value, none of them gets a parameter, and each asks by
 * itself: a call through a template's argument or a member may mean any of them. */
#include "sycl/sycl.h"

struct words {
    struct str *v;
    size_t n, cap;
};

/* What calls a name: twice the number of a node, and one more where its macro does. */
struct uses {
    uint32_t *v;
    size_t n, cap;
};

struct sy_node {
    struct str name;
    uint32_t part;                /* of the tree, held together by #include lines */
    uint32_t next;                /* + 1: in its bucket */
    uint32_t file;                /* that defines a function of the name, + 1 */
    bool known;                   /* a file defines a function or a macro of the name */
    bool several, declared;       /* several do; a source file declares it for itself */
    bool shared;                  /* several do, or it can't be given a parameter */
    bool function;                /* of the device's */
    bool qualifier, host, kernel; /* a macro for __device__, and what else it says */
    bool asks, needs;             /* functions: their words, or what they call */
    bool macro_asks;              /* so does a macro of the name, or what it calls */
    struct words calls, macro_calls;
    struct uses callers;
};

struct sy_tree {
    VEC(struct sy_node) nodes;
    uint32_t *buckets;
    size_t n_buckets;
    uint32_t *parts; /* [file of the project] */
    uint32_t *sizes; /* [part] how many files it has */
};

/* ---- names ---- */

static uint32_t *bucket_of(const struct sy_tree *t, uint32_t part, struct str name) {
    return &t->buckets[(str_hash(name) + part * UINT64_C(0x9E3779B97F4A7C15)) &
                       (t->n_buckets - 1)];
}

static struct sy_node *find(const struct sy_tree *t, uint32_t part, struct str name) {
    uint32_t i = t->n_buckets ? *bucket_of(t, part, name) : 0;
    for (; i; i = t->nodes.v[i - 1].next)
        if (t->nodes.v[i - 1].part == part && str_eq(t->nodes.v[i - 1].name, name))
            return &t->nodes.v[i - 1];
    return NULL;
}

static void put(struct sy_tree *t, uint32_t i) {
    uint32_t *bucket = bucket_of(t, t->nodes.v[i].part, t->nodes.v[i].name);
    t->nodes.v[i].next = *bucket;
    *bucket = i + 1;
}

static struct sy_node *node_of(struct sy_tree *t, struct arena *a, uint32_t part,
                               struct str name) {
    struct sy_node *one = find(t, part, name);
    if (one) return one;
    vec_push(a, &t->nodes, ((struct sy_node){.name = name, .part = part}));
    if (t->nodes.n > t->n_buckets) {
        t->n_buckets = t->n_buckets ? t->n_buckets * 2 : 256;
        t->buckets = arena_zalloc(a, t->n_buckets * sizeof *t->buckets);
        for (uint32_t i = 0; i + 1 < t->nodes.n; i++) put(t, i);
    }
    put(t, (uint32_t)t->nodes.n - 1);
    return &t->nodes.v[t->nodes.n - 1];
}

/* ---- what files told ---- */

/* The next word of a line behind *at; empty: there is none. */
static struct str next_word(struct str line, size_t *at) {
    size_t start = *at, end = str_find(line, S(" "), start);
    *at = end < line.n ? end + 1 : line.n;
    return start < line.n ? str_sub(line, start, end) : (struct str){0};
}

static void add_calls(struct arena *a, struct str line, size_t at, struct words *calls,
                      bool *asks) {
    for (struct str word; (word = next_word(line, &at)).n;) {
        if (str_is(word, "!"))
            *asks = true;
        else if (word.p[0] != '?')
            vec_push(a, calls, word);
    }
}

/* Whether one of the macros in the function's head makes it the device's: none is there where it
 * says so itself. */
static bool is_device(const struct sy_tree *t, uint32_t part, struct str line, size_t at) {
    bool any = false;
    for (struct str word; (word = next_word(line, &at)).n && word.p[0] == '?';) {
        const struct sy_node *one = find(t, part, str_sub(word, 1, word.n));
        if (one && one->qualifier) return true;
        any = true;
    }
    return !any;
}

static void add_line(struct sy_tree *t, struct arena *a, uint32_t file, struct str line) {
    size_t at = 1;
    uint32_t part = t->parts[file];
    struct str name = next_word(line, &at);
    struct sy_node *one = node_of(t, a, part, name);
    one->known |= line.p[0] != SY_TELLS_VALUE && line.p[0] != SY_TELLS_QUALIFIER &&
                  line.p[0] != SY_TELLS_DECLARED;
    switch (line.p[0]) {
    case SY_TELLS_QUALIFIER:
        one->qualifier = true;
        for (struct str word; (word = next_word(line, &at)).n;) {
            one->host |= str_is(word, "h");
            one->kernel |= str_is(word, "k");
        }
        break;
    case SY_TELLS_FUNCTION:
        if (!is_device(t, part, line, at)) return;
        one->function = true;
        add_calls(a, line, at, &one->calls, &one->asks);
        break;
    case SY_TELLS_MACRO:
        add_calls(a, line, at, &one->macro_calls, &one->macro_asks);
        break;
    case SY_TELLS_DECLARED:
        one->declared = true;
        break;
    case SY_TELLS_DEFINITION:
        one->several |= one->file && one->file != file + 1;
        one->shared |= one->several;
        one->file = file + 1;
        break;
    case SY_TELLS_FIXED:
    case SY_TELLS_VALUE:
        one->shared = true;
        break;
    }
}

static bool passes(const struct sy_node *one) {
    return one && ((one->needs && !one->shared) || one->macro_asks);
}

static void add_callers(struct sy_tree *t, struct arena *a, uint32_t node, bool macro) {
    const struct words calls = macro ? t->nodes.v[node].macro_calls : t->nodes.v[node].calls;
    for (size_t i = 0; i < calls.n; i++) {
        struct sy_node *to = find(t, t->nodes.v[node].part, calls.v[i]);
        if (to) vec_push(a, &to->callers, 2 * node + macro);
    }
}

static void spread(struct sy_tree *t, struct arena *a) {
    VEC(uint32_t) open = {0}; /* those that ask, whose callers have not heard of it */
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        struct sy_node *one = &t->nodes.v[i];
        add_callers(t, a, i, false);
        add_callers(t, a, i, true);
        one->needs = one->asks;
        if (passes(one)) vec_push(a, &open, i);
    }
    while (open.n) {
        const struct uses callers = t->nodes.v[open.v[--open.n]].callers;
        for (size_t k = 0; k < callers.n; k++) {
            struct sy_node *one = &t->nodes.v[callers.v[k] / 2];
            bool before = passes(one);
            if (callers.v[k] % 2)
                one->macro_asks = true;
            else
                one->needs = true;
            if (!before && passes(one)) vec_push(a, &open, callers.v[k] / 2);
        }
    }
}

void sycl_link(struct cu_project *p, struct arena *a) {
    bool any = false;
    for (size_t i = 0; i < p->files.n; i++) any |= p->files.v[i].device.n > 0;
    if (!any) return;
    struct sy_tree *t = NEW(a, struct sy_tree);
    t->parts = arena_alloc(a, p->files.n * sizeof *t->parts);
    t->sizes = arena_zalloc(a, p->files.n * sizeof *t->sizes);
    cu_project_parts(p, t->parts);
    for (size_t i = 0; i < p->files.n; i++) t->sizes[t->parts[i]]++;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->files.n; i++)
            for (size_t k = 0; k < p->files.v[i].device.n; k++) {
                struct str line = p->files.v[i].device.v[k];
                if ((line.p[0] == SY_TELLS_QUALIFIER) == (pass == 0)) add_line(t, a, i, line);
            }
    spread(t, a);
    p->tree = t;
}

/* ---- what a file asks ---- */

uint32_t sy_tree_part(const struct cu_project *p, struct str path) {
    uint32_t file = p && p->tree ? cu_project_file(p, path) : 0;
    return file ? p->tree->parts[file - 1] + 1 : 0;
}

bool sy_tree_is_alone(const struct sy_tree *t, uint32_t part) { return t->sizes[part - 1] < 2; }

bool sy_tree_knows(const struct sy_tree *t, uint32_t part, struct str name) {
    const struct sy_node *one = find(t, part - 1, name);
    return one && one->known;
}

bool sy_tree_needs(const struct sy_tree *t, uint32_t part, struct str name) {
    return passes(find(t, part - 1, name));
}

bool sy_tree_gives(const struct sy_tree *t, uint32_t part, struct str name) {
    const struct sy_node *one = find(t, part - 1, name);
    return one && one->function && one->needs && !one->shared;
}

bool sy_tree_links(const struct sy_tree *t, uint32_t part, struct str name) {
    const struct sy_node *one = find(t, part - 1, name);
    return one && one->declared && one->file && !one->several;
}

bool sy_tree_qualifies(const struct sy_tree *t, uint32_t part, struct str name, bool *host,
                       bool *kernel) {
    const struct sy_node *one = find(t, part - 1, name);
    if (!one || !one->qualifier) return false;
    *host = one->host;
    *kernel = one->kernel;
    return true;
}
