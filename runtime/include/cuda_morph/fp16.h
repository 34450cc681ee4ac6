/* SPDX-License-Identifier: Apache-2.0 */
// Half precision: what cuda_fp16.h offers.
#ifndef CUDA_MORPH_FP16_H
#define CUDA_MORPH_FP16_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/cpu/small_float.hpp>

using __half = cm::detail::small<cm::detail::half_format>;
using __half2 = cm::detail::small2<cm::detail::half_format>;
using half = __half;
using half2 = __half2;
using __nv_bfloat16 = cm::detail::small<cm::detail::bfloat_format>; // CUDA's declares it, too
using __half_raw = cm::detail::storage<cm::detail::half_format>;
using __half2_raw = cm::detail::storage2<cm::detail::half_format>;

CM_SMALL_FLOAT(__half, __half2, half, half2)
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 make_half2(__half a, __half b) { return {a, b}; }

} // extern "C++"

#endif
