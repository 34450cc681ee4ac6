/* SPDX-License-Identifier: Apache-2.0 */
/* What ported CUDA C++ includes instead of cuda_runtime.h: the runtime's functions and, in C++17,
   the kernel language, so that kernels compile as they are. Only the launch is written anew:
       k<<<grid, block, shared, stream>>>(a, b)
       cm::launch<k>(grid, block, shared, stream)(a, b)
   and `extern __shared__ T s[];` becomes `T *s = cm::dynamic_shared<T>();` */
/* Asked each time: our other headers build on all of this one. */
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(CUDA_MORPH_HOST_FILE)
#error "programs that cuda-morph has ported to the CPU are C++17: compile with -std=c++17"
#endif
#ifndef CUDA_MORPH_CUDA_H
#define CUDA_MORPH_CUDA_H

#ifdef __cplusplus
extern "C++" { /* it may be included within extern "C" */
#endif

#include <cuda_morph/runtime.h>
/* CUDA's headers bring these along, and programs count on it. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs ask for these to learn whether CUDA's types and functions are declared. */
#define CUDA_MORPH_CPU 1
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
/* Kernels and host code are compiled at once, so __CUDA_ARCH__ is not defined. The port compares
   this one instead, lest code in `#if __CUDA_ARCH__ >= 700` silently be left out. */
#define CM_CUDA_ARCH 800
#define CUDART_CB
#define CUDART_VERSION CMRT_VERSION

#if defined(__cplusplus) && __cplusplus < 201703L
/* A file of the host's that no port has seen, and the host's compiler compiles as older C++: the
   toolkit's cuda_runtime.h (CUDA_MORPH_HOST_FILE) gives it what needs no kernel. */
#include <cuda_morph/cpu/pointers.hpp>
#include <cuda_morph/qualifiers.h>
#elif defined(__cplusplus)
/* In this order: each builds on those before. */
#include <cuda_morph/cpu/kernel.hpp>

#include <cuda_morph/cpu/warp.hpp>

#include <cuda_morph/cpu/split.hpp>

#include <cuda_morph/cpu/atomic.hpp>
#include <cuda_morph/cpu/math.hpp>
#include <cuda_morph/cpu/math_special.hpp>
#include <cuda_morph/cpu/ptx.hpp>
#include <cuda_morph/cpu/rounding.hpp>
#include <cuda_morph/cpu/simd.hpp>

#include <cuda_morph/cpu/host.hpp>
#include <cuda_morph/cpu/texture.hpp>
#endif

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif
