/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_half.h - what CUDA does with 16-bit numbers and HIP lacks, for ported programs.
 *
 * Header-only, C++11; C finds nothing here. Atomics compare and swap the 32 bits that hold the
 * number: an allocation's last word is whole on AMD's devices, and the neighbour keeps its value.
 * All are templates with an empty pack, so that functions of the program's own and of a newer HIP
 * are better matches.
 */
#ifndef CUDA_MORPH_HIP_HALF_H
#define CUDA_MORPH_HIP_HALF_H

#include <hip/hip_runtime.h>
#ifdef __cplusplus
#include "hip_ext.h"
#include <hip/hip_fp16.h>
#include <type_traits>

#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
template <class T>
struct cm_is_bfloat : std::integral_constant<bool, std::is_same<T, __hip_bfloat16>::value ||
                                                       std::is_same<T, __hip_bfloat162>::value> {};
#else
template <class T> struct cm_is_bfloat : std::false_type {};
#endif
template <class T, class... Rest>
using cm_if_bfloat =
    typename std::enable_if<sizeof...(Rest) == 0 && cm_is_bfloat<T>::value, T>::type;
template <class T, class... Rest>
using cm_if_halves =
    typename std::enable_if<sizeof...(Rest) == 0 &&
                                (cm_is_bfloat<T>::value || std::is_same<T, __half>::value ||
                                 std::is_same<T, __half2>::value),
                            T>::type;
template <class T, class... Rest>
using cm_if_half2 =
    typename std::enable_if<sizeof...(Rest) == 0 && std::is_same<T, __half2>::value, T>::type;
template <class T, class... Rest>
using cm_if_ushort =
    typename std::enable_if<sizeof...(Rest) == 0 && std::is_same<T, unsigned short>::value,
                            T>::type;
template <class T> struct cm_same_type { typedef T type; };

/** Puts value where expected is, within the word that holds it; what was there before. */
__device__ inline unsigned short cm_swap_short(unsigned short *address, unsigned short expected,
                                               unsigned short value) {
    size_t at = (size_t)address;
    unsigned *word = (unsigned *)(at & ~(size_t)3);
    unsigned shift = at & 2 ? 16 : 0, mask = 0xffffu << shift, old = *(volatile unsigned *)word;
    for (;;) {
        unsigned short now = (unsigned short)(old >> shift);
        if (now != expected) return now;
        unsigned seen = atomicCAS(word, old, (old & ~mask) | ((unsigned)value << shift));
        if (seen == old) return now;
        old = seen;
    }
}

template <class T, class... Rest>
__device__ inline cm_if_ushort<T, Rest...>
atomicCAS(T *address, typename cm_same_type<T>::type expected,
          typename cm_same_type<T>::type value, Rest...) {
    return cm_swap_short(address, expected, value);
}

template <class T, class... Rest>
__device__ inline cm_if_halves<T, Rest...>
atomicAdd(T *address, typename cm_same_type<T>::type value, Rest...) {
    return cm_atomicAdd(address, value);
}

template <class T, class... Rest>
__device__ inline cm_if_half2<T, Rest...> __hmax2(T a, typename cm_same_type<T>::type b, Rest...) {
    return __halves2half2(__hmax(__low2half(a), __low2half(b)),
                          __hmax(__high2half(a), __high2half(b)));
}

template <class T, class... Rest>
__device__ inline cm_if_half2<T, Rest...> __hmin2(T a, typename cm_same_type<T>::type b, Rest...) {
    return __halves2half2(__hmin(__low2half(a), __low2half(b)),
                          __hmin(__high2half(a), __high2half(b)));
}

template <class T, class... Rest>
__device__ inline cm_if_bfloat<T, Rest...> __ldg(const T *address, Rest...) {
    return *address;
}

#endif
#endif
