/* SPDX-License-Identifier: Apache-2.0 */
/* py.h - what the stages of the Python porter hand to each other.
 *
 * scan.c    bytes -> which top-level statements can matter            (struct py_scan)
 * names.c   tree  -> scopes, bindings, qualified names                (struct py, py_resolve)
 * family.c  what a literal spells, and which words are of a rule's family
 * literal.c string nodes -> what they spell and where their value goes
 * use.c     what a function does with a text beside comparing it
 * flow.c    arguments and parameters, what a call returns, groups of a pattern
 * table.c   dictionaries that are asked by a device
 * pytest.c  the values that pytest hands to tests and fixtures
 * truth.c   strings whose truth is asked for by mistake
 * match.c   names and literals x rules -> matches                     (struct py_match)
 * none.c    variables that may be None
 * readable.c what the grammar refuses but Python takes
 * region.c  what the code around a match decides about it
 * hopeless.c  tests that the target cannot pass
 * applicable.c whether a match may be edited at all
 * plan.c    one match -> its edits: templates, renames, literals     (struct draft)
 * imports.c the import lines: porting them, adding vendor imports and helpers
 * apply.c   which matches are applied: groups, overlaps, pinned imports (struct match_edit)
 * gather.c  which findings are one decision
 * wrap.c    lines that became too long
 *
 * All of it lives in the arena of one file and knows nothing of files, sessions or printing. */
#ifndef CM_PY_H
#define CM_PY_H

#include "base/regex.h"
#include "rules/match.h"
#include "syntax/tree.h"

enum py_kind {
    PY_OTHER,
#define PY(e, name) PY_##e,
#include "python/py_kinds.def"
#undef PY
    PY_KINDS
};
extern const struct kind_table py_kind_table;

/* ---- scan.c ---- */

/* The words that a file has to account for wherever they stand, of two letters or more. */
struct py_words {
    struct str v[16];
    size_t n, least;          /* least: the length of the shortest */
    unsigned char shift[256]; /* how far the next one may be from a window that ends in the byte */
    bool ends[256];           /* some word may fill a window that ends in the byte */
};

/* Names of the file's own that were seen to matter after a part of it had been parsed. */
enum { PY_MAX_NAMES = 12 };
struct py_names {
    struct str v[PY_MAX_NAMES]; /* slices of the text */
    uint32_t n;
};

/* Words that decide which statements are parsed: rule anchors. */
struct py_scan {
    bool any; /* some anchor occurs in the file */
    /* Statements worth parsing, merged, in order: top-level ones, and of a class its head and then
     * members, whose ranges start with a blank. */
    VEC(struct byte_range) ranges;
    size_t parsed_bytes;
};
/* Whether the byte can be one of a name. */
static inline bool py_is_word_byte(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}
/* Whether any anchor of the rules occurs in the text (comments and strings included): the
 * prefilter. */
bool py_prefilter(const struct anchor_set *anchors, struct str src);
/* Splits src at its top-level statements, classes at their members, and selects what has an
 * anchor, an import that tells something, a binding of a name that imports commonly bind, or one
 * of the names, which are words; imports add names there, as far as it has room. */
void py_scan(struct py_scan *out, struct arena *a, const struct anchor_set *anchors,
             struct str src, struct py_names *names);

/* ---- readable.c ---- */

struct py;
/* Whether the tree has statements of Python 2; *node: the first one. */
bool py_is_python_2(const struct py *f, uint32_t *node);
/* The grammar refuses `return a, *(None,) * n`, which Python takes. Blanks such stars in the lines
 * where the tree has its first error; *text becomes a copy, in f->a. False: there are none. */
bool py_hide_stars(const struct py *f, struct str *text);
/* The grammar reads `[*a.b()]` as `[(*a).b()]`; makes it `[*(a.b())]`, as Python does. */
void py_lift_stars(struct tree *t);

/* ---- names.c ---- */

enum binding_kind {
    B_IMPORT, /* import a.b [as c] */
    B_FROM,   /* from a import b [as c] */
    B_VALUE,  /* name = expression (one target) */
    B_PARAMETER,
    B_FUNCTION,
    B_CLASS,
    B_OTHER,    /* loop variables, patterns, augmented assignment ...: anything */
    B_ELSEWHERE /* global and nonlocal: the name belongs to another scope */
};

/* No program has more places that CUDA matters in; what has them is data, and matches look at each
 * other. */
enum { PY_MAX_MATCHES = 10000 };

struct py_binding {
    struct str name;
    struct str path; /* B_IMPORT, B_FROM: what the name stands for */
    uint32_t scope;
    uint32_t node;  /* the identifier (or imported name) that is bound */
    uint32_t value; /* B_VALUE, B_PARAMETER default: the expression; else NO_NODE */
    uint32_t next;  /* next binding of the same name in the same scope, or NO_NODE */
    uint32_t last;  /* of the first of them: the last one */
    uint8_t kind;
    bool in_handler;    /* in an except clause: a fallback of the binding in the try block */
    bool pinned;        /* imports.c: the import has to stay as it is */
    struct str ported;  /* imports.c: what the name stands for after the port, when that changes */
    struct str renamed; /* imports.c: the new local name, when that changes */
    uint8_t
        resolving; /* names.c: 0 not yet, 1 in progress (a cycle gives up), 2 `meaning` is known */
};

struct py_scope {
    uint32_t node, parent;
    uint8_t kind;
};
enum { SCOPE_MODULE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_COMPREHENSION };

/* What an expression stands for. */
struct py_name {
    struct str path; /* torch.cuda.is_available; p == NULL: not known */
    enum certainty certainty;
    uint32_t root; /* binding of its first identifier, or NO_NODE when nothing binds that */
};

/* A class of the user's that defines cuda() itself. */
struct py_own_class {
    struct str name, path; /* of its file */
    struct str root;       /* the folder that its file, or the packages around it, lie in */
    struct str package;    /* what an import of it begins with */
    bool moves;            /* by to(), too: see py_moves_by_to */
};

/* An import of a file in `folder` shows that the folder is imported as a part of `package`, a
 * folder around it or itself. By the package's name it shows so only where `module`, the path of
 * what is imported without its ending, is in the tree: an installed package may have that name,
 * too. Empty: the import is relative. */
struct py_reach {
    struct str folder, package, module;
};

/* How long lines are below a folder; `formats`: a formatter says so, not a linter. */
struct py_lines {
    struct str folder;
    uint32_t columns;
    bool formats;
};

/* Names that several files share (engine/facts.c collects them). */
struct py_project {
    VEC(struct py_own_class) own_cuda_classes;
    VEC(struct str) own_attributes; /* is_cuda, is_cuda(), is_cuda@: py_member_kind, or assigned */
    VEC(struct str) own_packages;   /* topmost folders with an __init__.py */
    VEC(struct str) extensions;     /* compiled modules that a setup.py of the tree builds */
    VEC(struct str) packages;       /* the paths of all of them */
    VEC(struct py_reach) reaches;
    VEC(struct str) imported;         /* the paths of modules that a file imports by its package */
    VEC(struct str) guarded_packages; /* torch_npu: some file tries to import it, or asks before */
    VEC(struct str) helpers;          /* modules that an earlier port added */
    VEC(struct str) constants;        /* GPU = "cuda": of that name some module has one ... */
    VEC(struct str) compared;         /* words that some file compares something with */
    VEC(struct str) device_parameters; /* "f:1": a function f takes a device as its second */
    VEC(struct str) device_uses, backend_uses; /* ... and some file uses one as what it says */
    VEC(struct py_lines) line_lengths;
    VEC(struct str) set_backends; /* dist_backend: a project file gives it a backend */
};

/* Whether a file is there, for what only the file system tells. */
struct py_disk {
    bool (*exists)(void *context, struct str path);
    void *context;
};

/* A word of CUDA's that stays, and why. */
struct py_word {
    uint32_t start, end;
    struct str why;
};

struct py {
    struct arena *a;
    struct str src;
    struct tree tree;
    const struct rules *rules;
    struct target_ref target;
    const struct py_project *project; /* or NULL */
    const struct py_disk *disk;       /* or NULL */
    struct str path;                  /* of the file */
    struct regex_cache *regex;
    bool asked_disk; /* the matches depend on files around this one */
    struct str top;  /* ... those in this folder, if has_top */
    bool has_top;
    bool partial;                        /* only some statements were parsed */
    bool wants_whole;                    /* ... and that is not enough */
    const struct py_names *parsed_names; /* statements with these names were parsed, too */
    struct py_names wanted_names;        /* ... and those with these have to be */
    bool too_many;                       /* more than PY_MAX_MATCHES: matching stopped there */
    bool torch_in_member;                /* somewhere it says `self.torch = torch` */
    const struct port_options *options;
    struct str helper; /* the package whose module of helpers the result imports, or empty */
    bool stub;         /* a .pyi file: only types, nothing runs */
    struct py_words accounted;
    bool builds;           /* it packs a project: setup.py */
    bool accounts;         /* it imports a library that CUDA's words can reach */
    bool is_configuration; /* it may be read without its imports being carried out */
    bool
        is_for_another; /* ... none of them, but a framework whose devices are called like those */
    bool has_foreign_devices;  /* it imports a library that has devices of its own */
    bool only_foreign_devices; /* ... and none that CUDA's words can reach */

    uint32_t *scope_of; /* [node] */
    VEC(struct py_scope) scopes;
    VEC(uint32_t) identifiers; /* all nodes of that kind, in order */
    VEC(struct py_binding) bindings;
    struct py_name *meaning; /* [binding] what the name stands for, by names.c */
    uint32_t *binding_table; /* open addressing, by scope and name: binding + 1 */
    uint32_t binding_mask;
    VEC(uint32_t) star_imports; /* nodes */
    VEC(struct str) star_modules;
    VEC(struct py_own_class) own_cuda_classes; /* of this file */

    VEC(struct py_match) matches;
    VEC(const struct rrow *) module_uses; /* the rows of calls into imported modules */
    VEC(struct match_edit) edits;
    VEC(struct match_edit) unwrapped; /* ... before lines were broken; none: no line was */
    match_pairs joined;               /* matches that are rewritten together or not at all */
    uint8_t need;                     /* imports.c: what the lines are for that it adds now */
    VEC(struct py_word) words;        /* those that no match is about, by position */
};

/* Finds scopes and bindings. */
void py_bind(struct py *f);
/* The scope that a use at `node` looks its names up from. */
static inline uint32_t py_scope_at(const struct py *f, uint32_t node) { return f->scope_of[node]; }
/* First binding of `name` visible from `scope` by Python's rules (class scopes are skipped from
 * inside functions), or NO_NODE. */
uint32_t py_lookup(const struct py *f, uint32_t scope, struct str name);
/* The text of a dotted_name without blanks or line breaks. */
struct str py_dotted(struct py *f, uint32_t node);
/* Resolves an identifier, attribute chain, getattr(x, "lit"), or import_module("lit"). */
struct py_name py_resolve(struct py *f, uint32_t node);

/* The names that stages know one by one. What a name has in common with others is a list of
 * rules/words.json; of these a row could say no more than the name. */
#define PY_TORCH "torch"           /* the module that rules are about; others hang below it */
#define PY_CUDA "cuda"             /* x.cuda(): moves x; a class may have its own */
#define PY_IS_CUDA "is_cuda"       /* x.is_cuda: a test like those for availability */
#define PY_ANY "any"               /* the row `any cuda`: of an x that may have its own */
#define PY_MPS "mps"               /* Apple's device, which PyTorch has by itself */
#define PY_CPU "cpu"               /* PyTorch's own name for the processor */
#define PY_WORD_ROW "cudnn"        /* the row about words that no other row is about */
#define PY_CONTEXTLIB "contextlib" /* what templates write besides torch */
#define PY_ADDED "# Added by cuda-morph" /* begins a module of helpers */
#define PY_HELPERS "cuda_morph_rt"       /* runtime/python */

/* Whether that list of rules/words.json has the word, or the name that is known. */
static inline bool py_lists(const struct py *f, const char *list, struct str word) {
    return rules_lists(f->rules, list, word);
}

/* In a tree with errors a part may be missing: NO_NODE has an empty node, so that nobody has to
 * ask everywhere. */
static inline const struct node *py_node(const struct py *f, uint32_t i) {
    static const struct node none;
    return i < f->tree.n ? &f->tree.v[i] : &none;
}
static inline enum py_kind py_kind(const struct py *f, uint32_t i) {
    return (enum py_kind)py_node(f, i)->kind;
}
static inline bool py_is_collection(enum py_kind k) {
    return k == PY_LIST || k == PY_TUPLE || k == PY_SET || k == PY_DICTIONARY || k == PY_SUBSCRIPT;
}
static inline struct str py_text(const struct py *f, uint32_t i) {
    return str_sub(f->src, py_node(f, i)->start, py_node(f, i)->end);
}
static inline uint32_t py_parent(const struct py *f, uint32_t i) {
    return i == 0 || i >= f->tree.n ? (uint32_t)NO_NODE : f->tree.v[i].parent;
}
/* Named children without comments: the n-th from the front or, for n < 0, from the back (-1 is the
 * last). */
uint32_t py_child(const struct py *f, uint32_t i, int n);
uint32_t py_next(const struct py *f, uint32_t i); /* next such sibling */
/* The nearest ancestor of that kind, i itself included, or NO_NODE. */
uint32_t py_ancestor(const struct py *f, uint32_t i, enum py_kind kind);
/* callee and argument_list of a call; NO_NODE when it has none (generator arguments). */
uint32_t py_callee(const struct py *f, uint32_t call);
uint32_t py_arguments(const struct py *f, uint32_t call);
/* The call whose callee is i, looking through nothing; NO_NODE when i is not called. */
uint32_t py_call_of(const struct py *f, uint32_t i);
/* Whether a name is an argument of isinstance or issubclass, also as one of several. */
bool py_is_tested_type(const struct py *f, uint32_t node);
/* Whether only the name of C counts where it stands uncalled: C is None, and, where what it
 * becomes is the same class, py_is_tested_type, an annotation, type(x) is C, or C.method. */
bool py_is_asked_class(const struct py *f, uint32_t node, bool same);
/* Whether an uncalled name is one that a class is derived from. */
bool py_is_base_class(const struct py *f, uint32_t node);
/* Value of keyword argument `name`, or the `position`-th positional argument (-1: none); NO_NODE.
 */
uint32_t py_argument(const struct py *f, uint32_t call, struct str name, int position);
/* Skips enclosing parentheses upwards. */
uint32_t py_unparenthesized(const struct py *f, uint32_t i);
/* What parentheses hold; i itself where it is none. */
uint32_t py_in_parentheses(const struct py *f, uint32_t i);
/* The operator between the two operands, without blanks and comments around it: a slice of the
 * text. Of a chain of comparisons it is no operator. */
struct str py_operator(const struct py *f, uint32_t operation);
/* Whether the node is `a and b`. */
bool py_is_and(const struct py *f, uint32_t node);
/* Whether the block ends with return, raise or continue. */
bool py_leaves(const struct py *f, uint32_t block);
/* Whether a word of the list (rules/words.json) occurs in the text, in a longer word, too. */
bool py_mentions(const struct py *f, const char *list, struct str text);

/* ---- own.c ---- */

/* The name of the class whose method the text's `def` at that place is; empty: of none. */
struct str py_class_around(struct str src, size_t def);
/* How a list of members calls the one whose `def` stands there: a method "name()", a property
 * "name@". */
struct str py_member_kind(struct arena *a, struct str name, struct str src, size_t def);
/* Whether to() moves an object of that class like the cuda() whose `def` stands there: the class
 * defines to(), or is a module whose cuda() moves nothing but members that are modules. */
bool py_moves_by_to(struct str src, size_t def);

/* ---- family.c ---- */

/* What a string expression spells, as far as rules can match it. */
struct py_literal {
    uint32_t node;   /* the whole expression: "cuda:" + str(i), "cuda:%d" % i, f"cuda:{i}", or the
                        string */
    uint32_t string; /* the string node that holds the word */
    uint32_t start, end;  /* bytes of the text inside that string node */
    struct str text;      /* those bytes; for an f-string its text before the first {...} */
    bool composed;        /* something is joined to the text: f-string, %, format, + */
    bool plain_call_free; /* nothing in the joined parts can have an effect */
    bool part;            /* it is a word inside of a longer text: a command line, a pattern */
};
/* False when the node is no literal a rule can match: docstring, escapes, bytes, prose. */
bool py_literal(const struct py *f, uint32_t string, struct py_literal *out);

/* The last identifier of what an expression is about: x.device -> device, str(x.device) -> device,
 * d.split(":")[0] -> d, get_device() -> get_device, cfg["device"] -> device. */
struct str py_describing_name(const struct py *f, uint32_t i);
/* Whether the rule of `row` says that a variable, keyword or option of that name is what it is
 * about. */
bool py_name_fits(struct py *f, struct row_ref row, struct str name);
/* Whether project files of the tree give a backend to what is called so: dist_backend: nccl. */
bool py_is_setting(const struct py_project *project, struct str name);
/* Whether the word is of the family of the rule's: cpu, mps ... */
bool py_is_companion(struct row_ref row, struct str word);

/* "cpu", or "cuda" if there else "cpu": whether a value is of words of the row's family alone. */
bool py_is_of_family(const struct py *f, struct row_ref row, uint32_t value);
/* cuda of cuda:0 */
struct str py_before_colon(struct str s);
/* Whether some literal below `container`, other than `self`, is of the rule's family; or something
 * there is PyTorch's module of the device. */
bool py_has_companion(struct py *f, struct row_ref row, uint32_t container, uint32_t self);

/* Whether all that Literal[...] lists besides `self` is of the rule's family: in Literal["io",
 * "cpu", "cuda"] they are words of the program's own. */
bool py_names_devices(struct py *f, struct row_ref row, uint32_t type, uint32_t self);
/* In a list of words, at least half have to be of the family: ["bool", "byte", "cpu", "cuda"]
 * names methods. */
bool py_is_family_list(struct py *f, struct row_ref row, uint32_t list, uint32_t self);
/* Whether another key of the dictionary that `pair` stands in is of the rule's family. */
enum companion_key { NO_COMPANION, COMPANION_BEFORE, COMPANION_AFTER };
enum companion_key py_companion_key(struct py *f, struct row_ref row, uint32_t pair);

/* kind, index = a, b: the element that the identifier gets; NO_NODE: none that is known.
 * kind, n = setup(): *call, and the position of what it gets in the result. */
uint32_t py_unpacked(const struct py *f, uint32_t identifier, uint32_t *call, int *position);

/* What a variable with one binding was filled with; the expression itself otherwise. */
uint32_t py_value_of(const struct py *f, uint32_t i);

/* Whether the literal stands in a dictionary that goes to a library with devices of its own. */
bool py_feeds_foreign(struct py *f, uint32_t literal);

/* Whether the identifier is `cuda` of f(cuda=True), a call of a library that is none of the tree.
 */
bool py_asks_library_for_cuda(struct py *f, uint32_t identifier);
/* Whether a question for the device is the value of such an argument: use_cuda=is_available(). */
bool py_decides_for_library(struct py *f, uint32_t question);
/* Whether the literal is what a library's object is asked for: getattr(pycolmap.Device, "cuda").
 */
bool py_is_attribute_of_library(struct py *f, uint32_t literal);
/* An assignment, augmented assignment or del stores to the place. */
bool py_is_target(const struct py *f, uint32_t node);
/* Whether the variable is filled with words of the rule's family and nothing else, by a question
 * for the device: kind = "cuda" if torch.cuda.is_available() else "cpu". */
bool py_is_chosen(struct py *f, struct row_ref row, uint32_t identifier);
/* Whether the variable holds a list of devices: devices = ["cpu"]. */
bool py_lists_devices(struct py *f, struct row_ref row, uint32_t identifier);

/* ---- table.c ---- */

/* Whether the dictionary is asked by a device, here or through the variable that it is assigned
 * to:
 * {"cuda": f}[x.device.type]. */
bool py_is_asked_by_device(struct py *f, struct row_ref row, uint32_t dictionary);
/* How sure it is that the key of `table["cuda"]` or `table.get("cuda")` is a device: the table is
 * asked by one elsewhere, or the key stands in its display and is ported there. */
enum certainty py_key_of_table(struct py *f, struct row_ref row, uint32_t table, uint32_t key);

/* ... of the key of a dictionary that is put into such a table: table |= {"cuda": f},
 * table.update({"cuda": f}); and whether the keyword of table.update(cuda=f) is one. */
enum certainty py_key_added(struct py *f, struct row_ref row, uint32_t dictionary, uint32_t key);
bool py_keyword_is_device(struct py *f, uint32_t keyword);

/* class B(Base, kind="cuda") beside class A(Base, kind="cpu"), @register("cuda") beside
 * @register("cpu"): whether another class or function of the file is registered under a word of
 * the rule's family, and where. */
enum companion_key py_registered_beside(struct py *f, struct row_ref row, uint32_t literal);

/* ---- literal.c ---- */

/* The Enum class whose body the node stands in, or NO_NODE. */
uint32_t py_enum_around(const struct py *f, uint32_t node);

/* How sure the context of a literal makes us that it is what the string rule of `row` is about. */
struct py_context {
    bool compared;  /* the value is compared with something */
    bool equality;  /* ... by ==, in or startswith, and not in an assertion: false is a fine answer
                     */
    bool nvidia;    /* ... to tell whether it is NVIDIA's */
    bool own;       /* ... with what the project's own layer over devices says */
    bool key;       /* it is a key of a dictionary */
    bool location;  /* ... which maps the places where tensors were to those where they go */
    bool pattern;   /* it is an alternative of a regular expression */
    bool placement; /* it is the device of a process: rank:0/cuda:0 */
    bool setting;   /* it is compared with what a project file gives a back end to */
    const char *never;   /* why it is none (help text, a key of data); NULL: it may be one */
    const char *doubt;   /* why it may be none, where it may */
    const char *counted; /* why another text would be wrong in its place, though it is one */
};
enum certainty py_string_context(struct py *f, struct row_ref row, const struct py_literal *lit,
                                 struct py_context *context);

/* ---- truth.c ---- */

/* Whether a string's truth is asked for by mistake: `if "gfx90a" or x in s` is always true. Not
 * `name or "cuda"`, a default. */
bool py_is_always_true(const struct py *f, uint32_t string);

/* ---- configuration.c ---- */

/* By the text alone: whether the file may turn out to be a configuration. */
bool py_may_be_configuration(const struct py *f);

/* ---- none.c ---- */

/* Whether the file shows that the variable or attribute may be None where it stands. */
bool py_may_be_none(struct py *f, uint32_t value);

/* ---- flow.c ---- */

/* The identifier of the parameter that an argument of the call goes to: the one of that keyword,
 * or the positional one where `keyword` is empty. NO_NODE: the callee is no function, method or
 * class of this file that can be read. */
uint32_t py_parameter(struct py *f, uint32_t call, int position, struct str keyword);
/* Whether the name is a parameter of the function around it, and is given nothing else there but
 * words of the row's family (`name = "cpu"`). */
bool py_is_parameter(struct py *f, struct row_ref row, uint32_t identifier);
/* kind, n = setup(): whether the variable holds one of several devices that a function of this
 * file returns, as texts. */
bool py_returns_choice(struct py *f, struct row_ref row, uint32_t variable);
/* Whether the expression calls a function of this file that returns x.device.type, or a collection
 * that begins with one. */
bool py_returns_device_type(struct py *f, uint32_t call);
/* The regular expression whose group the expression is: m.group(1), m[1]. False: it is none. */
bool py_group_pattern(struct py *f, uint32_t group, struct py_literal *pattern);
/* Whether `word` is an alternative in the regular expression, which has another word of the
 * rule's family, too. */
bool py_is_alternative(struct row_ref row, struct str pattern, struct str word);
/* Whether the callee is a name that a `def` of this file binds. */
bool py_is_own_function(struct py *f, uint32_t callee);

/* Whether the call is hasattr(x, "cuda") and x.cuda() is what it decides about, a method that has
 * another name on the target. */
bool py_asks_for_method(struct py *f, uint32_t call, struct str name);

/* Whether what the test says goes to a name that says NVIDIA: is_nvidia = kind == "cuda". */
bool py_asks_for_nvidia(const struct py *f, uint32_t test);

/* ---- use.c ---- */

/* "cuda" in metrics, where the same function reads metrics["cuda_memory"]: a key of data. */
bool py_is_data_by_use(const struct py *f, uint32_t operand);
/* x[:4], x[5:]: part of a text, by the number of its letters. */
bool py_is_slice(const struct py *f, uint32_t i);
/* if device.startswith("cuda:"): n = int(device[5:]) */
bool py_is_counted(const struct py *f, uint32_t text);
/* Whether a use of the parameter makes a longer text of it, or is the key of something: there it
 * is no device. */
bool py_builds_text(const struct py *f, uint32_t parameter);

/* ---- pytest.c ---- */

/* The values that a decorator of pytest's gives to a parameter, or to request.param. */
struct py_column {
    uint32_t call;     /* parametrize(...), fixture(...) */
    uint32_t values;   /* the list */
    uint32_t function; /* what is decorated: a function or a class */
    struct str name;   /* of the parameter, or of the fixture */
    int at;            /* its place in a row; -1: the values stand by themselves */
};
/* The column that a value stands in, and that behind a parameter, a fixture or request.param.
 */
bool py_column_of_value(const struct py *f, uint32_t value, struct py_column *out);
bool py_column_of_name(const struct py *f, uint32_t node, struct py_column *out);
/* Whether its texts are words of the row's family alone, the row's own and another one. */
bool py_column_is_of_family(const struct py *f, struct row_ref row,
                            const struct py_column *column);
/* Whether the list is an argument of a call that names each of its elements: ids=["a", "b"]. */
bool py_column_has_ids(const struct py *f, uint32_t list);

/* ---- helper.c ---- */

/* Where helpers of the file can be imported from, a module of its package that the port adds. */
struct py_helper {
    struct str folder; /* of the module */
    struct str line;   /* the import */
    uint32_t statement;
    bool behind; /* the line goes behind the statement, not before it */
    bool gap;    /* and a blank line before it: imports of its kind are grouped apart */
};
/* Only where the file's own imports show that this import will be found; false: the helpers have
 * to stand in the file. */
bool py_find_helper(struct py *f, struct py_helper *out);

/* ---- words.c ---- */

/* Reads python.accounted_words. */
void py_read_words(const struct rules *rules, struct py_words *out);
/* The first of these words in text from `from` on, or text.n; *end: where it ends. */
size_t py_find_word(const struct py_words *words, struct str text, size_t from, size_t *end);

/* Whether a string goes where people read it: into a message, a help text. */
bool py_is_prose(struct py *f, uint32_t string);
/* Whether the text looks like what a shell would run: FOO=1 x.py, x.py --device cuda. */
bool py_is_command(struct str text);

/* Of an identifier with one of the target's variable_words, whether it tells nothing here: a
 * variable called accelerator is accelerate's object, or anybody's. Such a word tells only where
 * it is text, a module of PyTorch's, or in the name of a function that is called. */
bool py_is_mere_variable(const struct py *f, uint32_t identifier);

/* ---- match.c ---- */

enum py_match_kind {
    PM_NAME,
    PM_ATTRIBUTE,
    PM_METHOD, /* the user's own, at its name in the class */
    PM_KEYWORD,
    PM_STRING,
    PM_IMPORT,
    PM_MODULE,
    PM_UNKNOWN,
    PM_WORD
};

struct py_match {
    MATCH_BASE
    enum py_match_kind kind; /* PM_UNKNOWN: row.row == NULL; PM_WORD: see words.c */
    uint32_t node;           /* chain, identifier, keyword_argument, string or imported name */
    struct py_name name;
    struct py_literal literal;
    struct py_context context;
    bool chosen;        /* a string of a file that compares with it, too: the cell's `chosen` */
    bool unasked;       /* a string of a configuration, which cannot ask what device there is */
    uint32_t unset;     /* an argument that may be None: the cell's `none`; NO_NODE: none is */
    bool behind;        /* an imported name that stays where it is while its module moves */
    bool called;        /* a call into an imported module: PM_MODULE, and no import */
    uint32_t uses;      /* of an imported module: how often the file calls what it brings */
    struct str patched; /* mock.patch.object(torch.cuda, "x"): the target's name for both */
    uint32_t drops;     /* the operand of `and` that goes with it; NO_NODE: none */
    uint32_t speaker;   /* of a match that is told: whose finding counts it */
    uint32_t group;     /* matches that are rewritten together or not at all; NO_NODE: alone */
};

/* Finds every match of the file, in order, with what region.c says of it. */
void py_match_all(struct py *f);

/* ---- applicable.c ---- */

/* Whether the match may be edited at all: verdict and certainty allow it. */
bool py_applicable(const struct py *f, const struct py_match *m);

/* ---- rows.c ---- */

/* A name of the file's own matters: the statements that have it have to be parsed where they were
 * not. The matching goes on without them, and is done again with them. */
void py_want_uses(struct py *f, struct str name);

/* ---- region.c ---- */

/* Whether the file stores to an attribute of that qualified name: torch.compile = mine. */
bool py_is_patched(struct py *f, struct str path);

/* Decides about one match by its surroundings: verdict, certainty, message, and its group. */
void py_look_around(struct py *f, struct py_match *m);
/* Decides about matches by what was decided about the others of their group; after all of them
 * were found. */
void py_settle(struct py *f);
/* Whether a match stays because the code around it tells vendors apart. */
bool py_is_apart(const struct py_match *m);
/* The module that a call asks for: is_xformers_available(), is_flash_attn_2_available(),
 * find_spec("xformers"); empty: it asks for none. */
struct str py_asked_module(const struct py *f, uint32_t call);

/* ---- checkpoint.c ---- */

/* Whether torch.load() gets the value as its map_location, or a variable has it that it gets:
 * {"cuda:0": "cpu"} says where tensors of a checkpoint go. */
bool py_is_location(struct py *f, uint32_t value);
/* Keeps the tests that give torch.load() a place only where there is no CUDA. */
void py_keep_loads(struct py *f);

/* ---- hopeless.c ---- */
/* What the target can't pass, and would stop the program, is for a human. */
void py_settle_hopeless(struct py *f);

/* ---- refused.c ---- */
/* What is there to be refused by CUDA, and would not be on the CPU, is for a human. */
void py_settle_refused(struct py *f);

/* Whether one of the words, separated by spaces, is a part of the name: npu in is_npu_there. */
bool py_word_in(struct str words, struct str name);

/* Devices of other vendors that the code at the node names: of a collection, two or more make it a
 * table of vendors, not a choice. */
size_t py_vendors_named(const struct py *f, uint32_t node);

/* ---- branch.c ---- */

/* After py_settle: what stands in a branch whose question is CUDA's and stays is not rewritten. */
void py_settle_branches(struct py *f);

/* ---- vendor_file.c ---- */

/* Leaves what stands in cuda_x.py as it is, where npu_x.py or another vendor's file is beside it.
 */
void py_settle_vendor_file(struct py *f);

/* ---- apply.c, spell.c ---- */

/* Makes the edits of every match that can be applied, and says of every match what became of it.
 */
void py_apply(struct py *f);

/* ---- wrap.c ---- */

/* Whether both texts, with their trees, say the same but for blanks, line breaks, brackets around
 * values and commas behind the last one of several. */
bool py_says_same(struct arena *a, const struct tree *x, struct str x_text, const struct tree *y,
                  struct str y_text);

/* A way to write qualified name `path` at `node`: through root binding `root` if that reaches it,
 * else through a visible import, else absolute (then *needs_import names the module to import). p
 * == NULL: not expressible. */
struct str py_spell(struct py *f, uint32_t node, uint32_t root, struct str path,
                    struct str *needs_import);

#endif
