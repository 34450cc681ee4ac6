/* SPDX-License-Identifier: Apache-2.0 */
/* lang_cuda.c - the row of CUDA C++, and of C++ that knows CUDA.
 *
 * Tokens are enough to port it: they are there in macro bodies and in code that no grammar reads.
 * Two blocks join the porter here, which knows neither: the lint about warp widths adds its
 * matches before all are settled, the kernel compiler its edits before all are finished. */
#include "engine/language.h"
#include "kernels/kernel.h"
#include "lanes/lanes.h"
#include "sycl/sycl.h"

/* A file of nvcc's may rely on what nvcc includes, without a word of CUDA's. */
static bool prefilter(const struct cm_target *target, enum cm_language language,
                      struct str bytes) {
    bool relies = language == CM_CUDA && (target_writes_kernels(target->ref) ||
                                          target_fact(target->ref, "left_to_nvcc").n);
    return relies || cu_prefilter(target->anchors.rules, bytes) || has_directive_word(bytes);
}

/* x.inc can be C++ that is included, or a part of a makefile, a recipe, a page of PHP. */
static bool is_code(const struct unit *u) {
    static const char *const marks[] = {");", "#define", "#include", CU_DEVICE_WORD};
    if (!str_ends(u->in->name, S(".inc"))) return true;
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (str_find(u->src, str_of(marks[i]), 0) < u->src.n) return true;
    return false;
}

static bool is_worth(struct unit *u) {
    if (!is_code(u)) return false;
    return u->in->dump || unit_has_directive(u) ||
           prefilter(u->in->target, u->in->language, u->src);
}

/* Where CUDA C++ stays as it is, port limits no shuffle to 32 lanes and asks no number of a chip:
 * what counts on them is told. */
static bool warps_stay(const struct cu *f) {
    return f->options->verify && f->target.target->keep_cuda;
}

/* Headers of the project's that the compilers of targets do not read. */
static void tell_unread(struct cu *f) {
    if (f->matches.n) cu_read_included(f);
    for (size_t i = 0; i < f->unread.n; i++) cu_report(f, "cm::utf16_header", f->unread.v[i]);
}

static void match(struct unit *u) {
    struct cu *f = &u->cu;
    *f = (struct cu){.a = u->a,
                     .src = u->src,
                     .rules = &u->session->rules,
                     .target = u->in->target->ref,
                     .regex = u->regex,
                     .options = &u->session->options,
                     .cuda = u->in->language == CM_CUDA,
                     .semantic = u->in->semantic,
                     .reader = u->in->headers,
                     .lexes = u->lexes,
                     .once = !u->in->again,
                     .path = u->in->name,
                     .project = u->in->facts ? &u->in->facts->cuda : NULL};
    if (warps_stay(f)) {
        struct rules *all = arena_alloc(u->a, sizeof *all);
        *all = *f->rules;
        all->stays = true;
        f->rules = all;
    }
    cu_lex(f);
    cu_open_programs(f);
    cu_find_regions(f);
    cu_leave_copy(f);
    cu_find_declared(f);
    cu_declare_members(f);
    cu_match_tokens(f);
    cu_match_overloads(f);
    cu_match_labels(f);
    cu_match_indices(f);
    cu_match_namespaces(f);
    cu_match_brought(f);
    cu_match_addresses(f);
    cu_match_chars(f);
    cu_match_braces(f);
    cu_match_tiles(f);
    cu_match_fixed(f);
    cu_match_constructed(f);
    cu_match_specifiers(f);
    cu_match_lenient(f);
    cu_match_implied(f);
    cu_match_instantiations(f);
    cu_match_unused(f);
    cu_match_reliance(f);
    tell_unread(f);
    if (f->options->lint || warps_stay(f))
        cu_match_lanes(f);
    else
        cu_match_lockstep(f);
    sycl_match_limits(f);
    sycl_match_pointers(f);
    sycl_match_managed(f);
    cu_settle_matches(f);
    if (f->too_many)
        unit_note(u, 0, 0, true,
                  S("the file has more than 50,000 matches; it was left unchanged"));
    for (size_t i = 0; i < f->matches.n; i++) vec_push(u->a, &u->matches, &f->matches.v[i].base);
    for (size_t i = 0; i < f->comments.n; i++) vec_push(u->a, &u->comments, f->comments.v[i]);
}

/* A file that the project has ported by hand is named, once. */
static void tell_sibling(struct unit *u) {
    struct cu *f = &u->cu;
    if (f->options->lint || !f->edits.n) return;
    struct str sibling = cu_sibling(f);
    if (!sibling.n) return;
    unit_note(u, 0, 0, false,
              arena_printf(u->a,
                           "%.*s is this file for %.*s already: leave this one out of the port, "
                           "or out of the build",
                           STR_ARG(sibling), STR_ARG(target_name(f->target))));
}

/* A target that is no language's for kernels and CUDA's calls: a file of them is one decision,
 * but for what the rules say of this very target. */
static void leave_file(struct unit *u) {
    struct cu *f = &u->cu;
    struct str where = target_fact(f->target, "cpp_elsewhere");
    struct cu_match *first = NULL;
    if (!where.n || !f->options->verify) return;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        bool own = m->cell && str_eq(rs_str(m->row.set, m->cell->target), target_name(f->target));
        if (own || m->message.p || !match_is_left(&m->base)) continue;
        m->told = first != NULL;
        if (first) first->more++;
        if (!first) first = m;
    }
    if (!first || !first->more) return;
    struct str title = rs_str(f->target.set, f->target.target->title);
    first->message = arena_printf(u->a,
                                  "`%.*s` is CUDA C++, which %.*s does not reach: port the file "
                                  "to %.*s",
                                  STR_ARG(first->token), STR_ARG(title), STR_ARG(where));
}

static void plan(struct unit *u) {
    struct cu *f = &u->cu;
    struct sycl *sycl = sycl_begin(f);
    cu_plan(f);
    if (sycl)
        sycl_write(sycl);
    else
        kernels_split(f);
    cu_finish_edits(f);
    leave_file(u);
    tell_sibling(u);
    for (size_t i = 0; i < f->edits.n; i++) vec_push(u->a, &u->rewrites, f->edits.v[i]);
    for (size_t i = 0; i < f->joined.n; i++) vec_push(u->a, &u->joined, f->joined.v[i]);
}

/* ---- emit ---- */

struct errors {
    VEC(struct byte_range) v;
    enum parse_status status;
};

/* The tree of the text, as plain C++; that of the source is the same for every target. */
static enum parse_status parse(struct unit *u, struct str text, struct tree *t) {
    struct parses *parses = text.p == u->src.p && text.n == u->src.n ? u->parses : NULL;
    bool whole;
    if (parses_find(parses, NULL, 0, t, &whole)) return PARSE_OK;
    text = cu_plain_text(u->a, &u->session->rules, text);
    enum parse_status status =
        tree_parse(t, u->a, &u->session->cuda, text, NULL, 0, PARSE_SECONDS);
    if (status == PARSE_OK) parses_keep(parses, NULL, 0, t);
    return status;
}

/* The places of the text that tree-sitter can't read. */
static struct errors syntax_errors(struct unit *u, struct str text) {
    struct errors e = {0};
    struct tree t;
    e.status = parse(u, text, &t);
    for (uint32_t i = 0; e.status == PARSE_OK && i < t.n; i++) {
        struct byte_range r = {t.v[i].start, t.v[i].end};
        if (t.v[i].kind == CK_ERROR) vec_push(u->a, &e.v, r);
    }
    return e;
}

/* Renames, includes and conditions can't break what was read; a call that changes its shape could.
 * `token` is the first that ends behind the edit's begin. */
static bool reshapes(const struct cu *f, const struct cm_edit *e, uint32_t token) {
    uint32_t d = token < f->tokens.n ? f->tokens.v[token].directive : 0;
    if (d && f->directives.v[d - 1].kind >= CD_IF && e->start >= f->tokens.v[token].start)
        return false;
    return str_find(e->text, S("("), 0) < e->text.n;
}

/* How many bytes more the port has by an edit. */
static int64_t grows(const struct cm_edit *e) {
    return (int64_t)e->text.n - (int64_t)(e->end - e->start);
}

/* Where the place `at` of the port is in the source. */
static uint32_t source_place(const struct unit *u, uint32_t at) {
    int64_t shift = 0; /* of the port, by the edits before */
    for (size_t i = 0; i < u->edits.n; i++) {
        const struct cm_edit *e = &u->edits.v[i];
        if (at < e->start + shift) break;
        if (at < e->start + shift + (int64_t)e->text.n) return e->start;
        shift += grows(e);
    }
    return (uint32_t)(at - shift);
}

/* namespace a { and extern "C" { are no part of what they hold. */
static bool is_shell(const struct cu *f, uint32_t brace) {
    uint32_t i = brace;
    while (i > 0 && (cu_is_word(f, i - 1) || cu_is(f, i - 1, "::")) && !cu_is(f, i, "namespace"))
        i--;
    bool c = i > 1 && f->tokens.v[i - 1].kind == CU_STRING && cu_is(f, i - 2, "extern");
    return c || (i < brace && cu_is(f, i, "namespace"));
}

/* A walk over the source's declarations, outside of all others. */
struct declarations {
    uint32_t token; /* the next one */
    uint32_t start; /* of the declaration that it is part of */
};

/* The declaration around a place that is not before the one asked for last. */
static struct byte_range declaration_at(const struct cu *f, struct declarations *d, uint32_t at) {
    for (; d->token < f->tokens.n; d->token++) {
        uint32_t i = d->token;
        const struct cu_token *t = &f->tokens.v[i];
        if (t->directive) continue;
        bool closed = t->partner != NO_NODE && t->partner > i;
        bool brace = cu_is(f, i, "{"), shell = brace && is_shell(f, i);
        if (closed && !shell) i = t->partner;
        if (!cu_is(f, i, ";") && !brace && !cu_is(f, i, "}")) {
            d->token = i;
            continue;
        }
        uint32_t end = f->tokens.v[i].end;
        if (end > at) return (struct byte_range){d->start, end};
        d->token = i;
        d->start = end;
    }
    return (struct byte_range){d->start, (uint32_t)f->src.n};
}

/* Where the code of a declaration begins: the directives before it are no part of it. */
static uint32_t code_begins(const struct cu *f, struct byte_range d, uint32_t token) {
    while (token > 0 && f->tokens.v[token - 1].start >= d.start) token--;
    while (token < f->tokens.n && f->tokens.v[token].directive) token++;
    return token < f->tokens.n ? f->tokens.v[token].start : d.end;
}

/* Whether a declaration of the port reads by itself, or has no more errors than it had in the
 * source: the grammar expands no macros, so that many do. */
static bool piece_reads(struct unit *u, struct str piece, struct str source) {
    struct errors after = syntax_errors(u, piece);
    if (after.status != PARSE_OK) return false;
    if (!after.v.n) return true;
    struct errors before = syntax_errors(u, source);
    return before.status == PARSE_OK && after.v.n <= before.v.n;
}

/* Whether each declaration of the port whose shape an edit may have changed reads as well by
 * itself as it did: then so does the port, and neither is parsed as a whole. */
static bool pieces_read(struct unit *u, struct str output) {
    const struct cu *f = &u->cu;
    struct declarations walk = {0};
    struct byte_range d = {0};    /* the declaration that is read, from its first edit on */
    int64_t shift = 0, begin = 0; /* of the port, by the edits before this one and before d */
    uint32_t t = 0;               /* edits and tokens are in order */
    for (size_t i = 0; i <= u->edits.n; i++) {
        const struct cm_edit *e = i < u->edits.n ? &u->edits.v[i] : NULL;
        if (d.end && (!e || e->start >= d.end)) {
            struct str piece = str_sub(output, (size_t)(d.start + begin), (size_t)(d.end + shift));
            if (!piece_reads(u, piece, str_sub(u->src, d.start, d.end))) return false;
            d.end = 0;
        }
        if (!e) break;
        while (t < f->tokens.n && f->tokens.v[t].end <= e->start) t++;
        if (!d.end && reshapes(f, e, t)) {
            d = declaration_at(f, &walk, (uint32_t)e->start);
            uint32_t code = code_begins(f, d, t);
            d.start = code < e->start ? code : (uint32_t)e->start;
            begin = shift;
            for (size_t j = i; j > 0 && u->edits.v[j - 1].start >= d.start; j--)
                begin -= grows(&u->edits.v[j - 1]);
        }
        shift += grows(e);
    }
    return true;
}

static uint32_t loose_brackets(struct unit *u, struct str text) {
    struct cu f = {.a = u->a,
                   .src = text,
                   .rules = &u->session->rules,
                   .lexes = u->lexes,
                   .once = text.p != u->src.p || !u->in->again};
    uint32_t n = 0;
    cu_lex(&f);
    for (uint32_t i = 0; i < f.tokens.n; i++) {
        bool bracket = str_listed(cu_text(&f, i), S("( ) [ ] { }"));
        n += bracket && !f.tokens.v[i].directive && f.tokens.v[i].partner == NO_NODE;
    }
    return n;
}

/* The grammar expands no macros. Where it could not read the source, its errors of the port are no
 * news, however many: they have to be in a declaration that it had read. */
static bool is_news(struct unit *u, const struct errors *before, struct str output,
                    struct byte_range error) {
    uint32_t at = error.start; /* } alone: brackets match, so it follows from one before */
    while (at < error.end && strchr("} \t\r\n", output.p[at])) at++;
    if (at == error.end && error.end > error.start) return false;
    struct declarations walk = {0};
    struct byte_range d = declaration_at(&u->cu, &walk, source_place(u, error.start));
    for (size_t i = 0; i < before->v.n; i++)
        if (before->v.v[i].start < d.end && before->v.v[i].end >= d.start) return false;
    return true;
}

static enum reading reads_again(struct unit *u, struct str output) {
    struct arena_mark mark = arena_mark(u->a);
    if (pieces_read(u, output)) {
        arena_release(u->a, mark);
        return READS;
    }
    struct errors after = syntax_errors(u, output), before = {0};
    if (after.v.n) before = syntax_errors(u, u->src);
    /* A function with two forms in the port has its errors twice; nor is a text news that takes
     * the grammar too long. */
    bool forms = false, reads = true;
    for (size_t i = 0; i < u->cu.forms.n; i++) forms |= u->cu.forms.v[i].good;
    bool more = after.v.n > before.v.n * (forms ? 2 : 1);
    if (more && before.status == PARSE_OK && after.status == PARSE_OK) {
        reads = before.v.n && loose_brackets(u, output) <= loose_brackets(u, u->src);
        for (size_t i = 0; reads && i < after.v.n; i++)
            reads = !is_news(u, &before, output, after.v.v[i]);
    }
    arena_release(u->a, mark);
    return reads ? READS : READS_NOT;
}

/* ---- dump ---- */

static void dump_tokens(struct unit *u, struct buf *b) {
    static const char *const kinds[] = {
        [CU_WORD] = "word",          [CU_NUMBER] = "number", [CU_STRING] = "string",
        [CU_CHAR] = "char",          [CU_HEADER] = "header", [CU_ASKED] = "asked header",
        [CU_NAMED] = "named header", [CU_HASH] = "hash",     [CU_TEXT] = "text",
        [CU_PUNCT] = "punctuation"};
    for (uint32_t i = 0; i < u->cu.tokens.n; i++) {
        const struct cu_token *t = &u->cu.tokens.v[i];
        buf_printf(b, "%u-%u %s%s ", t->start, t->end, t->directive ? "directive " : "",
                   kinds[t->kind]);
        buf_add_visible(b, cu_text(&u->cu, i));
        buf_addc(b, '\n');
    }
}

static void dump_names(struct unit *u, struct buf *b) {
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
static void dump_tree(struct unit *u, struct buf *b) {
    struct grammar g = grammar_of_symbols(&u->session->cuda, u->a);
    struct tree t;
    if (tree_parse(&t, u->a, &g, u->src, NULL, 0, PARSE_SECONDS) != PARSE_OK) {
        buf_addz(b, "parsing takes too long\n");
        return;
    }
    uint32_t *depth_of = arena_zalloc(u->a, (t.n + 1) * sizeof *depth_of);
    for (uint32_t i = 0; i < t.n; i++) {
        bool shown = t.v[i].named || t.v[i].kind == g.error;
        unit_dump_node(u, b, &t, i, depth_of, shown ? grammar_symbol(&g, t.v[i].kind) : NULL);
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
                   STR_ARG(cu_text(f, k->name)), k->strategy);
        if (k->why.n && k->place != NO_NODE) {
            unit_position(u, f->tokens.v[k->place].start, &line, &column);
            buf_printf(b, "; %u:%u: %.*s", line, column, STR_ARG(k->why));
        }
        buf_addc(b, '\n');
    }
}

/* ,"KEY":{"line":1,"column":2,"TEXT_KEY":...} of a token; null: there is none. */
static void add_place(struct unit *u, struct buf *b, const char *key, uint32_t token,
                      struct str text) {
    uint32_t line, column;
    buf_printf(b, ",\"%s\":", key);
    if (token == NO_NODE) {
        buf_addz(b, "null");
        return;
    }
    unit_position(u, u->cu.tokens.v[token].start, &line, &column);
    buf_printf(b, "{\"line\":%u,\"column\":%u,\"text\":", line, column);
    buf_add_json(b, text);
    buf_addc(b, '}');
}

/* One object on a line for each kernel: what the text says, and where its variables are kept. */
static void dump_kernels_json(struct unit *u, struct buf *b) {
    const struct cu *f = &u->cu;
    for (size_t i = 0; i < f->kernels.n; i++) {
        const struct cu_kernel *k = &f->kernels.v[i];
        uint32_t line, column;
        unit_position(u, f->tokens.v[k->name].start, &line, &column);
        buf_addz(b, "{\"file\":");
        buf_add_json(b, u->in->name);
        buf_printf(b, ",\"line\":%u,\"column\":%u,\"kernel\":", line, column);
        buf_add_json(b, cu_text(f, k->name));
        buf_printf(b, ",\"strategy\":\"%s\"", k->strategy);
        add_place(u, b, "reason", k->why.n ? k->place : NO_NODE, k->why);
        buf_addz(b, ",\"variables\":[");
        for (size_t n = 0; n < k->variables.n; n++) {
            const struct cu_kernel_variable *v = &k->variables.v[n];
            unit_position(u, f->tokens.v[v->token].start, &line, &column);
            buf_printf(b, "%s{\"name\":", n ? "," : "");
            buf_add_json(b, cu_text(f, v->token));
            buf_printf(b, ",\"line\":%u,\"column\":%u,\"kept\":\"%s\",\"why\":\"%s\"", line,
                       column, v->kept, v->why);
            bool varies = v->varies != NO_NODE;
            add_place(u, b, "varies_by", v->varies, varies ? cu_text(f, v->varies) : S(""));
            buf_addc(b, '}');
        }
        buf_addz(b, "]}\n");
    }
}

static void dump(struct unit *u, enum cm_dump stage, struct buf *b) {
    if (stage == CM_DUMP_TOKENS) dump_tokens(u, b);
    if (stage == CM_DUMP_TREE) dump_tree(u, b);
    if (stage == CM_DUMP_NAMES) dump_names(u, b);
    if (stage == CM_DUMP_KERNELS) dump_kernels(u, b);
    if (stage == CM_DUMP_KERNELS_JSON) dump_kernels_json(u, b);
}

const struct language cuda_language = {.name = "c++",
                                       .title = "cpp_title",
                                       .prefilter = prefilter,
                                       .check_text = unit_check_text,
                                       .is_worth = is_worth,
                                       .match = match,
                                       .plan = plan,
                                       .reads_again = reads_again,
                                       .dump = dump};
