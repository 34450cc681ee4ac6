/* SPDX-License-Identifier: Apache-2.0 */
/* branch.c - branches of a program that tells vendors apart by questions that stay.
 *
 * What a question guards is right only together with it. Where the question is a word of the
 * project's (is_torch_cuda_available() of a module of its own, DeviceType.CUDA) and nothing of it
 * is rewritten, the body goes on being CUDA's branch: the target's functions in it would be asked
 * for on NVIDIA's devices only. And what a program does for the target right below a call that
 * does nothing without CUDA is not to be done twice. */
#include "python/imports.h"

static bool is_kept(const struct py_match *m) {
    return m->verdict == V_SAME || m->verdict == V_MANUAL || m->verdict == V_NONE;
}

static bool is_inside(const struct py *f, const struct py_match *m, uint32_t node) {
    return m->start >= py_node(f, node)->start && m->end <= py_node(f, node)->end;
}

static bool is_rewritten_in(const struct py *f, uint32_t node) {
    for (size_t i = 0; i < f->matches.n; i++)
        if (is_inside(f, &f->matches.v[i], node) && !is_kept(&f->matches.v[i])) return true;
    return false;
}

/* Whether the last part of the name is CUDA, or it asks for it: is_torch_cuda_available. */
static bool says_cuda(const struct py *f, struct str name) {
    struct str word;
    for (size_t cursor = 0; rules_next_word(f->rules, "torch.vendor_words", &cursor, &word);)
        if (py_word_in(word, name)) return true;
    return false;
}

/* By an import, relative ones among them. */
static bool is_brought(enum binding_kind kind) {
    return kind == B_IMPORT || kind == B_FROM || kind == B_OTHER;
}

/* A call of what the file imports and that says CUDA; a member called CUDA: DeviceType.CUDA. */
static bool asks_for_cuda(struct py *f, uint32_t test) {
    for (uint32_t i = test; i < py_node(f, test)->next; i++) {
        enum py_kind k = py_kind(f, i);
        struct str last = str_last_dotted(py_text(f, i));
        if (k == PY_NOT_OPERATOR || (k == PY_BOOLEAN_OPERATOR && !py_is_and(f, i))) return false;
        if (k == PY_ATTRIBUTE && py_kind(f, py_parent(f, i)) == PY_COMPARISON &&
            str_is(last, "CUDA"))
            return true;
        if (k != PY_CALL) continue;
        uint32_t callee = py_callee(f, i);
        if (!says_cuda(f, str_last_dotted(py_text(f, callee)))) continue;
        uint32_t b = py_kind(f, callee) == PY_IDENTIFIER
                         ? py_lookup(f, py_scope_at(f, callee), py_text(f, callee))
                         : (uint32_t)NO_NODE;
        if (b != NO_NODE && is_brought(f->bindings.v[b].kind)) return true;
    }
    return false;
}

static bool names_a_vendor(const struct py *f, uint32_t statement) {
    uint32_t condition = py_child(f, statement, 0);
    return (py_kind(f, statement) == PY_IF || py_kind(f, statement) == PY_ELIF) &&
           py_vendors_named(f, condition) > 0;
}

/* Whether another branch of the chain, or an `if` beside it, asks for another vendor's device. */
static bool stands_beside_a_vendor(struct py *f, uint32_t branch) {
    uint32_t chain = py_kind(f, branch) == PY_ELIF ? py_parent(f, branch) : branch;
    if (names_a_vendor(f, chain)) return true;
    for (uint32_t c = py_child(f, chain, 0); c != NO_NODE; c = py_next(f, c))
        if (py_kind(f, c) == PY_ELIF && names_a_vendor(f, c)) return true;
    if (f->partial && py_kind(f, py_parent(f, chain)) == PY_MODULE) f->wants_whole = true;
    uint32_t before = NO_NODE;
    for (uint32_t s = py_child(f, py_parent(f, chain), 0); s != NO_NODE && s < chain;
         s = py_next(f, s))
        before = s;
    uint32_t after = py_next(f, chain);
    return (before != NO_NODE && names_a_vendor(f, before)) ||
           (after != NO_NODE && names_a_vendor(f, after));
}

/* if is_torch_cuda_available(): return torch.cuda.Event / if is_torch_npu_available(): ... */
static bool is_in_cuda_branch(struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        if (py_kind(f, p) == PY_FUNCTION) return false;
        if ((py_kind(f, p) != PY_IF && py_kind(f, p) != PY_ELIF) || py_child(f, p, 1) != i)
            continue;
        uint32_t test = py_child(f, p, 0);
        if (asks_for_cuda(f, test) && !is_rewritten_in(f, test) && stands_beside_a_vendor(f, p))
            return true;
    }
    return false;
}

/* Whether a name that says NVIDIA was filled with nothing that is rewritten. */
static bool is_nvidia_by_name(struct py *f, uint32_t operand) {
    struct str name = py_text(f, operand);
    if (py_kind(f, operand) != PY_IDENTIFIER || !py_mentions(f, "python.nvidia_words", name))
        return false;
    uint32_t b = py_lookup(f, py_scope_at(f, operand), name);
    if (b == NO_NODE) return false;
    for (; b != NO_NODE; b = f->bindings.v[b].next)
        if (f->bindings.v[b].kind != B_VALUE || is_rewritten_in(f, f->bindings.v[b].value))
            return false;
    return true;
}

/* is_nvidia and torch.cuda.get_device_capability(0)[0] >= 8 */
static bool is_behind_nvidia(struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        enum py_kind k = py_kind(f, p);
        if (k == PY_BLOCK || k == PY_FUNCTION || k == PY_LAMBDA) return false;
        if (py_is_and(f, p) && py_child(f, p, -1) == i && is_nvidia_by_name(f, py_child(f, p, 0)))
            return true;
    }
    return false;
}

/* Whether the text goes on with an `if`, which may not have been parsed. */
static bool is_above_if(const struct py *f, uint32_t statement) {
    size_t at = py_node(f, statement)->end;
    while (at < f->src.n && strchr(" \t\r\n", f->src.p[at])) at++;
    return str_starts(str_sub(f->src, at, f->src.n), S("if"));
}

/* torch.cuda.empty_cache() above `if device == "npu": torch.npu.empty_cache()`. */
static bool is_done_below(struct py *f, const struct py_match *m) {
    uint32_t call = py_call_of(f, m->node), s = py_parent(f, call);
    if (!py_lists(f, "torch.idle", m->token) || call == NO_NODE ||
        py_kind(f, s) != PY_EXPRESSION_STATEMENT)
        return false;
    struct str module = target_fact(f->target, "module");
    if (!module.n) return false;
    if (f->partial && py_kind(f, py_parent(f, s)) == PY_MODULE && is_above_if(f, s))
        f->wants_whole = true;
    struct str own =
        arena_printf(f->a, "%.*s.%.*s()", STR_ARG(module), STR_ARG(str_last_dotted(m->token)));
    for (s = py_next(f, s); s != NO_NODE && py_kind(f, s) == PY_IF; s = py_next(f, s))
        if (names_a_vendor(f, s) && py_child(f, s, 1) != NO_NODE &&
            str_find(py_text(f, py_child(f, s, 1)), own, 0) < py_text(f, py_child(f, s, 1)).n)
            return true;
    return false;
}

/* The branch of the `if` or `elif` whose condition the match is in; NO_NODE: it is in none. */
static uint32_t branch_of_test(const struct py *f, const struct py_match *m) {
    uint32_t i = m->node, p = py_parent(f, i);
    while (p != NO_NODE && py_kind(f, p) != PY_IF && py_kind(f, p) != PY_ELIF &&
           py_kind(f, p) != PY_BLOCK)
        p = py_parent(f, i = p);
    bool asks = (py_kind(f, p) == PY_IF || py_kind(f, p) == PY_ELIF) && py_child(f, p, 0) == i;
    return asks ? py_child(f, p, 1) : (uint32_t)NO_NODE;
}

/* Whether the branch keeps to itself: no variable that others see is filled in it. */
static bool keeps_to_itself(const struct py *f, uint32_t branch) {
    for (uint32_t i = branch; i < py_node(f, branch)->next; i++) {
        enum py_kind k = py_kind(f, i);
        if (k != PY_ASSIGNMENT && k != PY_AUGMENTED_ASSIGNMENT && k != PY_NAMED_EXPRESSION)
            continue;
        uint32_t name = py_child(f, i, 0);
        if (py_kind(f, name) != PY_IDENTIFIER) return false;
        uint32_t b = py_lookup(f, py_scope_at(f, name), py_text(f, name));
        if (b == NO_NODE) return false;
        for (; b != NO_NODE; b = f->bindings.v[b].next)
            if (f->bindings.v[b].node < branch ||
                f->bindings.v[b].node >= py_node(f, branch)->next)
                return false;
    }
    return true;
}

/* Whether a program of NVIDIA's is called between these bytes, and nothing there is rewritten. */
static bool is_for_program(const struct py *f, size_t start, size_t end) {
    bool runs = false;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->start < start || m->end > end) continue;
        if (!is_kept(m)) return false;
        runs |= m->row.rule && m->verdict != V_SAME &&
                py_lists(f, "torch.vendor_programs", rs_str(m->row.set, m->row.rule->id));
    }
    return runs;
}

/* if not torch.cuda.is_available(): return []: the end of the function that goes on below it;
 * NO_NODE: the statement is another. */
static uint32_t goes_on_below(const struct py *f, uint32_t call) {
    uint32_t negated = py_parent(f, call), statement = py_parent(f, negated);
    uint32_t body = py_child(f, statement, 1), block = py_parent(f, statement);
    if (py_kind(f, negated) != PY_NOT_OPERATOR || py_kind(f, statement) != PY_IF ||
        py_next(f, body) != NO_NODE || py_kind(f, py_child(f, body, -1)) != PY_RETURN ||
        py_kind(f, py_parent(f, block)) != PY_FUNCTION)
        return NO_NODE;
    return block;
}

/* if torch.cuda.is_available(): run(["nvidia-smi"]): asks whether NVIDIA's device is there, and of
 * what follows nothing is for another's. */
static bool asks_for_program(struct py *f, const struct py_match *m) {
    uint32_t call = py_lists(f, "torch.available", m->token) ? py_call_of(f, m->node) : NO_NODE;
    uint32_t branch = call == NO_NODE ? NO_NODE : branch_of_test(f, m);
    if (branch == NO_NODE) return false;
    uint32_t rest = goes_on_below(f, call);
    if (rest != NO_NODE)
        return is_for_program(f, py_node(f, branch)->end, py_node(f, rest)->end) &&
               !is_rewritten_in(f, branch);
    for (uint32_t i = py_parent(f, call); i != py_parent(f, branch); i = py_parent(f, i))
        if (!py_is_and(f, i) && py_kind(f, i) != PY_PARENTHESIZED) return false;
    return is_for_program(f, py_node(f, branch)->start, py_node(f, branch)->end) &&
           keeps_to_itself(f, branch);
}

/* Whether it is for a human, by a rule about what a framework chooses its device by. */
static bool is_open_choice(const struct py *f, const struct py_match *m) {
    return m->row.rule && !m->row.rule->lint && (m->verdict == V_MANUAL || m->verdict == V_NONE) &&
           py_lists(f, "torch.framework_choices", rs_str(m->row.set, m->row.rule->id));
}

/* Whether it asks if there is a device, or how many there are. */
static bool is_question(const struct py *f, const struct py_match *m) {
    return py_lists(f, "torch.available", m->token) || py_lists(f, "torch.count", m->token);
}

/* Trainer(gpus=1 if torch.cuda.is_available() else 0), or accelerator="cuda" in the branch of such
 * a question: where the framework's own device is left to a human, so is what decides on it. */
static bool decides_for_framework(const struct py *f, const struct py_match *m) {
    if (!is_question(f, m)) return false;
    uint32_t branch = branch_of_test(f, m);
    uint32_t around = branch != NO_NODE ? branch : py_ancestor(f, m->node, PY_ARGUMENT_LIST);
    uint32_t filled = around == NO_NODE ? py_ancestor(f, m->node, PY_ASSIGNMENT) : NO_NODE;
    bool open = false;
    for (size_t i = 0; filled != NO_NODE && i < f->matches.n; i++) { /* Trainer(gpus=gpus) */
        const struct py_match *other = &f->matches.v[i];
        if (other->kind == PM_KEYWORD && is_open_choice(f, other) &&
            str_eq(py_text(f, py_child(f, other->node, -1)), py_text(f, py_child(f, filled, 0))))
            return true;
    }
    for (size_t i = 0; around != NO_NODE && i < f->matches.n; i++) {
        const struct py_match *other = &f->matches.v[i];
        if (!is_inside(f, other, around)) continue;
        if (branch != NO_NODE && !is_kept(other) && !is_question(f, other)) return false;
        open |= is_open_choice(f, other);
    }
    return open;
}

/* Whether the literal is one that is rewritten. */
static bool is_rewritten(const struct py *f, uint32_t literal) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct py_match *m = &f->matches.v[i];
        if (m->node == literal && m->row.rule && !m->row.rule->lint && !is_kept(m)) return true;
    }
    return false;
}

/* elif device == "cuda": providers = ["CUDAExecutionProvider"]: what the branch chooses has the
 * name of CUDA's, which check speaks of, and stays; empty: nothing of the kind. */
static struct str choice_of_cuda(const struct py *f, const struct py_match *m) {
    uint32_t branch = m->context.compared ? branch_of_test(f, m) : (uint32_t)NO_NODE;
    for (uint32_t i = branch; branch != NO_NODE && i < py_node(f, branch)->next; i++) {
        struct py_literal lit;
        struct row_ref row;
        size_t cursor = 0;
        if (py_kind(f, i) != PY_STRING || !py_literal(f, i, &lit) || is_rewritten(f, i)) continue;
        while (rules_find(f->rules, M_STRING, lit.text, &cursor, &row))
            if (row.rule->lint && row.rule->by_form && !row.rule->texts) return lit.text;
    }
    return S("");
}

/* Whether a later arm of the chain around the node is for MPS by its condition. */
static bool is_above_mps(const struct py *f, uint32_t node) {
    for (uint32_t i = node, p = py_parent(f, i); p != NO_NODE; i = p, p = py_parent(f, p)) {
        if (py_kind(f, p) == PY_FUNCTION) return false;
        if (py_kind(f, p) != PY_IF || py_child(f, p, 1) != i) continue;
        for (uint32_t c = py_next(f, i); c != NO_NODE; c = py_next(f, c)) {
            struct str test = py_text(f, py_child(f, c, 0));
            if (py_kind(f, c) == PY_ELIF && str_find(test, S(PY_MPS), 0) < test.n) return true;
        }
    }
    return false;
}

/* if device.type == "cuda": torch.cuda.mem_get_info() / elif device.type == "mps": where the first
 * arm becomes any accelerator's, it is MPS's, too, which may have no such function. */
static bool fails_on_mps(const struct py *f, const struct py_match *m) {
    struct target_ref mps;
    if (m->kind != PM_NAME || py_call_of(f, m->node) == NO_NODE ||
        target_fact(f->target, "device").n || !is_above_mps(f, m->node) ||
        !rules_target(f->rules, S(PY_MPS), &mps))
        return false;
    const struct rcell *cell = row_cell(m->row, mps);
    return !cell || cell->verdict == V_MANUAL || cell->verdict == V_NONE;
}

/* Whether what stands there, alone or in a tuple, are the classes that isinstance() compares with.
 */
static bool are_tested_classes(const struct py *f, uint32_t node) {
    uint32_t p = py_parent(f, node);
    while (py_kind(f, p) == PY_TUPLE || py_kind(f, p) == PY_PARENTHESIZED) p = py_parent(f, p);
    return py_kind(f, p) == PY_ARGUMENT_LIST &&
           py_lists(f, "python.class_tests", py_text(f, py_callee(f, py_parent(f, p))));
}

/* types = nn.BatchNorm1d, nn.SyncBatchNorm, and isinstance(m, types) somewhere. */
static bool is_tested_by_name(struct py *f, uint32_t node) {
    uint32_t p = py_parent(f, node);
    if (!py_is_collection(py_kind(f, p)) && py_kind(f, p) != PY_EXPRESSION_LIST) return false;
    uint32_t assignment = py_parent(f, p);
    if (py_kind(f, assignment) == PY_PARENTHESIZED) assignment = py_parent(f, assignment);
    uint32_t left = py_child(f, assignment, 0);
    if (py_kind(f, assignment) != PY_ASSIGNMENT || py_kind(f, left) != PY_IDENTIFIER) return false;
    struct str name = py_text(f, left);
    py_want_uses(f, name);
    for (size_t k = 0; k < f->identifiers.n; k++)
        if (str_eq(py_text(f, f->identifiers.v[k]), name) &&
            are_tested_classes(f, f->identifiers.v[k]))
            return true;
    return false;
}

/* isinstance(x, torch.nn.SyncBatchNorm): a class of the runtime's in its place is one of these,
 * and what others made is none of the runtime's. */
static bool is_class_test(struct py *f, const struct py_match *m) {
    return py_lists(f, "runtime.subclasses", m->token) &&
           (are_tested_classes(f, m->node) || is_tested_by_name(f, m->node));
}

void py_settle_branches(struct py *f) {
    size_t open = 0; /* where the branch ends that chooses for a framework */
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (is_kept(m) || m->kind == PM_IMPORT || m->kind == PM_MODULE || m->kind == PM_WORD)
            continue;
        if (m->row.rule && m->row.rule->lint) continue;
        if (is_done_below(f, m)) {
            m->verdict = V_SAME;
            m->cell = NULL;
            m->message = S("the call does nothing without CUDA, and the target's is below");
        } else if (asks_for_program(f, m)) {
            m->verdict = V_SAME;
            m->cell = NULL;
            m->message = S("what follows is NVIDIA's own: the question stays with it");
        } else if (is_class_test(f, m)) {
            m->verdict = V_SAME;
            m->cell = NULL;
            m->message = S("the runtime's class is derived from it");
        } else if (decides_for_framework(f, m) || (m->end <= open && is_question(f, m))) {
            uint32_t branch = branch_of_test(f, m);
            if (branch != NO_NODE) open = py_node(f, branch)->end;
            m->verdict = V_SAME;
            m->cell = NULL;
            m->message = S("what is decided here is left to a human: both change together");
        } else if (is_question(f, m) && target_fact(f->target, "accelerated").n == 0 &&
                   py_decides_for_library(f, m->node)) {
            m->verdict = V_MANUAL;
            m->cell = NULL;
            m->message =
                S("a library is told by it whether to use CUDA, and knows no other device");
        } else if (is_behind_nvidia(f, m->node)) {
            m->verdict = V_MANUAL;
            m->cell = NULL;
            m->message = S("the test before it asks for NVIDIA's by its name: add the target's");
        } else if (is_in_cuda_branch(f, m->node)) {
            m->verdict = V_MANUAL;
            m->cell = NULL;
            m->message = S("the branch is CUDA's by a question that stays: add the target's");
        } else if (choice_of_cuda(f, m).n) {
            m->verdict = V_MANUAL;
            m->cell = NULL;
            m->message = arena_printf(
                f->a, "the branch chooses \"%.*s\": choose the target's in one of its own",
                STR_ARG(choice_of_cuda(f, m)));
        } else if (fails_on_mps(f, m)) {
            m->verdict = V_MANUAL;
            m->cell = NULL;
            m->message = arena_printf(
                f->a, "a branch below is for MPS, an accelerator, too, and MPS has no `%.*s`",
                STR_ARG(m->token));
        }
    }
}
