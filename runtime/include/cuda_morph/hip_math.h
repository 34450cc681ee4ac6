/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_math.h - CUDA's overloads of mathematical functions that HIP lacks, for ported
 * programs.
 *
 * Header-only, C++11; C and other compilers than HIP's find nothing here. CUDA has sincos() and
 * sincospi() of a float, too; HIP's take addresses of doubles alone. They are templates, so that
 * one of the program's own comes first.
 */
#ifndef CUDA_MORPH_HIP_MATH_H
#define CUDA_MORPH_HIP_MATH_H

#if defined(__cplusplus) && defined(__HIPCC__)
#include <hip/hip_runtime.h>

template <int = 0> __host__ __device__ inline void sincos(float x, float *sine, float *cosine) {
    sincosf(x, sine, cosine);
}
template <int = 0> __device__ inline void sincospi(float x, float *sine, float *cosine) {
    sincospif(x, sine, cosine);
}

#endif
#endif
