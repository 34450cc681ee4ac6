/* SPDX-License-Identifier: Apache-2.0 */
/* rule_example.h - the examples of rules, ported. */
#ifndef CM_RULE_EXAMPLE_H
#define CM_RULE_EXAMPLE_H

#include "commands/commands.h"
#include "commands/rule_sets.h"

/* Who ports them; both belong to the caller. */
struct example_porter {
    struct cm_session *session;
    struct cm_workspace *workspace;
};

/* Ports an example's text for a target; the result lives in the workspace. False: the session has
 * no such target. */
bool example_port(const struct example_porter *p, struct arena *a, struct rule_ref r,
                  struct str before, struct str target, struct cm_result *out);

/* Appends the rule's first example as it is written for each target, those that read alike
 * together. False: out of memory, or rules that do not compile; a message was printed. */
bool example_everywhere(struct cli *cli, struct rule_ref r, const struct str *targets, size_t n,
                        struct buf *b);

#endif
