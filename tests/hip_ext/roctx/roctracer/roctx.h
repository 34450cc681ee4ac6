/* SPDX-License-Identifier: Apache-2.0 */
/* What cuda_morph/hip_nvtx.h asks of ROCm's roctx.h, so that it can be compiled without ROCm. */
#ifndef TESTS_HIP_EXT_ROCTX_H
#define TESTS_HIP_EXT_ROCTX_H

#include <stdint.h>

typedef uint64_t roctx_range_id_t;

void roctxMarkA(const char *message);
int roctxRangePushA(const char *message);
roctx_range_id_t roctxRangeStartA(const char *message);

#endif
