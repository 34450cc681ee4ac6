/* SPDX-License-Identifier: Apache-2.0 */
/* write.c - the edits of a port to SYCL: words of CUDA's in device code, parameters and arguments
 * for the work-item, headers. What cannot be edited is manual at its place. */
#include "sycl/sycl.h"

/* ---- words ---- */

/* The text with {item} filled in. */
static struct str with_item(const struct sycl *s, struct str item, struct str text) {
    struct buf b;
    buf_init(&b, s->f->a);
    for (size_t i = 0; i < text.n;) {
        size_t at = str_find(text, S("{item}"), i);
        buf_add(&b, str_sub(text, i, at));
        if (at < text.n) buf_add(&b, item);
        i = at < text.n ? at + 6 : at;
    }
    return buf_str(&b);
}

/* A qualifier goes with the blanks behind it, unless a comment or a line of another kind is there.
 */
static void remove_word(struct sycl *s, uint32_t i) {
    struct cu *f = s->f;
    uint32_t last = i;
    bool call = rules_lists(f->rules, "sycl.removed_calls", cu_text(f, i));
    if (call && cu_is(f, i + 1, "(") && cu_partner(f, i + 1) != NO_NODE)
        last = cu_partner(f, i + 1);
    uint32_t start = f->tokens.v[i].start, end = f->tokens.v[last].end, at = end;
    while (at < f->src.n && strchr(" \t", f->src.p[at])) at++;
    bool next = last + 1 < f->tokens.n && f->tokens.v[last + 1].start == at &&
                f->tokens.v[last + 1].directive == f->tokens.v[i].directive;
    bool line = at < f->src.n && (f->src.p[at] == '\n' || f->src.p[at] == '\r');
    if (next) end = at;
    struct match_edit *before = s->edits.n ? &s->edits.v[s->edits.n - 1] : NULL;
    if (before && before->end > start && before->end <= f->tokens.v[i].start) start = before->end;
    if (line) { /* the blanks before it go, and the line where nothing else is on it */
        bool joined = before && before->end == start && !before->text.n;
        uint32_t *first = joined ? &before->start : &start;
        while (*first > 0 && strchr(" \t", f->src.p[*first - 1])) --*first;
        bool alone = *first == 0 || f->src.p[*first - 1] == '\n';
        if (alone && !f->tokens.v[i].directive) end = at + (f->src.p[at] == '\r') + 1;
    }
    uint32_t match = sy_claim(s, f->tokens.v[i].start, f->tokens.v[last].end, S(""));
    bool beside = before && before->end == start && !before->text.n;
    if (beside && match != UINT32_MAX && before->match != UINT32_MAX)
        cu_join(f, match, before->match); /* __host__ __device__ */
    sy_push(s, start, end, S(""), match);
}

/* threadIdx.x is item.get_local_id(2), and of 32 bits where that matters. */
static void write_builtin(struct sycl *s, uint32_t i, struct str item, struct str row) {
    static const char *const names[] = {"x", "y", "z"};
    struct cu *f = s->f;
    size_t blank = str_find(row, S(" "), 0);
    struct str method = str_sub(row, 0, blank), whole = str_sub(row, blank + 1, row.n);
    uint32_t end = sy_global_id(f, i);
    if (end == NO_NODE)
        end = i + 3;
    else
        rules_word_row(f->rules, "sycl.sums", S("global"), &method);
    for (unsigned k = 0; k < 3; k++) {
        if (!cu_is(f, i + 1, ".") || !cu_is(f, i + 2, names[k])) continue;
        bool any = sy_is_any_width(f, i, end);
        const char *form = any ? "%.*s.%.*s(%u)" : "uint32_t(%.*s.%.*s(%u))";
        sy_edit(s, i, end, arena_printf(f->a, form, STR_ARG(item), STR_ARG(method), 2 - k));
        return;
    }
    sy_edit(s, i, i + 1, with_item(s, item, whole));
}

/* What stands between the work-item and what follows it at that byte. */
static struct str separator(const struct cu *f, uint32_t at) {
    bool line = at < f->src.n && (f->src.p[at] == '\n' || f->src.p[at] == '\r');
    return line ? S(",") : S(", ");
}

/* An argument more for the call whose parenthesis is token `open`. */
static void add_argument(struct sycl *s, uint32_t open, uint32_t word, struct str item) {
    struct cu *f = s->f;
    bool empty = cu_partner(f, open) == open + 1;
    const struct cu_match *m = sy_match_at(f, word);
    uint32_t at = f->tokens.v[open].end;
    sy_push(s, at, at, empty ? item : arena_concat(f->a, item, separator(f, at)),
            m ? (uint32_t)(m - f->matches.v) : UINT32_MAX);
}

/* The parenthesis of the call whose name is token i, behind its template arguments; NO_NODE: it is
 * none. */
static uint32_t call_of(const struct cu *f, uint32_t i) {
    uint32_t open = i + 1;
    if (cu_is(f, open, "<")) {
        uint32_t close = cu_template_end(f, open);
        if (close != NO_NODE) open = close + 1;
    }
    return cu_is(f, open, "(") && cu_partner(f, open) != NO_NODE ? open : NO_NODE;
}

/* The same where the first argument is a mask that may leave lanes out: cm::lanes(mask), as those
 * alone wait for each other then. False: it is none. */
static bool add_lanes(struct sycl *s, uint32_t open, uint32_t word, struct str item) {
    struct cu *f = s->f;
    struct cu_call call = {0};
    if (!rules_lists(f->rules, "sycl.masked", cu_text(f, word)) || sy_has_full_mask(s, word))
        return false;
    if (!cu_read_call(f, open, &call) || !call.arguments.n) return false;
    const struct cu_match *m = sy_match_at(f, word);
    uint32_t n = m ? (uint32_t)(m - f->matches.v) : UINT32_MAX;
    uint32_t at = f->tokens.v[open].end, end = f->tokens.v[call.arguments.v[0].last - 1].end;
    sy_push(s, at, at, arena_concat(f->a, item, S(", cm::lanes(")), n);
    sy_push(s, end, end, S(")"), n);
    return true;
}

/* Whether an earlier port has been through the call, which stands in a macro or a default
 * argument: it hands on the work-item already. In functions sy_function.ported says so. */
static bool hands_on(const struct sycl *s, uint32_t word) {
    const struct cu *f = s->f;
    uint32_t open = call_of(f, word);
    if (open == NO_NODE) return false;
    if (cu_is(f, open + 1, "cm") && cu_is(f, open + 2, "::") && cu_is(f, open + 3, "this_item"))
        return true;
    if (!sy_in_macro(f, word)) return false;
    if (!cu_is(f, open + 1, "item") && !cu_is(f, open + 1, "cm_item")) return false;
    struct str same;
    if (rules_word_row(f->rules, "sycl.calls", cu_text(f, word), &same) &&
        str_eq(same, cu_text(f, word)))
        return true; /* a name of CUDA's that stays, and has no parameters there */
    const struct sy_function *one = sy_first_named(s, cu_text(f, word));
    while (one && !one->ported) one = sy_next_named(s, one);
    return one || (s->part && sy_takes_item(s, cu_text(f, word)));
}

static void write_call(struct sycl *s, uint32_t i, struct str item, struct str callee) {
    uint32_t open = call_of(s->f, i);
    if (open == NO_NODE) {
        sy_refuse(sy_match_at(s->f, i), S("only calls of it can be rewritten"));
        return;
    }
    sy_edit(s, i, i + 1, callee);
    if (!add_lanes(s, open, i, item)) add_argument(s, open, i, item);
}

/* Whether a macro's text instantiates the function of that name there: template void f<T>(..). */
static bool instantiates(const struct sycl *s, uint32_t name) {
    const struct cu *f = s->f;
    uint32_t i = name, directive = f->tokens.v[name].directive;
    struct str word = cu_text(f, name);
    bool needs = sy_needs_item(s, word);
    for (const struct sy_function *one = sy_first_named(s, word); one && !needs;
         one = sy_next_named(s, one))
        needs = one->kernel || one->ported;
    if (!needs || !sy_in_macro(f, name) || call_of(f, name) == NO_NODE) return false;
    while (i > 0 && f->tokens.v[i - 1].directive == directive && !cu_is(f, i, "template") &&
           !str_listed(cu_text(f, i - 1), S("; { } ( ) =")))
        i--;
    return cu_is(f, i, "template") && !cu_is(f, i + 1, "<");
}

static void write_instantiation(struct sycl *s, uint32_t name) {
    uint32_t open = call_of(s->f, name);
    struct str item = arena_concat(s->f->a, S("const cm::item &"), s->item);
    if (!cu_is(s->f, open + 1, "const") || !cu_is(s->f, open + 2, "cm"))
        add_argument(s, open, name, item);
}

/* Whether the token is in the head of a function of the device: a default argument, or what a
 * constructor begins members with. */
static bool in_head(const struct sycl *s, uint32_t i) {
    if (!s->at[i].head) return false;
    const struct sy_function *one = &s->functions.v[s->at[i].head - 1];
    return i > one->close || !one->host || one->kernel;
}

static void write_word(struct sycl *s, uint32_t i) {
    struct cu *f = s->f;
    struct str word = cu_text(f, i), rest;
    bool member = i > 0 && (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"));
    const struct sy_function *in = sy_function_at(s, i);
    bool device = in != NULL || in_head(s, i);
    if ((in && in->ported) || hands_on(s, i)) return;
    if (i > 1 && cu_is(f, i - 1, "::") && cu_is(f, i - 2, "cm")) return; /* an earlier port's */
    if (instantiates(s, i)) {
        write_instantiation(s, i);
        return;
    }
    if (member || sy_is_refused(s, i)) {
        if (!member || !device || !sy_takes_item(s, word)) return;
    }
    if (rules_word_row(f->rules, "sycl.builtins", word, &rest)) {
        const struct cu_match *m = sy_match_at(f, i);
        bool own = !m || (m->verdict == V_SAME && !m->cell); /* the program's */
        struct str item = own ? S("") : sy_item(s, i);
        if (item.n) write_builtin(s, i, item, rest);
    } else if (rules_word_row(f->rules, "sycl.calls", word, &rest)) {
        if (sy_is_declared_at(s, i)) return; /* limits.c tells of it */
        struct str item = sy_item(s, i);
        if (item.n && !sy_defines(s, word)) write_call(s, i, item, rest); /* its body's are */
    } else if (rules_word_row(f->rules, "sycl.whole_calls", word, &rest)) {
        if (!cu_is(f, i + 1, "(") || !cu_is(f, i + 2, ")") || sy_is_own_declaration(f, i)) return;
        bool given = str_find(rest, S("{item}"), 0) == rest.n;
        struct str item = given ? s->item : sy_item(s, i);
        if (item.n && !sy_defines(s, word)) sy_edit(s, i, i + 3, with_item(s, item, rest));
    } else if (str_is(word, CU_SHARED_WORD)) {
        for (size_t k = 0; k < s->dynamic.n; k++)
            if (s->dynamic.v[k] == i) return; /* sy_write_dynamic()'s */
        if (sy_item(s, i).n && !sy_write_shared(s, i))
            sy_refuse(sy_match_at(f, i),
                      S("SYCL's port has no form for a declaration like this one"));
    } else if (rules_word_row(f->rules, "sycl.renames", word, &rest)) {
        bool own = sy_is_own_declaration(f, i) || sy_is_shadowed_at(s, i, word) ||
                   (i > 1 && cu_is(f, i - 1, "::") && cu_is_word(f, i - 2));
        if (str_starts(word, S("__")) || (device && !own)) sy_edit(s, i, i + 1, rest);
    } else if (sy_takes_item(s, word) && !sy_is_declared_at(s, i) &&
               !sy_is_shadowed_at(s, i, word) && (device || sy_in_macro(f, i)) &&
               call_of(f, i) != NO_NODE) {
        struct str item = sy_item(s, i);
        if (item.n) add_argument(s, call_of(f, i), i, item);
    }
}

/* ---- heads ---- */

static void write_parameter(struct sycl *s, const struct sy_function *one) {
    struct cu *f = s->f;
    if (one->f != f || one->lambda || one->ported) return;
    if (!sy_is_given_item(s, one)) return;
    bool nothing = one->close == one->open + 2 && cu_is(f, one->open + 1, "void");
    bool empty = nothing || one->close == one->open + 1;
    uint32_t at = f->tokens.v[one->open].end;
    struct str text = arena_printf(f->a, "const cm::item &%.*s%.*s", STR_ARG(s->item),
                                   STR_ARG(empty ? S("") : separator(f, at)));
    for (uint32_t i = one->head; i < one->open; i++)
        if (sy_is_refused(s, i) && rules_lists(f->rules, "sycl.removed", cu_text(f, i))) return;
    sy_push(s, at, nothing ? f->tokens.v[one->open + 1].end : at, text, UINT32_MAX);
}

/* Whether the token is part of the declaration of a variable that variables.c wrote anew. */
static bool in_variable(const struct sycl *s, uint32_t i) {
    for (size_t k = 0; k < s->variables.n; k++) {
        const struct sy_variable *v = &s->variables.v[k];
        if (v->f != s->f || i < v->head || i >= v->name) continue;
        for (size_t e = 0; e < s->edits.n; e++)
            if (s->edits.v[e].start <= s->f->tokens.v[i].start &&
                s->edits.v[e].end >= s->f->tokens.v[i].end)
                return true;
    }
    return false;
}

/* #define KERNEL(name) __global__ void name(...) {: its parameters are not found. */
static bool defines_kernel(const struct cu *f, uint32_t i) {
    uint32_t d = f->tokens.v[i].directive;
    if (!sy_in_macro(f, i)) return false;
    for (uint32_t k = i; k < f->directives.v[d - 1].last; k++)
        if (cu_is(f, k, "{")) return true;
    return false;
}

static void write_qualifier(struct sycl *s, uint32_t i) {
    if (sy_is_refused(s, i) || in_variable(s, i)) return;
    if (cu_is(s->f, i, CU_KERNEL_WORD) && defines_kernel(s->f, i))
        sy_refuse(sy_match_at(s->f, i), S("a kernel that a macro defines has to be written anew"));
    else
        remove_word(s, i);
}

/* ---- headers ---- */

/* What SYCL's port includes in place of the CPU's header, or an empty string: in files that use
 * PyTorch the one that takes its context and streams. */
static struct str header_for(const struct cu *f, struct str path) {
    struct str to = {0}, own;
    if (!rules_word_row(f->rules, "sycl.headers", path, &to)) return (struct str){0};
    return f->torch && rules_word_row(f->rules, "sycl.torch_headers", to, &own) ? own : to;
}

static void write_headers(struct sycl *s) {
    struct cu *f = s->f;
    struct str to;
    for (size_t i = 0; i < f->edits.n; i++) {
        struct match_edit *e = &f->edits.v[i];
        if (e->match >= f->matches.n || !cu_names_header(f, &f->matches.v[e->match])) continue;
        to = header_for(f, e->text);
        if (!to.n) continue;
        if (f->matches.v[e->match].kind != CU_INCLUDE)
            to = str_sub(to, 0, str_find(to, S(" "), 0));
        e->text = to;
        f->matches.v[e->match].replacement = to;
    }
    size_t n = f->headers.n;
    f->headers.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct cu_header h = f->headers.v[i];
        bool there = false;
        to = header_for(f, h.path);
        if (to.n) h.path = to;
        for (size_t k = 0; k < f->headers.n; k++) {
            if (!str_eq(f->headers.v[k].path, h.path)) continue;
            f->headers.v[k].leads |= h.leads;
            if (f->headers.v[k].need != h.need) f->headers.v[k].need = 0;
            there = true;
        }
        for (size_t k = 0; k < f->matches.n && !h.leads; k++)
            there |= f->matches.v[k].kind == CU_INCLUDE && f->matches.v[k].applied &&
                     str_eq(f->matches.v[k].replacement, h.path);
        if (!there) vec_push(f->a, &f->headers, h);
    }
}

/* ---- all of it ---- */

static bool is_before(const struct match_edit *x, const struct match_edit *y) {
    return x->start < y->start || (x->start == y->start && x->end < y->end);
}

/* Whether the edit lies in another one of the list, or is the same as one of the first `same`. */
static bool is_covered(const struct match_edit *v, size_t n, size_t same,
                       const struct match_edit *e) {
    for (size_t i = 0; i < n; i++) {
        const struct match_edit *o = &v[i];
        if (o == e || o->start > e->start || o->end < e->end) continue;
        bool wider = o->end - o->start > e->end - e->start;
        if (wider && (e->start < e->end || (e->start > o->start && e->end < o->end))) return true;
        if (!wider && i < same && e->start < e->end) return true;
    }
    return false;
}

/* A launch is written with its arguments, which mostly stay: what an edit writes at its end as it
 * stood is left out of it where it holds an edit of these. */
static void leave_room(struct sycl *s) {
    struct cu *f = s->f;
    for (size_t i = 0; i < s->edits.n; i++) {
        const struct match_edit *e = &s->edits.v[i];
        for (size_t k = 0; k < f->edits.n; k++) {
            struct match_edit *o = &f->edits.v[k];
            size_t same = 0;
            if (o->start >= e->start || o->end < e->end) continue;
            while (same < o->text.n && same < o->end - o->start &&
                   o->text.p[o->text.n - same - 1] == f->src.p[o->end - same - 1])
                same++;
            if (e->start < o->end - same) continue;
            o->end -= (uint32_t)same;
            o->text.n -= same;
        }
    }
}

/* Rules' edits and these, the last of the file first. A rewrite of a whole call, or a declaration,
 * has what is inside it already. */
static void merge(struct sycl *s) {
    struct cu *f = s->f;
    VEC(struct match_edit) all = {0};
    leave_room(s);
    for (size_t i = 0; i < f->edits.n; i++)
        if (!is_covered(s->edits.v, s->edits.n, s->edits.n, &f->edits.v[i]))
            vec_push(f->a, &all, f->edits.v[i]);
    for (size_t i = 0; i < s->edits.n; i++) {
        struct match_edit *e = &s->edits.v[i];
        if (is_covered(s->edits.v, s->edits.n, i, e)) continue;
        if (is_covered(f->edits.v, f->edits.n, 0, e)) {
            if (e->match < f->matches.n)
                sy_refuse(&f->matches.v[e->match],
                          S("the rewrite of what is around it has no place for the work-item"));
            continue;
        }
        vec_push(f->a, &all, *e);
    }
    for (size_t i = 1; i < all.n; i++) /* nearly in order */
        for (size_t k = i; k > 0 && is_before(&all.v[k - 1], &all.v[k]); k--) {
            struct match_edit e = all.v[k];
            all.v[k] = all.v[k - 1];
            all.v[k - 1] = e;
        }
    f->edits.n = 0;
    for (size_t i = 0; i < all.n; i++) vec_push(f->a, &f->edits, all.v[i]);
}

struct sycl *sycl_begin(struct cu *f) {
    if (!f->target.sycl) return NULL;
    struct sycl *s = sy_functions(f);
    sy_find_external(s);
    sy_judge(s);
    return s;
}

/* Whether a directive defines the word or asks for it: #define __host__, defined(__host__). */
static bool is_macros_name(const struct cu *f, uint32_t i) {
    if (!f->tokens.v[i].directive || i < 2) return false;
    return str_listed(cu_text(f, i - 1), S("define undef ifdef ifndef defined")) ||
           (cu_is(f, i - 1, "(") && cu_is(f, i - 2, "defined"));
}

void sycl_write(struct sycl *s) {
    struct cu *f = s->f;
    sy_write_variables(s);
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        const struct cu_region *r = cu_region_at(f, f->tokens.v[i].start);
        if (!cu_is_word(f, i) || (r && r->kind == CR_OTHER_VENDOR)) continue;
        if (cu_in_string(f, f->tokens.v[i].start)) continue;
        if (is_macros_name(f, i) && !cu_is_compilers_macro(f->rules, cu_text(f, i))) continue;
        if (sy_write_external(s, i)) continue;
        if (rules_lists(f->rules, "sycl.removed", cu_text(f, i)))
            write_qualifier(s, i);
        else
            write_word(s, i);
    }
    for (size_t i = 0; i < s->functions.n; i++) {
        write_parameter(s, &s->functions.v[i]);
        if (s->functions.v[i].asks && s->functions.v[i].f == f)
            sy_begin_body(
                s, &s->functions.v[i],
                arena_printf(f->a, "const cm::item &%.*s = cm::this_item();", STR_ARG(s->item)));
    }
    for (size_t i = 0; i < s->dynamic.n; i++) sy_write_dynamic(s, s->dynamic.v[i]);
    sy_write_stays(s);
    write_headers(s);
    merge(s);
}
