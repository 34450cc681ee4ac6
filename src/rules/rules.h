/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - the rule database as the engine sees it.
 *
 * A ruleset is one read-only block of bytes: tables whose members refer to each other by offset,
 * so that the built-in one is a constant in the binary with nothing to relocate, parse or
 * allocate at start-up, and one loaded with --rules is the same block in an arena. compile.c
 * makes the block from JSON (at build time in tools/rulec, at run time for --rules); lookup.c
 * reads it.
 *
 * Ownership: a struct rules refers to blocks that the caller keeps alive. */
#ifndef CM_RULES_H
#define CM_RULES_H

#include "base/base.h"

/* What a rule says of a target. The order is the order of "how much work is left". */
enum verdict { V_UNSET, V_SAME, V_EXACT, V_SHIM, V_CLOSE, V_MANUAL, V_NONE };
const char *verdict_name(enum verdict v);

enum match_kind {
    M_NAME,
    M_ATTRIBUTE,
    M_KEYWORD,
    M_STRING,
    M_MODULE,
    M_INCLUDE, /* C++: the path of an #include */
    M_TOKENS,  /* C++: a sequence of tokens */
    M_LAUNCH,  /* C++: kernel<<<...>>>(...) */
    M_LANES,   /* C++: code that takes a warp for 32 lanes */
    M_TEXT,    /* project files: a PCRE2, found by a word of it */
    M_SYMBOL,  /* C++: a name; "match": "name" of a cuda domain */
    M_KINDS
};
/* What a domain's rules are about; prefilters ask for the words of one of them. */
enum rule_language { RL_PYTHON, RL_CUDA, RL_PROJECT, RL_LANGUAGES };
enum token_scope { TS_CODE, TS_DIRECTIVE, TS_ANY }; /* outside #if expressions, only in them */
enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR };
/* SHAPE_GATE: the literal is itself an operand of `or`/`and` where a truth value is asked for;
 * SHAPE_COMMAND: a command line that calls the program. */
enum string_shape { SHAPE_EXACT, SHAPE_DEVICE, SHAPE_BACKEND, SHAPE_GATE, SHAPE_COMMAND };
/* The literal as it stands is what a row is about, not a word in it. */
static inline bool shape_is_whole(uint32_t shape) {
    return shape == SHAPE_EXACT || shape == SHAPE_COMMAND;
}

typedef uint32_t off_t32; /* offset from the start of the block; 0 is "none" */
struct rstr {
    uint32_t at, n;
}; /* a string in the block */
struct rlist {
    uint32_t at, n;
}; /* n consecutive elements at an offset */

struct rfact {
    struct rstr key, value;
};

struct rtarget {
    struct rstr name, title, summary, prelude;
    struct rlist aliases;    /* struct rstr */
    struct rlist facts;      /* struct rfact */
    struct rlist references; /* struct rstr: "source (date)" */
    uint32_t order;
    uint32_t keep_names;     /* names without a cell of their own run unchanged */
    struct rstr through;     /* C++: the target whose answers hold where it has none; or empty */
    struct rstr family;      /* what it has in common with its neighbours, for people */
    struct rstr like;        /* the target whose own cells hold where it has none; or empty */
    uint32_t like_python;    /* ... in rules about Python and project files only */
    struct rstr unread;      /* why nobody could look the names up that stay in Python ... */
    struct rstr unread_cuda; /* ... and in CUDA C++; empty: they were */
    uint32_t keep_cuda;      /* its compiler takes CUDA C++: what its own cells leave out stays */
    struct rlist also;   /* struct rstr: what people call it, too, and another one answers to */
    uint32_t listed;     /* names of its own are written only where `known` has them */
    struct rstr package; /* whose releases these are: "torch_npu"; empty: none are known */
    struct rstr base;    /* what that package adds a device to, PyTorch */
    struct rstr repository, checked; /* where its releases were read, and when */
    struct rlist releases;           /* struct rrelease, the oldest first, at most 64 */
    struct rlist known;              /* struct rknown, by name */
    uint32_t current[2]; /* the releases that count where the user names none: struct rset */
};

/* A release of a target's software, of rules/releases. */
struct rrelease {
    struct rstr version, base; /* its own, and that of the target's base that it goes with */
    struct rstr ref, commit;   /* where its names were read */
};

/* A set of releases: bit i of the 64 is the target's release i. */
struct rset {
    uint32_t bits[2];
};
static inline bool rset_holds(const uint32_t bits[2], uint64_t releases) {
    return (releases & ~(bits[0] | (uint64_t)bits[1] << 32)) == 0;
}

/* A name of the target's software: the releases that have it, and the file that says so. */
struct rknown {
    struct rstr name, file;
    uint32_t in[2];
};

/* A cell that writes a name which some release lacks. */
struct rlimit {
    struct rstr target, name; /* the target, and the name that lacks first */
    uint32_t cell;            /* offset of the struct rcell */
    uint32_t in[2];           /* the releases that have all of its names */
    struct rlist otherwise;   /* struct rcell: the one that stands for it in the others */
};

/* One shape of a C++ call and what becomes of it. */
struct rcase {
    uint32_t count;        /* arguments; UINT32_MAX: any number */
    uint32_t verdict;      /* enum verdict; V_UNSET: the cell's, or exact where that is manual */
    struct rlist where;    /* struct rfact: position -> PCRE2 on the argument's text ... */
    struct rlist declared; /* ... or on the type that the variable is declared with */
    struct rstr call, note;
    struct rstr include; /* a header that `call` needs */
};

/* One answer: what happens to a row on one target. `to` and the forms are templates: the cell "="
 * is `to` = "{module}.{tail}". */
struct rcell {
    struct rstr target;  /* or "*" */
    struct rstr version; /* ">=6.4", "<7.0": of the target's software; empty: every version */
    uint32_t verdict;    /* enum verdict, never V_UNSET */
    uint32_t unverified;
    uint32_t sycl;       /* "xpu+sycl": only where kernels are written as SYCL's */
    uint32_t whole;      /* string rows: the literal becomes just `text` */
    uint32_t keep_equal; /* an equality test with it stays: it has to be false on this target */
    uint32_t folds;      /* name rows: rewritten only where something then goes: a conditional, an
                            assertion, an if with nothing in it */
    uint32_t guarded;   /* name rows: runs unchanged behind the target's `guard`; a comparison in a
                           condition gets the guard in front */
    struct rstr unless; /* name rows: runs unchanged in a file that calls this name too */
    struct rstr needs;  /* name rows: a call that lacks this argument is for a human, ... */
    uint32_t needs_position; /* ... which may stand at this position; UINT32_MAX: nowhere */
    struct rstr unless_line; /* string rows: PCRE2; a line that it fits is for a human */
    struct rstr to, call, bare, statement, value;
    struct rstr number; /* name rules: a call of which a number is asked for (plan.c) */
    struct rstr none;   /* name rules: what stands for the first argument where it may be None */
    struct rstr text, expression, compare;
    struct rstr chosen; /* string rows: `expression` in a file that compares with the literal */
    struct rstr note;
    struct rlist keywords; /* struct rfact: old -> new */
    struct rlist cases;    /* struct rcase: C++ calls, the first that fits */
    struct rstr include;   /* C++: a header that the rewrite needs */
    uint32_t remove;       /* C++ includes: the line goes */
};

/* What the porter of C++ has to know of a name beyond what becomes of it: "role" of a row. */
enum name_role {
    ROLE_NONE,
    ROLE_COMPILER, /* compiles a string at run time: kernels in strings of the file are code */
    ROLE_EXTENT    /* counts threads: its value is the product of its arguments */
};

struct rrow {
    struct rstr key, note;
    uint32_t role;       /* enum name_role; C++ names only */
    struct rstr look_up; /* what rules_find compares: the key, or the word that anchors a
                            token sequence or a pattern */
    uint32_t rule;       /* index into rules */
    uint32_t module;    /* a name whose parts have rows too: torch.cuda beside torch.cuda.Stream */
    struct rlist cells; /* struct rcell, its own; the rule's defaults follow them in look-up */
    uint32_t host;      /* C++: the rule's "host" says that this is the host's part of a program */
    struct rlist limits; /* struct rlimit */
};

struct rargument {
    struct rstr callee;
    uint32_t position;
};
struct rexample {
    struct rstr target, before, after;
};

struct rrule {
    struct rstr id, title, why, domain, domain_title, language, name_space;
    uint32_t spoken;           /* enum rule_language: `language` as a number */
    uint32_t match;            /* enum match_kind */
    uint32_t lint;             /* for check only: port would have nothing to do with it */
    uint32_t copied;           /* a rule of another set, for the answers of targets of this one */
    uint32_t calls;            /* module rules: calls into it, too; attribute rules: only calls */
    struct rstr without;       /* name rules: only calls that lack this keyword argument ... */
    uint32_t without_position; /* ... and this positional one */
    struct rstr with,
        with_is;             /* only calls whose argument of this name is written as this PCRE2 */
    uint32_t with_position;  /* ... or its positional one; rows speak for their own cells only */
    uint32_t with_setting;   /* ... and project files of the tree set what is called like it */
    struct rstr receiver;    /* attribute rules: only calls of methods of what this PCRE2 fits */
    uint32_t severity;       /* enum severity */
    struct rstr since;       /* the version of cuda-morph that it came with, if that is said */
    struct rlist defaults;   /* struct rcell */
    struct rlist rows;       /* struct rrow: a range of the row table */
    struct rlist examples;   /* struct rexample */
    struct rlist references; /* struct rstr: "source (date)" */
    struct rlist reference_rows; /* struct rstr for each: keys between line ends, or empty: all */
    /* string rules only */
    uint32_t shape, by_form;
    uint32_t texts;       /* the literals mean the same in project files */
    uint32_t together;    /* string and text rules: what is manual of one list, or of one generated
                             file, is one finding */
    struct rlist imports; /* struct rstr: only in files that import one of these */
    struct rlist keywords, companions, never; /* struct rstr */
    struct rlist arguments;                   /* struct rargument */
    struct rstr variables;                    /* PCRE2 pattern */
    struct rstr family_in; /* PCRE2: companions are proof only in files that it fits */
    /* token rules only */
    uint32_t scope;               /* enum token_scope */
    uint32_t once;                /* only the first of a file */
    struct rlist where, declared; /* struct rfact: capture -> PCRE2 on its text, on its type */
    struct rstr function_has, function_lacks; /* PCRE2 on a word there, or empty */
    struct rstr file_has, file_lacks;
    struct rstr function_is; /* PCRE2 on its head, or empty */
    struct rstr constant;    /* expression about captures, or empty */
    uint32_t sides;          /* an #if of it may ask which side is compiled: cuda/sides.c */
};

/* `random` alone says little; it counts only in a file that mentions `torch` as well. */
struct ranchor {
    struct rstr word, root; /* empty: the word is enough */
    uint32_t quiet;         /* bit i: on target i of this set nothing comes of it but V_SAME */
    uint32_t in_texts;      /* only a literal can hold what it stands for: --source-in-ptx */
};

/* What the porters know of languages and libraries beside rules: a list of rules/words.json. */
struct rwords {
    struct rstr name;
    struct rlist words;  /* struct rstr */
    struct rlist within; /* struct rstr: lists, on one of which each of its words stands as well */
};

/* Whose words they are: of the rules for everybody, of those for check that port asks, too, and of
 * the notes that check alone asks. */
enum anchor_class { ANCHORS_OF_ALL, ANCHORS_OF_VERIFY, ANCHORS_OF_CHECK, ANCHOR_CLASSES };

struct rheader {
    uint32_t magic, size;
    uint64_t content_hash;
    struct rlist targets;        /* struct rtarget, in order */
    struct rlist rules;          /* struct rrule */
    struct rlist rows;           /* struct rrow */
    struct rlist words;          /* struct rwords, by name */
    struct rlist index[M_KINDS]; /* uint32_t open-addressing tables: row number + 1, by key */
    struct ranchors {            /* words without which no rule of a language can match */
        struct rlist words;      /* struct ranchor */
        struct rlist index;      /* uint32_t table of word number + 1, by str_hash */
        uint64_t first_len[256]; /* by first byte: bit min(length, 63) is set for each */
    } anchors[RL_LANGUAGES][ANCHOR_CLASSES];
};
enum { RULES_MAGIC = 0x434d5241 }; /* "CMRA" */

/* ---- reading a block ---- */

struct ruleset {
    const struct rheader *h;
};

static inline const void *rs_at(struct ruleset s, uint32_t at) { return (const char *)s.h + at; }
static inline struct str rs_str(struct ruleset s, struct rstr r) {
    return (struct str){(const char *)s.h + r.at, r.n};
}
#define RS_LIST(set, list, type) ((const type *)rs_at((set), (list).at))

/* The sets in use, the winning one first. */
enum { MAX_RULESETS = 64 };
struct rules {
    struct ruleset set[MAX_RULESETS];
    size_t n;
    bool lint;   /* rules for check only count too */
    bool verify; /* ... those of them that are no mere notes: code that stays has to be verified */
    bool stays;  /* verify, and nothing else is done: words that say nothing of CUDA count, too */
};

/* Checks magic, size and alignment (8 bytes); trusts the rest. Returns false on a block that is
 * none. */
bool ruleset_open(const void *block, size_t n, struct ruleset *out);

/* A row together with the set it lives in. */
struct row_ref {
    struct ruleset set;
    const struct rrow *row;
    const struct rrule *rule;
};

/* The next row of that kind whose look_up is `key`; *cursor starts at 0. Rows of winning sets come
 * first; one whose row_cell is NULL says nothing, so the caller goes on to the next. Returns
 * false when there is no more. */
bool rules_find(const struct rules *r, enum match_kind kind, struct str key, size_t *cursor,
                struct row_ref *out);

struct target_ref {
    struct ruleset set;
    const struct rtarget *target;
    struct str version; /* of the target's software, as the user said; empty: not known, or it is
                           one of the releases */
    uint64_t releases;  /* those that the ported text is for; 0: the target's current ones */
    bool kernels;       /* --kernels host: kernels, too, go through the other target */
    bool sycl;          /* --kernels sycl: and are written as SYCL's (src/sycl) */
    bool direct;        /* nothing does: the file's streams are the vendor's own */
};
/* By name or alias. */
bool rules_target(const struct rules *r, struct str name, struct target_ref *out);
/* Why nobody could look up that the row's name stays on the target, where its own file does not
 * say that it does ("unread"); empty where that is known. `cell` is the target's answer. */
struct str row_unread(struct row_ref row, const struct rcell *cell, struct target_ref target);
/* "--target kunlunxin is Kunlunxin": what else people mean by that name ("also" of targets), from
 * the arena; empty where nobody does. */
struct str rules_namesakes(const struct rules *r, struct arena *a, struct str name);
/* A fact of the target; an empty string with p == NULL when it has none of that name. */
struct str target_fact(struct target_ref t, const char *key);
/* Whether kernels become functions there that loop over a block's threads: the fact "kernels". */
bool target_loops(struct target_ref t);
/* Whether a port writes kernels anew, as loops or SYCL's, so that the vendor compiles none. */
bool target_writes_kernels(struct target_ref t);
static inline struct str target_name(struct target_ref t) { return rs_str(t.set, t.target->name); }

/* Which of the target's releases a text is for that is ported now; 0: none is known. */
uint64_t target_releases(struct target_ref t);
/* The releases that a version names: those whose version, branch or tag begins with it, part by
 * part, then *exact is true; between two of them both; beyond the newest that one; with `base`,
 * those that go with that version of the base. 0: it is older than all, or no version. */
uint64_t target_releases_of(struct target_ref t, struct str version, bool base, bool *exact);
/* What is known of that name in the releases of the target, or NULL. */
const struct rknown *target_known(struct target_ref t, struct str name);

/* Whether the word is like (str_like) one of that list of rules/words.json, or of one that --rules
 * adds to it; false where word.p == NULL. */
bool rules_lists(const struct rules *r, const char *list, struct str word);
/* Whether the word is one of a list of the row's rule. */
bool row_lists(struct row_ref row, struct rlist list, struct str s);
/* Where the first of the values begins that stand before this one: in --devices cuda:0 cuda:1. */
size_t row_first_value(struct row_ref row, struct str text, size_t start);
/* The rest, behind a blank, of the list's first entry that begins with the word: "float4 cm::vec"
 * says cm::vec of float4. */
bool rules_word_row(const struct rules *r, const char *list, struct str word, struct str *rest);
/* The words of the list, one after the other; *cursor starts at 0. False: there is no more. */
bool rules_next_word(const struct rules *r, const char *list, size_t *cursor, struct str *word);

/* The cell of a row for a target, or NULL where the row says nothing (README.md of rules/ has the
 * order of look-up). In C++ a target may go "through" another one: what it has no rewrite for gets
 * that one's, the host's part of a program always and all of it under target.kernels. A target
 * with keep_names takes no "*" cell: NULL there stands for V_SAME. */
const struct rcell *row_cell(struct row_ref row, struct target_ref target);

/* Whether a rewrite of C++ is that of the target which this one is like: it was verified there and
 * not here, so it needs --unsafe-fixes. */
bool cell_is_likened(struct row_ref row, const struct rcell *cell, struct target_ref target);

/* Whether the name is a method, by what its row says for any target: a cell has a form for calls,
 * and none has one for the name itself. */
bool row_is_method(struct row_ref row);

/* Whether `word` (a maximal run of identifier characters) is an anchor of the language's rules.
 * *root (may be NULL) receives the word that the file has to mention too, or an empty string. */
bool rules_is_anchor(const struct rules *r, enum rule_language language, struct str word,
                     struct str *root);
/* The same for a word of code, which is in no literal, and one target: not where no cell of it
 * says anything. */
bool rules_is_anchor_for(const struct rules *r, enum rule_language language,
                         struct target_ref target, struct str word, struct str *root);

/* The anchors that can matter on one target, for scans that ask at every word of a file: two
 * bitmaps answer for nearly all words that are none. */
struct anchor_set {
    enum rule_language language;
    const struct rules *rules;
    struct target_ref target;
    uint64_t first_len[256]; /* by first byte: bit min(length, 63) */
    uint64_t edges[64];      /* by second and last byte */
};
/* `rules` and what the target refers to have to outlive the set. */
void anchor_set_make(struct anchor_set *out, const struct rules *rules,
                     enum rule_language language, struct target_ref target);
/* False: it is none. `word` is not empty. */
static inline uint32_t anchor_edge(struct str word) {
    return ((unsigned char)word.p[word.n > 1] * 67u + (unsigned char)word.p[word.n - 1]) & 4095;
}
static inline bool anchor_set_may_have(const struct anchor_set *s, struct str word) {
    uint32_t edge = anchor_edge(word);
    return (s->first_len[(unsigned char)word.p[0]] >> (word.n < 63 ? word.n : 63) & 1) &&
           (s->edges[edge / 64] >> edge % 64 & 1);
}
/* Like rules_is_anchor, for the target of the set; in_code: of a word that is in no literal. */
bool anchor_set_has(const struct anchor_set *s, bool in_code, struct str word, struct str *root);

/* ---- making a block (compile.c) ---- */

/* One JSON source file. */
struct rule_source {
    struct str path, text;
};

/* A complaint: where (file and JSON pointer) and what to do. */
struct rule_error {
    struct str file, pointer, message;
};
typedef VEC(struct rule_error) rule_errors;

/* Compiles sources into one block in `a`, the same bytes for the same sources. `known` are the
 * sets that the block will be used with (their targets may be named in cells), or NULL. Every
 * problem is added to errors, which live in `a` too; then the answer is an empty string. */
struct str rules_compile(struct arena *a, const struct rule_source *sources, size_t n,
                         const struct rules *known, rule_errors *errors);

/* What is legal and still looks wrong in sources that compile: rows that an earlier row hides,
 * cells and templates without effect, targets without verdict. Empty when the sources do not
 * compile. */
rule_errors rules_lint(struct arena *a, const struct rule_source *sources, size_t n,
                       const struct rules *known);

/* Reads a file, or a directory's *.json (schemas, *.schema.json, left out) and those of its
 * folders targets/ and releases/, in byte order of their names. Paths and texts live in `a`. On
 * failure returns false and sets *error to a sentence that names the path. */
bool rules_read_sources(struct arena *a, const char *path, struct rule_source **out, size_t *n,
                        struct str *error);

/* The set compiled into the binary (build/rules_blob.c). */
extern const unsigned char cm_rules_blob[];
extern const size_t cm_rules_blob_size;

#endif
