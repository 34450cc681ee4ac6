// SPDX-License-Identifier: Apache-2.0
// The driver API's memory, streams and events: part of driver.h.
#ifndef CUDA_MORPH_CPU_DRIVER_MEMORY_HPP
#define CUDA_MORPH_CPU_DRIVER_MEMORY_HPP

inline cmDrvResult cmDrvMemAlloc(cmDrvDeviceptr *p, size_t size) {
    void *memory = nullptr;
    if (!p || !size) return CM_DRV_ERROR_INVALID_VALUE;
    const cmError_t error = ::cmMalloc(&memory, size);
    *p = reinterpret_cast<uintptr_t>(memory);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvMemAllocManaged(cmDrvDeviceptr *p, size_t size, unsigned flags) {
    void *memory = nullptr;
    if (!p || !size) return CM_DRV_ERROR_INVALID_VALUE;
    const cmError_t error = ::cmMallocManaged(&memory, size, flags);
    *p = reinterpret_cast<uintptr_t>(memory);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvMemAllocPitch(cmDrvDeviceptr *p, size_t *pitch, size_t width,
                                      size_t height, unsigned) {
    void *memory = nullptr;
    const cmError_t error = ::cmMallocPitch(&memory, pitch, width, height);
    *p = reinterpret_cast<uintptr_t>(memory);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvMemAllocAsync(cmDrvDeviceptr *p, size_t size, cmStream_t stream) {
    void *memory = nullptr;
    const cmError_t error = ::cmMallocAsync(&memory, size, stream);
    *p = reinterpret_cast<uintptr_t>(memory);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvMemFreeAsync(cmDrvDeviceptr p, cmStream_t stream) {
    return cm::driver::result(cmFreeAsync(cm::driver::pointer(p), stream));
}
inline cmDrvResult cmDrvMemFree(cmDrvDeviceptr p) {
    return cm::driver::result(cmFree(cm::driver::pointer(p)));
}
inline cmDrvResult cmDrvMemAllocHost(void **p, size_t size) {
    return cm::driver::result(::cmHostAlloc(p, size, 0));
}
inline cmDrvResult cmDrvMemHostAlloc(void **p, size_t size, unsigned flags) {
    return cm::driver::result(::cmHostAlloc(p, size, flags));
}
inline cmDrvResult cmDrvMemFreeHost(void *p) { return cm::driver::result(cmFreeHost(p)); }
inline cmDrvResult cmDrvMemHostRegister(void *p, size_t size, unsigned flags) {
    return cm::driver::result(::cmHostRegister(p, size, flags));
}
inline cmDrvResult cmDrvMemHostUnregister(void *p) {
    return cm::driver::result(cmHostUnregister(p));
}
inline cmDrvResult cmDrvMemHostGetDevicePointer(cmDrvDeviceptr *p, void *host, unsigned flags) {
    void *device = nullptr;
    const cmError_t error = ::cmHostGetDevicePointer(&device, host, flags);
    *p = reinterpret_cast<uintptr_t>(device);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvMemGetInfo(size_t *available, size_t *total) {
    return cm::driver::result(cmMemGetInfo(available, total));
}

#define CM_DRV_COPY(NAME, TO, to, FROM, from, kind)                                               \
    inline cmDrvResult cmDrvMemcpy##NAME(TO p, FROM q, size_t size) {                             \
        return cm::driver::result(::cmMemcpy(to, from, size, kind));                              \
    }                                                                                             \
    inline cmDrvResult cmDrvMemcpy##NAME##Async(TO p, FROM q, size_t size, cmStream_t stream) {   \
        return cm::driver::result(::cmMemcpyAsync(to, from, size, kind, stream));                 \
    }
CM_DRV_COPY(HtoD, cmDrvDeviceptr, cm::driver::pointer(p), const void *, q, cmMemcpyHostToDevice)
CM_DRV_COPY(DtoH, void *, p, cmDrvDeviceptr, cm::driver::pointer(q), cmMemcpyDeviceToHost)
CM_DRV_COPY(DtoD, cmDrvDeviceptr, cm::driver::pointer(p), cmDrvDeviceptr, cm::driver::pointer(q),
            cmMemcpyDeviceToDevice)
#undef CM_DRV_COPY
inline cmDrvResult cmDrvMemcpy(cmDrvDeviceptr to, cmDrvDeviceptr from, size_t size) {
    return cm::driver::result(
        ::cmMemcpy(cm::driver::pointer(to), cm::driver::pointer(from), size, cmMemcpyDefault));
}
inline cmDrvResult cmDrvMemcpyAsync(cmDrvDeviceptr to, cmDrvDeviceptr from, size_t size,
                                    cmStream_t stream) {
    return cm::driver::result(::cmMemcpyAsync(cm::driver::pointer(to), cm::driver::pointer(from),
                                              size, cmMemcpyDefault, stream));
}

inline cmDrvResult cmDrvStreamCreate(cmStream_t *stream, unsigned flags) {
    return cm::driver::result(cmStreamCreateWithFlags(stream, flags));
}
inline cmDrvResult cmDrvStreamCreateWithPriority(cmStream_t *stream, unsigned flags,
                                                 int priority) {
    return cm::driver::result(cmStreamCreateWithPriority(stream, flags, priority));
}
inline cmDrvResult cmDrvStreamDestroy(cmStream_t stream) {
    return cm::driver::result(cmStreamDestroy(stream));
}
inline cmDrvResult cmDrvStreamSynchronize(cmStream_t stream) {
    return cm::driver::result(cmStreamSynchronize(stream));
}
inline cmDrvResult cmDrvStreamQuery(cmStream_t stream) {
    return cm::driver::result(cmStreamQuery(stream));
}
inline cmDrvResult cmDrvStreamWaitEvent(cmStream_t stream, cmEvent_t event, unsigned flags) {
    return cm::driver::result(::cmStreamWaitEvent(stream, event, flags));
}
inline cmDrvResult cmDrvEventCreate(cmEvent_t *event, unsigned flags) {
    return cm::driver::result(cmEventCreateWithFlags(event, flags));
}
inline cmDrvResult cmDrvEventDestroy(cmEvent_t event) {
    return cm::driver::result(cmEventDestroy(event));
}
inline cmDrvResult cmDrvEventRecord(cmEvent_t event, cmStream_t stream) {
    return cm::driver::result(::cmEventRecord(event, stream));
}
inline cmDrvResult cmDrvEventQuery(cmEvent_t event) {
    return cm::driver::result(cmEventQuery(event));
}
inline cmDrvResult cmDrvEventSynchronize(cmEvent_t event) {
    return cm::driver::result(cmEventSynchronize(event));
}
inline cmDrvResult cmDrvEventElapsedTime(float *milliseconds, cmEvent_t start, cmEvent_t end) {
    return cm::driver::result(cmEventElapsedTime(milliseconds, start, end));
}
inline cmDrvResult cmDrvLaunchHostFunc(cmStream_t stream, cmHostFn_t function, void *data) {
    return cm::driver::result(cmLaunchHostFunc(stream, function, data));
}

#endif
