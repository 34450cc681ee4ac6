/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - kernels for machines without a GPU: which of them become loops, and where.
 *
 * The passes and their order are passes.def; docs/kernels.md leads one kernel through all of them
 * and says which file does what. emit.h is the text that comes of it, module.c kernels that are
 * looked up by name.
 *
 * A kernel that waits (barriers) is cut into parallel regions, between which all of a block's
 * threads have come to the same place. A region becomes a loop over the threads; what stands
 * between regions is uniform, or predicated: an `if` or a loop that only those threads go through
 * whose condition is true, as a GPU does it. A region may still block inside: then its threads
 * become fibers at run time, so that what is not cut is slower, but as right. */
#ifndef CM_KERNEL_H
#define CM_KERNEL_H

#include "cuda/cu.h"

enum k_statement_kind {
    K_BLOCK,
    K_IF,
    K_FOR,
    K_WHILE,
    K_DO,
    K_DECLARATION,
    K_EXPRESSION,
    K_RETURN,
    K_BREAK,
    K_CONTINUE,
    K_EMPTY,
    K_DIRECTIVE, /* #if ... #endif and what is defined there; each is one */
    K_TYPE,      /* using, typedef, struct, static_assert: no code */
    K_OPAQUE,    /* switch */
    K_LOOP_HEAD  /* what the head of a `for` declares */
};

/* What becomes of a statement. */
enum k_role {
    K_IN_REGION,  /* part of a region */
    K_AT_BARRIER, /* a barrier between regions */
    K_ONCE,       /* runs once per block, as it is */
    K_CONTROL,    /* control flow that runs once per block, with regions in it */
    K_REPEATED    /* a declaration that each region repeats which needs it */
};

struct k_statement {
    uint8_t kind, role;
    uint32_t first, last; /* tokens [first, last), with #pragmas before it */
    uint32_t start;       /* without them */
    uint32_t open, close; /* of if, for, while, do: the parentheses; of blocks: the braces */
    uint32_t parent, next, child, other; /* statements or NO_NODE; other: what `else` leads to */
    bool barrier;                        /* a barrier */
    bool mixed;                          /* declares what threads share beside what they don't */
    bool predicated;                     /* of K_CONTROL: threads differ in its condition */
    bool sums;         /* of K_CONTROL: a loop that needs not be it: k_is_reduction() */
    bool in_memory;    /* ... and it sums in places of memory */
    bool block_stride; /* a loop that is a region of its own: k_is_block_stride() */
    uint32_t region;   /* number, of K_IN_REGION */
};

enum k_class {
    K_LOCAL,          /* of one region */
    K_UNIFORM,        /* one for the block: the same for all threads */
    K_SHARED,         /* __shared__ */
    K_CONTEXT,        /* each thread has one, used in several regions */
    K_REMATERIALISED, /* declared anew in each region */
};

/* What a type is, the one that may be more last. */
enum k_kind {
    K_SCALAR, /* of the language's, an enumeration */
    K_VECTOR, /* float4: CUDA's structures of scalars */
    K_RECORD, /* a structure of such members, without functions */
    K_OBJECT  /* all else: its constructors, conversions and operators are code of the user's */
};

struct k_type {
    uint8_t kind;
    bool pointer;  /* the type is a pointer to that */
    struct cu *f;  /* of K_RECORD: where its members stand */
    uint32_t open; /* token { */
};

struct k_variable {
    struct str name;
    struct k_type type;               /* without * and & and [] before and behind the name */
    uint32_t token;                   /* of the name */
    uint32_t statement;               /* that declares it; NO_NODE: a parameter */
    uint32_t type_first, type_last;   /* tokens, with qualifiers */
    uint32_t mark_first, mark_last;   /* * and & before the name */
    uint32_t array_first, array_last; /* [..] behind it */
    uint32_t init_first, init_last;   /* without the = or brackets */
    char init;                        /* 0, '=', '(' or '{' */
    uint32_t scope_first, scope_last; /* tokens */
    bool constant, is_static, is_auto, reference, pointer, group;
    bool twice; /* branches of an #if declare it, each in its way */
    bool asked; /* whether it is uniform is being found out */
    bool changed,
        passed; /* assigned to, or its address taken; given to a function we don't know */
    uint8_t class;
};

/* Whether the user's code makes, converts or destroys it: it is of a class, as far as is known. */
static inline bool k_is_object(const struct k_variable *v) {
    return v->type.kind == K_OBJECT && !v->pointer && !v->type.pointer && !v->is_auto && !v->group;
}

struct k_use {
    uint32_t token, variable;
};

/* A collective of a warp: each thread leaves its operand, then each reads those of others. Or the
 * call of a function that blocks: each thread leaves its arguments, then reads what it returned.
 */
struct k_operand {
    uint32_t statement, word;         /* token: __shfl_sync, f, ... */
    uint32_t first, last;             /* tokens of the call, with its qualifiers */
    uint32_t value_first, value_last; /* of what is offered */
    uint32_t variable;                /* whose type it has, or NO_NODE */
    uint32_t group;                   /* token of its group, or NO_NODE */
    bool vote;                        /* what is offered is yes or no */
    bool call, alone;                 /* of a function; it is all of the statement */
    bool reduction;                   /* of cub::BlockReduce */
    bool waits;                       /* all threads of the block wait for each other in it */
};

struct k_region {
    uint32_t first, last; /* statements, siblings; last: the last one */
    uint32_t from, to;    /* tokens */
    uint32_t operand;     /* NO_NODE, or the operand that is all of the region: no statements */
    uint32_t head;  /* NO_NODE, or the predicated statement whose condition it is, or the first or
                       last part of a `for`: then no statements */
    uint8_t effect; /* enum k_effect */
    bool returns_early; /* a thread returns in it */
    uint32_t bound;     /* the `if` that mostly whole rows of threads meet, or NO_NODE */
    bool bound_leaves;  /* its branch is a return */
};

/* Finds out where a kernel or a function is cut. False: nowhere, or not all of it is certain. */
struct kernel;
typedef bool k_splitter(struct kernel *k);

struct kernel {
    struct cu *f;
    k_splitter *split; /* what runs all passes: those of a call need them for its function */
    uint32_t name, params_open, params_close, open, close; /* tokens */
    VEC(struct k_statement) s;                             /* s[0]: the body */
    VEC(struct k_variable) v;                              /* parameters first */
    VEC(struct k_use) uses;
    VEC(struct k_use) hidden; /* in macros that stand at the token */
    VEC(struct k_region) regions;
    VEC(struct k_operand) operands;
    bool no_interchange; /* threads go through loops without barriers one after the other */
    bool returns_early;  /* a thread returns before the last region */
    uint32_t fallback;   /* token of what stays on fibers, or NO_NODE */
    const char *fallback_why;
    struct str fallback_word; /* what is in the function that it calls */
    const char *why;          /* it could not be split */
    uint32_t why_token;

    /* of a device function */
    bool function, returns;                 /* it is one; it returns a value */
    uint32_t head;                          /* token that its declaration begins with */
    uint32_t template_first, template_last; /* of the template's parameters */
    uint32_t result_first, result_last;     /* of the type that it returns */
};

/* ---- kernel.c ---- */

/* Keeps the first reason why the kernel cannot be split; false. */
bool k_fail(struct kernel *k, uint32_t token, const char *why);
/* Tokens to skip from `i` on so that a lambda's body is passed over; 0: there is none here. */
uint32_t k_lambda_length(const struct cu *f, uint32_t i);
/* Whether the name at token i, if it is a function's, stands where its address is taken:
 * `(f)(x)`, `(*f)(x)`, `c ? f : g`, `= f`. */
bool k_is_handed_on(const struct cu *f, uint32_t i);
/* The variable that a token means, or NO_NODE. */
uint32_t k_variable_at(const struct kernel *k, uint32_t token);
/* The operand in a statement, or whose word is that token; NO_NODE: none. */
uint32_t k_operand_of(const struct kernel *k, uint32_t statement);
bool k_is_operand(const struct kernel *k, uint32_t token);
/* Whether a token stands among the template's arguments of a function that is called for all
 * threads at once: f<N>(x). They are written at the block's level. */
bool k_is_template_argument(const struct kernel *k, uint32_t token);
/* Whether a region uses a variable. */
bool k_region_uses(const struct kernel *k, uint32_t region, uint32_t variable);
/* The region that a token belongs to, or NO_NODE. */
uint32_t k_region_of(const struct kernel *k, uint32_t token);

/* What macros and functions hold is followed name by name, and text of a few hundred bytes can
 * name each other a billion times. Every file has a budget of tokens for that; when it is spent,
 * the answers are the careful ones, and the kernels stay on fibers. */
enum { K_BUDGET = 1 << 22 };
static inline bool k_is_spent(const struct cu *f) { return f->steps > K_BUDGET; }
static inline bool k_spend(struct cu *f) { return k_is_spent(f) || ++f->steps > K_BUDGET; }

/* ---- names.c ---- */

/* The n-th file that has to do with the kernels of f: itself, then its headers; NULL: no more. */
struct cu *k_source(struct cu *f, size_t n);
/* A function's definition, and where to go on: begins as {0}. */
struct k_function {
    struct cu *f;
    uint32_t name, params, open, close; /* tokens: ( { } */
    size_t file;
    uint32_t at;
    bool begun, certain, far;
};
/* Whether a function of that name is defined at token i; "()" is operator(). */
bool k_function_at(struct cu *f, uint32_t i, struct str name, struct k_function *d);
/* Goes through the directives that define a macro of that name in the file or its headers. */
struct k_macro {
    struct cu *f;
    const struct cu_directive *d;
    size_t file;
    uint32_t at; /* where to go on */
};
bool k_next_macro(struct cu *f, struct str name, struct k_macro *m);
bool k_is_macro(struct cu *f, struct str name);
/* The next definition of a function in this file, the host's among them: d->at is 0 at first. */
bool k_function_in(struct cu *f, struct str name, struct k_function *d);
/* Whether the file or its headers may define a function of that name. */
bool k_may_define(struct cu *root, struct str name);
/* What has been found out of the functions of a name, by k_note_summary(); NULL: nothing.
 * effects.c says what it means. */
struct k_summary {
    struct str word;        /* what may block in them; empty where they are harmless */
    bool harmless;          /* there are some, and none can block */
    bool returns, reads_id; /* of those that are harmless */
};
const struct k_summary *k_summary_of(struct cu *root, struct str name);
void k_note_summary(struct cu *root, struct str name, struct k_summary what);
/* Whether the name is visited for the first time, or since k_forget_visits(). */
bool k_visit(struct cu *root, struct str name);
void k_forget_visits(struct cu *root);

/* ---- passes.def: those whose files have no more to offer ---- */

#define FIND(pass) bool pass(struct kernel *k);
#define SETTLE(pass) bool pass(struct kernel *k);
#include "kernels/passes.def"
#undef FIND
#undef SETTLE

/* ---- context.c ---- */

/* Parameters that threads change for themselves become variables of each thread, made from a
 * parameter of another name. `one_loop`: no region of the kernel runs once per block. */
void k_own_parameters(struct kernel *k, bool one_loop);

/* ---- statement.c ---- */

/* Reads the body. Where it holds what is not known, k->why says it, and k->s is empty. */
bool k_read_statements(struct kernel *k);
/* if (...) return; */
bool k_is_exit(const struct kernel *k, uint32_t s);

/* ---- symbols.c ---- */

/* Reads the declaration [first, last) into variables of the statement. False: it is none. */
bool k_declare(struct kernel *k, uint32_t first, uint32_t last, uint32_t statement);
void k_declare_parameters(struct kernel *k);
/* How many values stand in the braces of T v[] = {a, b}. */
size_t k_count_values(const struct cu *f, const struct k_variable *v);

/* ---- types.c ---- */

/* What the words [first, last) of f are as a type, by what the file and its headers say. */
struct k_type k_type_of(struct cu *root, const struct cu *f, uint32_t first, uint32_t last);
/* Whether the file or its headers define a type, or with `parameters` a template's, of that name.
 */
bool k_is_type(struct cu *f, struct str name, bool parameters);
/* The type of a member; K_OBJECT: not known. */
struct k_type k_member(struct cu *root, struct k_type of, struct str name);
/* What a name is that is neither a type nor a variable of the kernel: K_CONSTANT, a scalar by all
 * that declares it; K_VARIED, something else; K_UNKNOWN, nothing declares it here. */
enum k_constant { K_UNKNOWN, K_CONSTANT, K_VARIED };
enum k_constant k_constant_of(struct cu *root, struct str name);

/* What an operator that is no assignment, or a conversion, may change of its operands. */
enum { K_CHANGES_OBJECT = 1, K_CHANGES_SCALAR = 2 };
uint8_t k_operators_change(struct cu *root);
/* Whether a class of the file or its headers has a destructor: that runs at the end of a scope. */
bool k_has_destructors(struct cu *root);

/* ---- uses.c ---- */

/* What a use does to a variable. It is a read only if what stands around it is on a list. */
enum k_access { K_READ, K_WRITE, K_ESCAPE };
enum k_access k_access_of(const struct kernel *k, uint32_t token, const struct k_variable *v);
/* Whether token i, a use of v, assigns to it. */
bool k_writes(const struct kernel *k, uint32_t i, const struct k_variable *v);
/* Fills k->uses and says of each variable whether it is changed. */
bool k_find_uses(struct kernel *k);

/* ---- callgraph.c ---- */

/* The next definition of a function of that name that kernels can call, in the file or its
 * headers; "()" is operator(). Where there is none, files of the same folder are looked at. */
bool k_next_function(struct cu *f, struct str name, struct k_function *d);
bool k_defines(struct cu *f, struct str name);
/* Fills f->callables with the bodies that a call of a value (functor, lambda, pointer) may mean.
 */
void k_find_callables(struct cu *f);

/* ---- assembly.c ---- */

/* What the statement `asm("...")` does whose first word is token i. */
enum k_assembly {
    K_ASSEMBLY_UNKNOWN,
    K_ASSEMBLY_COMPUTES, /* waits for nobody, and does not ask which thread it is */
    K_ASSEMBLY_READS_ID,
    K_ASSEMBLY_BARRIER /* of the block */
};
enum k_assembly k_assembly_at(const struct cu *f, uint32_t i);

/* ---- effects.c ---- */

/* What tokens [first, last) do beside what they compute. */
enum k_effect {
    K_NONBLOCKING,
    K_READS_THREAD_ID, /* functions of it look at threadIdx, or at their cooperative group */
    K_MAY_BLOCK        /* it may wait for other threads: *token does, *word where that calls it */
};
enum k_effect k_effect_of(const struct kernel *k, uint32_t first, uint32_t last, uint32_t *token,
                          struct str *word);
/* Whether a known function of that name takes an argument that it could change. */
bool k_keeps_arguments(const struct kernel *k, struct str name);
/* Whether a macro only reads what it is given, and what it names. */
bool k_only_reads(const struct kernel *k, const struct cu *f, const struct cu_directive *d);
/* The declaration before token i that gives its name a type: *at its name, *word the type's. */
bool k_find_declaration(const struct cu *f, uint32_t i, uint32_t *at, uint32_t *word);
/* Whether tokens of f, or functions that they call, may read which thread they run for. */
bool k_may_read_id(const struct kernel *k, struct cu *f, uint32_t first, uint32_t last);

/* ---- progress.c ---- */

/* Whether a variable is declared so that others can write it between two reads. */
bool k_changes_elsewhere(const struct cu *f, struct str name);
/* Whether a loop around token i of the body (open, close) may go on until another thread does
 * something; those that count don't. */
bool k_loop_may_wait(const struct cu *f, uint32_t open, uint32_t close, uint32_t i);
/* Whether that may depend on what the atomic function at i returns. *leaks: it is returned or kept
 * otherwise. */
bool k_may_spin(const struct cu *f, uint32_t open, uint32_t close, uint32_t i, bool *leaks);

/* Whether the loop at token i of a body that ends at `close` goes on until memory changes which it
 * does not change itself. [*from, *to): the condition that looks. */
bool k_spins_on_memory(struct cu *f, uint32_t i, uint32_t close, uint32_t *from, uint32_t *to);

/* ---- uniformity.c ---- */

/* Whether an expression has the same value for all threads of the block, given the classes so far;
 * block-level variables that this needs become K_UNIFORM. *token: what is not. */
bool k_is_uniform(struct kernel *k, uint32_t first, uint32_t last, uint32_t *token);
/* Whether an expression can be evaluated anywhere in [scope_first, scope_last) with the same
 * result: it reads no memory and nothing that changes there. */
bool k_is_rematerialisable(struct kernel *k, const struct k_variable *v);

/* ---- collectives.c ---- */

/* Finds the operations of warps that can be cut in two, if all around them is the same for all. */
bool k_find_operands(struct kernel *k);

/* ---- predication.c ---- */

/* Whether a statement at block level may become a predicated one. *why: else what prevents it. */
bool k_may_predicate(const struct kernel *k, uint32_t s, const char **why);
/* The innermost predicated statement around another one, or NO_NODE. */
uint32_t k_predicate_around(const struct kernel *k, uint32_t s);
/* The first, the second or the third part of a statement's head: tokens, may be none. */
enum k_head_part_kind { K_HEAD_INIT, K_HEAD_CONDITION, K_HEAD_STEP };
void k_head_part(const struct kernel *k, uint32_t s, enum k_head_part_kind part, uint32_t *from,
                 uint32_t *to);
/* The loop that a break or continue belongs to, or a switch. */
uint32_t k_loop_of(const struct kernel *k, uint32_t s);

/* ---- interchange.c ---- */

/* Whether a loop adds up in threads' own variables, and does nothing else. `alone`: in a kernel
 * without barriers, where sums in memory (*in_memory), branches and loops in it are no less
 * welcome. */
bool k_is_reduction(const struct kernel *k, uint32_t s, bool alone, bool *in_memory);
/* Whether all that tokens [first, last) call are functions that do no more than compute; with
 * `atomics`, also integer ones that answer nobody: any order of them has the same result. */
bool k_only_computes(const struct kernel *k, uint32_t first, uint32_t last, bool atomics);
/* Whether what it reads then is the same for all threads, or lies side by side. */
bool k_reads_in_step(struct kernel *k, uint32_t s);
/* Whether each thread of a row sums in places of its own. */
bool k_sums_side_by_side(struct kernel *k, uint32_t s);
/* Whether a loop is a block-stride loop: its elements go to the threads in turn. */
bool k_is_block_stride(struct kernel *k, uint32_t s);

/* How an expression, tokens [first, last), differs between neighbours of a block. */
enum k_shape {
    K_SAME,     /* not at all */
    K_ROW,      /* only with threadIdx.y and .z */
    K_NEXT,     /* one more for each step of threadIdx.x */
    K_ROW_NEXT, /* the same, and with the others */
    K_OTHER
};
enum k_shape k_shape_of(struct kernel *k, uint32_t first, uint32_t last);

/* ---- bounds.c ---- */

/* Whether token i begins threadIdx.x, or a variable that is no more; *end is behind it. */
bool k_is_column(const struct kernel *k, uint32_t i, uint32_t *end);
/* Whether a statement is one `if (threadIdx.x < bound)`, with the same bound for all threads, or
 * `== 0`: one for the first threads of a row. *bound: its token. */
bool k_is_for_first(const struct kernel *k, uint32_t s, uint32_t *bound);
/* The `if` among statements [first, last], siblings, that keeps threads within bounds, which
 * whole rows of them mostly are, or NO_NODE. *leaves: its branch is a return. */
uint32_t k_bound_of(struct kernel *k, uint32_t first, uint32_t last, bool *leaves);

/* ---- explain.c ---- */

/* Says of each variable where its value is kept, and why. */
void k_explain(struct kernel *k, struct cu_kernel *told);

/* ---- kernels.c ---- */

/* The edits that make loops of the kernels, put among f->edits (the last of the file first), where
 * the target, or the one that it goes through, runs kernels on the host. */
void kernels_split(struct cu *f);

/* ---- block_variant.c ---- */

struct k_edits {
    VEC(struct match_edit) v;
};
/* Whether the function whose name is token i, where it is called with so many arguments, has a
 * form for all threads of a block. *waits: these wait for each other in it. */
bool k_has_block_variant(struct kernel *k, uint32_t i, size_t given, bool *waits);
/* Whether its parameter of that number is a pointer. */
bool k_takes_pointer(struct kernel *k, uint32_t i, size_t number);
/* Adds the block variants of a file's functions, which `split` splits. */
void k_write_block_variants(struct cu *f, k_splitter *split, struct k_edits *edits);

/* ---- emit_values.c ---- */

/* unsigned(threadIdx.x) where the type of a built-in variable's member would be seen. */
void k_write_values(struct cu *f, struct k_edits *edits);
/* threadIdx.x for a variable that is no more, where it is added to what is unsigned. False: there
 * is none. */
bool k_write_columns(struct kernel *k, struct k_edits *edits);

/* ---- emit.c, emit_block_variant.c ---- */

/* The block variant of a function that was split. */
void k_write_block_variant(struct kernel *k, struct k_edits *edits);
/* Adds the edits of one kernel to *edits. False: k->why. */
bool k_write_kernel(struct kernel *k, struct k_edits *edits);
/* The edits of a kernel that is one loop. */
void k_write_one_loop(struct kernel *k, struct k_edits *edits);
/* clock() counts cycles in a kernel; the C library's has steps of a microsecond. */
void k_write_clock(struct kernel *k, struct k_edits *edits);
/* Loops that go on until another thread writes let others run in each round. */
void k_write_spins(struct cu *f, struct k_edits *edits);
/* A line behind a kernel with C's linkage that this file does not launch: then it is looked up. */
void k_write_module(struct kernel *k, struct k_edits *edits);
/* Puts them among f->edits, which are from the last to the first. */
void k_merge_edits(struct cu *f, const struct k_edits *edits);

#endif
