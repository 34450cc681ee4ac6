// SPDX-License-Identifier: Apache-2.0
// Texture and surface access: point and linear sampling in one to three dimensions, in C++ that
// any device runs. Who includes it says before what an object is, cm::detail::texture_of(object),
// and how a kernel ends that may not go on, cmKernelTrap(error).
#ifndef CUDA_MORPH_TEXTURE_HPP
#define CUDA_MORPH_TEXTURE_HPP

#include <cmath>
#include <cuda_morph/channels.hpp>
#include <stdint.h>
#include <string.h>

namespace cm {
namespace detail {

// One channel of an element as a number; integers as fractions of their range where that is asked.
inline float channel(const cmTexture &t, const unsigned char *p, int c) {
    const int bits = t.format.x;
    const unsigned char *at = p + c * bits / 8;
    const bool fraction = t.how.readMode == cmReadModeNormalizedFloat;
    if (t.format.f == cmChannelFormatKindFloat) {
        float f;
        memcpy(&f, at, sizeof f);
        return f;
    }
    int32_t i = 0;
    memcpy(&i, at, static_cast<size_t>(bits / 8));
    if (t.format.f == cmChannelFormatKindSigned) {
        if (bits < 32)
            i = static_cast<int32_t>(static_cast<uint32_t>(i) << (32 - bits)) >> (32 - bits);
        if (!fraction) return static_cast<float>(i);
        const float f = static_cast<float>(i) / static_cast<float>((1u << (bits - 1)) - 1);
        return f < -1.0f ? -1.0f : f;
    }
    const float u = static_cast<float>(static_cast<uint32_t>(i));
    return fraction ? u / static_cast<float>((uint64_t(1) << bits) - 1) : u;
}

// The index of a texel along one dimension, or -1 for the border.
inline long place(long i, size_t size, cmTextureAddressMode mode) {
    const long n = size ? static_cast<long>(size) : 1;
    if (i >= 0 && i < n) return i;
    switch (mode) {
    case cmAddressModeWrap:
        return (i % n + n) % n;
    case cmAddressModeMirror: {
        const long m = (i % (2 * n) + 2 * n) % (2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    case cmAddressModeBorder:
        return -1;
    default:
        return i < 0 ? 0 : n - 1;
    }
}

inline const unsigned char *texel(const cmTexture &t, long x, long y, long z) {
    // Wrap and mirror exist for normalised coordinates only; else they are clamp.
    auto mode = [&](int i) {
        const auto m = t.how.addressMode[i];
        return t.how.normalizedCoords || m == cmAddressModeBorder ? m : cmAddressModeClamp;
    };
    const long px = place(x, t.width, mode(0)), py = place(y, t.height, mode(1)),
               pz = place(z, t.depth, mode(2));
    if (px < 0 || py < 0 || pz < 0) return nullptr;
    const size_t element =
        static_cast<size_t>(t.format.x + t.format.y + t.format.z + t.format.w) / 8;
    return t.data + static_cast<size_t>(pz) * t.slice + static_cast<size_t>(py) * t.pitch +
           static_cast<size_t>(px) * element;
}

template <class T> inline void set_channel(T &value, int c, float f) {
    using element = typename channels<T>::type;
    reinterpret_cast<element *>(&value)[c] = static_cast<element>(f);
}

template <class T> inline T raw(const cmTexture &t, long x, long y, long z) {
    const unsigned char *p = texel(t, x, y, z);
    T value{};
    const size_t element =
        static_cast<size_t>(t.format.x + t.format.y + t.format.z + t.format.w) / 8;
    if (p && t.how.readMode == cmReadModeElementType) {
        memcpy(static_cast<void *>(&value), p, element < sizeof value ? element : sizeof value);
        return value;
    }
    for (int c = 0; c < channels<T>::count; c++)
        set_channel(value, c, p ? channel(t, p, c) : t.how.borderColor[c]);
    return value;
}

// Linear filtering. The hardware keeps weights with 8 bits behind the point, and so does this.
inline float weight(float x, long &at) {
    const float low = std::floor(x);
    at = static_cast<long>(low);
    return std::floor((x - low) * 256.0f + 0.5f) / 256.0f;
}

// Of a layered texture: the layer is taken as it is.
template <class T>
inline T linear(const cmTexture &t, float x, float y, float z, int dimensions, long layer = 0) {
    long ix, iy = 0, iz = layer;
    const float fx = weight(x - 0.5f, ix), fy = dimensions > 1 ? weight(y - 0.5f, iy) : 0.0f,
                fz = dimensions > 2 ? weight(z - 0.5f, iz) : 0.0f;
    T value{};
    for (int c = 0; c < channels<T>::count; c++) {
        float sum = 0.0f;
        for (int corner = 0; corner < 1 << dimensions; corner++) {
            const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
            const float w = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
            if (w == 0.0f) continue;
            const unsigned char *p = texel(t, ix + dx, iy + dy, iz + dz);
            sum += w * (p ? channel(t, p, c) : t.how.borderColor[c]);
        }
        set_channel(value, c, sum);
    }
    return value;
}

template <class T>
inline T fetch(cmTextureObject_t object, float x, float y, float z, int dimensions) {
    const cmTexture *t = cm::detail::texture_of(object);
    if (!t) cmKernelTrap(cmErrorInvalidTexture);
    if (t->how.normalizedCoords) {
        x *= static_cast<float>(t->width);
        y *= static_cast<float>(t->height ? t->height : 1);
        z *= static_cast<float>(t->depth ? t->depth : 1);
    }
    if (t->how.filterMode == cmFilterModeLinear) return linear<T>(*t, x, y, z, dimensions);
    return raw<T>(*t, static_cast<long>(std::floor(x)), static_cast<long>(std::floor(y)),
                  static_cast<long>(std::floor(z)));
}

// One layer, or face, of an array of them.
template <class T>
inline T fetch_layer(cmTextureObject_t object, float x, float y, int layer, int dimensions) {
    const cmTexture *t = cm::detail::texture_of(object);
    if (!t) cmKernelTrap(cmErrorInvalidTexture);
    const long layers = t->depth ? static_cast<long>(t->depth) : 1;
    const long at = layer < 0 ? 0 : layer >= layers ? layers - 1 : layer;
    if (t->how.normalizedCoords) {
        x *= static_cast<float>(t->width);
        y *= static_cast<float>(t->height ? t->height : 1);
    }
    if (t->how.filterMode == cmFilterModeLinear) return linear<T>(*t, x, y, 0, dimensions, at);
    return raw<T>(*t, static_cast<long>(std::floor(x)), static_cast<long>(std::floor(y)), at);
}

// The face of a cube that a direction meets (+x -x +y -y +z -z), and where.
template <class T>
inline T fetch_cube(cmTextureObject_t object, float x, float y, float z, int cube) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    int face;
    float s, t, m;
    if (ax >= ay && ax >= az)
        face = x < 0, s = x < 0 ? z : -z, t = -y, m = ax;
    else if (ay >= az)
        face = 2 + (y < 0), s = x, t = y < 0 ? -z : z, m = ay;
    else
        face = 4 + (z < 0), s = z < 0 ? -x : x, t = -y, m = az;
    return fetch_layer<T>(object, (s / m + 1) / 2, (t / m + 1) / 2, 6 * cube + face, 2);
}

inline unsigned char *surface(cmSurfaceObject_t object, int xBytes, int y, int z,
                              cmSurfaceBoundaryMode mode, size_t size) {
    const cmTexture *t = cm::detail::texture_of(object);
    if (!t) cmKernelTrap(cmErrorInvalidSurface);
    const long element = (t->format.x + t->format.y + t->format.z + t->format.w) / 8;
    const long w = static_cast<long>(t->width) * element, h = t->height ? t->height : 1,
               d = t->depth ? t->depth : 1;
    long px = xBytes, py = y, pz = z;
    if (px < 0 || px + static_cast<long>(size) > w || py < 0 || py >= h || pz < 0 || pz >= d) {
        if (mode == cmBoundaryModeTrap) cmKernelTrap(cmErrorIllegalAddress);
        if (mode == cmBoundaryModeZero) return nullptr;
        px = px < 0 ? 0 : px + static_cast<long>(size) > w ? w - static_cast<long>(size) : px;
        py = py < 0 ? 0 : py >= h ? h - 1 : py;
        pz = pz < 0 ? 0 : pz >= d ? d - 1 : pz;
    }
    return const_cast<unsigned char *>(t->data) + static_cast<size_t>(pz) * t->slice +
           static_cast<size_t>(py) * t->pitch + static_cast<size_t>(px);
}

template <class T> inline T surface_read(const unsigned char *p) {
    T value{};
    if (p) memcpy(static_cast<void *>(&value), p, sizeof value);
    return value;
}
template <class T> inline void surface_write(unsigned char *p, const T &value) {
    if (p) memcpy(p, static_cast<const void *>(&value), sizeof value);
}

} // namespace detail
} // namespace cm

template <class T> inline T tex1Dfetch(cmTextureObject_t object, int x) {
    const cmTexture *t = cm::detail::texture_of(object);
    if (!t) cmKernelTrap(cmErrorInvalidTexture);
    return cm::detail::raw<T>(*t, x, 0, 0);
}
template <class T> inline T tex1D(cmTextureObject_t object, float x) {
    return cm::detail::fetch<T>(object, x, 0, 0, 1);
}
template <class T> inline T tex2D(cmTextureObject_t object, float x, float y) {
    return cm::detail::fetch<T>(object, x, y, 0, 2);
}
template <class T> inline T tex3D(cmTextureObject_t object, float x, float y, float z) {
    return cm::detail::fetch<T>(object, x, y, z, 3);
}
template <class T> inline T tex1DLayered(cmTextureObject_t object, float x, int layer) {
    return cm::detail::fetch_layer<T>(object, x, 0, layer, 1);
}
template <class T> inline T tex2DLayered(cmTextureObject_t object, float x, float y, int layer) {
    return cm::detail::fetch_layer<T>(object, x, y, layer, 2);
}
template <class T> inline T texCubemap(cmTextureObject_t object, float x, float y, float z) {
    return cm::detail::fetch_cube<T>(object, x, y, z, 0);
}
template <class T>
inline T texCubemapLayered(cmTextureObject_t object, float x, float y, float z, int layer) {
    return cm::detail::fetch_cube<T>(object, x, y, z, layer);
}
// There are no mipmaps: every level is the first.
template <class T> inline T tex1DLod(cmTextureObject_t object, float x, float) {
    return tex1D<T>(object, x);
}
template <class T> inline T tex2DLod(cmTextureObject_t object, float x, float y, float) {
    return tex2D<T>(object, x, y);
}
template <class T> inline T tex3DLod(cmTextureObject_t object, float x, float y, float z, float) {
    return tex3D<T>(object, x, y, z);
}
// The same with a place for the value.
#define CM_TEXTURE(function, parameters, arguments)                                               \
    template <class T>                                                                            \
    inline void function(T *value, cmTextureObject_t object, parameters) {                        \
        *value = function<T>(object, arguments);                                                  \
    }
#define CM_LIST(...) __VA_ARGS__
CM_TEXTURE(tex1Dfetch, int x, x)
CM_TEXTURE(tex1D, float x, x)
CM_TEXTURE(tex2D, CM_LIST(float x, float y), CM_LIST(x, y))
CM_TEXTURE(tex3D, CM_LIST(float x, float y, float z), CM_LIST(x, y, z))
CM_TEXTURE(tex1DLayered, CM_LIST(float x, int layer), CM_LIST(x, layer))
CM_TEXTURE(tex2DLayered, CM_LIST(float x, float y, int layer), CM_LIST(x, y, layer))
CM_TEXTURE(texCubemap, CM_LIST(float x, float y, float z), CM_LIST(x, y, z))
CM_TEXTURE(texCubemapLayered, CM_LIST(float x, float y, float z, int layer),
           CM_LIST(x, y, z, layer))
CM_TEXTURE(tex1DLod, CM_LIST(float x, float level), CM_LIST(x, level))
CM_TEXTURE(tex2DLod, CM_LIST(float x, float y, float level), CM_LIST(x, y, level))
CM_TEXTURE(tex3DLod, CM_LIST(float x, float y, float z, float level), CM_LIST(x, y, z, level))
#undef CM_TEXTURE

#define CM_SURFACE(dimension, parameters, place)                                                  \
    template <class T>                                                                            \
    inline T surf##dimension##read(cmSurfaceObject_t object, parameters,                          \
                                   cmSurfaceBoundaryMode mode = cmBoundaryModeTrap) {             \
        return cm::detail::surface_read<T>(cm::detail::surface(object, place, mode, sizeof(T)));  \
    }                                                                                             \
    template <class T>                                                                            \
    inline void surf##dimension##read(T *value, cmSurfaceObject_t object, parameters,             \
                                      cmSurfaceBoundaryMode mode = cmBoundaryModeTrap) {          \
        *value =                                                                                  \
            cm::detail::surface_read<T>(cm::detail::surface(object, place, mode, sizeof(T)));     \
    }                                                                                             \
    template <class T>                                                                            \
    inline void surf##dimension##write(T value, cmSurfaceObject_t object, parameters,             \
                                       cmSurfaceBoundaryMode mode = cmBoundaryModeTrap) {         \
        cm::detail::surface_write(cm::detail::surface(object, place, mode, sizeof(T)), value);    \
    }
CM_SURFACE(1D, int x, CM_LIST(x, 0, 0))
CM_SURFACE(2D, CM_LIST(int x, int y), CM_LIST(x, y, 0))
CM_SURFACE(3D, CM_LIST(int x, int y, int z), CM_LIST(x, y, z))
CM_SURFACE(1DLayered, CM_LIST(int x, int layer), CM_LIST(x, 0, layer))
CM_SURFACE(2DLayered, CM_LIST(int x, int y, int layer), CM_LIST(x, y, layer))
#undef CM_SURFACE
#undef CM_LIST

#endif
