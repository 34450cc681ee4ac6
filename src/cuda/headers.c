/* SPDX-License-Identifier: Apache-2.0 */
/* headers.c - the #include lines that a port adds. */
#include "cuda/cu.h"

struct str cu_eol(const struct cu *f) {
    size_t nl = str_find(f->src, S("\n"), 0);
    return nl > 0 && nl < f->src.n && f->src.p[nl - 1] == '\r' ? S("\r\n") : S("\n");
}

static bool includes(const struct cu *f, struct str path) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (f->tokens.v[i].kind != CU_HEADER) continue;
        struct str text = cu_text(f, i);
        if (text.n > 2 && str_eq(str_sub(text, 1, text.n - 1), path)) return true;
    }
    return false;
}

bool cu_is_included(struct cu *f, struct str path) {
    if (!path.n || includes(f, path)) return true;
    cu_read_included(f);
    for (size_t i = 0; i < f->included.n; i++)
        if (includes(f->included.v[i], path)) return true;
    return false;
}

/* The #include that becomes that of the path, or NO_NODE. */
static uint32_t ported_include(const struct cu *f, struct str path) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        if (m->kind == CU_INCLUDE && m->applied && str_eq(m->replacement, path)) return i;
    }
    return NO_NODE;
}

/* The #include that will become that of the path: names are planned before the #include above
 * them. */
static uint32_t coming_include(const struct cu *f, struct str path) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        const struct rcell *c = m->kind == CU_INCLUDE ? row_cell(m->row, f->target) : NULL;
        if (c && (c->verdict == V_SHIM || c->verdict == V_EXACT) &&
            str_eq(rs_str(m->row.set, c->to), path))
            return i;
    }
    return NO_NODE;
}

/* What asks for the i-th header. */
static uint8_t need_of(size_t i) { return i + 2 < MOST_NEEDS ? (uint8_t)(i + 1) : 0; }

void cu_need_header(struct cu *f, struct str paths, uint32_t match) {
    struct str path = str_sub(paths, 0, str_find(paths, S(" "), 0));
    if (!path.n || includes(f, path)) return;
    uint32_t include = ported_include(f, path);
    if (include == NO_NODE) include = coming_include(f, path);
    if (include != NO_NODE) {
        if (match != NO_NODE) cu_join(f, match, include);
        return;
    }
    size_t i = 0;
    while (i < f->headers.n && !str_eq(f->headers.v[i].path, path)) i++;
    if (i == f->headers.n) {
        struct cu_header h = {.path = path, .need = need_of(i), .match = NO_NODE};
        vec_push(f->a, &f->headers, h);
    }
    if (match == NO_NODE)
        f->headers.v[i].need = 0;
    else
        f->matches.v[match].needs |= 1U << f->headers.v[i].need;
}

static bool is_one_of(struct str path, struct str paths) {
    for (size_t i = 0, end; i < paths.n; i = end + 1) {
        for (end = i; end < paths.n && paths.p[end] != ' ';) end++;
        if (str_eq(path, str_sub(paths, i, end))) return true;
    }
    return false;
}

/* The words of a text that blanks part; a word ends where the next one begins, or the text. */
static struct str next_word(struct str text, size_t *at) {
    size_t start = *at, end = str_find(text, S(" "), start);
    *at = end < text.n ? end + 1 : text.n;
    return str_sub(text, start, end);
}

void cu_need_brought(struct cu *f, struct str path, uint32_t match) {
    struct str fact = target_fact(f->target, "brought_header");
    size_t at = 0;
    struct str by = next_word(fact, &at), brought = next_word(fact, &at);
    if (!fact.n || !str_eq(path, by)) return;
    struct str names = str_sub(fact, at, fact.n);
    bool used = false;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        if (m->cell && m->kind == CU_INCLUDE && m->cell->to.n &&
            str_eq(rs_str(m->row.set, m->cell->to), brought))
            return;
        used |=
            is_one_of(rs_str(m->row.set, m->row.rule->id), names) || is_one_of(m->token, names);
    }
    if (used) cu_need_header(f, brought, match);
}

/* Whether the token is of an #include in a string that is compiled at run time. */
static bool in_program(const struct cu *f, uint32_t token) {
    uint32_t directive = f->tokens.v[token].directive;
    return directive && f->directives.v[directive - 1].in_string;
}

/* Whether a header of the target's includes the runtime's itself: it is below one of the folders
 * that a fact lists. */
static bool brings_runtime(const struct cu *f, struct str path) {
    struct str folders = target_fact(f->target, "folders_of_headers_that_include_the_runtime");
    size_t n = str_find(path, S("/"), 0);
    return n < path.n && is_one_of(str_sub(path, 0, n), folders);
}

/* Whether one of these headers is included, before any other that became the target's and needs
 * it; *by is the match that becomes it, or NO_NODE where it is there already, *at where. */
static bool comes_first(const struct cu *f, struct str paths, uint32_t *by, uint32_t *at) {
    uint32_t here = UINT32_MAX, other = UINT32_MAX;
    for (uint32_t i = f->tokens.n; i-- > 0;) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind != CU_HEADER || text.n < 2 || in_program(f, i)) continue;
        if (is_one_of(str_sub(text, 1, text.n - 1), paths)) here = f->tokens.v[i].start;
    }
    *by = NO_NODE;
    for (size_t i = f->matches.n; i-- > 0;) {
        const struct cu_match *m = &f->matches.v[i];
        if (m->kind != CU_INCLUDE || !m->applied || !m->replacement.n) continue;
        bool first = is_one_of(m->replacement, paths);
        if (in_program(f, m->first) || (!first && brings_runtime(f, m->replacement))) continue;
        uint32_t *place = first ? &here : &other;
        if (m->start >= *place) continue;
        *place = m->start;
        if (first) *by = (uint32_t)i;
    }
    *at = here;
    return here != UINT32_MAX && here < other;
}

/* Whether what the file says of CUDA can only come from nvcc's own #include: those that it has are
 * of the C++ library. Such a header serves .cu files alone. */
static bool includes_little(const struct cu *f) {
    bool any = false;
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (f->tokens.v[i].kind != CU_HEADER) continue;
        struct str text = cu_text(f, i);
        if (text.p[0] != '<' || str_find(text, S("/"), 0) < text.n) return false;
        any = true;
    }
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].kind == CU_INCLUDE) return false;
    return any;
}

/* A name of the runtime's in the program itself. A type alone the header may declare for itself.
 */
static bool is_runtime(const struct cu *f, const struct cu_match *m) {
    return str_is(rs_str(m->row.set, m->row.rule->domain), "cuda-runtime") &&
           !str_ends(rs_str(m->row.set, m->row.rule->id), S("/types")) &&
           !cu_in_string(f, m->start);
}

enum { NEED_RUNTIME = MOST_NEEDS - 1 };

/* The runtime's header is part of what its names need, and in a .cu all that is rewritten: what is
 * still the same here, a port to SYCL may rewrite yet. */
static void need_runtime(struct cu *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        bool may = m->applied || (f->target.sycl && m->verdict == V_SAME && m->kind == CU_SYMBOL);
        if (may && (f->cuda || is_runtime(f, m))) m->needs |= 1U << NEED_RUNTIME;
    }
}

/* Whether it is the name of a header of the runtime's, of CUDA or of the target. */
static bool is_runtime_header(const struct cu *f, struct str path) {
    return rules_lists(f->rules, "cuda.runtime_headers", path) ||
           is_one_of(path, target_fact(f->target, "runtime_headers"));
}

/* Whether an #include above that byte may be of a header of the program. */
static bool has_own_above(const struct cu *f, uint32_t at) {
    for (uint32_t i = 0; i < f->tokens.n && f->tokens.v[i].start < at; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind == CU_HEADER && str_find(text, S("."), 0) < text.n) return true;
    }
    return false;
}

/* The header that an #include with this path means, if it has been read. */
static const struct cu *header_of(const struct cu *f, struct str path) {
    while (str_starts(path, S("./")) || str_starts(path, S("../")))
        path = str_sub(path, str_find(path, S("/"), 0) + 1, path.n);
    for (size_t n = 0; n < f->included.n; n++) {
        struct str whole = f->included.v[n]->path;
        if (!str_ends(whole, path)) continue;
        if (whole.n == path.n || whole.p[whole.n - path.n - 1] == '/') return f->included.v[n];
    }
    return NULL;
}

/* A file that is being read, and where it goes on. */
struct reading {
    const struct cu *f;
    uint32_t token;
};

/* Whether the word at token i is one that the runtime's header has to be there for. */
static bool needs_runtime(const struct cu *f, const struct cu *in, uint32_t i) {
    struct row_ref row;
    size_t cursor = 0;
    if (!cu_is_word(in, i) || in->tokens.v[i].directive) return false;
    if (cu_is(in, i, CU_DEVICE_WORD) || cu_is(in, i, CU_KERNEL_WORD) ||
        rules_lists(f->rules, "cuda.vector_types", cu_text(in, i)))
        return true;
    return rules_is_anchor(f->rules, RL_CUDA, cu_text(in, i), NULL) &&
           rules_find(f->rules, M_SYMBOL, cu_text(in, i), &cursor, &row) &&
           str_is(rs_str(row.set, row.rule->domain), "cuda-runtime");
}

/* Whether the word at token i asks, in a condition, for a macro that the target's runtime header
 * defines: above it the program's own branch for the target is left out. */
static bool asks_runtime(const struct cu *f, const struct cu *in, uint32_t i) {
    uint32_t d = in->tokens.v[i].directive;
    bool condition =
        d && (in->directives.v[d - 1].kind == CD_IF || in->directives.v[d - 1].kind == CD_ELIF);
    return condition && cu_is_word(in, i) &&
           is_one_of(cu_text(in, i), target_fact(f->target, "runtime_macros"));
}

static bool asks_runtime_above(const struct cu *f, uint32_t at) {
    bool asks = false;
    for (uint32_t i = 0; i < f->tokens.n && f->tokens.v[i].start < at && !asks; i++)
        asks = asks_runtime(f, f, i);
    return asks;
}

/* Whether nvcc includes the runtime's header in front of the file. */
static bool is_source(const struct cu *f) { return f->cuda && str_ends(f->path, S(".cu")); }

/* Whether the token is the name of a macro that headers may mean something else by: it stands for
 * something, and is one word. */
static bool is_plain_macro(const struct cu *f, uint32_t i) {
    uint32_t d = i < f->tokens.n ? f->tokens.v[i].directive : 0;
    if (!d || f->directives.v[d - 1].kind != CD_DEFINE || f->directives.v[d - 1].first + 2 != i)
        return false;
    struct str name = cu_text(f, i);
    return f->directives.v[d - 1].last > i + 1 && str_find(name, S("_"), 0) == name.n;
}

/* Whether a compiler that reads what is above that byte finds device code, or names of the
 * runtime's, before its header: nvcc includes it above all, and they leave it to nvcc. Nor does it
 * know the runtime's macros there. Where the runtime is but headers, macros above would change
 * them. */
static bool is_needed_above(struct cu *f, uint32_t at) {
    VEC(struct reading) open = {0};
    VEC(const struct cu *) seen = {0};
    bool macros = at < f->src.n && is_source(f) && target_writes_kernels(f->target);
    if (!f->cuda || (!macros && !has_own_above(f, at) && !asks_runtime_above(f, at))) return false;
    cu_read_included(f);
    vec_push(f->a, &open, ((struct reading){f, 0}));
    while (open.n) {
        struct reading *r = &open.v[open.n - 1];
        const struct cu *now = r->f;
        uint32_t i = r->token++;
        if (i >= now->tokens.n || (now == f && now->tokens.v[i].start >= at)) {
            open.n--;
            continue;
        }
        if ((now != f && needs_runtime(f, now, i)) || asks_runtime(f, now, i)) return true;
        if (macros && is_plain_macro(now, i)) return true;
        struct str text = cu_text(now, i);
        if (now->tokens.v[i].kind != CU_HEADER || text.n < 3 || in_program(now, i)) continue;
        struct str path = str_sub(text, 1, text.n - 1);
        if (is_runtime_header(f, path)) return false;
        const struct cu *h = header_of(f, path);
        for (size_t n = 0; h && n < seen.n; n++)
            if (seen.v[n] == h) h = NULL;
        if (!h) continue;
        vec_push(f->a, &seen, h);
        vec_push(f->a, &open, ((struct reading){h, 0}));
    }
    return false;
}

/* The headers of the runtime, one of which the file has to begin with: in what nvcc compiles, and
 * where kernels are written, only those that know their language. */
static struct str wanted_headers(const struct cu *f) {
    struct str known = target_fact(f->target, "kernel_headers");
    if (known.n && is_source(f)) return known;
    for (uint32_t i = 0; f->cuda && known.n && i < f->tokens.n; i++)
        if (cu_is(f, i, CU_KERNEL_WORD) || cu_is(f, i, CU_DEVICE_WORD)) return known;
    return target_fact(f->target, "runtime_headers");
}

/* Whether the #include at that token becomes one of the runtime's. */
static bool becomes_runtime(const struct cu *f, uint32_t token) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        if (m->kind == CU_INCLUDE && m->first <= token && token < m->last && m->cell)
            return is_runtime_header(f, rs_str(m->row.set, m->cell->to));
    }
    return false;
}

struct str cu_whole_header(struct cu *f, uint32_t token, struct str path) {
    struct str fact = target_fact(f->target, "dependent_headers");
    size_t at = 0;
    struct str whole = next_word(fact, &at);
    bool hidden = false; /* in a branch that the build may leave out */
    if (!is_one_of(path, str_sub(fact, at, fact.n))) return path;
    for (uint32_t i = 0; i < token; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind != CU_HEADER || text.n < 3) continue;
        if (!is_runtime_header(f, str_sub(text, 1, text.n - 1)) && !becomes_runtime(f, i))
            continue;
        const struct cu_branch *branch = cu_optional_branch(f, i);
        if (!branch || branch == cu_optional_branch(f, token)) return path;
        hidden = true;
    }
    if (is_source(f) && !hidden) return path; /* it gets one above all */
    return whole;
}

/* Whether one of the headers, or the runtime's own, is included. */
static bool includes_one_of(const struct cu *f, struct str headers) {
    for (size_t n = 0; n <= f->included.n; n++) {
        const struct cu *in = n ? f->included.v[n - 1] : f;
        for (uint32_t i = 0; i < in->tokens.n; i++) {
            struct str text = cu_text(in, i);
            if (in->tokens.v[i].kind != CU_HEADER || text.n < 3) continue;
            struct str path = str_sub(text, 1, text.n - 1);
            if (is_one_of(path, headers) || is_runtime_header(f, path)) return true;
        }
    }
    return false;
}

/* Whether the #include at token i is of a source file of the tree, which nvcc compiles as CUDA for
 * this one's sake: it may have CUDA's words and no header of CUDA's. */
static bool is_of_source(struct cu *f, uint32_t i) {
    struct str text = cu_text(f, i);
    static const char *const endings[] = {".c\"", ".cc\"", ".cpp\"", ".cxx\"", ".cu\""};
    bool source = false;
    if (f->tokens.v[i].kind != CU_HEADER) return false;
    for (size_t n = 0; n < ARRAY_LEN(endings); n++) source |= str_ends(text, str_of(endings[n]));
    if (!source) return false;
    cu_read_included(f);
    return f->included.n && !includes_one_of(f, (struct str){0});
}

/* The token by which a file that has no word of CUDA's needs what nvcc includes in front of it,
 * for its headers, for functions of C or for a source file that it is the shell of; NO_NODE: it
 * does not. */
static uint32_t relies_on_nvcc(struct cu *f) {
    struct str headers, lacking = target_fact(f->target, "left_to_nvcc");
    bool all = target_writes_kernels(f->target);
    if (!is_source(f) || (!all && !lacking.n)) return NO_NODE;
    bool above = is_needed_above(f, UINT32_MAX);
    for (uint32_t i = 1; i < f->tokens.n; i++) {
        if (above && f->tokens.v[i].kind == CU_HEADER && has_own_above(f, f->tokens.v[i].end))
            return i;
        if (is_of_source(f, i)) return i;
        if (!cu_is_word(f, i) || !cu_is(f, i + 1, "(") || f->tokens.v[i].directive) continue;
        bool declared =
            cu_is_word(f, i - 1) && !str_listed(cu_text(f, i - 1), S("return else do case throw"));
        if (declared || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) continue;
        if (!rules_word_row(f->rules, "cuda.brought_by_nvcc", cu_text(f, i), &headers)) continue;
        struct str header = str_sub(headers, 0, str_find(headers, S(" "), 0));
        if (!all && !is_one_of(header, lacking)) continue;
        cu_read_included(f);
        if (!includes_one_of(f, headers)) return i;
    }
    return NO_NODE;
}

void cu_match_reliance(struct cu *f) {
    uint32_t token = f->matches.n ? NO_NODE : relies_on_nvcc(f);
    if (token != NO_NODE) cu_report(f, "cm::brought_by_nvcc", token);
}

void cu_need_runtime(struct cu *f) {
    struct str headers = wanted_headers(f);
    struct str first = str_sub(headers, 0, str_find(headers, S(" "), 0));
    struct cu_match *stays = NULL;
    bool ported = false;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct cu_match *m = &f->matches.v[i];
        ported |= m->applied && (f->cuda || is_runtime(f, m));
        bool counts = !m->row.rule->lint && !m->suppressed && m->verdict == V_SAME;
        if (!stays && counts && !m->message.p) stays = m;
    }
    if (!headers.n || f->target.direct || (!ported && !(f->cuda && stays))) return;
    if (!f->cuda && !includes_little(f)) return;
    uint32_t include, at;
    need_runtime(f);
    if (comes_first(f, headers, &include, &at) && !is_needed_above(f, at)) {
        for (size_t i = 0; include != NO_NODE && i < f->edits.n; i++)
            if (f->edits.v[i].match == include) f->edits.v[i].need = NEED_RUNTIME;
        return;
    }
    struct cu_header h = {.path = first, .need = NEED_RUNTIME, .match = NO_NODE, .leads = true};
    vec_push(f->a, &f->headers, h);
    if (ported) return; /* else the header is all that a name needs to stay what it is */
    stays->applied = true;
    stays->verdict = V_EXACT;
    stays->replacement =
        arena_printf(f->a, "%.*s, with #include <%.*s>", STR_ARG(stays->token), STR_ARG(first));
    f->headers.v[f->headers.n - 1].match = (uint32_t)(stays - f->matches.v);
}

/* Whether the file has something that it calls by one of these names, no macro. */
static bool has_one_of(const struct cu *f, struct str names) {
    bool may = false;
    for (size_t at = 0; at < names.n && !may;) may = cu_may_have(f, next_word(names, &at));
    for (uint32_t i = 0; may && i < f->tokens.n; i++)
        if (cu_is_word(f, i) && !f->tokens.v[i].directive && is_one_of(cu_text(f, i), names))
            return true;
    return false;
}

void cu_need_plain_names(struct cu *f) {
    struct str names = target_fact(f->target, "leftover_macros");
    size_t at = 0;
    struct str path = next_word(names, &at);
    struct str headers = target_fact(f->target, "kernel_headers");
    struct str first = str_sub(headers, 0, str_find(headers, S(" "), 0));
    bool reads = includes(f, first) || ported_include(f, first) != NO_NODE;
    if (!path.n || f->target.direct || includes(f, path)) return;
    for (size_t i = 0; i < f->headers.n; i++) reads |= str_eq(f->headers.v[i].path, first);
    if (!reads) return;
    names = str_sub(names, at, names.n);
    cu_read_included(f);
    bool any = has_one_of(f, names);
    for (size_t n = 0; n < f->included.n && !any; n++) any = has_one_of(f->included.v[n], names);
    if (!any) return;
    for (uint32_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].applied) cu_need_header(f, path, i);
    for (size_t i = 0; i < f->headers.n; i++)
        if (str_eq(f->headers.v[i].path, path)) f->headers.v[i].leads = true;
}

/* The first token of what opens the outermost braces around a token, such as extern "C" { above
 * #include lines; NO_NODE: it stands in none. A header with templates may not stand there. */
static uint32_t outside_braces(const struct cu *f, uint32_t token) {
    for (uint32_t i = 0; i < token; i++) {
        uint32_t end = f->tokens.v[i].partner;
        if (!cu_is(f, i, "{") || end == NO_NODE || end < token) continue;
        while (i > 0 && !f->tokens.v[i - 1].directive && !cu_is(f, i - 1, ";") &&
               !cu_is(f, i - 1, "}"))
            i--;
        return i;
    }
    return NO_NODE;
}

/* The #include match of a directive that is ported, or NO_NODE. */
static uint32_t match_of(const struct cu *f, const struct cu_directive *d) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        bool own = m->first >= d->first && m->first < d->last;
        if (own && m->kind == CU_INCLUDE && m->applied) return i;
    }
    return NO_NODE;
}

/* The path that an #include has in the output, without its quotes. */
static struct str written_path(const struct cu *f, const struct cu_directive *d) {
    uint32_t match = match_of(f, d);
    if (match != NO_NODE) return f->matches.v[match].replacement;
    for (uint32_t t = d->first; t < d->last; t++) {
        struct str text = cu_text(f, t);
        if (f->tokens.v[t].kind == CU_HEADER && text.n > 2) return str_sub(text, 1, text.n - 1);
    }
    return (struct str){0};
}

/* Notes that the rewrite of any match needs the header, if it is the port's own. */
static void need_own(struct cu *f, struct str path) {
    if (!str_starts(path, S("cuda_morph/")) || includes(f, path)) return;
    for (size_t i = 0; i < f->headers.n; i++)
        if (str_eq(f->headers.v[i].path, path)) {
            f->headers.v[i].leads = true;
            return;
        }
    struct cu_header h = {.path = path, .match = NO_NODE, .leads = true};
    vec_push(f->a, &f->headers, h);
}

/* The port's own headers that may be needed for the words of a file. */
static void need_for_words(struct cu *f, const struct cu *in) {
    static const enum match_kind kinds[] = {M_SYMBOL, M_TOKENS};
    for (uint32_t i = 0; i < in->tokens.n; i++) {
        if (!cu_is_word(in, i) || !rules_is_anchor(f->rules, RL_CUDA, cu_text(in, i), NULL))
            continue;
        for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
            struct row_ref row;
            for (size_t at = 0; rules_find(f->rules, kinds[k], cu_text(in, i), &at, &row);) {
                const struct rcell *cell = row_cell(row, f->target);
                if (!cell) continue;
                need_own(f, rs_str(row.set, cell->include));
                const struct rcase *cases = RS_LIST(row.set, cell->cases, struct rcase);
                for (size_t n = 0; n < cell->cases.n; n++)
                    need_own(f, rs_str(row.set, cases[n].include));
            }
        }
    }
}

/* Whether the tokens can be of a file with kernels, which is included where it is used. */
static bool has_device_code(const struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is(f, i, CU_DEVICE_WORD) || cu_is(f, i, CU_KERNEL_WORD)) return true;
    return false;
}

void cu_need_for_braced(struct cu *f) {
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->kind != CD_INCLUDE || d->in_string || outside_braces(f, d->first) == NO_NODE)
            continue;
        cu_read_included(f);
        const struct cu *in = header_of(f, written_path(f, d));
        if (in && has_device_code(in)) need_for_words(f, in);
    }
}

/* What an #include of that path becomes. */
static struct str ported_path(const struct cu *f, struct str path) {
    size_t cursor = 0;
    struct row_ref row;
    if (!rules_find(f->rules, M_INCLUDE, path, &cursor, &row)) return path;
    const struct rcell *cell = row_cell(row, f->target);
    return cell && cell->to.n ? rs_str(row.set, cell->to) : path;
}

/* Whether a macro that is called like something in the target's libraries is defined there. */
static bool names_a_macro_so(const struct cu *f, const struct cu_directive *d) {
    return d->kind == CD_DEFINE && !d->in_string &&
           is_one_of(cu_text(f, d->first + 2), target_fact(f->target, "library_words"));
}

/* Whether the file includes the header above all that may define a macro of the program's. */
static bool stands_first(const struct cu *f, struct str path) {
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        struct str text = cu_text(f, d->first + 2);
        if (names_a_macro_so(f, d)) return false;
        if (d->kind != CD_INCLUDE || d->in_string) continue;
        if (str_eq(written_path(f, d), path)) return true;
        if (text.n && text.p[0] == '"') return false;
    }
    return false;
}

/* Whether the path is of a header of the target's libraries. */
static bool is_of_library(const struct cu *f, struct str path) {
    size_t slash = str_find(path, S("/"), 0);
    struct str folders = target_fact(f->target, "library_folders");
    return slash < path.n && is_one_of(str_sub(path, 0, slash), folders);
}

/* The headers of the target's libraries that a file includes, whatever the build, lead in f. */
static void need_first(struct cu *f, struct cu *in) {
    for (size_t i = 0; i < in->directives.n; i++) {
        const struct cu_directive *d = &in->directives.v[i];
        struct str path = cu_text(in, d->first + 2);
        if (d->kind != CD_INCLUDE || d->in_string || path.n < 3 || path.p[0] != '<') continue;
        path = str_sub(path, 1, path.n - 1);
        if (cu_is_project_header(f->rules, f->project, in->path, path, false)) continue;
        path = ported_path(f, path);
        bool there =
            !is_of_library(f, path) || cu_optional_branch(in, d->first) || stands_first(f, path);
        for (size_t k = 0; k < f->headers.n && !there; k++)
            there = str_eq(f->headers.v[k].path, path);
        struct cu_header h = {.path = path, .match = NO_NODE, .leads = true};
        if (!there) vec_push(f->a, &f->headers, h);
    }
}

void cu_need_ahead(struct cu *f) {
    if (!is_source(f) || !target_fact(f->target, "library_words").n) return;
    cu_read_included(f);
    bool any = false;
    for (size_t n = 0; n <= f->included.n && !any; n++) {
        const struct cu *in = n ? f->included.v[n - 1] : f;
        for (size_t i = 0; i < in->directives.n; i++)
            any |= names_a_macro_so(in, &in->directives.v[i]);
    }
    if (!any) return;
    for (size_t i = 0; i < f->headers.n; i++)
        f->headers.v[i].leads |= is_of_library(f, f->headers.v[i].path);
    need_first(f, f);
    for (size_t n = 0; n < f->included.n; n++) need_first(f, f->included.v[n]);
}

static uint32_t line_start(const struct cu *f, uint32_t at) {
    while (at > 0 && f->src.p[at - 1] != '\n') at--;
    return at == 0 && str_starts(f->src, S("\xEF\xBB\xBF")) ? 3 : at;
}

/* Whether an #include of that path stands above directive k, in the same branch of conditions. */
static bool repeats(struct cu *f, size_t k, struct str path, uint32_t match) {
    uint32_t closed = 0; /* conditions that end above k */
    while (k-- > 0) {
        const struct cu_directive *d = &f->directives.v[k];
        if (d->in_string) continue;
        bool branch = d->kind == CD_IF || d->kind == CD_ELSE || d->kind == CD_ELIF;
        if (branch && !closed) return false;
        closed += d->kind == CD_ENDIF;
        closed -= d->kind == CD_IF;
        if (closed || d->kind != CD_INCLUDE || !str_eq(written_path(f, d), path)) continue;
        uint32_t other = match_of(f, d);
        if (other != NO_NODE) cu_join(f, match, other);
        return true;
    }
    return false;
}

void cu_drop_repeated(struct cu *f) {
    for (size_t i = 0; i < f->edits.n; i++) {
        struct match_edit *e = &f->edits.v[i];
        if (e->match == NO_NODE) continue;
        const struct cu_match *m = &f->matches.v[e->match];
        if (m->kind != CU_INCLUDE || !m->applied || !m->replacement.n) continue;
        uint32_t directive = f->tokens.v[m->first].directive;
        if (!directive) continue;
        const struct cu_directive *d = &f->directives.v[directive - 1];
        bool plain = !d->in_string && d->kind == CD_INCLUDE && d->last == m->first + 1;
        uint32_t start = line_start(f, f->tokens.v[d->first].start);
        for (size_t c = 0; c < f->comments.n; c++)
            plain &= f->comments.v[c].end <= start || f->comments.v[c].start >= d->line_end;
        if (!plain || !repeats(f, directive - 1, m->replacement, e->match)) continue;
        *e = (struct match_edit){.start = start, .end = d->line_end, .match = e->match};
    }
}

/* Whether directive i is the #define of an include guard, which the file begins with; `#pragma
 * once` may stand in between. */
static bool is_guard(const struct cu *f, size_t i) {
    if (i != 1 && i != 2) return false;
    const struct cu_directive *test = &f->directives.v[0], *d = &f->directives.v[i];
    const struct cu_directive *above = &f->directives.v[i - 1];
    bool once = i == 2 && above->kind == CD_OTHER && above->first == test->last &&
                cu_is(f, above->first + 2, "once");
    bool at_start = d->first == 0 || (d->first == above->last && (i == 1 || once));
    return at_start && d->kind == CD_DEFINE && test->kind == CD_IF && d->last == d->first + 3 &&
           cu_is(f, test->first + 1, "ifndef");
}

/* The first token of the outermost #if around a token, or the token itself. An include guard is
 * none. */
static uint32_t outside_conditions(const struct cu *f, uint32_t token) {
    uint32_t depth = 0, outermost = token;
    for (size_t i = 0; i < f->directives.n && f->directives.v[i].first < token; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->in_string) continue;
        if (is_guard(f, i)) depth = 0;
        if (d->kind == CD_IF && depth++ == 0) outermost = d->first;
        depth -= d->kind == CD_ENDIF && depth > 0;
    }
    return depth ? outermost : token;
}

/* Where the first word stands that is there only by one of the headers that do not lead: a macro
 * is used below its definition. */
static uint32_t first_use(const struct cu *f) {
    uint32_t needs = 0, first = f->src.n;
    for (size_t i = 0; i < f->headers.n; i++)
        if (!f->headers.v[i].leads) needs |= 1U << f->headers.v[i].need;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        bool uses = m->applied && (m->needs & needs & ~1U) && !f->tokens.v[m->first].directive;
        if (uses && m->start < first) first = m->start;
    }
    return first;
}

/* Behind the last #include outside of conditionals and braces above that byte, or before the
 * first; else behind what has to come first. */
static uint32_t header_place(const struct cu *f, bool leads, uint32_t above) {
    uint32_t depth = 0, place = 0, guard = 0;
    uint32_t first = NO_NODE; /* of the #include lines, or a macro above that would change them */
    bool found = false;
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->in_string) continue;
        bool at_start = d->first == 0 || (i == 1 && d->first == f->directives.v[0].last);
        if (i == 0 && at_start && d->kind == CD_OTHER) guard = d->line_end; /* #pragma once */
        if (is_guard(f, i)) {
            guard = f->directives.v[i == 2 ? 0 : i].line_end;
            depth = 0;
            continue;
        }
        depth += d->kind == CD_IF;
        depth -= d->kind == CD_ENDIF && depth > 0;
        bool macro = leads && first == NO_NODE && is_source(f) &&
                     target_writes_kernels(f->target) && is_plain_macro(f, d->first + 2);
        if ((d->kind != CD_INCLUDE && !macro) || (found && d->line_end > above)) continue;
        uint32_t outer = outside_braces(f, d->first);
        uint32_t token = outside_conditions(f, outer == NO_NODE ? d->first : outer);
        if (first == NO_NODE) first = token;
        if (leads && d->kind == CD_INCLUDE) return line_start(f, f->tokens.v[first].start);
        if (macro) continue;
        if (depth || outer != NO_NODE) continue;
        if (i > 0 && cu_region_at(f, f->tokens.v[d->first].start)) continue;
        place = d->line_end;
        found = true;
    }
    if (found) return place;
    if (guard) return guard;
    return line_start(f, f->tokens.n ? f->tokens.v[0].start : 0);
}

/* The headers that lead, or the others: each an edit of its own, at the same place, before what
 * else begins there. */
static void add_headers(struct cu *f, bool leads) {
    uint32_t place = header_place(f, leads, first_use(f));
    bool unfinished = place > 0 && place == f->src.n && f->src.p[place - 1] != '\n';
    VEC(struct match_edit) added = {0};
    for (size_t i = 0; i < f->headers.n; i++) {
        const struct cu_header *h = &f->headers.v[i];
        if (h->leads != leads) continue;
        struct match_edit e = {
            .start = place, .end = place, .match = h->match, .need = unfinished ? 0 : h->need};
        e.text = arena_printf(f->a, "%.*s#include <%.*s>%.*s",
                              STR_ARG(unfinished && !added.n ? cu_eol(f) : S("")),
                              STR_ARG(h->path), STR_ARG(cu_eol(f)));
        vec_push(f->a, &added, e);
    }
    if (!added.n) return;
    size_t k = 0;
    while (k < f->edits.n && f->edits.v[k].start < place) k++;
    for (size_t i = 0; i < added.n; i++) vec_push(f->a, &f->edits, added.v[i]);
    memmove(f->edits.v + k + added.n, f->edits.v + k,
            (f->edits.n - added.n - k) * sizeof *f->edits.v);
    memcpy(f->edits.v + k, added.v, added.n * sizeof *added.v);
}

/* What becomes one of the target's headers within braces, those of `extern "C"`, is included above
 * them, too: CUDA's headers leave C by themselves, the target's have templates. */
static void lift_out_of_braces(struct cu *f) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *m = &f->matches.v[i];
        bool becomes = m->kind == CU_INCLUDE && m->applied && m->replacement.n;
        if (!becomes || in_program(f, m->first) || outside_braces(f, m->first) == NO_NODE)
            continue;
        size_t k = 0;
        while (k < f->headers.n && !str_eq(f->headers.v[k].path, m->replacement)) k++;
        struct cu_header h = {.path = m->replacement, .match = i, .leads = true};
        if (k == f->headers.n) vec_push(f->a, &f->headers, h);
    }
}

void cu_add_headers(struct cu *f) {
    lift_out_of_braces(f);
    add_headers(f, false);
    add_headers(f, true);
}
