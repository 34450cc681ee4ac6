/* dump.c - what each stage produced, as text: the debugging story. */
#include "engine.h"

static void dump_tokens(struct unit *u, struct buf *b) {
    for (size_t i = 0; i < u->scan.ranges.n; i++) {
        struct byte_range r = u->scan.ranges.v[i];
        uint32_t line, column, end, end_column;
        unit_position(u, r.start, &line, &column);
        unit_position(u, r.end, &end, &end_column);
        buf_printf(b, "lines %u-%u can matter (bytes %u-%u)\n", line, end, r.start, r.end);
    }
    buf_printf(b, "%zu of %zu bytes would be parsed\n", u->scan.any ? u->scan.parsed_bytes : 0,
               u->src.n);
}

/* kind NULL: only its depth is noted. */
static void dump_node(struct unit *u, struct buf *b, const struct tree *t, uint32_t i,
                      uint32_t *depth_of, const char *kind) {
    uint32_t depth = depth_of[i] = i ? depth_of[t->v[i].parent] + 1 : 0;
    if (!kind) return;
    struct str text = str_sub(u->src, t->v[i].start, t->v[i].end);
    size_t line = str_find(text, S("\n"), 0);
    buf_printf(b, "%*s%s [%u-%u] ", (int)depth * 2, "", kind, t->v[i].start, t->v[i].end);
    buf_add_visible(b, str_sub(text, 0, line < 60 ? line : 60));
    buf_addc(b, '\n');
}

static void dump_tree(struct unit *u, struct buf *b) {
    const struct tree *t = &u->py.tree;
    uint32_t *depth_of = arena_zalloc(u->a, (t->n + 1) * sizeof *depth_of);
    for (uint32_t i = 0; i < t->n; i++) {
        const char *kind = t->v[i].kind ? py_kind_table.names[t->v[i].kind] : "node";
        dump_node(u, b, t, i, depth_of, t->v[i].named ? kind : NULL);
    }
}

static void dump_names(struct unit *u, struct buf *b) {
    static const char *const kinds[] = {"import",   "from",  "value", "parameter",
                                        "function", "class", "other", "elsewhere"};
    for (size_t i = 0; i < u->py.bindings.n; i++) {
        const struct py_binding *x = &u->py.bindings.v[i];
        uint32_t line, column;
        unit_position(u, py_node(&u->py, x->node)->start, &line, &column);
        struct str path = x->path;
        if (x->kind == B_VALUE) path = py_resolve(&u->py, x->value).path;
        buf_printf(b, "%u:%u scope %u %s %.*s = %.*s\n", line, column, x->scope, kinds[x->kind],
                   STR_ARG(x->name), STR_ARG(path));
    }
}

static void dump_matches(struct unit *u, struct buf *b) {
    for (size_t i = 0; i < u->findings.n; i++) {
        const struct cm_finding *f = &u->findings.v[i];
        buf_printf(b, "%u:%u %s %.*s %.*s [%.*s] %.*s\n", f->line, f->column,
                   cm_outcome_name(f->outcome), STR_ARG(f->verdict), STR_ARG(f->token),
                   STR_ARG(f->rule), STR_ARG(f->message));
    }
}

static void dump_edits(struct unit *u, struct buf *b) {
    for (size_t i = 0; i < u->edits.n; i++) {
        const struct cm_edit *e = &u->edits.v[i];
        buf_printf(b, "%zu-%zu ", e->start, e->end);
        buf_add_json(b, str_sub(u->src, e->start, e->end));
        buf_addz(b, " -> ");
        buf_add_json(b, e->text);
        if (e->finding != UINT32_MAX)
            buf_printf(b, " [%.*s]", STR_ARG(u->findings.v[e->finding].rule));
        buf_addc(b, '\n');
    }
}

/* ---- C++ ---- */

static void dump_cuda_tokens(struct unit *u, struct buf *b) {
    static const char *const kinds[] = {"word",   "number", "string", "char",
                                        "header", "hash",   "text",   "punctuation"};
    for (uint32_t i = 0; i < u->cu.tokens.n; i++) {
        const struct cu_token *t = &u->cu.tokens.v[i];
        buf_printf(b, "%u-%u %s%s ", t->start, t->end, t->directive ? "directive " : "",
                   kinds[t->kind]);
        buf_add_visible(b, cu_text(&u->cu, i));
        buf_addc(b, '\n');
    }
}

static void dump_cuda_names(struct unit *u, struct buf *b) {
    static const char *const regions[] = {"this target", "NVIDIA", "another vendor"};
    for (size_t i = 0; i < u->cu.declared.n; i++)
        buf_printf(b, "declared here: %.*s\n", STR_ARG(u->cu.declared.v[i].name));
    for (size_t i = 0; i < u->cu.regions.n; i++) {
        const struct cu_region *r = &u->cu.regions.v[i];
        uint32_t line, end, column;
        unit_position(u, r->start, &line, &column);
        unit_position(u, r->end > r->start ? r->end - 1 : r->end, &end, &column);
        buf_printf(b, "lines %u-%u are for %s\n", line, end, regions[r->kind]);
    }
}

/* tree-sitter's own tree; C++ is matched on tokens, so this is for looking at its errors. */
static void dump_cuda_tree(struct unit *u, struct buf *b) {
    struct grammar g = grammar_of_symbols(&u->session->cuda, u->a);
    struct tree t;
    if (tree_parse(&t, u->a, &g, u->src, NULL, 0, PARSE_SECONDS) != PARSE_OK) {
        buf_addz(b, "parsing takes too long\n");
        return;
    }
    uint32_t *depth_of = arena_zalloc(u->a, (t.n + 1) * sizeof *depth_of);
    for (uint32_t i = 0; i < t.n; i++) {
        bool shown = t.v[i].named || t.v[i].kind == g.error;
        dump_node(u, b, &t, i, depth_of, shown ? grammar_symbol(&g, t.v[i].kind) : NULL);
    }
}

/* FILE:LINE:COLUMN: KERNEL: TIER, with the place and the reason where there is a better one. */
static void dump_kernels(struct unit *u, struct buf *b) {
    const struct cu *f = &u->cu;
    for (size_t i = 0; i < f->kernels.n; i++) {
        const struct cu_kernel *k = &f->kernels.v[i];
        uint32_t line, column;
        unit_position(u, f->tokens.v[k->name].start, &line, &column);
        buf_printf(b, "%.*s:%u:%u: %.*s: %s", STR_ARG(u->in->name), line, column,
                   STR_ARG(cu_text(f, k->name)), k->tier);
        if (k->why.n && k->place != NO_NODE) {
            unit_position(u, f->tokens.v[k->place].start, &line, &column);
            buf_printf(b, "; %u:%u: %.*s", line, column, STR_ARG(k->why));
        }
        buf_addc(b, '\n');
    }
}

struct str unit_dump(struct unit *u, enum cm_dump stage) {
    bool cuda = u->in->language == CM_CUDA || u->in->language == CM_CPP;
    struct buf b;
    buf_init(&b, u->a);
    switch (stage) {
    case CM_DUMP_TOKENS:
        (cuda ? dump_cuda_tokens : dump_tokens)(u, &b);
        break;
    case CM_DUMP_TREE:
        (cuda ? dump_cuda_tree : dump_tree)(u, &b);
        break;
    case CM_DUMP_NAMES:
        (cuda ? dump_cuda_names : dump_names)(u, &b);
        break;
    case CM_DUMP_MATCHES:
        dump_matches(u, &b);
        break;
    case CM_DUMP_KERNELS:
        if (cuda) dump_kernels(u, &b);
        break;
    case CM_DUMP_EDITS:
        dump_edits(u, &b);
        break;
    default:
        break;
    }
    return b.p ? buf_str(&b) : S("");
}
