// SPDX-License-Identifier: Apache-2.0
// The driver API's results, devices and contexts over a runtime's, whichever that is: the
// processor's (driver.h) or SYCL's (sycl/driver.hpp).
#ifndef CUDA_MORPH_CPU_DRIVER_CORE_HPP
#define CUDA_MORPH_CPU_DRIVER_CORE_HPP

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vector>

typedef enum cmDrvResult {
#define CM_DRV(name, value) CM_DRV_##name = value,
#include <cuda_morph/driver_errors.def>
#undef CM_DRV
} cmDrvResult;

typedef int cmDrvDevice;
typedef unsigned long long cmDrvDeviceptr;
struct cmDrvContext_st {
    int device;
    unsigned flags;
};
typedef cmDrvContext_st *cmDrvContext;
struct cmDrvUuid {
    char bytes[16];
};
struct cmDrvCtxCreateParams {
    void *execAffinityParams, *cigParams;
    int numExecAffinityParams;
};

namespace cm {
namespace driver {

// The numbers of both interfaces are the same, but for a few that only the runtime has.
inline cmDrvResult result(cmError_t error) {
    return static_cast<cmDrvResult>(error > 8 && error < 34 ? 1 : static_cast<int>(error));
}
inline bool &ready() {
    static bool initialized = false;
    return initialized;
}
inline std::vector<cmDrvContext> &stack() { // of the calling thread
    static thread_local std::vector<cmDrvContext> contexts;
    return contexts;
}
inline void *pointer(cmDrvDeviceptr p) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(p));
}
inline cmDrvContext primary(int device) {
    static cmDrvContext_st contexts[64];
    contexts[device % 64].device = device;
    return &contexts[device % 64];
}
inline cmDrvResult make_current(cmDrvContext context) {
    return context ? result(cmSetDevice(context->device)) : CM_DRV_SUCCESS;
}

} // namespace driver
} // namespace cm

inline cmDrvResult cmDrvInit(unsigned flags) {
    if (flags) return CM_DRV_ERROR_INVALID_VALUE;
    int count = 0;
    if (cmGetDeviceCount(&count) || !count) return CM_DRV_ERROR_NO_DEVICE;
    cm::driver::ready() = true;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvDriverGetVersion(int *version) {
    return cm::driver::result(cmDriverGetVersion(version));
}
// Every number has a name; others are CUDA_ERROR_INVALID_VALUE.
inline cmDrvResult cmDrvGetErrorName(cmDrvResult error, const char **name) {
    if (!name) return CM_DRV_ERROR_INVALID_VALUE;
    switch (error) {
#define CM_DRV(text, value)                                                                       \
    case CM_DRV_##text:                                                                           \
        *name = "CUDA_" #text;                                                                    \
        return CM_DRV_SUCCESS;
#include <cuda_morph/driver_errors.def>
#undef CM_DRV
    }
    *name = nullptr;
    return CM_DRV_ERROR_INVALID_VALUE;
}
inline cmDrvResult cmDrvGetErrorString(cmDrvResult error, const char **text) {
    const cmDrvResult known = cmDrvGetErrorName(error, text);
    if (!known) *text = cmGetErrorString(static_cast<cmError_t>(error));
    return known;
}

// ---- devices and contexts ----

inline cmDrvResult cmDrvDeviceGetCount(int *count) {
    if (!cm::driver::ready()) return CM_DRV_ERROR_NOT_INITIALIZED;
    return cm::driver::result(cmGetDeviceCount(count));
}
inline cmDrvResult cmDrvDeviceGet(cmDrvDevice *device, int ordinal) {
    int count = 0;
    const cmDrvResult error = cmDrvDeviceGetCount(&count);
    if (error) return error;
    if (ordinal < 0 || ordinal >= count) return CM_DRV_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvDeviceGetName(char *name, int size, cmDrvDevice device) {
    cmDeviceProp prop;
    const cmError_t error = cmGetDeviceProperties(&prop, device);
    if (!error && size > 0) snprintf(name, static_cast<size_t>(size), "%s", prop.name);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvDeviceTotalMem(size_t *size, cmDrvDevice device) {
    cmDeviceProp prop;
    const cmError_t error = cmGetDeviceProperties(&prop, device);
    if (!error) *size = prop.totalGlobalMem;
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvDeviceGetAttribute(int *value, cmDeviceAttr attribute,
                                           cmDrvDevice device) {
    return cm::driver::result(cmDeviceGetAttribute(value, attribute, device));
}
inline cmDrvResult cmDrvDeviceComputeCapability(int *major, int *minor, cmDrvDevice device) {
    const cmDrvResult error =
        cmDrvDeviceGetAttribute(major, cmDevAttrComputeCapabilityMajor, device);
    return error ? error : cmDrvDeviceGetAttribute(minor, cmDevAttrComputeCapabilityMinor, device);
}
inline cmDrvResult cmDrvDeviceGetUuid(cmDrvUuid *uuid, cmDrvDevice device) {
    memset(uuid->bytes, 0, sizeof uuid->bytes);
    uuid->bytes[15] = static_cast<char>(device + 1);
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvDeviceGetPCIBusId(char *text, int size, cmDrvDevice device) {
    return cm::driver::result(cmDeviceGetPCIBusId(text, size, device));
}
inline cmDrvResult cmDrvDeviceGetByPCIBusId(cmDrvDevice *device, const char *text) {
    return cm::driver::result(cmDeviceGetByPCIBusId(device, text));
}
inline cmDrvResult cmDrvDeviceCanAccessPeer(int *can, cmDrvDevice device, cmDrvDevice peer) {
    return cm::driver::result(cmDeviceCanAccessPeer(can, device, peer));
}
inline cmDrvResult cmDrvCtxPushCurrent(cmDrvContext context) {
    if (!context) return CM_DRV_ERROR_INVALID_CONTEXT;
    cm::driver::stack().push_back(context);
    return cm::driver::make_current(context);
}
inline cmDrvResult cmDrvCtxPopCurrent(cmDrvContext *context) {
    auto &stack = cm::driver::stack();
    if (stack.empty()) return CM_DRV_ERROR_INVALID_CONTEXT;
    if (context) *context = stack.back();
    stack.pop_back();
    return cm::driver::make_current(stack.empty() ? nullptr : stack.back());
}
inline cmDrvResult cmDrvCtxCreate(cmDrvContext *context, unsigned flags, cmDrvDevice device) {
    cmDrvDevice known;
    const cmDrvResult error = cmDrvDeviceGet(&known, device);
    if (error) return error;
    *context = new cmDrvContext_st{device, flags};
    return cmDrvCtxPushCurrent(*context);
}
inline cmDrvResult cmDrvCtxCreate(cmDrvContext *context, cmDrvCtxCreateParams *, unsigned flags,
                                  cmDrvDevice device) {
    return cmDrvCtxCreate(context, flags, device);
}
inline cmDrvResult cmDrvCtxDestroy(cmDrvContext context) {
    if (!context) return CM_DRV_ERROR_INVALID_CONTEXT;
    auto &stack = cm::driver::stack();
    cmDeviceSynchronize();
    if (!stack.empty() && stack.back() == context) cmDrvCtxPopCurrent(nullptr);
    delete context;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxSetCurrent(cmDrvContext context) {
    auto &stack = cm::driver::stack();
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return cm::driver::make_current(context);
}
inline cmDrvResult cmDrvCtxGetCurrent(cmDrvContext *context) {
    *context = cm::driver::stack().empty() ? nullptr : cm::driver::stack().back();
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxGetDevice(cmDrvDevice *device) {
    if (cm::driver::stack().empty()) return CM_DRV_ERROR_INVALID_CONTEXT;
    *device = cm::driver::stack().back()->device;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxGetApiVersion(cmDrvContext, unsigned *version) {
    *version = CM_DRV_VERSION;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxSynchronize() { return cm::driver::result(cmDeviceSynchronize()); }
inline cmDrvResult cmDrvCtxEnablePeerAccess(cmDrvContext peer, unsigned flags) {
    if (!peer) return CM_DRV_ERROR_INVALID_CONTEXT;
    return cm::driver::result(cmDeviceEnablePeerAccess(peer->device, flags));
}
inline cmDrvResult cmDrvCtxDisablePeerAccess(cmDrvContext peer) {
    if (!peer) return CM_DRV_ERROR_INVALID_CONTEXT;
    return cm::driver::result(cmDeviceDisablePeerAccess(peer->device));
}
inline cmDrvResult cmDrvDevicePrimaryCtxRetain(cmDrvContext *context, cmDrvDevice device) {
    cmDrvDevice known;
    const cmDrvResult error = cmDrvDeviceGet(&known, device);
    if (!error) *context = cm::driver::primary(device);
    return error;
}
inline cmDrvResult cmDrvDevicePrimaryCtxRelease(cmDrvDevice) { return CM_DRV_SUCCESS; }
inline cmDrvResult cmDrvDevicePrimaryCtxSetFlags(cmDrvDevice, unsigned) { return CM_DRV_SUCCESS; }
inline cmDrvResult cmDrvProfilerStart() { return cm::driver::result(cmProfilerStart()); }
inline cmDrvResult cmDrvProfilerStop() { return cm::driver::result(cmProfilerStop()); }

#endif
