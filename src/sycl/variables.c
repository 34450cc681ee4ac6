/* SPDX-License-Identifier: Apache-2.0 */
/* variables.c - shared memory becomes local memory of the work-group, and variables of the device
 * become objects that kernels ask for what they hold. */
#include "sycl/sycl.h"

/* A declaration: qualifiers, type, declarators. */
struct declaration {
    uint32_t first, last;             /* tokens; last: the ; */
    uint32_t type_first, type_end;    /* without qualifiers */
    uint32_t declarators;             /* where they begin: with a name, or its * or & */
    uint32_t align_first, align_last; /* of alignas(..), without the parentheses; or empty */
    bool is_extern, is_static, is_volatile, is_constexpr, is_managed, is_template, is_const;
};

/* GNU's attributes hold alignments, too. */
static bool may_align(const struct cu *f, uint32_t i) {
    return cu_aligns(f, i) || cu_is(f, i, "__attribute__");
}

/* Whether the word is a macro with __managed__ in it. */
static bool stands_for_managed(const struct sycl *s, struct str word) {
    for (size_t n = 0; sy_defines(s, word) && n <= s->f->included.n; n++) {
        const struct cu *f = n ? s->f->included.v[n - 1] : s->f;
        for (size_t d = 0; d < f->directives.n; d++) {
            const struct cu_directive *one = &f->directives.v[d];
            if (one->kind != CD_DEFINE || !str_eq(cu_text(f, one->first + 2), word)) continue;
            for (uint32_t i = one->first + 3; i < one->last; i++)
                if (cu_is(f, i, CU_MANAGED_WORD)) return true;
        }
    }
    return false;
}

/* Notes what token i says of the variable; false: it is no qualifier. */
static bool takes_qualifier(const struct sycl *s, struct declaration *d, uint32_t i) {
    struct str word = cu_text(s->f, i);
    d->is_extern |= str_is(word, "extern");
    d->is_static |= str_is(word, "static");
    d->is_volatile |= str_is(word, "volatile");
    d->is_constexpr |= str_is(word, "constexpr");
    d->is_const |= str_is(word, "const");
    bool managed = stands_for_managed(s, word);
    d->is_managed |= managed || str_is(word, CU_MANAGED_WORD);
    d->is_template |= str_is(word, "template");
    return managed || str_listed(word, S("extern static volatile const inline")) ||
           str_is(word, CU_SHARED_WORD) || rules_lists(s->f->rules, "sycl.removed", word);
}

/* Reads qualifiers from token i on; gives the first token that is none. */
static uint32_t read_qualifiers(const struct sycl *s, struct declaration *d, uint32_t i) {
    const struct cu *f = s->f;
    for (;; i++) {
        bool qualifier = takes_qualifier(s, d, i), aligned = may_align(f, i);
        if (aligned && cu_is(f, i + 1, "(") && cu_partner(f, i + 1) != NO_NODE) {
            d->align_first = i + 2;
            d->align_last = i = cu_partner(f, i + 1);
        }
        if (!aligned && !qualifier) return i;
    }
}

/* The declaration whose qualifiers begin at `first`. False: it is written in another way. */
static bool read_declaration(const struct sycl *s, uint32_t first, struct declaration *d) {
    const struct cu *f = s->f;
    uint32_t directive = f->tokens.v[first].directive;
    *d = (struct declaration){.first = first};
    d->type_first = read_qualifiers(s, d, first);
    uint32_t i = d->type_first;
    while (i < f->tokens.n && f->tokens.v[i].directive == directive) {
        if (cu_is(f, i, "<")) {
            uint32_t close = cu_template_end(f, i);
            if (close == NO_NODE) return false;
            i = close;
        } else if (str_listed(cu_text(f, i), S("; , = [ { ("))) {
            break;
        }
        i++;
    }
    if (i >= f->tokens.n || i < d->type_first + 2 || !cu_is_word(f, i - 1)) return false;
    d->declarators = i - 1; /* the first declarator's name */
    while (d->declarators > d->type_first + 1 &&
           (cu_is(f, d->declarators - 1, "*") || cu_is(f, d->declarators - 1, "&")))
        d->declarators--;
    bool is_const = d->is_const;
    d->type_end = d->declarators; /* qualifiers behind the type: int __device__ x */
    while (d->type_end > d->type_first + 1 &&
           (takes_qualifier(s, d, d->type_end - 1) || cu_is(f, d->type_end - 1, "constexpr")))
        d->type_end--;
    if (cu_is(f, d->type_end - 1, "*")) d->is_const = is_const; /* float *const: the pointer is */
    while (i < f->tokens.n && !cu_is(f, i, ";")) {
        if (f->tokens.v[i].directive != directive) return false;
        if (cu_partner(f, i) != NO_NODE && cu_partner(f, i) > i) i = cu_partner(f, i);
        i++;
    }
    d->last = i;
    return i < f->tokens.n;
}

/* The type of what is declared, which is const where that says what a pointer points to. */
static struct str type_of(const struct sycl *s, const struct declaration *d) {
    struct cu *f = s->f;
    bool points = cu_is(f, d->declarators, "*") || cu_is(f, d->declarators, "&") ||
                  cu_is(f, d->type_end - 1, "*");
    struct str type = cu_ported_text(f, d->type_first, d->type_end);
    return d->is_const && points ? arena_concat(f->a, S("const "), type) : type;
}

/* ---- shared memory ---- */

/* One declarator, tokens [first, last): * name [..][..] */
static bool put_shared(struct sycl *s, const struct declaration *d, uint32_t first, uint32_t last,
                       struct buf *b) {
    struct cu *f = s->f;
    uint32_t name = first;
    while (name < last && !cu_is_word(f, name)) name++;
    uint32_t end = name + 1;
    while (end < last && cu_is(f, end, "[") && cu_partner(f, end) != NO_NODE)
        end = cu_partner(f, end) + 1;
    if (name >= last || end != last) return false;
    struct str type = type_of(s, d);
    struct str stars = first < name ? cu_span(f, first, name) : S("");
    struct str dims = end > name + 1 ? cu_ported_text(f, name + 1, end) : S("");
    struct str align = cu_span(f, d->align_first, d->align_last);
    bool number = f->tokens.v[d->align_first].kind == CU_NUMBER;
    if (str_find(align, S(">"), 0) < align.n) /* it would end the template's arguments */
        align = arena_printf(f->a, "(%.*s)", STR_ARG(align));
    bool dynamic = d->is_extern;
    struct str item = sy_item(s, d->first);
    if (!dynamic && align.n && !number &&
        !str_listed(cu_text(f, d->align_first), S("sizeof alignof")))
        return false; /* a type, or a constant: nobody knows which */
    const struct sy_function *in = sy_function_at(s, d->first);
    if (!in && !sy_in_macro(f, d->first)) return false;
    if (dynamic && in && !sy_is_given_item(s, in)) return false; /* where it lies is told nobody */
    if (dynamic) { /* its first dimension is the one that the launch gives */
        if (!cu_is(f, name + 1, "[") || cu_partner(f, name + 1) != name + 2) return false;
        dims = end > name + 3 ? cu_ported_text(f, name + 3, end) : S("");
    }
    buf_printf(b, dynamic ? "auto *%.*s = " : "auto &%.*s = ", STR_ARG(cu_text(f, name)));
    if (dynamic)
        buf_printf(b, "%.*s.dynamic_local<", STR_ARG(item));
    else
        buf_addz(b, "cm::local<");
    buf_printf(b, "%s%.*s%s%.*s%.*s", d->is_volatile ? "volatile " : "", STR_ARG(type),
               stars.n ? " " : "", STR_ARG(stars), STR_ARG(dims));
    if (dynamic)
        buf_addz(b, ">()");
    else
        buf_printf(b, ", struct %.*s_local%s%.*s>(%.*s)", STR_ARG(cu_text(f, name)),
                   align.n ? ", " : "", STR_ARG(align), STR_ARG(item));
    return true;
}

/* __shared__ union { .. } temp; whose qualifiers begin at `first`: the type is declared, and then
 * the memory. False: it is another one. */
static bool write_record(struct sycl *s, uint32_t first) {
    struct cu *f = s->f;
    struct declaration d = {0};
    uint32_t kind = read_qualifiers(s, &d, first), open = kind + 1;
    if (!str_listed(cu_text(f, kind), S("union struct")) || d.is_extern) return false;
    bool named = cu_is_word(f, open);
    open += named;
    uint32_t close = cu_is(f, open, "{") ? cu_partner(f, open) : NO_NODE;
    if (close == NO_NODE || !cu_is_word(f, close + 1) || d.align_first) return false;
    uint32_t end = close + 2;
    while (cu_is(f, end, "[") && cu_partner(f, end) != NO_NODE) end = cu_partner(f, end) + 1;
    if (!cu_is(f, end, ";") || !sy_function_at(s, first)) return false;
    struct str name = cu_text(f, close + 1);
    struct str type = named ? cu_text(f, kind + 1) : arena_concat(f->a, name, S("_type"));
    struct str item = sy_item(s, first), mark = S("");
    bool marked = first > 4 && cu_is(f, first - 1, "]") && cu_is(f, first - 2, "]") &&
                  cu_is(f, cu_partner(f, first - 1) + 1, "[");
    if (marked) { /* [[maybe_unused]]: the variable's, not the type's */
        uint32_t open_mark = cu_partner(f, first - 1);
        mark = arena_concat(f->a, cu_span(f, open_mark, first), S(" "));
        first = open_mark;
    }
    uint32_t start = f->tokens.v[first].start, line = start;
    while (line > 0 && strchr(" \t", f->src.p[line - 1])) line--;
    bool alone = line > 0 && f->src.p[line - 1] == '\n';
    line -= alone + (alone && line > 1 && f->src.p[line - 2] == '\r');
    struct str dims = end > close + 2 ? cu_ported_text(f, close + 2, end) : S("");
    sy_edit(s, first, kind + 1 + named,
            arena_printf(f->a, "%.*s %.*s", STR_ARG(cu_text(f, kind)), STR_ARG(type)));
    sy_edit(
        s, close, end,
        arena_printf(f->a, "};%.*s%.*sauto &%.*s = cm::local<%.*s%.*s, struct %.*s_local>(%.*s)",
                     STR_ARG(alone ? str_sub(f->src, line, start) : S(" ")), STR_ARG(mark),
                     STR_ARG(name), STR_ARG(type), STR_ARG(dims), STR_ARG(name), STR_ARG(item)));
    return true;
}

bool sy_write_shared(struct sycl *s, uint32_t token) {
    struct cu *f = s->f;
    uint32_t first = token;
    while (first > 0 && f->tokens.v[first - 1].directive == f->tokens.v[token].directive) {
        uint32_t before = first - 1;
        if (cu_is(f, before, ")") && cu_partner(f, before) != NO_NODE &&
            cu_partner(f, before) > 0 && may_align(f, cu_partner(f, before) - 1))
            before = cu_partner(f, before) - 1;
        else if (!str_listed(cu_text(f, before), S("extern static volatile const")))
            break;
        first = before;
    }
    bool behind_type = first > 0 && !f->tokens.v[first].directive &&
                       (cu_is_word(f, first - 1) || cu_is(f, first - 1, ">"));
    while (behind_type && first > 0 && !f->tokens.v[first - 1].directive &&
           !str_listed(cu_text(f, first - 1), S("; { } ( ) :")))
        first--; /* float __shared__ x */
    struct declaration d;
    if (write_record(s, first)) return true;
    if (!read_declaration(s, first, &d)) return false;
    struct cu_call list = {0};
    cu_split(f, d.declarators, d.last, &list);
    struct buf b;
    buf_init(&b, f->a);
    for (size_t i = 0; i < list.arguments.n; i++) {
        if (i) buf_addz(&b, "; ");
        if (!put_shared(s, &d, list.arguments.v[i].first, list.arguments.v[i].last, &b))
            return false;
    }
    sy_edit(s, first, d.last, buf_str(&b));
    return true;
}

/* ---- extern __shared__ T x[]; outside of functions ---- */

static bool is_use(const struct cu *f, uint32_t i, struct str name) {
    return str_eq(cu_text(f, i), name) && !cu_is(f, i - 1, ".") && !cu_is(f, i - 1, "->");
}

/* Whether the function's body names the word. */
static bool uses(const struct cu *f, const struct sy_function *one, struct str name) {
    for (uint32_t i = one->body; i != NO_NODE && i < one->end; i++)
        if (is_use(f, i, name)) return true;
    return false;
}

/* Whether there is a work-item wherever the variable that tokens [first, last) declare is named:
 * not so in functions that can be given none, in macros, and in what an earlier port left behind.
 */
static bool all_have_item(struct sycl *s, uint32_t first, uint32_t last, struct str name) {
    bool found = false;
    for (uint32_t i = 1; i < s->f->tokens.n; i++) {
        if ((i >= first && i < last) || !is_use(s->f, i, name)) continue;
        bool given = false;
        for (size_t k = 0; k < s->functions.n && !given; k++) {
            const struct sy_function *one = &s->functions.v[k];
            given = one->f == s->f && !one->lambda && one->body != NO_NODE && one->body < i &&
                    i < one->end && sy_is_given_item(s, one);
        }
        if (!given) return false;
        found = true;
    }
    return found;
}

void sy_write_dynamic(struct sycl *s, uint32_t token) {
    struct cu *f = s->f;
    struct str name = sy_dynamic_name(f, token);
    struct declaration d;
    uint32_t first = token > 0 && cu_is(f, token - 1, "extern") ? token - 1 : token;
    if (s->ported || !read_declaration(s, first, &d) || d.declarators + 3 != d.last ||
        !all_have_item(s, d.first, d.last, name)) {
        sy_refuse(sy_match_at(f, token), S("the work-item knows where dynamic shared memory lies: "
                                           "declare this in the kernels that use it"));
        return;
    }
    struct buf b;
    buf_init(&b, f->a);
    buf_printf(&b, "auto *%.*s = %.*s.dynamic_local<%s%.*s>();", STR_ARG(name), STR_ARG(s->item),
               d.is_volatile ? "volatile " : "", STR_ARG(type_of(s, &d)));
    for (size_t i = 0; i < s->functions.n; i++) {
        struct sy_function *one = &s->functions.v[i];
        if (one->f == f && !one->lambda && uses(f, one, name)) sy_begin_body(s, one, buf_str(&b));
    }
    uint32_t end = f->tokens.v[d.last].end;
    if (end < f->src.n && f->src.p[end] == '\r') end++;
    if (end < f->src.n && f->src.p[end] == '\n') end++;
    sy_push(s, f->tokens.v[d.first].start, end, S(""),
            sy_claim(s, f->tokens.v[d.first].start, end, S("")));
}

/* ---- variables of the device ---- */

/* What the variable begins with, tokens [first, last): = 5, = {1, 2}, {1}. False: in another way.
 */
static bool put_init(struct cu *f, uint32_t first, uint32_t last, struct buf *b) {
    if (first >= last) return true;
    bool equals = cu_is(f, first, "=");
    first += equals;
    if (first >= last || (!equals && !cu_is(f, first, "{"))) return false;
    bool braces = cu_is(f, first, "{");
    for (uint32_t i = first + 1; i < last; i++)
        if (braces && cu_is(f, i, "{")) return false;
    struct str text = cu_ported_text(f, first, last);
    if (str_listed(text, S("0 0. 0.f 0.0 0.0f 0u false NULL nullptr {} {0}")))
        return true; /* as they begin anyway; DPC++ takes initial values from C++20 on */
    buf_printf(b, braces ? "%.*s" : "{%.*s}", STR_ARG(text));
    return true;
}

static bool is_defined(const struct sycl *s, const struct sy_variable *declared) {
    for (size_t i = 0; i < s->variables.n; i++) {
        const struct sy_variable *v = &s->variables.v[i];
        bool is_extern = false;
        if (!str_eq(cu_text(v->f, v->name), cu_text(s->f, declared->name))) continue;
        for (uint32_t t = v->head; t < v->name; t++) is_extern |= cu_is(v->f, t, "extern");
        if (!is_extern) return true;
    }
    return false;
}

/* How many elements an array without a size begins with, {1, 2, 3}; 0: nobody knows. */
static size_t count_elements(struct cu *f, uint32_t open) {
    struct cu_call list = {0};
    if (!cu_is(f, open, "{") || cu_partner(f, open) == NO_NODE) return 0;
    for (uint32_t i = open + 1; i < cu_partner(f, open); i++)
        if (cu_is(f, i, "{") || cu_is(f, i, "...") || f->tokens.v[i].kind == CU_STRING ||
            f->tokens.v[i].directive)
            return 0;
    cu_split(f, open + 1, cu_partner(f, open), &list);
    size_t n = list.arguments.n;
    return n && list.arguments.v[n - 1].first == list.arguments.v[n - 1].last ? n - 1 : n;
}

/* One variable of the declaration, tokens [first, last): * name [..][..] = {..} */
static bool put_variable(struct sycl *s, const struct declaration *d, uint32_t first,
                         uint32_t last, struct buf *b) {
    struct cu *f = s->f;
    uint32_t name = first;
    while (name < last && (cu_is(f, name, "*") || cu_is(f, name, "&"))) name++;
    if (name == last || !cu_is_word(f, name)) return false;
    uint32_t end = name + 1;
    size_t elements = 0;
    while (cu_is(f, end, "[") && cu_partner(f, end) != NO_NODE) {
        if (cu_partner(f, end) == end + 1) {
            elements = end == name + 1 ? count_elements(f, end + 2 + cu_is(f, end + 2, "=")) : 0;
            if (!elements) return false;
        }
        end = cu_partner(f, end) + 1;
    }
    if (d->is_extern) buf_addz(b, "SYCL_EXTERNAL extern "); /* another file may define it */
    if (d->is_static) buf_addz(b, "static ");
    buf_addz(b, "cm::device_variable<");
    buf_add(b, type_of(s, d));
    if (first < name) {
        buf_addc(b, ' ');
        buf_add(b, cu_span(f, first, name));
    }
    if (elements)
        buf_printf(b, "[%zu]", elements);
    else if (end > name + 1)
        buf_add(b, cu_ported_text(f, name + 1, end));
    buf_printf(b, "> %.*s", STR_ARG(cu_text(f, name)));
    return put_init(f, end, last, b);
}

/* One variable that the host names, too: its own type tells it from others of its kind, and holds
 * what it begins with. */
static bool put_managed(struct sycl *s, const struct declaration *d, uint32_t first, uint32_t last,
                        struct buf *b) {
    struct cu *f = s->f;
    uint32_t name = first, end;
    while (name < last && cu_is(f, name, "*")) name++;
    if (name == last || !cu_is_word(f, name) || d->is_extern || d->is_const) return false;
    for (end = name + 1; cu_is(f, end, "[") && cu_partner(f, end) != NO_NODE; end++) {
        if (cu_partner(f, end) == end + 1) return false;
        end = cu_partner(f, end);
    }
    struct str type = type_of(s, d), dims = cu_ported_text(f, name + 1, end);
    struct str stars = first < name ? arena_concat(f->a, S(" "), cu_span(f, first, name)) : S("");
    struct str word = cu_text(f, name);
    struct buf value;
    buf_init(&value, f->a);
    if (!put_init(f, end, last, &value)) return false;
    bool own = d->is_static || buf_str(&value).n;
    if (own)
        buf_printf(b, "%sstruct %.*s_managed", d->is_static ? "namespace { " : "", STR_ARG(word));
    if (buf_str(&value).n)
        buf_printf(b, " { static constexpr %.*s%.*s initial%.*s%.*s; }", STR_ARG(type),
                   STR_ARG(stars), STR_ARG(dims), STR_ARG(buf_str(&value)));
    if (own) {
        uint32_t start = f->tokens.v[d->first].start, line = start;
        while (line > 0 && strchr(" \t", f->src.p[line - 1])) line--;
        bool cr = line > 1 && f->src.p[line - 1] == '\n' && f->src.p[line - 2] == '\r';
        buf_printf(b, "%s%s\n%.*s", d->is_static ? "; }" : ";", cr ? "\r" : "",
                   STR_ARG(str_sub(f->src, line, start)));
    }
    buf_printf(b, "constexpr cm::managed_variable<%.*s%.*s%.*s, struct %.*s_managed> %.*s",
               STR_ARG(type), STR_ARG(stars), STR_ARG(dims), STR_ARG(word), STR_ARG(word));
    return true;
}

/* Whether it is a table of numbers, of more than one dimension, that nobody writes to: kernels
 * read such a constant wherever it stands, and what holds variables takes no braces within braces.
 */
static bool is_table(const struct sy_variable *v) {
    const struct cu *f = v->f;
    bool constant = false, nested = false;
    for (uint32_t i = v->head; i < v->name; i++) {
        if (str_listed(cu_text(f, i), S("extern volatile constexpr & template"))) return false;
        constant |= cu_is(f, i, "const");
        if (cu_is(f, i, "*")) return false;
    }
    for (uint32_t i = v->name + 1; i < v->end && constant; i++) {
        nested |= cu_is(f, i, "{") && cu_is(f, i - 1, "{");
        if (cu_is(f, i, "[") && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i);
        else if (f->tokens.v[i].kind != CU_NUMBER && !str_listed(cu_text(f, i), S("= { } , + -")))
            return false;
    }
    return constant && nested;
}

/* Writes the declaration into the buffer; false: the port has no form for it. Without declarators
 * nothing has to be written. */
static bool put_declaration(struct sycl *s, const struct sy_variable *v, struct declaration *d,
                            struct buf *b) {
    struct cu *f = s->f;
    if (!read_declaration(s, v->head, d) || d->is_template) return false;
    if (d->is_extern && !sy_is_header(s, f) && !is_defined(s, v)) return false;
    d->is_constexpr |= is_table(v);
    if (d->is_constexpr) return true;
    struct cu_call list = {0};
    cu_split(f, d->declarators, d->last, &list);
    for (size_t i = 0; i < list.arguments.n; i++) {
        uint32_t first = list.arguments.v[i].first, last = list.arguments.v[i].last;
        if (i) buf_addz(b, "; ");
        if (d->is_managed ? !put_managed(s, d, first, last, b)
                          : !put_variable(s, d, first, last, b))
            return false;
    }
    return true;
}

static bool write_variable(struct sycl *s, const struct sy_variable *v) {
    struct cu *f = s->f;
    struct declaration d;
    struct buf b;
    buf_init(&b, f->a);
    if (!put_declaration(s, v, &d, &b)) return false;
    for (uint32_t i = v->head; i < v->name; i++) {
        const struct cu_match *m = sy_match_at(f, i);
        if (m && (m->verdict == V_MANUAL || m->suppressed)) return false;
    }
    if (!d.is_constexpr) sy_edit(s, d.first, d.last, buf_str(&b));
    return true;
}

static bool is_shared(const struct sy_variable *v) {
    for (uint32_t i = v->head; i < v->end; i++)
        if (cu_is(v->f, i, CU_SHARED_WORD)) return true;
    return false;
}

/* Whether the host names the variable as kernels do. */
static bool is_managed(const struct sycl *s, const struct sy_variable *v) {
    for (uint32_t i = v->head; i < v->end; i++)
        if (cu_is(v->f, i, CU_MANAGED_WORD) || stands_for_managed(s, cu_text(v->f, i)))
            return true;
    return false;
}

/* Whether the token is in a function of the host's, and no declaration of that name. */
static bool in_host_function(struct cu *f, uint32_t token) {
    const struct byte_range *all;
    size_t n = cu_functions(f, &all);
    for (size_t i = 0; i < n; i++)
        if (token > all[i].start && token < all[i].end) return true;
    return false;
}

void sycl_match_managed(struct cu *f) {
    if (!f->target.sycl || f->options->lint) return;
    struct sycl *s = sy_functions(f);
    for (uint32_t i = 1; i + 1 < f->tokens.n && s->variables.n; i++) {
        if (f->tokens.v[i].directive || cu_region_at(f, f->tokens.v[i].start)) continue;
        const struct sy_variable *v = sy_variable_at(s, i);
        struct declaration d;
        struct buf b;
        buf_init(&b, f->a);
        if (!v || !is_managed(s, v) || sy_function_at(s, i) || !in_host_function(f, i) ||
            (v->f == f && !put_declaration(s, v, &d, &b)))
            continue;
        struct cu_match m = {.kind = CU_SEQUENCE, .first = i, .last = i + 1};
        struct cu_capture name = {.name = S("name"), .first = i, .last = i + 1};
        vec_push(f->a, &m.captures, name);
        size_t cursor = 0;
        while (rules_find(f->rules, M_LANES, S("managed"), &cursor, &m.row))
            if (cu_add_lanes(f, m)) break;
    }
}

/* Whether the word stands in sizeof(word). */
static bool in_sizeof(const struct cu *f, uint32_t i) {
    return i > 1 && cu_is(f, i - 1, "(") && cu_is(f, i - 2, "sizeof") && cu_is(f, i + 1, ")");
}

void sy_write_variables(struct sycl *s) {
    struct cu *f = s->f;
    for (size_t i = 0; i < s->variables.n; i++) {
        struct sy_variable *v = &s->variables.v[i];
        const struct sy_variable *before = i ? v - 1 : NULL;
        if (before && before->f == v->f && before->head == v->head) { /* int a, b; */
            v->stays = before->stays;
            continue;
        }
        if (v->f != f || is_shared(v) || write_variable(s, v)) continue;
        v->stays = true;
        for (uint32_t t = v->head; t < v->name; t++)
            sy_refuse(sy_match_at(f, t),
                      S("SYCL's port has no form for a variable of the device like this one"));
    }
    for (uint32_t i = 0; i < f->tokens.n && s->variables.n; i++) {
        const struct sy_variable *v = sy_variable_at(s, i);
        if (!v || v->stays || is_shared(v)) continue;
        bool is_constant = is_table(v);
        for (uint32_t t = v->head; t < v->name; t++) is_constant |= cu_is(v->f, t, "constexpr");
        if (is_constant) continue;
        if (sy_function_at(s, i) || sy_in_macro(f, i) || (in_sizeof(f, i) && !sy_match_at(f, i)))
            sy_edit(s, i, i + 1, arena_printf(f->a, "%.*s.get()", STR_ARG(cu_text(f, i))));
    }
}
