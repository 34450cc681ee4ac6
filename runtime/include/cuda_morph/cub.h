/* SPDX-License-Identifier: Apache-2.0 */
// CUB on the CPU: the device-wide algorithms run in the order of their stream, those for blocks
// and warps through shared memory and the runtime's barriers. The name of an algorithm
// (BLOCK_SCAN_ RAKING ...) makes no difference; results are those of the operator applied from
// left to right.
#ifndef CUDA_MORPH_CUB_H
#define CUDA_MORPH_CUB_H

#include <cuda_morph/cooperative_groups.h>
#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/thrust.h>

#define CUB_VERSION 200400
/* What programs use of CUB's own macros (util_macro.cuh, util_arch.cuh and util_namespace.cuh of
   CUB 2.4 and before). A function for the host and, where kernels may launch, the device needs no
   specifier here. */
#define CUB_RUNTIME_FUNCTION
#define CUB_PREVENT_MACRO_SUBSTITUTION
#define CUB_STATIC_ASSERT(condition, message) static_assert((condition), #message)
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_WARP_THREADS 32

#include <cuda_morph/cpu/cub_device.hpp>

#include <cuda_morph/cpu/cub_more.hpp>

#include <cuda_morph/cpu/cub_block.hpp>

#include <cuda_morph/cpu/cub_warp.hpp>

#endif
