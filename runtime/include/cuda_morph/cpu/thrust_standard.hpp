// SPDX-License-Identifier: Apache-2.0
// What of the standard library Thrust is made of, and which release of Thrust it says it is.
// Included by thrust.h, and by sycl/thrust.hpp.
#ifndef CUDA_MORPH_CPU_THRUST_STANDARD_HPP
#define CUDA_MORPH_CPU_THRUST_STANDARD_HPP

#include <algorithm>
#include <complex>
#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/cpu/std.hpp>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <system_error>
#include <tuple>
#include <vector>

#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 4
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_VERSION 200400

namespace thrust {
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
} // namespace thrust

#endif
