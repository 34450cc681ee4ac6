/* SPDX-License-Identifier: Apache-2.0 */
/* The small vector types of CUDA (int2, float4 ...) and dim3, for C and C++, with the sizes and
   alignments that CUDA documents: two elements are aligned to their own size, four to at most 16
   bytes, three like one. */
#ifndef CUDA_MORPH_VECTOR_TYPES_H
#define CUDA_MORPH_VECTOR_TYPES_H

#ifdef __cplusplus
extern "C++" { /* it may be included within extern "C" */
#endif

/* Programs read and write memory of any type as float4 and the like, which other compilers than
   nvcc take for granted only of types that say so. */
#define CM_ANY_MEMORY __attribute__((may_alias))
#define CM_ALIGNED(bytes) __attribute__((aligned(bytes), may_alias))

#ifdef __cplusplus
#define CM_MAKE(type, list, ...)                                                                  \
    static inline type make_##type list { return type{__VA_ARGS__}; }
#else
#define CM_MAKE(type, list, ...)                                                                  \
    static inline type make_##type list { return (type){__VA_ARGS__}; }
#endif

#define CM_VECTORS(name, T, align2, align4)                                                       \
    typedef struct CM_ANY_MEMORY name##1 {                                                        \
        T x;                                                                                      \
    }                                                                                             \
    name##1;                                                                                      \
    typedef struct CM_ALIGNED(align2) name##2 {                                                   \
        T x, y;                                                                                   \
    }                                                                                             \
    name##2;                                                                                      \
    typedef struct CM_ANY_MEMORY name##3 {                                                        \
        T x, y, z;                                                                                \
    }                                                                                             \
    name##3;                                                                                      \
    typedef struct CM_ALIGNED(align4) name##4 {                                                   \
        T x, y, z, w;                                                                             \
    }                                                                                             \
    name##4;                                                                                      \
    CM_MAKE(name##1, (T x), x)                                                                    \
    CM_MAKE(name##2, (T x, T y), x, y)                                                            \
    CM_MAKE(name##3, (T x, T y, T z), x, y, z)                                                    \
    CM_MAKE(name##4, (T x, T y, T z, T w), x, y, z, w)

CM_VECTORS(char, signed char, 2, 4)
CM_VECTORS(uchar, unsigned char, 2, 4)
CM_VECTORS(short, short, 4, 8)
CM_VECTORS(ushort, unsigned short, 4, 8)
CM_VECTORS(int, int, 8, 16)
CM_VECTORS(uint, unsigned int, 8, 16)
CM_VECTORS(long, long, 16, 16)
CM_VECTORS(ulong, unsigned long, 16, 16)
CM_VECTORS(longlong, long long, 16, 16)
CM_VECTORS(ulonglong, unsigned long long, 16, 16)
CM_VECTORS(float, float, 8, 16)
CM_VECTORS(double, double, 16, 16)

/* Grid and block shapes; what is left out is 1. */
typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif
