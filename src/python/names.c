/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - scopes, bindings and qualified names, by Python's own rules.
 *
 * One pass over the preorder array gives every node its scope and collects what binds names;
 * resolving looks them up through local, enclosing and module scopes. Nothing here knows a rule or
 * a target. */
#include "python/py.h"

static const char *const kind_names[] = {
    "",
#define PY(e, name) name,
#include "python/py_kinds.def"
#undef PY
};
const struct kind_table py_kind_table = {kind_names, PY_KINDS, PY_ERROR};

/* ---- moving about ---- */

/* What stands between the parts of a statement: comments, a backslash that ends a line. */
static bool is_between(const struct py *f, uint32_t i) {
    return !py_node(f, i)->named || py_kind(f, i) == PY_COMMENT ||
           (py_node(f, i)->start < f->src.n && f->src.p[py_node(f, i)->start] == '\\');
}

uint32_t py_child(const struct py *f, uint32_t i, int n) {
    uint32_t found = NO_NODE;
    if (i >= f->tree.n) return NO_NODE;
    for (uint32_t c = tree_first_child(&f->tree, i); c != NO_NODE;
         c = tree_next_sibling(&f->tree, c)) {
        if (is_between(f, c)) continue;
        found = c;
        if (n-- == 0) return c;
    }
    return n < 0 ? found : (uint32_t)NO_NODE;
}

uint32_t py_next(const struct py *f, uint32_t i) {
    if (i >= f->tree.n) return NO_NODE;
    do i = tree_next_sibling(&f->tree, i);
    while (i != NO_NODE && is_between(f, i));
    return i;
}

uint32_t py_ancestor(const struct py *f, uint32_t i, enum py_kind kind) {
    for (; i != NO_NODE; i = py_parent(f, i))
        if (py_kind(f, i) == kind) return i;
    return NO_NODE;
}

uint32_t py_callee(const struct py *f, uint32_t call) { return py_child(f, call, 0); }

uint32_t py_arguments(const struct py *f, uint32_t call) {
    uint32_t args = py_child(f, call, -1);
    return py_kind(f, args) == PY_ARGUMENT_LIST ? args : (uint32_t)NO_NODE;
}

uint32_t py_call_of(const struct py *f, uint32_t i) {
    uint32_t p = py_parent(f, i);
    return py_kind(f, p) == PY_CALL && py_callee(f, p) == i ? p : (uint32_t)NO_NODE;
}

uint32_t py_argument(const struct py *f, uint32_t call, struct str name, int position) {
    uint32_t args = py_arguments(f, call);
    if (args == NO_NODE) return NO_NODE;
    int at = 0;
    for (uint32_t c = py_child(f, args, 0); c != NO_NODE; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_KEYWORD_ARGUMENT) {
            if (name.n && str_eq(py_text(f, py_child(f, c, 0)), name)) return py_child(f, c, -1);
        } else if (at++ == position) {
            return c;
        }
    }
    return NO_NODE;
}

uint32_t py_in_parentheses(const struct py *f, uint32_t i) {
    while (py_kind(f, i) == PY_PARENTHESIZED) i = py_child(f, i, 0);
    return i;
}

uint32_t py_unparenthesized(const struct py *f, uint32_t i) {
    while (py_kind(f, py_parent(f, i)) == PY_PARENTHESIZED) i = py_parent(f, i);
    return i;
}

struct str py_operator(const struct py *f, uint32_t operation) {
    struct str s = str_sub(f->src, py_node(f, py_child(f, operation, 0))->end,
                           py_node(f, py_child(f, operation, -1))->start);
    while (s.n && (strchr(" \t\r\n\\", s.p[0]) || s.p[0] == '#'))
        s = str_sub(s, s.p[0] == '#' ? str_find(s, S("\n"), 0) : 1, s.n);
    s.n = str_find(s, S("#"), 0);
    while (s.n && strchr(" \t\r\n\\", s.p[s.n - 1])) s.n--;
    return s;
}

bool py_is_and(const struct py *f, uint32_t node) {
    return py_kind(f, node) == PY_BOOLEAN_OPERATOR && str_is(py_operator(f, node), "and");
}

bool py_leaves(const struct py *f, uint32_t block) {
    uint32_t last = py_child(f, block, -1);
    return py_kind(f, last) == PY_RETURN || str_starts(py_text(f, last), S("raise")) ||
           str_starts(py_text(f, last), S("continue"));
}

bool py_mentions(const struct py *f, const char *list, struct str text) {
    struct str word;
    for (size_t at = 0; rules_next_word(f->rules, list, &at, &word);)
        if (str_find(text, word, 0) < text.n) return true;
    return false;
}

/* ---- bindings ---- */

static uint32_t binding_slot(const struct py *f, uint32_t scope, struct str name) {
    uint64_t h = str_hash(name) ^ (scope * 0x9E3779B97F4A7C15u);
    uint32_t i = (uint32_t)(h ^ h >> 32) & f->binding_mask;
    while (f->binding_table[i]) {
        const struct py_binding *b = &f->bindings.v[f->binding_table[i] - 1];
        if (b->scope == scope && str_eq(b->name, name)) return i;
        i = (i + 1) & f->binding_mask;
    }
    return i;
}

static void rehash(struct py *f) {
    f->binding_mask = f->binding_mask ? f->binding_mask * 2 + 1 : 127;
    uint32_t *old = f->binding_table;
    uint32_t old_n = old ? (f->binding_mask - 1) / 2 + 1 : 0;
    f->binding_table = arena_zalloc(f->a, (f->binding_mask + 1) * sizeof *f->binding_table);
    for (uint32_t i = 0; i < old_n; i++)
        if (old[i]) {
            const struct py_binding *b = &f->bindings.v[old[i] - 1];
            f->binding_table[binding_slot(f, b->scope, b->name)] = old[i];
        }
}

static bool in_handler(const struct py *f, uint32_t node) {
    for (uint32_t i = node; i != NO_NODE; i = py_parent(f, i)) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_EXCEPT) return true;
        bool own_name = py_child(f, i, 0) == node; /* of a stand-in: class Missing: */
        if (k == PY_LAMBDA || ((k == PY_FUNCTION || k == PY_CLASS) && !own_name)) return false;
    }
    return false;
}

static void bind_in(struct py *f, uint32_t scope, uint32_t node, enum binding_kind kind,
                    struct str path, uint32_t value) {
    struct str name = py_text(f, node);
    if (f->bindings.n * 2 >= f->binding_mask) rehash(f);
    uint32_t slot = binding_slot(f, scope, name);
    if (f->binding_table[slot]) {
        struct py_binding *first = &f->bindings.v[f->binding_table[slot] - 1];
        if (first->kind == B_ELSEWHERE && kind != B_ELSEWHERE) {
            uint32_t home = 0; /* global; nonlocal: the enclosing function */
            if (py_kind(f, py_parent(f, first->node)) == PY_NONLOCAL)
                home = f->scopes.v[scope].parent;
            if (home != scope) bind_in(f, home, node, kind, path, value);
            return;
        }
    }
    uint32_t index = (uint32_t)f->bindings.n;
    struct py_binding b = {.name = name,
                           .path = path,
                           .scope = scope,
                           .node = node,
                           .value = value,
                           .next = NO_NODE,
                           .last = index,
                           .kind = (uint8_t)kind,
                           .in_handler = in_handler(f, node)};
    vec_push(f->a, &f->bindings, b);
    if (!f->binding_table[slot]) {
        f->binding_table[slot] = index + 1;
        return;
    }
    struct py_binding *first = &f->bindings.v[f->binding_table[slot] - 1];
    f->bindings.v[first->last].next = index;
    first->last = index;
}

static void bind(struct py *f, uint32_t node, enum binding_kind kind, struct str path,
                 uint32_t value) {
    uint32_t scope = f->scope_of[node];
    if (kind != B_OTHER || py_kind(f, py_parent(f, node)) == PY_NAMED_EXPRESSION)
        while (f->scopes.v[scope].kind == SCOPE_COMPREHENSION) scope = f->scopes.v[scope].parent;
    bind_in(f, scope, node, kind, path, value);
}

struct str py_dotted(struct py *f, uint32_t node) {
    struct str text = py_text(f, node);
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == ' ' || text.p[i] == '\n' || text.p[i] == '\t' || text.p[i] == '\\') {
            struct buf b;
            buf_init(&b, f->a);
            for (uint32_t c = py_child(f, node, 0); c != NO_NODE; c = py_next(f, c)) {
                if (b.n) buf_addc(&b, '.');
                buf_add(&b, py_text(f, c));
            }
            return buf_str(&b);
        }
    return text;
}

static void bind_import(struct py *f, uint32_t statement) {
    for (uint32_t c = py_child(f, statement, 0); c != NO_NODE; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_ALIASED_IMPORT) {
            bind(f, py_child(f, c, -1), B_IMPORT, py_dotted(f, py_child(f, c, 0)), NO_NODE);
        } else if (py_kind(f, c) == PY_DOTTED_NAME) {
            uint32_t first = py_child(f, c, 0);
            bind(f, first, B_IMPORT, py_text(f, first), NO_NODE);
        }
    }
}

static void bind_import_from(struct py *f, uint32_t statement) {
    uint32_t module = py_child(f, statement, 0);
    while (module != NO_NODE && py_kind(f, module) != PY_RELATIVE_IMPORT &&
           py_kind(f, module) != PY_DOTTED_NAME)
        module = py_next(f, module); /* a backslash at the end of the line is a node */
    if (module == NO_NODE) return;
    struct str base =
        py_kind(f, module) == PY_RELATIVE_IMPORT ? py_text(f, module) : py_dotted(f, module);
    for (uint32_t c = py_next(f, module); c != NO_NODE; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_WILDCARD_IMPORT) {
            vec_push(f->a, &f->star_imports, c);
            vec_push(f->a, &f->star_modules, base);
            continue;
        }
        bool aliased = py_kind(f, c) == PY_ALIASED_IMPORT;
        struct str name = py_dotted(f, aliased ? py_child(f, c, 0) : c);
        uint32_t bound = aliased ? py_child(f, c, -1) : c;
        bind(f, bound, B_FROM, arena_printf(f->a, "%.*s.%.*s", STR_ARG(base), STR_ARG(name)),
             NO_NODE);
    }
}

/* Every identifier inside a pattern that is not part of an attribute or subscript. */
static void bind_pattern(struct py *f, uint32_t node) {
    for (uint32_t i = node; i < py_node(f, node)->next;) {
        enum py_kind k = py_kind(f, i);
        if (k == PY_ATTRIBUTE || k == PY_SUBSCRIPT || k == PY_CALL) {
            i = py_node(f, i)->next;
            continue;
        }
        if (k == PY_IDENTIFIER) bind(f, i, B_OTHER, (struct str){0}, NO_NODE);
        i++;
    }
}

static uint32_t assigned_value(const struct py *f, uint32_t assignment) {
    uint32_t left = py_child(f, assignment, 0), right = py_child(f, assignment, -1);
    return right == left || py_kind(f, right) == PY_TYPE ? (uint32_t)NO_NODE : right;
}

static void bind_parameter(struct py *f, uint32_t p) {
    enum py_kind k = py_kind(f, p);
    if (k == PY_IDENTIFIER)
        bind(f, p, B_PARAMETER, (struct str){0}, NO_NODE);
    else if (k == PY_DEFAULT_PARAMETER || k == PY_TYPED_DEFAULT_PARAMETER) {
        uint32_t name = py_child(f, p, 0);
        if (py_kind(f, name) == PY_IDENTIFIER)
            bind(f, name, B_PARAMETER, (struct str){0}, py_child(f, p, -1));
    } else if (k == PY_TYPED_PARAMETER) {
        uint32_t name = py_child(f, p, 0);
        if (py_kind(f, name) != PY_IDENTIFIER) name = py_child(f, name, 0);
        if (name != NO_NODE) bind(f, name, B_PARAMETER, (struct str){0}, NO_NODE);
    } else if (k == PY_LIST_SPLAT_PATTERN || k == PY_DICTIONARY_SPLAT_PATTERN ||
               k == PY_TUPLE_PATTERN) {
        bind_pattern(f, p);
    }
}

/* A class that defines cuda(); is_cuda and the like: match.c asks for them. */
static void note_own_cuda(struct py *f, uint32_t function) {
    uint32_t scope = f->scope_of[function], class_node = f->scopes.v[scope].node;
    if (!str_is(py_text(f, py_child(f, function, 0)), PY_CUDA)) return;
    size_t def = py_node(f, function)->start;
    if (f->scopes.v[scope].kind != SCOPE_CLASS ||
        str_ends(py_member_kind(f->a, S(PY_CUDA), f->src, def), S("@")))
        return;
    struct py_own_class own = {.name = py_text(f, py_child(f, class_node, 0)),
                               .path = f->path,
                               .moves = py_moves_by_to(f->src, def)};
    vec_push(f->a, &f->own_cuda_classes, own);
}

static void bind_node(struct py *f, uint32_t i) {
    switch (py_kind(f, i)) {
    case PY_IMPORT:
        bind_import(f, i);
        break;
    case PY_IMPORT_FROM:
        bind_import_from(f, i);
        break;
    case PY_ASSIGNMENT: {
        uint32_t left = py_child(f, i, 0);
        uint32_t value = assigned_value(f, i);
        while (py_kind(f, value) == PY_ASSIGNMENT)
            value = assigned_value(f, value); /* a = b = c */
        if (py_kind(f, left) == PY_IDENTIFIER) {
            if (value != NO_NODE) bind(f, left, B_VALUE, (struct str){0}, value);
        } else {
            bind_pattern(f, left);
            if (py_kind(f, left) == PY_ATTRIBUTE && value != NO_NODE &&
                str_is(py_text(f, py_child(f, left, -1)), PY_TORCH) &&
                str_is(py_text(f, value), PY_TORCH))
                f->torch_in_member = true;
        }
        break;
    }
    case PY_NAMED_EXPRESSION:
        bind(f, py_child(f, i, 0), B_VALUE, (struct str){0}, py_child(f, i, -1));
        break;
    case PY_AUGMENTED_ASSIGNMENT:
    case PY_FOR:
    case PY_FOR_IN:
        bind_pattern(f, py_child(f, i, 0));
        break;
    case PY_AS_PATTERN_TARGET:
        bind_pattern(f, i);
        break;
    case PY_CASE_PATTERN:
    case PY_DELETE:
        break;
    case PY_FUNCTION:
        bind(f, py_child(f, i, 0), B_FUNCTION, (struct str){0}, NO_NODE);
        note_own_cuda(f, i);
        break;
    case PY_CLASS:
        bind(f, py_child(f, i, 0), B_CLASS, (struct str){0}, NO_NODE);
        break;
    case PY_PARAMETERS:
    case PY_LAMBDA_PARAMETERS:
        for (uint32_t c = py_child(f, i, 0); c != NO_NODE; c = py_next(f, c)) bind_parameter(f, c);
        break;
    case PY_GLOBAL:
    case PY_NONLOCAL:
        if (f->scope_of[i] != 0)
            for (uint32_t c = py_child(f, i, 0); c != NO_NODE; c = py_next(f, c))
                bind(f, c, B_ELSEWHERE, (struct str){0}, NO_NODE);
        break;
    default:
        break;
    }
}

static uint32_t new_scope(struct py *f, uint32_t node, uint32_t parent, int kind) {
    struct py_scope s = {node, parent, (uint8_t)kind};
    vec_push(f->a, &f->scopes, s);
    return (uint32_t)f->scopes.n - 1;
}

/* Scope that the children of i start in, given their kind; opens it on first use. */
static uint32_t inner_scope(struct py *f, uint32_t i, uint32_t *opened, int kind) {
    if (opened[i] == 0) opened[i] = new_scope(f, i, f->scope_of[i], kind) + 1;
    return opened[i] - 1;
}

static uint32_t scope_below(struct py *f, uint32_t parent, uint32_t i, uint32_t *opened) {
    enum py_kind pk = py_kind(f, parent), k = py_kind(f, i);
    switch (pk) {
    case PY_FUNCTION:
        if (k == PY_BLOCK || k == PY_PARAMETERS)
            return inner_scope(f, parent, opened, SCOPE_FUNCTION);
        break;
    case PY_LAMBDA:
        return inner_scope(f, parent, opened, SCOPE_FUNCTION);
    case PY_CLASS:
        if (k == PY_BLOCK) return inner_scope(f, parent, opened, SCOPE_CLASS);
        break;
    case PY_LIST_COMPREHENSION:
    case PY_SET_COMPREHENSION:
    case PY_DICTIONARY_COMPREHENSION:
    case PY_GENERATOR:
        return inner_scope(f, parent, opened, SCOPE_COMPREHENSION);
    case PY_DEFAULT_PARAMETER:
    case PY_TYPED_DEFAULT_PARAMETER:
    case PY_TYPED_PARAMETER: /* defaults and annotations are evaluated outside */
        if (k == PY_TYPE || py_child(f, parent, -1) == i)
            if (py_child(f, parent, 0) != i) return f->scopes.v[f->scope_of[parent]].parent;
        break;
    default:
        break;
    }
    return f->scope_of[parent];
}

void py_bind(struct py *f) {
    uint32_t n = f->tree.n;
    f->scope_of = arena_zalloc(f->a, n * sizeof *f->scope_of);
    uint32_t *opened = arena_zalloc(f->a, n * sizeof *opened);
    rehash(f);
    new_scope(f, 0, 0, SCOPE_MODULE);
    for (uint32_t i = 1; i < n; i++)
        f->scope_of[i] = scope_below(f, py_node(f, i)->parent, i, opened);
    for (uint32_t i = 0; i < n; i++) {
        if (py_kind(f, i) == PY_IDENTIFIER) vec_push(f->a, &f->identifiers, i);
        bind_node(f, i);
    }
    f->meaning = arena_alloc(f->a, (f->bindings.n + 1) * sizeof *f->meaning);
}

uint32_t py_lookup(const struct py *f, uint32_t scope, struct str name) {
    bool from_inside = false;
    for (;;) {
        const struct py_scope *s = &f->scopes.v[scope];
        if (s->kind != SCOPE_CLASS || !from_inside) {
            uint32_t b = f->binding_table[binding_slot(f, scope, name)];
            if (b && f->bindings.v[b - 1].kind != B_ELSEWHERE) return b - 1;
            if (b && py_kind(f, py_parent(f, f->bindings.v[b - 1].node)) == PY_GLOBAL) {
                b = f->binding_table[binding_slot(f, 0, name)];
                return b ? b - 1 : (uint32_t)NO_NODE;
            }
        }
        if (scope == 0) return NO_NODE;
        if (s->kind == SCOPE_FUNCTION || s->kind == SCOPE_COMPREHENSION) from_inside = true;
        scope = s->parent;
    }
}

/* ---- qualified names ---- */

static struct py_name resolve_depth(struct py *f, uint32_t node, int depth);

/* `x = None` and the like beside an import say "not there", not "something else". */
static bool is_absence(struct py *f, const struct py_binding *b) {
    enum py_kind k = b->value == NO_NODE ? PY_OTHER : py_kind(f, b->value);
    return (b->kind == B_VALUE && (k == PY_NONE || k == PY_FALSE)) ||
           (b->in_handler && b->kind != B_IMPORT && b->kind != B_FROM);
}

/* `X = X` below `from m import X`, to export it: says nothing new. */
static bool is_itself(struct py *f, const struct py_binding *b) {
    return b->kind == B_VALUE && b->scope == 0 && str_eq(py_text(f, b->value), b->name);
}

/* `torch = torch` alone: what the name is, comes from elsewhere. */
static bool binds_only_itself(struct py *f, uint32_t first) {
    for (uint32_t i = first; i != NO_NODE; i = f->bindings.v[i].next)
        if (!is_itself(f, &f->bindings.v[i])) return false;
    return true;
}

static struct str binding_path(struct py *f, uint32_t i, int depth) {
    const struct py_binding *b = &f->bindings.v[i];
    if (b->kind == B_IMPORT || b->kind == B_FROM) return b->path;
    if (b->kind == B_VALUE && depth < 16) {
        struct py_name n = resolve_depth(f, b->value, depth + 1);
        /* A call's result is not the callee; only names stand for what they name. */
        if (n.path.p && n.root != NO_NODE) return n.path;
    }
    return (struct str){0};
}

/* Whether a condition asks for a PyTorch of 1.9 or older: LooseVersion(torch.__version__) >=
 * LooseVersion("1.6.0"). */
static bool asks_for_old_torch(const struct py *f, uint32_t condition) {
    struct str s = py_text(f, condition);
    if (str_find(s, S(PY_TORCH ".__version__"), 0) == s.n) return false;
    for (size_t i = 0; i + 4 < s.n; i++)
        if (strchr("\"'", s.p[i]) && strchr("01", s.p[i + 1]) && s.p[i + 2] == '.' &&
            is_word_char(s.p[i + 3]) && !is_word_char(s.p[i + 4]))
            return true;
    return false;
}

/* `else: def autocast(enabled=True): yield` below `if torch.__version__ >= "1.6": from torch.x
 * import autocast`: what stands in for it in a PyTorch that no vendor's package goes with. */
static bool is_for_old_torch(const struct py *f, uint32_t first, uint32_t i) {
    const struct py_binding *b = &f->bindings.v[i];
    uint32_t branch = py_ancestor(f, b->node, PY_IF);
    if (b->kind == B_IMPORT || b->kind == B_FROM || branch == NO_NODE ||
        !asks_for_old_torch(f, py_child(f, branch, 0)))
        return false;
    for (uint32_t k = first; k != NO_NODE; k = f->bindings.v[k].next) {
        const struct py_binding *other = &f->bindings.v[k];
        bool imports = other->kind == B_IMPORT || other->kind == B_FROM;
        if (imports && py_ancestor(f, other->node, PY_IF) == branch) return true;
    }
    return false;
}

/* All bindings of the name in its scope, seen together. */
static struct py_name resolve_binding(struct py *f, uint32_t first, int depth) {
    struct py_name out = {.root = first, .certainty = C_EXACT};
    bool other = false;
    if (f->bindings.v[first].resolving == 2) return f->meaning[first];
    if (f->bindings.v[first].resolving == 1) return out;
    f->bindings.v[first].resolving = 1;
    for (uint32_t i = first; i != NO_NODE; i = f->bindings.v[i].next) {
        if (is_absence(f, &f->bindings.v[i]) || is_itself(f, &f->bindings.v[i]) ||
            is_for_old_torch(f, first, i))
            continue;
        struct str path = binding_path(f, i, depth);
        if (!path.p) {
            other = true;
        } else if (!out.path.p) {
            out.path = path;
            out.root = i;
        } else if (!str_eq(out.path, path)) {
            out.certainty = C_LIKELY;
        }
    }
    if (out.path.p && other) out.certainty = C_LIKELY;
    f->bindings.v[first].resolving = 2;
    f->meaning[first] = out;
    return out;
}

static struct py_name resolve_identifier(struct py *f, uint32_t node, int depth) {
    struct str name = py_text(f, node);
    uint32_t b = py_lookup(f, py_scope_at(f, node), name);
    if (b != NO_NODE && !binds_only_itself(f, b)) return resolve_binding(f, b, depth);
    for (size_t i = 0; i < f->star_modules.n; i++) {
        struct str path =
            arena_printf(f->a, "%.*s.%.*s", STR_ARG(f->star_modules.v[i]), STR_ARG(name));
        size_t cursor = 0;
        struct row_ref row;
        if (rules_find(f->rules, M_NAME, path, &cursor, &row))
            return (struct py_name){path, C_LIKELY, NO_NODE};
    }
    /* Nothing in the file binds it. A module name that everybody imports under its own name stands
     * for itself. */
    return (struct py_name){name, str_is(name, PY_TORCH) ? C_EXACT : C_UNKNOWN, NO_NODE};
}

/* The text of a plain string literal, or p == NULL. */
static struct str plain_string(const struct py *f, uint32_t node) {
    if (py_kind(f, node) != PY_STRING) return (struct str){0};
    uint32_t content = py_child(f, node, 1);
    if (py_kind(f, content) != PY_STRING_CONTENT ||
        py_kind(f, py_next(f, content)) != PY_STRING_END ||
        tree_first_child(&f->tree, content) != NO_NODE)
        return (struct str){0};
    return py_text(f, content);
}

static struct py_name resolve_call(struct py *f, uint32_t call, int depth) {
    struct py_name none = {.root = NO_NODE};
    uint32_t callee = py_callee(f, call);
    struct str literal;
    if (py_kind(f, callee) == PY_IDENTIFIER && str_is(py_text(f, callee), "getattr")) {
        literal = plain_string(f, py_argument(f, call, S(""), 1));
        uint32_t object = py_argument(f, call, S(""), 0);
        if (!literal.p || object == NO_NODE || depth > 16) return none;
        struct py_name n = resolve_depth(f, object, depth + 1);
        if (n.path.p) n.path = arena_printf(f->a, "%.*s.%.*s", STR_ARG(n.path), STR_ARG(literal));
        return n;
    }
    struct py_name n = depth > 16 ? none : resolve_depth(f, callee, depth + 1);
    if (!n.path.p || !py_lists(f, "python.importing_calls", n.path)) return none;
    literal = plain_string(f, py_argument(f, call, S("name"), 0));
    return (struct py_name){literal, C_EXACT, n.root};
}

/* `self.torch.cuda.empty_cache` in a file that says `self.torch = torch`: most likely that one.
 * The chain's members stand in v, the last one first. */
static struct py_name torch_in_member(struct py *f, const uint32_t *v, size_t n) {
    struct py_name out = {.root = NO_NODE};
    struct buf b;
    while (n >= 2 &&
           !(str_is(py_text(f, v[n - 1]), PY_TORCH) && str_is(py_text(f, v[n - 2]), PY_CUDA)))
        n--;
    if (n < 2) return out;
    if (f->partial) f->wants_whole = true; /* the assignment may not have been parsed */
    if (!f->torch_in_member) return out;
    buf_init(&b, f->a);
    while (n > 0) {
        buf_add(&b, py_text(f, v[--n]));
        if (n) buf_addc(&b, '.');
    }
    return (struct py_name){buf_str(&b), C_LIKELY, NO_NODE};
}

static struct py_name resolve_depth(struct py *f, uint32_t node, int depth) {
    /* Down the chain a.b.c to its first object, then back up; chains may be long, so no recursion.
     */
    uint32_t base = node;
    size_t n_attributes = 0;
    for (;; n_attributes++) {
        while (py_kind(f, base) == PY_PARENTHESIZED) base = py_child(f, base, 0);
        if (py_kind(f, base) != PY_ATTRIBUTE || n_attributes > 64) break;
        base = py_child(f, base, 0);
    }
    struct py_name n = {.root = NO_NODE};
    if (n_attributes > 64) return n; /* nobody writes that */
    if (py_kind(f, base) == PY_IDENTIFIER)
        n = resolve_identifier(f, base, depth);
    else if (py_kind(f, base) == PY_CALL)
        n = resolve_call(f, base, depth);
    if (n_attributes == 0) return n;
    uint32_t chain[64];
    size_t k = 0;
    for (uint32_t i = node; i != base;) {
        if (py_kind(f, i) == PY_ATTRIBUTE) chain[k++] = py_child(f, i, -1);
        i = py_child(f, i, 0);
    }
    struct py_name member = torch_in_member(f, chain, k);
    if (member.path.p) return member;
    if (!n.path.p) return n;
    struct buf b;
    buf_init(&b, f->a);
    buf_add(&b, n.path);
    while (k > 0) {
        buf_addc(&b, '.');
        buf_add(&b, py_text(f, chain[--k]));
    }
    n.path = buf_str(&b);
    return n;
}

struct py_name py_resolve(struct py *f, uint32_t node) {
    return resolve_depth(f, node, 0);
}
