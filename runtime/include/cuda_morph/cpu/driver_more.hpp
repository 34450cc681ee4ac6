// SPDX-License-Identifier: Apache-2.0
// The driver API beside memory and streams of one dimension: part of driver.h. What can be
// asked of pointers, contexts and streams, capture and graphs. Source
// of names, fields and numbers: the CUDA Driver API reference, version 12.4.
#ifndef CUDA_MORPH_CPU_DRIVER_MORE_HPP
#define CUDA_MORPH_CPU_DRIVER_MORE_HPP

typedef enum cmDrvPointer_attribute {
    CM_DRV_POINTER_ATTRIBUTE_CONTEXT = 1,
    CM_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CM_DRV_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
    CM_DRV_POINTER_ATTRIBUTE_HOST_POINTER = 4,
    CM_DRV_POINTER_ATTRIBUTE_IS_MANAGED = 8,
    CM_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
    CM_DRV_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
    CM_DRV_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
    CM_DRV_POINTER_ATTRIBUTE_MAPPED = 13
} cmDrvPointer_attribute;

// ---- what can be asked of memory ----

inline cmDrvResult cmDrvMemHostGetFlags(unsigned *flags, void *p) {
    return cm::driver::result(cmHostGetFlags(flags, p));
}
inline cmDrvResult cmDrvMemGetAddressRange(cmDrvDeviceptr *base, size_t *size, cmDrvDeviceptr p) {
    void *start = nullptr;
    size_t whole = 0;
    const cmError_t error = cmMemGetAddressRange(&start, &whole, cm::driver::pointer(p));
    if (!error && base) *base = reinterpret_cast<uintptr_t>(start);
    if (!error && size) *size = whole;
    return error ? CM_DRV_ERROR_NOT_FOUND : CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvPointerGetAttribute(void *data, cmDrvPointer_attribute attribute,
                                            cmDrvDeviceptr p) {
    void *const pointer = cm::driver::pointer(p), *base = nullptr;
    size_t size = 0;
    cmPointerAttributes a;
    if (!data) return CM_DRV_ERROR_INVALID_VALUE;
    const cmError_t error = cmPointerGetAttributes(&a, pointer);
    if (error) return cm::driver::result(error);
    if (a.type == cmMemoryTypeUnregistered) return CM_DRV_ERROR_INVALID_VALUE;
    cmMemGetAddressRange(&base, &size, pointer);
    switch (attribute) {
    case CM_DRV_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<cmDrvContext *>(data) = cm::driver::primary(a.device);
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned *>(data) =
            a.type == cmMemoryTypeHost ? CM_DRV_MEMORYTYPE_HOST : CM_DRV_MEMORYTYPE_DEVICE;
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<cmDrvDeviceptr *>(data) = reinterpret_cast<uintptr_t>(a.devicePointer);
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!a.hostPointer) return CM_DRV_ERROR_INVALID_VALUE;
        *static_cast<void **>(data) = a.hostPointer;
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned *>(data) = a.type == cmMemoryTypeManaged;
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int *>(data) = a.device;
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *static_cast<cmDrvDeviceptr *>(data) = reinterpret_cast<uintptr_t>(base);
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_RANGE_SIZE:
        *static_cast<size_t *>(data) = size;
        return CM_DRV_SUCCESS;
    case CM_DRV_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<unsigned *>(data) = 1;
        return CM_DRV_SUCCESS;
    }
    return CM_DRV_ERROR_NOT_SUPPORTED;
}
inline cmDrvResult cmDrvMemPrefetchAsync(cmDrvDeviceptr p, size_t size, cmDrvDevice device,
                                         cmStream_t stream) {
    return cm::driver::result(::cmMemPrefetchAsync(cm::driver::pointer(p), size, device, stream));
}
inline cmDrvResult cmDrvMemAdvise(cmDrvDeviceptr p, size_t size, cmMemoryAdvise advice,
                                  cmDrvDevice device) {
    return cm::driver::result(::cmMemAdvise(cm::driver::pointer(p), size, advice, device));
}

// ---- contexts and devices ----

inline cmDrvResult cmDrvCtxGetFlags(unsigned *flags) {
    return cm::driver::result(cmGetDeviceFlags(flags));
}
inline cmDrvResult cmDrvCtxSetFlags(unsigned flags) {
    return cm::driver::result(cmSetDeviceFlags(flags));
}
inline cmDrvResult cmDrvCtxGetLimit(size_t *value, cmLimit limit) {
    return cm::driver::result(cmDeviceGetLimit(value, limit));
}
inline cmDrvResult cmDrvCtxSetLimit(cmLimit limit, size_t value) {
    return cm::driver::result(cmDeviceSetLimit(limit, value));
}
inline cmDrvResult cmDrvCtxGetCacheConfig(cmFuncCache *config) {
    return cm::driver::result(cmDeviceGetCacheConfig(config));
}
inline cmDrvResult cmDrvCtxSetCacheConfig(cmFuncCache config) {
    return cm::driver::result(cmDeviceSetCacheConfig(config));
}
inline cmDrvResult cmDrvCtxGetStreamPriorityRange(int *least, int *greatest) {
    return cm::driver::result(cmDeviceGetStreamPriorityRange(least, greatest));
}
inline cmDrvResult cmDrvDevicePrimaryCtxGetState(cmDrvDevice device, unsigned *flags,
                                                 int *active) {
    cmDrvDevice known;
    const cmDrvResult error = cmDrvDeviceGet(&known, device);
    if (!error && flags) *flags = cm::driver::primary(device)->flags;
    if (!error && active) *active = 1;
    return error;
}
inline cmDrvResult cmDrvDevicePrimaryCtxReset(cmDrvDevice device) {
    int before = 0;
    cmError_t error = cmGetDevice(&before);
    if (!error) error = cmSetDevice(device);
    if (!error) error = cmDeviceReset();
    if (!error) error = cmSetDevice(before);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvDeviceGetP2PAttribute(int *value, cmDeviceP2PAttr attribute,
                                              cmDrvDevice from, cmDrvDevice to) {
    return cm::driver::result(cmDeviceGetP2PAttribute(value, attribute, from, to));
}
inline cmDrvResult cmDrvDeviceGetDefaultMemPool(cmMemPool_t *pool, cmDrvDevice device) {
    return cm::driver::result(cmDeviceGetDefaultMemPool(pool, device));
}
inline cmDrvResult cmDrvDeviceGetMemPool(cmMemPool_t *pool, cmDrvDevice device) {
    return cm::driver::result(cmDeviceGetMemPool(pool, device));
}

// ---- streams and events ----

// The callback gets a result of the driver API.
typedef void (*cmDrvStreamCallback)(cmStream_t stream, cmDrvResult status, void *data);
inline cmDrvResult cmDrvStreamAddCallback(cmStream_t stream, cmDrvStreamCallback callback,
                                          void *data, unsigned flags) {
    struct call {
        cmDrvStreamCallback callback;
        void *data;
        static void run(cmStream_t stream, cmError_t status, void *self) {
            const call c = *static_cast<call *>(self);
            delete static_cast<call *>(self);
            c.callback(stream, cm::driver::result(status), c.data);
        }
    };
    if (!callback || flags) return CM_DRV_ERROR_INVALID_VALUE;
    call *const c = new call{callback, data};
    const cmError_t error = ::cmStreamAddCallback(stream, call::run, c, 0);
    if (error) delete c;
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvStreamAttachMemAsync(cmStream_t stream, cmDrvDeviceptr p, size_t length,
                                             unsigned flags) {
    return cm::driver::result(
        ::cmStreamAttachMemAsync(stream, cm::driver::pointer(p), length, flags));
}
inline cmDrvResult cmDrvStreamGetFlags(cmStream_t stream, unsigned *flags) {
    return cm::driver::result(cmStreamGetFlags(stream, flags));
}
inline cmDrvResult cmDrvStreamGetPriority(cmStream_t stream, int *priority) {
    return cm::driver::result(cmStreamGetPriority(stream, priority));
}
inline cmDrvResult cmDrvStreamGetId(cmStream_t stream, unsigned long long *id) {
    return cm::driver::result(cmStreamGetId(stream, id));
}
inline cmDrvResult cmDrvStreamGetCtx(cmStream_t stream, cmDrvContext *context) {
    int device = 0;
    const cmError_t error = cmStreamGetDevice(stream, &device);
    if (!error) *context = cm::driver::primary(device);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvEventRecordWithFlags(cmEvent_t event, cmStream_t stream, unsigned flags) {
    return cm::driver::result(::cmEventRecordWithFlags(event, stream, flags));
}

// ---- capture and graphs ----

inline cmDrvResult cmDrvStreamBeginCapture(cmStream_t stream, cmStreamCaptureMode mode) {
    return cm::driver::result(cmStreamBeginCapture(stream, mode));
}
inline cmDrvResult cmDrvStreamEndCapture(cmStream_t stream, cmGraph_t *graph) {
    return cm::driver::result(cmStreamEndCapture(stream, graph));
}
inline cmDrvResult cmDrvStreamIsCapturing(cmStream_t stream, cmStreamCaptureStatus *status) {
    return cm::driver::result(cmStreamIsCapturing(stream, status));
}
inline cmDrvResult cmDrvThreadExchangeStreamCaptureMode(cmStreamCaptureMode *mode) {
    return cm::driver::result(cmThreadExchangeStreamCaptureMode(mode));
}
inline cmDrvResult cmDrvGraphCreate(cmGraph_t *graph, unsigned flags) {
    return cm::driver::result(cmGraphCreate(graph, flags));
}
inline cmDrvResult cmDrvGraphDestroy(cmGraph_t graph) {
    return cm::driver::result(cmGraphDestroy(graph));
}
inline cmDrvResult cmDrvGraphClone(cmGraph_t *clone, cmGraph_t original) {
    return cm::driver::result(cmGraphClone(clone, original));
}
inline cmDrvResult cmDrvGraphAddEmptyNode(cmGraphNode_t *node, cmGraph_t graph,
                                          const cmGraphNode_t *after, size_t count) {
    return cm::driver::result(cmGraphAddEmptyNode(node, graph, after, count));
}
inline cmDrvResult cmDrvGraphAddHostNode(cmGraphNode_t *node, cmGraph_t graph,
                                         const cmGraphNode_t *after, size_t count,
                                         const cmHostNodeParams *params) {
    return cm::driver::result(cmGraphAddHostNode(node, graph, after, count, params));
}
inline cmDrvResult cmDrvGraphGetNodes(cmGraph_t graph, cmGraphNode_t *nodes, size_t *count) {
    return cm::driver::result(cmGraphGetNodes(graph, nodes, count));
}
inline cmDrvResult cmDrvGraphInstantiate(cmGraphExec_t *exec, cmGraph_t graph,
                                         unsigned long long flags) {
    return cm::driver::result(cmGraphInstantiateWithFlags(exec, graph, flags));
}
inline cmDrvResult cmDrvGraphInstantiate(cmGraphExec_t *exec, cmGraph_t graph, cmGraphNode_t *,
                                         char *log, size_t size) { // before CUDA 12
    if (log && size) *log = 0;
    return cm::driver::result(cmGraphInstantiateWithFlags(exec, graph, 0));
}
inline cmDrvResult cmDrvGraphLaunch(cmGraphExec_t exec, cmStream_t stream) {
    return cm::driver::result(cmGraphLaunch(exec, stream));
}
inline cmDrvResult cmDrvGraphUpload(cmGraphExec_t exec, cmStream_t stream) {
    return cm::driver::result(cmGraphUpload(exec, stream));
}
inline cmDrvResult cmDrvGraphExecDestroy(cmGraphExec_t exec) {
    return cm::driver::result(cmGraphExecDestroy(exec));
}

#endif
