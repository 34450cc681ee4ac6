/* SPDX-License-Identifier: Apache-2.0 */
// bfloat16: what cuda_bf16.h offers.
#ifndef CUDA_MORPH_BF16_H
#define CUDA_MORPH_BF16_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/cpu/small_float.hpp>

using __nv_bfloat16 = cm::detail::small<cm::detail::bfloat_format>;
using __nv_bfloat162 = cm::detail::small2<cm::detail::bfloat_format>;
using __nv_bfloat16_raw = cm::detail::storage<cm::detail::bfloat_format>;
using __nv_bfloat162_raw = cm::detail::storage2<cm::detail::bfloat_format>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CM_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }

} // extern "C++"

#endif
