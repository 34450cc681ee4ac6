/* SPDX-License-Identifier: Apache-2.0 */
/* rule_list.h - every rule that `check` can report, and choosing among them by id or domain. */
#ifndef CM_RULE_LIST_H
#define CM_RULE_LIST_H

#include "commands/commands.h"
#include "report/finding.h"

struct rule_list {
    struct check_rule *v; /* by id */
    size_t n;
};

/* The rule that comments which silence nothing break. */
#define UNUSED_SUPPRESSION "cuda-morph/unused-suppression"
#define CUDA_FILE "cuda-morph/cuda-file"     /* a script or build file for CUDA by its name */
#define CUDA_SOURCE "cuda-morph/cuda-source" /* CUDA C++ where no vendor was named */

/* The rules in use and those of check itself; false after a message. */
bool rule_list_read(struct cli *cli, struct rule_list *out);
/* A rule of check itself; NULL when there is none of this id. */
const struct check_rule *own_rule(struct str id);
/* NULL when there is none. */
const struct check_rule *rule_list_find(const struct rule_list *rules, struct str id);

/* --rules-url, without a last '/'; empty: not given. False after a message. */
bool rules_url_read(struct cli *cli, struct str *out);

/* ---- choosing ---- */

/* Ids and domains. */
struct selectors {
    const struct str *v;
    size_t n;
};

/* False after a message about the first one that names no rule; `where` is the option. */
bool selectors_check(struct cli *cli, const struct rule_list *rules, const struct selectors *s,
                     const char *where);
/* How specific the selectors are about an id: 0 when none covers it, else one more than the length
 * of the longest that does. An empty selector covers everything. */
size_t selectors_match(const struct selectors *s, struct str id);

#endif
