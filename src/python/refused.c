/* SPDX-License-Identifier: Apache-2.0 */
/* refused.c - what a program counts on CUDA to refuse. Where no device is, x.cuda() raises and
 * x.cpu() does not; and cuda:99, which nobody has, is the CPU when it loses its number. Such a
 * place is for a human, on targets whose port may run on the CPU. */
#include "python/py.h"

/* pytest.raises(RuntimeError), self.assertRaises(RuntimeError, lambda: x.cuda()) */
static bool waits_for_error(const struct py *f, uint32_t call) {
    return py_kind(f, call) == PY_CALL &&
           py_lists(f, "python.error_tests", str_last_dotted(py_text(f, py_callee(f, call))));
}

/* Whether the block is all that `with pytest.raises(...):` runs, and has this statement alone. */
static bool is_waited_for(const struct py *f, uint32_t statement) {
    uint32_t block = py_parent(f, statement), with = py_parent(f, block);
    if (py_kind(f, block) != PY_BLOCK || py_child(f, block, 0) != py_child(f, block, -1))
        return false;
    for (uint32_t i = with; i < block; i++)
        if (py_kind(f, i) == PY_WITH_ITEM && waits_for_error(f, py_child(f, i, 0))) return true;
    return false;
}

/* Whether the match moves something to the device, or makes it there, and this alone is what is
 * expected to fail: with pytest.raises(RuntimeError): x.cuda(). In f(x.cuda()) it may be f. */
static bool is_expected_to_fail(struct py *f, const struct py_match *m) {
    int calls = 0;
    for (uint32_t i = m->node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_CALL) {
            struct py_name callee = py_resolve(f, py_callee(f, p));
            if (waits_for_error(f, p)) return false;
            if (!py_lists(f, "torch.device", callee.path)) calls++;
        } else if (k == PY_LAMBDA) {
            uint32_t args = py_parent(f, p);
            return calls == 1 && py_kind(f, args) == PY_ARGUMENT_LIST &&
                   waits_for_error(f, py_parent(f, args));
        } else if (k == PY_EXPRESSION_STATEMENT) {
            return calls == 1 && is_waited_for(f, p);
        } else if (k == PY_BLOCK || k == PY_MODULE) {
            break;
        }
    }
    return false;
}

/* "cuda:99", torch.device("cuda", 99): more than any machine has. */
static bool is_beyond_all(const struct py *f, const struct py_match *m) {
    struct str s = m->literal.text;
    size_t colon = str_find(s, S(":"), 0);
    struct str number = str_sub(s, colon + (colon < s.n), s.n);
    uint32_t args = py_parent(f, m->node), call = py_parent(f, args);
    if (!number.n && py_kind(f, args) == PY_ARGUMENT_LIST && py_child(f, args, 0) == m->node &&
        py_kind(f, py_child(f, args, 1)) == PY_INTEGER &&
        str_is(str_last_dotted(py_text(f, py_callee(f, call))), "device"))
        number = py_text(f, py_child(f, args, 1));
    long value = 0;
    for (size_t i = 0; i < number.n && i < 6; i++) {
        if (number.p[i] < '0' || number.p[i] > '9') return false;
        value = 10 * value + (number.p[i] - '0');
    }
    return value > 63;
}

void py_settle_refused(struct py *f) {
    bool on_cpu = str_is(target_fact(f->target, "accelerated"), "no") ||
                  str_is(target_fact(f->target, "fallback"), "yes");
    for (size_t i = 0; on_cpu && i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        bool device = m->kind == PM_STRING && m->row.rule->shape == SHAPE_DEVICE;
        bool moves = m->kind == PM_ATTRIBUTE && str_is(m->token, "." PY_CUDA);
        if (m->suppressed || m->verdict == V_SAME || (!device && !moves)) continue;
        if (is_expected_to_fail(f, m))
            m->message = S("this is expected to fail without CUDA, and does not on the CPU");
        else if (device && is_beyond_all(f, m))
            m->message = S("nobody has so many devices: CUDA refuses it, and the CPU does not");
        else
            continue;
        m->verdict = V_MANUAL;
        m->cell = NULL;
    }
}
