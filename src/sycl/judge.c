/* SPDX-License-Identifier: Apache-2.0 */
/* judge.c - what the port to SYCL has no counterpart for.
 *
 * Rewrites are those of the port to the CPU, whose headers have more than SYCL's: a name that only
 * those declare is manual. So is what SYCL's kernels may not do: barriers that not all of a group
 * get to, operations of some lanes of a warp, launches from kernels or through pointers. */
#include "cuda/header_names.h"
#include "sycl/sycl.h"

#include <stdlib.h>

/* Whether the headers of SYCL's port declare the name. */
static bool declares(struct arena *a, struct str name) {
    return header_names_declare(header_names_of(true), a, name);
}

static bool is_listed(const struct sycl *s, const char *list, struct str word) {
    return rules_lists(s->f->rules, list, word);
}

/* ---- names that the headers lack ---- */

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == ':';
}

/* Whether a word of the runtime's that a rewrite would write is one that SYCL's headers lack. */
static bool lacks(const struct sycl *s, struct str word) {
    char next = word.n > 2 ? word.p[2] : 0;
    bool runtime =
        str_starts(word, S("cm")) && ((next >= 'A' && next <= 'Z') || next == '_' || next == ':');
    if (str_starts(word, S("CM_")))
        return !is_listed(s, "sycl.macros", word) && !declares(s->f->a, word);
    return runtime && !declares(s->f->a, word);
}

/* The first such word of a template, or an empty string. */
static struct str lacking_in(const struct sycl *s, struct str text) {
    for (size_t i = 0; i < text.n;) {
        size_t end = i;
        while (end < text.n && is_name_char(text.p[end])) end++;
        struct str word = str_sub(text, i, end);
        if (word.n && lacks(s, word)) return word;
        i = end > i ? end : i + 1;
    }
    return S("");
}

/* Whether a template begins with a call of a function that the headers lack. */
static bool lacks_callee(const struct sycl *s, struct str text) {
    size_t end = 0;
    while (end < text.n && is_name_char(text.p[end])) end++;
    struct str word = str_sub(text, 0, end);
    bool call = end > 0 && end < text.n && text.p[end] == '(';
    return call && str_find(word, S("::"), 0) == word.n && !declares(s->f->a, word) &&
           !is_listed(s, "sycl.macros", word);
}

static struct str lacking(const struct sycl *s, const struct cu_match *m) {
    const struct rcell *c = m->cell;
    const struct rstr texts[] = {c->to, c->call, c->value, c->statement};
    struct str to = rs_str(m->row.set, c->to);
    bool plain = to.n > 0;
    for (size_t i = 0; i < to.n; i++) plain &= is_name_char(to.p[i]) && to.p[i] != ':';
    if (plain && !declares(s->f->a, to) && !is_listed(s, "sycl.macros", to)) return to;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct str text = rs_str(m->row.set, texts[i]), word = lacking_in(s, text);
        if (word.n) return word;
        if (lacks_callee(s, text)) return m->token;
    }
    const struct rcase *cases = RS_LIST(m->row.set, c->cases, struct rcase);
    for (size_t i = 0; i < c->cases.n; i++) {
        struct str word = lacking_in(s, rs_str(m->row.set, cases[i].call));
        if (word.n) return word;
    }
    return S("");
}

/* Whether write.c, or variables.c, rewrites that word. */
static bool is_own(const struct sycl *s, struct str word) {
    static const char *const lists[] = {"sycl.builtins", "sycl.calls", "sycl.whole_calls",
                                        "sycl.renames"};
    struct str rest;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (rules_word_row(s->f->rules, lists[i], word, &rest)) return true;
    return is_listed(s, "sycl.removed", word) || str_is(word, CU_SHARED_WORD);
}

/* ---- masks ---- */

static bool is_full(struct str text) {
    while (text.n && strchr("uUlL", text.p[text.n - 1])) text.n--;
    return str_listed(text, S("0xffffffff 0xFFFFFFFF 0XFFFFFFFF -1 ~0 UINT_MAX (unsigned)-1 "
                              "4294967295"));
}

static bool is_change(const struct cu *f, uint32_t i) {
    return cu_assigns(f, i) && !cu_is(f, i, "=");
}

/* Whether the token is in the parentheses of a function's head: what is given there is but a
 * default. */
static bool in_head(const struct cu *f, uint32_t i) {
    while (i-- > 0 && !str_listed(cu_text(f, i), S("; { }"))) {
        if (cu_is(f, i, "(")) return !cu_is(f, i - (i > 0), "for");
        if (cu_is(f, i, ")") && f->tokens.v[i].partner != NO_NODE) i = f->tokens.v[i].partner;
    }
    return false;
}

/* Whether it is a parameter of the function or macro that token i is in: callers say what it is.
 */
static bool is_parameter(const struct sycl *s, uint32_t i, struct str name) {
    const struct cu *f = s->f;
    const struct sy_function *in = sy_function_at(s, i);
    uint32_t d = f->tokens.v[i].directive;
    uint32_t open = d ? f->directives.v[d - 1].first + 3 : in ? in->open : NO_NODE;
    if (open == NO_NODE || !cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE)
        return false;
    for (uint32_t k = open + 1; k < f->tokens.v[open].partner; k++)
        if (str_eq(cu_text(f, k), name)) return true;
    return false;
}

/* What the file or a header says that the name stands for; the name itself when that is not known,
 * or is not the same everywhere. */
static struct str value_of(struct sycl *s, struct str name) {
    struct str value = {0};
    for (size_t h = 0; h <= s->f->included.n; h++) {
        const struct cu *in = h ? s->f->included.v[h - 1] : s->f;
        for (uint32_t i = 1; i + 2 < in->tokens.n; i++) {
            if (!cu_is_word(in, i) || !str_eq(cu_text(in, i), name)) continue;
            if (cu_is(in, i - 1, "define")) {
                uint32_t d = in->tokens.v[i].directive;
                return d ? cu_span(in, i + 1, in->directives.v[d - 1].last) : name;
            }
            if (is_change(in, i + 1)) return name;
            if (!cu_is(in, i + 1, "=")) continue;
            if (in_head(in, i)) return name;
            uint32_t end = i + 2;
            while (end < in->tokens.n && !cu_is(in, end, ";") && !cu_is(in, end, ",")) end++;
            if (value.n && !str_eq(value, cu_span(in, i + 2, end))) return name;
            value = cu_span(in, i + 2, end);
        }
    }
    return value.n ? value : name;
}

/* What the mask of the operation is written as, in the file or behind a name; empty: none. */
static struct str mask_of(struct sycl *s, uint32_t word) {
    struct cu_call call = {0};
    if (!cu_read_call(s->f, word + 1, &call) || !call.arguments.n) return S("");
    struct cu_argument a = call.arguments.v[0];
    if (a.first >= a.last) return S("");
    struct str mask = cu_span(s->f, a.first, a.last);
    if (is_full(mask)) return mask;
    if (a.last == a.first + 1 && cu_is_word(s->f, a.first) && !is_parameter(s, a.first, mask))
        mask = value_of(s, mask);
    while (mask.n > 2 && mask.p[0] == '(' && mask.p[mask.n - 1] == ')')
        mask = str_sub(mask, 1, mask.n - 1);
    return mask;
}

bool sy_has_full_mask(struct sycl *s, uint32_t word) {
    struct str mask = mask_of(s, word);
    return !mask.n || is_full(mask);
}

/* Whether the mask is a number that no block of fewer lanes explains: not the lowest ones. */
static bool has_gaps(struct str mask) {
    char text[32], *end;
    while (mask.n && strchr("uUlL", mask.p[mask.n - 1])) mask.n--;
    if (!mask.n || mask.n >= sizeof text) return false;
    memcpy(text, mask.p, mask.n);
    text[mask.n] = 0;
    unsigned long long v = strtoull(text, &end, 0);
    return !*end && (v & (v + 1)) != 0;
}

/* ---- barriers that not all come to ---- */

/* Whether all of a kernel's work-items come to the token: no condition and no loop is around it,
 * and none has left before. */
static bool all_come(struct sycl *s, const struct sy_function *in, uint32_t token) {
    const struct cu *f = s->f;
    uint32_t i = token;
    if (!in->kernel || sy_in_macro(f, token) || sy_follows_return(s, in, token)) return false;
    while (i > in->body && !str_listed(cu_text(f, i), S("; { }"))) i--;
    for (uint32_t k = i + 1; k < token; k++)
        if (str_listed(cu_text(f, k), S("if for while else do switch && || ?"))) return false;
    for (uint32_t k = in->body + 1; k < token; k++)
        if (cu_is(f, k, "{") && f->tokens.v[k].partner != NO_NODE) {
            if (f->tokens.v[k].partner > token) return false;
            k = f->tokens.v[k].partner;
        }
    return true;
}

/* ---- all of it ---- */

/* Whether a kernel of the name at that token, or what a port made of one, has a parameter that is
 * a reference. */
static bool takes_reference(const struct sycl *s, uint32_t name) {
    for (size_t k = 0; k < s->functions.n; k++) {
        const struct sy_function *one = &s->functions.v[k];
        if (!one->kernel && !one->ported) continue;
        if (!str_eq(cu_text(one->f, one->name), cu_text(s->f, name))) continue;
        uint32_t i = one->open + 1;
        while (one->ported && i < one->close && !cu_is(one->f, i, ",")) i++; /* the work-item */
        for (; i < one->close; i++)
            if (cu_is(one->f, i, "&") || cu_is(one->f, i, "&&")) return true;
    }
    return false;
}

static void judge_launch(struct sycl *s, struct cu_match *m) {
    struct cu_launch l;
    uint32_t open = m->first;
    while (open < s->f->tokens.n && s->f->tokens.v[open].start != m->start) open++;
    if (!cu_read_launch(s->f, open, &l)) return;
    const struct sy_function *in = sy_function_at(s, open);
    if (in && !in->host)
        sy_refuse(m, S("SYCL launches kernels from the host alone: launch it there"));
    else if (str_is(cu_launch_key(s->f, &l), "template") && takes_reference(s, l.open - 1))
        sy_refuse(m, S("a parameter of the kernel is a reference, and where the call chooses the "
                       "kernel it would get a copy: name the template's arguments"));
}

static void judge_include(struct sycl *s, struct cu_match *m) {
    struct str path = rs_str(m->row.set, m->cell->to), rest;
    if (path.n && str_ends(s->f->path, S(".c"))) {
        sy_refuse(m, S("SYCL is C++, and this file is C: compile it as C++ (-x c++), and call it "
                       ".cpp"));
        return;
    }
    if (!path.n || rules_word_row(s->f->rules, "sycl.headers", path, &rest)) return;
    if (str_starts(path, S("cuda_morph/")))
        sy_refuse(m, S("what this header declares has no counterpart in cuda_morph/sycl.hpp"));
}

/* Whether the macro's text that token i is in declares a variable of that name: dim3 block, grid;
 */
static bool macro_declares(const struct cu *f, uint32_t i) {
    uint32_t d = f->tokens.v[i].directive;
    if (!sy_in_macro(f, i)) return false;
    for (uint32_t k = f->directives.v[d - 1].first + 3; k < f->directives.v[d - 1].last; k++) {
        if (!str_eq(cu_text(f, k), cu_text(f, i)) || cu_is(f, k + 1, ".")) continue;
        uint32_t start = k;
        while (cu_is(f, start - 1, ",")) {
            uint32_t before = start - 2, open = f->tokens.v[before].partner;
            if (cu_is(f, before, ")") && open != NO_NODE) before = open - 1;
            if (!cu_is_word(f, before)) break;
            start = before;
        }
        if (cu_is_word(f, start) && sy_is_own_declaration(f, start)) return true;
    }
    return false;
}

/* Whether the file calls the function behind a return that some of a group take, or calls one so
 * that calls it. */
static bool is_called_behind_return(struct sycl *s, const struct sy_function *one, int depth) {
    struct cu *f = s->f;
    struct str name = cu_text(one->f, one->name);
    if (one->kernel || one->lambda) return false;
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        const struct sy_function *in = sy_function_at(s, i);
        if (!in || in == one || !(cu_is(f, i + 1, "(") || cu_is(f, i + 1, "<"))) continue;
        if (sy_follows_return(s, in, i)) return true;
        if (depth < 3 && is_called_behind_return(s, in, depth + 1)) return true;
    }
    return false;
}

/* Whether a cooperative group waits in the function behind a return that some take: block.sync().
 */
static bool waits_behind_return(struct sycl *s, const struct sy_function *in) {
    const struct cu *f = s->f;
    for (uint32_t i = in->body + 1; i + 1 < in->end; i++)
        if (cu_is_word(f, i) && cu_is(f, i + 1, "(") &&
            (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "::")) &&
            is_listed(s, "sycl.syncs", cu_text(f, i)) && sy_follows_return(s, in, i))
            return true;
    return false;
}

/* Whether the macro whose body holds the token is nothing but qualifiers. */
static bool in_macro_of_qualifiers(struct sycl *s, uint32_t token) {
    const struct cu *f = s->f;
    for (size_t d = 0; d < f->directives.n; d++) {
        const struct cu_directive *one = &f->directives.v[d];
        if (one->kind != CD_DEFINE || token < one->first || token >= one->last) continue;
        for (uint32_t i = one->first + 3; i < one->last; i++)
            if (!is_listed(s, "sycl.removed", cu_text(f, i)) &&
                !str_listed(cu_text(f, i), S("static volatile inline")))
                return false;
        return true;
    }
    return false;
}

/* Finds what the file itself declares by the names of CUDA's builtins: types, and variables or
 * parameters, behind a * or & as well. */
static void find_called_so(struct sycl *s) {
    const struct cu *f = s->f;
    struct str rest;
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++) {
        struct str word = cu_text(f, i);
        if (!cu_is_word(f, i) || !rules_word_row(f->rules, "sycl.builtins", word, &rest)) continue;
        bool by_reference = str_listed(cu_text(f, i - 1), S("* &")) &&
                            str_listed(cu_text(f, i + 1), S(", ) ; = {"));
        if (str_listed(cu_text(f, i - 1), S("class struct union enum")))
            vec_push(f->a, &s->types_called, word);
        else if (by_reference || sy_is_own_declaration(f, i))
            vec_push(f->a, &s->variables_called, word);
    }
    s->names_known = true;
}

/* Whether the name of a builtin of CUDA's means something of the program's there. */
static bool is_called_so(struct sycl *s, uint32_t token, struct str word) {
    if (!s->names_known) find_called_so(s);
    if (str_among(s->types_called.v, s->types_called.n, word)) return true;
    return str_among(s->variables_called.v, s->variables_called.n, word) &&
           sy_is_shadowed_at(s, token, word);
}

static void judge_own(struct sycl *s, struct cu_match *m) {
    if (macro_declares(s->f, m->first)) {
        m->cell = NULL;
        m->verdict = V_SAME;
        return;
    }
    if (cu_in_string(s->f, m->start)) {
        sy_refuse(m, S("SYCL's port compiles no program at run time"));
        return;
    }
    struct str word = cu_text(s->f, m->first);
    if (str_is(word, CU_MANAGED_WORD) && sy_in_macro(s->f, m->first) &&
        !in_macro_of_qualifiers(s, m->first)) {
        sy_refuse(m, S("SYCL's port has no form for a variable that the host reaches, too"));
        return;
    }
    const struct sy_function *in = sy_function_at(s, m->first);
    if (sy_defines(s, word) && !cu_is(s->f, m->first, CU_SHARED_WORD) &&
        !is_listed(s, "sycl.removed",
                   word)) { /* #define __shfl(v, lane) __shfl_sync(~0, v, lane) */
        m->cell = NULL;
        m->verdict = V_SAME;
        return;
    }
    struct str rest;
    bool builtin = rules_word_row(s->f->rules, "sycl.builtins", word, &rest);
    bool cuda = builtin || rules_word_row(s->f->rules, "sycl.whole_calls", word, &rest);
    if (builtin && is_called_so(s, m->first, word)) {
        m->cell = NULL;
        m->verdict = V_SAME;
        return;
    }
    if (cuda && sy_is_own_declaration(s->f, m->first))
        sy_refuse(m, S("the file declares what CUDA has by that name, and its uses become other "
                       "ones"));
    else if (is_listed(s, "sycl.masked", word) && in && has_gaps(mask_of(s, m->first)) &&
             all_come(s, in, m->first))
        sy_refuse(m, S("all lanes come here, and the mask leaves some of them out, which CUDA "
                       "leaves undefined: name all that come"));
    else if (is_listed(s, "sycl.barriers", word) && in && sy_follows_return(s, in, m->first) &&
             !sy_can_stay(s, in))
        sy_refuse(m, S("work-items that returned before never get to this barrier, and in SYCL "
                       "all of a group have to: let them stay, and leave out their work"));
    else if (is_listed(s, "sycl.barriers", word) && in && sy_is_in_branch(s, in, m->first) &&
             !sy_can_stay(s, in))
        sy_refuse(m,
                  S("work-items that do not take this branch never get to the barrier in it, and "
                    "in SYCL all of a group have to: let all come to it, and leave out the work"));
    else if (is_listed(s, "sycl.barriers", word) && in && is_called_behind_return(s, in, 0))
        sy_refuse(m, S("this function is called where some work-items of a group have returned, "
                       "which never get to its barrier, and in SYCL all have to: let them stay, "
                       "and leave out their work"));
    else if (in && rules_word_row(s->f->rules, "sycl.calls", word, &rest) && str_eq(word, rest) &&
             waits_behind_return(s, in))
        sy_refuse(m, S("work-items that returned before never get to where this group waits, and "
                       "in SYCL all have to: let them stay, and leave out their work"));
}

/* A mask that may leave lanes out: the rule keeps all of them, as only this port asks the lanes
 * that run together, and not those that the mask names. */
static void judge_mask(struct sycl *s, struct cu_match *m) {
    if (m->suppressed || sy_has_full_mask(s, m->first)) return;
    m->cell = NULL;
    m->verdict = V_MANUAL;
    m->message = arena_printf(
        s->f->a,
        "the mask of `%.*s` may leave lanes out, and SYCL waits for none that it names: with "
        "DPC++ "
        "those take part that come together, which has run on no device. Compare the results, or "
        "let all lanes come with a full mask",
        STR_ARG(cu_text(s->f, m->first)));
}

static void judge(struct sycl *s, struct cu_match *m) {
    struct str through = rs_str(s->f->target.set, s->f->target.target->through);
    if (is_listed(s, "sycl.limit_rules", rs_str(m->row.set, m->row.rule->id))) m->demanded = true;
    if (is_listed(s, "sycl.mask_rules", rs_str(m->row.set, m->row.rule->id))) judge_mask(s, m);
    if (m->suppressed || m->row.rule->lint || m->row.rule->sides || !m->cell) return;
    if (m->kind == CU_LAUNCH) {
        judge_launch(s, m);
        return;
    }
    bool own = !str_eq(rs_str(m->row.set, m->cell->target), through); /* the target's */
    struct str word = cu_text(s->f, m->first), rest;
    bool one = m->kind == CU_SYMBOL && m->last == m->first + 1 && cu_is_word(s->f, m->first);
    if (own && m->verdict == V_MANUAL && one &&
        (declares(s->f->a, word) || rules_word_row(s->f->rules, "sycl.renames", word, &rest))) {
        m->cell = NULL; /* the header has the name */
        m->verdict = V_SAME;
        return;
    }
    if (m->verdict >= V_MANUAL || own) return;
    struct str rule = rs_str(m->row.set, m->row.rule->id);
    if (cu_names_header(s->f, m)) {
        judge_include(s, m);
    } else if (is_listed(s, "sycl.own_rules", rule)) {
        m->cell = NULL;
        m->verdict = V_SAME;
    } else if (m->kind == CU_SYMBOL && is_own(s, cu_text(s->f, m->first))) {
        judge_own(s, m);
    } else if (m->verdict == V_SAME && !m->cell->cases.n) {
        if (!declares(s->f->a, m->token))
            sy_refuse(m, arena_printf(s->f->a, "`%.*s` has no counterpart in cuda_morph/sycl.hpp",
                                      STR_ARG(m->token)));
    } else {
        struct str word = lacking(s, m);
        if (word.n)
            sy_refuse(m, arena_printf(s->f->a, "`%.*s` has no counterpart in cuda_morph/sycl.hpp",
                                      STR_ARG(m->token)));
    }
}

void sy_judge(struct sycl *s) {
    for (size_t i = 0; i < s->f->matches.n; i++) judge(s, &s->f->matches.v[i]);
}
