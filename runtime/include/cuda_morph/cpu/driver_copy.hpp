// SPDX-License-Identifier: Apache-2.0
// The driver API's copies of rectangles and between contexts, and its fills: part of driver.h.
#ifndef CUDA_MORPH_CPU_DRIVER_COPY_HPP
#define CUDA_MORPH_CPU_DRIVER_COPY_HPP

typedef enum cmDrvMemorytype {
    CM_DRV_MEMORYTYPE_HOST = 1,
    CM_DRV_MEMORYTYPE_DEVICE = 2,
    CM_DRV_MEMORYTYPE_ARRAY = 3,
    CM_DRV_MEMORYTYPE_UNIFIED = 4
} cmDrvMemorytype;
struct cmDrvMemcpy2DParams {
    size_t srcXInBytes, srcY;
    cmDrvMemorytype srcMemoryType;
    const void *srcHost;
    cmDrvDeviceptr srcDevice;
    cmArray_t srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    cmDrvMemorytype dstMemoryType;
    void *dstHost;
    cmDrvDeviceptr dstDevice;
    cmArray_t dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
};
namespace cm {
namespace driver {
// One side of a copy: where its first byte is; NULL for an array.
inline char *side(cmDrvMemorytype type, const void *host, cmDrvDeviceptr device, size_t x,
                  size_t y, size_t pitch) {
    char *const base = type == CM_DRV_MEMORYTYPE_HOST
                           ? static_cast<char *>(const_cast<void *>(host))
                           : static_cast<char *>(pointer(device));
    return type == CM_DRV_MEMORYTYPE_ARRAY || !base ? nullptr : base + y * pitch + x;
}
inline cmError_t copy2d(const cmDrvMemcpy2DParams *p, cmStream_t stream, bool wait) {
    if (!p) return cmErrorInvalidValue;
    const size_t width = p->WidthInBytes, rows = p->Height;
    const size_t from_pitch = p->srcPitch ? p->srcPitch : width;
    const size_t to_pitch = p->dstPitch ? p->dstPitch : width;
    char *const from =
        side(p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY, from_pitch);
    char *const to =
        side(p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY, to_pitch);
    const bool from_array = p->srcMemoryType == CM_DRV_MEMORYTYPE_ARRAY;
    const bool to_array = p->dstMemoryType == CM_DRV_MEMORYTYPE_ARRAY;
    if (!width || !rows) return cmSuccess;
    if ((!from && !from_array) || (!to && !to_array)) return cmErrorInvalidValue;
    if (from_array && to_array) return cmErrorNotSupported;
    const cmError_t error =
        to_array ? ::cmMemcpy2DToArrayAsync(p->dstArray, p->dstXInBytes, p->dstY, from, from_pitch,
                                            width, rows, cmMemcpyDefault, stream)
        : from_array ? ::cmMemcpy2DFromArray(to, to_pitch, p->srcArray, p->srcXInBytes, p->srcY,
                                             width, rows, cmMemcpyDefault)
                     : ::cmMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows,
                                         cmMemcpyDefault, stream);
    return error || !wait ? error : cmStreamSynchronize(stream);
}
inline cmDrvResult fill2d(cmDrvDeviceptr to, size_t pitch, unsigned value, size_t element,
                          size_t width, size_t rows, cmStream_t stream, bool wait) {
    if (!to || to % element || pitch % element) return CM_DRV_ERROR_INVALID_VALUE;
    const cmError_t error =
        cmMemsetElementsAsync(pointer(to), pitch, value, element, width, rows, stream);
    return result(error || !wait ? error : cmStreamSynchronize(stream));
}
} // namespace driver
} // namespace cm

inline cmDrvResult cmDrvMemcpy2D(const cmDrvMemcpy2DParams *p) {
    return cm::driver::result(cm::driver::copy2d(p, nullptr, true));
}
inline cmDrvResult cmDrvMemcpy2DAsync(const cmDrvMemcpy2DParams *p, cmStream_t stream) {
    return cm::driver::result(cm::driver::copy2d(p, stream, false));
}
inline cmDrvResult cmDrvMemcpyPeer(cmDrvDeviceptr to, cmDrvContext to_context, cmDrvDeviceptr from,
                                   cmDrvContext from_context, size_t size) {
    if (!to_context || !from_context) return CM_DRV_ERROR_INVALID_CONTEXT;
    return cm::driver::result(::cmMemcpyPeer(cm::driver::pointer(to), to_context->device,
                                             cm::driver::pointer(from), from_context->device,
                                             size));
}
inline cmDrvResult cmDrvMemcpyPeerAsync(cmDrvDeviceptr to, cmDrvContext to_context,
                                        cmDrvDeviceptr from, cmDrvContext from_context,
                                        size_t size, cmStream_t stream) {
    if (!to_context || !from_context) return CM_DRV_ERROR_INVALID_CONTEXT;
    return cm::driver::result(::cmMemcpyPeerAsync(cm::driver::pointer(to), to_context->device,
                                                  cm::driver::pointer(from), from_context->device,
                                                  size, stream));
}
#define CM_DRV_FILL(BITS, T)                                                                      \
    inline cmDrvResult cmDrvMemsetD##BITS(cmDrvDeviceptr to, T v, size_t n) {                     \
        return cm::driver::fill2d(to, n * sizeof(T), v, sizeof(T), n, 1, nullptr, true);          \
    }                                                                                             \
    inline cmDrvResult cmDrvMemsetD##BITS##Async(cmDrvDeviceptr to, T v, size_t n,                \
                                                 cmStream_t stream) {                             \
        return cm::driver::fill2d(to, n * sizeof(T), v, sizeof(T), n, 1, stream, false);          \
    }                                                                                             \
    inline cmDrvResult cmDrvMemsetD2D##BITS(cmDrvDeviceptr to, size_t pitch, T v, size_t width,   \
                                            size_t rows) {                                        \
        return cm::driver::fill2d(to, pitch, v, sizeof(T), width, rows, nullptr, true);           \
    }                                                                                             \
    inline cmDrvResult cmDrvMemsetD2D##BITS##Async(                                               \
        cmDrvDeviceptr to, size_t pitch, T v, size_t width, size_t rows, cmStream_t stream) {     \
        return cm::driver::fill2d(to, pitch, v, sizeof(T), width, rows, stream, false);           \
    }
CM_DRV_FILL(8, unsigned char)
CM_DRV_FILL(16, unsigned short)
CM_DRV_FILL(32, unsigned)
#undef CM_DRV_FILL

#endif
