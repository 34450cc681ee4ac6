/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - everything the rule database knows about one rule, as text: `explain`, and what an
 * editor shows over a finding. */
#ifndef CM_EXPLAIN_H
#define CM_EXPLAIN_H

#include "commands/commands.h"
#include "commands/rule_sets.h"

/* Appends the page of a rule, or what becomes of a name, with the answers of these targets and
 * where they were read; false where there is no such rule or name. Of the command line --verbose
 * counts. */
bool explain_text(struct cli *cli, const struct rules *rules, const target_refs *targets,
                  struct str id, struct buf *out);

#endif
