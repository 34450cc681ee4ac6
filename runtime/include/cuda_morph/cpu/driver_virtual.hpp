// SPDX-License-Identifier: Apache-2.0
// The driver API's virtual memory: part of driver.h.
#ifndef CUDA_MORPH_CPU_DRIVER_VIRTUAL_HPP
#define CUDA_MORPH_CPU_DRIVER_VIRTUAL_HPP

struct cmDrvMemAllocationProp {
    cmMemAllocationType type;
    cmMemAllocationHandleType requestedHandleTypes;
    cmMemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
};
typedef enum cmDrvMemGranularity {
    CM_DRV_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CM_DRV_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} cmDrvMemGranularity;

inline cmDrvResult cmDrvMemGetAllocationGranularity(size_t *size,
                                                    const cmDrvMemAllocationProp *properties,
                                                    cmDrvMemGranularity) {
    if (!size || !properties) return CM_DRV_ERROR_INVALID_VALUE;
    *size = CM_VIRTUAL_GRANULARITY;
    return CM_DRV_SUCCESS;
}
// A wish for an address is one, and may be left unheard.
inline cmDrvResult cmDrvMemAddressReserve(cmDrvDeviceptr *p, size_t size, size_t alignment,
                                          cmDrvDeviceptr, unsigned long long flags) {
    void *memory = nullptr;
    if (!p || flags) return CM_DRV_ERROR_INVALID_VALUE;
    const cmError_t error = cmVirtualReserve(&memory, size, alignment);
    *p = reinterpret_cast<uintptr_t>(memory);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvMemAddressFree(cmDrvDeviceptr p, size_t size) {
    return cm::driver::result(cmVirtualFree(cm::driver::pointer(p), size));
}
// Memory of devices that no other process gets.
inline cmDrvResult cmDrvMemCreate(cmPhysical_t *handle, size_t size,
                                  const cmDrvMemAllocationProp *properties,
                                  unsigned long long flags) {
    if (!handle || !properties || flags || properties->type != cmMemAllocationTypePinned ||
        properties->location.type != cmMemLocationTypeDevice)
        return CM_DRV_ERROR_INVALID_VALUE;
    if (properties->requestedHandleTypes != cmMemHandleTypeNone) return CM_DRV_ERROR_NOT_SUPPORTED;
    return cm::driver::result(cmPhysicalCreate(handle, size, properties->location.id));
}
inline cmDrvResult cmDrvMemRelease(cmPhysical_t handle) {
    return cm::driver::result(cmPhysicalRelease(handle));
}
inline cmDrvResult cmDrvMemGetAllocationPropertiesFromHandle(cmDrvMemAllocationProp *properties,
                                                             cmPhysical_t handle) {
    if (!properties) return CM_DRV_ERROR_INVALID_VALUE;
    *properties = cmDrvMemAllocationProp{};
    properties->type = cmMemAllocationTypePinned;
    properties->location.type = cmMemLocationTypeDevice;
    return cm::driver::result(cmPhysicalGetDevice(&properties->location.id, handle));
}
inline cmDrvResult cmDrvMemMap(cmDrvDeviceptr p, size_t size, size_t offset, cmPhysical_t handle,
                               unsigned long long flags) {
    if (flags) return CM_DRV_ERROR_INVALID_VALUE;
    return cm::driver::result(cmVirtualMap(cm::driver::pointer(p), size, offset, handle));
}
inline cmDrvResult cmDrvMemUnmap(cmDrvDeviceptr p, size_t size) {
    return cm::driver::result(cmVirtualUnmap(cm::driver::pointer(p), size));
}
// Devices of the CPU see the same memory: what one may do, all may.
inline cmDrvResult cmDrvMemSetAccess(cmDrvDeviceptr p, size_t size, const cmMemAccessDesc *what,
                                     size_t count) {
    if (!what || !count) return CM_DRV_ERROR_INVALID_VALUE;
    unsigned access = 0;
    for (size_t i = 0; i < count; i++) access |= what[i].flags;
    return cm::driver::result(cmVirtualSetAccess(cm::driver::pointer(p), size, access));
}
inline cmDrvResult cmDrvMemGetAccess(unsigned long long *flags, const cmMemLocation *,
                                     cmDrvDeviceptr p) {
    unsigned access = 0;
    if (!flags) return CM_DRV_ERROR_INVALID_VALUE;
    const cmError_t error = cmVirtualGetAccess(&access, cm::driver::pointer(p));
    *flags = access;
    return cm::driver::result(error);
}

#endif
