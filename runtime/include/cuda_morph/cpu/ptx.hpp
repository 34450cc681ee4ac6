// SPDX-License-Identifier: Apache-2.0
// ptx.hpp - what ported programs call for inline PTX: special registers, and the arithmetic of
// ptx.h. A block's threads are numbered through its warps (CUDA C++ Programming Guide, "SIMT
// Architecture"), which have 32 lanes, or 64 with CUDA_MORPH_WARP_SIZE=64: masks show the low 32.
#ifndef CUDA_MORPH_CPU_PTX_HPP
#define CUDA_MORPH_CPU_PTX_HPP

#include <cuda_morph/cpu/kernel.hpp>
#include <cuda_morph/ptx.h>

#include <ctime>

/** %laneid, %warpid and %nwarpid: of the thread in its warp, of the warp in its block, and how
 * many warps the block has. */
inline unsigned cm_lane_id() { return ::cm::detail::rank() % unsigned(warpSize); }
inline unsigned cm_warp_id() { return ::cm::detail::rank() / unsigned(warpSize); }
inline unsigned cm_warp_count() {
    return (blockDim.x * blockDim.y * blockDim.z + unsigned(warpSize) - 1) / unsigned(warpSize);
}

/** %lanemask_eq, _lt, _le, _gt, _ge: bits of the lane itself, of those before and behind it. */
inline unsigned cm_lanemask_eq() { return cm_lane_id() < 32 ? 1u << cm_lane_id() : 0u; }
inline unsigned cm_lanemask_lt() { return cm_lane_id() < 32 ? cm_lanemask_eq() - 1u : ~0u; }
inline unsigned cm_lanemask_le() { return cm_lanemask_lt() | cm_lanemask_eq(); }
inline unsigned cm_lanemask_gt() { return ~cm_lanemask_le(); }
inline unsigned cm_lanemask_ge() { return ~cm_lanemask_lt(); }

/** %globaltimer: nanoseconds of the wall clock. */
inline unsigned long long cm_global_timer() {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

#endif
