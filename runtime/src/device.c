/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: what can be asked of them and set. Properties are the back end's; limits, preferences
   and peers are kept and given back, and but for the size of stacks nothing follows from them. */
#include "grid.h"
#include "memory.h"
#include <stdio.h>
#include <string.h>

#define CM_NEED_DEVICE(number)                                                                    \
    CM_NEED((number) >= 0 && (number) < cm_settings.devices, cmErrorInvalidDevice)

cmError_t cmGetDeviceCount(int *count) {
    cmError_t error = cm_begin();
    CM_NEED(count, cmErrorInvalidValue);
    *count = error ? 0 : cm_settings.devices;
    return cm_fail(error ? error : *count ? cmSuccess : cmErrorNoDevice);
}

cmError_t cmGetDevice(int *device) {
    CM_ENTER();
    CM_NEED(device, cmErrorInvalidValue);
    *device = cm_current();
    return cmSuccess;
}

cmError_t cmSetDevice(int device) {
    cmError_t error = cm_begin();
    if (error) return cm_fail(error);
    CM_NEED(cm_settings.devices, cmErrorNoDevice);
    CM_NEED_DEVICE(device);
    cm_set_current(device);
    return cm_fail(cm_sticky(device));
}

cmError_t cmInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
    (void)deviceFlags, (void)flags;
    CM_ENTER();
    CM_NEED_DEVICE(device);
    return cmSuccess;
}

cmError_t cmChooseDevice(int *device, const struct cmDeviceProp *prop) {
    CM_ENTER();
    CM_NEED(device && prop, cmErrorInvalidValue);
    *device = 0;
    return cmSuccess;
}

cmError_t cmSetValidDevices(int *devices, int length) {
    CM_ENTER();
    CM_NEED(devices && length > 0, cmErrorInvalidValue);
    for (int i = 0; i < length; i++) CM_NEED_DEVICE(devices[i]);
    return cmSuccess;
}

cmError_t cmGetDeviceProperties(struct cmDeviceProp *prop, int device) {
    CM_ENTER();
    CM_NEED(prop, cmErrorInvalidValue);
    CM_NEED_DEVICE(device);
    *prop = cm_devices[device].properties;
    return cmSuccess;
}

cmError_t cmDeviceGetAttribute(int *value, enum cmDeviceAttr attribute, int device) {
    CM_ENTER();
    CM_NEED(value, cmErrorInvalidValue);
    CM_NEED_DEVICE(device);
    const struct cmDeviceProp *p = &cm_devices[device].properties;
    switch (attribute) {
#define CM_ATTRIBUTE(name, number, answer)                                                        \
    case cmDevAttr##name:                                                                         \
        *value = (int)(answer);                                                                   \
        return cmSuccess;
#include <cuda_morph/attributes.def>
#undef CM_ATTRIBUTE
    case cmDevAttrMax:
        break;
    }
    return cm_fail(cmErrorInvalidValue);
}

cmError_t cmDeviceSynchronize(void) {
    CM_ENTER();
    /* A kernel that waited for its own stream would wait for itself. */
    CM_NEED(!cmKernelInside(), cmErrorNotSupported);
    cm_lock_take();
    cmError_t error = cm_wait_device(cm_current());
    cm_lock_give();
    return cm_fail(error ? error : cm_sticky(cm_current()));
}

cmError_t cmDeviceReset(void) {
    cmError_t error = cm_begin();
    if (error || !cm_settings.devices) return cm_fail(error);
    cm_lock_take();
    error = cm_wait_device(cm_current());
    cm_device()->sticky = cmSuccess;
    cm_device()->peers = 0;
    cm_device_free_all(cm_current());
    cm_lock_give();
    cm_forget_error();
    return cm_fail(error);
}

/* ---- limits and preferences: kept, and without effect but for the stack size ---- */

cmError_t cmDeviceGetLimit(size_t *value, enum cmLimit limit) {
    CM_ENTER();
    CM_NEED(value, cmErrorInvalidValue);
    CM_NEED((unsigned)limit <= cmLimitPersistingL2CacheSize, cmErrorUnsupportedLimit);
    *value = cm_device()->limits[limit];
    return cmSuccess;
}

cmError_t cmDeviceSetLimit(enum cmLimit limit, size_t value) {
    CM_ENTER();
    CM_NEED((unsigned)limit <= cmLimitPersistingL2CacheSize, cmErrorUnsupportedLimit);
    cm_device()->limits[limit] = value;
    return cmSuccess;
}

cmError_t cmDeviceGetCacheConfig(enum cmFuncCache *config) {
    CM_ENTER();
    CM_NEED(config, cmErrorInvalidValue);
    *config = cmFuncCachePreferNone;
    return cmSuccess;
}

cmError_t cmDeviceSetCacheConfig(enum cmFuncCache config) {
    (void)config;
    CM_ENTER();
    return cmSuccess;
}

cmError_t cmDeviceGetSharedMemConfig(enum cmSharedMemConfig *config) {
    CM_ENTER();
    CM_NEED(config, cmErrorInvalidValue);
    *config = cmSharedMemBankSizeFourByte;
    return cmSuccess;
}

cmError_t cmDeviceSetSharedMemConfig(enum cmSharedMemConfig config) {
    (void)config;
    CM_ENTER();
    return cmSuccess;
}

cmError_t cmSetDeviceFlags(unsigned int flags) {
    CM_ENTER();
    CM_NEED(!(flags & ~0xffu), cmErrorInvalidValue);
    cm_device()->flags = flags;
    return cmSuccess;
}

cmError_t cmGetDeviceFlags(unsigned int *flags) {
    CM_ENTER();
    CM_NEED(flags, cmErrorInvalidValue);
    *flags = cm_device()->flags | cmDeviceMapHost;
    return cmSuccess;
}

cmError_t cmDeviceGetStreamPriorityRange(int *least, int *greatest) {
    CM_ENTER();
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cmSuccess;
}

cmError_t cmDeviceGetPCIBusId(char *text, int length, int device) {
    CM_ENTER();
    CM_NEED_DEVICE(device);
    CM_NEED(text && length >= 13, cmErrorInvalidValue);
    snprintf(text, (size_t)length, "0000:%02X:00.0", device);
    return cmSuccess;
}

cmError_t cmDeviceGetByPCIBusId(int *device, const char *text) {
    CM_ENTER();
    CM_NEED(device && text, cmErrorInvalidValue);
    unsigned int domain, bus;
    CM_NEED(sscanf(text, "%x:%x:", &domain, &bus) == 2 && bus < (unsigned)cm_settings.devices,
            cmErrorInvalidDevice);
    *device = (int)bus;
    return cmSuccess;
}

/* ---- peers ---- */

cmError_t cmDeviceCanAccessPeer(int *can, int device, int peer) {
    CM_ENTER();
    CM_NEED(can, cmErrorInvalidValue);
    CM_NEED_DEVICE(device);
    CM_NEED_DEVICE(peer);
    *can = device != peer;
    return cmSuccess;
}

cmError_t cmDeviceEnablePeerAccess(int peer, unsigned int flags) {
    CM_ENTER();
    CM_NEED(!flags, cmErrorInvalidValue);
    CM_NEED_DEVICE(peer);
    CM_NEED(peer != cm_current(), cmErrorInvalidDevice);
    uint64_t bit = (uint64_t)1 << peer;
    CM_NEED(!(cm_device()->peers & bit), cmErrorPeerAccessAlreadyEnabled);
    cm_device()->peers |= bit;
    return cmSuccess;
}

cmError_t cmDeviceDisablePeerAccess(int peer) {
    CM_ENTER();
    CM_NEED_DEVICE(peer);
    uint64_t bit = (uint64_t)1 << peer;
    CM_NEED(cm_device()->peers & bit, cmErrorPeerAccessNotEnabled);
    cm_device()->peers &= ~bit;
    return cmSuccess;
}

cmError_t cmDeviceGetP2PAttribute(int *value, enum cmDeviceP2PAttr attribute, int from, int to) {
    CM_ENTER();
    CM_NEED(value, cmErrorInvalidValue);
    CM_NEED_DEVICE(from);
    CM_NEED_DEVICE(to);
    CM_NEED(from != to, cmErrorInvalidDevice);
    *value = attribute != cmDevP2PAttrPerformanceRank;
    return cmSuccess;
}

cmError_t cmDriverGetVersion(int *version) {
    CM_NEED(version, cmErrorInvalidValue);
    *version = CMRT_VERSION;
    return cmSuccess;
}

cmError_t cmRuntimeGetVersion(int *version) { return cmDriverGetVersion(version); }
cmError_t cmProfilerStart(void) { return cmSuccess; }
cmError_t cmProfilerStop(void) { return cmSuccess; }

cmError_t cmOccupancyBlocks(int *blocks, int threads, size_t shared) {
    CM_ENTER();
    CM_NEED(blocks && threads > 0, cmErrorInvalidValue);
    int by_threads = threads > CM_MAX_THREADS_PER_BLOCK ? 0 : 2048 / ((threads + 31) / 32 * 32);
    int by_shared = shared ? (int)(CM_MAX_SHARED / shared) : 32;
    *blocks = by_threads < by_shared ? by_threads : by_shared;
    if (*blocks > 32) *blocks = 32;
    return cmSuccess;
}
