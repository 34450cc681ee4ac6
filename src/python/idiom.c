/* SPDX-License-Identifier: Apache-2.0 */
/* idiom.c - what keeps a rewrite readable: conditionals that fold, statements and list entries
 * that go, quotes that fit into f-strings. */
#include "python/imports.h"

/* ---- conditionals that fold, statements that go ---- */

/* Whether `a and b` reads the same there as in parentheses of its own. */
static bool takes_and(const struct py *f, uint32_t node) {
    uint32_t p = py_parent(f, node);
    switch (py_kind(f, p)) {
    case PY_IF:
    case PY_ELIF:
        return py_child(f, p, 0) == node;
    case PY_CONDITIONAL:
        return py_child(f, p, 1) == node;
    case PY_ASSIGNMENT:
    case PY_KEYWORD_ARGUMENT:
        return py_child(f, p, -1) == node;
    case PY_ARGUMENT_LIST:
    case PY_BOOLEAN_OPERATOR:
    case PY_PARENTHESIZED:
    case PY_RETURN:
        return true;
    default:
        return false;
    }
}

bool idiom_guard_comparison(struct draft *d, uint32_t call) {
    struct py *f = d->f;
    struct str guard = target_fact(f->target, "guard");
    uint32_t left = call, comparison = py_parent(f, call);
    if (py_kind(f, comparison) == PY_SUBSCRIPT && py_child(f, comparison, 0) == left)
        comparison = py_parent(f, left = comparison);
    if (!guard.n || py_kind(f, comparison) != PY_COMPARISON || py_child(f, comparison, 0) != left)
        return false;
    struct str op = py_operator(f, comparison);
    if (!str_is(op, ">=") && !str_is(op, ">") && !str_is(op, "==")) return false;
    uint32_t all = py_unparenthesized(f, comparison), p = py_parent(f, all);
    if (py_kind(f, p) == PY_ASSERT && py_child(f, p, 0) == all) {
        draft_fail(d, S("the assertion can't hold without an accelerator"));
        return true;
    }
    if (!takes_and(f, comparison)) return false;
    guard = arena_printf(f->a, "%.*s and ", STR_ARG(guard));
    if (draft_spell_roots(d, &guard))
        draft_put(d, py_node(f, comparison)->start, py_node(f, comparison)->start, guard);
    return true;
}

/* ["cpu"] + (["cuda"] if CALL else []): whether what is left wants the brackets no more. */
static bool needs_no_brackets(const struct py *f, uint32_t conditional, uint32_t left) {
    uint32_t brackets = py_parent(f, conditional);
    if (py_kind(f, brackets) != PY_PARENTHESIZED || draft_has_comment(f, brackets)) return false;
    size_t start = py_node(f, brackets)->start;
    size_t end = py_node(f, brackets)->end;
    bool apart = start > 0 && !is_word_char(f->src.p[start - 1]) && /* not `return(`, `0.real` */
                 (end == f->src.n || !strchr(".([", f->src.p[end]));
    enum py_kind k = py_kind(f, left);
    return apart && (k == PY_LIST || k == PY_IDENTIFIER || k == PY_INTEGER || k == PY_NONE);
}

static bool calls_something(const struct py *f, uint32_t node) {
    for (uint32_t i = node; i < py_node(f, node)->next; i++)
        if (py_kind(f, i) == PY_CALL) return true;
    return false;
}

/* `a if CALL else b`, and the call becomes False: just b. */
bool idiom_fold_conditional(struct draft *d, uint32_t call) {
    struct py *f = d->f;
    uint32_t asked = py_unparenthesized(f, call), p = py_parent(f, asked);
    bool negated = py_kind(f, p) == PY_NOT_OPERATOR;
    uint32_t condition = negated ? py_unparenthesized(f, p) : asked;
    p = py_parent(f, condition);
    for (; !negated && py_is_and(f, p); p = py_parent(f, condition)) { /* x and False */
        uint32_t first = py_child(f, p, 0), last = py_child(f, p, -1);
        if (calls_something(f, condition == first ? last : first)) return false;
        condition = py_unparenthesized(f, p);
    }
    if (py_kind(f, p) != PY_CONDITIONAL || py_child(f, p, 1) != condition ||
        draft_has_comment(f, p))
        return false;
    uint32_t left = py_child(f, p, negated ? 0 : -1);
    uint32_t whole = needs_no_brackets(f, p, left) ? py_parent(f, p) : p;
    if (py_node(f, whole)->start < py_node(f, left)->start)
        draft_put(d, py_node(f, whole)->start, py_node(f, left)->start, S(""));
    if (py_node(f, left)->end < py_node(f, whole)->end)
        draft_put(d, py_node(f, left)->end, py_node(f, whole)->end, S(""));
    return true;
}

/* A statement that only the block's other statements keep from being empty. */
static bool is_droppable(struct py *f, uint32_t statement) {
    uint32_t call = py_child(f, statement, 0);
    if (py_kind(f, statement) != PY_EXPRESSION_STATEMENT || py_kind(f, call) != PY_CALL)
        return false;
    const struct node *callee = py_node(f, py_callee(f, call));
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->end == callee->end && m->cell &&
            str_is(rs_str(m->row.set, m->cell->statement), "pass"))
            return true;
    }
    return false;
}

/* `if torch.cuda.is_available(): torch.cuda.empty_cache()`, where both become nothing. */
static bool is_droppable_if(struct py *f, uint32_t statement) {
    uint32_t block = py_child(f, statement, 1);
    if (py_kind(f, statement) != PY_IF || py_kind(f, block) != PY_BLOCK ||
        py_next(f, block) != NO_NODE || py_kind(f, py_child(f, statement, 0)) != PY_CALL)
        return false;
    struct py_name asked = py_resolve(f, py_callee(f, py_child(f, statement, 0)));
    if (!py_lists(f, "torch.available", asked.path)) return false;
    for (uint32_t s = py_child(f, block, 0); s != NO_NODE; s = py_next(f, s))
        if (!is_droppable(f, s)) return false;
    return true;
}

static bool is_droppable_assert(struct py *f, uint32_t statement) {
    uint32_t call = py_child(f, statement, 0);
    while (py_kind(f, call) == PY_PARENTHESIZED) call = py_child(f, call, 0);
    if (py_kind(f, statement) != PY_ASSERT || py_kind(f, call) != PY_CALL) return false;
    struct py_name asked = py_resolve(f, py_callee(f, call));
    return py_lists(f, "torch.available", asked.path);
}

/* The lines of a statement go, where the block has others. */
static bool drop_lines(struct draft *d, uint32_t statement) {
    struct py *f = d->f;
    uint32_t block = py_parent(f, statement);
    bool others =
        py_kind(f, block) == PY_MODULE; /* may be empty; and not all of it may have been parsed */
    for (uint32_t s = py_child(f, block, 0); s != NO_NODE; s = py_next(f, s)) {
        uint32_t e = py_child(f, s, 0);
        bool docstring = py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_kind(f, e) == PY_STRING;
        others |= s != statement && !docstring && !is_droppable(f, s) && !is_droppable_if(f, s) &&
                  !is_droppable_assert(f, s);
    }
    if (!others) return false;
    size_t start = py_node(f, statement)->start, end = py_node(f, statement)->end;
    while (start > 0 && (f->src.p[start - 1] == ' ' || f->src.p[start - 1] == '\t')) start--;
    while (end < f->src.n &&
           (f->src.p[end] == ' ' || f->src.p[end] == '\t' || f->src.p[end] == '\r'))
        end++;
    if ((start > 0 && f->src.p[start - 1] != '\n') || end >= f->src.n || f->src.p[end] != '\n')
        return false;
    draft_put(d, start, end + 1, S(""));
    return true;
}

/* `pass` in the middle of a block: the line goes instead. */
bool idiom_drop_statement(struct draft *d, uint32_t statement) {
    return !draft_has_effect(d->f, py_arguments(d->f, py_child(d->f, statement, 0))) &&
           drop_lines(d, statement);
}

bool idiom_drop_assert(struct draft *d, uint32_t statement) {
    return !draft_has_comment(d->f, statement) && drop_lines(d, statement);
}

bool idiom_drop_if(struct draft *d, uint32_t call) {
    struct py *f = d->f;
    uint32_t statement = py_parent(f, call);
    if (py_kind(f, statement) != PY_IF || py_child(f, statement, 0) != call ||
        !is_droppable_if(f, statement) || draft_has_comment(f, statement))
        return false;
    if (!drop_lines(d, statement))
        draft_put(d, py_node(f, statement)->start, py_node(f, statement)->end, S("pass"));
    return true;
}

/* Whether the elements are what one value may be, or what is gone through. A device in another
 * list counts, and so does where it stands: zip(["cpu", "cuda"], sizes). */
static bool is_one_of(struct py *f, const struct py_match *m, uint32_t elements) {
    uint32_t p = py_parent(f, elements);
    enum py_kind k = py_kind(f, elements);
    if (k == PY_SET || k == PY_TYPE_PARAMETER || k == PY_UNION_PATTERN) return true;
    if (k != PY_LIST || py_column_has_ids(f, elements)) return false;
    bool device = m->kind == PM_STRING && m->row.rule->shape == SHAPE_DEVICE;
    switch (py_kind(f, p)) {
    case PY_COMPARISON:
    case PY_FOR:
    case PY_FOR_IN:
        return true;
    case PY_SUBSCRIPT: /* [a, b][i] */
        return false;
    case PY_KEYWORD_ARGUMENT:
        return !device || str_is(py_text(f, py_child(f, p, 0)), "choices") ||
               str_is(py_text(f, py_child(f, p, 0)), "params");
    case PY_ARGUMENT_LIST: {
        struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, p))));
        return !device || str_is(callee, "Choice") || py_lists(f, "python.keyed_calls", callee);
    }
    default:
        return !device;
    }
}

/* The node's text as the edits make it; empty: some are not within it. */
static struct str text_after(const struct draft *d, uint32_t node) {
    const struct py *f = d->f;
    struct buf b;
    buf_init(&b, f->a);
    size_t at = py_node(f, node)->start, end = py_node(f, node)->end;
    for (size_t i = 0; i < d->edits.n; i++) {
        if (d->edits.v[i].start < at || d->edits.v[i].end > end) return (struct str){0};
        buf_add(&b, str_sub(f->src, at, d->edits.v[i].start));
        buf_add(&b, d->edits.v[i].text);
        at = d->edits.v[i].end;
    }
    buf_add(&b, str_sub(f->src, at, end));
    return buf_str(&b);
}

/* "cuda" if use_gpu else "cpu" where both would say "cpu": the test decides nothing. */
void idiom_join_branches(struct draft *d) {
    struct py *f = d->f;
    uint32_t value = d->m->literal.node, whole = py_parent(f, value);
    if (d->m->kind != PM_STRING || d->edits.n == 0 || py_kind(f, whole) != PY_CONDITIONAL) return;
    uint32_t first = py_child(f, whole, 0), last = py_child(f, whole, -1);
    uint32_t test = py_next(f, first);
    if (value == test || draft_has_comment(f, whole) || draft_has_effect(f, test)) return;
    struct str text = text_after(d, value);
    if (!text.n || !str_eq(text, py_text(f, value == first ? last : first))) return;
    for (size_t i = 0; i < f->matches.n; i++)
        if (f->matches.v[i].node >= test && f->matches.v[i].node < py_node(f, test)->next) return;
    d->edits.n = 0;
    draft_put(d, py_node(f, whole)->start, py_node(f, whole)->end, text);
}

/* The element that would say what another one says already goes, with its comma. */
void idiom_drop_duplicate(struct draft *d) {
    struct py *f = d->f;
    uint32_t element = d->m->kind == PM_STRING ? d->m->literal.node : d->m->node;
    if (py_kind(f, py_parent(f, element)) == PY_TYPE)
        element = py_parent(f, element); /* Literal["cpu", "cuda"] */
    uint32_t list = py_parent(f, element);
    bool large = py_node(f, list)->next - list > 2000;
    if (!is_one_of(f, d->m, list) || d->edits.n == 0 || large) return;
    struct str text = text_after(d, element);
    if (!text.n) return;
    size_t end = py_node(f, element)->end;
    uint32_t before = NO_NODE;
    bool doubled = false, behind = false; /* behind: the other one stands in front */
    for (uint32_t c = py_child(f, list, 0); c != NO_NODE; c = py_next(f, c)) {
        if (c < element) before = c;
        if (c == element || !str_eq(py_text(f, c), text)) continue;
        doubled = true;
        behind |= c < element;
    }
    for (uint32_t i = list; i < py_node(f, list)->next; i++)
        doubled &= py_kind(f, i) != PY_COMMENT;
    if (!doubled) return;
    d->edits.n = 0;
    if (behind)
        draft_put(d, py_node(f, before)->end, end, S(""));
    else
        draft_put(d, py_node(f, element)->start, py_node(f, py_next(f, element))->start, S(""));
}

/* Whether the match writes a name in front of `= value`, and nothing else stands on the left. */
static uint32_t assignment_to(const struct py *f, const struct py_match *m) {
    uint32_t p = py_parent(f, m->node);
    bool alone = m->kind == PM_NAME && m->cell && m->cell->to.n &&
                 py_kind(f, p) == PY_ASSIGNMENT && py_child(f, p, 0) == m->node &&
                 py_kind(f, py_parent(f, p)) == PY_EXPRESSION_STATEMENT;
    return alone ? p : (uint32_t)NO_NODE;
}

/* The target has one switch for two of CUDA's: the second of two statements that follow each
 * other and would be the same goes. */
void idiom_drop_repeated(struct draft *d) {
    struct py *f = d->f;
    uint32_t mine = assignment_to(f, d->m), value = py_child(f, mine, -1);
    if (mine == NO_NODE || d->edits.n == 0 || draft_has_effect(f, value)) return;
    for (uint32_t k = 0; k < d->match; k++) {
        const struct py_match *m = &f->matches.v[k];
        uint32_t other = py_applicable(f, m) ? assignment_to(f, m) : (uint32_t)NO_NODE;
        if (other == NO_NODE || py_next(f, py_parent(f, other)) != py_parent(f, mine) ||
            !str_eq(draft_cell_str(d, d->m->cell->to), rs_str(m->row.set, m->cell->to)) ||
            !str_eq(py_text(f, py_child(f, other, -1)), py_text(f, value)))
            continue;
        size_t edits = d->edits.n;
        struct match_pair pair = {k, (uint32_t)d->match};
        if (!drop_lines(d, py_parent(f, mine))) return;
        d->edits.v[0] = d->edits.v[edits];
        d->edits.n = 1;
        vec_push(f->a, &f->joined, pair); /* it goes only where the other one is written */
        return;
    }
}

/* Before Python 3.12 the hole of an f-string can't hold the quotes of the strings around it: text
 * that brings one gets the other kind, or is refused. */
bool idiom_fit_into_fstring(struct draft *d) {
    struct py *f = d->f;
    bool taken[256] = {0};
    bool inside = false;
    for (uint32_t i = d->m->node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        if (py_kind(f, i) != PY_INTERPOLATION) continue;
        struct str quote = py_text(f, py_child(f, p, -1));
        if (quote.n) taken[(unsigned char)quote.p[0]] = inside = true;
    }
    for (size_t i = 0; inside && i < d->edits.n; i++) {
        struct str text = d->edits.v[i].text;
        bool quotes[2] = {text.n && memchr(text.p, '"', text.n),
                          text.n && memchr(text.p, '\'', text.n)};
        if (!(quotes[0] && taken['"']) && !(quotes[1] && taken['\''])) continue;
        char mine = quotes[0] ? '"' : '\'', other = quotes[0] ? '\'' : '"';
        if ((quotes[0] && quotes[1]) || taken[(unsigned char)other] ||
            memchr(text.p, '\\', text.n))
            return draft_fail(d, S("the rewrite's quotes can't stand inside this f-string"));
        char *swapped = arena_strdup(f->a, text);
        for (size_t k = 0; k < text.n; k++)
            if (swapped[k] == mine) swapped[k] = other;
        d->edits.v[i].text = (struct str){swapped, text.n};
    }
    return true;
}

/* torch.accelerator's functions take the device by position only. */
void idiom_drop_keyword_name(struct draft *d) {
    struct py *f = d->f;
    struct str names = target_fact(f->target, "positional_only");
    uint32_t call = d->m->kind == PM_NAME ? py_call_of(f, d->m->node) : (uint32_t)NO_NODE;
    if (!names.n || call == NO_NODE) return;
    uint32_t value = py_argument(f, call, S("device"), -1);
    if (!str_starts(d->callee, names) || value == NO_NODE) return;
    for (size_t i = 0; i < d->edits.n; i++)
        if (d->edits.v[i].end > py_node(f, value)->start &&
            d->edits.v[i].start < py_node(f, value)->end)
            return;
    draft_put(d, py_node(f, py_parent(f, value))->start, py_node(f, value)->start, S(""));
}
