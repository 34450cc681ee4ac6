/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - one decision is one finding.
 *
 * What a human has to decide once is told once: the options of one list, the uses of one library
 * in a file, how a file builds, a guard that stays as a whole. */
#include "python/match.h"

static const char LISTED[] = "an option of a list that a finding is about";

enum { LOOK_BACK = 64 };

static bool is_open(const struct py_match *m) {
    return m->verdict != V_SAME && m->verdict != V_EXACT && m->verdict != V_SHIM;
}

/* The finding that speaks for an option of a list: the first one in the list that its rule is for
 * a human about, or the argument that the list is given to. */
static struct py_match *speaker_of(struct py *f, const struct py_match *m, size_t n) {
    struct py_match *found = NULL;
    uint32_t list = py_parent(f, m->literal.node);
    bool listed = py_is_collection(py_kind(f, list));
    uint32_t argument = py_ancestor(f, m->literal.node, PY_KEYWORD_ARGUMENT);
    for (size_t k = n, last = n > LOOK_BACK ? n - LOOK_BACK : 0; k-- > last;) {
        struct py_match *other = &f->matches.v[k];
        bool speaks = other->kind == PM_KEYWORD && other->node == argument &&
                      str_eq(rs_str(other->row.set, other->row.rule->domain),
                             rs_str(m->row.set, m->row.rule->domain));
        bool beside = listed && other->kind == PM_STRING && other->row.rule == m->row.rule &&
                      other->verdict == m->verdict && py_parent(f, other->literal.node) == list;
        if (is_open(other) && (speaks || beside)) found = other;
    }
    return found;
}

/* The library that a token is of: bitsandbytes of bitsandbytes.nn; a method's is any. */
static struct str library_of(struct str token) {
    return str_sub(token, 0, str_find(token, S("."), 0));
}

static struct str note_of(const struct py_match *m) {
    return m->cell ? rs_str(m->row.set, m->cell->note) : S("");
}

/* Whether both are for a human, by the same rule, and it says the same of the same library. */
static bool is_same_library(const struct py_match *other, const struct py_match *m) {
    return m->row.rule->together && m->kind != PM_STRING && other->row.rule == m->row.rule &&
           is_open(m) && is_open(other) && other->verdict == m->verdict &&
           str_eq(library_of(other->token), library_of(m->token)) &&
           str_eq(note_of(other), note_of(m)) &&
           (m->uses || other->uses || str_eq(other->message, m->message));
}

/* Whether both are names that the target has nothing for, in one function. */
static bool is_missing_twice(const struct py *f, const struct py_match *other,
                             const struct py_match *m) {
    bool names = (m->kind == PM_NAME || m->kind == PM_ATTRIBUTE) && other->kind == m->kind;
    return names && !m->message.n && !other->message.n && m->verdict == V_NONE &&
           other->verdict == V_NONE && py_ancestor(f, m->node, PY_FUNCTION) != NO_NODE &&
           py_ancestor(f, m->node, PY_FUNCTION) == py_ancestor(f, other->node, PY_FUNCTION);
}

/* batch of batch.poses[0].cuda(). */
static struct str root_of(const struct py *f, const struct py_match *m) {
    struct str s = py_text(f, py_child(f, m->node, 0));
    size_t n = 0;
    while (n < s.n && !strchr(".([", s.p[n])) n++;
    return str_sub(s, 0, n);
}

/* Whether both are in doubt for the same reason, what an object is that both are of:
 * batch.x.cuda() and batch.y.cuda(), in one file. */
static bool is_same_doubt(const struct py *f, const struct py_match *other,
                          const struct py_match *m) {
    return m->kind == PM_ATTRIBUTE && other->kind == PM_ATTRIBUTE && m->certainty == C_LIKELY &&
           other->certainty == C_LIKELY && m->message.n && str_eq(m->message, other->message) &&
           str_eq(root_of(f, m), root_of(f, other));
}

/* impl of impl="cuda", of impl == "cuda" and of impl in ["ref", "cuda"]; empty: the literal has no
 * name beside it. */
static struct str name_beside(const struct py *f, const struct py_match *m) {
    uint32_t i = m->literal.node, p = py_parent(f, i);
    if (py_is_collection(py_kind(f, p)) && py_kind(f, p) != PY_SUBSCRIPT) p = py_parent(f, i = p);
    switch (py_kind(f, p)) {
    case PY_COMPARISON:
    case PY_ASSIGNMENT:
    case PY_KEYWORD_ARGUMENT:
    case PY_DEFAULT_PARAMETER:
    case PY_TYPED_DEFAULT_PARAMETER:
        return py_child(f, p, 0) == i ? S("") : py_describing_name(f, py_child(f, p, 0));
    default:
        return S("");
    }
}

/* Whether nothing proves of both that they are what the rule is about, and they have one name:
 * what it means is one decision. */
static bool is_same_vocabulary(const struct py *f, const struct py_match *other,
                               const struct py_match *m) {
    if (m->kind != PM_STRING || other->kind != PM_STRING || m->certainty != C_UNKNOWN ||
        other->certainty != C_UNKNOWN || m->blocked || other->blocked ||
        other->row.row != m->row.row || m->context.doubt != other->context.doubt)
        return false;
    struct str name = name_beside(f, m);
    return name.n && str_eq(name, name_beside(f, other));
}

/* Whether the other place is the import of what stands here, an environment variable or a program
 * of the same name, or the same name that the target has nothing for. */
static bool is_same_name(const struct py *f, const struct py_match *other,
                         const struct py_match *m) {
    bool variable = m->kind == PM_STRING && m->row.rule->texts && m->row.rule->by_form &&
                    m->row.rule->shape == SHAPE_EXACT;
    bool program = m->kind == PM_STRING && m->row.rule->shape == SHAPE_COMMAND;
    return other->row.row == m->row.row && str_eq(other->token, m->token) &&
           (other->kind == PM_IMPORT || variable || program || is_missing_twice(f, other, m) ||
            is_same_doubt(f, other, m));
}

/* Whether it is about what NVIDIA's toolkit builds: its compiler's options, its place, its classes
 * of extensions. */
static bool is_of_build(const struct py *f, const struct py_match *m) {
    return py_lists(f, "cuda.build_rules", rs_str(m->row.set, m->row.rule->id)) ||
           (m->kind == PM_STRING && py_lists(f, "cuda.build_variables", m->token));
}

/* torch.cuda.Event = torch.xpu.Event: the file puts something in the place of CUDA's functions,
 * and what it is to put there, and where, is one question. */
static bool is_put_in_place(const struct py *f, const struct py_match *m) {
    size_t last = str_last_dotted(m->token).n;
    return (m->kind == PM_NAME || m->kind == PM_UNKNOWN) && m->token.n > last &&
           py_lists(f, "torch.module", str_sub(m->token, 0, m->token.n - last - 1)) &&
           py_is_target(f, m->node);
}

/* Packages that one setup.py names. */
static bool names_package(const struct py_match *m) {
    return m->kind == PM_WORD && str_ends(m->message, S(PY_PACKAGE_MESSAGE));
}

/* What a guard is left for: of its matches the one that cannot be rewritten. */
static struct py_match *hindrance_of(struct py *f, const struct py_match *m) {
    for (size_t k = 0; m->blocked && m->group != NO_NODE && k < f->matches.n; k++) {
        struct py_match *other = &f->matches.v[k];
        bool left = match_is_left(&other->base) && !other->blocked;
        if (left && other->group == m->group) return other;
    }
    return NULL;
}

/* One decision is one finding: how the file builds for the target, what takes a library's place,
 * what becomes of a name that is imported, of a variable, and of a guard that is rewritten whole
 * or not at all. The first place that is for a human speaks for the others. They stay matches:
 * what is rewritten together or not at all asks them. */
void py_gather_decisions(struct py *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i], *first = NULL;
        if (!match_is_left(&m->base)) continue;
        bool builds = is_of_build(f, m), put = is_put_in_place(f, m);
        for (size_t k = 0; k < i && !first; k++) {
            struct py_match *other = &f->matches.v[k];
            bool left = match_is_left(&other->base) && !other->told;
            if (left && ((builds && is_of_build(f, other)) || (put && is_put_in_place(f, other)) ||
                         (names_package(m) && names_package(other)) || is_same_library(other, m) ||
                         is_same_name(f, other, m) || is_same_vocabulary(f, other, m)))
                first = other;
        }
        if (!first) continue;
        m->told = true;
        m->speaker = (uint32_t)(first - f->matches.v);
        first->more += 1 + m->more;
        first->uses += m->uses;
    }
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i], *first = m->told ? NULL : hindrance_of(f, m);
        while (first && first->told) first = &f->matches.v[first->speaker];
        if (!first || first == m) continue; /* what hinders m may be told by m itself */
        m->told = true;
        m->speaker = (uint32_t)(first - f->matches.v);
        first->guarded += 1 + m->more;
    }
}

/* "-Xptxas", "--use_fast_math" in one list of options are one decision: the first of those that
 * are for a human speaks for the others. */
void py_gather_lists(struct py *f) {
    size_t kept = 0;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        bool may = m->row.rule && m->row.rule->together && is_open(m) && m->kind == PM_STRING;
        struct py_match *first = may ? speaker_of(f, m, kept) : NULL;
        if (first) {
            first->more++;
            py_keep_word(f, m->literal.string, LISTED);
        } else {
            f->matches.v[kept++] = *m;
        }
    }
    f->matches.n = kept;
}
