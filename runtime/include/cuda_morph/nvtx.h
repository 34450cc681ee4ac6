/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: ranges and marks for a profiler that is not there. The calls do nothing; ranges still
   count, so that what they return is what a program may rely on. */
#ifndef CUDA_MORPH_NVTX_H
#define CUDA_MORPH_NVTX_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration *nvtxStringHandle_t;

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
    NVTX_PAYLOAD_TYPE_DOUBLE = 3
};
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* How deep the calling thread's ranges are. */
static inline int cm_nvtx_depth(int by) {
    static __thread int depth;
    const int before = depth;
    depth = depth + by < 0 ? 0 : depth + by;
    return by > 0 ? before : depth;
}
static inline int nvtxRangePushA(const char *text) { return (void)text, cm_nvtx_depth(1); }
static inline int nvtxRangePushW(const wchar_t *text) { return (void)text, cm_nvtx_depth(1); }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *e) {
    return (void)e, cm_nvtx_depth(1);
}
static inline int nvtxRangePop(void) { return cm_nvtx_depth(-1); }
static inline nvtxRangeId_t nvtxRangeStartA(const char *text) { return (void)text, 1; }
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t *text) { return (void)text, 1; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *e) { return (void)e, 1; }
static inline void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline void nvtxMarkA(const char *text) { (void)text; }
static inline void nvtxMarkW(const wchar_t *text) { (void)text; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t *e) { (void)e; }
static inline void nvtxNameOsThreadA(uint32_t id, const char *name) { (void)id, (void)name; }
static inline void nvtxNameOsThreadW(uint32_t id, const wchar_t *name) { (void)id, (void)name; }
static inline void nvtxNameCategoryA(uint32_t id, const char *name) { (void)id, (void)name; }
static inline void nvtxNameCategoryW(uint32_t id, const wchar_t *name) { (void)id, (void)name; }
static inline void nvtxNameCudaStreamA(const void *stream, const char *name) {
    (void)stream, (void)name;
}
static inline void nvtxNameCudaEventA(const void *event, const char *name) {
    (void)event, (void)name;
}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
    return (void)name, (nvtxDomainHandle_t)0;
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) {
    return (void)name, (nvtxDomainHandle_t)0;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *e) {
    (void)domain, (void)e;
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                        const nvtxEventAttributes_t *e) {
    return (void)domain, (void)e, cm_nvtx_depth(1);
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
    return (void)domain, cm_nvtx_depth(-1);
}
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                   const nvtxEventAttributes_t *e) {
    return (void)domain, (void)e, 1;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) {
    (void)domain, (void)id;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                           const char *text) {
    return (void)domain, (void)text, (nvtxStringHandle_t)0;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain,
                                                           const wchar_t *text) {
    return (void)domain, (void)text, (nvtxStringHandle_t)0;
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t id,
                                           const char *name) {
    (void)domain, (void)id, (void)name;
}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t id,
                                           const wchar_t *name) {
    (void)domain, (void)id, (void)name;
}
static inline void nvtxInitialize(const void *reserved) { (void)reserved; }

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA

#endif
