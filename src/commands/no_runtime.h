/* SPDX-License-Identifier: Apache-2.0 */
/* no_runtime.h - results without the rewrites that import our Python runtime. */
#ifndef CM_NO_RUNTIME_H
#define CM_NO_RUNTIME_H

#include "cudamorph.h"

/* Rewrites whose result imports `module` become manual places, and their edits go. For those who
 * asked what ties their code to CUDA, and for no target: they would get code that does not start
 * where the module is missing. New arrays are in `a`. */
void result_without_module(struct cm_result *r, struct arena *a, struct str module);

#endif
