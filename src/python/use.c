/* SPDX-License-Identifier: Apache-2.0 */
/* use.c - what a function does with a text beside comparing it: it takes a part of it, makes a
 * longer one of it, or asks data by it.
 *
 * literal.c asks: a word that is used so is no device, or none that another word can replace. */
#include "python/py.h"

bool py_is_data_by_use(const struct py *f, uint32_t operand) {
    uint32_t function = py_ancestor(f, operand, PY_FUNCTION);
    if (py_kind(f, operand) != PY_IDENTIFIER || function == NO_NODE) return false;
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k], p = py_parent(f, i);
        if (i < function || i >= py_node(f, function)->next || py_kind(f, p) != PY_SUBSCRIPT ||
            py_child(f, p, 0) != i || !str_eq(py_text(f, i), py_text(f, operand)))
            continue;
        struct str key = py_text(f, py_child(f, p, 1));
        if (py_kind(f, py_child(f, p, 1)) == PY_STRING && str_find(key, S("_"), 0) < key.n)
            return true;
    }
    return false;
}

bool py_is_slice(const struct py *f, uint32_t i) {
    uint32_t index = py_kind(f, i) == PY_SUBSCRIPT ? py_child(f, i, 1) : (uint32_t)NO_NODE;
    struct str text = py_text(f, index);
    return index != NO_NODE && py_kind(f, index) == PY_OTHER && memchr(text.p, ':', text.n) &&
           memchr(text.p, ']', text.n) == NULL && str_find(text, S("len("), 0) == text.n;
}

bool py_is_counted(const struct py *f, uint32_t text) {
    uint32_t around = py_ancestor(f, text, PY_FUNCTION);
    if (around == NO_NODE) around = 0;
    for (uint32_t i = around; i < py_node(f, around)->next; i++)
        if (py_is_slice(f, i) && str_eq(py_text(f, py_child(f, i, 0)), py_text(f, text)))
            return true;
    return false;
}

bool py_builds_text(const struct py *f, uint32_t parameter) {
    uint32_t function = py_ancestor(f, parameter, PY_FUNCTION);
    for (uint32_t i = function; function != NO_NODE && i < py_node(f, function)->next; i++) {
        if (py_kind(f, i) != PY_IDENTIFIER || !str_eq(py_text(f, i), py_text(f, parameter)))
            continue;
        enum py_kind k = py_kind(f, py_parent(f, i));
        bool in_call =
            k == PY_ARGUMENT_LIST &&
            str_is(py_describing_name(f, py_callee(f, py_parent(f, py_parent(f, i)))), "format");
        if (in_call || k == PY_INTERPOLATION || k == PY_BINARY_OPERATOR || k == PY_SUBSCRIPT)
            return true;
    }
    return false;
}
