/* SPDX-License-Identifier: Apache-2.0 */
/* truth.c - strings whose truth is asked for by mistake: `if "gfx90a" or x in s`. */
#include "python/py.h"

/* torch.cuda.is_available() and "cuda" or "cpu": what programs wrote before conditionals. */
static bool is_older_conditional(const struct py *f, uint32_t operation) {
    uint32_t i = py_unparenthesized(f, operation), p = py_parent(f, i);
    return py_is_and(f, operation) && py_kind(f, p) == PY_BOOLEAN_OPERATOR &&
           py_child(f, p, 0) == i && !py_is_and(f, p);
}

bool py_is_always_true(const struct py *f, uint32_t string) {
    uint32_t i = py_unparenthesized(f, string), p = py_parent(f, i);
    if (py_kind(f, p) != PY_BOOLEAN_OPERATOR) return false;
    if (py_child(f, p, 0) == i) return true; /* what follows it never counts, or it never does */
    uint32_t chosen = is_older_conditional(f, p) ? py_unparenthesized(f, p) : (uint32_t)NO_NODE;
    enum py_kind left = py_kind(f, py_child(f, p, 0));
    if (chosen == NO_NODE && (left == PY_COMPARISON || left == PY_NOT_OPERATOR))
        return true; /* a bool, or a string? */
    for (i = p, p = py_parent(f, i); i != 0; i = p, p = py_parent(f, p)) switch (py_kind(f, p)) {
        case PY_PARENTHESIZED:
            break;
        case PY_BOOLEAN_OPERATOR:
            if (py_child(f, p, 0) == i && i != chosen) return true;
            break;
        case PY_NOT_OPERATOR:
            return true;
        case PY_IF:
        case PY_ELIF:
        case PY_WHILE:
        case PY_ASSERT:
            return py_child(f, p, 0) == i;
        case PY_CONDITIONAL:
            return py_child(f, p, 1) == i;
        default:
            return false;
        }
    return false;
}
