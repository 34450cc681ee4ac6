/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - names and literals meet the rules: one walk over the tree, each place asked once.
 *
 * A match says what was found and what the rules answer for the target; nothing is edited here. */
#include "python/match.h"
#include "python/imports.h"

/* ---- objects with methods of their own ---- */

static bool has_own_cuda(const struct py *f, struct str class_name) {
    const struct py_project *p = f->project;
    for (size_t i = 0; i < f->own_cuda_classes.n; i++)
        if (str_eq(f->own_cuda_classes.v[i].name, class_name)) return true;
    for (size_t i = 0; p && i < p->own_cuda_classes.n; i++)
        if (str_eq(p->own_cuda_classes.v[i].name, class_name)) return true;
    return false;
}

enum receiver { RECEIVER_UNKNOWN, RECEIVER_TORCH, RECEIVER_OWN, RECEIVER_EITHER };

static enum receiver receiver_of_call(struct py *f, uint32_t call) {
    uint32_t callee = py_callee(f, call);
    if (has_own_cuda(f, str_last_dotted(py_text(f, callee)))) return RECEIVER_OWN;
    struct py_name n = py_resolve(f, callee);
    return n.path.p && str_starts(n.path, S(PY_TORCH ".")) ? RECEIVER_TORCH : RECEIVER_UNKNOWN;
}

/* x.contiguous(), p.data: what only tensors have, whatever x is. */
static bool is_of_tensors(const struct py *f, uint32_t attribute) {
    struct str name = py_text(f, py_child(f, attribute, -1));
    return py_lists(f,
                    py_call_of(f, attribute) == NO_NODE ? "torch.tensor_attributes"
                                                        : "torch.tensor_methods",
                    name);
}

/* x.cuda() if isinstance(x, torch.Tensor) else x: the test around it says what x is. */
static bool is_tested(struct py *f, uint32_t object) {
    for (uint32_t i = object, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_FUNCTION || k == PY_CLASS || k == PY_MODULE) return false;
        bool body = (k == PY_IF || k == PY_ELIF || k == PY_CONDITIONAL) &&
                    py_child(f, p, k == PY_CONDITIONAL ? 0 : 1) == i;
        uint32_t test = body ? py_child(f, p, k == PY_CONDITIONAL ? 1 : 0) : (uint32_t)NO_NODE;
        if (py_is_and(f, p) && py_child(f, p, -1) == i)
            test = py_child(f, p, 0); /* isinstance(x, torch.Tensor) and x.is_cuda */
        if (py_kind(f, test) != PY_CALL || !str_is(py_text(f, py_callee(f, test)), "isinstance"))
            continue;
        uint32_t type = py_argument(f, test, S(""), 1);
        struct py_name n = py_resolve(f, type);
        if (str_eq(py_text(f, py_argument(f, test, S(""), 0)), py_text(f, object)) && n.path.p &&
            py_lists(f, "torch.tensor_types", n.path))
            return true;
    }
    return false;
}

/* Whether the text of an annotation names a tensor's type: Tensor, torch.Tensor, Optional[Tensor].
 */
static bool is_tensor_type(struct py *f, uint32_t type) {
    for (uint32_t i = type; type != NO_NODE && i < py_node(f, type)->next; i++) {
        if (py_kind(f, i) != PY_IDENTIFIER && py_kind(f, i) != PY_ATTRIBUTE) continue;
        struct py_name n = py_resolve(f, i);
        if (n.path.p && py_lists(f, "torch.tensor_types", n.path)) return true;
    }
    return false;
}

/* Whether the variable is a parameter that is said to be a tensor, or the function around it uses
 * it like one: x.requires_grad, x.contiguous(). */
static bool is_tensor_by_use(struct py *f, uint32_t object) {
    struct str name = py_text(f, object);
    uint32_t function = py_ancestor(f, object, PY_FUNCTION);
    uint32_t b = py_lookup(f, py_scope_at(f, object), name);
    if (b == NO_NODE || function == NO_NODE || f->bindings.v[b].scope == 0) return false;
    if (f->bindings.v[b].kind == B_PARAMETER && f->bindings.v[b].next == NO_NODE) {
        uint32_t parameter = py_parent(f, f->bindings.v[b].node);
        enum py_kind k = py_kind(f, parameter);
        bool typed = k == PY_TYPED_PARAMETER || k == PY_TYPED_DEFAULT_PARAMETER;
        if (typed && is_tensor_type(f, py_child(f, parameter, 1))) return true;
    }
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k], p = py_parent(f, i);
        bool inside = i > function && i < py_node(f, function)->next;
        if (inside && i != object && py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, 0) == i &&
            str_eq(py_text(f, i), name) && is_of_tensors(f, p))
            return true;
    }
    return false;
}

/* What the object before `.cuda()` is, where the file itself tells. */
static enum receiver receiver(struct py *f, uint32_t object) {
    while (py_kind(f, object) == PY_PARENTHESIZED) object = py_child(f, object, 0);
    uint32_t member = py_kind(f, object) == PY_CALL ? py_callee(f, object) : object;
    if (py_kind(f, member) == PY_ATTRIBUTE && is_of_tensors(f, member)) return RECEIVER_TORCH;
    if (is_tested(f, object)) return RECEIVER_TORCH;
    if (py_kind(f, object) == PY_CALL) return receiver_of_call(f, object);
    if (py_kind(f, object) != PY_IDENTIFIER) return RECEIVER_UNKNOWN;
    if (str_is(py_text(f, object), "self")) {
        uint32_t class_node = py_ancestor(f, object, PY_CLASS);
        if (class_node != NO_NODE && has_own_cuda(f, py_text(f, py_child(f, class_node, 0))))
            return RECEIVER_OWN;
        return RECEIVER_UNKNOWN;
    }
    enum receiver found = RECEIVER_UNKNOWN;
    for (uint32_t b = py_lookup(f, py_scope_at(f, object), py_text(f, object)); b != NO_NODE;
         b = f->bindings.v[b].next) {
        uint32_t value = f->bindings.v[b].value;
        if (f->bindings.v[b].kind != B_VALUE || py_kind(f, value) != PY_CALL) continue;
        enum receiver r = receiver_of_call(f, value);
        if (r == RECEIVER_OWN) return r;
        if (r == RECEIVER_TORCH) found = r;
    }
    return found == RECEIVER_UNKNOWN && is_tensor_by_use(f, object) ? RECEIVER_TORCH : found;
}

/* The row about `def cuda` in a class, or `self.is_cuda = ` ("set"), and whether the class gets
 * the target's name for it. */
static bool find_own_method(struct py *f, const char *how, struct str name, struct row_ref *row) {
    if (!str_is(name, PY_CUDA) && !str_is(name, PY_IS_CUDA)) return false;
    return py_find_row(f, M_ATTRIBUTE, arena_printf(f->a, "%s %.*s", how, STR_ARG(name)), row);
}

static bool gets_name(struct py *f, const char *how, struct str name) {
    struct row_ref row;
    const struct rcell *cell =
        find_own_method(f, how, name, &row) ? row_cell(row, f->target) : NULL;
    return cell && cell->statement.n;
}

/* x.cuda(), where x may be of a class that defines it: the row that asks x, if the target has it.
 */
static bool find_asking(struct py *f, struct str name, struct row_ref *row) {
    const struct rcell *cell =
        find_own_method(f, PY_ANY, name, row) ? row_cell(*row, f->target) : NULL;
    return cell && cell->call.n;
}

static bool answers_to_target(struct py *f, struct str name) {
    struct row_ref asking;
    return gets_name(f, "def", name) && !find_asking(f, name, &asking);
}

static bool sets_for_target(struct py *f, struct str name) { return gets_name(f, "set", name); }

/* self.is_cuda = x, as a statement and without a type. */
static bool is_plainly_set(const struct py *f, uint32_t attribute) {
    uint32_t p = py_parent(f, attribute);
    return py_kind(f, p) == PY_ASSIGNMENT && py_child(f, p, 0) == attribute &&
           py_kind(f, py_parent(f, p)) == PY_EXPRESSION_STATEMENT &&
           py_kind(f, py_child(f, p, 1)) != PY_TYPE &&
           str_is(py_text(f, py_child(f, attribute, 0)), "self");
}

/* What the project's own classes have by that name: self.is_cuda = ..., def is_cuda, a property.
 */
static bool has_own_member(struct py *f, struct str name, const char *kind) {
    const struct py_project *p = f->project;
    struct str member = arena_printf(f->a, "%.*s%s", STR_ARG(name), kind);
    bool answers = !*kind && sets_for_target(f, name); /* facts tell of `self.is_cuda = ` alone */
    if (!answers && p && str_among(p->own_attributes.v, p->own_attributes.n, member)) return true;
    for (uint32_t i = 0; i < f->tree.n; i++) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_FUNCTION && f->scopes.v[f->scope_of[i]].kind == SCOPE_CLASS &&
            str_eq(py_text(f, py_child(f, i, 0)), name) &&
            str_eq(py_member_kind(f->a, name, f->src, py_node(f, i)->start), member))
            return true;
        if (k != PY_ATTRIBUTE || *kind || !str_eq(py_text(f, py_child(f, i, -1)), name)) continue;
        uint32_t p = py_parent(f, i);
        if (py_kind(f, p) == PY_ASSIGNMENT && py_child(f, p, 0) == i &&
            !(answers && is_plainly_set(f, i)))
            return true;
    }
    return false;
}

/* Whether an object of the class can get here: its file, or the package around it, lies beside
 * this one or above, where Python finds it; or this file imports it by name. */
static bool can_reach(const struct py *f, const struct py_own_class *own) {
    struct str root = own->root;
    bool below =
        !root.n || (str_starts(f->path, root) && f->path.n > root.n && f->path.p[root.n] == '/');
    return below || py_imports(f, own->package);
}

/* Whether some object here may be one of a class that defines cuda() and no to(). */
static bool any_own_cuda(const struct py *f) {
    const struct py_project *p = f->project;
    for (size_t i = 0; i < f->own_cuda_classes.n; i++)
        if (!f->own_cuda_classes.v[i].moves) return true;
    for (size_t i = 0; p && i < p->own_cuda_classes.n; i++)
        if (!p->own_cuda_classes.v[i].moves && can_reach(f, &p->own_cuda_classes.v[i]))
            return true;
    return false;
}

/* Whether the object is asked at run time: nothing tells what it is, and some class here defines
 * cuda(). Not super(), which is nothing to hand on. */
static bool asks_object(struct py *f, uint32_t object, struct str name, struct row_ref *row) {
    bool is_super =
        py_kind(f, object) == PY_CALL && str_is(py_text(f, py_callee(f, object)), "super");
    if (is_super || f->is_for_another || !any_own_cuda(f) ||
        receiver(f, object) != RECEIVER_UNKNOWN || !find_asking(f, name, row))
        return false;
    if (f->partial)
        f->wants_whole = true; /* what the object is may stand where nothing was parsed */
    return true;
}

/* Whether what tree-sitter takes for a function's body is one: in a damaged file it may be empty,
 * or the statement that follows at the same margin. */
static bool has_body(const struct py *f, uint32_t function) {
    const struct node *def = py_node(f, function), *body = py_node(f, py_child(f, function, -1));
    size_t head = str_line_start(f->src, def->start), line = str_line_start(f->src, body->start);
    return body->start < body->end && (line == head || body->start - line > def->start - head);
}

static void match_own_method(struct py *f, uint32_t function) {
    struct row_ref row;
    struct str name = py_text(f, py_child(f, function, 0));
    if (f->is_for_another || !has_body(f, function) ||
        f->scopes.v[f->scope_of[function]].kind != SCOPE_CLASS ||
        !find_own_method(f, "def", name, &row))
        return;
    size_t def = py_node(f, function)->start;
    if (str_is(name, PY_CUDA) && str_ends(py_member_kind(f->a, name, f->src, def), S("@")))
        return; /* a property is a flag of the user's own, which nobody calls */
    struct str token = arena_printf(f->a, "def %.*s", STR_ARG(name));
    struct py_match *m =
        py_add_match(f, PM_METHOD, py_child(f, function, 0), token, &row, C_EXACT);
    struct row_ref asking;
    if (find_asking(f, name, &asking) && py_moves_by_to(f->src, def)) {
        m->verdict = V_SAME;
        m->message = S("to() of the class moves the object, too, and is what is called");
    }
    if (f->partial) f->wants_whole = true; /* the class may have the other name already */
}

/* ---- names ---- */

static bool is_binding_node(const struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier);
    switch (py_kind(f, p)) {
    case PY_FUNCTION:
    case PY_CLASS:
    case PY_KEYWORD_ARGUMENT:
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
    case PY_NAMED_EXPRESSION:
    case PY_DEFAULT_PARAMETER:
    case PY_TYPED_DEFAULT_PARAMETER:
    case PY_FOR:
    case PY_FOR_IN:
        return py_child(f, p, 0) == identifier;
    case PY_ATTRIBUTE:
        return py_child(f, p, -1) == identifier;
    case PY_PARAMETERS:
    case PY_LAMBDA_PARAMETERS:
    case PY_TYPED_PARAMETER:
    case PY_AS_PATTERN_TARGET:
    case PY_PATTERN_LIST:
    case PY_TUPLE_PATTERN:
    case PY_LIST_PATTERN:
    case PY_LIST_SPLAT_PATTERN:
    case PY_DICTIONARY_SPLAT_PATTERN:
    case PY_GLOBAL:
    case PY_NONLOCAL:
    case PY_DELETE:
    case PY_DOTTED_NAME:
        return true;
    default:
        return false;
    }
}

static bool is_chain_object(const struct py *f, uint32_t node) {
    uint32_t p = py_parent(f, node);
    return py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, 0) == node;
}

/* Whether the cell has another name for the place, and not an expression in its stead. */
static bool is_renamed(const struct py_match *m) {
    if (!m->cell) return false;
    struct str to = rs_str(m->row.set, m->cell->value.n ? m->cell->value : m->cell->to);
    bool is_value = str_is(to, "False") || str_is(to, "True") || str_is(to, "None");
    return to.n && !is_value && str_find(to, S("("), 0) == to.n;
}

/* monkeypatch.setattr(torch.cuda, "is_available", f): what is patched has to be what the code asks
 * on the target. Decides the match of the module; false: it is no such place. */
static bool decide_patched(struct py *f, uint32_t node, struct py_match *m, struct str path) {
    uint32_t args = py_parent(f, node), string = py_next(f, node);
    if (!m->row.row->module || py_kind(f, args) != PY_ARGUMENT_LIST ||
        py_child(f, args, 0) != node || f->target.target->keep_names)
        return false;
    struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, args))));
    if (!py_lists(f, "python.patching_calls", callee)) return false;
    struct py_literal lit;
    struct row_ref row;
    struct str module = target_fact(f->target, "module");
    bool asks_one = str_find(module, S("("), 0) == module.n;
    bool known =
        py_kind(f, string) == PY_STRING && py_literal(f, string, &lit) && !lit.composed &&
        py_find_row(f, M_NAME, arena_printf(f->a, "%.*s.%.*s", STR_ARG(path), STR_ARG(lit.text)),
                    &row) &&
        !row.rule->without.n && !row.rule->with_is.n;
    const struct rcell *cell = known ? row_cell(row, f->target) : NULL;
    if (m->verdict == V_SAME && (!cell || cell->verdict == V_SAME)) return true;
    if (known && m->verdict != V_SAME) m->patched = py_renamed_to(f, row);
    if (m->patched.n || (asks_one && !known)) return true;
    m->verdict = V_MANUAL;
    m->message = arena_printf(
        f->a, "something of `%.*s` is patched: patch what the code calls now", STR_ARG(m->token));
    return true;
}

/* tt = torch.cuda if cuda else torch: what both have and programs ask for are tensor types
 * (tt.FloatTensor), which not every vendor's module has. */
static bool lacks_tensor_types(struct py *f, uint32_t node, const struct py_match *m) {
    uint32_t i = py_unparenthesized(f, node), p = py_parent(f, i);
    struct row_ref row;
    if (!m->row.row->module || m->verdict == V_SAME || py_kind(f, p) != PY_CONDITIONAL)
        return false;
    uint32_t other = py_child(f, p, 0) == i ? py_child(f, p, -1) : py_child(f, p, 0);
    if (!str_is(py_resolve(f, other).path, PY_TORCH)) return false;
    return py_find_row(f, M_NAME, S("torch.cuda.FloatTensor"), &row) && !py_renamed_to(f, row).n;
}

/* A hint about the target: nothing is to be patched for it. */
static bool row_is_lint(const struct py_match *m) { return m->row.rule && m->row.rule->lint; }

/* Whether the node stands where only a number can: version() < 8000, version() // 1000. */
static bool wants_number(const struct py *f, uint32_t node) {
    uint32_t i = py_unparenthesized(f, node), p = py_parent(f, i);
    struct str operator= py_kind(f, p) == PY_COMPARISON ? py_operator(f, p) : S("");
    bool call = py_kind(f, p) == PY_ARGUMENT_LIST &&
                str_is(py_text(f, py_callee(f, py_parent(f, p))), "int");
    return call || py_kind(f, p) == PY_BINARY_OPERATOR || str_starts(operator, S("<")) ||
           str_starts(operator, S(">"));
}

/* Matches the expression by its qualified name. */
static bool match_name(struct py *f, uint32_t node) {
    struct py_name n = py_resolve(f, node);
    if (!n.path.p || n.certainty == C_UNKNOWN) return false;
    uint32_t call = py_call_of(f, node);
    if (n.root != NO_NODE && f->bindings.v[n.root].kind == B_VALUE &&
        py_kind(f, node) == PY_IDENTIFIER && !is_chain_object(f, node)) {
        struct row_ref of_calls; /* a variable: the place that fills it is the token */
        if (call == NO_NODE || !py_find_row_at(f, M_NAME, n.path, call, &of_calls) ||
            !of_calls.rule->without.n)
            return false;
    }
    struct row_ref row;
    bool number =
        call != NO_NODE && py_lists(f, "torch.none_when_called", n.path) && wants_number(f, call);
    struct str path = number ? arena_concat(f->a, n.path, S(".ordered")) : n.path;
    enum py_row_found found = py_find_row_at(f, M_NAME, path, call, &row);
    bool known = found != ROW_NONE;
    bool imported = n.root != NO_NODE && f->bindings.v[n.root].kind == B_FROM &&
                    py_kind(f, node) == PY_IDENTIFIER;
    bool unknown = known && row.row->module && is_chain_object(f, node);
    if (!known && py_match_module_call(f, node, n)) return true;
    if (!known) { /* from torch.cuda import no_such_thing */
        if (!imported || !py_find_holder(f, n.path, &row)) return false;
        const struct rcell *cell = row_cell(row, f->target);
        unknown = !row.rule->together || !cell || cell->verdict != V_MANUAL; /* one finding */
    }
    if (!unknown && found == ROW_SILENT) return false;
    struct py_match *m;
    if (unknown) {
        uint32_t outer = known ? py_parent(f, node) : node;
        m = py_add_match(f, PM_UNKNOWN, outer, py_resolve(f, outer).path, NULL, n.certainty);
        m->row = row;
        if (f->target.target->keep_names) m->verdict = V_SAME;
        m->message =
            arena_printf(f->a, "`%.*s` is no name that the rules know", STR_ARG(m->token));
    } else {
        m = py_add_match(f, PM_NAME, node, n.path, &row, n.certainty);
    }
    m->name = n;
    if (m->cell && m->cell->keep_equal && m->verdict != V_SAME && n.certainty == C_EXACT &&
        (py_kind(f, py_parent(f, node)) == PY_COMPARISON || py_is_tested_type(f, node))) {
        m->context.compared = m->context.equality = true;
        m->verdict = V_SAME;
        m->message = S("the test keeps its meaning: it is true on NVIDIA only");
    }
    if (m->verdict != V_SAME && py_lists(f, "torch.shown_names", n.path) &&
        py_is_prose(f, call == NO_NODE ? node : call)) {
        m->verdict = V_SAME;
        m->message = S("the value is only shown to people");
    }
    bool of_cuda = py_lists(f, "torch.module", n.path);
    if (!unknown && decide_patched(f, node, m, n.path)) return true;
    if (!unknown && lacks_tensor_types(f, node, m)) {
        m->verdict = V_MANUAL;
        m->message = arena_printf(
            f->a, "`%.*s` stands for `torch` here: the target's module has no tensor types",
            STR_ARG(m->token));
        return true;
    }
    if (m->verdict == V_SHIM && !of_cuda && py_is_patched(f, n.path)) {
        m->verdict = V_SAME;
        m->message = S("the file puts something else in its place");
    } else if (m->verdict != V_SAME && (of_cuda || !is_renamed(m)) && !row_is_lint(m) &&
               py_is_target(f, node)) {
        m->verdict = V_MANUAL; /* somebody patches the module: for which vendor? */
        m->message = arena_printf(f->a, "`%.*s` is assigned to: decide what is to be patched",
                                  STR_ARG(m->token));
    }
    return true;
}

static bool is_assigned(const struct py *f, uint32_t node) {
    uint32_t p = py_parent(f, node);
    return (py_kind(f, p) == PY_ASSIGNMENT || py_kind(f, p) == PY_AUGMENTED_ASSIGNMENT) &&
           py_child(f, p, 0) == node;
}

/* `import model`, and later `model = model.Net()`: the name is no module any more. */
static bool is_rebound(struct py *f, uint32_t object) {
    if (py_kind(f, object) != PY_IDENTIFIER) return false;
    uint32_t b = py_lookup(f, py_scope_at(f, object), py_text(f, object));
    for (; b != NO_NODE; b = f->bindings.v[b].next)
        if (f->bindings.v[b].kind == B_VALUE) return true;
    return false;
}

/* A rule about what such an object has, where it has something to say; about methods where they
 * are called. A variable is what it was filled with. */
static bool find_receiver_row(struct py *f, uint32_t node, struct str name, struct row_ref *row) {
    size_t cursor = 0;
    bool called = py_call_of(f, node) != NO_NODE;
    uint32_t object = py_child(f, node, 0);
    while (rules_find(f->rules, M_ATTRIBUTE, name, &cursor, row)) {
        const struct rcell *cell = row->rule->receiver.n ? row_cell(*row, f->target) : NULL;
        if (!cell || (!called && (str_is(name, PY_CUDA) || row_is_method(*row)))) continue;
        struct str pattern = rs_str(row->set, row->rule->receiver);
        if (regex_match(f->regex, &row->rule->receiver, pattern, py_text(f, object)) ||
            (!called && regex_match(f->regex, &row->rule->receiver, pattern,
                                    py_text(f, py_value_of(f, object)))))
            return true;
    }
    return false;
}

/* Whether a name that `identifier` binds is called in the file: fn = model.cuda; fn(). */
static enum certainty is_called_later(const struct py *f, uint32_t identifier) {
    enum certainty sure = C_UNKNOWN;
    if (py_kind(f, identifier) != PY_IDENTIFIER) return sure;
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k], call = py_call_of(f, i);
        if (call == NO_NODE || !str_eq(py_text(f, i), py_text(f, identifier))) continue;
        bool bare =
            py_arguments(f, call) == NO_NODE || py_child(f, py_arguments(f, call), 0) == NO_NODE;
        if (!bare) return C_LIKELY;
        sure = C_EXACT;
    }
    return sure;
}

/* A method that is not called where it stands: is it handed to something that calls it? What says
 * nothing of that is the user's own, as args.cuda. */
static enum certainty bound_method(struct py *f, uint32_t node) {
    uint32_t parent = py_parent(f, node), object = py_child(f, node, 0);
    if (py_kind(f, parent) == PY_ARGUMENT_LIST && py_child(f, parent, 0) == node) {
        struct str callee = str_last_dotted(py_text(f, py_callee(f, py_parent(f, parent))));
        if (py_lists(f, "python.callers", callee)) return C_LIKELY;
    }
    if (py_kind(f, parent) == PY_ASSIGNMENT && py_child(f, parent, -1) == node) {
        uint32_t target = py_child(f, parent, 0);
        if (f->scope_of[node] == 0) py_want_uses(f, py_text(f, target));
        enum certainty sure = is_called_later(f, target);
        if (sure) return sure;
    }
    bool tested = py_kind(f, parent) == PY_IF || py_kind(f, parent) == PY_BOOLEAN_OPERATOR ||
                  py_kind(f, parent) == PY_NOT_OPERATOR || py_kind(f, parent) == PY_CONDITIONAL ||
                  py_kind(f, parent) == PY_COMPARISON;
    return !tested && receiver(f, object) == RECEIVER_TORCH ? C_LIKELY : C_UNKNOWN;
}

/* What an object may be whose attribute the project's own classes have, too. A property gets the
 * target's name beside its own where the rules say so, and then it answers to both. */
static enum receiver own_attribute(struct py *f, uint32_t object, struct str name, bool called) {
    if (called) return has_own_member(f, name, "()") ? RECEIVER_OWN : RECEIVER_UNKNOWN;
    bool is_property = !answers_to_target(f, name) && has_own_member(f, name, "@");
    if (str_is(py_text(f, object), "self") && sets_for_target(f, name)) {
        uint32_t around = py_ancestor(f, object, PY_CLASS);
        struct str set = arena_printf(f->a, "self.%.*s = ", STR_ARG(name));
        struct str text = around == NO_NODE ? S("") : py_text(f, around);
        if (str_find(text, set, 0) < text.n) return RECEIVER_OWN; /* by whichever name */
    }
    if (!is_property && !has_own_member(f, name, "")) return RECEIVER_UNKNOWN;
    if (f->partial) f->wants_whole = true; /* what tells of it may stand elsewhere */
    return str_is(py_text(f, object), "self") ? RECEIVER_OWN : RECEIVER_EITHER;
}

/* self.is_cuda = x: an object of the class answers to the target's name, too, where both are set.
 */
static bool match_own_attribute(struct py *f, uint32_t node, struct str name) {
    struct row_ref row;
    if (!is_plainly_set(f, node) || !find_own_method(f, "set", name, &row)) return false;
    struct str token = arena_printf(f->a, "self.%.*s", STR_ARG(name));
    struct py_match *m = py_add_match(f, PM_METHOD, py_child(f, node, -1), token, &row, C_EXACT);
    uint32_t around = py_ancestor(f, node, PY_CLASS);
    struct str other = arena_printf(f->a, "self.%.*s", STR_ARG(target_fact(f->target, "is_attr")));
    struct str text = around == NO_NODE ? S("") : py_text(f, around);
    if (m->verdict != V_SAME && (!text.n || str_find(text, other, 0) < text.n)) {
        m->verdict = V_SAME;
        m->message = arena_printf(f->a, "the class has %.*s, too", STR_ARG(other));
    }
    return true;
}

static bool match_attribute(struct py *f, uint32_t node) {
    struct str name = py_text(f, py_child(f, node, -1));
    struct row_ref row;
    uint32_t call = py_call_of(f, node);
    if (!find_receiver_row(f, node, name, &row) &&
        py_find_row_at(f, M_ATTRIBUTE, name, call, &row) == ROW_NONE)
        return false;
    uint32_t object = py_child(f, node, 0);
    struct py_name n = py_resolve(f, object);
    if (n.path.p && n.certainty != C_UNKNOWN && n.root != NO_NODE &&
        f->bindings.v[n.root].kind == B_IMPORT && !is_rebound(f, object)) {
        /* A module's own name; unless a statement that was not parsed gives it to something else.
         */
        if (py_kind(f, object) == PY_IDENTIFIER) py_want_uses(f, py_text(f, object));
        return false;
    }
    bool called = call != NO_NODE;
    if (!py_row_holds(f, call, row)) return false;
    /* `args.cuda`, `self.cuda = ...` are the user's own */
    bool method = str_is(name, PY_CUDA) || row_is_method(row);
    if (is_assigned(f, node) && !called) return match_own_attribute(f, node, name);
    enum certainty sure = method && !called ? bound_method(f, node) : C_EXACT;
    if (!sure) return false;
    struct row_ref asking;
    bool asks = method && called && asks_object(f, object, name, &asking);
    struct py_match *m =
        py_add_match(f, PM_ATTRIBUTE, node, arena_printf(f->a, ".%.*s", STR_ARG(name)),
                     asks ? &asking : &row, sure);
    m->start = py_node(f, py_child(f, node, -1))->start;
    m->end = py_node(f, py_child(f, node, -1))->end;
    m->name = n;
    if (m->verdict == V_SAME || asks) return true;
    uint32_t device = called && m->cell && m->cell->none.n ? py_argument(f, call, S("device"), 0)
                                                           : (uint32_t)NO_NODE;
    if (device != NO_NODE && py_may_be_none(f, device)) m->unset = device;
    enum receiver r = receiver(f, object);
    if (r == RECEIVER_UNKNOWN && !method) r = own_attribute(f, object, name, called);
    if (r == RECEIVER_OWN) {
        m->verdict = V_SAME;
        m->cell = NULL;
        m->message = arena_printf(f->a, "the project defines `%.*s` itself", STR_ARG(name));
    } else if (r == RECEIVER_EITHER) {
        m->certainty = C_LIKELY;
        m->message = arena_printf(
            f->a, "this may be a tensor, or an object of a class here that has `%.*s` itself",
            STR_ARG(name));
    } else if (r == RECEIVER_UNKNOWN && f->is_for_another) {
        m->verdict = V_MANUAL;
        m->cell = NULL;
        m->message = S("this file imports another framework, and not PyTorch: its objects have a "
                       "member of that name, too");
    } else if (r == RECEIVER_UNKNOWN && method && any_own_cuda(f) && !answers_to_target(f, name)) {
        if (f->partial)
            f->wants_whole = true; /* what the object is may stand in a part that was not parsed */
        m->certainty = C_LIKELY;
        m->message =
            S("this may be a tensor, or an object of a class here that defines cuda() itself");
    }
    return true;
}

/* The arguments by position of a call of which a vendor's function takes fewer, or others. */
static void match_positions(struct py *f, uint32_t call) {
    uint32_t callee = py_callee(f, call), a = py_child(f, py_arguments(f, call), 0);
    enum py_kind k = py_kind(f, callee);
    if (a == NO_NODE || (k != PY_IDENTIFIER && k != PY_ATTRIBUTE)) return;
    struct str last = py_text(f, k == PY_ATTRIBUTE ? py_child(f, callee, -1) : callee);
    if (k == PY_ATTRIBUTE && !rules_is_anchor(f->rules, RL_PYTHON, last, NULL)) return;
    struct py_name n = py_resolve(f, callee);
    if (!n.path.p || n.certainty != C_EXACT) return;
    if (!rules_is_anchor(f->rules, RL_PYTHON, str_last_dotted(n.path), NULL)) return;
    for (int i = 0; a != NO_NODE; a = py_next(f, a), i++) {
        struct row_ref row;
        if (py_kind(f, a) == PY_KEYWORD_ARGUMENT || *py_text(f, a).p == '*') return;
        struct str key = arena_printf(f->a, "%.*s(%d)", STR_ARG(n.path), i);
        if (py_find_row_at(f, M_KEYWORD, key, call, &row) != ROW_HOLDS) continue;
        py_add_match(f, PM_KEYWORD, a, key, &row, C_EXACT)->name = n;
    }
}

static void match_keywords(struct py *f, uint32_t call) {
    uint32_t args = py_arguments(f, call);
    if (args == NO_NODE) return;
    match_positions(f, call);
    for (uint32_t k = py_child(f, args, 0); k != NO_NODE; k = py_next(f, k)) {
        if (py_kind(f, k) != PY_KEYWORD_ARGUMENT) continue;
        struct str keyword = py_text(f, py_child(f, k, 0));
        if (!rules_is_anchor(f->rules, RL_PYTHON, keyword, NULL)) continue;
        if (py_match_environment_keyword(f, call, k)) continue;
        struct py_name n = py_resolve(f, py_callee(f, call));
        struct str method = py_kind(f, py_callee(f, call)) == PY_ATTRIBUTE
                                ? py_text(f, py_child(f, py_callee(f, call), -1))
                                : S("");
        struct str keys[] = {arena_printf(f->a, "%.*s(%.*s)", STR_ARG(n.path), STR_ARG(keyword)),
                             arena_printf(f->a, ".%.*s(%.*s)", STR_ARG(method), STR_ARG(keyword)),
                             arena_printf(f->a, "(%.*s)", STR_ARG(keyword)),
                             arena_printf(f->a, "[](%.*s)", STR_ARG(keyword))};
        bool launch = py_kind(f, py_callee(f, call)) == PY_SUBSCRIPT; /* kernel[grid](...) */
        for (size_t i = 0; i < ARRAY_LEN(keys) - !launch; i++) {
            struct row_ref row;
            if (py_find_row_at(f, M_KEYWORD, keys[i], call, &row) != ROW_HOLDS) continue;
            struct py_match *m = py_add_match(f, PM_KEYWORD, k, keys[i], &row, C_EXACT);
            m->end = py_node(f, py_child(f, k, 0))->end;
            m->name = n;
            break;
        }
    }
}

/* ---- the walk ---- */

/* A cheap test before an identifier is resolved: can what it is bound to be a rule's name at all?
 */
static bool worth_resolving(struct py *f, uint32_t identifier) {
    uint32_t b = py_lookup(f, py_scope_at(f, identifier), py_text(f, identifier));
    if (b == NO_NODE) return str_is(py_text(f, identifier), PY_TORCH) || f->star_modules.n;
    for (; b != NO_NODE; b = f->bindings.v[b].next) {
        const struct py_binding *x = &f->bindings.v[b];
        if (x->kind == B_IMPORT || x->kind == B_FROM) return true;
        if (x->kind != B_VALUE) continue;
        enum py_kind k = py_kind(f, x->value);
        if (k == PY_ATTRIBUTE || k == PY_IDENTIFIER || k == PY_CALL) return true;
    }
    return false;
}

/* Imports at module level under a name that is no anchor, of something whose path holds one: the
 * uses don't show. */
static void want_uses_of_imports(struct py *f) {
    for (size_t i = 0; f->partial && i < f->bindings.n; i++) {
        const struct py_binding *b = &f->bindings.v[i];
        if (b->scope == 0 && (b->kind == B_IMPORT || b->kind == B_FROM) &&
            py_has_anchor(f, b->path))
            py_want_uses(f, b->name);
    }
}

/* A name assigned at module level without an anchor in it may be used in statements that were not
 * parsed. */
static void want_uses_of_copy(struct py *f, const struct py_match *m) {
    uint32_t p = py_parent(f, m->node);
    if (m->kind == PM_NAME && py_kind(f, p) == PY_ASSIGNMENT && f->scope_of[p] == 0)
        py_want_uses(f, py_text(f, py_child(f, p, 0)));
}

/* Backend.NCCL below `Backend = dist.Backend`, which has no anchor: what an unbound name is may
 * stand in a statement that was not parsed. */
static void want_root(struct py *f, uint32_t attribute) {
    uint32_t root = py_child(f, attribute, 0);
    struct row_ref row;
    struct str last = py_text(f, py_child(f, attribute, -1));
    if (f->partial && py_kind(f, root) == PY_IDENTIFIER && py_has_anchor(f, last) &&
        py_lookup(f, py_scope_at(f, root), py_text(f, root)) == NO_NODE &&
        !py_find_row(f, M_ATTRIBUTE, last, &row))
        py_want_uses(f, py_text(f, root));
}

void py_match_all(struct py *f) {
    py_bind(f);
    py_start_accounting(f);
    want_uses_of_imports(f);
    py_find_configuration(f);
    py_ask_for_helpers(f);
    if (f->wants_whole || f->wanted_names.n) return;
    for (uint32_t i = 0; i < f->tree.n;) {
        uint32_t skip = py_node(f, i)->next;
        size_t before = f->matches.n;
        bool whole = false; /* the subtree is dealt with */
        switch (py_kind(f, i)) {
        case PY_IMPORT:
            py_match_import(f, i);
            py_account_import(f, i);
            whole = true;
            break;
        case PY_IMPORT_FROM:
            py_match_import_from(f, i);
            py_account_import(f, i);
            whole = true;
            break;
        case PY_FUTURE_IMPORT:
            whole = true;
            break;
        case PY_ATTRIBUTE:
            whole = match_name(f, i);
            if (!whole) match_attribute(f, i);
            if (!whole) want_root(f, i);
            break;
        case PY_CALL:
            match_keywords(f, i);
            if (py_kind(f, py_callee(f, i)) == PY_IDENTIFIER &&
                str_is(py_text(f, py_callee(f, i)), "getattr") && !is_chain_object(f, i))
                whole = match_name(f, i);
            break;
        case PY_IDENTIFIER:
            if (!is_binding_node(f, i) && worth_resolving(f, i)) match_name(f, i);
            py_account_name(f, i);
            break;
        case PY_STRING:
            py_account_string(f, i, py_match_string(f, i));
            break;
        case PY_FUNCTION:
            match_own_method(f, i);
            break;
        case PY_EXPRESSION_STATEMENT: /* docstrings and other strings that go nowhere */
            whole = py_kind(f, py_child(f, i, 0)) == PY_STRING &&
                    py_child(f, i, -1) == py_child(f, i, 0) &&
                    py_text(f, py_child(f, py_child(f, i, 0), 0)).n > 0;
            break;
        default:
            break;
        }
        for (size_t m = before; m < f->matches.n; m++) {
            py_look_around(f, &f->matches.v[m]);
            want_uses_of_copy(f, &f->matches.v[m]);
        }
        f->too_many = f->matches.n > PY_MAX_MATCHES;
        if (f->too_many) return;
        i = whole ? skip : i + 1;
    }
    py_count_module_uses(f);
    py_gather_lists(f);
    py_settle(f);
    py_settle_hopeless(f);
    py_settle_refused(f);
    py_settle_branches(f);
    py_settle_vendor_file(f);
}
