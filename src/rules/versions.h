/* SPDX-License-Identifier: Apache-2.0 */
/* versions.h - numbers of versions, compared part by part. */
#ifndef CM_RULES_VERSIONS_H
#define CM_RULES_VERSIONS_H

#include "rules/rules.h"

/* Below, at or above 0: "2.10" is above "2.9.1"; what is no number counts as none. */
int version_order(struct str x, struct str y);

/* Whether "6.4" satisfies ">=6.4", "<7.0" and the like. */
bool version_holds(struct str version, struct str condition);

#endif
