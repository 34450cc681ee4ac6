// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits, four or two in a word (__vadd4, __vmaxs2 ...): the
// SIMD intrinsics of CUDA's math API, and those of dynamic programming (parts.hpp).
#ifndef CUDA_MORPH_CPU_SIMD_HPP
#define CUDA_MORPH_CPU_SIMD_HPP

#define CM_PARTS_HELPER inline
#define CM_PARTS_NAME(name) __##name
#include "../parts.hpp"
#undef CM_PARTS_NAME
#undef CM_PARTS_HELPER

#endif
