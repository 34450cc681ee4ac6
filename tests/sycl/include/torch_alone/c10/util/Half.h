// SPDX-License-Identifier: Apache-2.0
// See ATen/ATen.h.
#pragma once

#include <cuda_morph/cpu/small_float.hpp>

namespace c10 {
struct Half {
    unsigned short x;
    Half() = default;
    Half(float value) : x(cm::detail::half_format::from_float(value)) {}
    operator float() const { return cm::detail::half_format::to(x); }
};
} // namespace c10
