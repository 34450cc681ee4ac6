/* SPDX-License-Identifier: Apache-2.0 */
/* environment.c - the name of an environment variable in a program: is it asked or set there, or
 * is it a word of the program's own?
 *
 * os.environ["CUDA_HOME"] asks; {"CUDA_HOME": CUDA_HOME} labels a value for people or for a file,
 * and another label beside the same value would be wrong. Where only the shape of a dictionary
 * speaks, nobody knows. */
#include "python/match.h"

#include <strings.h>

/* env, os.environ, child_env, ENV_VARS, environment: by its name it holds such variables;
 * env_info and env_report are for people. */
static bool is_environment(const struct py *f, uint32_t node) {
    static const char word[] = "env";
    struct str name = py_text(f, node);
    if (name.n > 200 || py_mentions(f, "python.reports", name)) return false;
    for (size_t i = 0; i + 3 <= name.n; i++)
        if (strncasecmp(name.p + i, word, 3) == 0) return true;
    return false;
}

/* Whether something in the expression is called like the variable, or reads one: CUDA_HOME,
 * os.environ.get("CUDA_HOME"), get_env("CUDA_HOME"). */
static bool says(const struct py *f, uint32_t node, struct str name) {
    if (py_node(f, node)->next - node > 200) return false;
    for (uint32_t i = node; i < py_node(f, node)->next; i++) {
        enum py_kind k = py_kind(f, i);
        struct str text = py_text(f, i);
        if ((k == PY_IDENTIFIER || k == PY_STRING_CONTENT) && str_eq(text, name)) return true;
        if (k == PY_IDENTIFIER && (str_is(text, "environ") || str_is(text, "getenv"))) return true;
    }
    return false;
}

/* What the name goes with: the value of its key, what is stored below it, the next element. */
static uint32_t companion_of(const struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string);
    if (py_kind(f, p) == PY_SUBSCRIPT) {
        uint32_t a = py_parent(f, p);
        bool stores = py_kind(f, a) == PY_ASSIGNMENT && py_child(f, a, 0) == p;
        return stores ? py_child(f, a, -1) : (uint32_t)NO_NODE;
    }
    if (py_kind(f, p) == PY_PAIR && py_child(f, p, 0) != string) return NO_NODE;
    return py_next(f, string);
}

/* What holds the name: the dictionary that is asked, the object whose method gets it, the variable
 * or argument that the display goes to; NO_NODE: nothing that has a name. */
static uint32_t holder_of(const struct py *f, uint32_t string) {
    uint32_t i = string, p = py_parent(f, i);
    if (py_kind(f, p) == PY_SUBSCRIPT) return py_child(f, p, 0) == i ? NO_NODE : py_child(f, p, 0);
    for (int hops = 0; p != NO_NODE && hops < 12; i = p, p = py_parent(f, p), hops++) {
        switch (py_kind(f, p)) {
        case PY_ARGUMENT_LIST:
            return py_callee(f, py_parent(f, p));
        case PY_ASSIGNMENT:
        case PY_AUGMENTED_ASSIGNMENT:
        case PY_KEYWORD_ARGUMENT:
        case PY_DEFAULT_PARAMETER:
        case PY_TYPED_DEFAULT_PARAMETER:
            return py_child(f, p, 0);
        case PY_PAIR:
            if (py_child(f, p, 0) != i) return py_child(f, p, 0); /* {"env_vars": {...}} */
            break;
        case PY_PARENTHESIZED:
        case PY_DICTIONARY:
        case PY_BINARY_OPERATOR:
        case PY_LIST:
        case PY_TUPLE:
        case PY_CONDITIONAL:
            break;
        case PY_RETURN: {
            uint32_t function = py_ancestor(f, p, PY_FUNCTION);
            return function == NO_NODE ? NO_NODE : py_child(f, function, 0);
        }
        default:
            return NO_NODE;
        }
    }
    return NO_NODE;
}

/* {**os.environ, "X": ...}, dict(os.environ, ...): the display has an environment's variables. */
static bool spreads_environment(const struct py *f, uint32_t display) {
    for (uint32_t e = py_child(f, display, 0); e != NO_NODE; e = py_next(f, e))
        if (py_kind(f, e) != PY_PAIR && is_environment(f, e)) return true;
    return false;
}

static bool holds_environment(const struct py *f, uint32_t node) {
    uint32_t value = py_value_of(f, node);
    return is_environment(f, node) ||
           (py_kind(f, value) == PY_DICTIONARY ? spreads_environment(f, value)
                                               : is_environment(f, value));
}

/* Popen(cmd, env=settings), os.environ.update(settings), settings.update(os.environ): what the
 * variable is filled with becomes an environment. */
static bool becomes_environment(struct py *f, uint32_t holder) {
    if (py_kind(f, holder) != PY_IDENTIFIER) return false;
    if (f->scope_of[holder] == 0) py_want_uses(f, py_text(f, holder));
    for (size_t k = 0; k < f->identifiers.n; k++) {
        uint32_t i = f->identifiers.v[k];
        if (i == holder || !str_eq(py_text(f, i), py_text(f, holder))) continue;
        uint32_t p = py_parent(f, i);
        while (py_kind(f, p) == PY_ATTRIBUTE || py_kind(f, p) == PY_CALL ||
               str_starts(py_text(f, p), S("**")))
            p = py_parent(f, p);
        if (py_kind(f, p) == PY_KEYWORD_ARGUMENT && is_environment(f, py_child(f, p, 0)))
            return true;
        if (py_kind(f, p) == PY_ARGUMENT_LIST &&
            (is_environment(f, py_callee(f, py_parent(f, p))) || spreads_environment(f, p)))
            return true;
        if (py_kind(f, p) == PY_DICTIONARY && spreads_environment(f, p)) return true;
        uint32_t loop = py_ancestor(f, i, PY_FOR); /* for k, v in settings.items(): os.environ */
        if (loop != NO_NODE && py_child(f, loop, 1) <= i && i < py_child(f, loop, 2) &&
            str_find(py_text(f, loop), S("environ"), 0) < py_text(f, loop).n)
            return true;
    }
    return false;
}

/* Whether the name is a key, or the first of a pair: the places where a label can stand. */
static bool is_key_or_label(const struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string);
    enum py_kind k = py_kind(f, p);
    if (k == PY_SUBSCRIPT) return py_child(f, p, 0) != string;
    return (k == PY_PAIR || k == PY_TUPLE || k == PY_LIST || k == PY_ARGUMENT_LIST) &&
           py_child(f, p, 0) == string;
}

enum environment_use py_environment_use(struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string), holder = holder_of(f, string);
    struct str name = py_text(f, py_child(f, string, 1));
    bool key = py_kind(f, p) == PY_PAIR || py_kind(f, p) == PY_SUBSCRIPT;
    if (!is_key_or_label(f, string)) return ENVIRONMENT_ASKED;
    if (holder != NO_NODE && (holds_environment(f, holder) || becomes_environment(f, holder)))
        return ENVIRONMENT_ASKED;
    if (py_kind(f, p) == PY_PAIR && spreads_environment(f, py_parent(f, p)))
        return ENVIRONMENT_ASKED;
    uint32_t beside = companion_of(f, string);
    if (beside != NO_NODE && says(f, beside, name)) return ENVIRONMENT_LABEL;
    if (!key) return ENVIRONMENT_ASKED;
    for (uint32_t i = 0; i < f->tree.n; i++) { /* rep["CUDA_HOME"], which a label filled */
        bool same = py_kind(f, i) == PY_STRING && str_eq(py_text(f, i), py_text(f, string));
        if (!same || i == string) continue;
        uint32_t other = is_key_or_label(f, i) ? companion_of(f, i) : (uint32_t)NO_NODE;
        uint32_t of = holder_of(f, i);
        if (other != NO_NODE && of != NO_NODE && holder != NO_NODE && says(f, other, name) &&
            str_eq(py_text(f, of), py_text(f, holder)))
            return ENVIRONMENT_LABEL;
    }
    return ENVIRONMENT_UNPROVEN;
}

/* os.environ["RWKV_CUDA_ON"] = "1", in a file that says the name nowhere else. */
bool py_sets_environment(struct py *f, uint32_t string) {
    uint32_t p = py_parent(f, string), call = py_parent(f, p), holder = holder_of(f, string);
    struct str name = py_text(f, py_child(f, string, 1)), method = py_text(f, py_callee(f, call));
    if (py_kind(f, py_child(f, string, 1)) != PY_STRING_CONTENT || holder == NO_NODE) return false;
    bool called = py_kind(f, p) == PY_ARGUMENT_LIST && py_child(f, p, 0) == string &&
                  (str_ends(method, S("environ.setdefault")) || str_ends(method, S("putenv")));
    bool stored = py_kind(f, p) == PY_SUBSCRIPT && py_is_target(f, p) &&
                  str_ends(py_text(f, holder), S("environ"));
    if (!called && !stored) return false;
    if (f->partial) f->wants_whole = true; /* it may be asked for in a part that was not parsed */
    size_t first = str_find(f->src, name, 0);
    return str_find(f->src, name, first + name.n) == f->src.n;
}

bool py_keyword_is_variable(struct py *f, uint32_t call, enum certainty *sure) {
    uint32_t callee = py_callee(f, call), holder = holder_of(f, call);
    struct str method = str_last_dotted(py_text(f, callee));
    bool builds = str_is(method, "dict") && py_kind(f, callee) == PY_IDENTIFIER;
    bool updates = str_is(method, "update") && py_kind(f, callee) == PY_ATTRIBUTE;
    bool known = updates ? holds_environment(f, py_child(f, callee, 0))
                         : spreads_environment(f, py_arguments(f, call)) ||
                               (holder != NO_NODE && holds_environment(f, holder));
    *sure = known ? C_EXACT : C_UNKNOWN;
    return builds || updates;
}
