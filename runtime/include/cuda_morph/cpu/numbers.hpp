// SPDX-License-Identifier: Apache-2.0
// Numbers of a type that is known at run time, for the shims of CUDA's libraries.
#ifndef CUDA_MORPH_CPU_NUMBERS_HPP
#define CUDA_MORPH_CPU_NUMBERS_HPP

#include <complex>
#include <cuda_morph/bf16.h>
#include <cuda_morph/fp16.h>
#include <cuda_morph/library_types.h>

namespace cm {
namespace numbers {

template <class K> inline K conjugate(K v) { return v; }
template <class R> inline std::complex<R> conjugate(std::complex<R> v) { return std::conj(v); }

// Bytes of one; 0: not one of ours.
inline size_t size_of(cmDataType type) {
    switch (type) {
    case CM_R_8I:
    case CM_R_8U:
        return 1;
    case CM_R_16F:
    case CM_R_16BF:
        return 2;
    case CM_R_32F:
    case CM_R_32I:
        return 4;
    case CM_R_64F:
    case CM_C_32F:
        return 8;
    case CM_C_64F:
        return 16;
    default:
        return 0;
    }
}
template <class K> inline K load(const void *p, cmDataType type, ptrdiff_t i) {
    switch (type) {
    case CM_R_8I:
        return static_cast<K>(static_cast<const signed char *>(p)[i]);
    case CM_R_8U:
        return static_cast<K>(static_cast<const unsigned char *>(p)[i]);
    case CM_R_16F:
        return static_cast<K>(static_cast<float>(static_cast<const __half *>(p)[i]));
    case CM_R_16BF:
        return static_cast<K>(static_cast<float>(static_cast<const __nv_bfloat16 *>(p)[i]));
    case CM_R_32I:
        return static_cast<K>(static_cast<const int *>(p)[i]);
    case CM_R_64F:
        return static_cast<K>(static_cast<const double *>(p)[i]);
    default:
        return static_cast<K>(static_cast<const float *>(p)[i]);
    }
}
template <class K> inline void store(void *p, cmDataType type, ptrdiff_t i, K v) {
    switch (type) {
    case CM_R_8I:
        static_cast<signed char *>(p)[i] = static_cast<signed char>(v);
        break;
    case CM_R_8U:
        static_cast<unsigned char *>(p)[i] = static_cast<unsigned char>(v);
        break;
    case CM_R_16F:
        static_cast<__half *>(p)[i] = __half(static_cast<float>(v));
        break;
    case CM_R_16BF:
        static_cast<__nv_bfloat16 *>(p)[i] = __nv_bfloat16(static_cast<float>(v));
        break;
    case CM_R_32I:
        static_cast<int *>(p)[i] = static_cast<int>(v);
        break;
    case CM_R_64F:
        static_cast<double *>(p)[i] = static_cast<double>(v);
        break;
    default:
        static_cast<float *>(p)[i] = static_cast<float>(v);
    }
}

} // namespace numbers
} // namespace cm

#endif
