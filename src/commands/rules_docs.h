/* SPDX-License-Identifier: Apache-2.0 */
/* rules_docs.h - `cuda-morph rules docs`: the rule database as pages of Markdown. */
#ifndef CM_RULES_DOCS_H
#define CM_RULES_DOCS_H

#include "cli/cli.h"

/* `rules docs -o DIR` writes one page per domain and an index into DIR; `rules docs --check DIR`
 * holds those that are there against what would be written. Returns an exit status;
 * STATUS_FINDINGS: a page is missing, stale or left over, and standard error says which. */
int rules_docs(struct cli *cli);

#endif
