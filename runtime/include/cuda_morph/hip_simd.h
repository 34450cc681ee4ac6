/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_simd.h - CUDA's SIMD intrinsics, which HIP lacks, for ported programs.
 *
 * Header-only, C++11. Integers of 8 or 16 bits, four or two in a word: cm_vadd4() is what CUDA
 * calls __vadd4(); and those of dynamic programming, for the host, too: cm_vimax3_s32(). The
 * compiler makes of them what its hardware has. All there are:
 *
 * cm_vabs2 cm_vabs4 cm_vabsss2 cm_vabsss4 cm_vneg2 cm_vneg4 cm_vnegss2 cm_vnegss4 cm_vabsdiffs2
 * cm_vabsdiffs4 cm_vabsdiffu2 cm_vabsdiffu4 cm_vadd2 cm_vadd4 cm_vaddss2 cm_vaddss4 cm_vaddus2
 * cm_vaddus4 cm_vsub2 cm_vsub4 cm_vsubss2 cm_vsubss4 cm_vsubus2 cm_vsubus4 cm_vavgs2 cm_vavgs4
 * cm_vavgu2 cm_vavgu4 cm_vhaddu2 cm_vhaddu4 cm_vmaxs2 cm_vmaxs4 cm_vmaxu2 cm_vmaxu4 cm_vmins2
 * cm_vmins4 cm_vminu2 cm_vminu4 cm_vcmpeq2 cm_vcmpeq4 cm_vcmpne2 cm_vcmpne4 cm_vcmpges2
 * cm_vcmpges4 cm_vcmpgeu2 cm_vcmpgeu4 cm_vcmpgts2 cm_vcmpgts4 cm_vcmpgtu2 cm_vcmpgtu4 cm_vcmples2
 * cm_vcmples4 cm_vcmpleu2 cm_vcmpleu4 cm_vcmplts2 cm_vcmplts4 cm_vcmpltu2 cm_vcmpltu4 cm_vseteq2
 * cm_vseteq4 cm_vsetne2 cm_vsetne4 cm_vsetges2 cm_vsetges4 cm_vsetgeu2 cm_vsetgeu4 cm_vsetgts2
 * cm_vsetgts4 cm_vsetgtu2 cm_vsetgtu4 cm_vsetles2 cm_vsetles4 cm_vsetleu2 cm_vsetleu4 cm_vsetlts2
 * cm_vsetlts4 cm_vsetltu2 cm_vsetltu4 cm_vsads2 cm_vsads4 cm_vsadu2 cm_vsadu4 cm_viaddmax_s16x2
 * cm_viaddmax_s16x2_relu cm_viaddmax_s32 cm_viaddmax_s32_relu cm_viaddmax_u16x2 cm_viaddmax_u32
 * cm_viaddmin_s16x2 cm_viaddmin_s16x2_relu cm_viaddmin_s32 cm_viaddmin_s32_relu cm_viaddmin_u16x2
 * cm_viaddmin_u32 cm_vibmax_s16x2 cm_vibmax_s32 cm_vibmax_u16x2 cm_vibmax_u32 cm_vibmin_s16x2
 * cm_vibmin_s32 cm_vibmin_u16x2 cm_vibmin_u32 cm_vimax3_s16x2 cm_vimax3_s16x2_relu cm_vimax3_s32
 * cm_vimax3_s32_relu cm_vimax3_u16x2 cm_vimax3_u32 cm_vimax_s16x2_relu cm_vimax_s32_relu
 * cm_vimin3_s16x2 cm_vimin3_s16x2_relu cm_vimin3_s32 cm_vimin3_s32_relu cm_vimin3_u16x2
 * cm_vimin3_u32 cm_vimin_s16x2_relu cm_vimin_s32_relu
 */
#ifndef CUDA_MORPH_HIP_SIMD_H
#define CUDA_MORPH_HIP_SIMD_H

#include <hip/hip_runtime.h>

#define CM_PARTS_HELPER __host__ __device__ inline __attribute__((always_inline))
#define CM_PARTS_NAME(name) cm_##name
#include "parts.hpp"
#undef CM_PARTS_NAME
#undef CM_PARTS_HELPER

#endif
