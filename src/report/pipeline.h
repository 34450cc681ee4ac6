/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.h - what a CI server says of its run, in the words in which SARIF's readers want it. */
#ifndef CM_REPORT_PIPELINE_H
#define CM_REPORT_PIPELINE_H

#include "base/base.h"

/* Appends `"automationDetails": {...},` and, where the server names the repository and its commit,
 * `"versionControlProvenance": [...],`, each on a line of its own. `category` tells runs apart. */
void add_pipeline(struct buf *b, struct str category);

#endif
