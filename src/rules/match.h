/* SPDX-License-Identifier: Apache-2.0 */
/* match.h - what the matches and edits of every language have in common: what the engine needs to
 * tell the user about them. */
#ifndef CM_MATCH_H
#define CM_MATCH_H

#include "rules/options.h"
#include "rules/rules.h"

enum certainty { C_UNKNOWN, C_LIKELY, C_EXACT };

/* One place in a file that a rule is about. A language's own match begins with MATCH_BASE: its
 * members by their names, and all of them as `base`. */
#define MATCH_MEMBERS                                                                             \
    uint32_t start, end;      /* the token's bytes */                                             \
    struct str token;         /* its qualified name, or the literal's text */                     \
    struct row_ref row;       /* row.row == NULL: no rule */                                      \
    const struct rcell *cell; /* for the target; NULL: nothing said */                            \
    enum verdict verdict;                                                                         \
    enum certainty certainty;                                                                     \
    bool applied;    /* it is rewritten */                                                        \
    bool blocked;    /* another match of its group can't be applied */                            \
    bool suppressed; /* by a comment, or because nobody asked for its rule */                     \
    /* why it stays or what it needs; why it can't be rewritten; what it became */                \
    struct str message, advice, replacement;                                                      \
    uint32_t needs;   /* bit i: an added edit with `need` i */                                    \
    uint32_t more;    /* others of its list or file that it speaks for */                         \
    uint32_t guarded; /* others that are left because this one is */                              \
    bool told;        /* ... as another does for this one: no finding of its own */               \
    bool elsewhere;   /* ... in another file */                                                   \
    bool demanded;    /* of a lint's: this port has to leave it to a human */
struct match {
    MATCH_MEMBERS
};
#define MATCH_BASE                                                                                \
    union {                                                                                       \
        struct match base;                                                                        \
        struct {                                                                                  \
            MATCH_MEMBERS                                                                         \
        };                                                                                        \
    };

/* Whether a rule leaves the place to a human: no edit was made of it, and it does not run as it
 * is. A finding of the lint alone is no part of a port. */
static inline bool match_is_left(const struct match *m) {
    return m->row.rule && !m->row.rule->lint && !m->applied && !m->suppressed &&
           m->verdict != V_SAME;
}

struct match_edit {
    uint32_t start, end;
    struct str text;
    uint32_t match; /* index, or UINT32_MAX for an added import or include */
    bool after;     /* an insertion that belongs to what ends here, not to what starts here */
    /* Which bit of a match's `needs` asks for it, too; 0: none, or with no match: all do. */
    uint8_t need;
};
enum { MOST_NEEDS = 32 };

/* Two matches that are rewritten together or not at all. */
struct match_pair {
    uint32_t a, b;
};
typedef VEC(struct match_pair) match_pairs;

#endif
