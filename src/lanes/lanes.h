/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - what values are to a warp: lanes, warps, masks of lanes; and where code takes a warp
 * for 32 lanes.
 *
 * definitions.c  where the names of a file get their values
 * values.c       the abstract value of an expression: a lane, a width, a mask ...
 * widths.c       arithmetic, constants, masks and their bits     -> matches of "lanes" rules
 * reductions.c   loops over shuffles, reductions in shared memory -> the same
 * indices.c      the number that an expression is for one lane
 * lockstep.c     lanes that read and write each other's places     -> the same
 *
 * A name alone proves little: `w` is a warp because `threadIdx.x / 32` was put into it, and
 * `mask` is one of lanes because a vote was. Only where the file does not tell, as for a parameter
 * that nobody passes, the words that people use for such things decide. They are data: `where` of
 * the rule that has the row "width". */
#ifndef CM_LANES_H
#define CM_LANES_H

#include "cuda/cu.h"

enum value_kind {
    LV_NONE,
    LV_THREAD,  /* which thread of the block or of the grid */
    LV_THREADS, /* how many threads */
    LV_BLOCK,   /* which block, or what a block's threads begin at */
    LV_LANE,
    LV_WARP,  /* which warp */
    LV_WARPS, /* how many */
    LV_WIDTH, /* warpSize, as the device has it */
    LV_MASK,  /* a bit for each lane */
    LV_BIT,   /* one bit shifted by a lane, and what is made of it */
    LV_GROUP, /* a cooperative group that can be as large as a warp */
    LV_TILE,  /* one of at most 32 lanes */
    LV_TEAM   /* a block as a group */
};

struct lane_value {
    enum value_kind m;
    bool known;        /* `value` is it */
    bool real;         /* written with a point */
    bool wide;         /* of 64 bits, or as wide as what it is made of */
    uint32_t constant; /* definition that the value is the name of, or NO_NODE */
    int64_t value;
};

/* The scope of what has a `.` or `->` before it, or is called like that: `set_`. */
#define MEMBERS (NO_NODE - 1)

/* A name that gets a value. */
struct definition_of {
    struct str name;
    uint32_t token, first, last; /* the value's tokens; none: a parameter */
    uint32_t scope;              /* function, or NO_NODE, or MEMBERS */
    uint32_t next;               /* of the same hash, + 1 */
    bool fixed, element, macro, declares;
    uint8_t state; /* of `value` */
    struct lane_value value;
};

struct lane_function {
    uint32_t name, open, close; /* tokens: of its parameters */
    uint32_t body, end;
    uint32_t next;  /* of the same hash, + 1 */
    uint32_t calls; /* the first, + 1 */
    bool asked;
    struct lane_value returns;
};

struct lane_call {
    uint32_t token, next; /* next: + 1 */
};

/* Whether a pattern of a rule's vocabulary matches a text. */
struct lane_answer {
    const char *key; /* the literal that asked */
    const struct rrule *rule;
    struct str text;
    bool yes;
};

struct lane_event {
    const char *key;
    uint32_t first, last;
};

struct lane_name; /* indices.c: how a name gets its number */

struct lanes {
    struct cu *f;
    struct row_ref words; /* the row "width", whose rule has the vocabulary */
    struct lane_answer *answers;
    VEC(struct definition_of) definitions;
    uint32_t *buckets;
    size_t n_buckets;
    uint32_t *valued;                    /* [token] lanes_valued() + 1 */
    VEC(struct lane_function) functions; /* in order */
    uint32_t *names;                     /* buckets of functions */
    size_t n_names;
    VEC(struct lane_call) calls;
    VEC(struct lane_event) events;
    struct lane_name **named; /* [token], of indices.c */
    VEC(struct str) uniforms; /* names that all threads share, and whose value nobody tells */
    uint32_t tried, guesses;  /* expressions, of a budget; numbers that nobody tells */
    VEC(uint32_t) shared;     /* tokens that declare arrays of the block */
    VEC(uint32_t) widths;     /* definitions that arithmetic takes for the width of a warp */
};

/* ---- definitions.c ---- */

/* Finds the functions, calls and definitions of the file. */
void lanes_read(struct lanes *l);
/* Whether a pattern of the vocabulary matches the text. */
bool lanes_word(struct lanes *l, const char *key, struct str text);
/* The function whose body or head holds the token, or NO_NODE. */
uint32_t lanes_function_of(const struct lanes *l, uint32_t token);
/* Which parameter of its function a definition is, or UINT32_MAX: none. */
uint32_t lanes_parameter(const struct lanes *l, const struct definition_of *d);
/* The first function of that name, or NO_NODE. */
uint32_t lanes_function_named(const struct lanes *l, struct str name);
/* The definition of a constant that the name at a token stands for, or NO_NODE. */
uint32_t lanes_constant(struct lanes *l, uint32_t token);
/* The first definition of a name in a scope (function, or NO_NODE) behind `after` (a definition,
 * or NO_NODE), or NO_NODE. */
uint32_t lanes_definition(const struct lanes *l, struct str name, uint32_t scope, uint32_t after);
/* The definition whose value is that token alone, or NO_NODE. */
uint32_t lanes_valued(const struct lanes *l, uint32_t token);
/* Behind the value that starts at a token: the ; or , or bracket that ends it. */
uint32_t lanes_value_end(const struct cu *f, uint32_t i);

/* The row of "lanes" rules with that key. */
bool lanes_row(const struct lanes *l, const char *key, struct row_ref *row);
/* Whether a pattern of the rule that has the row matches. */
bool lanes_rule_word(struct lanes *l, const char *key, const char *word, struct str text);
/* Whether people call constants like that that are the width of a warp, its logarithm or mask. */
bool lanes_is_width_name(struct lanes *l, struct str name);
/* Tokens [first, last) are what the row with that key is about. */
void lanes_event(struct lanes *l, const char *key, uint32_t first, uint32_t last);
/* The constant of that definition is the width of a warp. */
void lanes_use_as_width(struct lanes *l, uint32_t definition);

/* Whether the word is one that types begin or end with. */
bool lanes_is_type_word(const struct cu *f, uint32_t i);
/* Whether people call members like that. */
bool lanes_is_member(struct str name);

/* ---- values.c ---- */

/* The abstract value of tokens [first, last). */
struct lane_value lanes_evaluate(struct lanes *l, uint32_t first, uint32_t last);
/* The type of what a definition defines, as it is written; or an empty string. */
struct str lanes_type(const struct lanes *l, const struct definition_of *d);
/* Whether the function also takes the upper 32 bits of the name at a token: `mask >> 32`. */
bool lanes_is_split(const struct lanes *l, uint32_t token);
/* Whether the parentheses that open at a token, and close before `end`, hold a type: a cast. */
bool lanes_is_cast(const struct cu *f, uint32_t open, uint32_t end);

/* ---- widths.c ---- */

/* Adds the matches of rules about lanes. */
void cu_match_lanes(struct cu *f);
/* Adds those only that make kernels wrong where threads run one after another: lanes that read
 * each other's results without a barrier. */
void cu_match_lockstep(struct cu *f);

/* ---- indices.c ---- */

/* The functions that are being followed, and what they are called with. */
struct lane_frame {
    const struct lane_frame *up; /* of the caller; NULL: nobody's */
    uint32_t function;
    const struct cu_call *call; /* with `up` */
};
/* What no text tells is tried: a block's shape, a set of numbers for names that all threads share.
 */
struct lane_trial {
    int64_t width, height;
    int sample, lane;
};
/* Whether the function whose name is that token is declared as a kernel. */
bool lanes_is_kernel(const struct cu *f, uint32_t name);
/* The number that tokens [first, last) are for a lane of a block's first warp. False: not known.
 */
bool lanes_number(struct lanes *l, const struct lane_frame *frame, uint32_t first, uint32_t last,
                  const struct lane_trial *trial, int64_t *out);

/* ---- lockstep.c ---- */

/* Accesses to shared memory that are right only if lanes go in step: events "neighbours". After
 * lanes_find_reductions(). */
void lanes_find_lockstep(struct lanes *l);

/* ---- reductions.c ---- */

/* Behind the statement that starts at token i, at most `end`. */
uint32_t lanes_statement_end(const struct cu *f, uint32_t i, uint32_t end);
/* Whether the word or literal at token i is a barrier, or the PTX of one. */
bool lanes_is_barrier(struct lanes *l, uint32_t i);
/* Whether a function is one of the device's. */
bool lanes_is_of_device(struct lanes *l, const struct lane_function *fn);
/* Loops over shuffles; reductions in shared memory. What they find becomes events. */
void lanes_find_loops(struct lanes *l);
void lanes_find_reductions(struct lanes *l);

#endif
