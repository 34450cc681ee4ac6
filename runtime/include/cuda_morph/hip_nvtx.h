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

#include <stddef.h>
#include <stdint.h>

#include <roctracer/roctx.h>

#define NVTX_VERSION 3

enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
};
enum {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
};

typedef struct cm_range_attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
        void *registered;
    } message;
} cm_range_attributes;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(cm_range_attributes))

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
