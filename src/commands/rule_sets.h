/* SPDX-License-Identifier: Apache-2.0 */
/* rule_sets.h - the rule sets that commands about the rules read. */
#ifndef CM_RULE_SETS_H
#define CM_RULE_SETS_H

#include "commands/commands.h"
#include "rules/rules.h"

/* The rule sets of --rules, in their order of precedence, and the built-in one. With lint, what is
 * legal and still looks wrong in them is a problem too. Prints every problem and returns their
 * number; *out holds what was without. */
size_t read_rules(struct cli *cli, const struct str *paths, size_t n_paths, bool lint,
                  struct rules *out);

struct rule_ref {
    struct ruleset set;
    const struct rrule *rule;
};
typedef VEC(struct rule_ref) rule_refs;
/* Every rule that no rule with the same id of a winning set hides, in the order of ids. */
void all_rules(struct arena *a, const struct rules *rules, rule_refs *out);

typedef VEC(struct target_ref) target_refs;
/* The targets of --target, or all in their order; false after a message. */
bool choose_targets(struct cli *cli, const struct rules *rules, target_refs *out);

/* The row that answers for a target: the copy with its own answer where the target was loaded with
 * --rules and has one, else the row itself. */
struct row_ref row_for(struct row_ref row, struct target_ref target);

/* A row's answer for a target: the verdict, V_UNSET where it says nothing, and the cell behind it
 * or NULL. */
enum verdict row_verdict(struct row_ref row, struct target_ref target, const struct rcell **cell);

static inline struct row_ref rule_row(struct rule_ref r, size_t i) {
    const struct rrow *table = RS_LIST(r.set, r.set.h->rows, struct rrow);
    return (struct row_ref){r.set, table + r.rule->rows.at + i, r.rule};
}

#endif
