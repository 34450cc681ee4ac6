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

/* What the file sets the attribute to by a call: self.model = YOLO("x.pt"). NO_NODE: nothing. */
static uint32_t call_that_made(struct py *f, struct str attribute) {
    py_want_uses(f, str_last_dotted(attribute));
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t whole = py_parent(f, f->identifiers.v[k]), p = py_parent(f, whole);
        if (py_kind(f, whole) == PY_ATTRIBUTE && py_kind(f, p) == PY_ASSIGNMENT &&
            py_child(f, p, 0) == whole && str_eq(py_text(f, whole), attribute) &&
            py_kind(f, py_child(f, p, -1)) == PY_CALL)
            return py_child(f, p, -1);
    }
    return NO_NODE;
}

/* booster.set_param(...) of a booster = xgb.train(...), model(...) of a model = YOLO("x.pt"). */
static bool calls_made(struct py *f, uint32_t call) {
    uint32_t callee = py_callee(f, call);
    bool method = py_kind(f, callee) == PY_ATTRIBUTE;
    uint32_t object = method ? py_child(f, callee, 0) : callee, made = py_value_of(f, object);
    if (py_kind(f, object) == PY_ATTRIBUTE)
        made = call_that_made(f, py_text(f, object));
    else if (made == NO_NODE && method)
        made = call_that_made(f, py_text(f, callee));
    return py_kind(f, made) == PY_CALL && is_of_foreign(f, made);
}

/* xgb.train(...), and what such a call gives. */
static bool calls_foreign(struct py *f, uint32_t call) {
    return is_of_foreign(f, call) || calls_made(f, call);
}

/* device=x of a call of what such a library made. */
static bool is_device_of_made(struct py *f, uint32_t keyword) {
    uint32_t args = py_parent(f, keyword);
    return py_kind(f, keyword) == PY_KEYWORD_ARGUMENT && py_kind(f, args) == PY_ARGUMENT_LIST &&
           str_is(py_text(f, py_child(f, keyword, 0)), "device") &&
           calls_made(f, py_parent(f, args));
}

/* Whether some call of what the library made takes what is called so for its device. */
static bool is_device_for_made(struct py *f, struct str name) {
    py_want_uses(f, str_last_dotted(name));
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k], p = py_parent(f, i);
        if (py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, -1) == i) i = p, p = py_parent(f, p);
        if (str_eq(py_text(f, i), name) && py_child(f, p, -1) == i && is_device_of_made(f, p))
            return true;
    }
    return false;
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
            return keyed ? is_given_to_foreign(f, py_text(f, target))
                         : is_device_for_made(f, py_text(f, target));
        } else if (k == PY_KEYWORD_ARGUMENT && is_device_of_made(f, p)) {
            return true;
        } else if (k == PY_DICTIONARY || k == PY_PAIR) {
            keyed = true;
        } else if (k != PY_CONDITIONAL && k != PY_KEYWORD_ARGUMENT && k != PY_OTHER &&
                   k != PY_PARENTHESIZED && k != PY_LIST) {
            return false;
        }
    }
    return false;
}

/* The package that a call of an imported name goes to, where it is neither PyTorch nor the tree's
 * own; empty: it is. */
static struct str library_of(struct py *f, uint32_t callee) {
    struct py_name n = py_resolve(f, callee);
    struct str root = n.path.p ? str_word(n.path, 0) : S("");
    bool imported =
        root.n && n.root != NO_NODE &&
        (f->bindings.v[n.root].kind == B_IMPORT || f->bindings.v[n.root].kind == B_FROM);
    return imported && !str_is(root, PY_TORCH) && !py_is_own_package(f, root) ? root : S("");
}

/* getattr(pycolmap.Device, "cuda" if gpu else "cpu"): a name that a library's object has. */
bool py_is_attribute_of_library(struct py *f, uint32_t literal) {
    uint32_t i = literal, p = py_parent(f, i);
    while (py_kind(f, p) == PY_CONDITIONAL || py_kind(f, p) == PY_PARENTHESIZED)
        p = py_parent(f, i = p);
    uint32_t callee = py_callee(f, py_parent(f, p));
    return py_kind(f, p) == PY_ARGUMENT_LIST && py_child(f, p, 0) != i &&
           py_lists(f, "python.attribute_calls", py_text(f, callee)) &&
           library_of(f, py_child(f, p, 0)).n;
}

/* create_feature_extractor("inception", cuda=True) of what the file imports from a package that is
 * not the tree's own: it calls .cuda() there. */
bool py_asks_library_for_cuda(struct py *f, uint32_t identifier) {
    uint32_t p = py_parent(f, identifier), args = py_parent(f, p), call = py_parent(f, args);
    return py_kind(f, p) == PY_KEYWORD_ARGUMENT && py_child(f, p, 0) == identifier &&
           py_kind(f, py_child(f, p, -1)) == PY_TRUE && py_kind(f, args) == PY_ARGUMENT_LIST &&
           py_kind(f, call) == PY_CALL &&
           py_lists(f, "python.library_switches_by_name", py_text(f, identifier)) &&
           library_of(f, py_callee(f, call)).n;
}

/* f(use_cuda=torch.cuda.is_available()), of such a library: what it does then it does by CUDA. */
bool py_decides_for_library(struct py *f, uint32_t question) {
    uint32_t i = py_call_of(f, question), p = py_parent(f, i);
    if (i == NO_NODE) return false;
    while (py_is_and(f, p) || py_kind(f, p) == PY_PARENTHESIZED) p = py_parent(f, i = p);
    uint32_t args = py_parent(f, p), call = py_parent(f, args);
    struct str name = py_text(f, py_child(f, p, 0));
    return py_kind(f, p) == PY_KEYWORD_ARGUMENT && py_child(f, p, -1) == i &&
           py_kind(f, args) == PY_ARGUMENT_LIST && py_kind(f, call) == PY_CALL &&
           (py_lists(f, "python.library_switches_by_name", name) ||
            py_lists(f, "python.library_switches_by_question", name)) &&
           library_of(f, py_callee(f, call)).n;
}
