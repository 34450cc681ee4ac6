/* SPDX-License-Identifier: Apache-2.0 */
/**
 * cuda_morph/ptx.h - instructions of PTX that are arithmetic alone, for HIP, for SYCL (by
 * cuda_morph/sycl.hpp) and for the CPU, as NVIDIA's PTX ISA describes them.
 */
#ifndef CUDA_MORPH_PTX_H
#define CUDA_MORPH_PTX_H

#ifdef CUDA_MORPH_SYCL_HPP
#define CM_DEVICE inline
#elif !defined(__device__)
#include <hip/hip_runtime.h>
#endif
#ifndef CM_DEVICE /* of hip_ext.h, which may come later */
#define CM_DEVICE __device__ inline __attribute__((always_inline))
#endif

/** PTX bfe.u32 and bfe.s32: length bits of value from position on, the latter with their sign. */
CM_DEVICE unsigned cm_bfe_u32(unsigned value, unsigned position, unsigned length) {
    position &= 255u, length &= 255u;
    if (position > 31u || length == 0) return 0;
    value >>= position;
    return length > 31u ? value : value & ((1u << length) - 1u);
}
CM_DEVICE int cm_bfe_s32(int value, unsigned position, unsigned length) {
    position &= 255u, length &= 255u;
    if (length == 0) return 0;
    int shifted = value >> (position > 31u ? 31u : position);
    if (length > 31u || position + length > 31u) return shifted;
    return static_cast<int>(static_cast<unsigned>(shifted) << (32u - length)) >> (32u - length);
}

/** PTX bfi.b32: into, with length of its bits from position on replaced by the low ones of bits.
 */
CM_DEVICE unsigned cm_bfi_b32(unsigned bits, unsigned into, unsigned position, unsigned length) {
    position &= 255u, length &= 255u;
    if (position > 31u) return into;
    unsigned mask = (length > 31u ? ~0u : (1u << length) - 1u) << position;
    return (into & ~mask) | (bits << position & mask);
}

/** PTX lop3.b32: every bit of the result is looked up in Table by those of a, b and c. */
template <unsigned Table> CM_DEVICE unsigned cm_lop3(unsigned a, unsigned b, unsigned c) {
    unsigned result = 0;
    for (unsigned row = 0; row < 8; row++)
        if (Table >> row & 1u)
            result |= (row & 4u ? a : ~a) & (row & 2u ? b : ~b) & (row & 1u ? c : ~c);
    return result;
}

#endif
