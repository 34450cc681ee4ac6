/* SPDX-License-Identifier: Apache-2.0 */
/* finding_text.h - what `check` and the language server say of a finding. */
#ifndef CM_FINDING_TEXT_H
#define CM_FINDING_TEXT_H

#include "cudamorph.h"

/* Whether the target is no vendor's, but what stands in where none is chosen (its fact
 * `fallback`): what is left of CUDA C++ is no task there, since nobody ports it to "any". */
bool target_is_no_vendor(const struct cm_target *target);

/* What to write instead, or why that is up to a human; it lives in `a`. */
struct str finding_remedy(struct arena *a, const struct cm_finding *f,
                          const struct cm_target *target);
/* The sentence, of which the remedy is a part. */
struct str finding_message(struct arena *a, const struct cm_finding *f, struct str remedy);

#endif
