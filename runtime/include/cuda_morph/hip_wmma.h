/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_wmma.h - what CUDA's wmma takes and rocWMMA does not, for ported programs.
 *
 * Header-only, C++17, as rocWMMA is. CUDA's fill_fragment() converts the value to the fragment's
 * type; rocWMMA deduces the type from both, so that fill_fragment(half fragment, 0.f) finds no
 * function. Where both are of one type, rocWMMA's own is the better match.
 */
#ifndef CUDA_MORPH_HIP_WMMA_H
#define CUDA_MORPH_HIP_WMMA_H

#include <hip/hip_runtime.h>
#include <rocwmma/rocwmma.hpp>

namespace rocwmma {
template <class Use, uint32_t M, uint32_t N, uint32_t K, class T, class Layout, class Value>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &frag, Value value) {
    fill_fragment(frag, static_cast<T>(value));
}
} // namespace rocwmma

#endif
