/* SPDX-License-Identifier: Apache-2.0 */
/* class_name.c - names that stand for a class and are not called: isinstance(x, C), `x: C`, and
 * class D(C).
 *
 * A rule says what a call becomes, GradScaler() with a device in front. A question about the class
 * goes along with the name alone; what is derived from it, or is called elsewhere, does not: it
 * would be made for the old device, without a word. */
#include "python/py.h"

/* isinstance(x, C), issubclass(x, (C, D)). */
bool py_is_tested_type(const struct py *f, uint32_t node) {
    uint32_t i = node, args = py_parent(f, i);
    if (py_kind(f, args) == PY_TUPLE) i = args, args = py_parent(f, i);
    if (py_kind(f, args) != PY_ARGUMENT_LIST || py_child(f, args, 0) == i) return false;
    struct str callee = py_text(f, py_callee(f, py_parent(f, args)));
    return str_is(callee, "isinstance") || str_is(callee, "issubclass");
}

/* `x: C`, `x: Optional[C]`, `-> C | None` */
static bool is_annotation(const struct py *f, uint32_t node) {
    for (uint32_t i = node; i != NO_NODE; i = py_parent(f, i)) switch (py_kind(f, i)) {
        case PY_TYPE:
            return true;
        case PY_IDENTIFIER:
        case PY_ATTRIBUTE:
        case PY_SUBSCRIPT:
        case PY_GENERIC_TYPE:
        case PY_TYPE_PARAMETER:
        case PY_BINARY_OPERATOR:
        case PY_LIST:
        case PY_TUPLE:
            break;
        default:
            return false;
        }
    return false;
}

/* What C is compared with: type(x) is C, C is not None; NO_NODE: with nothing. */
static uint32_t compared_with(const struct py *f, uint32_t node) {
    uint32_t i = py_unparenthesized(f, node), p = py_parent(f, i);
    if (py_kind(f, p) != PY_COMPARISON) return NO_NODE;
    return py_child(f, p, py_child(f, p, 0) == i ? 1 : 0);
}

bool py_is_asked_class(const struct py *f, uint32_t node, bool same) {
    uint32_t p = py_parent(f, node), other = compared_with(f, node);
    if (py_kind(f, other) == PY_NONE) return true; /* only whether the name is there counts */
    if (!same) return false;
    bool of_class = py_kind(f, p) == PY_ATTRIBUTE && py_child(f, p, 0) == node; /* C.method */
    bool of_type = py_kind(f, other) == PY_CALL && str_is(py_text(f, py_callee(f, other)), "type");
    return of_class || of_type || py_is_tested_type(f, node) || is_annotation(f, node);
}

bool py_is_base_class(const struct py *f, uint32_t node) {
    uint32_t bases = py_parent(f, node);
    return py_kind(f, bases) == PY_ARGUMENT_LIST && py_kind(f, py_parent(f, bases)) == PY_CLASS;
}
