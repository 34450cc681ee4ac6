/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - dictionaries that are asked by a device: what is a key there is one everywhere.
 *
 * A key "cuda" is one of data like any other, until somebody looks it up by x.device.type. The
 * display, the look-ups by a literal and those by a device have to agree, so each of them is asked
 * about through the text of the variable. */
#include "python/match.h"

static bool is_device(struct py *f, struct row_ref row, uint32_t i) {
    if (py_kind(f, i) == PY_STRING) return false;
    struct str name = py_describing_name(f, i);
    return py_name_fits(f, row, name) || (str_is(name, "type") && py_kind(f, i) == PY_ATTRIBUTE &&
                                          row.rule->shape == SHAPE_DEVICE);
}

/* table.get(x.device.type): the argument, where the node is what such a call is made of. */
static uint32_t asked_key(const struct py *f, uint32_t table) {
    uint32_t p = py_parent(f, table);
    if (py_kind(f, p) == PY_SUBSCRIPT && py_child(f, p, 0) == table) return py_child(f, p, 1);
    if (py_kind(f, p) == PY_COMPARISON && py_child(f, p, -1) == table) return py_child(f, p, 0);
    if (py_kind(f, p) != PY_ATTRIBUTE || py_child(f, p, 0) != table) return NO_NODE;
    struct str method = py_text(f, py_child(f, p, -1));
    bool asks = str_is(method, "get") || str_is(method, "pop") || str_is(method, "setdefault");
    uint32_t call = py_call_of(f, p);
    return asks && call != NO_NODE ? py_child(f, py_arguments(f, call), 0) : (uint32_t)NO_NODE;
}

/* Whether both say the same variable or attribute. */
static bool is_same(const struct py *f, uint32_t i, uint32_t table) {
    if (py_kind(f, i) != py_kind(f, table) || !str_eq(py_text(f, i), py_text(f, table)))
        return false;
    return py_kind(f, i) != PY_IDENTIFIER ||
           py_lookup(f, f->scope_of[i], py_text(f, i)) ==
               py_lookup(f, f->scope_of[table], py_text(f, table));
}

static bool can_be_table(const struct py *f, uint32_t i) {
    return py_kind(f, i) == PY_IDENTIFIER || py_kind(f, i) == PY_ATTRIBUTE;
}

static bool asks_variable(struct py *f, struct row_ref row, uint32_t table) {
    if (!can_be_table(f, table)) return false;
    if (f->partial) f->wants_whole = true; /* the look-up may stand elsewhere */
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k];
        if (py_kind(f, table) == PY_ATTRIBUTE) i = py_parent(f, i);
        if (!is_same(f, i, table)) continue;
        uint32_t key = asked_key(f, i);
        if (key != NO_NODE && is_device(f, row, key)) return true;
    }
    return false;
}

/* The variable that the dictionary is put into beside what it has: table |= {...},
 * table.update({...}); NO_NODE: none. */
static uint32_t table_added_to(const struct py *f, uint32_t dictionary) {
    uint32_t p = py_parent(f, dictionary), callee = py_callee(f, py_parent(f, p));
    if (py_kind(f, p) == PY_AUGMENTED_ASSIGNMENT && py_child(f, p, 0) != dictionary)
        return py_child(f, p, 0);
    if (py_kind(f, p) != PY_ARGUMENT_LIST || py_kind(f, callee) != PY_ATTRIBUTE ||
        !str_is(py_text(f, py_child(f, callee, -1)), "update"))
        return NO_NODE;
    return py_child(f, callee, 0);
}

enum certainty py_key_added(struct py *f, struct row_ref row, uint32_t dictionary, uint32_t key) {
    uint32_t table = table_added_to(f, dictionary);
    return table == NO_NODE ? C_UNKNOWN : py_key_of_table(f, row, table, key);
}

bool py_keyword_is_device(struct py *f, uint32_t keyword) {
    uint32_t args = py_parent(f, keyword), callee = py_callee(f, py_parent(f, args));
    struct row_ref row;
    size_t cursor = 0;
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_kind(f, callee) != PY_ATTRIBUTE ||
        !str_is(py_text(f, py_child(f, callee, -1)), "update"))
        return false;
    while (rules_find(f->rules, M_STRING, py_text(f, py_child(f, keyword, 0)), &cursor, &row))
        if (row.rule->shape == SHAPE_DEVICE)
            return py_key_of_table(f, row, py_child(f, callee, 0), py_child(f, keyword, 0)) !=
                   C_UNKNOWN;
    return false;
}

bool py_is_asked_by_device(struct py *f, struct row_ref row, uint32_t dictionary) {
    uint32_t p = py_parent(f, dictionary), key = asked_key(f, dictionary);
    if (key != NO_NODE) return is_device(f, row, key);
    return py_kind(f, p) == PY_ASSIGNMENT && py_child(f, p, 0) != dictionary &&
           asks_variable(f, row, py_child(f, p, 0));
}

/* Whether both spell one key; `key` may be a keyword, which has no quotes. */
static bool is_same_key(const struct py *f, uint32_t literal, uint32_t key) {
    if (py_kind(f, literal) != PY_STRING || py_kind(f, key) != PY_IDENTIFIER)
        return str_eq(py_text(f, literal), py_text(f, key));
    return str_eq(py_text(f, py_child(f, literal, 1)), py_text(f, key));
}

static uint32_t pair_in(const struct py *f, uint32_t display, uint32_t key) {
    for (uint32_t e = py_child(f, display, 0); e != NO_NODE; e = py_next(f, e))
        if (py_kind(f, e) == PY_PAIR && is_same_key(f, py_child(f, e, 0), key)) return e;
    return NO_NODE;
}

/* The pair whose key is that text in a display that the variable is filled with; NO_NODE: none. */
static uint32_t pair_of(const struct py *f, uint32_t table, uint32_t key) {
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k];
        if (py_kind(f, table) == PY_ATTRIBUTE) i = py_parent(f, i);
        uint32_t p = py_parent(f, i);
        if (py_kind(f, p) != PY_ASSIGNMENT || py_child(f, p, 0) != i || !is_same(f, i, table))
            continue;
        uint32_t display = py_child(f, p, -1);
        if (py_kind(f, display) != PY_DICTIONARY) continue;
        uint32_t pair = pair_in(f, display, key);
        if (pair != NO_NODE) return pair;
    }
    return NO_NODE;
}

/* table["cuda"] = f, table["cuda"] += f */
static bool is_stored(const struct py *f, uint32_t key) {
    uint32_t subscript = py_parent(f, key), store = py_parent(f, subscript);
    bool assigns =
        py_kind(f, store) == PY_ASSIGNMENT || py_kind(f, store) == PY_AUGMENTED_ASSIGNMENT;
    return py_kind(f, subscript) == PY_SUBSCRIPT && assigns && py_child(f, store, 0) == subscript;
}

/* table["cuda"] = f, and table["cpu"] = g below it, in the same block: where both are one key, the
 * last counts, as it should. */
static bool is_stored_before_companion(struct py *f, struct row_ref row, uint32_t table,
                                       uint32_t key) {
    uint32_t subscript = py_parent(f, key), store = py_parent(f, subscript);
    if (py_kind(f, subscript) != PY_SUBSCRIPT || py_kind(f, store) != PY_ASSIGNMENT ||
        py_child(f, store, 0) != subscript)
        return false;
    for (uint32_t s = py_next(f, py_parent(f, store)); s != NO_NODE; s = py_next(f, s)) {
        uint32_t place = py_child(f, py_child(f, s, 0), 0), index = py_child(f, place, 1);
        struct py_literal lit;
        if (py_kind(f, py_child(f, s, 0)) == PY_ASSIGNMENT && py_kind(f, place) == PY_SUBSCRIPT &&
            is_same(f, py_child(f, place, 0), table) && py_kind(f, index) == PY_STRING &&
            py_literal(f, index, &lit) && str_is(lit.text, PY_CPU) &&
            py_is_companion(row, lit.text))
            return true;
    }
    return false;
}

enum certainty py_key_of_table(struct py *f, struct row_ref row, uint32_t table, uint32_t key) {
    const struct rcell *cell = row_cell(row, f->target);
    bool display = py_kind(f, table) == PY_DICTIONARY; /* {"cuda": f, "cpu": g}["cuda"] */
    if (!display && !can_be_table(f, table)) return C_UNKNOWN;
    if (f->partial && !display) f->wants_whole = true; /* the display may stand elsewhere */
    uint32_t pair = display ? pair_in(f, table, key) : pair_of(f, table, key);
    enum companion_key beside = pair == NO_NODE ? NO_COMPANION : py_companion_key(f, row, pair);
    bool at_run_time = cell && cell->expression.n;
    if (at_run_time && beside == COMPANION_BEFORE) return C_LIKELY; /* the display stays */
    if (at_run_time && beside == COMPANION_AFTER && is_stored(f, key))
        return C_LIKELY; /* may be the companion's, which the display has already */
    if (beside != NO_COMPANION) return C_EXACT;
    if (display || !asks_variable(f, row, table)) return C_UNKNOWN;
    if (at_run_time && is_stored_before_companion(f, row, table, key)) return C_EXACT;
    return at_run_time ? C_LIKELY : C_EXACT; /* that may be "cpu", another key */
}

/* What a class or a decorated function is registered under: the value of that keyword, or the
 * argument at that position where `keyword` is empty; NO_NODE: none, or it is no literal. */
static uint32_t registered_as(const struct py *f, uint32_t args, struct str keyword,
                              int position) {
    uint32_t a = py_child(f, args, 0);
    while (!keyword.n && position-- > 0 && a != NO_NODE) a = py_next(f, a);
    for (; keyword.n && a != NO_NODE; a = py_next(f, a))
        if (py_kind(f, a) == PY_KEYWORD_ARGUMENT && str_eq(py_text(f, py_child(f, a, 0)), keyword))
            break;
    if (keyword.n) a = a == NO_NODE ? a : py_child(f, a, -1);
    return py_kind(f, a) == PY_STRING ? a : (uint32_t)NO_NODE;
}

/* Whether the arguments are those of a class, or of a call that decorates. */
static bool registers(const struct py *f, uint32_t args) {
    uint32_t owner = py_parent(f, args);
    return py_kind(f, args) == PY_ARGUMENT_LIST &&
           (py_kind(f, owner) == PY_CLASS ||
            (py_kind(f, owner) == PY_CALL &&
             py_kind(f, py_parent(f, py_parent(f, owner))) == PY_DECORATED));
}

/* Whether every binding of the name is a class or, where `function`, a function of this file, or
 * comes from the tree's own code. */
static bool is_of_tree(struct py *f, uint32_t name, bool function) {
    if (py_kind(f, name) != PY_IDENTIFIER) return false;
    uint32_t b = py_lookup(f, f->scope_of[name], py_text(f, name));
    if (b == NO_NODE && f->partial) f->wants_whole = true; /* its `def` was not parsed */
    bool is = b != NO_NODE;
    for (; is && b != NO_NODE; b = f->bindings.v[b].next) {
        const struct py_binding *v = &f->bindings.v[b];
        bool imported = v->kind == B_IMPORT || v->kind == B_FROM;
        is = v->kind == B_CLASS || (function && v->kind == B_FUNCTION) ||
             (imported && v->path.n && (v->path.p[0] == '.' || py_is_own_package(f, v->path)));
    }
    return is;
}

/* Whether what registers is the tree's: its own code tells then that those are devices. pytest's,
 * click's and mock's decorators take other names: @pytest.mark.parametrize("cuda", ...). An
 * attribute of anything but a class may be such an object of theirs: @cli.command("cuda"). */
static bool is_own_registry(struct py *f, uint32_t owner) {
    if (py_kind(f, owner) == PY_CLASS)
        return is_of_tree(f, py_child(f, py_child(f, owner, 1), 0), false);
    uint32_t callee = py_callee(f, owner);
    if (py_kind(f, callee) != PY_ATTRIBUTE) return is_of_tree(f, callee, true);
    uint32_t root = py_child(f, callee, 0);
    if (!is_of_tree(f, root, false)) return false;
    return f->bindings.v[py_lookup(f, f->scope_of[root], py_text(f, root))].kind == B_CLASS;
}

/* The first of the arguments from there on that is a base. */
static uint32_t base_from(const struct py *f, uint32_t a) {
    while (py_kind(f, a) == PY_KEYWORD_ARGUMENT) a = py_next(f, a);
    return a;
}

/* Whether both register in the same place: classes with the same bases, the same decorator. */
static bool is_same_registry(const struct py *f, uint32_t args, uint32_t other) {
    uint32_t owner = py_parent(f, args), beside = py_parent(f, other);
    if (py_kind(f, owner) != py_kind(f, beside)) return false;
    if (py_kind(f, owner) == PY_CALL)
        return str_eq(py_text(f, py_callee(f, owner)), py_text(f, py_callee(f, beside)));
    uint32_t a = base_from(f, py_child(f, args, 0)), b = base_from(f, py_child(f, other, 0));
    while (a != NO_NODE && b != NO_NODE && str_eq(py_text(f, a), py_text(f, b)))
        a = base_from(f, py_next(f, a)), b = base_from(f, py_next(f, b));
    return a == NO_NODE && b == NO_NODE;
}

/* @register("scale", "cpu", "cuda"): another device among the arguments. */
static uint32_t companion_among(struct py *f, struct row_ref row, uint32_t args) {
    for (uint32_t a = py_child(f, args, 0); a != NO_NODE; a = py_next(f, a)) {
        struct py_literal lit;
        if (py_kind(f, a) == PY_STRING && py_literal(f, a, &lit) && py_is_companion(row, lit.text))
            return a;
    }
    return NO_NODE;
}

/* Whether both say the same before the device: @register("add", "cuda"), @register("add", "cpu").
 */
static bool is_same_operation(const struct py *f, uint32_t args, uint32_t other, int position) {
    uint32_t a = py_child(f, args, 0), b = py_child(f, other, 0);
    for (; position-- > 0 && a != NO_NODE && b != NO_NODE; a = py_next(f, a), b = py_next(f, b))
        if (!str_eq(py_text(f, a), py_text(f, b))) return false;
    return true;
}

enum companion_key py_registered_beside(struct py *f, struct row_ref row, uint32_t literal) {
    uint32_t p = py_parent(f, literal);
    bool named = py_kind(f, p) == PY_KEYWORD_ARGUMENT;
    uint32_t args = named ? py_parent(f, p) : p;
    struct str keyword = named ? py_text(f, py_child(f, p, 0)) : S("");
    int position = 0;
    for (uint32_t a = py_child(f, args, 0); a != literal && a != NO_NODE && !named;
         a = py_next(f, a))
        position++;
    if (!registers(f, args) || registered_as(f, args, keyword, position) != literal)
        return NO_COMPANION;
    bool is_class = py_kind(f, py_parent(f, args)) == PY_CLASS;
    if (is_class != named || !is_own_registry(f, py_parent(f, args))) return NO_COMPANION;
    enum companion_key found = NO_COMPANION;
    for (uint32_t i = 0; i < f->tree.n; i++) {
        struct py_literal lit;
        if (!registers(f, i) || !is_same_registry(f, args, i)) continue;
        uint32_t other = i == args && !named ? companion_among(f, row, args)
                                             : registered_as(f, i, keyword, position);
        if (other == NO_NODE || other == literal || !py_literal(f, other, &lit) ||
            !py_is_companion(row, lit.text))
            continue;
        if (named || position == 0 || i == args || is_same_operation(f, args, i, position))
            return i < args ? COMPANION_BEFORE : COMPANION_AFTER;
        found = COMPANION_BEFORE; /* of another thing: what comes first for this one is unknown */
    }
    if (found != NO_COMPANION) return found;
    if (f->partial) f->wants_whole = true; /* it may stand in a part that was not parsed */
    return NO_COMPANION;
}
