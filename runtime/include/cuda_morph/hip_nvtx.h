/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_nvtx.h - NVTX's ranges and marks with attributes, as roctx's.
 *
 * Licensed under the Apache License, Version 2.0; see LICENSE in the project's root.
 *
 * Header-only, C99 and C++11. roctx knows a text for each range and no more: the colour, the
 * category and the payload of the attributes are not shown, and a text that is not of chars is an
 * empty one.
 */
#ifndef CUDA_MORPH_HIP_NVTX_H
#define CUDA_MORPH_HIP_NVTX_H

#include <cuda_morph/nvtx_attributes.h>
#include <roctracer/roctx.h>

typedef nvtxEventAttributes_t cm_range_attributes;

static inline const char *cm_range_text(const cm_range_attributes *a) {
    return a && a->messageType == NVTX_MESSAGE_TYPE_ASCII && a->message.ascii ? a->message.ascii
                                                                              : "";
}
static inline int cm_range_push(const cm_range_attributes *a) {
    return roctxRangePushA(cm_range_text(a));
}
static inline roctx_range_id_t cm_range_start(const cm_range_attributes *a) {
    return roctxRangeStartA(cm_range_text(a));
}
static inline void cm_range_mark(const cm_range_attributes *a) { roctxMarkA(cm_range_text(a)); }

#endif
