/* SPDX-License-Identifier: Apache-2.0 */
/* literal.c - what a string spells, and where its value goes.
 *
 * A device name is a string like any other; only its use makes it one. The flow of a literal is
 * followed upwards through the expression it stands in (f-strings, %, format, +, conditionals,
 * containers) to a keyword, an argument, a variable, a comparison or a return; the rule's data say
 * which of those are proof. */
#include "python/match.h"

/* "cuda" + "_ckpt.pt", "cuda" " is a word": what is joined makes it something else. */
static bool joined_to_prose(const struct py *f, const struct py_literal *lit) {
    uint32_t next = py_next(f, lit->string);
    if (lit->text.n && memchr(lit->text.p, ':', lit->text.n)) return false;
    if (py_kind(f, next) != PY_STRING) return false;
    struct str content = py_text(f, py_child(f, next, 1));
    return content.n && content.p[0] != ':';
}

static bool asks_for_device(struct py *f, struct row_ref row, uint32_t condition) {
    if (shape_is_whole(row.rule->shape)) return false;
    for (uint32_t i = condition; i < py_node(f, condition)->next; i++) {
        if (py_kind(f, i) != PY_CALL) continue;
        struct py_name n = py_resolve(f, py_callee(f, i));
        if (n.path.p && str_starts(n.path, S(PY_TORCH ".")) && str_ends(n.path, S("is_available")))
            return true;
    }
    return false;
}

/* ---- the climb ---- */

struct climb {
    struct py *f;
    struct row_ref row;
    struct py_context *context;
    bool companion;
    bool alone; /* what stands beside the literal is no proof in this file */
    int hops;
};

/* GPU, which a module of the tree sets to "cuda", and which some file hands to x.to(): wherever it
 * is set or compared, it is what the rule is about. */
static bool is_shared_constant(const struct climb *c, struct str name) {
    const struct py_project *p = c->f->project;
    if (!p || !str_among(p->constants.v, p->constants.n, name)) return false;
    return c->row.rule->shape == SHAPE_DEVICE ? str_among(p->device_uses.v, p->device_uses.n, name)
           : c->row.rule->shape == SHAPE_BACKEND
               ? str_among(p->backend_uses.v, p->backend_uses.n, name)
               : false;
}

static bool fits(const struct climb *c, struct str name) {
    return py_name_fits(c->f, c->row, name);
}

static enum certainty verdict_of(const struct climb *c, struct str name) {
    return fits(c, name) || c->companion ? C_EXACT : C_UNKNOWN;
}

uint32_t py_enum_around(const struct py *f, uint32_t node) {
    const struct py_scope *s = &f->scopes.v[f->scope_of[node]];
    if (s->kind != SCOPE_CLASS) return NO_NODE;
    struct str head =
        str_sub(f->src, py_node(f, s->node)->start, py_node(f, py_child(f, s->node, -1))->start);
    return str_find(head, S("Enum"), 0) < head.n ? s->node : (uint32_t)NO_NODE;
}

/* A member of an Enum: its value is what the rule is about where another member's is of the
 * family. Only a text can be a member's value everywhere: one that is asked for at run time might
 * be another member's, too. */
static enum certainty in_enum(struct climb *c, uint32_t target) {
    struct py *f = c->f;
    const struct rcell *cell = row_cell(c->row, f->target);
    uint32_t body = py_child(f, py_enum_around(f, target), -1);
    if (cell && (cell->expression.n || cell->keep_equal)) {
        c->context->doubt =
            "the value is a member of an Enum, and another member could have the new one";
        return C_UNKNOWN;
    }
    for (uint32_t s = py_child(f, body, 0); s != NO_NODE; s = py_next(f, s)) {
        uint32_t member = py_child(f, s, 0), value = py_child(f, member, -1);
        struct py_literal lit;
        if (py_kind(f, member) == PY_ASSIGNMENT && member != py_parent(f, target) &&
            py_kind(f, value) == PY_STRING && py_literal(f, value, &lit) &&
            row_lists(c->row, c->row.rule->companions, py_before_colon(lit.text)))
            return C_EXACT;
    }
    return C_UNKNOWN;
}

/* Why a literal is no token of the device's, in words. */
static const char PROSE[] = "the text is for people";
static const char DATA[] = "the text is a key of data";
static const char PATH[] = "the text is a part of a path";
static const char FOREIGN[] = "another library has devices of that name";
static const char JOINED[] = "what is joined to the text makes a longer name of it";

/* Does a variable that got the literal reach a place that is proof? */
static enum certainty used_as_proof(struct climb *c, uint32_t identifier);

static enum certainty assigned_to(struct climb *c, uint32_t target) {
    struct py *f = c->f;
    if (py_enum_around(f, target) != NO_NODE) return in_enum(c, target);
    struct str name =
        py_kind(f, target) == PY_IDENTIFIER ? py_text(f, target) : py_describing_name(f, target);
    if (verdict_of(c, name) == C_EXACT || is_shared_constant(c, name)) return C_EXACT;
    if (py_is_chosen(f, c->row, target)) return C_EXACT;
    return py_kind(f, target) == PY_IDENTIFIER ? used_as_proof(c, target) : C_UNKNOWN;
}

/* A call whose result is, or is named by, one of its arguments: kwargs.get("device", "cuda"),
 * add_argument("--device", default="cuda"), parametrize("device", ["cpu", "cuda"]). */
static struct str named_by_first_argument(const struct py *f, uint32_t call, struct str method) {
    if (!py_lists(f, "python.keyed_calls", method)) return (struct str){0};
    struct str best = {0};
    uint32_t args = py_arguments(f, call);
    for (uint32_t a = py_child(f, args, 0); a != NO_NODE; a = py_next(f, a)) {
        struct py_literal lit;
        if (py_kind(f, a) == PY_STRING && py_literal(f, a, &lit) && lit.text.n > best.n) {
            best = lit.text;
            if (!str_is(method, "add_argument") && !str_is(method, "option")) break;
        }
    }
    return best;
}

/* name not in ("cuda", "cpu") and not name.startswith("cuda:"): what one half of a condition says
 * of a value holds for the other. */
static bool same_value_is_asked(struct climb *c, uint32_t value, uint32_t self) {
    struct py *f = c->f;
    uint32_t condition = NO_NODE;
    for (uint32_t p = py_parent(f, self); p != NO_NODE; p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_BOOLEAN_OPERATOR) condition = p;
        if (k != PY_BOOLEAN_OPERATOR && k != PY_NOT_OPERATOR && k != PY_PARENTHESIZED &&
            k != PY_CALL)
            break;
    }
    if (condition == NO_NODE) return false;
    for (uint32_t i = condition; i < py_node(f, condition)->next; i++)
        if (py_kind(f, i) == PY_COMPARISON && i != self &&
            str_eq(py_text(f, py_child(f, i, 0)), py_text(f, value)) &&
            py_has_companion(f, c->row, i, value))
            return true;
    return false;
}

static const char COUNTED[] = "a slice of the text counts its letters";

/* m.group(1), where m was matched by "(cpu|cuda)": the pattern has the literal beside another
 * device. */
static bool is_pattern_group(struct climb *c, uint32_t operand) {
    struct py_literal pattern;
    struct str key = rs_str(c->row.set, c->row.row->key);
    return py_group_pattern(c->f, operand, &pattern) &&
           py_is_alternative(c->row, pattern.text, key);
}

/* A pattern is a text, and can't ask which device is there: then both stay. */
static enum certainty in_pattern_group(struct climb *c) {
    const struct rcell *cell = row_cell(c->row, c->f->target);
    if (!cell || !cell->expression.n) return C_EXACT;
    c->context->doubt = "the pattern that it is a part of stays, too";
    return C_UNKNOWN;
}

/* def f(name): if name == "cuda": ...; return torch.device(name) */
static bool is_device_parameter(struct climb *c, uint32_t value) {
    return c->row.rule->shape == SHAPE_DEVICE && py_is_parameter(c->f, c->row, value) &&
           used_as_proof(c, value) == C_EXACT && !py_builds_text(c->f, value);
}

/* self.accelerator.device.type, accelerator.state.device: accelerate's object gives a
 * torch.device.
 */
static bool is_below_device(const struct py *f, uint32_t identifier) {
    uint32_t i = identifier, p = py_parent(f, i);
    if (py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, -1) == i) i = p;
    for (p = py_parent(f, i); py_kind(f, p) == PY_ATTRIBUTE; p = py_parent(f, p))
        if (str_is(py_text(f, py_child(f, p, -1)), "device")) return true;
    return false;
}

/* What pytest hands to a test is a device in the decorator and wherever the test asks for it, or
 * in none of these places. */
static bool is_column_of_devices(struct climb *c, const struct py_column *column) {
    const struct py *f = c->f;
    if (fits(c, column->name) || py_column_is_of_family(f, c->row, column)) return true;
    for (size_t b = 0; b < f->bindings.n; b++) {
        uint32_t parameter = f->bindings.v[b].node;
        if (f->bindings.v[b].kind == B_PARAMETER && parameter > column->function &&
            parameter < py_node(f, column->function)->next &&
            str_eq(py_text(f, parameter), column->name) &&
            used_as_proof(c, parameter) == C_EXACT && !py_builds_text(f, parameter))
            return true;
    }
    return false;
}

/* Whether the operand of a comparison is such a value; then *sure has the answer. */
static bool column_tells(struct climb *c, uint32_t operand, enum certainty *sure) {
    struct py_column column;
    if (shape_is_whole(c->row.rule->shape) || !py_column_of_name(c->f, operand, &column))
        return false;
    *sure = is_column_of_devices(c, &column) ? C_EXACT : C_UNKNOWN;
    return true;
}

static enum certainty compared_with(struct climb *c, uint32_t comparison, uint32_t self) {
    struct py *f = c->f;
    c->context->compared = true;
    c->context->equality = py_ancestor(f, comparison, PY_ASSERT) == NO_NODE;
    c->context->nvidia = py_asks_for_nvidia(f, comparison);
    for (uint32_t t = tree_first_child(&f->tree, comparison); t != NO_NODE;
         t = tree_next_sibling(&f->tree, t))
        if (py_kind(f, t) == PY_TOKEN_NE || py_kind(f, t) == PY_TOKEN_NOT_IN)
            c->context->equality = false;
    for (uint32_t i = comparison; i < py_node(f, comparison)->next; i++) {
        struct str word = py_kind(f, i) == PY_IDENTIFIER ? py_text(f, i) : S("");
        bool layer = py_lists(f, "python.device_layers", word);
        bool torchs = str_is(word, "accelerator") && is_below_device(f, i);
        c->context->own |= layer && !torchs && py_kind(f, py_parent(f, i)) != PY_COMPARISON;
    }
    for (uint32_t operand = py_child(f, comparison, 0); operand != NO_NODE;
         operand = py_next(f, operand)) {
        uint32_t o = operand;
        enum certainty sure;
        if (o == self) continue;
        if (column_tells(c, o, &sure)) return sure;
        if (py_is_slice(f, o)) c->context->counted = COUNTED;
        struct str name = py_describing_name(f, o);
        c->context->setting |= f->project && py_is_setting(f->project, name);
        if (fits(c, name) || is_shared_constant(c, name)) return C_EXACT;
        if (py_is_chosen(f, c->row, o)) return C_EXACT;
        o = py_value_of(f, o); /* kind = x.device.type; kind == "cuda" */
        if (py_kind(f, o) == PY_SET_COMPREHENSION || py_kind(f, o) == PY_LIST_COMPREHENSION ||
            py_kind(f, o) == PY_GENERATOR)
            o = py_child(f, o, 0); /* "cuda" in {p.device.type for p in parameters} */
        name = py_describing_name(f, o);
        if (fits(c, name)) return C_EXACT;
        /* x.type == "cuda" is proof when something else about x is; torch devices are the common
         * case. */
        if (str_is(name, "type") && py_kind(f, o) == PY_ATTRIBUTE &&
            c->row.rule->shape == SHAPE_DEVICE)
            return C_EXACT;
        if (c->row.rule->shape != SHAPE_DEVICE) continue;
        if (py_returns_device_type(f, o) || py_returns_choice(f, c->row, operand)) return C_EXACT;
        if (is_pattern_group(c, o)) return in_pattern_group(c);
        if (is_device_parameter(c, o)) return C_EXACT;
    }
    if (c->companion || (!c->alone && py_has_companion(f, c->row, comparison, self)))
        return C_EXACT;
    if (same_value_is_asked(c, py_child(f, comparison, 0), comparison)) return C_EXACT;
    if (py_is_data_by_use(f, py_child(f, comparison, -1))) c->context->never = DATA;
    return C_UNKNOWN;
}

/* scope = torch.autocast if amp else nullcontext; scope("cuda") */
static bool either_branch_is(struct py *f, uint32_t callee, struct str path) {
    uint32_t value = py_value_of(f, callee);
    if (py_kind(f, value) != PY_CONDITIONAL) return false;
    uint32_t branches[] = {py_child(f, value, 0), py_child(f, value, -1)};
    for (size_t i = 0; i < ARRAY_LEN(branches); i++) {
        struct py_name n = py_resolve(f, branches[i]);
        if (n.path.p && str_eq(n.path, path)) return true;
    }
    return false;
}

/* table["cuda"], table.get("cuda"): a key of data, unless the table is one by device. */
static enum certainty key_of(struct climb *c, uint32_t table, uint32_t key) {
    enum certainty sure = py_key_of_table(c->f, c->row, table, key);
    c->context->key |= sure != C_UNKNOWN;
    if (sure == C_UNKNOWN) c->context->never = DATA;
    return sure == C_LIKELY ? C_UNKNOWN : sure;
}

/* self.assertEqual(x.device.type, "cuda"): a comparison in the form of a call, whose other
 * argument tells. */
static bool is_equal_to_device(struct climb *c, uint32_t call, int position) {
    struct py *f = c->f;
    int at = 0;
    for (uint32_t a = py_child(f, py_arguments(f, call), 0); a != NO_NODE; a = py_next(f, a)) {
        if (py_kind(f, a) == PY_KEYWORD_ARGUMENT || at++ == position) continue;
        struct str name = py_describing_name(f, a);
        bool type = str_is(name, "type") && py_kind(f, a) == PY_ATTRIBUTE;
        if (fits(c, name) || (type && c->row.rule->shape == SHAPE_DEVICE)) return true;
        if (at >= 2) break;
    }
    return false;
}

/* Whether a function of that name in the tree takes a device at that place. */
static bool takes_device(const struct climb *c, struct str name, int position) {
    const struct py_project *p = c->f->project;
    return p && position >= 0 && c->row.rule->shape == SHAPE_DEVICE &&
           str_among(p->device_parameters.v, p->device_parameters.n,
                     arena_printf(c->f->a, "%.*s:%d", STR_ARG(name), position));
}

/* Whether the parameter that the argument goes to is called like a device, or reaches one in its
 * function. */
static bool parameter_is_device(struct climb *c, uint32_t call, int position, struct str keyword) {
    uint32_t p = py_parameter(c->f, call, position, keyword);
    if (p == NO_NODE || shape_is_whole(c->row.rule->shape)) return false;
    return fits(c, py_text(c->f, p)) ||
           (used_as_proof(c, p) == C_EXACT && !py_builds_text(c->f, p));
}

static bool is_list_of_devices(struct climb *c, uint32_t list) {
    return fits(c, py_describing_name(c->f, list)) || py_lists_devices(c->f, c->row, list);
}

/* The value is an argument of `call`; *up is set when the call passes it on. */
/* Whether the call names the values that there are, a companion of the word's among them, which
 * are rewritten: a default is one of them. */
static bool has_choices(const struct climb *c, uint32_t call) {
    uint32_t list = py_argument(c->f, call, S("choices"), -1);
    enum py_kind k = list == NO_NODE ? PY_OTHER : py_kind(c->f, list);
    return (k == PY_LIST || k == PY_TUPLE) && py_has_companion(c->f, c->row, list, NO_NODE);
}

static enum certainty passed_to(struct climb *c, uint32_t call, int position, struct str keyword,
                                bool *up) {
    struct py *f = c->f;
    uint32_t callee = py_callee(f, call);
    struct py_name n = py_resolve(f, callee);
    struct str method = py_describing_name(f, callee);
    if ((str_is(method, "startswith") || str_is(method, "replace") ||
         str_is(method, "removeprefix") || str_is(method, "lstrip") || str_is(method, "strip")) &&
        position == 0 && py_kind(f, callee) == PY_ATTRIBUTE) {
        uint32_t object = py_child(f, callee, 0);
        c->context->compared = c->context->equality = true;
        if (str_is(method, "startswith") && py_is_counted(f, object))
            c->context->counted = COUNTED;
        enum certainty sure;
        if (column_tells(c, object, &sure)) return sure;
        if (same_value_is_asked(c, object, call) || is_device_parameter(c, object)) return C_EXACT;
        return verdict_of(c, py_describing_name(f, object));
    }
    const struct rargument *v = RS_LIST(c->row.set, c->row.rule->arguments, struct rargument);
    for (uint32_t i = 0; i < c->row.rule->arguments.n; i++) {
        struct str want = rs_str(c->row.set, v[i].callee);
        bool first = position == 0 ||
                     (position < 0 && str_is(keyword, "type")); /* torch.device(type=...) */
        bool same = want.p[0] == '.' ? py_kind(f, callee) == PY_ATTRIBUTE &&
                                           str_eq(str_sub(want, 1, want.n), method)
                                     : n.path.p && str_eq(n.path, want);
        same = same || either_branch_is(f, callee, want);
        if (same && (v[i].position == 0 ? first : position == (int)v[i].position)) return C_EXACT;
    }
    if (!shape_is_whole(c->row.rule->shape) && py_lists(f, "python.equality_calls", method) &&
        is_equal_to_device(c, call, position)) {
        c->context->compared = true;
        return C_EXACT;
    }
    if (position == 1 && c->row.rule->shape == SHAPE_DEVICE &&
        py_asks_for_method(f, call, rs_str(c->row.set, c->row.row->key)))
        return C_EXACT;
    if (parameter_is_device(c, call, position, keyword) ||
        (!py_is_own_function(f, callee) && takes_device(c, method, position)))
        return C_EXACT;
    if ((str_is(method, "append") || str_is(method, "extend")) && position == 0 &&
        py_kind(f, callee) == PY_ATTRIBUTE && is_list_of_devices(c, py_child(f, callee, 0)))
        return C_EXACT; /* devices.append("cuda") */
    struct str root = str_sub(n.path, 0, n.path.p ? str_find(n.path, S("."), 0) : 0);
    if (root.n && (py_lists(f, "python.foreign_devices", root) ||
                   py_lists(f, "python.foreign_devices", n.path))) {
        struct row_ref own; /* what its own rules have no word for is for a human */
        if (py_find_row_at(f, M_NAME, n.path, call, &own) == ROW_HOLDS)
            c->context->never = FOREIGN;
        else
            c->context->doubt = "a library with devices of its own is given the word";
        return C_UNKNOWN;
    }
    struct str label = named_by_first_argument(f, call, method);
    if (label.n && position == 0 && !c->row.rule->by_form && py_kind(f, callee) == PY_ATTRIBUTE &&
        (str_is(method, "get") || str_is(method, "pop") || str_is(method, "setdefault")))
        return key_of(c, py_child(f, callee, 0), py_child(f, py_arguments(f, call), 0));
    bool choice = str_is(keyword, "default") || str_is(keyword, "choices") || position > 0 ||
                  str_is(keyword, "const") || str_is(keyword, "type");
    if (label.n && str_is(keyword, "default") && has_choices(c, call)) return C_EXACT;
    if (label.n && choice) return verdict_of(c, label);
    if (py_lists(f, "python.foreign_methods", method)) return C_UNKNOWN;
    if (keyword.n) {
        if (row_lists(c->row, c->row.rule->never, keyword)) {
            c->context->never = PROSE;
            return C_UNKNOWN;
        }
        if (fits(c, keyword)) return C_EXACT;
    }
    if (py_lists(f, "python.prose_calls", method)) c->context->never = PROSE;
    if (position > 0 && py_lists(f, "python.path_calls", method)) c->context->never = PATH;
    bool wraps = py_lists(f, "python.wrapping_calls", method); /* the value is the variable's */
    *up = wraps && (position == 0 || str_is(keyword, "default"));
    return c->companion ? C_EXACT : C_UNKNOWN;
}

static int position_of(const struct py *f, uint32_t args, uint32_t self) {
    int at = 0;
    for (uint32_t a = py_child(f, args, 0); a != NO_NODE && a != self; a = py_next(f, a))
        if (py_kind(f, a) != PY_KEYWORD_ARGUMENT) at++;
    return at;
}

/* {"cuda:0": "cpu"}: devices by number that all become the host, which is what places in
 * checkpoints are told, however far torch.load() is. */
static bool maps_to_host(const struct py *f, uint32_t dictionary) {
    for (uint32_t pair = py_child(f, dictionary, 0); pair != NO_NODE; pair = py_next(f, pair)) {
        struct py_literal key, value;
        if (py_kind(f, pair) == PY_COMMENT) continue;
        if (py_kind(f, pair) != PY_PAIR || !py_literal(f, py_child(f, pair, 0), &key) ||
            !py_literal(f, py_child(f, pair, -1), &value) || value.composed ||
            str_find(key.text, S(":"), 0) == key.text.n || !str_is(value.text, PY_CPU))
            return false;
    }
    return true;
}

/* A key of a dictionary. Where other keys are devices, so is this one; but what is asked for at
 * run time may be another key, too, and then the last of both counts. */
static enum certainty as_key(struct climb *c, uint32_t pair, uint32_t key) {
    struct py *f = c->f;
    const struct rcell *cell = row_cell(c->row, f->target);
    c->context->key = true;
    c->context->location =
        py_is_location(f, py_parent(f, pair)) || maps_to_host(f, py_parent(f, pair));
    if (c->row.rule->by_form || c->context->location) return C_EXACT;
    enum companion_key beside = py_companion_key(f, c->row, pair);
    bool at_run_time = cell && cell->expression.n;
    if (beside == NO_COMPANION) {
        enum certainty added = py_key_added(f, c->row, py_parent(f, pair), key);
        if (added != C_UNKNOWN) return added == C_LIKELY ? C_UNKNOWN : added;
    }
    if (beside == NO_COMPANION && py_is_asked_by_device(f, c->row, py_parent(f, pair)))
        return at_run_time ? C_UNKNOWN : C_EXACT; /* that may be "cpu", which was no key */
    if (beside == NO_COMPANION) {
        if (py_kind(f, key) == PY_STRING) c->context->never = DATA;
        return C_UNKNOWN;
    }
    bool is_first = beside == COMPANION_AFTER && c->row.rule->shape == SHAPE_DEVICE;
    return at_run_time && !is_first ? C_UNKNOWN : C_EXACT;
}

/* {True: "cuda", False: "cpu"}[available]: a conditional in other words. */
static bool is_selected(const struct py *f, uint32_t dictionary) {
    uint32_t p = py_parent(f, dictionary), key = py_child(f, py_child(f, dictionary, 0), 0);
    return (py_kind(f, p) == PY_SUBSCRIPT && py_child(f, p, 0) == dictionary) ||
           py_kind(f, key) == PY_TRUE || py_kind(f, key) == PY_FALSE;
}

/* What `p`, the parent of `i`, says of the literal below: `*up` when the answer is further up. */
static enum certainty in_pair(struct climb *c, uint32_t p, uint32_t i, bool *up) {
    struct py *f = c->f;
    uint32_t key = py_child(f, p, 0);
    *up = true;
    if (key == i) {
        if (shape_is_whole(c->row.rule->shape)) return C_UNKNOWN; /* the dictionary's name tells */
        *up = false; /* a key: of data, unless the other keys are devices */
        return as_key(c, p, i);
    }
    struct py_literal text;
    c->companion |=
        is_selected(f, py_parent(f, p)) && py_has_companion(f, c->row, py_parent(f, p), i);
    bool named = fits(c, py_describing_name(f, key)) ||
                 (py_kind(f, key) == PY_STRING && py_literal(f, key, &text) && fits(c, text.text));
    *up = !named;
    return named ? C_EXACT : C_UNKNOWN;
}

static enum certainty in_subscript(struct climb *c, uint32_t p, uint32_t i, bool *up) {
    struct py *f = c->f;
    struct str name = py_describing_name(f, py_child(f, p, 0));
    *up = true;
    if (py_child(f, p, 0) == i) return C_UNKNOWN;
    if (str_is(name, "Literal")) {
        c->companion |= py_names_devices(f, c->row, p, i);
        return C_UNKNOWN;
    }
    *up = false;
    if (shape_is_whole(c->row.rule->shape) && fits(c, name)) return C_EXACT;
    return c->row.rule->by_form ? C_UNKNOWN : key_of(c, py_child(f, p, 0), i);
}

/* What classes and functions are registered under by device: that of the CPU comes after it, or
 * the target's is another word for certain, or one takes the other's place. */
static enum certainty as_registered(struct climb *c, uint32_t i) {
    const struct rcell *cell = row_cell(c->row, c->f->target);
    if (c->row.rule->shape != SHAPE_DEVICE || py_kind(c->f, i) != PY_STRING) return C_UNKNOWN;
    enum companion_key beside = py_registered_beside(c->f, c->row, i);
    bool late = beside == COMPANION_BEFORE && cell && cell->expression.n;
    c->context->key |= beside != NO_COMPANION && !late;
    return beside != NO_COMPANION && !late ? C_EXACT : C_UNKNOWN;
}

static enum certainty in_argument(struct climb *c, uint32_t *p, uint32_t i, bool *up) {
    struct py *f = c->f;
    enum certainty registered = as_registered(c, i);
    if (registered == C_EXACT) return registered;
    bool keyword = py_kind(f, *p) == PY_KEYWORD_ARGUMENT;
    uint32_t call = py_parent(f, keyword ? py_parent(f, *p) : *p);
    if (py_kind(f, call) != PY_CALL) return C_UNKNOWN;
    enum certainty sure = keyword ? passed_to(c, call, -1, py_text(f, py_child(f, *p, 0)), up)
                                  : passed_to(c, call, position_of(f, *p, i), S(""), up);
    if (*up) *p = call;
    return sure;
}

/* What a pattern is compared with: the subject, or the part of it that stands in the same place:
 * match device.type, n: case "cuda", 1. */
static uint32_t subject_of(const struct py *f, uint32_t pattern) {
    uint32_t match = py_ancestor(f, pattern, PY_MATCH), list = py_parent(f, pattern);
    uint32_t subject = match == NO_NODE ? (uint32_t)NO_NODE : py_child(f, match, 0);
    if (py_kind(f, list) == PY_CASE_CLAUSE) return py_value_of(f, subject);
    if ((py_kind(f, list) != PY_TUPLE_PATTERN && py_kind(f, list) != PY_LIST_PATTERN) ||
        py_kind(f, py_parent(f, py_parent(f, list))) != PY_CASE_CLAUSE ||
        py_kind(f, subject) != PY_TUPLE)
        return NO_NODE;
    uint32_t part = py_child(f, subject, 0);
    for (uint32_t p = py_child(f, list, 0); p != pattern && part != NO_NODE; p = py_next(f, p))
        part = py_next(f, part);
    return py_value_of(f, part);
}

/* case torch.device(type="cuda"): the keyword of a class. */
static bool is_type_pattern(struct climb *c, uint32_t pattern) {
    struct py *f = c->f;
    uint32_t class_pattern = py_parent(f, py_parent(f, pattern));
    struct py_name n = py_resolve(f, py_child(f, class_pattern, 0));
    return c->row.rule->shape == SHAPE_DEVICE &&
           str_is(py_text(f, py_child(f, pattern, 0)), "type") &&
           (py_lists(f, "torch.device", n.path) ||
            py_lists(f, "torch.device", py_text(f, py_child(f, class_pattern, 0))));
}

static enum certainty in_case(struct climb *c, uint32_t pattern) {
    struct py *f = c->f;
    struct str subject = py_describing_name(f, subject_of(f, pattern));
    enum certainty sure;
    c->context->compared = c->context->equality = true;
    if (column_tells(c, subject_of(f, pattern), &sure)) return sure;
    bool type = str_is(subject, "type") && c->row.rule->shape == SHAPE_DEVICE;
    return type || fits(c, subject) ? C_EXACT : C_UNKNOWN;
}

static enum certainty in_return(struct climb *c, uint32_t statement) {
    uint32_t function = py_ancestor(c->f, statement, PY_FUNCTION);
    return verdict_of(c, function == NO_NODE ? S("") : py_text(c->f, py_child(c->f, function, 0)));
}

/* ["train", "--device", "cuda"]: the arguments of a process. */
static bool follows_option(const struct climb *c, uint32_t list, uint32_t i) {
    struct py *f = c->f;
    struct str option = {0};
    struct py_literal lit;
    for (uint32_t e = py_child(f, list, 0); e != NO_NODE && e != i; e = py_next(f, e))
        if (py_kind(f, e) != PY_STRING || !py_literal(f, e, &lit))
            option.n = 0;
        else if (!py_is_of_family(f, c->row, e))
            option = str_starts(lit.text, S("-")) ? lit.text : (struct str){0};
    return option.n && fits(c, option);
}

/* Whether the rule itself has a row of that word. */
static bool is_of_rule(const struct climb *c, struct str word) {
    struct row_ref row;
    for (size_t cursor = 0; rules_find(c->f->rules, M_STRING, word, &cursor, &row);)
        if (row.rule == c->row.rule) return true;
    return false;
}

/* ["", "cuda", "cuda_data_parallel"]: words of the program's own for how it runs; not "cuda_time"
 * beside "cuda_time_total", which the rule knows. */
static bool names_ways(const struct climb *c, uint32_t list, uint32_t self) {
    struct py *f = c->f;
    struct str word = rs_str(c->row.set, c->row.row->key);
    if (!py_is_collection(py_kind(f, list)) || py_node(f, list)->next - list > 2000) return false;
    for (uint32_t e = py_child(f, list, 0); e != NO_NODE; e = py_next(f, e)) {
        struct py_literal lit;
        if (e != self && py_kind(f, e) == PY_STRING && py_literal(f, e, &lit) &&
            str_starts(lit.text, word) && lit.text.n > word.n &&
            strchr("_-+", lit.text.p[word.n]) && !is_of_rule(c, lit.text))
            return true;
    }
    return false;
}

/* Notes in `c` whether a device stands beside `i` in `p`, or its presence is asked for there. */
static void look_beside(struct climb *c, uint32_t p, uint32_t i) {
    struct py *f = c->f;
    c->alone |= names_ways(c, p, i);
    if (c->alone) return;
    switch (py_kind(f, p)) {
    case PY_TYPE_PARAMETER: /* Literal["cuda", "cpu"] as an annotation */
        c->companion |= py_names_devices(f, c->row, p, i);
        break;
    case PY_CONDITIONAL:
        c->companion |= asks_for_device(f, c->row, py_next(f, py_child(f, p, 0))) ||
                        py_has_companion(f, c->row, p, i);
        break;
    case PY_BOOLEAN_OPERATOR: /* torch.cuda.is_available() and "cuda" or "cpu" */
        c->companion |= asks_for_device(f, c->row, p) || py_has_companion(f, c->row, p, i);
        break;
    default:
        c->companion |= py_is_family_list(f, c->row, p, i) || follows_option(c, p, i);
    }
}

/* device, dtype = "cuda", torch.float32: the name that the element `i` of the value goes to. */
static uint32_t target_of(const struct py *f, uint32_t assignment, uint32_t value,
                          uint32_t element) {
    uint32_t target = py_child(f, assignment, 0);
    enum py_kind k = py_kind(f, target), v = py_kind(f, value);
    if ((k != PY_PATTERN_LIST && k != PY_TUPLE_PATTERN) ||
        (v != PY_EXPRESSION_LIST && v != PY_TUPLE))
        return target;
    uint32_t t = py_child(f, target, 0);
    for (uint32_t e = py_child(f, value, 0); e != NO_NODE && t != NO_NODE && e != element;
         e = py_next(f, e), t = py_next(f, t))
        if (py_kind(f, e) == PY_LIST_SPLAT || py_kind(f, t) == PY_LIST_SPLAT_PATTERN)
            return target;
    return t == NO_NODE ? target : t;
}

static enum certainty climb_from(struct climb *c, uint32_t node) {
    struct py *f = c->f;
    for (uint32_t i = node, p = py_parent(f, i), below = i; p != NO_NODE && c->hops < 64;
         below = i, i = p, p = py_parent(f, i), c->hops++) {
        bool up = false;
        enum certainty sure = C_UNKNOWN;
        struct py_column column;
        if (i == node && !shape_is_whole(c->row.rule->shape) && py_column_of_value(f, i, &column))
            return is_column_of_devices(c, &column) ? C_EXACT : C_UNKNOWN;
        switch (py_kind(f, p)) {
        case PY_PARENTHESIZED:
        case PY_LIST_SPLAT:
        case PY_GENERIC_TYPE:
        case PY_TYPE:
        case PY_DICTIONARY:
            continue;
        case PY_CONDITIONAL:
            if (py_next(f, py_child(f, p, 0)) == i) return C_UNKNOWN; /* the condition itself */
            look_beside(c, p, i);
            continue;
        case PY_TYPE_PARAMETER:
        case PY_BOOLEAN_OPERATOR:
        case PY_LIST:
        case PY_TUPLE:
        case PY_SET:
        case PY_EXPRESSION_LIST:
            look_beside(c, p, i);
            continue;
        case PY_PAIR:
            sure = in_pair(c, p, i, &up);
            break;
        case PY_KEYWORD_ARGUMENT:
        case PY_ARGUMENT_LIST:
            sure = in_argument(c, &p, i, &up);
            break;
        case PY_SUBSCRIPT:
            sure = in_subscript(c, p, i, &up);
            break;
        case PY_COMPARISON:
            return compared_with(c, p, i);
        case PY_UNION_PATTERN:
            continue;
        case PY_KEYWORD_PATTERN:
            c->context->compared = c->context->equality = true;
            return is_type_pattern(c, p) ? C_EXACT : C_UNKNOWN;
        case PY_CASE_PATTERN:
            return in_case(c, p);
        case PY_NAMED_EXPRESSION: /* passed on if its own name does not tell */
            sure = assigned_to(c, py_child(f, p, 0));
            up = sure != C_EXACT;
            break;
        case PY_ASSIGNMENT:
            return assigned_to(c, target_of(f, p, i, below));
        case PY_AUGMENTED_ASSIGNMENT: /* devices += ["cuda"] */
            return c->companion || is_list_of_devices(c, py_child(f, p, 0)) ? C_EXACT : C_UNKNOWN;
        case PY_DEFAULT_PARAMETER:
        case PY_TYPED_DEFAULT_PARAMETER:
        case PY_TYPED_PARAMETER:
        case PY_FOR:
        case PY_FOR_IN:
            return assigned_to(c, py_child(f, p, 0));
        case PY_YIELD:
        case PY_RETURN:
            return in_return(c, p);
        default:
            return c->companion ? C_EXACT : C_UNKNOWN;
        }
        if (!up) return sure;
    }
    return C_UNKNOWN;
}

static enum certainty used_as_proof(struct climb *c, uint32_t identifier) {
    struct py *f = c->f;
    if (c->hops > 32 || shape_is_whole(c->row.rule->shape)) return C_UNKNOWN;
    struct str name = py_text(f, identifier);
    uint32_t scope = f->scope_of[identifier];
    uint32_t binding = py_lookup(f, scope, name);
    if (binding == NO_NODE) return C_UNKNOWN;
    if (scope == 0) py_want_uses(f, name);
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k];
        if (i == identifier || !str_eq(py_text(f, i), name)) continue;
        enum py_kind pk = py_kind(f, py_parent(f, i));
        if (pk == PY_ATTRIBUTE && py_child(f, py_parent(f, i), -1) == i) continue;
        if (pk == PY_ASSIGNMENT || pk == PY_KEYWORD_ARGUMENT) {
            if (py_child(f, py_parent(f, i), 0) == i) continue;
        }
        if (py_lookup(f, f->scope_of[i], name) != binding) continue;
        struct py_context context = {0};
        struct climb use = {.f = f, .row = c->row, .context = &context, .hops = c->hops + 33};
        uint32_t p = py_parent(f, i);
        bool proof = py_kind(f, p) == PY_COMPARISON ? false : climb_from(&use, i) == C_EXACT;
        if (proof && !context.never) return C_EXACT;
    }
    return C_UNKNOWN;
}

/* Whether the function or class around says a name of the list. */
static bool is_beside(const struct py *f, uint32_t node, enum py_kind kind, const char *list) {
    uint32_t around = py_ancestor(f, node, kind);
    if (around == NO_NODE || py_node(f, around)->next - around > 5000) return false;
    for (uint32_t i = around; i < py_node(f, around)->next; i++)
        if (py_kind(f, i) == PY_IDENTIFIER && py_lists(f, list, py_text(f, i))) return true;
    return false;
}

enum certainty py_string_context(struct py *f, struct row_ref row, const struct py_literal *lit,
                                 struct py_context *context) {
    *context = (struct py_context){0};
    if (lit->composed && joined_to_prose(f, lit)) {
        context->never = JOINED;
        return C_UNKNOWN;
    }
    if (row.rule->shape == SHAPE_DEVICE && py_feeds_foreign(f, lit->node)) {
        context->doubt = "a library with devices of its own is given the settings";
        return C_UNKNOWN;
    }
    if (row.rule->shape == SHAPE_DEVICE && py_is_attribute_of_library(f, lit->node)) {
        context->doubt = "an object of a library's is asked for what it calls so";
        return C_UNKNOWN;
    }
    if (row.rule->shape == SHAPE_DEVICE && f->is_for_another) {
        context->never = FOREIGN;
        return C_UNKNOWN;
    }
    struct climb c = {.f = f, .row = row, .context = context};
    struct str in = rs_str(row.set, row.rule->family_in);
    c.alone = in.n && !regex_match(f->regex, &row.rule->family_in, in, f->src);
    enum certainty sure = climb_from(&c, lit->node);
    if (context->never) return C_UNKNOWN;
    if (row.rule->shape != SHAPE_DEVICE) return row.rule->by_form ? C_EXACT : sure;
    if (f->only_foreign_devices) {
        context->doubt = "the file's library has devices of its own";
        return C_UNKNOWN;
    }
    if (is_beside(f, lit->node, PY_FUNCTION, "python.foreign_compilers")) {
        context->doubt = "the function asks a compiler that has devices of that name, too";
        return C_UNKNOWN;
    }
    if (context->compared && (is_beside(f, lit->node, PY_CLASS, "python.foreign_builds") ||
                              is_beside(f, lit->node, PY_FUNCTION, "python.foreign_builds") ||
                              is_beside(f, lit->node, PY_IF, "python.foreign_gpu_calls"))) {
        context->doubt = "a library there computes with CUDA or on the CPU, whatever the device";
        return C_UNKNOWN;
    }
    if (context->compared && is_beside(f, lit->node, PY_CONDITIONAL, "python.quantised_layers")) {
        context->doubt = "the layers that the test chooses are kernels of bitsandbytes";
        return C_UNKNOWN;
    }
    return row.rule->by_form ? C_EXACT : sure;
}
