// SPDX-License-Identifier: Apache-2.0
// See ATen/ATen.h.
#pragma once

#include <cuda_morph/cpu/small_float.hpp>

namespace c10 {
struct BFloat16 {
    unsigned short x;
    BFloat16() = default;
    BFloat16(float value) : x(cm::detail::bfloat_format::from_float(value)) {}
    operator float() const { return cm::detail::bfloat_format::to(x); }
};
} // namespace c10
