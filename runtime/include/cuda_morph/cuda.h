/* What ported CUDA C++ includes instead of cuda_runtime.h: the runtime's functions and, in C++17,
   the kernel language, so that kernels compile as they are. Only the launch is written anew:
       k<<<grid, block, shared, stream>>>(a, b)
       cm::launch<k>(grid, block, shared, stream)(a, b)
   and `extern __shared__ T s[];` becomes CM_DYNAMIC_SHARED(T, s); */
#ifndef CUDA_MORPH_CUDA_H
#define CUDA_MORPH_CUDA_H

#include <cuda_morph/runtime.h>
/* CUDA's headers bring these along, and programs count on it. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
/* In this order: each builds on those before. */
#include <cuda_morph/cpu/kernel.hpp>

#include <cuda_morph/cpu/warp.hpp>

#include <cuda_morph/cpu/atomic.hpp>
#include <cuda_morph/cpu/math.hpp>

#include <cuda_morph/cpu/host.hpp>
#include <cuda_morph/cpu/texture.hpp>
#endif

#endif
