/* SPDX-License-Identifier: Apache-2.0 */
/* emit_block_variant.c - the text of a device function for all threads of a block at once: the
 * function's own text with its parameters as arguments per thread. What gets one, block_variant.c
 * decides. */
#include "kernels/emit.h"

/* The parameters, under other names: they choose among overloads. */
static void add_parameters(struct writer *w, struct buf *b) {
    struct kernel *k = w->k;
    struct cu_call list = {0};
    cu_split(w->f, k->params_open + 1, k->params_close, &list);
    for (uint32_t n = 0; n < k->v.n && k->v.v[n].statement == NO_NODE; n++) {
        struct cu_argument a = list.arguments.v[n];
        uint32_t name = k->v.v[n].token;
        struct str type = str_sub(w->f->src, start_of(w->f, a.first), start_of(w->f, name));
        while (type.n && strchr(" \t\r\n", type.p[type.n - 1])) type.n--;
        bool mark = type.n && strchr("*&", type.p[type.n - 1]);
        buf_printf(b, ", %.*s%scm_arg_%.*s%s%.*s", STR_ARG(cu_ported_text(w->f, a.first, name)),
                   mark ? "" : " ", STR_ARG(k->v.v[n].name), cu_is(w->f, name + 1, "=") ? " " : "",
                   STR_ARG(cu_ported_text(w->f, name + 1, a.last)));
    }
}

/* CM_ARGUMENT(v, 0, T); */
static void add_arguments(struct writer *w, struct str indent, struct buf *b) {
    struct kernel *k = w->k;
    for (uint32_t n = 0; n < k->v.n && k->v.v[n].statement == NO_NODE; n++) {
        const struct k_variable *v = &k->v.v[n];
        struct buf type;
        buf_init(&type, w->f->a);
        k_add_type(w, v, &type);
        if (cu_is(w->f, v->token + 1, "[")) buf_addz(&type, " *");
        buf_printf(b, "%.*s%.*sCM_ARGUMENT(%.*s, %u, %.*s);", STR_ARG(w->eol), STR_ARG(indent),
                   STR_ARG(v->name), n, STR_ARG(buf_str(&type)));
    }
}

/* The body with the edits, in its braces. */
static struct str body(struct writer *w) {
    struct cu *f = w->f;
    size_t n = f->edits.n;
    struct match_edit *before = arena_alloc(f->a, (n + 1) * sizeof *before);
    for (size_t i = 0; i < n; i++) before[i] = f->edits.v[i];
    k_merge_edits(f, w->edits);
    struct str text = cu_ported_text(f, w->k->open, w->k->close + 1);
    f->edits.n = 0;
    for (size_t i = 0; i < n; i++) vec_push(f->a, &f->edits, before[i]);
    return str_sub(text, 1, text.n - 1);
}

static bool blank_up_to(struct str text, size_t end) {
    for (size_t i = 0; i < end; i++)
        if (!strchr(" \t\r", text.p[i])) return false;
    return true;
}

void k_write_block_variant(struct kernel *k, struct k_edits *edits) {
    struct k_edits own = {0};
    struct cu *f = k->f;
    struct writer w = {k, f, &own, 0, cu_eol(f), S(""), {0}, k_write_list},
                  out = {k, f, edits, 0, w.eol, S(""), {0}, k_write_list};
    k_write_list(&w, k->s.v[0].child);
    if (!k_finish(&w)) return;
    uint32_t at = k_with_comment(f, end_of(f, k->close));
    struct str indent = k_indent_of(f, start_of(f, k->head)), text = body(&w), eol = w.eol;
    struct str inner = arena_printf(f->a, "%.*s%.*s", STR_ARG(indent),
                                    STR_ARG(k_deeper(f, start_of(f, k->head))));
    struct str result = cu_ported_text(f, k->result_first, k->result_last);
    struct buf b;
    buf_init(&b, f->a);
    buf_printf(&b, "%.*s%.*s#ifndef CUDA_MORPH_FIBERS%.*s", STR_ARG(eol), STR_ARG(eol),
               STR_ARG(eol));
    buf_printf(&b, "%.*s// for all threads of a block at once%.*s%.*stemplate <", STR_ARG(indent),
               STR_ARG(eol), STR_ARG(indent));
    if (k->template_first < k->template_last)
        buf_printf(&b, "%.*s, ", STR_ARG(cu_ported_text(f, k->template_first, k->template_last)));
    buf_printf(&b, "class cm_Block, class cm_Given>%.*s%.*s", STR_ARG(eol), STR_ARG(indent));
    buf_printf(&b, k->returns ? "cm::each<%.*s>" : "%.*s", STR_ARG(result));
    buf_printf(&b, " %.*s(cm_Block &cm_outer, cm_Given &cm_given", STR_ARG(cu_text(f, k->name)));
    add_parameters(&w, &b);
    buf_printf(&b, ") {%.*s%.*sCM_FUNCTION;", STR_ARG(eol), STR_ARG(inner));
    if (k->returns)
        buf_printf(&b, "%.*s%.*scm::each<%.*s> cm_result;", STR_ARG(eol), STR_ARG(inner),
                   STR_ARG(result));
    add_arguments(&w, inner, &b);
    size_t line = str_find(text, S("\n"), 0), end = text.n;
    if (line == text.n || !blank_up_to(text, line))
        buf_printf(&b, "%.*s%.*s", STR_ARG(eol), STR_ARG(inner));
    while (end > 0 && strchr(" \t\r\n", text.p[end - 1])) end--;
    buf_add(&b, str_sub(text, 0, end));
    if (k->returns) buf_printf(&b, "%.*s%.*sreturn cm_result;", STR_ARG(eol), STR_ARG(inner));
    buf_printf(&b, "%.*s%.*s}%.*s#endif", STR_ARG(eol), STR_ARG(indent), STR_ARG(eol));
    if (at < f->src.n && !strchr("\r\n", f->src.p[at])) buf_add(&b, eol);
    k_insert(&out, at, buf_str(&b));
}
