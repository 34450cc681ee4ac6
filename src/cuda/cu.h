/* SPDX-License-Identifier: Apache-2.0 */
/* cu.h - what the stages of the C++ porter hand to each other.
 *
 * words.h    the words that make CUDA C++ a language of its own
 * lex.c      bytes -> tokens, directives, comments; brackets find their partners
 * program.c  CUDA C++ in string literals that is compiled at run time
 * regions.c  #if branches that only another vendor, or only NVIDIA, compiles
 * branches.c whether what a branch of an #if defines is there in any case
 * declare.c  names that the user's own code declares
 * project.h  what a file tells the others of its tree (tell.c), and they of it (project.c)
 * include.c  the headers of a file, as tokens
 * roles.c    what names are for
 * absent.c   names that a port would keep, and no header has
 * match.c    tokens x rules -> matches                      (struct cu_match)
 * indices.c  threadIdx and its likes as arguments
 * addresses.c sums of addresses that are pointers on the target
 * classes.c  what classes without constructors hold
 * narrow.c   numbers that a type loses some of
 * braces.c   what stands in braces: narrowed numbers, vectors by members
 * tiles.c    tiles that are made of a tile
 * fixed.c    members of constant vectors where a constant is wanted
 * constructed.c shared memory of classes that have a constructor
 * namespaces.c a program's namespace beside one of the target's of the same name
 * sibling.c  a file of the target's own beside a CUDA source; copies of libraries
 * specifiers.c functions that say twice on which side they run
 * instantiations.c explicit instantiations outside of their template's namespace
 * implied.c  vectors that no word beside them names
 * lenient.c  what nvcc lets pass and clang does not
 * sequence.c the token sequences of rules, with captures
 * around.c   what a token's function, or its file, says beside
 * constant.c what an integer expression amounts to
 * call.c     the arguments of calls, and templates written with them
 * edits.c    the edits so far, and the text that they make
 * plan.c     matches -> edits                               (struct match_edit)
 * headers.c  the headers that the edits need
 * launch.c   kernel<<<...>>>(...)
 * plain.c    text for a grammar that expands no macros
 *
 * Everything works on tokens: they are there inside macro bodies and in code that no grammar can
 * parse, and an edit of tokens cannot lose a byte between them. All of it lives in the arena of
 * one file and knows nothing of files, sessions or printing. */
#ifndef CM_CU_H
#define CM_CU_H

#include "base/regex.h"
#include "cuda/project.h"
#include "cuda/words.h"
#include "rules/match.h"
#include "semantic/semantic.h"
#include "syntax/tree.h"

/* ---- lex.c ---- */

enum cu_kind {
    CU_WORD, /* identifier or keyword */
    CU_NUMBER,
    CU_STRING, /* with prefix and quotes; raw strings, too */
    CU_CHAR,
    CU_HEADER, /* <...> or "..." of an #include */
    CU_ASKED,  /* the same of a __has_include() */
    CU_NAMED,  /* the same that a macro stands for: #define DRIVER "driver_types.h" */
    CU_HASH,   /* the # of a directive */
    CU_TEXT,   /* the rest of #error, #warning, #pragma message */
    CU_PUNCT
};

struct cu_token {
    uint32_t start, end;
    uint32_t partner;   /* of ( [ { and their ends: the other one; else NO_NODE */
    uint32_t directive; /* index + 1 of the directive it belongs to; 0: none */
    uint8_t kind;
    uint16_t
        spliced; /* index + 1 in `spliced`, for a name that a line splice cuts, `<< <`; 0: whole */
};

enum cu_directive_kind {
    CD_OTHER,
    CD_INCLUDE,
    CD_DEFINE,
    CD_UNDEF,
    CD_IF,
    CD_ELIF,
    CD_ELSE,
    CD_ENDIF
};

struct cu_directive {
    uint8_t kind;
    uint32_t first, last; /* tokens: its # and the one after its end */
    uint32_t line_end;    /* bytes: behind the line break that ends it */
    bool in_string;       /* of a program that is compiled at run time */
    uint32_t chosen;      /* it is an `if` of the port's, by that match, + 1: sides.c */
};

/* Why a stretch of code is left as it is. CR_SHARED: a condition about NVIDIA and vendors other
 * than this one, where NVIDIA's macros become this one's. CR_COPY: of a library that the target
 * has its own of. */
enum cu_region_kind { CR_OWN, CR_NVIDIA, CR_OTHER_VENDOR, CR_SHARED, CR_COPY };
struct cu_region {
    uint32_t start, end; /* bytes */
    enum cu_region_kind kind;
};

/* No file has more places that CUDA matters in; what has them is data. */
enum { CU_MAX_MATCHES = 50000 };

enum cu_match_kind { CU_SYMBOL, CU_INCLUDE, CU_SEQUENCE, CU_LAUNCH };

/* A capture of a token sequence: tokens [first, last). */
struct cu_capture {
    struct str name;
    uint32_t first, last;
};

struct cu_match {
    MATCH_BASE
    enum cu_match_kind kind;
    uint32_t first, last; /* tokens [first, last) of it */
    uint32_t directive;   /* of sequences: that they stand in */
    VEC(struct cu_capture) captures;
    uint32_t within; /* of names: the sequence whose rewrite writes them anew, or NO_NODE */
    uint32_t made;   /* how many edits it made */
    bool unused;     /* of headers: nothing of it is used, so that it can go */
};

/* A name of a rule that the user declares, for the tokens [first, last] of the block it is in. */
struct cu_declared {
    struct str name;
    uint32_t first, last;
    bool global; /* in no namespace or block: ::name is it */
};

/* A branch of an #if: tokens [first, last). The first branch of each speaks for them all. */
struct cu_branch {
    uint32_t first, last;
    uint32_t parent;      /* the branch around it, or NO_NODE */
    uint32_t conditional; /* the first branch of its #if */
    bool settled;         /* its conditions leave nothing open: guards, C++, vendors */
    bool has_else;
    bool stand_in; /* it is compiled where a macro of NVIDIA's is not set */
};

/* What the file says that the name of a type stands for. */
struct cu_alias {
    struct str name, type;
};

/* A header to add. */
struct cu_header {
    struct str path;
    uint8_t need;   /* of its edit */
    uint32_t match; /* that it is all there is to the port of, or NO_NODE */
    bool leads;     /* before the first #include, where nvcc puts its own */
};

/* What became of a kernel's variable. */
struct cu_kernel_variable {
    uint32_t token;         /* of its name, where it is declared */
    const char *kept, *why; /* where its value is kept; why there */
    uint32_t varies;        /* token that differs between threads, or NO_NODE */
};

/* How a kernel runs on a machine without a GPU. */
struct cu_kernel {
    uint32_t name; /* token */
    const char *strategy;
    struct str why;
    uint32_t place; /* token that `why` is about, or NO_NODE */
    VEC(struct cu_kernel_variable) variables;
};

/* An answer of cu_says, by what asked and where the text begins. */
struct cu_said {
    const void *owner;
    uint32_t start;
    bool yes;
};

/* How headers are read; the text is followed by FILE_PADDING zero bytes. */
struct cu_reader {
    bool (*read)(void *context, struct arena *a, struct str path, struct str *text);
    void *context;
};

struct cu_pattern; /* a sequence of a rule, as tokens: sequence.c */
struct cu_patterns {
    struct cu_pattern *of[256]; /* by its row */
};

/* Tokens of texts that are lexed more than once, by their text: headers, for each file that
 * includes them, and files that are run for several targets. */
struct cu_lexes {
    struct arena a;           /* where they are kept */
    size_t bytes;             /* of them */
    uint64_t rules;           /* a hash of the rules and options that regions were found by */
    struct cu_lexed *of[256]; /* by the length of the text */
    struct cu_patterns patterns;
};

struct cu;
typedef VEC(struct cu *) cu_list;

/* Tokens of a function's body, in the file that defines it. */
struct cu_body {
    struct cu *f;
    uint32_t open, close;
};

/* Whether a device function, by its name's token, has a form for all threads of a block. */
struct cu_form {
    uint32_t name;
    bool good, waits;
};

struct cu_known_class; /* by name: classes.c */

struct cu {
    struct arena *a;
    struct str src;
    const struct rules *rules;
    struct target_ref target;
    struct regex_cache *regex;
    const struct port_options *options;
    bool cuda;  /* .cu or .cuh: nvcc includes the runtime header by itself */
    bool torch; /* it uses PyTorch: streams and tensors are the vendor's own, which nobody else's
                   calls can take */
    bool too_many;
    uint32_t steps;                        /* of the analyses of its kernels: see k_spend */
    struct str path;                       /* of the file */
    const struct cu_project *project;      /* what other files define, or NULL */
    const struct semantic_facts *semantic; /* what libclang says of the names, or NULL */
    const struct cu_reader *reader;        /* of headers, or NULL */
    VEC(uint32_t) unread;                  /* tokens of #include lines whose headers are UTF-16 */
    VEC(uint32_t) own_names;   /* tokens that are names or headers of the target's own, in order */
    struct cu_lexes *lexes;    /* of texts that come again, or NULL: none do */
    bool once;                 /* this one does not: its tokens are not kept */
    struct cu_lexed *lexed;    /* this text there, or NULL */
    bool asked;                /* a row with a condition on the file is being looked at in that */
    const struct rrule *asker; /* whose condition on the file is being asked, or NULL */

    VEC(struct cu_token) tokens;
    uint64_t words[64]; /* of the tokens, a bit for each: cu_may_have() */
    VEC(struct cu_directive) directives;
    VEC(struct byte_range) comments;
    VEC(struct byte_range) programs;  /* in string literals */
    VEC(struct str) spliced;          /* names that line splices cut, in one piece */
    VEC(struct cu_region) regions;    /* in order, not overlapping */
    VEC(struct cu_declared) declared; /* rule names that the file declares for itself */
    VEC(struct cu_match) matches;     /* in order */
    VEC(struct match_edit) edits;
    match_pairs joined;            /* matches that are rewritten together or not at all */
    VEC(struct cu_header) headers; /* that rewrites need */
    VEC(struct cu_kernel) kernels; /* of targets that run kernels as loops, in order */

    /* what has been worked out so far */
    struct cu_patterns *patterns; /* without `lexes`, or NULL: none yet */
    VEC(struct cu_branch) branches;
    VEC(struct byte_range) functions; /* tokens, heads included */
    VEC(struct cu_alias) aliases;
    bool functions_known, aliases_known, scopes_known, branches_known;
    VEC(struct cu_said) said;
    const bool *sees;     /* [file of the project] */
    VEC(uint32_t) scopes; /* tokens :: */
    uint32_t *before;     /* [token] cu_same_before(); behind those cu_same_after() */
    uint32_t *firsts;     /* [hash] the first word of it; chained behind `after` */
    size_t n_firsts;
    uint32_t sought;        /* how often cu_first_word() had to look */
    struct cu_names *names; /* functions and macros: kernels/names.c */
    struct k_types *types;  /* by name: kernels/types.c */
    struct sycl *sycl;      /* sycl/functions.c */
    uint8_t objects;        /* kernels/effects.c: objects_read_id() + 1 */
    cu_list included;
    cu_list neighbours;            /* files of its folder, once asked for */
    cu_list definers;              /* what may define what headers declare, once asked for */
    VEC(struct cu_body) callables; /* what kernels can call through a value, once asked for */
    VEC(struct cu_form) forms;     /* what has been asked for */
    VEC(struct cu_known_class *) classes; /* what has been asked for, by a hash of the name */
    bool included_known, neighbours_known, callables_known;
};

/* Whether any anchor of the rules, or a launch, occurs in the text. */
bool cu_prefilter(const struct rules *rules, struct str src);
/* Makes tokens, directives and comments of f->src, or takes those in f->lexes. */
void cu_lex(struct cu *f);

/* ---- lexes.c ---- */

/* Before each file: forgets what is kept where that became too much to keep from file to file, or
 * the rules are others. Out of memory, what keeps jumps to `escape`; then cu_lexes_forget is due.
 */
void cu_lexes_begin(struct cu_lexes *kept, jmp_buf *escape, uint64_t rules);
/* Forgets all; its memory stays for what comes. To free it, free the arena. */
void cu_lexes_forget(struct cu_lexes *kept);
/* Gives f the tokens, directives and comments that f->lexes has of its text; false: it has none.
 */
bool cu_find_lexed(struct cu *f);
/* Keeps those of f in f->lexes, if there is one and room in it. */
void cu_keep_lexed(struct cu *f);
/* cu_find_regions() of a text in f->lexes: those of one target are kept with it. */
void cu_find_kept_regions(struct cu *f);

/* ---- program.c ---- */

/* Replaces the tokens of strings that hold a program by the program's. */
void cu_open_programs(struct cu *f);
/* Whether the byte belongs to a program in a string. */
bool cu_in_string(const struct cu *f, uint32_t byte);

/* What a token spells. */
static inline struct str cu_text(const struct cu *f, uint32_t token) {
    if (token >= f->tokens.n) return (struct str){0};
    if (f->tokens.v[token].spliced) return f->spliced.v[f->tokens.v[token].spliced - 1];
    return str_sub(f->src, f->tokens.v[token].start, f->tokens.v[token].end);
}
static inline bool cu_is(const struct cu *f, uint32_t token, const char *text) {
    return token < f->tokens.n && str_is(cu_text(f, token), text);
}
static inline bool cu_is_word(const struct cu *f, uint32_t token) {
    return token < f->tokens.n && f->tokens.v[token].kind == CU_WORD;
}
/* Of a bracket: the other one; NO_NODE: it has none, or the token is no bracket. */
static inline uint32_t cu_partner(const struct cu *f, uint32_t token) {
    return f->tokens.v[token].partner;
}
/* Whether the match is a header's name: of an #include, a __has_include() or a macro. */
static inline bool cu_names_header(const struct cu *f, const struct cu_match *m) {
    uint8_t kind = m->first < f->tokens.n ? f->tokens.v[m->first].kind : CU_TEXT;
    return m->kind == CU_INCLUDE || kind == CU_ASKED || kind == CU_NAMED;
}
/* Whether the operator at token i assigns; `>>=` are two tokens. lex.c has it. */
bool cu_assigns(const struct cu *f, uint32_t i);
/* Bytes from the first to behind the last token of [first, last). */
static inline struct str cu_span(const struct cu *f, uint32_t first, uint32_t last) {
    if (first >= last) return (struct str){0};
    return str_sub(f->src, f->tokens.v[first].start, f->tokens.v[last - 1].end);
}

/* The bit of a word in cu.words. */
static inline uint32_t cu_word_bit(struct str word) {
    const unsigned char *p = (const unsigned char *)word.p;
    return word.n
               ? (p[0] + p[word.n / 2] * 61u + p[word.n - 1] * 31u + (unsigned)word.n * 97u) % 4096
               : 0;
}
/* Notes which words the tokens have. */
void cu_note_words(struct cu *f);
/* False: surely no token is that word. A text with many words may say true for one that it lacks.
 */
static inline bool cu_may_have(const struct cu *f, struct str word) {
    uint32_t bit = cu_word_bit(word);
    return f->words[bit / 64] >> bit % 64 & 1;
}

/* What the syntax tree is asked for: errors. */
enum cu_node_kind { CK_OTHER, CK_ERROR, CK_KINDS };
extern const struct kind_table cu_kind_table;

/* ---- regions.c ---- */

/* Finds the branches that are not this target's business. */
void cu_find_regions(struct cu *f);
/* The region that holds a byte, or NULL. */
const struct cu_region *cu_region_at(const struct cu *f, uint32_t byte);
/* Whether NVIDIA's compiler alone sets that macro. */
bool cu_says_nvidia(const struct cu *f, struct str macro);

/* ---- branches.c ---- */

/* Whether the #if guards a header, or gives a macro its default: `#ifndef X`, `#define X`. */
bool cu_is_guard(const struct cu *f, const struct cu_directive *d);
/* The branch of an #if that the name at a token is defined in, where it may be undefined if
 * another branch is compiled; NULL: what the token defines is there in any case. */
const struct cu_branch *cu_optional_branch(struct cu *f, uint32_t token);

/* ---- declare.c ---- */

/* Fills f->declared. */
void cu_find_declared(struct cu *f);
/* Whether the name that tokens [first, last) spell, as matched, is the user's: as libclang says,
 * where it knows; else by f->declared. */
bool cu_is_users(const struct cu *f, uint32_t first, uint32_t last, struct str name);
/* A member of a class is also seen in the bodies of its functions outside, X::f() { ... }:
 * declares `name` in those behind token `from`. */
void cu_declare_in_bodies(struct cu *f, struct str class, struct str name, uint32_t from);
/* The next token before, or behind, a word that spells the same word, or NO_NODE. */
uint32_t cu_same_before(struct cu *f, uint32_t token);
uint32_t cu_same_after(struct cu *f, uint32_t token);
/* The first token that is that word, and the next one behind token i that is, or NO_NODE. */
uint32_t cu_first_word(struct cu *f, struct str word);
uint32_t cu_next_word(struct cu *f, uint32_t i, struct str word);
/* The declared type of a variable as seen from a token: the text before its name, or what the file
 * defines that as; or an empty string. */
struct str cu_declared_type(struct cu *f, uint32_t token, struct str name);

/* ---- include.c ---- */

/* Fills f->included with the headers that f->reader finds, as tokens; those of rules are left out:
 * they are CUDA's. */
void cu_read_included(struct cu *f);
/* Of headers without a counterpart that a source includes, those go whose library it does not use.
 */
void cu_match_unused(struct cu *f);
/* What a source without a word of CUDA's needs of the header that nvcc includes in front of it,
 * where the target's compiler includes none. */
void cu_match_reliance(struct cu *f);
/* Whether the directive at that token is read by a compiler for C: the file, or one that includes
 * it, is called *.c, and it is in no branch for C++ alone. */
bool cu_is_read_as_c(const struct cu *f, uint32_t token);
/* Fills f->neighbours with files of the same folder that are not among those. */
void cu_read_neighbours(struct cu *f);
/* Adds to f->definers the files that include the header of that path, and what they include;
 * false: all of them have been read. */
bool cu_read_definers(struct cu *f, struct str header);

/* ---- sequence.c ---- */

/* Whether the token sequence of `row` stands where its anchor is token `anchor`: fills m's tokens
 * and captures. */
bool cu_match_sequence(struct cu *f, struct row_ref row, uint32_t anchor, struct cu_match *m);

/* Whether the conditions of the match's rule hold: where, declared, function_has and so on. */
bool cu_conditions_hold(struct cu *f, const struct cu_match *m);
/* The first token of the operand (with members, subscripts, arguments) that ends before `end`, and
 * the token behind the one that starts at `i`; NO_NODE: there is none. */
uint32_t cu_operand_before(const struct cu *f, uint32_t end);
uint32_t cu_operand_after(const struct cu *f, uint32_t i);

/* ---- around.c ---- */

/* Whether any word, or path of an #include, matches: of the function, macro, conditional or else
 * declaration that the token belongs to, or of the whole file. The conditions of a conditional are
 * none of its words, nor are those that `goes` says a rewrite takes away. `owner` stands for the
 * pattern. */
typedef bool cu_word_goes(struct cu *f, uint32_t token);
bool cu_says(struct cu *f, uint32_t token, bool in_file, const void *owner, struct str pattern,
             cu_word_goes *goes);
/* The functions of the file, in order: tokens, heads included. */
size_t cu_functions(struct cu *f, const struct byte_range **out);
/* What stands before the body of the token's function, or an empty string. */
struct str cu_function_head(struct cu *f, uint32_t token);

/* ---- arithmetic.c ---- */

/* The value of an integer literal. */
bool cu_integer(struct str text, int64_t *out);

/* How strongly binary operators bind, the weakest first. */
enum cu_strength {
    CU_NO_OPERATOR,
    CU_CHOOSES, /* the ? of a ? b : c */
    CU_OR,
    CU_AND,
    CU_BIT_OR,
    CU_BIT_XOR,
    CU_BIT_AND,
    CU_EQUALS,
    CU_ORDERS,
    CU_SHIFTS,
    CU_PLUS,
    CU_TIMES
};
/* That of the operator at token `i`, and how many tokens it has: >> are two. */
enum cu_strength cu_operator(const struct cu *f, uint32_t i, uint32_t end, uint32_t *tokens);
/* What the operator makes of two values; false: it is none that computes, or the result is
 * undefined, does not fit, or depends on the type. */
bool cu_compute(struct str op, int64_t a, int64_t b, int64_t *out);

/* ---- constant.c ---- */

/* Whether an expression about the match's captures ("s > 65536") is true as far as the file tells;
 * false where a value isn't known. */
bool cu_holds(struct cu *f, struct str condition, const struct cu_match *m);

/* ---- roles.c ---- */

/* What the rules say that the name at a token is for. */
enum name_role cu_role(const struct cu *f, uint32_t token);
/* Whether a row is about that name, alone or as what a sequence calls. */
bool cu_is_rule_name(const struct rules *rules, struct str word);
/* Whether a row is about a method: `.is_cuda()`. */
bool cu_is_about_member(struct row_ref row);
/* Whether a row is about a method of that name. */
bool cu_is_rule_member(const struct rules *rules, struct str word);
/* Whether the sequence of a row begins with that name, and is the name alone or a call of it. */
bool cu_is_about_name(struct row_ref row, struct str word);
/* Whether rules name the header: it may be another one after the port. */
bool cu_is_official_header(const struct rules *rules, struct str path);
/* The row about the innermost folder of a header that has one: its path with a star behind it. */
bool cu_find_folder_row(const struct rules *rules, struct str path, struct row_ref *out);
/* Headers of C and C++ are the compiler's: <math.h> is never a file of the tree. */
bool cu_is_standard_header(const struct rules *rules, struct str path);
/* Whether it is a macro of a vendor other than NVIDIA. */
bool cu_is_vendors_macro(const struct rules *rules, struct str macro);
/* Whether it is one that NVIDIA's compiler sets: a program that defines it plays that compiler. */
bool cu_is_compilers_macro(const struct rules *rules, struct str macro);
/* Whether it is one that NVIDIA's compiler sets for device code. */
bool cu_is_device_macro(const struct rules *rules, struct str macro);
/* Whether a name, or the path of a header, is one of a target whose own ones begin with one of
 * `prefixes`, its fact own_names: a prefix of its libraries, then a new word. */
bool cu_is_own_name(struct str prefixes, struct str word);
/* Whether it is a name of a vendor's other than NVIDIA: hipMalloc. */
bool cu_is_vendors_name(const struct rules *rules, struct str word);
/* Whether the condition is that a macro of NVIDIA's is not set. */
bool cu_excludes_nvidia(const struct cu *f, const struct cu_directive *d);

/* ---- sides.c ---- */

/* What an #if means that asks which side is compiled, where the target compiles both at once. */
enum cu_sides {
    CU_ONE_SIDE,    /* the same for both, or in a function that only kernels call */
    CU_HOST_SIDE,   /* in a function of the host's: it stays */
    CU_DEVICE_SIDE, /* around functions that only kernels call */
    CU_AT_RUN_TIME, /* the choice can be made when it is come to */
    CU_TWO_SIDES    /* none of these */
};
enum cu_sides cu_sides_of(struct cu *f, const struct cu_directive *d);
/* The macro that NVIDIA's compiler defines for the device's half. */
struct str cu_device_macro(const struct cu *f);
/* Whether token i, in an #if, is a macro of the user's that is made of the device's. */
bool cu_asks_side_by_macro(struct cu *f, uint32_t i);
/* Plans the edits of one of CU_DEVICE_SIDE, in tokens [first, last), for a match. */
void cu_take_device(struct cu *f, uint32_t first, uint32_t last, uint32_t match);
/* Plans the edits of one of CU_AT_RUN_TIME, for a match. */
void cu_choose_side(struct cu *f, const struct cu_directive *d, uint32_t match);

/* ---- absent.c ---- */

/* A name that the port counts on, and no header of the runtime declares: its tokens, from the
 * first of the whole qualified name on, or behind template arguments the member alone. */
struct cu_absent {
    uint32_t first, last;
    struct str name; /* in full, without such arguments */
};
/* Whether the qualified name that begins at token `first` is, or begins with, one. */
bool cu_find_absent(struct cu *f, uint32_t first, struct cu_absent *out);

/* ---- pasted.c ---- */

/* Whether ## makes another name of what tokens [first, last) spell: the text of a macro, no
 * parameter of it. */
bool cu_is_pasted(const struct cu *f, uint32_t first, uint32_t last);
/* The row, `cuda ##`, whose start of a name the word at token i has. */
bool cu_find_pasted(const struct cu *f, uint32_t i, struct row_ref *row);
/* Whether the word at token i is an argument that a macro joins with another:
 * CAT(cuda, Malloc), a macro of the file or of its headers. */
bool cu_is_pasted_argument(struct cu *f, uint32_t i);
/* The row, `cuda ##`, whose start of a name is all of the word at token i. */
bool cu_find_start(const struct cu *f, uint32_t i, struct row_ref *row);

/* ---- specifiers.c ---- */

/* Whether the word is in capitals, as macros are. */
bool cu_is_capitals(struct str word);
/* Where a target's compiler wants all declarations of a function to say alike on which side it
 * runs: changes the matches of specifiers that do not, or adds matches for a human. */
void cu_match_specifiers(struct cu *f);

/* ---- implied.c ---- */

/* T v = {0} of a template's parameter T, and auto [x, y] = f() of a vector, where the target's
 * vectors are classes. */
void cu_match_implied(struct cu *f);

/* ---- lenient.c ---- */

/* Finds what nvcc lets pass and clang does not: "%"PRIu64, pragmas of loops before none. */
void cu_match_lenient(struct cu *f);

/* Explicit instantiations that leave out their template's namespace, or its sides, and partial
 * specializations of functions. */
void cu_match_instantiations(struct cu *f);
/* The row of tokens of that key, with its cell; false: the target has no answer. */
bool cu_find_row(const struct cu *f, const char *key, struct cu_match *m);
/* Adds that match of tokens [m.first, m.last), with its captures. */
void cu_add_found(struct cu *f, struct cu_match m);
/* Adds a match of the row of that key for a token, or for [first, last), if the target has an
 * answer. */
void cu_report(struct cu *f, const char *key, uint32_t token);
void cu_report_tokens(struct cu *f, const char *key, uint32_t first, uint32_t last);

/* ---- indices.c ---- */

/* Changes the matches of threadIdx and its likes where they are given to a uint3 parameter. */
void cu_match_indices(struct cu *f);

/* ---- namespaces.c ---- */

/* Adds matches for a namespace of the program's that the target has for all to see, too. */
void cu_match_namespaces(struct cu *f);
/* Types of the program's that are ambiguous beside names of namespace std which the target's
 * runtime header brings along. */
void cu_match_brought(struct cu *f);

/* ---- addresses.c ---- */

/* Adds matches for sums of addresses that are numbers in CUDA and pointers on the target. */
void cu_match_addresses(struct cu *f);

/* ---- chars.c ---- */

/* Adds matches for addresses of the characters of vectors that are members. */
void cu_match_chars(struct cu *f);

/* ---- narrow.c ---- */

/* Whether nvcc's compiler reads the file, and the target refuses numbers that braces narrow. */
bool cu_refuses_narrowing(const struct cu *f);
/* The type of a CUDA vector's members: that of `int4` is `int`; empty: it is no vector. */
struct str cu_vector_element(const struct rules *rules, struct str type);
/* Whether it is the name of a type of numbers. */
bool cu_is_number_type(struct str type);
/* Whether tokens [first, last) compute a number, as far as that is certain. */
bool cu_computes_number(struct cu *f, uint32_t first, uint32_t last);
/* Adds a match for the number that tokens [first, last) compute, in braces, if that type loses
 * some of it. */
void cu_cast_narrowed(struct cu *f, struct str type, uint32_t first, uint32_t last);

/* ---- braces.c ---- */

/* Adds matches for what stands in braces, where the target refuses it: numbers that lose
 * something, vectors by their members' names or with some of them. */
void cu_match_braces(struct cu *f);

/* ---- tiles.c ---- */

/* Adds matches for tiles that are made of a tile, where the target has only those of a block. */
void cu_match_tiles(struct cu *f);

/* ---- fixed.c ---- */

/* Adds matches for members of constant vectors that a constant is made of. */
void cu_match_fixed(struct cu *f);

/* ---- constructed.c ---- */

/* Adds matches for shared variables of classes that have constructors, where the target refuses
 * them. */
void cu_match_constructed(struct cu *f);

/* ---- sibling.c ---- */

/* The path of the target's own file of the same name ("siblings"), or an empty string. */
struct str cu_sibling(struct cu *f);
/* Makes one region of a header that belongs to the tree's copy of a library that the target has
 * its own of ("copied_libraries"). */
void cu_leave_copy(struct cu *f);

/* ---- overloads.c ---- */

/* Adds matches for definitions that the port makes the same as one before. */
void cu_match_overloads(struct cu *f);
/* Labels of a switch that become one ("cm::same_label"). */
void cu_match_labels(struct cu *f);

/* ---- match.c ---- */

/* Adds the matches that tokens tell: includes, names, sequences, launches. */
void cu_match_tokens(struct cu *f);
/* Once all matches are there: drops what a longer one speaks for, and sorts them by place. */
void cu_settle_matches(struct cu *f);
/* Adds a match of a "lanes" rule if its conditions hold; false: another rule may speak. */
bool cu_add_lanes(struct cu *f, struct cu_match m);

/* ---- call.c ---- */

struct cu_argument {
    uint32_t first, last; /* tokens [first, last); none: it is empty */
};
struct cu_call {
    uint32_t template_first, template_last; /* <...>, tokens; equal: none */
    uint32_t open, close;                   /* the parentheses */
    VEC(struct cu_argument) arguments;
};
/* Whether token i gives an alignment, in the parentheses behind it. */
bool cu_aligns(const struct cu *f, uint32_t i);
/* The closing > that belongs to the < at `open`, or NO_NODE when that is a comparison. */
uint32_t cu_template_end(const struct cu *f, uint32_t open);
/* Splits [first, last) at its commas. */
void cu_split(const struct cu *f, uint32_t first, uint32_t last, struct cu_call *call);
/* Reads the call whose callee ends before token `after`. False: it is none. */
bool cu_read_call(struct cu *f, uint32_t after, struct cu_call *call);

/* Where the type of a parameter ends: before its name and its default. */
uint32_t cu_type_end(const struct cu *f, struct cu_argument a);

/* ---- launch.c ---- */

struct cu_launch {
    uint32_t kernel_first;            /* to the <<< */
    uint32_t open, close;             /* <<< and the last > */
    struct cu_call config, arguments; /* arguments.open == NO_NODE: no argument list follows */
};
/* Reads the launch whose <<< is token `open`. */
bool cu_read_launch(struct cu *f, uint32_t open, struct cu_launch *launch);
/* Whether it is written with blanks, `<< <...>> >`, as NVIDIA's compiler alone takes it. */
bool cu_is_spread(const struct cu *f, const struct cu_launch *launch);
/* The key of its row: "template" where only the call tells which kernel is meant (a template that
 * deduces its arguments, overloads, a kernel of another file), "pointer" where a variable or an
 * expression is launched, else "chevron". */
struct str cu_launch_key(struct cu *f, const struct cu_launch *launch);
/* The launch as the template says. False: *why says why it can't. */
bool cu_write_launch(struct cu *f, struct str template, const struct cu_match *m, struct buf *out,
                     struct str *why);

/* ---- plain.c ---- */

/* Whether token i is what a port writes before the body of a kernel that is one loop. */
bool cu_is_each_thread(const struct cu *f, uint32_t i);
/* The text without what a grammar of C++ can't read, as it expands no macros: loops of kernels
 * stand there as lambdas, conditions (#if) inside of parentheses and initialisers are gone. What
 * stays is where it was. */
struct str cu_plain_text(struct arena *a, const struct rules *rules, struct str src);

/* ---- headers.c ---- */

/* How the file ends its lines. */
struct str cu_eol(const struct cu *f);
/* Notes that the rewrite of a match (NO_NODE: every one) needs the header of that path, the first
 * of several that blanks part; an empty one is none. */
void cu_need_header(struct cu *f, struct str paths, uint32_t match);
/* Whether the file or a header of its that can be read includes that path. */
bool cu_is_included(struct cu *f, struct str path);
/* What an #include of that path, at that token, has to be in the port: a header that needs the
 * runtime's ahead of it ("dependent_headers") becomes that one where nothing above includes it. */
struct str cu_whole_header(struct cu *f, uint32_t token, struct str path);
/* The header that CUDA's header of that #include brings along and the target's does not, where the
 * file has names of it: a fact says which, and which names or rules count. */
void cu_need_brought(struct cu *f, struct str path, uint32_t match);
/* nvcc includes the runtime header in every .cu by itself; other compilers don't. */
void cu_need_runtime(struct cu *f);
/* The target's runtime header leaves macros behind ("leftover_macros"): where the file that reads
 * it, or a header of its, has names like theirs, another one takes them away. */
void cu_need_plain_names(struct cu *f);
/* Notes the port's own headers that a file of the project may need which is included within
 * braces, those of a namespace: what it includes itself would be declared in there. */
void cu_need_for_braced(struct cu *f);
/* Where the program defines a macro that is called like something in the headers of the target's
 * libraries ("library_words"), a source includes those headers ("library_folders") above all. */
void cu_need_ahead(struct cu *f);
/* Of #include lines that stand together and have become the same, the first stays. */
void cu_drop_repeated(struct cu *f);
/* Adds the lines, once the edits are in the file's order. */
void cu_add_headers(struct cu *f);

/* ---- edits.c ---- */

/* Notes that two matches are rewritten together or not at all. */
void cu_join(struct cu *f, uint32_t match, uint32_t other);
/* Puts an edit where it belongs among those that are planned: the first of the file is on top. */
void cu_add_edit(struct cu *f, struct match_edit e);
/* The same for bytes [start, end) and the match of that number. */
void cu_push_edit(struct cu *f, uint32_t start, uint32_t end, struct str text, uint32_t match);
/* Copies the edits that start before byte `end`, first one first, and tells how many. */
size_t cu_edits_before(struct cu *f, uint32_t end, struct match_edit **out);
/* Bytes [start, end) with those of n edits that lie within. */
struct str cu_text_with(struct cu *f, uint32_t start, uint32_t end, const struct match_edit *edits,
                        size_t n);
/* The text of tokens [first, last) with the edits that are planned in it so far. */
struct str cu_ported_text(struct cu *f, uint32_t first, uint32_t last);
/* The same, with the comments and directives between them and the tokens beside. */
struct str cu_ported_inside(struct cu *f, uint32_t first, uint32_t last);

/* ---- plan.c ---- */

/* Makes the edits of every match that can be applied, and says of each what became of it. The
 * edits are from the last of the file to the first until cu_finish_edits(). */
void cu_plan(struct cu *f);
/* Brings the edits into the file's order and adds the headers that they need. */
void cu_finish_edits(struct cu *f);
#endif
