/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - kernel<<<grid, block, shared, stream>>>(arguments). */
#include "cuda/cu.h"
#include "rules/template.h"

/* The kernel's expression: a name with its qualifiers and template arguments, or parentheses. */
static uint32_t kernel_start(const struct cu *f, uint32_t open) {
    uint32_t i = open;
    if (i > 0 && cu_is(f, i - 1, ">")) { /* name<...>: the < whose template ends here */
        for (uint32_t k = i - 1, n = 0; k-- > 0 && n < 400; n++) {
            if (f->tokens.v[k].directive != f->tokens.v[open].directive) return NO_NODE;
            if (cu_is(f, k, "<") && cu_template_end(f, k) == i - 1) {
                i = k;
                break;
            }
            if (cu_is(f, k, ";") || cu_is(f, k, "{") || cu_is(f, k, "}")) return NO_NODE;
        }
        if (i == open) return NO_NODE;
    } else if (i > 0 && (cu_is(f, i - 1, ")") || cu_is(f, i - 1, "]"))) {
        uint32_t partner = f->tokens.v[i - 1].partner;
        if (partner == NO_NODE) return NO_NODE;
        i = partner;
        if (cu_is(f, i, "(") && (i == 0 || !cu_is_word(f, i - 1))) return i;
    }
    if (i == 0 || !cu_is_word(f, i - 1)) return NO_NODE;
    i--;
    while (i > 0 && (cu_is(f, i - 1, "::") || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"))) {
        i--;
        while (i > 0 && (cu_is(f, i - 1, "]") || cu_is(f, i - 1, ")")) &&
               f->tokens.v[i - 1].partner != NO_NODE)
            i = f->tokens.v[i - 1].partner; /* steps[0].kernel, steps().kernel */
        if (i > 0 && cu_is_word(f, i - 1)) i--;
    }
    return i;
}

/* Whether three > begin at token i, with or without blanks between them. */
static bool is_close(const struct cu *f, uint32_t i, bool spread) {
    const struct cu_token *t = &f->tokens.v[i];
    if (!cu_is(f, i, ">") || !cu_is(f, i + 1, ">") || !cu_is(f, i + 2, ">")) return false;
    return spread || (t->end == t[1].start && t[1].end == t[2].start);
}

/* The first > of those that close the launch at `open`, or NO_NODE. */
static uint32_t find_close(const struct cu *f, uint32_t open, bool spread) {
    for (uint32_t i = open + 1; i + 2 < f->tokens.n; i++) {
        const struct cu_token *t = &f->tokens.v[i];
        if (t->directive != f->tokens.v[open].directive) return NO_NODE;
        if ((cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{")) && t->partner != NO_NODE) {
            i = t->partner;
            continue;
        }
        if (cu_is(f, i, ";") || cu_is(f, i, "}")) return NO_NODE;
        bool template_closes_first = i + 3 < f->tokens.n && is_close(f, i + 1, spread);
        if (is_close(f, i, spread) && !template_closes_first) return i;
    }
    return NO_NODE;
}

bool cu_is_spread(const struct cu *f, const struct cu_launch *l) {
    const struct cu_token *v = f->tokens.v;
    return v[l->open].end - v[l->open].start > 3 || v[l->close].end - v[l->close - 2].start > 3;
}

bool cu_read_launch(struct cu *f, uint32_t open, struct cu_launch *out) {
    *out = (struct cu_launch){.open = open, .arguments = {.open = NO_NODE}};
    out->kernel_first = kernel_start(f, open);
    if (out->kernel_first == NO_NODE) return false;
    uint32_t i = find_close(f, open, false);
    if (i == NO_NODE) i = find_close(f, open, true);
    if (i == NO_NODE) return false;
    out->close = i + 2;
    cu_split(f, open + 1, i, &out->config);
    if (cu_is(f, out->close + 1, "(") && f->tokens.v[out->close + 1].partner != NO_NODE) {
        out->arguments.open = out->close + 1;
        out->arguments.close = f->tokens.v[out->close + 1].partner;
        cu_split(f, out->arguments.open + 1, out->arguments.close, &out->arguments);
    }
    size_t n = out->config.arguments.n;
    bool in_macro = f->tokens.v[open].directive && !f->options->launch_functions;
    if (n == 1 && in_macro && cu_is_spread(f, out)) return true; /* a parameter that is several */
    return n >= 2 && n <= 4;
}

/* ---- what kind of thing is launched ---- */

/* Has the parameter list that token `open` begins a default argument? A pointer to the function
 * would not know it. */
static bool has_default(const struct cu *f, uint32_t open) {
    const uint32_t close = f->tokens.v[open].partner;
    for (uint32_t i = open + 1; i < close && i < f->tokens.n; i++)
        if (cu_is(f, i, "=")) return true;
    return false;
}

/* The declaration `... __global__ ... name(` whose name is token `i`; *template: with parameters
 * before it, or with defaults, so that only a call finds out what its arguments are. */
static bool is_kernel_declaration(const struct cu *f, uint32_t i, bool *template) {
    enum { FAR = 200 };
    bool global = false;
    if (!cu_is(f, i + 1, "(")) return false;
    *template = has_default(f, i + 1);
    for (uint32_t n = 0; i > 0 && n < FAR; n++) {
        i--;
        if (cu_is(f, i, ";") || cu_is(f, i, "{") || cu_is(f, i, "}")) break;
        if (cu_is(f, i, CU_KERNEL_WORD)) global = true;
        if (cu_is(f, i, "template")) *template = true;
    }
    return global;
}

/* A declaration of a variable or parameter: `void (*name)(...)`, `auto name =`, `F name,`. */
static bool is_variable_declaration(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {",", ")", "=", ";", "[", "{", ":"};
    if (i == 0) return false;
    if (cu_is(f, i - 1, "*") && i > 1 && cu_is(f, i - 2, "(")) return cu_is(f, i + 1, ")");
    bool type = cu_is_word(f, i - 1) || cu_is(f, i - 1, "*") || cu_is(f, i - 1, "&") ||
                cu_is(f, i - 1, "&&") || cu_is(f, i - 1, ">");
    if (!type || cu_is(f, i - 1, "return")) return false;
    for (size_t k = 0; k < ARRAY_LEN(marks); k++)
        if (cu_is(f, i + 1, marks[k])) return f->tokens.v[i].directive == 0;
    return false;
}

/* The > that ends a template's parameters, which may have defaults; NO_NODE: none is found. */
static uint32_t parameters_end(const struct cu *f, uint32_t open) {
    for (uint32_t i = open, depth = 0; i < f->tokens.n && cu_is(f, open, "<"); i++) {
        uint32_t partner = f->tokens.v[i].partner;
        if (cu_is(f, i, ";") || cu_is(f, i, "{")) break;
        if (cu_is(f, i, "(") && partner != NO_NODE) i = partner;
        depth += cu_is(f, i, "<");
        if (cu_is(f, i, ">") && --depth == 0) return i;
    }
    return NO_NODE;
}

/* How many arguments the template whose name is token `i` must be given: all up to the last that
 * has no default. */
static size_t needed_arguments(const struct cu *f, uint32_t i) {
    while (i > 0 && !cu_is(f, i, "template")) i--;
    uint32_t close = parameters_end(f, i + 1);
    struct cu_call list = {0};
    size_t needed = 0;
    if (close == NO_NODE) return 0;
    cu_split(f, i + 2, close, &list);
    for (size_t n = 0; n < list.arguments.n; n++) {
        bool optional = false;
        for (uint32_t t = list.arguments.v[n].first; t < list.arguments.v[n].last; t++)
            optional |= cu_is(f, t, "=") || cu_is(f, t, "...");
        if (!optional) needed = n + 1;
    }
    return needed;
}

/* Whether the first kernel of that name that the file declares, but for token `but`, is a template
 * that must be given more than `given` arguments. */
static bool needs_more(const struct cu *f, uint32_t but, struct str name, size_t given) {
    for (uint32_t i = 0; cu_may_have(f, name) && i < f->tokens.n; i++) {
        bool template;
        if (i == but || !cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        if (is_kernel_declaration(f, i, &template))
            return template && given < needed_arguments(f, i);
    }
    return false;
}

/* Whether the target's launches name the kernel as a value, so that it has to be one. */
static bool launches_name_values(const struct cu *f) { return target_writes_kernels(f->target); }

/* The < behind the kernel's name in name<...>, or NO_NODE. */
static uint32_t arguments_open(const struct cu *f, const struct cu_launch *l) {
    uint32_t open = l->open - 1;
    while (open > l->kernel_first &&
           !(cu_is(f, open, "<") && cu_template_end(f, open) + 1 == l->open))
        open--;
    return open == l->kernel_first || !cu_is_word(f, open - 1) ? NO_NODE : open;
}

/* Whether the call finds out some arguments of the template that name<...> leaves open. */
static bool leaves_some_open(struct cu *f, const struct cu_launch *l, uint32_t open) {
    struct cu_call given = {0};
    cu_split(f, open + 1, l->open - 1, &given);
    struct str name = cu_text(f, open - 1);
    if (needs_more(f, open - 1, name, given.arguments.n)) return true;
    if (!launches_name_values(f)) return false;
    cu_read_included(f);
    for (size_t h = 0; h < f->included.n; h++)
        if (needs_more(f->included.v[h], NO_NODE, name, given.arguments.n)) return true;
    return false;
}

/* An argument that means something only where the parameter's type is known: NULL, 0, {1, 2}. */
static bool has_untyped_argument(const struct cu *f, const struct cu_launch *l) {
    for (size_t n = 0; l->arguments.open != NO_NODE && n < l->arguments.arguments.n; n++) {
        struct cu_argument a = l->arguments.arguments.v[n];
        bool zero = cu_is(f, a.first, "NULL") || cu_is(f, a.first, "0");
        if (a.first < a.last && (cu_is(f, a.first, "{") || (a.last == a.first + 1 && zero)))
            return true;
    }
    return false;
}

static size_t parameters(const struct cu *f, uint32_t open) {
    struct cu_call list = {0};
    if (f->tokens.v[open].partner != NO_NODE)
        cu_split(f, open + 1, f->tokens.v[open].partner, &list);
    return list.arguments.n;
}

/* Whether kernels of the name at a token differ in how many parameters they have, or a function of
 * the host has it, too; *count is how many those seen before have, or SIZE_MAX. */
static bool differs(struct cu *f, uint32_t but, struct str name, size_t *count) {
    for (uint32_t i = cu_first_word(f, name); i != NO_NODE; i = cu_next_word(f, i, name)) {
        bool template;
        if (i == but) continue;
        bool kernel = is_kernel_declaration(f, i, &template);
        if (!kernel && i > 0 && cu_is(f, i - 1, "void") && cu_is(f, i + 1, "(")) return true;
        if (!kernel) continue;
        size_t n = parameters(f, i + 1);
        if (*count != SIZE_MAX && n != *count) return true;
        *count = n;
    }
    return false;
}

/* Whether a header of the file declares another kernel of the name declared at token i. */
static bool overloaded_in_header(struct cu *f, uint32_t i) {
    size_t count = parameters(f, i + 1);
    if (!launches_name_values(f)) return false;
    cu_read_included(f);
    for (size_t h = 0; h < f->included.n; h++)
        if (differs(f->included.v[h], NO_NODE, cu_text(f, i), &count)) return true;
    return false;
}

static bool is_overloaded(struct cu *f, uint32_t i) {
    size_t count = SIZE_MAX;
    bool found = differs(f, i, cu_text(f, i), &count);
    if (found || !launches_name_values(f)) return found;
    cu_read_included(f);
    for (size_t h = 0; h < f->included.n && !found; h++)
        found = differs(f->included.v[h], NO_NODE, cu_text(f, i), &count);
    return found;
}

/* What a file says of a name that is launched. */
struct kernel_name {
    bool kernel, by_call, variable;
    uint32_t bodies; /* more than one: overloads, among which the call chooses */
};

static struct kernel_name look_up(struct cu *f, uint32_t last) {
    struct kernel_name said = {0};
    struct str name = cu_text(f, last);
    for (uint32_t i = cu_first_word(f, name); i != NO_NODE; i = cu_next_word(f, i, name)) {
        bool template;
        if (i == last) continue;
        if (is_kernel_declaration(f, i, &template)) {
            uint32_t close = f->tokens.v[i + 1].partner;
            said.kernel = true;
            said.by_call |= template;
            said.bodies += close != NO_NODE && cu_is(f, close + 1, "{");
            if (said.bodies == 1) said.bodies += overloaded_in_header(f, i);
        } else if (i > 0 && cu_is(f, i - 1, "void") && cu_is(f, i + 1, "(")) {
            said.by_call = true; /* a function of the host with the same name: the call chooses */
        } else if (i < last && is_variable_declaration(f, i)) {
            said.variable = true;
        }
    }
    size_t count = SIZE_MAX; /* __global__ void k(); above the one that is defined */
    if (said.bodies == 1) said.bodies += differs(f, last, name, &count);
    return said;
}

/* Whether the word is a parameter of the macro that it stands in: a kernel's name is put there. */
static bool is_macro_parameter(const struct cu *f, uint32_t i) {
    uint32_t d = f->tokens.v[i].directive;
    if (!d || f->directives.v[d - 1].kind != CD_DEFINE) return false;
    uint32_t open = f->directives.v[d - 1].first + 3, close = f->tokens.v[open].partner;
    for (uint32_t k = open + 1; cu_is(f, open, "(") && close != NO_NODE && k < close; k++)
        if (str_eq(cu_text(f, k), cu_text(f, i))) return true;
    return false;
}

/* Whether one of C's functions, or of the system's, has that name. */
static bool is_of_c(const struct cu *f, struct str name) {
    return rules_lists(f->rules, "cuda.nonblocking", name) ||
           (f->target.sycl && rules_lists(f->rules, "sycl.system_names", name));
}

struct str cu_launch_key(struct cu *f, const struct cu_launch *l) {
    uint32_t last = l->open - 1;
    bool arguments = cu_is(f, last, ">");
    for (uint32_t i = l->kernel_first; i < l->open && !arguments; i++)
        if (cu_is(f, i, ".") || cu_is(f, i, "->") || cu_is(f, i, "(") || cu_is(f, i, "["))
            return S("pointer");
    uint32_t open = arguments ? arguments_open(f, l) : NO_NODE;
    if (open != NO_NODE && (leaves_some_open(f, l, open) ||
                            (is_overloaded(f, open - 1) && !has_untyped_argument(f, l))))
        return S("template");
    if (arguments || !cu_is_word(f, last)) return S("chevron");
    struct kernel_name said = look_up(f, last);
    said.by_call |= !has_untyped_argument(f, l) && is_of_c(f, cu_text(f, last));
    if (said.kernel && said.by_call) return S("template");
    if (said.kernel && said.bodies < 2) return S("chevron");
    if (said.bodies > 1) return S("template"); /* overloads */
    if (f->target.sycl && is_macro_parameter(f, last)) return S("template");
    if (!said.kernel && said.variable) return S("pointer");
    /* Another file's kernel, which may be a template; of a macro nothing is known. */
    bool typed = !f->tokens.v[last].directive && !has_untyped_argument(f, l);
    return typed ? S("template") : S("chevron");
}

/* ---- writing it ---- */

/* Whether the text is one call of that type already. */
static bool is_made_by(const struct cu *f, struct cu_argument a, struct str type) {
    return str_eq(cu_text(f, a.first), type) && a.first + 1 < a.last &&
           f->tokens.v[a.first + 1].partner == a.last - 1;
}

static void put_config(struct cu *f, const struct cu_launch *l, size_t i, struct str option,
                       struct buf *out) {
    if (i >= l->config.arguments.n) {
        buf_add(out, option);
        return;
    }
    struct cu_argument a = l->config.arguments.v[i];
    bool wrap =
        option.n && !(option.p[0] >= '0' && option.p[0] <= '9') && !is_made_by(f, a, option);
    if (wrap) buf_printf(out, "%.*s(", STR_ARG(option));
    buf_add(out, cu_ported_text(f, a.first, a.last));
    if (wrap) buf_addz(out, ")");
}

/* Whether the file declares the name at a token as a template of a kernel. */
static bool is_template(const struct cu *f, uint32_t name) {
    bool template;
    if (!cu_is_word(f, name)) return false;
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        bool same = i != name && cu_is_word(f, i) && str_eq(cu_text(f, i), cu_text(f, name));
        if (!same || !is_kernel_declaration(f, i, &template) || !template) continue;
        for (uint32_t t = i; t > 0 && !cu_is(f, t, ";") && !cu_is(f, t, "}"); t--)
            if (cu_is(f, t, "template")) return true;
    }
    return false;
}

/* Whether the file defines the name at a token as a macro that ends in template arguments. */
static bool is_macro_of_template(const struct cu *f, uint32_t name) {
    for (size_t i = 0; i < f->directives.n; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->kind == CD_DEFINE && d->last > d->first + 4 && cu_is(f, d->last - 1, ">") &&
            str_eq(cu_text(f, d->first + 2), cu_text(f, name)))
            return true;
    }
    return false;
}

static void put_kernel(struct cu *f, const struct cu_launch *l, struct str macro,
                       struct buf *out) {
    /* a template may have commas within; one that the call chooses is wrapped like it */
    bool wrap = macro.n && (cu_is(f, l->open - 1, ">") || is_template(f, l->open - 1) ||
                            is_macro_of_template(f, l->open - 1));
    if (wrap) buf_printf(out, "%.*s(", STR_ARG(macro));
    buf_add(out, cu_ported_text(f, l->kernel_first, l->open));
    if (wrap) buf_addc(out, ')');
}

/* What the template of a launch is written from. */
struct launch_writer {
    struct cu *f;
    struct cu_launch l;
    struct buf *out;
};

static void put_text(void *context, struct str text) {
    struct launch_writer *w = context;
    buf_add(w->out, text);
}

/* The line break behind a token, and what is in front of the next one. */
static struct str break_behind(const struct cu *f, uint32_t token) {
    const struct cu_token *t = &f->tokens.v[token];
    if (t[0].directive != t[1].directive) return S(""); /* #endif's, which the text has */
    struct str gap = str_sub(f->src, t[0].end, t[1].start);
    for (size_t i = 0; i < gap.n; i++)
        if (!strchr(" \t\r\n", gap.p[i])) return S("");
    return str_find(gap, S("\n"), 0) < gap.n ? gap : S("");
}

static void put_arguments(struct launch_writer *w, struct str before) {
    struct cu_launch *l = &w->l;
    if (l->arguments.open == NO_NODE || !l->arguments.arguments.n) return;
    buf_add(w->out, before.n ? before : break_behind(w->f, l->arguments.open));
    buf_add(w->out, cu_ported_inside(w->f, l->arguments.open + 1, l->arguments.close));
    if (!before.n) buf_add(w->out, break_behind(w->f, l->arguments.close - 1));
}

static bool put_part(void *context, const struct placeholder *p, struct str *why) {
    struct launch_writer *w = context;
    struct str option;
    enum launch_part part = template_launch_part(p->text, &option);
    (void)why;
    switch (part) {
    case LAUNCH_GRID:
    case LAUNCH_BLOCK:
    case LAUNCH_SHARED:
    case LAUNCH_STREAM:
        put_config(w->f, &w->l, part, option, w->out);
        return true;
    case LAUNCH_KERNEL:
        put_kernel(w->f, &w->l, option, w->out);
        return true;
    case LAUNCH_CONFIG:
        buf_add(w->out, cu_ported_inside(w->f, w->l.open + 1, w->l.close - 2));
        return true;
    case LAUNCH_ARGUMENTS:
    case LAUNCH_ALL:
        put_arguments(w, part == LAUNCH_ALL ? S("") : S(", "));
        return true;
    case LAUNCH_NONE:
        return false;
    }
    return false;
}

bool cu_write_launch(struct cu *f, struct str template, const struct cu_match *m, struct buf *out,
                     struct str *why) {
    struct launch_writer w = {.f = f, .out = out};
    struct template_sink sink = {.context = &w,
                                 .a = f->a,
                                 .target = f->target,
                                 .name = m->token,
                                 .text = put_text,
                                 .placeholder = put_part};
    uint32_t open = m->first;
    while (open < f->tokens.n && f->tokens.v[open].start != m->start) open++;
    if (!cu_read_launch(f, open, &w.l)) {
        *why = S("the launch is written in a way that can't be taken apart");
        return false;
    }
    if (!template_expand(template, &sink, why)) return false;
    if (w.l.arguments.open == NO_NODE) {
        *why = S("the arguments of the kernel don't follow the launch");
        return false;
    }
    return true;
}
