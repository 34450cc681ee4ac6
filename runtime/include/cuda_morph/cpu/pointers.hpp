// SPDX-License-Identifier: Apache-2.0
// What CUDA's C++ headers add to the C functions for any file of the host: templates for typed
// pointers, arguments that C++ may leave out, and the newer forms of functions that changed their
// arguments. C++11, since the host's compiler may be told no more.
#ifndef CUDA_MORPH_CPU_POINTERS_HPP
#define CUDA_MORPH_CPU_POINTERS_HPP

#include <cuda_morph/runtime.h>

template <class T> inline cmError_t cmMalloc(T **p, size_t size) {
    return ::cmMalloc((void **)p, size);
}
template <class T>
inline cmError_t cmMallocHost(T **p, size_t size, unsigned int flags = cmHostAllocDefault) {
    return ::cmHostAlloc((void **)p, size, flags);
}
template <class T> inline cmError_t cmHostAlloc(T **p, size_t size, unsigned int flags) {
    return ::cmHostAlloc((void **)p, size, flags);
}
template <class T>
inline cmError_t cmMallocManaged(T **p, size_t size, unsigned int flags = cmMemAttachGlobal) {
    return ::cmMallocManaged((void **)p, size, flags);
}
template <class T>
inline cmError_t cmMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    return ::cmMallocPitch((void **)p, pitch, width, height);
}
template <class T> inline cmError_t cmMallocAsync(T **p, size_t size, cmStream_t stream) {
    return ::cmMallocAsync((void **)p, size, stream);
}
template <class T>
inline cmError_t cmMallocFromPoolAsync(T **p, size_t size, cmMemPool_t pool, cmStream_t stream) {
    return ::cmMallocFromPoolAsync((void **)p, size, pool, stream);
}
template <class T>
inline cmError_t cmHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return ::cmHostGetDevicePointer((void **)device, host, flags);
}

// Arguments that C++ may leave out.
inline cmError_t cmMemcpyAsync(void *to, const void *from, size_t size, cmMemcpyKind kind) {
    return ::cmMemcpyAsync(to, from, size, kind, nullptr);
}
inline cmError_t cmMemsetAsync(void *to, int value, size_t size) {
    return ::cmMemsetAsync(to, value, size, nullptr);
}
inline cmError_t cmEventRecord(cmEvent_t event) { return ::cmEventRecord(event, nullptr); }
inline cmError_t cmEventCreate(cmEvent_t *event, unsigned int flags) {
    return ::cmEventCreateWithFlags(event, flags);
}
inline cmError_t cmStreamWaitEvent(cmStream_t stream, cmEvent_t event) {
    return ::cmStreamWaitEvent(stream, event, 0);
}
inline cmError_t cmStreamAttachMemAsync(cmStream_t stream, void *pointer, size_t length = 0) {
    return ::cmStreamAttachMemAsync(stream, pointer, length, cmMemAttachSingle);
}
inline cmError_t cmHostRegister(void *pointer, size_t size) {
    return ::cmHostRegister(pointer, size, cmHostRegisterDefault);
}
inline cmError_t cmMemPrefetchAsync(const void *pointer, size_t size, int device) {
    return ::cmMemPrefetchAsync(pointer, size, device, nullptr);
}
// CUDA 13's forms.
inline int cm_device_of(cmMemLocation location) {
    return location.type == cmMemLocationTypeDevice ? location.id : cmCpuDeviceId;
}
inline cmError_t cmMemPrefetchAsync(const void *pointer, size_t size, cmMemLocation location,
                                    unsigned int, cmStream_t stream = nullptr) {
    return ::cmMemPrefetchAsync(pointer, size, cm_device_of(location), stream);
}
inline cmError_t cmMemAdvise(const void *pointer, size_t size, cmMemoryAdvise advice,
                             cmMemLocation location) {
    return ::cmMemAdvise(pointer, size, advice, cm_device_of(location));
}
inline cmError_t cmMallocArray(cmArray_t *array, const cmChannelFormatDesc *format, size_t width,
                               size_t height = 0) {
    return ::cmMallocArray(array, format, width, height, 0);
}
inline cmError_t cmMalloc3DArray(cmArray_t *array, const cmChannelFormatDesc *format,
                                 cmExtent extent) {
    return ::cmMalloc3DArray(array, format, extent, 0);
}
inline cmError_t cmGraphInstantiate(cmGraphExec_t *exec, cmGraph_t graph,
                                    unsigned long long flags = 0) {
    return ::cmGraphInstantiateWithFlags(exec, graph, flags);
}
inline cmError_t cmGraphInstantiate(cmGraphExec_t *exec, cmGraph_t graph, cmGraphNode_t *node,
                                    char *log, size_t size) {
    if (node) *node = nullptr;
    if (log && size) *log = 0;
    return ::cmGraphInstantiateWithFlags(exec, graph, 0);
}

#endif
