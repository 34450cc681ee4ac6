/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c - settings for libraries that have devices of their own: xgb.train({"device":
 * "cuda"}).
 *
 * Such a word is called like PyTorch's, and another vendor's name makes the library raise. Calls
 * that take the device as an argument have rules; here is what goes there in a dictionary. */
#include "python/match.h"

static bool is_of_foreign(struct py *f, uint32_t call) {
    struct str path = py_resolve(f, py_callee(f, call)).path;
    return path.p &&
           py_lists(f, "python.foreign_devices", str_sub(path, 0, str_find(path, S("."), 0)));
}

/* xgb.train(...), and booster.set_param(...) of a booster = xgb.train(...). */
static bool calls_foreign(struct py *f, uint32_t call) {
    uint32_t callee = py_callee(f, call);
    if (is_of_foreign(f, call)) return true;
    if (py_kind(f, callee) != PY_ATTRIBUTE) return false;
    uint32_t made = py_value_of(f, py_child(f, callee, 0));
    return py_kind(f, made) == PY_CALL && is_of_foreign(f, made);
}

/* Whether some call into such a library takes what is called so. */
static bool is_given_to_foreign(struct py *f, struct str name) {
    py_want_uses(f, str_last_dotted(name));
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k], p = py_parent(f, i);
        if (py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, -1) == i) i = p, p = py_parent(f, p);
        if (!str_eq(py_text(f, i), name)) continue;
        while (py_kind(f, p) == PY_KEYWORD_ARGUMENT || py_kind(f, p) == PY_OTHER)
            p = py_parent(f, p);
        if (py_kind(f, p) == PY_ARGUMENT_LIST && calls_foreign(f, py_parent(f, p))) return true;
    }
    return false;
}

bool py_feeds_foreign(struct py *f, uint32_t literal) {
    if (!f->has_foreign_devices) return false;
    bool keyed = false;
    for (uint32_t i = literal, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_ARGUMENT_LIST) {
            uint32_t call = py_parent(f, p);
            if (keyed && calls_foreign(f, call)) return true;
            if (!str_is(py_text(f, py_callee(f, call)), "dict")) return false;
            keyed = true;
            p = call;
        } else if (k == PY_ASSIGNMENT) {
            uint32_t target = py_child(f, p, 0);
            if (py_kind(f, target) == PY_SUBSCRIPT) keyed = true, target = py_child(f, target, 0);
            return keyed && is_given_to_foreign(f, py_text(f, target));
        } else if (k == PY_DICTIONARY || k == PY_PAIR) {
            keyed = true;
        } else if (k != PY_CONDITIONAL && k != PY_KEYWORD_ARGUMENT && k != PY_OTHER &&
                   k != PY_PARENTHESIZED && k != PY_LIST) {
            return false;
        }
    }
    return false;
}

/* create_feature_extractor("inception", cuda=True) of what the file imports from a package that is
 * not the tree's own: it calls .cuda() there. */
bool py_asks_library_for_cuda(struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier), args = py_parent(f, p), call = py_parent(f, args);
    if (py_kind(f, p) != PY_KEYWORD_ARGUMENT || py_child(f, p, 0) != identifier ||
        py_kind(f, py_child(f, p, -1)) != PY_TRUE || py_kind(f, args) != PY_ARGUMENT_LIST ||
        py_kind(f, call) != PY_CALL ||
        !py_lists(f, "python.library_switches_by_name", py_text(f, identifier)))
        return false;
    struct py_name n = py_resolve(f, py_callee(f, call));
    struct str root = n.path.p ? str_word(n.path, 0) : S("");
    return root.n && n.root != NO_NODE && !str_is(root, PY_TORCH) && !py_is_own_package(f, root) &&
           (f->bindings.v[n.root].kind == B_IMPORT || f->bindings.v[n.root].kind == B_FROM);
}
