/* SPDX-License-Identifier: Apache-2.0 */
/* plan_string.c - device and backend literals become the target's. */
#include "python/imports.h"

/* `whole` targets lose the index: torch.device("cuda", 1) too. */
static bool drop_index_argument(struct draft *d) {
    struct py *f = d->f;
    uint32_t self = d->m->literal.node, args = py_parent(f, self);
    if (py_kind(f, args) == PY_KEYWORD_ARGUMENT) { /* type="cuda" */
        self = args;
        args = py_parent(f, args);
    }
    uint32_t call = py_parent(f, args);
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_kind(f, call) != PY_CALL) return true;
    struct py_name n = py_resolve(f, py_callee(f, call));
    if (!py_lists(f, "torch.device", n.path)) return true;
    uint32_t index =
        py_argument(f, call, S("index"), py_kind(f, self) == PY_KEYWORD_ARGUMENT ? -1 : 1);
    if (index == NO_NODE) return true;
    if (draft_has_effect(f, index))
        return draft_fail(d, S("the device index has side effects that would be lost"));
    size_t end = py_node(f, index)->end;
    if (end < py_node(f, self)->end)
        return draft_fail(d, S("the device index stands before the device"));
    draft_put(d, py_node(f, self)->end, end, S(""));
    return true;
}

/* Whether the function around the node asserts what number a device has: `assert d.index == 2`. */
static bool asserts_an_index(const struct py *f, uint32_t node) {
    uint32_t scope = node;
    while (py_parent(f, scope) != NO_NODE && py_kind(f, scope) != PY_FUNCTION)
        scope = py_parent(f, scope);
    for (uint32_t i = scope; i < py_node(f, scope)->next; i++) {
        uint32_t p = py_parent(f, i), other = py_child(f, p, py_child(f, p, 0) == i ? -1 : 0);
        if (py_kind(f, i) == PY_ATTRIBUTE && py_kind(f, p) == PY_COMPARISON &&
            py_kind(f, other) == PY_INTEGER && py_kind(f, py_parent(f, p)) == PY_ASSERT &&
            str_is(str_last_dotted(py_text(f, i)), "index"))
            return true;
    }
    return false;
}

static bool replace_whole(struct draft *d, struct str text) {
    struct py *f = d->f;
    const struct py_literal *lit = &d->m->literal;
    size_t edits = d->edits.n;
    if (!drop_index_argument(d)) return false;
    bool numbered = d->edits.n > edits || str_find(lit->text, S(":"), 0) < lit->text.n;
    if (numbered && d->m->row.rule->shape == SHAPE_DEVICE && asserts_an_index(f, lit->node))
        return draft_fail(d, S("an assertion here asks for the device's number"));
    if (!lit->composed && str_find(lit->text, S(":"), 0) == lit->text.n) {
        draft_put(d, lit->start, lit->end, text);
        return true;
    }
    if (!lit->plain_call_free)
        return draft_fail(d, S("the index has side effects that would be lost"));
    struct str quote = py_text(f, py_child(f, lit->string, -1));
    draft_put(d, py_node(f, lit->node)->start, py_node(f, lit->node)->end,
              arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(quote), STR_ARG(text), STR_ARG(quote)));
    return true;
}

static bool is_literal(const struct py *f, uint32_t node, const char *text) {
    struct py_literal lit;
    return py_kind(f, node) == PY_STRING && py_literal(f, node, &lit) && !lit.composed &&
           str_is(lit.text, text);
}

/* "cuda" if torch.cuda.is_available() else "cpu", "nccl" if is_nccl_available() else "gloo": the
 * expression asks that itself. And torch.device(X) around it is the device object. */
static bool replace_idiom(struct draft *d, struct str *expression, uint32_t *node) {
    struct py *f = d->f;
    uint32_t p = py_parent(f, *node);
    if (py_kind(f, p) == PY_CONDITIONAL && py_child(f, p, 0) == *node &&
        py_kind(f, py_child(f, p, 1)) == PY_CALL) {
        struct py_name asked = py_resolve(f, py_callee(f, py_child(f, p, 1)));
        uint32_t other = py_child(f, p, -1);
        if ((py_lists(f, "torch.available", asked.path) && is_literal(f, other, PY_CPU)) ||
            (py_lists(f, "torch.backend_available", asked.path) && is_literal(f, other, "gloo")))
            *node = p;
    }
    uint32_t args = py_parent(f, *node), call = py_parent(f, args);
    struct str object = target_fact(f->target, "device_obj");
    if (py_kind(f, args) == PY_ARGUMENT_LIST && py_kind(f, call) == PY_CALL && object.n &&
        py_child(f, args, 0) == *node && py_child(f, args, -1) == *node &&
        !d->m->context.compared) {
        struct py_name callee = py_resolve(f, py_callee(f, call));
        if (py_lists(f, "torch.device", callee.path)) {
            *node = call;
            *expression = object;
        }
    }
    for (uint32_t i = *node; i < py_node(f, *node)->next; i++)
        if (py_kind(f, i) == PY_COMMENT) return false;
    return *node != d->m->literal.node;
}

/* "cuda:{}".format(i) reads best as "{}:{}".format(device, i). */
static bool replace_in_format(struct draft *d, struct str expression, size_t word) {
    struct py *f = d->f;
    const struct py_literal *lit = &d->m->literal;
    uint32_t args =
        py_kind(f, lit->node) == PY_CALL ? py_arguments(f, lit->node) : (uint32_t)NO_NODE;
    if (args == NO_NODE || !str_is(str_sub(lit->text, word, lit->text.n), ":{}")) return false;
    draft_put(d, lit->start, lit->start + word, S("{}"));
    draft_put(d, py_node(f, args)->start + 1, py_node(f, args)->start + 1,
              arena_printf(f->a, "%.*s, ", STR_ARG(expression)));
    return true;
}

/* The literal becomes code: alone, or as the first {part} of an f-string that keeps the rest. */
static bool replace_by_expression(struct draft *d, struct str expression, size_t word) {
    struct py *f = d->f;
    const struct py_literal *lit = &d->m->literal;
    for (uint32_t i = lit->node; i != NO_NODE; i = py_parent(f, i)) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_TYPE || k == PY_CASE_PATTERN)
            return draft_fail(d, S("an expression can't stand here"));
        if (k == PY_EXPRESSION_STATEMENT || k == PY_BLOCK) break;
    }
    size_t start = py_node(f, lit->string)->start, end = py_node(f, lit->string)->end;
    bool alone = word == lit->text.n && lit->node == lit->string && !lit->composed;
    uint32_t node = lit->node;
    if (alone && replace_idiom(d, &expression, &node)) {
        start = py_node(f, node)->start;
        end = py_node(f, node)->end;
    }
    if (!draft_spell_roots(d, &expression)) return false;
    if (alone) {
        draft_put(d, start, end, expression);
        return true;
    }
    if (replace_in_format(d, expression, word)) return true;
    if (py_kind(f, py_parent(f, lit->string)) == PY_CONCATENATED_STRING)
        return draft_fail(d, S("the literal is made of several pieces"));
    if (str_find(expression, S("\""), 0) < expression.n ||
        str_find(expression, S("'"), 0) < expression.n)
        return draft_fail(d, S("the expression can't stand inside a string"));
    struct str prefix = py_text(f, py_child(f, lit->string, 0));
    bool is_f = str_find(prefix, S("f"), 0) < prefix.n || str_find(prefix, S("F"), 0) < prefix.n;
    if (lit->part && !is_f &&
        str_find(py_text(f, lit->string), S("{"), 0) < py_text(f, lit->string).n)
        return draft_fail(d, S("the literal is a template, which a device can't be written into"));
    bool is_u = prefix.p[0] == 'u' || prefix.p[0] == 'U'; /* there is no fu"" */
    if (!is_f) draft_put(d, start, start + is_u, S("f"));
    draft_put(d, lit->start, lit->start + word, arena_printf(f->a, "{%.*s}", STR_ARG(expression)));
    for (size_t i = word; !is_f && i < lit->text.n; i++)
        if (lit->text.p[i] == '{' || lit->text.p[i] == '}')
            draft_put(d, lit->start + i, lit->start + i, str_sub(lit->text, i, i + 1));
    return true;
}

static bool plan_string_cell(struct draft *d, size_t at, size_t word) {
    const struct rcell *c = d->m->cell;
    struct str text, keywords;
    struct rstr form = d->m->context.compared && c->compare.n ? c->compare
                       : d->m->chosen                         ? c->chosen
                                                              : c->expression;
    if (form.n) {
        if (!draft_expand(d, draft_cell_str(d, form), &text, &keywords)) return false;
        return replace_by_expression(d, text, word);
    }
    struct str template = c->text.n ? draft_cell_str(d, c->text) : draft_cell_str(d, c->to);
    if (!template.n) return draft_fail(d, S("the rule has no form for this kind of use"));
    if (!draft_expand(d, template, &text, &keywords)) return false;
    if (c->whole) return replace_whole(d, text);
    draft_put(d, d->m->literal.start + at, d->m->literal.start + at + word, text);
    return true;
}

/* cpu:gloo,cuda:nccl: every device and every backend of the list that a rule knows. */
static bool plan_backend_list(struct draft *d) {
    struct py *f = d->f;
    struct str s = d->m->literal.text;
    if (d->m->cell->whole) return plan_string_cell(d, 0, s.n);
    if (d->m->cell->expression.n)
        return draft_fail(d, S("a list of back ends has to be chosen for the target"));
    for (size_t i = 0; i < s.n;) {
        size_t end = i;
        while (end < s.n && draft_identifier_char(s.p[end])) end++;
        struct str word = str_sub(s, i, end);
        size_t cursor = 0;
        struct row_ref row;
        while (word.n && rules_find(f->rules, M_STRING, word, &cursor, &row)) {
            if (shape_is_whole(row.rule->shape) || row.rule->shape == SHAPE_GATE) continue;
            const struct rcell *c = row_cell(row, f->target);
            struct str text, keywords;
            if (!c) break;
            struct str template = rs_str(row.set, c->text.n ? c->text : c->to);
            if (!draft_expand(d, template, &text, &keywords)) return false;
            draft_put(d, d->m->literal.start + i, d->m->literal.start + end, text);
            break;
        }
        i = end + 1;
    }
    return true;
}

/* torch.load(path, "cuda:0"): a location with an index has to be an accelerator's, for torch.load
 * does not know cpu:0. */
static bool guard_location(struct draft *d) {
    struct py *f = d->f;
    uint32_t node = d->m->literal.node, p = py_parent(f, node);
    struct str guard = target_fact(f->target, "guard");
    bool named = py_kind(f, p) == PY_KEYWORD_ARGUMENT &&
                 str_is(py_text(f, py_child(f, p, 0)), "map_location");
    if (py_kind(f, p) == PY_ARGUMENT_LIST && py_child(f, p, 0) != node) {
        struct py_name n = py_resolve(f, py_callee(f, py_parent(f, p)));
        named = py_lists(f, "torch.load", n.path);
    }
    if (!guard.n || !d->m->cell->expression.n || !named) return true;
    struct str text = arena_printf(f->a, " if %.*s else \"cpu\"", STR_ARG(guard));
    if (!draft_spell_roots(d, &text)) return false;
    draft_put_after(d, py_node(f, node)->end, text);
    return true;
}

/* What a literal of a location map reads for the target's device: the whole expression, with the
 * word replaced. p == NULL: it can't be said. */
static struct str spelled_for_target(struct draft *d, const struct py_literal *lit) {
    struct py *f = d->f;
    const struct rcell *c = d->m->cell;
    struct str text, keywords, no = {0};
    struct rstr form = c->expression.n ? c->expression : c->text.n ? c->text : c->to;
    size_t from = py_node(f, lit->node)->start, open = py_node(f, lit->string)->start;
    size_t word = lit->start + str_find(lit->text, S(":"), 0);
    if (!form.n || !draft_expand(d, draft_cell_str(d, form), &text, &keywords)) return no;
    if (c->whole) {
        struct str quote = py_text(f, py_child(f, lit->string, -1));
        return arena_printf(f->a, "%.*s%.*s%.*s", STR_ARG(quote), STR_ARG(text), STR_ARG(quote));
    }
    struct str rest = str_sub(f->src, word, py_node(f, lit->node)->end);
    if (!c->expression.n)
        return arena_printf(f->a, "%.*s%.*s%.*s", (int)(lit->start - from), f->src.p + from,
                            STR_ARG(text), STR_ARG(rest));
    if (word == lit->end && lit->node == lit->string) return text;
    char first = f->src.p[open];
    bool is_f = first == 'f' || first == 'F';
    struct str tail = str_sub(f->src, word, lit->end);
    if (!draft_spell_roots(d, &text) || (first != '"' && first != '\'' && !is_f) ||
        (!is_f && (memchr(tail.p, '{', tail.n) || memchr(tail.p, '}', tail.n))))
        return no;
    return arena_printf(f->a, "%s%.*s{%.*s}%.*s", is_f ? "" : "f", (int)(lit->start - from),
                        f->src.p + from, STR_ARG(text), STR_ARG(rest));
}

/* {"cuda:0": "cpu"} says where tensors of a checkpoint go by where they were: those of old
 * checkpoints were on cuda, those of new ones are on the target's device. The old entry stays, and
 * the new one is added behind it. */
static bool add_location(struct draft *d) {
    struct py *f = d->f;
    uint32_t pair = py_parent(f, d->m->literal.node), value = py_child(f, pair, -1);
    struct str key = spelled_for_target(d, &d->m->literal), place = py_text(f, value);
    size_t spelled = 0; /* matches of the place that its new form has */
    if (py_kind(f, py_parent(f, pair)) != PY_DICTIONARY)
        return draft_fail(d,
                          S("a comprehension has one entry for each: old checkpoints and new ones "
                            "need two"));
    for (uint32_t i = value; i < py_node(f, value)->next; i++) {
        struct py_literal lit;
        struct str word = rs_str(d->m->row.set, d->m->row.row->key);
        if (py_kind(f, i) != PY_STRING || !py_literal(f, i, &lit)) continue;
        if (!str_eq(str_sub(lit.text, 0, str_find(lit.text, S(":"), 0)), word)) continue;
        if (lit.node != value) return draft_fail(d, S("the position is chosen at run time"));
        place = spelled_for_target(d, &lit);
        spelled = 1;
    }
    if (draft_matches_in(d, value) > spelled)
        return draft_fail(d, S("what is ported in its place would stand there twice"));
    if (!key.p || !place.p) return draft_fail(d, S("the target's entry can't be written here"));
    draft_put_after(d, py_node(f, pair)->end,
                    arena_printf(f->a, ", %.*s: %.*s", STR_ARG(key), STR_ARG(place)));
    return true;
}

/* A word of a command line or a pattern, where no code can stand, or of a place. */
static bool replace_part(struct draft *d) {
    const struct rcell *c = d->m->cell;
    const struct py_literal *lit = &d->m->literal;
    struct str text, keywords;
    struct str template = c->text.n ? draft_cell_str(d, c->text) : draft_cell_str(d, c->to);
    size_t word = str_find(lit->text, S(":"), 0);
    if (d->m->context.placement && c->expression.n) return plan_string_cell(d, 0, word);
    if (!template.n || c->expression.n)
        return draft_fail(d, S("a text can't ask which device is there"));
    if (!draft_expand(d, template, &text, &keywords)) return false;
    if (c->whole && str_ends(lit->text, S(":")))
        return draft_fail(d, S("the index that follows has no place on the target"));
    draft_put(d, lit->start, c->whole ? lit->end : lit->start + word, text);
    return true;
}

bool plan_string(struct draft *d) {
    if (d->m->literal.part) return replace_part(d);
    if (d->m->context.location) return add_location(d);
    struct str s = d->m->literal.text;
    size_t colon = str_find(s, S(":"), 0);
    bool device = d->m->row.rule->shape == SHAPE_DEVICE;
    if (d->m->row.rule->shape == SHAPE_BACKEND && colon < s.n) return plan_backend_list(d);
    return plan_string_cell(d, 0, device ? colon : s.n) &&
           (!device || colon == s.n || guard_location(d));
}
