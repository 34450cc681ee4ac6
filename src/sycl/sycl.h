/* SPDX-License-Identifier: Apache-2.0 */
/* sycl.h - kernels in SYCL 2020: what a port with --kernels sycl does beyond the porter's rules.
 *
 * table.c      CUDA's words and what is written for them: lists of rules/sycl.json
 * functions.c  device functions and macros, and which of them need the work-item
 * tell.c       what a file tells the others of its tree about them
 * tree.c       the same over a tree, so that all its files agree
 * edits.c      the edits so far, and what becomes of matches
 * limits.c     what C++ in kernels may be on NVIDIA's and not in SYCL: found, by rules of check's
 * pointers.c   kernels where they are values, which a rule of cuda-launch writes
 * uniform.c    whether all of a group come to a barrier
 * stays.c      kernels some of whose work-items return before: they stay, and leave out their work
 * judge.c      before the rules' edits are planned: what runtime/include/cuda_morph/sycl.hpp
 *              lacks is manual at its place
 * variables.c  shared memory, and variables of the device
 * width.c      where ids of 64 bits mean the same as CUDA's of 32
 * external.c   declarations of what another file defines
 * write.c      the edits
 *
 * The rest of the text goes through the port to the CPU, whose names the header for SYCL has, too.
 * A kernel stays a function, of its parameters and the work-item; so does a device function that
 * needs it, or calls one that does. All of it works on tokens, so that templates, macros, comments
 * and layout stay. Barriers stay where they are; control flow is changed by stays.c alone. */
#ifndef CM_SYCL_H
#define CM_SYCL_H

#include "cuda/cu.h"

/* ---- functions.c ---- */

struct sy_function {
    struct cu *f;                     /* the file, or one that it includes */
    uint32_t head, name, open, close; /* first token of its head; parentheses of the parameters */
    uint32_t body, end;               /* braces, or NO_NODE: only declared */
    bool kernel, host, lambda;
    bool ported; /* it has the work-item among its parameters */
    bool makes;  /* an operator, a constructor, a conversion */
    bool bare; /* it can be given no parameter: an operator, a constructor, one used as a value */
    bool asks; /* its body begins with asking for the work-item (the writer's) */
    uint32_t same; /* another function of that name, + 1 */
};

/* A name of functions or macros. */
struct sy_name {
    struct str name;
    bool qualifies;     /* it stands for __device__ and the like */
    bool sure;          /* and is defined so, as far as is known */
    bool needs;         /* what has it needs the work-item */
    uint32_t functions; /* the first function of that name, + 1 */
    struct sy_name *next;
};

struct sy_variable { /* __device__ int x[3]; */
    struct cu *f;
    uint32_t head, name, end; /* the token of the ; */
    bool stays;               /* it is left for a human */
};

struct sy_returns; /* uniform.c */
struct sy_stays;   /* stays.c */

/* What a token is to the file's own functions. */
struct sy_place {
    uint32_t function; /* the innermost whose body holds it, + 1 */
    uint32_t head;     /* the one between whose parameters, or behind them, it is, + 1 */
    uint32_t open;     /* the innermost brace that holds it, + 1 */
    bool declared;     /* the name in a function's declaration */
};

struct sycl {
    struct cu *f;
    uint32_t part; /* of the tree whose names decide, + 1; 0: those that the file sees */
    bool open; /* it sees files that are not ported with it, whose names decide for themselves */
    VEC(struct sy_function) functions;
    size_t own; /* the first of them are the file's own */
    VEC(struct sy_variable) variables;
    struct sy_name *names[1024]; /* by their hash */
    struct sy_place *at;         /* [token of the file] */
    VEC(uint32_t) dynamic;      /* extern __shared__ T x[]; outside of functions: the __shared__ */
    VEC(struct str) qualifiers; /* macros that stand for __device__ and the like */
    VEC(struct str) host_qualifiers;   /* those of them that say __host__, too */
    VEC(struct str) kernel_qualifiers; /* those that say __global__ */
    VEC(uint32_t) external;            /* tokens where SYCL_EXTERNAL is written */
    struct str item;                   /* what the work-item is called in this file */
    bool ported;                       /* the file includes the runtime header by now */
    VEC(struct match_edit) edits;
    bool names_known;                               /* the next two are */
    VEC(struct str) variables_called, types_called; /* as CUDA's builtins are, in this file */
    struct sy_returns *returns;                     /* uniform.c */
    VEC(struct sy_stays *) stays;                   /* of kernels that were asked about */
};

/* The functions, the variables and what needs the work-item, in the file and its headers; found
 * once for a file. */
struct sycl *sy_functions(struct cu *f);
/* The function of the file itself whose body holds the token, the innermost, or NULL. */
const struct sy_function *sy_function_at(const struct sycl *s, uint32_t token);
/* Whether the function gets the work-item as its first parameter. */
bool sy_is_given_item(const struct sycl *s, const struct sy_function *one);
/* Whether what has that name asks for the work-item or is given it, macros included. */
bool sy_needs_item(const struct sycl *s, struct str name);
/* Whether calls of functions of that name give it. */
bool sy_takes_item(const struct sycl *s, struct str name);
/* The first function of that name, and the next one behind `one`; NULL: there is no other. */
const struct sy_function *sy_first_named(const struct sycl *s, struct str name);
const struct sy_function *sy_next_named(const struct sycl *s, const struct sy_function *one);
/* The variable of the device that the word means at that token, or NULL. */
const struct sy_variable *sy_variable_at(struct sycl *s, uint32_t token);
/* Whether the name means a parameter or a variable of a function's around the token. */
bool sy_is_shadowed_at(struct sycl *s, uint32_t token, struct str name);
/* Whether the token is the name in a function's declaration. */
bool sy_is_declared_at(const struct sycl *s, uint32_t token);
/* Whether what CUDA has by the name of token i is declared there, as for an editor's sake:
 * `void __syncthreads() {}`, `extern index threadIdx;`. */
bool sy_is_own_declaration(const struct cu *f, uint32_t i);
/* The name that the file's dynamic shared memory has, whose __shared__ is that token. */
struct str sy_dynamic_name(const struct cu *f, uint32_t token);
/* Whether the file or its headers define a macro of that name. */
bool sy_defines(const struct sycl *s, struct str name);
/* Whether the token stands in a macro's body. */
bool sy_in_macro(const struct cu *f, uint32_t token);

/* Adds the macros that the file defines as __device__ and the like. */
void sy_find_qualifiers(struct sycl *s, const struct cu *f);
/* Adds a macro that stands, or may stand, for __device__. */
void sy_add_qualifier(struct sycl *s, struct str word, bool sure);
/* Whether the word at token i makes a function the device's, or says more of such a one. */
bool sy_is_qualifier(const struct sycl *s, const struct cu *f, uint32_t i);
bool sy_is_sure_qualifier(const struct sycl *s, const struct cu *f, uint32_t i);
/* Adds the functions and variables of the device that the file declares. */
void sy_find_functions(struct sycl *s, struct cu *f);
/* Fills s->at, behind s->own, and says which functions bear a name. */
void sy_index(struct sycl *s);
/* Adds the file's own dynamic shared memory, behind s->at. */
void sy_find_dynamic(struct sycl *s);
/* Whether the word at token i asks for the work-item by itself. */
bool sy_asks(const struct sycl *s, const struct cu *f, uint32_t i);
/* Whether the name at token i stands as a value: an argument, an initializer. */
bool sy_is_value(const struct cu *f, uint32_t i);

/* ---- tell.c ---- */

/* What a line tells: a macro that stands for __device__, and what else it says; a function of the
 * device with what may make it one, and what its body calls; the same of a macro; a function that
 * a source file declares for itself; one that is defined; one that can be given no parameter; a
 * name that stands as a value. */
enum sy_told {
    SY_TELLS_QUALIFIER = 'q',
    SY_TELLS_FUNCTION = 'f',
    SY_TELLS_MACRO = 'm',
    SY_TELLS_DECLARED = 'e',
    SY_TELLS_DEFINITION = 'd',
    SY_TELLS_FIXED = 'x',
    SY_TELLS_VALUE = 'v'
};
/* Writes what a file tells the others where they are ported to that target, whose kernels are
 * SYCL's. */
void sycl_tell(struct buf *b, const struct rules *rules, struct target_ref target, struct str path,
               struct str src);

/* ---- tree.c ---- */

/* Fills p->tree, once all have told; the paths of the files are those that they have in p. */
void sycl_link(struct cu_project *p, struct arena *a);
/* The part of the tree that the file belongs to, + 1; 0: it is none of the project's. */
uint32_t sy_tree_part(const struct cu_project *p, struct str path);
/* Whether the part is one file. */
bool sy_tree_is_alone(const struct sy_tree *t, uint32_t part);
/* Whether a file of the part defines the name: else it is of a file that is not ported with it. */
bool sy_tree_knows(const struct sy_tree *t, uint32_t part, struct str name);
/* Whether what has the name asks for the work-item in that part; whether functions of the name get
 * it as a parameter; whether it is a macro for __device__. */
bool sy_tree_needs(const struct sy_tree *t, uint32_t part, struct str name);
bool sy_tree_gives(const struct sy_tree *t, uint32_t part, struct str name);
/* Whether one file of the part defines the function and another source file declares it. */
bool sy_tree_links(const struct sy_tree *t, uint32_t part, struct str name);
bool sy_tree_qualifies(const struct sy_tree *t, uint32_t part, struct str name, bool *host,
                       bool *kernel);

/* ---- edits.c ---- */

/* Writes a declaration as the first of a function's body. */
void sy_begin_body(struct sycl *s, const struct sy_function *one, struct str text);
/* What the work-item is called at that token: its name, or cm::this_item() where no function
 * declares one. Empty: there is none, and the match is refused. */
struct str sy_item(struct sycl *s, uint32_t token);
/* Says that the match stays for a human, and why; NULL is fine. */
void sy_refuse(struct cu_match *m, struct str why);
/* The match about that token, or NULL; whether it stays. */
struct cu_match *sy_match_at(struct cu *f, uint32_t token);
bool sy_is_refused(struct sycl *s, uint32_t token);
/* The number of a match that bytes [start, end) hold, and all of them become ported; UINT32_MAX:
 * they hold none. */
uint32_t sy_claim(struct sycl *s, uint32_t start, uint32_t end, struct str text);
/* Adds an edit of bytes [start, end). */
void sy_push(struct sycl *s, uint32_t start, uint32_t end, struct str text, uint32_t match);
/* The same for tokens [first, last), whose matches become ported. */
void sy_edit(struct sycl *s, uint32_t first, uint32_t last, struct str text);

/* ---- limits.c ---- */

/* Adds the matches of what SYCL's kernels may not do; for targets whose kernels are SYCL's, where
 * check or a port to it asks. To be called before the matches are settled. */
void sycl_match_limits(struct cu *f);

/* ---- pointers.c ---- */

/* Adds the matches of kernels that are kept in pointers, handed on or cast, for a port to SYCL. To
 * be called before the matches are settled. */
void sycl_match_pointers(struct cu *f);

/* ---- uniform.c ---- */

/* Whether a return stands in front of the barrier, in the same function, that some of a group may
 * take and others not. */
bool sy_follows_return(struct sycl *s, const struct sy_function *in, uint32_t barrier);
/* Whether the barrier is in a branch that some of a group take for certain and others not. */
bool sy_is_in_branch(struct sycl *s, const struct sy_function *in, uint32_t barrier);
/* Whether the return at that token is one. */
bool sy_divides(struct sycl *s, const struct sy_function *in, uint32_t token);
/* Whether the token is a word that may differ between the work-items of a group. */
bool sy_varies(struct sycl *s, const struct sy_function *in, uint32_t token);
/* Whether the use of a name at that token may change what it holds. */
bool sy_may_change(const struct sycl *s, const struct cu *f, uint32_t token);

/* ---- stays.c ---- */

/* Whether the kernel can be written so that all work-items come to its barriers. */
bool sy_can_stay(struct sycl *s, const struct sy_function *in);
/* Adds the edits for kernels that were asked about and can. */
void sy_write_stays(struct sycl *s);

/* ---- judge.c ---- */

/* Makes manual what this port has no counterpart for; to be called before the edits are planned.
 * `s` is filled. */
void sy_judge(struct sycl *s);
/* Whether the mask of a warp's operation, whose name is token `word`, is plainly all lanes. */
bool sy_has_full_mask(struct sycl *s, uint32_t word);

/* ---- variables.c ---- */

/* Rewrites the declaration of shared memory whose __shared__ is that token. */
bool sy_write_shared(struct sycl *s, uint32_t token);
/* Declares it in the functions that use it, in place of outside. */
void sy_write_dynamic(struct sycl *s, uint32_t token);
/* Rewrites the declarations of the file's variables of the device, and their uses. */
void sy_write_variables(struct sycl *s);

/* Adds the matches of the host's uses of variables that both sides name, for a port to SYCL. To be
 * called before the matches are settled. */
void sycl_match_managed(struct cu *f);

/* ---- width.c ---- */

/* Whether it makes no difference how wide the built-in variables in tokens [i, end) are. */
bool sy_is_any_width(struct cu *f, uint32_t i, uint32_t end);
/* The token behind blockIdx.x * blockDim.x + threadIdx.x, where that begins at token i; else
 * NO_NODE. */
uint32_t sy_global_id(const struct cu *f, uint32_t i);

/* ---- external.c ---- */

/* Whether other files see what is declared in that one. */
bool sy_is_header(const struct sycl *s, const struct cu *f);
/* Whether a source file declares what another one defines. */
bool sy_is_declared_alone(const struct sycl *s, const struct sy_function *one);
/* Fills s->external; a declaration in no header becomes manual, unless one file of the tree is
 * known to define it. */
void sy_find_external(struct sycl *s);
/* Writes the word where it belongs to that token; true: it replaces the token. */
bool sy_write_external(struct sycl *s, uint32_t token);

/* ---- write.c ---- */

/* For port --kernels sycl: to be called before cu_plan(); a target of another language: NULL. */
struct sycl *sycl_begin(struct cu *f);
/* After cu_plan(), before cu_finish_edits(). */
void sycl_write(struct sycl *s);
#endif
