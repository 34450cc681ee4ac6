/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_vector.h - structured bindings of HIP's vector types, for ported programs.
 *
 * Header-only, C++17; in older C++ it holds nothing. CUDA's int3 is a plain structure, which
 * `auto [x, y, z] = index;` takes apart. HIP's has an anonymous union, which C++ does not; with
 * these it is a tuple of its members.
 */
#ifndef CUDA_MORPH_HIP_VECTOR_H
#define CUDA_MORPH_HIP_VECTOR_H

#include <hip/hip_runtime.h>

#if defined(__cplusplus) && __cplusplus >= 201703L && defined(__HIP_PLATFORM_AMD__)
#include <tuple>
#include <utility>

template <class T, unsigned N>
struct std::tuple_size<HIP_vector_type<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, class T, unsigned N> struct std::tuple_element<I, HIP_vector_type<T, N>> {
    using type = T;
};

/** The member of that number: x, y, z, w. */
template <std::size_t I, class T, unsigned N>
__host__ __device__ constexpr T &get(HIP_vector_type<T, N> &v) {
    if constexpr (I == 0)
        return v.x;
    else if constexpr (I == 1)
        return v.y;
    else if constexpr (I == 2)
        return v.z;
    else
        return v.w;
}
template <std::size_t I, class T, unsigned N>
__host__ __device__ constexpr const T &get(const HIP_vector_type<T, N> &v) {
    if constexpr (I == 0)
        return v.x;
    else if constexpr (I == 1)
        return v.y;
    else if constexpr (I == 2)
        return v.z;
    else
        return v.w;
}
template <std::size_t I, class T, unsigned N>
__host__ __device__ constexpr T &&get(HIP_vector_type<T, N> &&v) {
    return static_cast<T &&>(get<I>(v));
}
template <std::size_t I, class T, unsigned N>
__host__ __device__ constexpr const T &&get(const HIP_vector_type<T, N> &&v) {
    return static_cast<const T &&>(get<I>(v));
}
#endif
#endif
