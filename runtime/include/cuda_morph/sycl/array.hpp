// SPDX-License-Identifier: Apache-2.0
// Copies of boxes, arrays, texture and surface objects.
//
// An array is memory of the device in rows, and an object is a description in the device's memory
// that the kernel reads, whose address is its number. Sampling is texture.hpp's, in software: the
// same on each device, where SYCL's sampled images want accessors or extensions.
#ifndef CUDA_MORPH_SYCL_ARRAY_HPP
#define CUDA_MORPH_SYCL_ARRAY_HPP

#include <cuda_morph/sycl/memory.hpp>
#include <map>

struct cmArray {
    void *data;
    size_t width, height, depth, element, pitch, slice; // in elements; the last three in bytes
    cmChannelFormatDesc format;
    unsigned flags;
};

namespace cm {
namespace detail {

inline size_t element_of(const cmChannelFormatDesc &f) {
    return static_cast<size_t>(f.x + f.y + f.z + f.w) / 8;
}
inline size_t at_least_one(size_t n) { return n ? n : 1; }

// One side of a copy of a box: where it begins, and how far rows and slices are apart, in bytes.
struct box_side {
    char *base;
    size_t pitch, slice;
};
inline box_side side_of(cmArray_t array, const cmPitchedPtr &p, const cmPos &at, size_t unit) {
    if (array)
        return {static_cast<char *>(array->data) + at.z * array->slice + at.y * array->pitch +
                    at.x * array->element,
                array->pitch, array->slice};
    const size_t slice = p.pitch * at_least_one(p.ysize);
    return {static_cast<char *>(p.ptr) + at.z * slice + at.y * p.pitch + at.x * unit, p.pitch,
            slice};
}
inline bool lies_in(const cmArray *array, const cmPos &at, const cmExtent &extent) {
    return !array || (at.x + extent.width <= array->width &&
                      at.y + extent.height <= at_least_one(array->height) &&
                      at.z + extent.depth <= at_least_one(array->depth));
}
// The bytes [x, x + width) of rows [y, y + height) of an array; false: they are not all its own.
inline bool part_of(const cmArray *array, size_t x, size_t y, size_t width, size_t height) {
    return array && x + width <= array->width * array->element &&
           y + height <= at_least_one(array->height);
}
inline char *place_in(const cmArray *array, size_t x, size_t y) {
    return static_cast<char *>(array->data) + y * array->pitch + x;
}

} // namespace detail
} // namespace cm

// ---- boxes ----

inline cmError_t cmMemcpy3DAsync(const cmMemcpy3DParms *copy, cmStream_t stream = nullptr) {
    using namespace cm::detail;
    if (!copy || !copy->srcArray == !copy->srcPtr.ptr || !copy->dstArray == !copy->dstPtr.ptr ||
        (copy->srcArray && copy->dstArray && copy->srcArray->element != copy->dstArray->element) ||
        !lies_in(copy->srcArray, copy->srcPos, copy->extent) ||
        !lies_in(copy->dstArray, copy->dstPos, copy->extent))
        return said(cmErrorInvalidValue);
    // Widths count elements where an array takes part; the positions of a pointer count bytes.
    const size_t unit = copy->srcArray   ? copy->srcArray->element
                        : copy->dstArray ? copy->dstArray->element
                                         : 1;
    const box_side from = side_of(copy->srcArray, copy->srcPtr, copy->srcPos, 1);
    const box_side to = side_of(copy->dstArray, copy->dstPtr, copy->dstPos, 1);
    for (size_t z = 0; z < copy->extent.depth; z++)
        for (size_t y = 0; y < copy->extent.height; y++) {
            const cmError_t error = cmMemcpyAsync(to.base + z * to.slice + y * to.pitch,
                                                  from.base + z * from.slice + y * from.pitch,
                                                  copy->extent.width * unit, copy->kind, stream);
            if (error) return error;
        }
    return cmSuccess;
}
inline cmError_t cmMemcpy3D(const cmMemcpy3DParms *copy) {
    const cmError_t error = cmMemcpy3DAsync(copy);
    return error ? error : cm::detail::wait_for(nullptr);
}
inline cmError_t cmMemset3DAsync(cmPitchedPtr to, int value, cmExtent extent,
                                 cmStream_t stream = nullptr) {
    const size_t slice = to.pitch * cm::detail::at_least_one(to.ysize);
    for (size_t z = 0; z < extent.depth; z++) {
        const cmError_t error = cmMemset2DAsync(static_cast<char *>(to.ptr) + z * slice, to.pitch,
                                                value, extent.width, extent.height, stream);
        if (error) return error;
    }
    return cmSuccess;
}
inline cmError_t cmMemset3D(cmPitchedPtr to, int value, cmExtent extent) {
    const cmError_t error = cmMemset3DAsync(to, value, extent);
    return error ? error : cm::detail::wait_for(nullptr);
}

// ---- arrays ----

inline cmChannelFormatDesc cmCreateChannelDesc(int x, int y, int z, int w,
                                               cmChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
inline cmError_t cmMalloc3DArray(cmArray_t *array, const cmChannelFormatDesc *format,
                                 cmExtent extent, unsigned flags = 0) {
    using cm::detail::at_least_one;
    if (!array || !format || !extent.width) return cm::detail::said(cmErrorInvalidValue);
    const size_t element = cm::detail::element_of(*format);
    if (!element || element > 16) return cm::detail::said(cmErrorInvalidChannelDescriptor);
    const bool cubes = flags & cmArrayCubemap; // six faces each, which are squares
    if (cubes && (extent.width != extent.height || !extent.depth || extent.depth % 6))
        return cm::detail::said(cmErrorInvalidValue);
    const size_t pitch = (extent.width * element + 63) / 64 * 64,
                 slice = pitch * at_least_one(extent.height);
    void *data = nullptr;
    const cmError_t error = cmMalloc(&data, slice * at_least_one(extent.depth));
    if (error) return error;
    *array = new cmArray{data,  extent.width, extent.height, extent.depth, element,
                         pitch, slice,        *format,       flags};
    return cmSuccess;
}
inline cmError_t cmMallocArray(cmArray_t *array, const cmChannelFormatDesc *format, size_t width,
                               size_t height = 0, unsigned flags = 0) {
    return cmMalloc3DArray(array, format, make_cmExtent(width, height, 0), flags);
}
inline cmError_t cmFreeArray(cmArray_t array) {
    if (!array) return cmSuccess;
    const cmError_t error = cmFree(array->data);
    if (!error) delete array;
    return error;
}
inline cmError_t cmArrayGetInfo(cmChannelFormatDesc *format, cmExtent *extent, unsigned *flags,
                                cmArray_t array) {
    if (!array) return cm::detail::said(cmErrorInvalidValue);
    if (format) *format = array->format;
    if (extent) *extent = make_cmExtent(array->width, array->height, array->depth);
    if (flags) *flags = array->flags;
    return cmSuccess;
}
inline cmError_t cmGetChannelDesc(cmChannelFormatDesc *format, cmArray_const_t array) {
    if (!format || !array) return cm::detail::said(cmErrorInvalidValue);
    *format = array->format;
    return cmSuccess;
}
inline cmError_t cmMemcpy2DToArrayAsync(cmArray_t to, size_t x, size_t y, const void *from,
                                        size_t pitch, size_t width, size_t height,
                                        cmMemcpyKind kind, cmStream_t stream = nullptr) {
    if (!cm::detail::part_of(to, x, y, width, height))
        return cm::detail::said(cmErrorInvalidValue);
    return cmMemcpy2DAsync(cm::detail::place_in(to, x, y), to->pitch, from, pitch, width, height,
                           kind, stream);
}
inline cmError_t cmMemcpy2DToArray(cmArray_t to, size_t x, size_t y, const void *from,
                                   size_t pitch, size_t width, size_t height, cmMemcpyKind kind) {
    const cmError_t error =
        cmMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
    return error ? error : cm::detail::wait_for(nullptr);
}
inline cmError_t cmMemcpy2DFromArray(void *to, size_t pitch, cmArray_const_t from, size_t x,
                                     size_t y, size_t width, size_t height, cmMemcpyKind kind) {
    if (!cm::detail::part_of(from, x, y, width, height))
        return cm::detail::said(cmErrorInvalidValue);
    return cmMemcpy2D(to, pitch, cm::detail::place_in(from, x, y), from->pitch, width, height,
                      kind);
}
// From byte x of row y on, over the ends of rows.
inline cmError_t cmMemcpyToArray(cmArray_t to, size_t x, size_t y, const void *from, size_t size,
                                 cmMemcpyKind kind) {
    const char *next = static_cast<const char *>(from);
    for (; size; x = 0, y++) {
        const size_t row = to ? to->width * to->element : 0,
                     part = x < row && size > row - x ? row - x : size;
        const cmError_t error = cmMemcpy2DToArray(to, x, y, next, part, part, 1, kind);
        if (error) return error;
        next += part, size -= part;
    }
    return cmSuccess;
}
inline cmError_t cmMemcpyFromArray(void *to, cmArray_const_t from, size_t x, size_t y, size_t size,
                                   cmMemcpyKind kind) {
    char *next = static_cast<char *>(to);
    for (; size; x = 0, y++) {
        const size_t row = from ? from->width * from->element : 0,
                     part = x < row && size > row - x ? row - x : size;
        const cmError_t error = cmMemcpy2DFromArray(next, part, from, x, y, part, 1, kind);
        if (error) return error;
        next += part, size -= part;
    }
    return cmSuccess;
}

// ---- texture and surface objects ----

namespace cm {
namespace detail {

// What objects were made of; their numbers are addresses of descriptions that kernels read.
struct objects {
    struct made {
        cmResourceDesc resource;
        cmTextureDesc how;
    };
    std::map<unsigned long long, made> all;
    std::mutex lock;
    static objects &get() {
        static objects *const one = new objects;
        return *one;
    }
};

inline bool describe(cmTexture *t, const cmResourceDesc &r) {
    switch (r.resType) {
    case cmResourceTypeArray: {
        const cmArray *array = r.res.array.array;
        if (!array) return false;
        *t = {static_cast<const unsigned char *>(array->data),
              array->width,
              array->height,
              array->depth,
              array->pitch,
              array->slice,
              array->format,
              t->how};
        return true;
    }
    case cmResourceTypeLinear:
        t->data = static_cast<const unsigned char *>(r.res.linear.devPtr);
        t->format = r.res.linear.desc;
        t->width = element_of(t->format) ? r.res.linear.sizeInBytes / element_of(t->format) : 0;
        return t->data && t->width;
    case cmResourceTypePitch2D:
        t->data = static_cast<const unsigned char *>(r.res.pitch2D.devPtr);
        t->format = r.res.pitch2D.desc;
        t->width = r.res.pitch2D.width;
        t->height = r.res.pitch2D.height;
        t->pitch = r.res.pitch2D.pitchInBytes;
        return t->data && t->width && t->height;
    default:
        return false;
    }
}
inline cmError_t create_object(unsigned long long *object, const cmResourceDesc *resource,
                               const cmTextureDesc *how) {
    cmTexture t{};
    if (how) t.how = *how;
    if (!object || !resource || !describe(&t, *resource)) return said(cmErrorInvalidValue);
    void *there = nullptr;
    cmError_t error = cmMalloc(&there, sizeof t);
    if (!error) error = cmMemcpy(there, &t, sizeof t, cmMemcpyHostToDevice);
    if (error) return error;
    *object = reinterpret_cast<uintptr_t>(there);
    objects &known = objects::get();
    const std::lock_guard<std::mutex> hold(known.lock);
    known.all[*object] = {*resource, t.how};
    return cmSuccess;
}
inline cmError_t destroy_object(unsigned long long object) {
    if (!object) return cmSuccess;
    objects &known = objects::get();
    {
        const std::lock_guard<std::mutex> hold(known.lock);
        if (!known.all.erase(object)) return said(cmErrorInvalidValue);
    }
    return cmFree(reinterpret_cast<void *>(static_cast<uintptr_t>(object)));
}
inline const cmTexture *texture_of(unsigned long long object) {
    return reinterpret_cast<const cmTexture *>(static_cast<uintptr_t>(object));
}

} // namespace detail
} // namespace cm

inline cmError_t cmCreateTextureObject(cmTextureObject_t *texture, const cmResourceDesc *resource,
                                       const cmTextureDesc *description, const void *view) {
    if (!description || view) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::create_object(texture, resource, description);
}
inline cmError_t cmDestroyTextureObject(cmTextureObject_t texture) {
    return cm::detail::destroy_object(texture);
}
inline cmError_t cmGetTextureObjectResourceDesc(cmResourceDesc *resource, cmTextureObject_t tex) {
    cm::detail::objects &known = cm::detail::objects::get();
    const std::lock_guard<std::mutex> hold(known.lock);
    const auto found = known.all.find(tex);
    if (!resource || found == known.all.end()) return cm::detail::said(cmErrorInvalidValue);
    *resource = found->second.resource;
    return cmSuccess;
}
inline cmError_t cmGetTextureObjectTextureDesc(cmTextureDesc *how, cmTextureObject_t tex) {
    cm::detail::objects &known = cm::detail::objects::get();
    const std::lock_guard<std::mutex> hold(known.lock);
    const auto found = known.all.find(tex);
    if (!how || found == known.all.end()) return cm::detail::said(cmErrorInvalidValue);
    *how = found->second.how;
    return cmSuccess;
}
inline cmError_t cmCreateSurfaceObject(cmSurfaceObject_t *surface,
                                       const cmResourceDesc *resource) {
    if (!resource || resource->resType != cmResourceTypeArray)
        return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::create_object(surface, resource, nullptr);
}
inline cmError_t cmDestroySurfaceObject(cmSurfaceObject_t surface) {
    return cm::detail::destroy_object(surface);
}

// What a kernel may not do ends it, where the device has assertions.
inline void cmKernelTrap(cmError_t) { assert(!"a texture, surface or address that is none"); }

#include <cuda_morph/texture.hpp>

#endif
