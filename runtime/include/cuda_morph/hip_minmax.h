/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_minmax.h - CUDA's min() and max() of integers, for ported programs.
 *
 * Header-only, C++11; C finds nothing here. In device code, HIP's min() of an int and an unsigned
 * is a double, which is no index and loses bits of long long; in host code it is that of two ints,
 * whatever the types. CUDA's have the type that C++'s arithmetic would have. Names of the
 * program's own and std::min come before what is here for the host.
 */
#ifndef CUDA_MORPH_HIP_MINMAX_H
#define CUDA_MORPH_HIP_MINMAX_H

#include <hip/hip_runtime.h>
#ifdef __cplusplus
#include <type_traits>

#define CM_MIXED(type, A, B)                                                                      \
    __device__ inline type min(A a, B b) { return (type)a < (type)b ? (type)a : (type)b; }        \
    __device__ inline type max(A a, B b) { return (type)a < (type)b ? (type)b : (type)a; }
#define CM_BOTH_WAYS(type, A, B) CM_MIXED(type, A, B) CM_MIXED(type, B, A)
CM_BOTH_WAYS(unsigned, int, unsigned)
CM_BOTH_WAYS(unsigned long, long, unsigned long)
CM_BOTH_WAYS(unsigned long long, long long, unsigned long long)
#define CM_SMALL(A) CM_BOTH_WAYS(int, A, int) CM_BOTH_WAYS(unsigned, A, unsigned)
CM_SMALL(bool)
CM_SMALL(char)
CM_SMALL(signed char)
CM_SMALL(unsigned char)
CM_SMALL(short)
CM_SMALL(unsigned short)
#undef CM_SMALL
#undef CM_BOTH_WAYS
#undef CM_MIXED

/* The empty pack makes std::min and what a newer HIP has itself better matches. */
template <class A, class B, class... Rest>
using cm_of_both =
    typename std::enable_if<sizeof...(Rest) == 0 &&
                                ((std::is_integral<A>::value && std::is_integral<B>::value) ||
                                 (std::is_floating_point<A>::value &&
                                  std::is_floating_point<B>::value)),
                            typename std::common_type<A, B>::type>::type;
template <class A, class B, class... Rest>
__host__ inline cm_of_both<A, B, Rest...> min(A a, B b, Rest...) {
    typedef cm_of_both<A, B> type;
    return (type)b < (type)a ? (type)b : (type)a;
}
template <class A, class B, class... Rest>
__host__ inline cm_of_both<A, B, Rest...> max(A a, B b, Rest...) {
    typedef cm_of_both<A, B> type;
    return (type)a < (type)b ? (type)b : (type)a;
}

#endif
#endif
