/* SPDX-License-Identifier: Apache-2.0 */
/* functions.c - the device functions of a file and its headers, and which of them need the
 * work-item: those that ask for it themselves, and those that name one that does. Names decide, as
 * overloads and templates share theirs; a function too many gets an argument that it leaves alone.
 * Where the whole tree is ported tree.c says which, for all its files alike.
 */
#include "sycl/sycl.h"

#include <stdlib.h>

static struct sy_name *find_name(const struct sycl *s, struct str name) {
    struct sy_name *one = s->names[str_hash(name) % ARRAY_LEN(s->names)];
    while (one && !str_eq(one->name, name)) one = one->next;
    return one;
}

static struct sy_name *add_name(struct sycl *s, struct str name) {
    struct sy_name *one = find_name(s, name);
    if (one) return one;
    struct sy_name **at = &s->names[str_hash(name) % ARRAY_LEN(s->names)];
    one = NEW(s->f->a, struct sy_name);
    *one = (struct sy_name){.name = name, .next = *at};
    return *at = one;
}

void sy_add_qualifier(struct sycl *s, struct str word, bool sure) {
    struct sy_name *one = add_name(s, word);
    one->qualifies = true;
    one->sure |= sure;
    vec_push(s->f->a, &s->qualifiers, word);
}

/* Whether another file of the tree defines the word as such, and what it says besides. */
static bool is_trees(const struct sycl *s, struct str word, bool *host, bool *kernel) {
    return s->part && cu_is_capitals(word) &&
           sy_tree_qualifies(s->f->project->tree, s->part, word, host, kernel);
}

bool sy_is_qualifier(const struct sycl *s, const struct cu *f, uint32_t i) {
    struct str word = cu_text(f, i);
    bool host, kernel;
    if (!cu_is_word(f, i)) return false;
    const struct sy_name *one = find_name(s, word);
    return (one && one->qualifies) || rules_lists(s->f->rules, "sycl.removed", word) ||
           is_trees(s, word, &host, &kernel);
}

bool sy_is_sure_qualifier(const struct sycl *s, const struct cu *f, uint32_t i) {
    const struct sy_name *one = cu_is_word(f, i) ? find_name(s, cu_text(f, i)) : NULL;
    return (one && one->sure) || rules_lists(s->f->rules, "sycl.removed", cu_text(f, i));
}

static bool is_kernels(const struct sycl *s, const struct cu *f, uint32_t i) {
    bool host, kernel;
    return cu_is(f, i, CU_KERNEL_WORD) ||
           (cu_is_word(f, i) &&
            (str_among(s->kernel_qualifiers.v, s->kernel_qualifiers.n, cu_text(f, i)) ||
             (is_trees(s, cu_text(f, i), &host, &kernel) && kernel)));
}

/* Whether the word says that the host has the function, too. */
static bool is_host(const struct sycl *s, const struct cu *f, uint32_t i) {
    bool host, kernel;
    return cu_is(f, i, CU_HOST_WORD) ||
           str_among(s->host_qualifiers.v, s->host_qualifiers.n, cu_text(f, i)) ||
           (is_trees(s, cu_text(f, i), &host, &kernel) && host);
}

/* Where the declaration begins that the qualifier at token i is part of. */
static uint32_t head_of(const struct cu *f, uint32_t i) {
    uint32_t first = i;
    while (first > 0 && !f->tokens.v[first - 1].directive &&
           !str_listed(cu_text(f, first - 1), S("; { } : public private protected")))
        first--;
    return first;
}

/* The brace of the body behind the parameters that end at `close`; NO_NODE: it is declared. */
static uint32_t body_of(const struct cu *f, uint32_t close) {
    for (uint32_t i = close + 1; i < f->tokens.n; i++) {
        if (cu_is(f, i, "{")) return cu_partner(f, i) != NO_NODE ? i : NO_NODE;
        if (cu_is(f, i, ";") || cu_is(f, i, "}") || cu_is(f, i, "=")) return NO_NODE;
        if (cu_is(f, i, "(") && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
        if (cu_is_word(f, i) && cu_is(f, i + 1, "{") && i > close + 1 &&
            (cu_is(f, i - 1, ":") || cu_is(f, i - 1, ",")) && cu_partner(f, i + 1) != NO_NODE)
            i = cu_partner(f, i + 1); /* : member{value} */
    }
    return NO_NODE;
}

/* Whether the parenthesis at token i is a macro's that stands before a function's name:
 * void BOUNDS(256) name(..): what is in it declares nothing. */
static bool is_macro_before_name(const struct cu *f, uint32_t i) {
    uint32_t close = cu_partner(f, i);
    if (!cu_is_capitals(cu_text(f, i - 1)) || close == NO_NODE || close == i + 1) return false;
    if (!cu_is_word(f, close + 1) || !cu_is(f, close + 2, "(") || cu_is(f, close + 1, "noexcept"))
        return false;
    for (uint32_t k = i + 1; k < close; k++)
        if (cu_is(f, k, "*") || cu_is(f, k, "&") || (cu_is_word(f, k) && cu_is_word(f, k + 1)))
            return false;
    return true;
}

/* Whether the word before the parentheses is the name of what they declare. */
static bool names_function(const struct sycl *s, const struct cu *f, uint32_t i) {
    if (i == 0 || sy_is_qualifier(s, f, i - 1) || is_macro_before_name(f, i)) return false;
    return cu_is_word(f, i - 1) && !rules_lists(f->rules, "cuda.attributes", cu_text(f, i - 1));
}

/* The name in front of the parenthesis at token i, behind template arguments: f<int>(..). */
static uint32_t name_before(const struct cu *f, uint32_t head, uint32_t i) {
    if (i <= head || !cu_is(f, i - 1, ">")) return i - 1;
    for (uint32_t k = i - 1; k > head; k--)
        if (cu_is(f, k, "<") && cu_is_word(f, k - 1) && cu_template_end(f, k) == i - 1)
            return cu_is(f, k - 1, "template") ? i - 1 : k - 1;
    return i - 1;
}

/* The lambda whose parameters end before token i: [..](..) __device__ { */
static bool is_lambda(const struct sycl *s, const struct cu *f, uint32_t i, uint32_t *open) {
    uint32_t next = i + 1;
    while (sy_is_qualifier(s, f, next)) next++;
    while (i > 0 && sy_is_qualifier(s, f, i - 1)) i--;
    if (i == 0) return false;
    if (cu_is(f, i - 1, "]") && (i < 3 || !cu_is(f, i - 3, "operator"))) {
        *open = cu_is(f, next, "(") ? next : NO_NODE;
        return true;
    }
    if (!cu_is(f, i - 1, ")") || cu_partner(f, i - 1) == NO_NODE) return false;
    uint32_t at = cu_partner(f, i - 1);
    *open = at;
    return at > 0 && cu_is(f, at - 1, "]");
}

static void add_lambda(struct sycl *s, struct cu *f, uint32_t i, uint32_t open) {
    uint32_t close = open != NO_NODE ? cu_partner(f, open) : i;
    if (close == NO_NODE) return;
    uint32_t body = body_of(f, close);
    if (body == NO_NODE) return;
    struct sy_function one = {.f = f,
                              .head = i,
                              .name = NO_NODE,
                              .open = open,
                              .close = close,
                              .body = body,
                              .end = cu_partner(f, body),
                              .lambda = true,
                              .bare = true};
    vec_push(s->f->a, &s->functions, one);
}

/* Whether nothing but qualifiers stands before the name: a constructor or a destructor. */
static bool makes_object(const struct sycl *s, const struct cu *f, uint32_t head, uint32_t name) {
    for (uint32_t i = head; i < name; i++) {
        if (cu_is(f, i, "template") && cu_is(f, i + 1, "<")) {
            uint32_t close = cu_template_end(f, i + 1);
            if (close == NO_NODE) return false;
            i = close;
        } else if (cu_is(f, i + 1, "::")) {
            i++;
        } else if (!sy_is_qualifier(s, f, i) &&
                   !str_listed(cu_text(f, i), S("explicit inline constexpr virtual ~"))) {
            return false;
        }
    }
    return true;
}

/* The token before i and before the qualifiers there: T operator() __device__(..). */
static uint32_t behind_qualifiers(const struct sycl *s, const struct cu *f, uint32_t head,
                                  uint32_t i) {
    while (--i > head && sy_is_qualifier(s, f, i)) continue;
    return i;
}

/* Whether the token is the parenthesis that ends an `operator()`. */
static bool is_call_operator(const struct cu *f, uint32_t i) {
    return cu_is(f, i, ")") && i > 1 && cu_partner(f, i) == i - 1 && cu_is(f, i - 2, "operator");
}

/* The variables of a declaration, one of whose qualifiers is token `first`; i: what is behind the
 * first one's name. Gives the token of the semicolon. */
static uint32_t add_variables(struct sycl *s, struct cu *f, uint32_t head, uint32_t first,
                              uint32_t i) {
    size_t from = s->variables.n;
    for (uint32_t at = i; at < f->tokens.n; at = i) {
        uint32_t name = at;
        while (name > first && !cu_is_word(f, name)) name--;
        struct sy_variable one = {.f = f, .head = head, .name = name};
        if (name > first) vec_push(s->f->a, &s->variables, one);
        for (; i < f->tokens.n && !cu_is(f, i, ";") && !cu_is(f, i, ","); i++)
            if (cu_partner(f, i) != NO_NODE && cu_partner(f, i) > i) i = cu_partner(f, i);
        if (i >= f->tokens.n || cu_is(f, i, ";") || s->variables.n == from) break;
        for (i++; i < f->tokens.n && !str_listed(cu_text(f, i), S("; , = [ { (")); i++) continue;
        first = name;
    }
    while (i < f->tokens.n && !cu_is(f, i, ";")) i++;
    for (size_t k = from; k < s->variables.n; k++) s->variables.v[k].end = i;
    return i;
}

/* The declaration that begins at `head`, one of whose qualifiers is token i; gives the token where
 * to go on. */
static uint32_t add_declaration(struct sycl *s, struct cu *f, uint32_t head, uint32_t i) {
    uint32_t first = i;
    bool is_operator = false; /* or a conversion: operator T const &() */
    for (; i < f->tokens.n; i++) {
        if (f->tokens.v[i].directive) continue;
        if (cu_is(f, i, "<")) {
            uint32_t close = cu_template_end(f, i);
            if (close != NO_NODE) i = close;
        } else if (cu_is(f, i, "operator")) {
            is_operator = true;
            i += cu_is(f, i + 1, "[") || cu_is(f, i + 1, "=");
        } else if (str_listed(cu_text(f, i), S("; , = [ {"))) {
            break;
        } else if (cu_is(f, i, "(") && cu_partner(f, i) != NO_NODE) {
            if (cu_is(f, i - 1, "operator")) i = cu_partner(f, i) + 1; /* operator()(..) */
            while (sy_is_qualifier(s, f, i)) i++;
            if (i >= f->tokens.n || cu_partner(f, i) == NO_NODE) break; /* the text ends in them */
            uint32_t name = behind_qualifiers(s, f, head, i);
            is_operator |= is_call_operator(f, name);
            if (!is_call_operator(f, name)) name = name_before(f, head, i);
            if (cu_is(f, i, "(") && (is_operator || names_function(s, f, name + 1))) {
                struct sy_function one = {
                    .f = f, .head = head, .name = name, .open = i, .close = cu_partner(f, i)};
                one.body = body_of(f, one.close);
                one.end = one.body == NO_NODE ? NO_NODE : cu_partner(f, one.body);
                for (uint32_t k = head; k < i; k++) {
                    one.kernel |= is_kernels(s, f, k);
                    one.host |= is_host(s, f, k);
                }
                one.makes = !one.kernel && (is_operator || makes_object(s, f, head, one.name));
                one.bare = one.makes;
                vec_push(s->f->a, &s->functions, one);
                return one.close;
            }
            i = cu_partner(f, i);
        }
    }
    return add_variables(s, f, head, first, i);
}

/* f(const cm::item &item, ..): what a port has been through, whose word cm is token i. */
static void add_ported(struct sycl *s, struct cu *f, uint32_t i) {
    uint32_t open = cu_is(f, i - 1, "const") ? i - 2 : i - 1;
    if (!cu_is(f, open, "(") || open == 0 || cu_partner(f, open) == NO_NODE) return;
    struct sy_function one = {.f = f,
                              .head = open - 1,
                              .name = open - 1,
                              .open = open,
                              .close = cu_partner(f, open),
                              .ported = true};
    one.body = body_of(f, one.close);
    one.end = one.body == NO_NODE ? NO_NODE : cu_partner(f, one.body);
    vec_push(s->f->a, &s->functions, one);
}

/* { const cm::item &item = cm::this_item(); where a port could add no parameter; at the word cm.
 */
static void add_ported_body(struct sycl *s, struct cu *f, uint32_t i) {
    if (i < 3 || !cu_is(f, i - 1, "const") || !cu_is(f, i - 2, "{")) return;
    if (!cu_is(f, i + 5, "=") || !cu_is(f, i + 6, "cm") || !cu_is(f, i + 8, "this_item")) return;
    uint32_t close = i - 3;
    while (close > 0 && cu_is_word(f, close)) close--; /* const noexcept */
    if (!cu_is(f, close, ")") || cu_partner(f, close) == NO_NODE || cu_partner(f, close) == 0)
        return;
    struct sy_function one = {.f = f,
                              .head = cu_partner(f, close) - 1,
                              .name = cu_partner(f, close) - 1,
                              .open = cu_partner(f, close),
                              .close = close,
                              .body = i - 2,
                              .end = cu_partner(f, i - 2),
                              .bare = true,
                              .ported = true};
    vec_push(s->f->a, &s->functions, one);
}

void sy_find_functions(struct sycl *s, struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        if (f->tokens.v[i].directive || cu_in_string(f, f->tokens.v[i].start)) continue;
        if (cu_is(f, i, "cm") && cu_is(f, i + 1, "::") && cu_is(f, i + 2, "item") && i > 2) {
            add_ported(s, f, i);
            add_ported_body(s, f, i);
        }
        if (!sy_is_qualifier(s, f, i)) continue;
        const struct cu_region *r = cu_region_at(f, f->tokens.v[i].start);
        if (r && r->kind == CR_OTHER_VENDOR) continue;
        uint32_t open;
        if (is_lambda(s, f, i, &open)) {
            add_lambda(s, f, i, open);
            while (sy_is_qualifier(s, f, i + 1)) i++;
            continue;
        }
        uint32_t head = head_of(f, i);
        bool device = false;
        for (uint32_t k = head; k < f->tokens.n && k < i + 8; k++) {
            if (cu_is(f, k, "(") || cu_is(f, k, ";")) break;
            device |= sy_is_qualifier(s, f, k) && !cu_is(f, k, CU_HOST_WORD);
        }
        bool constant = cu_is(f, i, CU_HOST_WORD) && !device;
        uint32_t next = add_declaration(s, f, head, i);
        if (constant && s->functions.n) s->functions.v[s->functions.n - 1].host = true;
        i = next;
    }
}

/* #define NAME __host__ __device__ */
void sy_find_qualifiers(struct sycl *s, const struct cu *f) {
    for (size_t d = 0; d < f->directives.n; d++) {
        const struct cu_directive *one = &f->directives.v[d];
        if (one->kind != CD_DEFINE || one->last < one->first + 4) continue;
        bool all = true, device = false, host = false, kernel = false;
        for (uint32_t i = one->first + 3; i < one->last; i++) {
            host |= cu_is(f, i, CU_HOST_WORD);
            kernel |= cu_is(f, i, CU_KERNEL_WORD);
            device |= rules_lists(s->f->rules, "sycl.removed", cu_text(f, i));
            all &= cu_is_word(f, i);
        }
        if (!all || !device) continue;
        sy_add_qualifier(s, cu_text(f, one->first + 2), true);
        if (host) vec_push(s->f->a, &s->host_qualifiers, cu_text(f, one->first + 2));
        if (kernel) vec_push(s->f->a, &s->kernel_qualifiers, cu_text(f, one->first + 2));
    }
}

static bool defines(const struct cu *f, struct str name) {
    for (size_t d = 0; d < f->directives.n; d++) {
        const struct cu_directive *one = &f->directives.v[d];
        if (one->kind != CD_DEFINE || !str_eq(cu_text(f, one->first + 2), name)) continue;
        const struct cu_region *r = cu_region_at(f, f->tokens.v[one->first].start);
        if (!r || r->kind != CR_OTHER_VENDOR) return true;
    }
    return false;
}

/* The file, what it includes, and what may define what that declares: the n-th, or NULL. */
static struct cu *file_of(const struct sycl *s, size_t n) {
    struct cu *f = s->f;
    if (n == 0) return f;
    if (n <= f->included.n) return f->included.v[n - 1];
    n -= f->included.n;
    return n <= f->definers.n ? f->definers.v[n - 1] : NULL;
}

bool sy_defines(const struct sycl *s, struct str name) {
    for (size_t n = 0; n <= s->f->included.n; n++)
        if (defines(file_of(s, n), name)) return true;
    return false;
}

bool sy_in_macro(const struct cu *f, uint32_t token) {
    uint32_t d = f->tokens.v[token].directive;
    return d && f->directives.v[d - 1].kind == CD_DEFINE;
}

static void index_functions(struct sycl *s) {
    for (uint32_t i = (uint32_t)s->functions.n; i-- > 0;) {
        struct sy_function *one = &s->functions.v[i];
        if (one->name == NO_NODE) continue;
        struct sy_name *name = add_name(s, cu_text(one->f, one->name));
        one->same = name->functions;
        name->functions = i + 1;
    }
}

static const struct sy_function *function_of(const struct sycl *s, uint32_t number) {
    return number ? &s->functions.v[number - 1] : NULL;
}

const struct sy_function *sy_first_named(const struct sycl *s, struct str name) {
    const struct sy_name *one = find_name(s, name);
    return one ? function_of(s, one->functions) : NULL;
}

const struct sy_function *sy_next_named(const struct sycl *s, const struct sy_function *one) {
    return function_of(s, one->same);
}

/* Whether the tree decides about the name. */
static bool is_known(const struct sycl *s, struct str name) {
    return s->part && (!s->open || sy_tree_knows(s->f->project->tree, s->part, name));
}

bool sy_needs_item(const struct sycl *s, struct str name) {
    if (is_known(s, name)) return sy_tree_needs(s->f->project->tree, s->part, name);
    const struct sy_name *one = find_name(s, name);
    return one && one->needs;
}

bool sy_takes_item(const struct sycl *s, struct str name) {
    if (is_known(s, name)) return sy_tree_gives(s->f->project->tree, s->part, name);
    const struct sy_function *one = sy_first_named(s, name);
    while (one && (one->lambda || one->kernel)) one = sy_next_named(s, one);
    return one && sy_needs_item(s, name);
}

/* Whether the word itself asks for the work-item. */
static bool asks(const struct sycl *s, const struct cu *f, uint32_t i) {
    struct str rest, word = cu_text(f, i);
    const struct rules *r = s->f->rules;
    if (!cu_is_word(f, i)) return false;
    if (str_is(word, CU_SHARED_WORD) || rules_word_row(r, "sycl.builtins", word, &rest))
        return true;
    if (rules_word_row(r, "sycl.calls", word, &rest)) return true;
    return rules_word_row(r, "sycl.whole_calls", word, &rest) &&
           str_find(rest, S("{item}"), 0) < rest.n;
}

struct str sy_dynamic_name(const struct cu *f, uint32_t token) {
    uint32_t i = token;
    bool is_extern = token > 0 && cu_is(f, token - 1, "extern");
    for (; i < f->tokens.n && !str_listed(cu_text(f, i), S("; = { [")); i++)
        is_extern |= cu_is(f, i, "extern");
    bool whole = is_extern && cu_is(f, i, "[") && cu_is(f, i + 1, "]") && cu_is(f, i + 2, ";");
    return whole && cu_is_word(f, i - 1) ? cu_text(f, i - 1) : S("");
}

/* Whether the word is one of dynamic shared memory that the file declares outside of functions. */
static bool is_dynamic(const struct sycl *s, const struct cu *f, uint32_t i) {
    for (size_t k = 0; k < s->dynamic.n && f == s->f; k++)
        if (str_eq(sy_dynamic_name(f, s->dynamic.v[k]), cu_text(f, i))) return true;
    return false;
}

bool sy_asks(const struct sycl *s, const struct cu *f, uint32_t i) {
    return asks(s, f, i) || is_dynamic(s, f, i);
}

/* Whether tokens ask for the work-item. `again`: none of the words does by itself. */
static bool any_asks(const struct sycl *s, const struct cu *f, uint32_t first, uint32_t last,
                     bool again) {
    for (uint32_t i = first; i < last; i++) {
        if (!cu_is_word(f, i)) continue;
        bool member = again || (i > 0 && (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")));
        if (!member && sy_asks(s, f, i)) return true;
        if (sy_needs_item(s, cu_text(f, i))) return true;
    }
    return false;
}

bool sy_is_value(const struct cu *f, uint32_t i) {
    if (!cu_is_word(f, i) || !str_listed(cu_text(f, i - 1), S("& ( , ="))) return false;
    uint32_t next = i + 1;
    if (cu_is(f, next, "<") && cu_template_end(f, next) != NO_NODE)
        next = cu_template_end(f, next) + 1;
    return str_listed(cu_text(f, next), S(", ) ;"));
}

/* Functions whose names the file uses as values: what calls them then has no work-item. */
static void find_values_in(struct sycl *s, const struct cu *f) {
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (!sy_is_value(f, i) || is_known(s, cu_text(f, i))) continue;
        const struct sy_name *name = find_name(s, cu_text(f, i));
        for (uint32_t n = name ? name->functions : 0; n; n = s->functions.v[n - 1].same) {
            struct sy_function *one = &s->functions.v[n - 1];
            one->bare |= !one->kernel && !one->ported;
        }
    }
}

static bool add_needing(struct sycl *s, struct str name) {
    if (!name.n || is_known(s, name) || sy_needs_item(s, name)) return false;
    return add_name(s, name)->needs = true;
}

static bool add_macros(struct sycl *s, const struct cu *f, bool again) {
    bool more = false;
    for (size_t d = 0; d < f->directives.n; d++) {
        const struct cu_directive *one = &f->directives.v[d];
        if (one->kind != CD_DEFINE || one->last <= one->first + 3 ||
            sy_needs_item(s, cu_text(f, one->first + 2)))
            continue;
        if (any_asks(s, f, one->first + 3, one->last, again))
            more |= add_needing(s, cu_text(f, one->first + 2));
    }
    return more;
}

static void find_needing(struct sycl *s) {
    bool again = false;
    for (bool more = true; more; again = true) {
        more = false;
        for (size_t n = 0; file_of(s, n); n++) more |= add_macros(s, file_of(s, n), again);
        for (size_t i = 0; i < s->functions.n; i++) {
            const struct sy_function *one = &s->functions.v[i];
            if (one->kernel || one->lambda || one->body == NO_NODE || one->bare ||
                sy_needs_item(s, cu_text(one->f, one->name)))
                continue;
            if (one->ported || any_asks(s, one->f, one->body, one->end, again))
                more |= add_needing(s, cu_text(one->f, one->name));
        }
    }
}

/* Reads the files that may define a function of which only a declaration is there, from the
 * `next` one on: whether it needs the work-item shows in its body. False: nothing more is read. */
static bool read_definers(struct sycl *s, size_t *next) {
    while (*next < s->functions.n) {
        const struct sy_function *one = &s->functions.v[(*next)++];
        if (one->body == NO_NODE && !one->kernel && cu_read_definers(s->f, one->f->path))
            return true;
    }
    return false;
}

/* What files [first, last) hold: functions, and the variables of those that the file sees. */
static void find_in_all(struct sycl *s, size_t first, size_t last) {
    for (size_t n = first; n < last; n++) {
        size_t seen = s->variables.n;
        sy_find_functions(s, file_of(s, n));
        if (n == 0) s->own = s->functions.n;
        if (n > s->f->included.n) s->variables.n = seen;
    }
}

/* A macro for __device__ may stand in a file that is read for what another one declares: then all
 * files are looked at once more. */
static void find_all(struct sycl *s) {
    size_t read = 0, next = 0, known = 0;
    do {
        size_t first = read;
        for (; file_of(s, read); read++) sy_find_qualifiers(s, file_of(s, read));
        if (!first) known = s->qualifiers.n; /* before any definer is read */
        find_in_all(s, first, read);
    } while (read_definers(s, &next));
    if (s->qualifiers.n == known) return;
    s->functions.n = s->variables.n = 0;
    find_in_all(s, 0, read);
}

static int compare_bodies(const void *x, const void *y) {
    const struct sy_function *const *a = x, *const *b = y;
    if ((*a)->body != (*b)->body) return (*a)->body < (*b)->body ? -1 : 1;
    return *a > *b ? -1 : *a < *b; /* of two that have one body the first counts */
}

static void index_braces(struct sycl *s) {
    const struct cu *f = s->f;
    uint32_t open = 0;
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        s->at[i].open = open;
        if (cu_is(f, i, "{")) open = i + 1;
        if (cu_is(f, i, "}") && cu_partner(f, i) != NO_NODE) open = s->at[cu_partner(f, i)].open;
    }
}

void sy_index(struct sycl *s) {
    struct arena *a = s->f->a;
    const struct sy_function **sorted = arena_alloc(a, (s->own + 1) * sizeof *sorted);
    uint32_t *open = arena_alloc(a, (s->own + 1) * sizeof *open);
    size_t n = 0, next = 0, depth = 0;
    s->at = arena_zalloc(a, (s->f->tokens.n + 1) * sizeof *s->at);
    for (size_t k = 0; k < s->own; k++) {
        const struct sy_function *one = &s->functions.v[k];
        s->at[one->name != NO_NODE ? one->name : s->f->tokens.n].declared = true;
        if (one->body != NO_NODE) sorted[n++] = one;
    }
    for (size_t k = s->own; k-- > 0;) { /* of two the first counts */
        const struct sy_function *one = &s->functions.v[k];
        uint32_t end = one->body != NO_NODE ? one->body : one->close;
        for (uint32_t i = one->open; i != NO_NODE && end != NO_NODE && ++i < end;)
            if (i != one->close) s->at[i].head = (uint32_t)k + 1;
    }
    qsort(sorted, n, sizeof *sorted, compare_bodies);
    for (uint32_t i = 0; i < s->f->tokens.n; i++) {
        while (depth && s->functions.v[open[depth - 1] - 1].end <= i) depth--;
        s->at[i].function = depth ? open[depth - 1] : 0;
        for (; next < n && sorted[next]->body == i; next++)
            open[depth++] = (uint32_t)(sorted[next] - s->functions.v) + 1;
    }
    index_braces(s);
    index_functions(s);
}

void sy_find_dynamic(struct sycl *s) {
    struct cu *f = s->f;
    for (uint32_t i = 1; i < f->tokens.n; i++)
        if (cu_is(f, i, CU_SHARED_WORD) && !sy_in_macro(f, i) && !sy_function_at(s, i) &&
            sy_dynamic_name(f, i).n)
            vec_push(f->a, &s->dynamic, i);
}

/* Finds the part of the tree whose names decide: none for a file that is ported alone. */
static void find_part(struct sycl *s) {
    const struct cu *f = s->f;
    uint32_t part = sy_tree_part(f->project, f->path);
    if (!part || sy_tree_is_alone(f->project->tree, part)) return;
    s->part = part;
    for (size_t n = 0; n < f->included.n && !s->open; n++)
        s->open = !sy_tree_part(f->project, f->included.v[n]->path);
}

static bool includes_runtime(const struct cu *f) {
    for (size_t d = 0; d < f->directives.n; d++)
        if (f->directives.v[d].kind == CD_INCLUDE &&
            cu_is(f, f->directives.v[d].first + 2, "<cuda_morph/sycl.hpp>"))
            return true;
    return false;
}

/* Whether a port has been through the file: it includes the runtime's header, or one that it sees
 * does, and none of its functions is still CUDA's. */
static bool is_ported(const struct sycl *s) {
    bool any = includes_runtime(s->f);
    for (size_t k = 0; k < s->own && !any; k++)
        if (!s->functions.v[k].ported) return false;
    for (size_t n = 0; n < s->f->included.n && !any; n++)
        any = includes_runtime(s->f->included.v[n]);
    return any;
}

struct sycl *sy_functions(struct cu *f) {
    if (f->sycl) return f->sycl;
    struct sycl *s = f->sycl = NEW(f->a, struct sycl);
    s->f = f;
    cu_read_included(f);
    find_part(s);
    find_all(s);
    sy_index(s);
    sy_find_dynamic(s);
    bool by_sight = !s->part || s->open;
    for (size_t n = 0; by_sight && file_of(s, n); n++) find_values_in(s, file_of(s, n));
    if (by_sight) find_needing(s);
    s->item = S("item");
    s->ported = is_ported(s);
    for (uint32_t i = 0; i < f->tokens.n; i++)
        if (cu_is(f, i, "item")) s->item = S("cm_item");
    return s;
}

bool sy_is_declared_at(const struct sycl *s, uint32_t token) { return s->at[token].declared; }

bool sy_is_own_declaration(const struct cu *f, uint32_t i) {
    uint32_t d = i > 0 ? f->tokens.v[i - 1].directive : 0;
    if (d && f->directives.v[d - 1].first + 2 == i - 1) return false; /* #define TX threadIdx.x */
    return i > 0 && cu_is_word(f, i - 1) &&
           f->tokens.v[i - 1].directive == f->tokens.v[i].directive &&
           !rules_lists(f->rules, "cuda.no_types", cu_text(f, i - 1));
}

bool sy_is_given_item(const struct sycl *s, const struct sy_function *one) {
    if (one->kernel || one->ported) return true;
    return !one->bare && sy_takes_item(s, cu_text(one->f, one->name));
}

const struct sy_function *sy_function_at(const struct sycl *s, uint32_t token) {
    return function_of(s, s->at[token].function);
}

/* Whether the token ends a template's arguments: Type<..> name */
static bool ends_template(const struct cu *f, uint32_t i) {
    for (uint32_t k = i; cu_is(f, i, ">") && k-- > 0 && !str_listed(cu_text(f, k), S("; { }"));)
        if (cu_is(f, k, "<") && cu_template_end(f, k) == i) return true;
    return false;
}

/* Whether the * or & before the name at token i, behind a word, stands between two factors: what
 * is before the word is no place where a type begins. */
static bool is_product(const struct cu *f, uint32_t i, bool parameter) {
    if (cu_is_word(f, i - 1) || !cu_is_word(f, i - 2) || i < 3 || parameter) return false;
    if (cu_is_word(f, i - 3)) return str_listed(cu_text(f, i - 3), S("return case else"));
    return !str_listed(cu_text(f, i - 3), S("{ } ; ::"));
}

/* Whether the name at token i, behind a comma, is a further one of a declaration: T p, e; */
static bool is_further_name(const struct cu *f, uint32_t i) {
    uint32_t first = i;
    if (!cu_is(f, i - 1, ",") || !str_listed(cu_text(f, i + 1), S("= ; , [ {"))) return false;
    while (first > 1 && !str_listed(cu_text(f, first - 1), S("; { } ( [ <"))) {
        uint32_t open = f->tokens.v[first - 1].partner;
        bool closes = str_listed(cu_text(f, first - 1), S(") ]")) && open != NO_NODE;
        first = closes ? open : first - 1;
    }
    if (!str_listed(cu_text(f, first - 1), S("; { }"))) return false;
    return cu_is_word(f, first) && (cu_is_word(f, first + 1) || cu_is(f, first + 1, "*")) &&
           !str_listed(cu_text(f, first), S("return case else goto throw"));
}

/* Whether the function's parameters, its template's or its body declare the name: then it means
 * that. */
static bool is_shadowed(struct sycl *s, const struct sy_function *in, struct str name) {
    uint32_t open = in->open == NO_NODE ? in->body : in->open, first = open;
    if (in->head < first && cu_is(s->f, in->head, "template")) first = in->head;
    for (uint32_t i = first; i < in->end; i++) {
        if (i > in->body && str_eq(cu_text(s->f, i), name) && is_further_name(s->f, i))
            return true;
        bool type = i > 0 && (cu_is_word(s->f, i - 1) || cu_is(s->f, i - 1, "*") ||
                              cu_is(s->f, i - 1, "&") || cu_is(s->f, i - 1, ">"));
        if (str_eq(cu_text(s->f, i), name) && type &&
            !str_listed(cu_text(s->f, i - 1), S("return case else")) &&
            str_listed(cu_text(s->f, i + 1), i < open ? S("= , >") : S("= ; , ) [ {")) &&
            (ends_template(s->f, i - 1) || ((cu_is_word(s->f, i - 1) || cu_is_word(s->f, i - 2)) &&
                                            !is_product(s->f, i, i < in->body))))
            return cu_is_word(s->f, i - 1) || !cu_is(s->f, i + 1, ")") || i < in->body;
    }
    return false;
}

bool sy_is_shadowed_at(struct sycl *s, uint32_t token, struct str name) {
    const struct sy_function *in = sy_function_at(s, token);
    if (in && is_shadowed(s, in, name)) return true;
    const struct byte_range *all;
    size_t n = cu_functions(s->f, &all);
    for (size_t i = 0; i < n; i++) {
        struct sy_function one = {.head = all[i].start, .open = all[i].start, .end = all[i].end};
        if (token < all[i].start || token >= all[i].end) continue;
        for (one.body = one.open; one.body < one.end && !cu_is(s->f, one.body, "{");) one.body++;
        if (is_shadowed(s, &one, name)) return true;
    }
    return false;
}

const struct sy_variable *sy_variable_at(struct sycl *s, uint32_t token) {
    struct cu *f = s->f;
    if (!cu_is_word(f, token)) return NULL;
    if (token > 0 && (cu_is(f, token - 1, ".") || cu_is(f, token - 1, "->"))) return NULL;
    struct str name = cu_text(f, token);
    for (size_t i = 0; i < s->variables.n; i++) {
        const struct sy_variable *v = &s->variables.v[i];
        if (!str_eq(cu_text(v->f, v->name), name)) continue;
        if (v->f == f && token >= v->head && token <= v->name) return NULL;
        return sy_is_shadowed_at(s, token, name) ? NULL : v;
    }
    return NULL;
}
