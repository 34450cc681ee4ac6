/* SPDX-License-Identifier: Apache-2.0 */
/* finding_text.h - what `check` and the language server say of a finding. */
#ifndef CM_FINDING_TEXT_H
#define CM_FINDING_TEXT_H

#include "cudamorph.h"

/* What to write instead, or why that is up to a human; it lives in `a`. */
struct str finding_remedy(struct arena *a, const struct cm_finding *f,
                          const struct cm_target *target);
/* The sentence, of which the remedy is a part. */
struct str finding_message(struct arena *a, const struct cm_finding *f, struct str remedy);

#endif
