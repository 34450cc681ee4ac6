/* SPDX-License-Identifier: Apache-2.0 */
// CUB on the CPU: the device-wide algorithms run in the order of their stream, those for blocks
// and warps through shared memory and the runtime's barriers. The name of an algorithm
// (BLOCK_SCAN_ RAKING ...) makes no difference; results are those of the operator applied from
// left to right.
#ifndef CUDA_MORPH_CUB_H
#define CUDA_MORPH_CUB_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/cooperative_groups.h>
#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/thrust.h>

#define CUB_VERSION 200400

#include <cuda_morph/cpu/cub_types.hpp>

#include <cuda_morph/cpu/cub_device.hpp>

#include <cuda_morph/cpu/cub_more.hpp>

#include <cuda_morph/cpu/cub_block.hpp>

#include <cuda_morph/cpu/cub_warp.hpp>

#include <cuda_morph/cpu/cub_utilities.hpp>

} // extern "C++"

#endif
