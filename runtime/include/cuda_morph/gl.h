/* SPDX-License-Identifier: Apache-2.0 */
// CUDA's OpenGL interoperation, by copies: where CUDA and OpenGL share memory, a buffer or texture
// is copied to memory of the device's when it is mapped (unless it is to be overwritten), and back
// when it is unmapped (unless it was to be read). cudaGraphicsGLRegisterBuffer() is
// cmGraphicsGLRegisterBuffer(), with the same arguments.
//
// C++. The thread's current OpenGL context, of GLX, EGL or OSMesa, is asked for its functions when
// something is registered: no header or library of OpenGL's is needed. Without one:
// cmErrorInvalidGraphicsContext. Textures: two dimensions, level 0, one, two or four numbers of 8
// or 16 bits, half or float; others are cmErrorNotSupported, as are renderbuffers and cubes.
//
// Source of the rules: the CUDA runtime's reference, "OpenGL Interoperability" and "Graphics
// Interoperability"; of numbers, the OpenGL registry.
#ifndef CUDA_MORPH_GL_H
#define CUDA_MORPH_GL_H

#ifndef __cplusplus
#error "cuda-morph: OpenGL interoperation is for C++: compile this file as such"
#endif

extern "C++" { // it may be included within extern "C"

#ifdef CUDA_MORPH_SYCL_HPP
#include <cuda_morph/sycl.hpp> // there the runtime is SYCL
#else
#include <cuda_morph/runtime.h>
#endif
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <vector>

#define __CUDA_GL_INTEROP_H__

enum cmGraphicsRegisterFlags {
    cmGraphicsRegisterFlagsNone = 0,
    cmGraphicsRegisterFlagsReadOnly = 1,
    cmGraphicsRegisterFlagsWriteDiscard = 2,
    cmGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cmGraphicsRegisterFlagsTextureGather = 8
};
enum cmGraphicsMapFlags {
    cmGraphicsMapFlagsNone = 0,
    cmGraphicsMapFlagsReadOnly = 1,
    cmGraphicsMapFlagsWriteDiscard = 2
};
enum cmGLMapFlags { cmGLMapFlagsNone = 0, cmGLMapFlagsReadOnly = 1, cmGLMapFlagsWriteDiscard = 2 };
enum cmGLDeviceList {
    cmGLDeviceListAll = 1,
    cmGLDeviceListCurrentFrame = 2,
    cmGLDeviceListNextFrame = 3
};

struct cmGraphicsResource {
    unsigned name, target; // OpenGL's; target 0: a buffer
    unsigned flags;        // of enum cmGraphicsMapFlags, those that count now
    bool mapped;
    void *memory; // a buffer's, on the device; kept between mappings
    size_t size;
    cmArray_t array; // a texture's
    int width, height;
    unsigned format, type; // how OpenGL hands its numbers out
    size_t pixel;          // bytes of one
};
typedef struct cmGraphicsResource *cmGraphicsResource_t;

namespace cm {
namespace gl {

// Numbers of OpenGL's.
enum : unsigned {
    texture_2d = 0x0DE1,
    texture_rectangle = 0x84F5,
    texture_binding_2d = 0x8069,
    texture_binding_rectangle = 0x84F6,
    texture_width = 0x1000,
    texture_height = 0x1001,
    texture_internal_format = 0x1003,
    array_buffer = 0x8892,
    array_buffer_binding = 0x8894,
    buffer_size = 0x8764,
    pixel_pack_buffer = 0x88EB,
    pixel_unpack_buffer = 0x88EC,
    pixel_pack_buffer_binding = 0x88ED,
    pixel_unpack_buffer_binding = 0x88EF,
    unpack_alignment = 0x0CF5,
    pack_alignment = 0x0D05
};

struct functions {
    void (*get)(unsigned what, int *value);
    void (*finish)();
    void (*bind_buffer)(unsigned target, unsigned name);
    void (*buffer_parameter)(unsigned target, unsigned what, int *value);
    void (*read_buffer)(unsigned target, ptrdiff_t from, ptrdiff_t size, void *to);
    void (*write_buffer)(unsigned target, ptrdiff_t to, ptrdiff_t size, const void *from);
    void (*bind_texture)(unsigned target, unsigned name);
    void (*texture_parameter)(unsigned target, int level, unsigned what, int *value);
    void (*read_texture)(unsigned target, int level, unsigned format, unsigned type, void *to);
    void (*write_texture)(unsigned target, int level, int x, int y, int width, int height,
                          unsigned format, unsigned type, const void *from);
    void (*store)(unsigned what, int value);
};

// What looks up functions for the context that is current; NULL: none is.
typedef void *(*lookup)(const char *name);
inline lookup current() {
    static const struct {
        const char *context, *lookup;
    } kinds[] = {{"glXGetCurrentContext", "glXGetProcAddressARB"},
                 {"eglGetCurrentContext", "eglGetProcAddress"},
                 {"OSMesaGetCurrentContext", "OSMesaGetProcAddress"}};
    for (const auto &kind : kinds) {
        void *const context = dlsym(RTLD_DEFAULT, kind.context);
        void *const found = dlsym(RTLD_DEFAULT, kind.lookup);
        if (context && found && reinterpret_cast<void *(*)()>(context)())
            return reinterpret_cast<lookup>(found);
    }
    return nullptr;
}
template <class F> inline bool find(lookup by, const char *name, F *f) {
    void *p = by(name);
    if (!p) p = dlsym(RTLD_DEFAULT, name);
    *f = reinterpret_cast<F>(p);
    return p != nullptr;
}
// The functions of the thread's context; false: there is none, or it lacks one.
inline bool load(functions *f) {
    const lookup by = current();
    return by && find(by, "glGetIntegerv", &f->get) && find(by, "glFinish", &f->finish) &&
           find(by, "glBindBuffer", &f->bind_buffer) &&
           find(by, "glGetBufferParameteriv", &f->buffer_parameter) &&
           find(by, "glGetBufferSubData", &f->read_buffer) &&
           find(by, "glBufferSubData", &f->write_buffer) &&
           find(by, "glBindTexture", &f->bind_texture) &&
           find(by, "glGetTexLevelParameteriv", &f->texture_parameter) &&
           find(by, "glGetTexImage", &f->read_texture) &&
           find(by, "glTexSubImage2D", &f->write_texture) && find(by, "glPixelStorei", &f->store);
}

// A binding point, for as long as this lives.
class bound {
    void (*bind_)(unsigned, unsigned);
    unsigned target_;
    int before_ = 0;

  public:
    bound(const functions &f, void (*bind)(unsigned, unsigned), unsigned target, unsigned binding,
          unsigned name)
        : bind_(bind), target_(target) {
        f.get(binding, &before_);
        bind_(target_, name);
    }
    bound(const bound &) = delete;
    bound &operator=(const bound &) = delete;
    ~bound() { bind_(target_, static_cast<unsigned>(before_)); }
};
class stored {
    const functions &f_;
    unsigned what_;
    int before_ = 4;

  public:
    stored(const functions &f, unsigned what, int value) : f_(f), what_(what) {
        f_.get(what_, &before_);
        f_.store(what_, value);
    }
    stored(const stored &) = delete;
    stored &operator=(const stored &) = delete;
    ~stored() { f_.store(what_, before_); }
};

// An internal format of OpenGL's: how its numbers are handed out, and how they lie in an array.
struct layout {
    int internal;
    unsigned format, type;
    int numbers, bits; // of each pixel; of each number
    cmChannelFormatKind kind;
};
inline const layout *layout_of(int internal) {
    enum : unsigned {
        red = 0x1903,
        rg = 0x8227,
        rgba = 0x1908,
        red_integer = 0x8D94,
        rg_integer = 0x8228,
        rgba_integer = 0x8D99,
        byte_ = 0x1400,
        ubyte_ = 0x1401,
        short_ = 0x1402,
        ushort_ = 0x1403,
        int_ = 0x1404,
        uint_ = 0x1405,
        float_ = 0x1406,
        half_ = 0x140B
    };
    static const layout all[] = {
        {0x8229, red, ubyte_, 1, 8, cmChannelFormatKindUnsigned},           // R8
        {0x822B, rg, ubyte_, 2, 8, cmChannelFormatKindUnsigned},            // RG8
        {0x8058, rgba, ubyte_, 4, 8, cmChannelFormatKindUnsigned},          // RGBA8
        {0x1908, rgba, ubyte_, 4, 8, cmChannelFormatKindUnsigned},          // RGBA
        {4, rgba, ubyte_, 4, 8, cmChannelFormatKindUnsigned},               // 4
        {0x822A, red, ushort_, 1, 16, cmChannelFormatKindUnsigned},         // R16
        {0x822C, rg, ushort_, 2, 16, cmChannelFormatKindUnsigned},          // RG16
        {0x805B, rgba, ushort_, 4, 16, cmChannelFormatKindUnsigned},        // RGBA16
        {0x822D, red, half_, 1, 16, cmChannelFormatKindFloat},              // R16F
        {0x822F, rg, half_, 2, 16, cmChannelFormatKindFloat},               // RG16F
        {0x881A, rgba, half_, 4, 16, cmChannelFormatKindFloat},             // RGBA16F
        {0x822E, red, float_, 1, 32, cmChannelFormatKindFloat},             // R32F
        {0x8230, rg, float_, 2, 32, cmChannelFormatKindFloat},              // RG32F
        {0x8814, rgba, float_, 4, 32, cmChannelFormatKindFloat},            // RGBA32F
        {0x8232, red_integer, ubyte_, 1, 8, cmChannelFormatKindUnsigned},   // R8UI
        {0x8238, rg_integer, ubyte_, 2, 8, cmChannelFormatKindUnsigned},    // RG8UI
        {0x8D7C, rgba_integer, ubyte_, 4, 8, cmChannelFormatKindUnsigned},  // RGBA8UI
        {0x8234, red_integer, ushort_, 1, 16, cmChannelFormatKindUnsigned}, // R16UI
        {0x823A, rg_integer, ushort_, 2, 16, cmChannelFormatKindUnsigned},  // RG16UI
        {0x8D76, rgba_integer, ushort_, 4, 16, cmChannelFormatKindUnsigned},
        {0x8236, red_integer, uint_, 1, 32, cmChannelFormatKindUnsigned}, // R32UI
        {0x823C, rg_integer, uint_, 2, 32, cmChannelFormatKindUnsigned},  // RG32UI
        {0x8D70, rgba_integer, uint_, 4, 32, cmChannelFormatKindUnsigned},
        {0x8231, red_integer, byte_, 1, 8, cmChannelFormatKindSigned},    // R8I
        {0x8237, rg_integer, byte_, 2, 8, cmChannelFormatKindSigned},     // RG8I
        {0x8D8E, rgba_integer, byte_, 4, 8, cmChannelFormatKindSigned},   // RGBA8I
        {0x8233, red_integer, short_, 1, 16, cmChannelFormatKindSigned},  // R16I
        {0x8239, rg_integer, short_, 2, 16, cmChannelFormatKindSigned},   // RG16I
        {0x8D88, rgba_integer, short_, 4, 16, cmChannelFormatKindSigned}, // RGBA16I
        {0x8235, red_integer, int_, 1, 32, cmChannelFormatKindSigned},    // R32I
        {0x823B, rg_integer, int_, 2, 32, cmChannelFormatKindSigned},     // RG32I
        {0x8D82, rgba_integer, int_, 4, 32, cmChannelFormatKindSigned}};  // RGBA32I
    for (const layout &one : all)
        if (one.internal == internal) return &one;
    return nullptr;
}
inline unsigned binding_of(unsigned target) {
    return target == texture_2d ? texture_binding_2d : texture_binding_rectangle;
}

inline cmError_t copy_buffer(const functions &f, cmGraphicsResource *r, bool in) {
    const bound it(f, f.bind_buffer, array_buffer, array_buffer_binding, r->name);
    if (in) {
        int size = 0;
        f.buffer_parameter(array_buffer, buffer_size, &size);
        if (size < 0) return cmErrorInvalidResourceHandle;
        if (static_cast<size_t>(size) != r->size || !r->memory) {
            cmFree(r->memory);
            r->memory = nullptr, r->size = static_cast<size_t>(size);
            if (const cmError_t error = cmMalloc(&r->memory, r->size ? r->size : 1)) return error;
        }
    }
    if (r->flags & unsigned(in ? cmGraphicsMapFlagsWriteDiscard : cmGraphicsMapFlagsReadOnly))
        return cmSuccess;
    std::vector<char> between(r->size);
    const ptrdiff_t bytes = static_cast<ptrdiff_t>(r->size);
    if (in) {
        f.read_buffer(array_buffer, 0, bytes, between.data());
        return cmMemcpy(r->memory, between.data(), r->size, cmMemcpyHostToDevice);
    }
    const cmError_t error = cmMemcpy(between.data(), r->memory, r->size, cmMemcpyDeviceToHost);
    if (!error) f.write_buffer(array_buffer, 0, bytes, between.data());
    return error;
}

// The numbers are copied as they lie, without a program's own settings for transfers.
inline cmError_t copy_texture(const functions &f, cmGraphicsResource *r, bool in) {
    const bound it(f, f.bind_texture, r->target, binding_of(r->target), r->name);
    if (in && !r->array) {
        int width = 0, height = 0, internal = 0;
        f.texture_parameter(r->target, 0, texture_width, &width);
        f.texture_parameter(r->target, 0, texture_height, &height);
        f.texture_parameter(r->target, 0, texture_internal_format, &internal);
        const layout *const how = layout_of(internal);
        if (!how || width < 1 || height < 1) return cmErrorNotSupported;
        const int x = how->bits, y = how->numbers > 1 ? x : 0, z = how->numbers > 2 ? x : 0;
        const cmChannelFormatDesc channels = cmCreateChannelDesc(x, y, z, z, how->kind);
        r->width = width, r->height = height, r->format = how->format, r->type = how->type;
        r->pixel = static_cast<size_t>(how->bits / 8 * how->numbers);
        if (const cmError_t error =
                cmMallocArray(&r->array, &channels, static_cast<size_t>(width),
                              static_cast<size_t>(height), cmArraySurfaceLoadStore))
            return error;
    }
    if (r->flags & unsigned(in ? cmGraphicsMapFlagsWriteDiscard : cmGraphicsMapFlagsReadOnly))
        return cmSuccess;
    const size_t row = r->pixel * static_cast<size_t>(r->width),
                 rows = static_cast<size_t>(r->height);
    std::vector<char> between(row * rows);
    if (in) {
        const bound memory(f, f.bind_buffer, pixel_pack_buffer, pixel_pack_buffer_binding, 0);
        const stored tight(f, pack_alignment, 1);
        f.read_texture(r->target, 0, r->format, r->type, between.data());
        return cmMemcpy2DToArray(r->array, 0, 0, between.data(), row, row, rows,
                                 cmMemcpyHostToDevice);
    }
    const cmError_t error =
        cmMemcpy2DFromArray(between.data(), row, r->array, 0, 0, row, rows, cmMemcpyDeviceToHost);
    const bound memory(f, f.bind_buffer, pixel_unpack_buffer, pixel_unpack_buffer_binding, 0);
    const stored tight(f, unpack_alignment, 1);
    if (!error)
        f.write_texture(r->target, 0, 0, 0, r->width, r->height, r->format, r->type,
                        between.data());
    return error;
}

inline cmError_t made(cmGraphicsResource **out, unsigned name, unsigned target, unsigned flags) {
    functions f;
    if (!out || !name || flags & ~15u) return cmErrorInvalidValue;
    if (!load(&f)) return cmErrorInvalidGraphicsContext;
    *out = new cmGraphicsResource();
    (*out)->name = name, (*out)->target = target;
    (*out)->flags = flags & (cmGraphicsMapFlagsReadOnly | cmGraphicsMapFlagsWriteDiscard);
    return cmSuccess;
}
inline cmError_t map(cmGraphicsResource *r) {
    functions f;
    if (!r) return cmErrorInvalidResourceHandle;
    if (r->mapped) return cmErrorUnknown; // as CUDA has it
    if (!load(&f)) return cmErrorInvalidGraphicsContext;
    f.finish();
    const cmError_t error = r->target ? copy_texture(f, r, true) : copy_buffer(f, r, true);
    r->mapped = !error;
    return error;
}
inline cmError_t unmap(cmGraphicsResource *r) {
    functions f;
    if (!r) return cmErrorInvalidResourceHandle;
    if (!r->mapped) return cmErrorUnknown;
    if (!load(&f)) return cmErrorInvalidGraphicsContext;
    r->mapped = false;
    return r->target ? copy_texture(f, r, false) : copy_buffer(f, r, false);
}
// Of CUDA's first interface, which knows buffers by OpenGL's name.
inline std::map<unsigned, cmGraphicsResource *> &buffers() {
    static std::map<unsigned, cmGraphicsResource *> *const all =
        new std::map<unsigned, cmGraphicsResource *>;
    return *all;
}
inline cmGraphicsResource *buffer(unsigned name) {
    const auto at = buffers().find(name);
    return at == buffers().end() ? nullptr : at->second;
}

} // namespace gl
} // namespace cm

// `buffer` may grow between mappings. The resource is the caller's until it is unregistered.
inline cmError_t cmGraphicsGLRegisterBuffer(cmGraphicsResource **resource, unsigned buffer,
                                            unsigned flags) {
    return cm::gl::made(resource, buffer, 0, flags);
}
// target: GL_TEXTURE_2D or GL_TEXTURE_RECTANGLE. The image keeps its size while it is registered.
inline cmError_t cmGraphicsGLRegisterImage(cmGraphicsResource **resource, unsigned image,
                                           unsigned target, unsigned flags) {
    if (target != cm::gl::texture_2d && target != cm::gl::texture_rectangle)
        return cmErrorNotSupported;
    return cm::gl::made(resource, image, target, flags);
}
inline cmError_t cmGraphicsUnregisterResource(cmGraphicsResource_t resource) {
    if (!resource) return cmErrorInvalidResourceHandle;
    cmError_t error = resource->mapped ? cm::gl::unmap(resource) : cmSuccess;
    if (resource->memory && cmFree(resource->memory) && !error) error = cmErrorUnknown;
    if (resource->array && cmFreeArray(resource->array) && !error) error = cmErrorUnknown;
    delete resource;
    return error;
}
// One of enum cmGraphicsMapFlags, for the mappings that follow.
inline cmError_t cmGraphicsResourceSetMapFlags(cmGraphicsResource_t resource, unsigned flags) {
    if (!resource) return cmErrorInvalidResourceHandle;
    if (flags > cmGraphicsMapFlagsWriteDiscard) return cmErrorInvalidValue;
    if (resource->mapped) return cmErrorUnknown;
    resource->flags = flags;
    return cmSuccess;
}
inline cmError_t cmGraphicsMapResources(int count, cmGraphicsResource_t *resources,
                                        cmStream_t stream = nullptr) {
    if (count < 0 || (count && !resources)) return cmErrorInvalidValue;
    cmError_t error = cmStreamSynchronize(stream);
    for (int i = 0; i < count && !error; i++) error = cm::gl::map(resources[i]);
    return error;
}
// Waits for all of the device's work.
inline cmError_t cmGraphicsUnmapResources(int count, cmGraphicsResource_t *resources,
                                          cmStream_t = nullptr) {
    if (count < 0 || (count && !resources)) return cmErrorInvalidValue;
    cmError_t error = cmDeviceSynchronize();
    for (int i = 0; i < count && !error; i++) error = cm::gl::unmap(resources[i]);
    return error;
}
inline cmError_t cmGraphicsResourceGetMappedPointer(void **pointer, size_t *size,
                                                    cmGraphicsResource_t resource) {
    if (!pointer || !resource) return cmErrorInvalidValue;
    if (!resource->mapped || resource->target) return cmErrorUnknown;
    *pointer = resource->memory;
    if (size) *size = resource->size;
    return cmSuccess;
}
// Element and level 0 alone.
inline cmError_t cmGraphicsSubResourceGetMappedArray(cmArray_t *array,
                                                     cmGraphicsResource_t resource,
                                                     unsigned element, unsigned level) {
    if (!array || !resource || element || level) return cmErrorInvalidValue;
    if (!resource->mapped || !resource->target) return cmErrorUnknown;
    *array = resource->array;
    return cmSuccess;
}
inline cmError_t cmGLSetGLDevice(int device) { return cmSetDevice(device); }
// Any device takes part, as memory is copied: the current one.
inline cmError_t cmGLGetDevices(unsigned *count, int *devices, unsigned most, cmGLDeviceList) {
    if (!count) return cmErrorInvalidValue;
    if (!cm::gl::current()) return cmErrorInvalidGraphicsContext;
    *count = 1;
    return devices && most ? cmGetDevice(devices) : cmSuccess;
}

inline cmError_t cmGLRegisterBufferObject(unsigned name) {
    cmGraphicsResource *made = nullptr;
    if (cm::gl::buffer(name)) return cmErrorUnknown;
    const cmError_t error = cmGraphicsGLRegisterBuffer(&made, name, 0);
    if (!error) cm::gl::buffers()[name] = made;
    return error;
}
inline cmError_t cmGLMapBufferObject(void **pointer, unsigned name) {
    cmGraphicsResource *one = cm::gl::buffer(name);
    const cmError_t error = cmGraphicsMapResources(1, &one);
    return error ? error : cmGraphicsResourceGetMappedPointer(pointer, nullptr, one);
}
inline cmError_t cmGLMapBufferObjectAsync(void **pointer, unsigned name, cmStream_t stream) {
    cmGraphicsResource *one = cm::gl::buffer(name);
    const cmError_t error = cmGraphicsMapResources(1, &one, stream);
    return error ? error : cmGraphicsResourceGetMappedPointer(pointer, nullptr, one);
}
inline cmError_t cmGLUnmapBufferObject(unsigned name) {
    cmGraphicsResource *one = cm::gl::buffer(name);
    return cmGraphicsUnmapResources(1, &one);
}
inline cmError_t cmGLUnmapBufferObjectAsync(unsigned name, cmStream_t) {
    return cmGLUnmapBufferObject(name);
}
inline cmError_t cmGLSetBufferObjectMapFlags(unsigned name, unsigned flags) {
    return cmGraphicsResourceSetMapFlags(cm::gl::buffer(name), flags);
}
inline cmError_t cmGLUnregisterBufferObject(unsigned name) {
    const cmError_t error = cmGraphicsUnregisterResource(cm::gl::buffer(name));
    cm::gl::buffers().erase(name);
    return error;
}

} // extern "C++"

#endif
