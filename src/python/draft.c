/* SPDX-License-Identifier: Apache-2.0 */
/* draft.c - the edits of one match while it is not yet known whether all of them are possible:
 * putting them, expanding a rule's templates, seeing what must not be lost. */
#include "python/plan.h"
#include "rules/template.h"

/* ---- the edits of one match, kept apart until all of them are possible ---- */

void draft_put(struct draft *d, size_t start, size_t end, struct str text) {
    if (str_eq(str_sub(d->f->src, start, end), text))
        return; /* an edit that changes nothing is none */
    struct match_edit e = {(uint32_t)start, (uint32_t)end, text, d->match, false, 0};
    vec_push(d->f->a, &d->edits, e);
}

void draft_put_after(struct draft *d, size_t at, struct str text) {
    size_t n = d->edits.n;
    draft_put(d, at, at, text);
    if (d->edits.n > n) d->edits.v[n].after = true;
}

bool draft_fail(struct draft *d, struct str why) {
    if (!d->why.p) d->why = why;
    return false;
}

/* ---- text ---- */

bool draft_identifier_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           c == '_' || (unsigned char)c >= 0x80;
}

/* Length of the dotted name at the start of s. */
size_t draft_dotted_prefix(struct str s) {
    size_t i = 0;
    while (i < s.n && (draft_identifier_char(s.p[i]) ||
                       (s.p[i] == '.' && i + 1 < s.n && draft_identifier_char(s.p[i + 1]))))
        i++;
    return s.n && (s.p[0] < '0' || s.p[0] > '9') ? i : 0;
}

size_t draft_components(struct str s) {
    size_t n = 1;
    for (size_t i = 0; i < s.n; i++) n += s.p[i] == '.';
    return n;
}

/* ---- templates ---- */

/* The text that a template makes, as far as the match alone can say it. */
struct expansion {
    struct draft *d;
    struct buf text;
    struct str keywords;
};

static void add_text(void *context, struct str text) {
    struct expansion *x = context;
    buf_add(&x->text, text);
}

/* What depends on the call's arguments and receiver is marked for the caller. */
static bool add_placeholder(void *context, const struct placeholder *p, struct str *why) {
    struct expansion *x = context;
    const struct py_match *m = x->d->m;
    (void)why;
    if (p->kind == PH_ARGUMENTS || p->kind == PH_KEYWORDS) {
        buf_addc(&x->text, '\1');
        x->keywords = p->option;
    } else if (p->kind == PH_RECEIVER) {
        buf_addc(&x->text, '\2');
    } else if (p->kind == PH_FIRST) {
        buf_addc(&x->text, '\3');
    } else if (p->kind == PH_TAIL) {
        struct str ns = rs_str(m->row.set, m->row.rule->name_space);
        bool under = m->token.n > ns.n && str_starts(m->token, ns) && m->token.p[ns.n] == '.';
        buf_add(&x->text,
                under ? str_sub(m->token, ns.n + 1, m->token.n) : str_last_dotted(m->token));
    } else {
        return false;
    }
    return true;
}

bool draft_expand(struct draft *d, struct str template, struct str *out, struct str *keywords) {
    struct expansion x = {.d = d};
    struct template_sink sink = {.context = &x,
                                 .a = d->f->a,
                                 .target = d->f->target,
                                 .name = d->m->token,
                                 .text = add_text,
                                 .placeholder = add_placeholder};
    struct str why;
    buf_init(&x.text, d->f->a);
    if (!template_expand(template, &sink, &why)) return draft_fail(d, why);
    *out = x.text.p ? buf_str(&x.text) : S("");
    *keywords = x.keywords;
    return true;
}

/* ---- what an edit must not lose ---- */

bool draft_has_comment(const struct py *f, uint32_t node) {
    for (uint32_t i = node; i < py_node(f, node)->next; i++)
        if (py_kind(f, i) == PY_COMMENT) return true;
    return false;
}

size_t draft_matches_in(const struct draft *d, uint32_t node) {
    const struct node *n = py_node(d->f, node);
    size_t found = 0;
    for (uint32_t i = 0; i < d->f->matches.n; i++) {
        const struct py_match *m = &d->f->matches.v[i];
        found += i != d->match && m->start >= n->start && m->start < n->end;
    }
    return found;
}

/* "cuda:{}".format */
static bool is_method_of_text(const struct py *f, uint32_t callee) {
    if (py_kind(f, callee) != PY_ATTRIBUTE || py_kind(f, py_child(f, callee, 0)) != PY_STRING)
        return false;
    struct str name = py_text(f, py_child(f, callee, -1));
    return py_lists(f, "python.pure_functions", arena_printf(f->a, ".%.*s", STR_ARG(name)));
}

bool draft_has_effect(struct py *f, uint32_t node) {
    for (uint32_t i = node; i < py_node(f, node)->next; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_COMMENT || k == PY_AWAIT || k == PY_YIELD || k == PY_NAMED_EXPRESSION)
            return true;
        if (k != PY_CALL) continue;
        struct py_name n = py_resolve(f, py_callee(f, i));
        struct str callee = py_text(f, py_callee(f, i));
        bool of_torch =
            n.path.p && n.certainty == C_EXACT &&
            (py_lists(f, "torch.module", n.path) || py_lists(f, "torch.device", n.path));
        bool pure = of_torch || is_method_of_text(f, py_callee(f, i)) ||
                    py_lists(f, "python.pure_functions", callee) ||
                    py_lists(f, "python.questions", str_last_dotted(callee));
        if (!pure) return true;
    }
    return false;
}

struct str draft_cell_str(const struct draft *d, struct rstr r) {
    return rs_str(d->m->row.set, r);
}
