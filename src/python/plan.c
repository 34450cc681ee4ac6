/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - one match becomes a draft of edits, or a reason why it can't.
 *
 * A match's edits are made whole or not at all, and so are those of a guard's matches together
 * (apply.c). Edits are as small as they can be: a rename touches only the components that differ,
 * a template leaves the arguments' bytes alone. */
#include "python/imports.h"

static bool has_positional(const struct py *f, uint32_t call) {
    return py_argument(f, call, S("device"), 0) != NO_NODE;
}

static bool rename_keywords(struct draft *d, uint32_t call) {
    struct py *f = d->f;
    const struct rfact *v = RS_LIST(d->m->row.set, d->m->cell->keywords, struct rfact);
    for (uint32_t i = 0; i < d->m->cell->keywords.n; i++) {
        uint32_t value = py_argument(f, call, draft_cell_str(d, v[i].key), -1);
        if (value == NO_NODE) continue;
        uint32_t name = py_child(f, py_parent(f, value), 0);
        draft_put(d, py_node(f, name)->start, py_node(f, name)->end,
                  draft_cell_str(d, v[i].value));
    }
    return true;
}

/* The argument that the rule is about becomes the cell's value. */
static bool replace_argument(struct draft *d, uint32_t call) {
    const struct rrule *rule = d->m->row.rule;
    uint32_t given =
        py_argument(d->f, call, rs_str(d->m->row.set, rule->with), (int)rule->with_position);
    struct str text, keywords;
    if (!draft_expand(d, draft_cell_str(d, d->m->cell->value), &text, &keywords)) return false;
    size_t start = py_node(d->f, given)->start, end = py_node(d->f, given)->end;
    size_t mark = str_find(text, S("\3"), 0);
    if (mark < text.n && mark && str_ends(text, S("\3"))) { /* f({0}) if g({0}) else {0} */
        struct buf b;
        if (draft_matches_in(d, given))
            return draft_fail(d, S("the argument, which is ported itself, would stand twice"));
        buf_init(&b, d->f->a);
        for (size_t i = 0; i + 1 < text.n; i++)
            if (text.p[i] == '\3')
                buf_add(&b, py_text(d->f, given));
            else
                buf_addc(&b, text.p[i]);
        draft_put(d, start, start, buf_str(&b));
        return true;
    }
    draft_put(d, start, end, text);
    return true;
}

/* A number is asked for: a device's name would not do. */
static bool wants_number(struct py *f, uint32_t call) {
    uint32_t p = py_parent(f, call);
    switch (py_kind(f, p)) {
    case PY_BINARY_OPERATOR:
    case PY_COMPARISON:
    case PY_SUBSCRIPT:
    case PY_INTERPOLATION:
        return true;
    case PY_KEYWORD_ARGUMENT:
        return str_is(py_text(f, py_child(f, p, 0)), "index");
    case PY_ARGUMENT_LIST: {
        struct py_name n = py_resolve(f, py_callee(f, py_parent(f, p)));
        return py_lists(f, "torch.device", n.path) && py_child(f, p, 0) != call;
    }
    default:
        return false;
    }
}

/* Whether the call has the argument without which its rewrite would mean something else. */
static bool has_needed_argument(const struct draft *d, uint32_t call) {
    const struct rcell *c = d->m->cell;
    int position = c->needs_position == UINT32_MAX ? -1 : (int)c->needs_position;
    return !c->needs.n ||
           py_argument(d->f, call, draft_cell_str(d, c->needs), position) != NO_NODE;
}

/* The name that a template calls, `torch.amp.autocast` of `torch.amp.autocast(...)`; empty: it is
 * more than a call. */
static struct str called_name(struct str template) {
    size_t n = draft_dotted_prefix(template), depth = 0;
    for (size_t i = n; n && i < template.n; i++) {
        depth += template.p[i] == '(';
        depth -= depth && template.p[i] == ')';
        if (!depth) return i + 1 == template.n ? str_sub(template, 0, n) : (struct str){0};
    }
    return (struct str){0};
}

/* Whether the place wants the class that a call of the name would make, under the name that the
 * template calls. Another class by another name has other objects. */
static bool asks_for_class(const struct draft *d, struct str called) {
    struct str was = str_last_dotted(d->m->name.path);
    bool same = str_eq(str_last_dotted(called), was);
    return called.n && py_is_asked_class(d->f, d->m->node, same);
}

/* isinstance(x, C) and class D(C) want a class, which a lambda for the name is not. */
static bool wants_class(const struct draft *d, struct str value) {
    struct str called = called_name(draft_cell_str(d, d->m->cell->call));
    bool is_name = str_find(value, S("("), 0) == value.n;
    return !is_name && called.n &&
           (asks_for_class(d, called) || py_is_base_class(d->f, d->m->node));
}

/* x.to(device=gpu) becomes x.to(device=<the target's> if gpu is None else gpu). */
static bool fill_in_none(struct draft *d) {
    struct str text, keywords, name = py_text(d->f, d->m->unset);
    if (d->m->unset == NO_NODE) return true;
    if (!draft_expand(d, draft_cell_str(d, d->m->cell->none), &text, &keywords) ||
        !draft_spell_roots(d, &text))
        return false;
    draft_put(d, py_node(d->f, d->m->unset)->start, py_node(d->f, d->m->unset)->start,
              arena_printf(d->f->a, "%.*s if %.*s is None else ", STR_ARG(text), STR_ARG(name)));
    return true;
}

/* x is Backend.NCCL: what asks at run time is equal, and need not be the same object. */
static void compare_by_value(struct draft *d, struct str text) {
    const struct py *f = d->f;
    uint32_t own = py_unparenthesized(f, d->m->node), comparison = py_parent(f, own);
    if (py_kind(f, comparison) != PY_COMPARISON || str_find(text, S("("), 0) == text.n ||
        py_kind(f, py_child(f, comparison, -1)) == PY_NONE)
        return;
    struct str op = py_operator(f, comparison);
    size_t at = (size_t)(op.p - f->src.p);
    bool is = str_is(op, "is");
    if (!is && !str_is(op, "is not")) return;
    uint32_t left = py_child(f, comparison, 0);
    for (size_t i = 0; i < f->matches.n && own != left; i++)
        if (py_unparenthesized(f, f->matches.v[i].node) == left) return; /* it does it for both */
    draft_put(d, at, at + op.n, is ? S("==") : S("!="));
}

static bool plan_name(struct draft *d) {
    struct py *f = d->f;
    const struct rcell *c = d->m->cell;
    uint32_t call = py_call_of(f, d->m->node);
    if (call != NO_NODE && c->value.n && d->m->row.rule->with_is.n)
        return replace_argument(d, call);
    struct str to = draft_cell_str(d, c->to), expanded, keywords;
    if (call != NO_NODE) {
        if (!has_needed_argument(d, call)) return draft_fail(d, draft_cell_str(d, c->note));
        if (c->keywords.n && !rename_keywords(d, call)) return false;
        uint32_t statement = py_parent(f, call);
        struct str t = draft_without_guard(d, draft_cell_str(d, c->statement));
        if (t.n && py_kind(f, statement) == PY_EXPRESSION_STATEMENT &&
            (!template_is_compound(t) || template_fits_line(f, statement)))
            return (str_is(t, "pass") && idiom_drop_statement(d, statement)) ||
                   template_apply(
                       d, template_is_compound(t) ? template_on_two_lines(d, statement, t) : t,
                       call);
        t = draft_without_guard(d, draft_cell_str(d, c->bare));
        if (t.n && !has_positional(f, call)) return template_apply(d, t, call);
        if (c->number.n && wants_number(f, call))
            return template_apply(d, draft_cell_str(d, c->number), call);
        t = draft_without_guard(d, draft_cell_str(d, c->call));
        if (str_is(t, "False") && (idiom_fold_conditional(d, call) || idiom_drop_if(d, call)))
            return true;
        uint32_t all = py_unparenthesized(f, call);
        uint32_t assertion = py_parent(f, all);
        if (c->folds && str_is(t, "False") && py_kind(f, assertion) == PY_ASSERT &&
            py_child(f, assertion, 0) == all) /* who asked for this target wants it to go on */
            return idiom_drop_assert(d, assertion) || template_apply(d, S("True"), call);
        if (c->folds || (c->guarded && draft_is_guarded(d, call))) {
            f->matches.v[d->match].verdict =
                V_SAME; /* it answers that itself, or is not reached */
            return false;
        }
        if (c->guarded && idiom_guard_comparison(d, call)) return !d->why.p;
        if (t.n) return template_apply(d, t, call) && fill_in_none(d);
    } else if (c->value.n && !wants_class(d, draft_cell_str(d, c->value))) {
        if (!draft_expand(d, draft_cell_str(d, c->value), &expanded, &keywords)) return false;
        expanded = template_alone(f, d->m->node, expanded);
        compare_by_value(d, expanded);
        if (str_find(expanded, S("\2"), 0) < expanded.n || d->m->kind == PM_ATTRIBUTE)
            return template_around_receiver(d, py_node(f, d->m->node)->start,
                                            py_node(f, d->m->node)->end, expanded);
        size_t name = draft_dotted_prefix(expanded);
        if (name == expanded.n) return draft_rename_to(d, d->m->node, expanded);
        if (name && expanded.p[name] == '(' &&
            py_kind(f, d->m->node) !=
                PY_CALL) { /* @custom_fwd becomes @custom_fwd(...) under its own name */
            struct str rest = str_sub(expanded, name, expanded.n);
            if (!draft_spell_roots(d, &rest) ||
                !draft_rename_to(d, d->m->node, str_sub(expanded, 0, name)))
                return false;
            draft_put_after(d, py_node(f, d->m->node)->end, rest);
            return true;
        }
        if (!draft_spell_roots(d, &expanded)) return false;
        draft_put(d, py_node(f, d->m->node)->start, py_node(f, d->m->node)->end, expanded);
        return true;
    }
    if (to.n) {
        if (!draft_expand(d, to, &expanded, &keywords)) return false;
        if (d->m->kind == PM_ATTRIBUTE) {
            draft_rename_chain(d, py_child(f, d->m->node, -1), expanded);
            return true;
        }
        return draft_rename_to(d, d->m->node, expanded);
    }
    struct str name = called_name(draft_cell_str(d, c->call));
    uint32_t around = py_parent(f, d->m->node);
    if (call == NO_NODE && name.n && py_kind(f, around) == PY_ATTRIBUTE &&
        str_is(py_text(f, py_child(f, around, -1)), "__init__"))
        return draft_fail(d, S("a class calls its __init__(): decide what that gets"));
    if (call == NO_NODE && asks_for_class(d, name)) {
        if (py_kind(f, d->m->node) != PY_CALL) return draft_rename_to(d, d->m->node, name);
        if (!draft_spell_roots(d, &name)) return false;
        draft_put(d, py_node(f, d->m->node)->start, py_node(f, d->m->node)->end, name);
        return true;
    }
    if (call == NO_NODE && name.n && py_is_base_class(f, d->m->node))
        return draft_fail(
            d, S("a class is derived from the name: decide what super().__init__() gets"));
    return draft_fail(d, call == NO_NODE
                             ? S("the name is used as a value; only calls can be rewritten")
                             : S("the rule has no form for this kind of use"));
}

/* x if there_is_one else None: what a rule would make of x by ` if ... else None`. None may be
 * what either side gives: None if device.type == "cpu" else x. */
static bool asks_already(const struct py *f, uint32_t conditional, struct str after) {
    size_t n = str_find(after, S(" else "), 0);
    if (n == after.n) return false;
    struct str none = str_sub(after, n + strlen(" else "), after.n);
    return str_eq(none, py_text(f, py_child(f, conditional, -1))) ||
           str_eq(none, py_text(f, py_child(f, conditional, 0)));
}

static bool plan_keyword(struct draft *d) {
    struct py *f = d->f;
    const struct rcell *c = d->m->cell;
    struct str to = draft_cell_str(d, c->to), text, keywords;
    uint32_t name = py_child(f, d->m->node, 0);
    if (py_kind(f, d->m->node) != PY_KEYWORD_ARGUMENT)
        return draft_fail(d, S("an argument by its position is left to a human"));
    if (c->value.n) { /* keyword and value together */
        if (!draft_expand(d, draft_cell_str(d, c->value), &text, &keywords)) return false;
        uint32_t value = py_child(f, d->m->node, -1);
        size_t mark = str_find(text, S("\3"), 0);
        if (mark < text.n) { /* {0}: the value stays where it is */
            struct str before = str_sub(text, 0, mark), after = str_sub(text, mark + 1, text.n);
            struct str now =
                str_sub(f->src, py_node(f, d->m->node)->start, py_node(f, value)->start);
            struct str guard =
                arena_printf(f->a, " if %.*s else", STR_ARG(target_fact(f->target, "guard")));
            if (str_starts(after, guard) && draft_is_guarded(d, d->m->node)) {
                f->matches.v[d->match].verdict = V_SAME;
                f->matches.v[d->match].message = S("there is a device where it stands");
                return false;
            }
            uint32_t inner = py_in_parentheses(f, value);
            uint32_t filled = py_in_parentheses(f, py_value_of(f, inner));
            if (filled != inner && py_kind(f, filled) == PY_CONDITIONAL &&
                asks_already(f, filled, after)) {
                f->matches.v[d->match].verdict = V_SAME;
                f->matches.v[d->match].message =
                    S("the variable is None already where there is no device");
                return false;
            }
            if (py_kind(f, inner) == PY_CONDITIONAL) {
                if (asks_already(f, inner, after)) f->matches.v[d->match].verdict = V_SAME;
                return draft_fail(d, S("the value is conditional already"));
            }
            if (!draft_spell_roots(d, &before) || !draft_spell_roots(d, &after)) return false;
            if (!str_eq(now, before))
                draft_put(d, py_node(f, d->m->node)->start, py_node(f, value)->start, before);
            draft_put_after(d, py_node(f, value)->end, after);
            return true;
        }
        if (draft_has_effect(f, value)) return draft_fail(d, S("the value has side effects"));
        if (!draft_spell_roots(d, &text)) return false;
        draft_put(d, py_node(f, d->m->node)->start, py_node(f, d->m->node)->end, text);
        return true;
    }
    if (!to.n) return draft_fail(d, S("the rule has no form for this kind of use"));
    if (!draft_expand(d, to, &text, &keywords)) return false;
    draft_put(d, py_node(f, name)->start, py_node(f, name)->end, text);
    return true;
}

/* What the module at the front of `path` is called after the port; p == NULL when it stays. */
static struct str ported_module(struct draft *d, struct str path) {
    size_t cursor = 0;
    struct row_ref row;
    while (rules_find(d->f->rules, M_MODULE, path, &cursor, &row)) {
        const struct rcell *cell = row_cell(row, d->f->target);
        struct str to, keywords;
        if (cell && cell->to.n && draft_expand(d, rs_str(row.set, cell->to), &to, &keywords))
            return to;
    }
    return (struct str){0};
}

/* Whether an import above, which is ported, too, binds the module by its own name already. */
static bool is_bound_above(struct draft *d, uint32_t statement, struct str root) {
    struct py *f = d->f;
    for (uint32_t k = 0; k < d->match; k++) {
        const struct py_match *m = &f->matches.v[k];
        uint32_t import = py_parent(f, m->node);
        struct match_pair pair = {k, (uint32_t)d->match};
        if (m->kind != PM_MODULE || py_kind(f, import) != PY_IMPORT || !py_applicable(f, m) ||
            py_parent(f, import) != py_parent(f, statement) || !str_eq(py_text(f, m->node), root))
            continue;
        vec_push(f->a, &f->joined, pair);
        return true;
    }
    return false;
}

/* An import of a module that goes by another name. What it binds stays the same, so nothing else
 * has to change. */
static bool plan_module(struct draft *d) {
    struct py *f = d->f;
    uint32_t name = d->m->node, statement = py_parent(f, name);
    struct str old = py_text(f, name), to = draft_cell_str(d, d->m->cell->to), keywords;
    if (!to.n || !draft_expand(d, to, &to, &keywords) || !str_starts(old, d->m->token))
        return draft_fail(d, S("the name comes from another module after the rewrite"));
    struct str text = arena_concat(f->a, to, str_sub(old, d->m->token.n, old.n));
    struct str handler = draft_cell_str(d, d->m->cell->statement);
    if (!handler.n && py_kind(f, statement) == PY_IMPORT_FROM &&
        py_split_module_import(d, statement, text))
        return !d->why.p;
    if (py_kind(f, statement) == PY_IMPORT) { /* `import a.b` binds a */
        struct str root = str_sub(old, 0, str_find(old, S("."), 0));
        struct str whole = ported_module(d, root);
        if (!whole.p) return draft_fail(d, S("the import binds another name after the rewrite"));
        if (root.n == old.n)
            text = arena_printf(f->a, "%.*s as %.*s", STR_ARG(text), STR_ARG(root));
        else if (handler.n || !is_bound_above(d, statement, root))
            text = arena_printf(f->a, "%.*s, %.*s as %.*s", STR_ARG(text), STR_ARG(whole),
                                STR_ARG(root));
    }
    if (handler.n) {
        uint32_t whole = statement;
        if (py_kind(f, whole) == PY_ALIASED_IMPORT) whole = py_parent(f, whole);
        const struct node *s = py_node(f, whole), *n = py_node(f, name);
        if (py_kind(f, whole) == PY_IMPORT && py_child(f, whole, 1) != NO_NODE)
            return draft_fail(d, S("the statement imports other modules, too"));
        f->matches.v[d->match].replacement = arena_printf(
            f->a, "try: %.*s, %.*s: %.*s", STR_ARG(old), STR_ARG(handler), STR_ARG(text));
        return py_import_in_its_stead(
            d, whole, handler,
            arena_printf(f->a, "%.*s%.*s%.*s", (int)(n->start - s->start), f->src.p + s->start,
                         STR_ARG(text), (int)(s->end - n->end), f->src.p + n->end));
    }
    draft_put(d, py_node(f, name)->start, py_node(f, name)->end, text);
    return true;
}

/* The operand goes, with the `and` beside it. */
static bool drop_operand(struct draft *d, uint32_t operand) {
    struct py *f = d->f;
    uint32_t test = py_parent(f, operand);
    uint32_t left = py_child(f, test, 0), right = py_child(f, test, -1);
    if (draft_has_comment(f, test))
        return draft_fail(d, S("a comment in the middle of it would be lost"));
    if (left == operand)
        draft_put(d, py_node(f, left)->start, py_node(f, right)->start, S(""));
    else
        draft_put(d, py_node(f, left)->end, py_node(f, right)->end, S(""));
    return true;
}

/* `npu = cuda` behind the method, in the class; where the class has that name, nothing. */
/* self.is_cuda = x gets a second target. */
static bool plan_own_attribute(struct draft *d) {
    struct str text, keywords;
    if (!draft_expand(d, draft_cell_str(d, d->m->cell->statement), &text, &keywords)) return false;
    uint32_t attribute = py_parent(d->f, d->m->node);
    d->f->matches.v[d->match].replacement = text;
    draft_put(d, py_node(d->f, attribute)->start, py_node(d->f, attribute)->start,
              arena_printf(d->f->a, "%.*s = ", STR_ARG(text)));
    return true;
}

static bool plan_method(struct draft *d) {
    struct py *f = d->f;
    struct str text, keywords;
    uint32_t function = py_parent(f, d->m->node), statement = function;
    if (py_kind(f, function) == PY_ATTRIBUTE) return plan_own_attribute(d);
    if (py_kind(f, py_parent(f, function)) == PY_DECORATED) statement = py_parent(f, function);
    if (!draft_expand(d, draft_cell_str(d, d->m->cell->statement), &text, &keywords)) return false;
    struct str name = str_sub(text, 0, str_find(text, S(" "), 0));
    uint32_t block = py_ancestor(f, statement, PY_CLASS);
    for (size_t i = 0; i < f->bindings.n; i++) {
        const struct py_binding *b = &f->bindings.v[i];
        if (b->scope != f->scope_of[function] || !str_eq(b->name, name)) continue;
        f->matches.v[d->match].verdict = V_SAME;
        f->matches.v[d->match].message =
            arena_printf(f->a, "the class has %.*s, too", STR_ARG(name));
        return false;
    }
    size_t start = py_node(f, statement)->start, line = start, end = py_node(f, statement)->end;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    while (end < f->src.n && strchr(" \t", f->src.p[end])) end++;
    bool ends_line = end == f->src.n || strchr("\r\n#", f->src.p[end]);
    while (end < f->src.n && !strchr("\r\n", f->src.p[end])) end++;
    struct str indent = str_sub(f->src, line, start), eol = py_eol(f);
    for (size_t i = 0; i < indent.n; i++) ends_line &= indent.p[i] == ' ' || indent.p[i] == '\t';
    if (block == NO_NODE || !ends_line)
        return draft_fail(d, S("the class stands on one line with other code"));
    f->matches.v[d->match].replacement = text;
    draft_put_after(d, end,
                    arena_printf(f->a, "%.*s%.*s%.*s%.*s", STR_ARG(eol), STR_ARG(eol),
                                 STR_ARG(indent), STR_ARG(text)));
    return true;
}

/* mock.patch.object(torch.cuda, "is_available"): the module, and the name where it differs. */
static bool rename_patched(struct draft *d) {
    struct str to = d->m->patched, last = str_last_dotted(to);
    struct py_literal lit;
    py_literal(d->f, py_next(d->f, d->m->node), &lit);
    draft_put(d, lit.start, lit.end, last);
    return draft_rename_to(d, d->m->node, str_sub(to, 0, to.n - last.n - 1));
}

static bool plan_kind(struct draft *d) {
    if (d->m->drops != NO_NODE) return drop_operand(d, d->m->drops);
    if (d->m->patched.n) return rename_patched(d);
    switch (d->m->kind) {
    case PM_NAME:
    case PM_ATTRIBUTE:
        return plan_name(d);
    case PM_STRING:
        return plan_string(d);
    case PM_METHOD:
        return plan_method(d);
    case PM_KEYWORD:
        return plan_keyword(d);
    case PM_MODULE:
        return plan_module(d);
    default:
        return false;
    }
}

/* Whether Python can assign to an expression: a.b, a().b, a[0]; not a(), (a == b), False. */
static bool is_assignable(struct str text) {
    size_t depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (strchr("([{", c)) depth++;
        if (strchr(")]}", c) && depth) depth--;
        if (!depth && !strchr(".)]}", c) && !draft_identifier_char(c) && !(c & 0x80)) return false;
    }
    return text.n && (text.p[text.n - 1] == ']' || draft_identifier_char(text.p[text.n - 1])) &&
           text.p[0] != '(' && !str_is(text, "True") && !str_is(text, "False") &&
           !str_is(text, "None");
}

/* A name that is assigned to, deleted or bound by `for` or `with`: only what can stand there. */
static bool fits_as_target(struct draft *d) {
    struct py *f = d->f;
    if (!py_is_target(f, d->m->node)) return true;
    for (size_t i = 0; i < d->edits.n; i++) {
        const struct match_edit *e = &d->edits.v[i];
        if (e->start >= py_node(f, d->m->node)->start && e->end <= py_node(f, d->m->node)->end &&
            !is_assignable(e->text))
            return draft_fail(
                d, arena_printf(f->a, "`%.*s` is assigned to: decide what is to be patched",
                                STR_ARG(d->m->token)));
    }
    return true;
}

bool py_plan_match(struct draft *d) {
    if (!plan_kind(d) || !fits_as_target(d) || !idiom_fit_into_fstring(d) || d->why.p)
        return false;
    idiom_drop_keyword_name(d);
    idiom_drop_duplicate(d);
    idiom_drop_repeated(d);
    idiom_join_branches(d);
    return true;
}
