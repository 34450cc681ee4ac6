/* kernel.h - kernels for machines without a GPU: which of them become loops, and where.
 *
 * statement.c  a kernel's body -> statements
 * variable.c   the names that it declares, where they are used and changed
 * names.c      macros and functions of a file, by name
 * callee.c     the functions that it calls
 * quiet.c      what they may do
 * spin.c       loops that wait for what another thread writes
 * uniform.c    what is the same for all threads of a block
 * warp.c       operations of warps that can be cut in two
 * function.c   device functions with such in them
 * mask.c       control flow that only some of a block's threads go through
 * turns.c      loops that threads go through step by step, together
 * split.c      which statements run once per block, which ones for each thread
 * loops.h      the text of that
 * module.c     kernels that are looked up by name
 *
 * A kernel that waits (barriers) is cut into pieces between which all of a block's threads have
 * come to the same place. A piece becomes a loop over the threads; what stands between pieces is
 * the same for all of them, or masked: an `if` or a loop that only those threads go through whose
 * condition is true, as a GPU does it. A piece may still wait inside: then its threads become
 * fibers at run time, so that what is not cut is slower, but as right. */
#ifndef CM_KERNEL_H
#define CM_KERNEL_H

#include "cuda/cu.h"

enum ks_kind {
    KS_BLOCK,
    KS_IF,
    KS_FOR,
    KS_WHILE,
    KS_DO,
    KS_DECLARATION,
    KS_EXPRESSION,
    KS_RETURN,
    KS_BREAK,
    KS_CONTINUE,
    KS_EMPTY,
    KS_DIRECTIVE, /* #if ... #endif and what is defined there; each is one */
    KS_TYPE,      /* using, typedef, struct, static_assert: no code */
    KS_OTHER,     /* switch */
    KS_LOOP_HEAD  /* what the head of a `for` declares */
};

/* What becomes of a statement. */
enum ks_role {
    KR_THREAD,  /* part of a piece */
    KR_CUT,     /* a barrier between pieces */
    KR_BLOCK,   /* runs once per block, as it is */
    KR_HOISTED, /* control flow that runs once per block, with pieces in it */
    KR_REPEATED /* a declaration that each piece repeats which needs it */
};

struct ks {
    uint8_t kind, role;
    uint32_t first, last; /* tokens [first, last), with #pragmas before it */
    uint32_t start;       /* without them */
    uint32_t open, close; /* of if, for, while, do: the parentheses; of blocks: the braces */
    uint32_t parent, next, child, other; /* statements or NO_NODE; other: what `else` leads to */
    bool cut;                            /* a barrier */
    bool mixed;                          /* declares what threads share beside what they don't */
    bool masked;                         /* of KR_HOISTED: threads differ in its condition */
    bool sums;      /* of KR_HOISTED: a loop that needs not be it: kt_sums() */
    bool deals;     /* a loop that is a piece of its own: kt_deals() */
    uint32_t piece; /* number, of KR_THREAD */
};

enum kv_class {
    KV_LOCAL,    /* of one piece */
    KV_BLOCK,    /* one for the block: the same for all threads */
    KV_SHARED,   /* __shared__ */
    KV_EACH,     /* each thread has one, used in several pieces */
    KV_REPEATED, /* declared anew in each piece */
};

struct kv {
    struct str name;
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

struct ks_use {
    uint32_t token, variable;
};

/* An operation of a warp: each thread offers a value, then each reads what others offered. Or the
 * call of a function that waits: each thread offers its arguments, then reads what it returned. */
struct ks_offer {
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

struct ks_piece {
    uint32_t first, last; /* statements, siblings; last: the last one */
    uint32_t from, to;    /* tokens */
    uint32_t offer;       /* NO_NODE, or the offer that is all of the piece: then no statements */
    uint32_t head;  /* NO_NODE, or the masked statement whose condition it is, or the first or
                       last part of a `for`: then no statements */
    uint8_t manner; /* enum kq_manner */
    bool leaves;    /* a thread returns in it */
};

struct kernel {
    struct cu *f;
    uint32_t name, params_open, params_close, open, close; /* tokens */
    VEC(struct ks) s;                                      /* s[0]: the body */
    VEC(struct kv) v;                                      /* parameters first */
    VEC(struct ks_use) uses;
    VEC(struct ks_use) hidden; /* in macros that stand at the token */
    VEC(struct ks_piece) pieces;
    VEC(struct ks_offer) offers;
    bool apart;    /* threads go through loops without barriers one after the other */
    bool leaves;   /* a thread returns before the last piece */
    uint32_t slow; /* token of what stays on fibers, or NO_NODE */
    const char *slow_why;
    struct str slow_word; /* what is in the function that it calls */
    const char *why;      /* it could not be split */
    uint32_t why_token;

    /* of a device function */
    bool function, returns;                 /* it is one; it returns a value */
    uint32_t head;                          /* token that its declaration begins with */
    uint32_t template_first, template_last; /* of the template's parameters */
    uint32_t result_first, result_last;     /* of the type that it returns */
};

/* ---- statement.c ---- */

/* Reads the body. False: k->why says what it holds. */
bool ks_read(struct kernel *k);
/* Tokens to skip from `i` on so that a lambda's body is passed over; 0: there is none here. */
uint32_t ks_lambda(const struct cu *f, uint32_t i);
bool ks_fail(struct kernel *k, uint32_t token, const char *why);

/* ---- variable.c ---- */

/* Reads the declaration [first, last) into variables of the statement. False: it is none. */
bool kv_declare(struct kernel *k, uint32_t first, uint32_t last, uint32_t statement);
void kv_parameters(struct kernel *k);
/* How many values stand in the braces of T v[] = {a, b}. */
size_t kv_values(const struct cu *f, const struct kv *v);
/* Fills k->uses and says of each variable whether it is changed. */
void kv_find_uses(struct kernel *k);
/* The variable that a token means, or NO_NODE. */
uint32_t kv_at(const struct kernel *k, uint32_t token);
/* Whether token i, a use of v, changes it. */
bool kv_changes(const struct kernel *k, uint32_t i, const struct kv *v);

/* ---- callee.c ---- */

/* The n-th file that has to do with the kernels of f: itself, then its headers; NULL: no more. */
struct cu *kq_source(struct cu *f, size_t n);
/* A function's definition, and where to go on: begins as {0}. */
struct kq_function {
    struct cu *f;
    uint32_t name, params, open, close; /* tokens: ( { } */
    size_t file;
    uint32_t at;
    bool begun, certain, far;
};
/* The next definition of a function of that name that kernels can call, in the file or its
 * headers; "()" is operator(). Where there is none, files of the same folder are looked at. */
bool kq_next_function(struct cu *f, struct str name, struct kq_function *d);
bool kq_defines(struct cu *f, struct str name);
/* Whether a function of that name is defined at token i; "()" is operator(). */
bool kq_function_at(struct cu *f, uint32_t i, struct str name, struct kq_function *d);
/* Fills f->callables with the bodies that a call of a value (functor, lambda, pointer) may mean.
 */
void kq_find_callables(struct cu *f);

/* ---- quiet.c ---- */

/* The words of a fact of the target. */
struct str kq_words(const struct cu *f, const char *fact);
/* What tokens [first, last) do beside what they compute. */
enum kq_manner {
    KQ_QUIET,
    KQ_ASKS, /* functions of it look at threadIdx, or at their cooperative group */
    KQ_CALLS /* it may wait for other threads: *token does, *word where that calls it */
};
enum kq_manner kq_manner(const struct kernel *k, uint32_t first, uint32_t last, uint32_t *token,
                         struct str *word);
/* Whether the file or its headers define a type, or with `parameters` a template's, of that name.
 */
bool kq_is_type(struct cu *f, struct str name, bool parameters);
/* Whether a known function of that name takes an argument that it could change. */
bool kq_keeps_arguments(const struct kernel *k, struct str name);
/* Whether a macro only reads what it is given, and what it names. */
bool kq_only_reads(const struct cu *f, const struct cu_directive *d);

/* ---- names.c ---- */

/* Goes through the directives that define a macro of that name in the file or its headers. */
struct kq_macro {
    struct cu *f;
    const struct cu_directive *d;
    size_t file;
    uint32_t at; /* where to go on */
};
bool kq_next_macro(struct cu *f, struct str name, struct kq_macro *m);
bool kq_is_macro(struct cu *f, struct str name);
/* The next definition of a function in this file, the host's among them: d->at is 0 at first. */
bool kq_function_in(struct cu *f, struct str name, struct kq_function *d);

/* ---- spin.c ---- */

/* Whether a loop around token i of the body (open, close) may go on until another thread does
 * something; those that count don't. */
bool kq_loop_may_wait(const struct cu *f, uint32_t open, uint32_t close, uint32_t i);
/* Whether that may depend on what the atomic function at i returns. *leaks: it is returned or kept
 * otherwise. */
bool kq_may_spin(const struct cu *f, uint32_t open, uint32_t close, uint32_t i, bool *leaks);

/* ---- uniform.c ---- */

/* Whether an expression has the same value for all threads of the block, given the classes so far;
 * block-level variables that this needs become KV_BLOCK. *token: what is not. */
bool ku_uniform(struct kernel *k, uint32_t first, uint32_t last, uint32_t *token);
/* Whether an expression can be evaluated anywhere in [scope_first, scope_last) with the same
 * result: it reads no memory and nothing that changes there. */
bool ku_repeatable(struct kernel *k, const struct kv *v);

/* ---- warp.c ---- */

/* Finds the operations of warps that can be cut in two, if all around them is the same for all. */
void kw_find_offers(struct kernel *k);
/* The offer in a statement, or whose word is that token; NO_NODE: none. */
uint32_t kw_offer_of(const struct kernel *k, uint32_t statement);
bool kw_is_offer(const struct kernel *k, uint32_t token);
/* The piece that is an expression of a masked statement's head, from that token on. */
uint32_t kw_head_at(const struct kernel *k, uint32_t token);
/* Whether a piece uses a variable. */
bool kw_piece_uses(const struct kernel *k, uint32_t piece, uint32_t variable);
/* The piece that a token belongs to, or NO_NODE. */
uint32_t kw_piece_of(const struct kernel *k, uint32_t token);

/* ---- mask.c ---- */

/* Whether a hoisted statement may become a masked one. *why: else what stands in the way. */
bool km_may_mask(const struct kernel *k, uint32_t s, const char **why);
/* The innermost masked statement around another one, or NO_NODE. */
uint32_t km_around(const struct kernel *k, uint32_t s);
/* The first, the second or the third part of a statement's head: tokens, may be none. */
enum km_part { KM_FIRST, KM_CONDITION, KM_STEP };
void km_part(const struct kernel *k, uint32_t s, enum km_part part, uint32_t *from, uint32_t *to);
/* The loop that a break or continue belongs to, or a switch. */
uint32_t km_loop_of(const struct kernel *k, uint32_t s);

/* ---- turns.c ---- */

/* Whether a loop adds up in threads' own variables, and does nothing else. */
bool kt_sums(const struct kernel *k, uint32_t s);
/* Whether what it reads then is the same for all threads, or lies side by side. */
bool kt_in_step(struct kernel *k, uint32_t s);
/* Whether a loop deals elements out to the threads in turn, in any order. */
bool kt_deals(struct kernel *k, uint32_t s);

/* ---- split.c ---- */

/* The edits that make loops of the kernels, put among f->edits (the last of the file first). */
void cu_split_kernels(struct cu *f);

/* Finds out where a kernel or a function is cut. False: nowhere, or not all of it is certain. */
bool kl_split(struct kernel *k);

/* ---- function.c ---- */

struct kl_edits {
    VEC(struct match_edit) v;
};
/* Whether the function whose name is token i, where it is called with so many arguments, has a
 * form for all threads of a block. *waits: these wait for each other in it. */
bool kf_has_form(struct kernel *k, uint32_t i, size_t given, bool *waits);
/* Whether its parameter of that number is a pointer. */
bool kf_takes_pointer(struct kernel *k, uint32_t i, size_t number);
/* Adds the forms of a file's functions. */
void kf_write_forms(struct cu *f, struct kl_edits *edits);

/* ---- loops.c, forms.c ---- */

/* The form of a function that was split. */
void kl_write_form(struct kernel *k, struct kl_edits *edits);
/* Adds the edits of one kernel to *edits. False: k->why. */
bool kl_write(struct kernel *k, struct kl_edits *edits);
/* The edits of a kernel that is one loop. */
void kl_write_one_loop(struct kernel *k, struct kl_edits *edits);
/* clock() counts cycles in a kernel; the C library's has steps of a microsecond. */
void kl_write_clock(struct kernel *k, struct kl_edits *edits);
/* A line behind a kernel with C's linkage that this file does not launch: then it is looked up. */
void kl_write_module(struct kernel *k, struct kl_edits *edits);
/* Puts them among f->edits, which are from the last to the first. */
void kl_merge(struct cu *f, const struct kl_edits *edits);

#endif
