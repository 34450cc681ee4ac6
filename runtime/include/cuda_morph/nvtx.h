/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: ranges and marks for a profiler that is not there. The calls do nothing; ranges still
   count, so that what they return is what a program may rely on. */
#ifndef CUDA_MORPH_NVTX_H
#define CUDA_MORPH_NVTX_H

#include <cuda_morph/nvtx_attributes.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration *nvtxDomainHandle_t;

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
