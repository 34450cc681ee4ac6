// SPDX-License-Identifier: Apache-2.0
// cuFFT in SYCL: oneMKL's (oneMath's) transforms in the order of the plan's stream. Where the
// device is the host's processor (AdaptiveCpp's omp.library-only), they are libcmrt's, over FFTW,
// unless CUDA_MORPH_SYCL_ONEMKL is defined.
#ifndef CUDA_MORPH_SYCL_FFT_HPP
#define CUDA_MORPH_SYCL_FFT_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

#if !defined(CM_SYCL_GROUP_PER_THREAD) || defined(CUDA_MORPH_SYCL_ONEMKL)
#define CM_FFT_BY_ONEMKL
#endif
#include <cuda_morph/fft.h>

} // extern "C++"

#endif
