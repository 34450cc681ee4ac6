// SPDX-License-Identifier: Apache-2.0
// cuda::std: the standard library's own names, which work in kernels, too. Thrust's and CUB's headers
// bring it along, as NVIDIA's do.
#ifndef CUDA_MORPH_CPU_STD_HPP
#define CUDA_MORPH_CPU_STD_HPP

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <ratio>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace cuda {
namespace std {
using namespace ::std;
#if __cplusplus < 202002L // C++20 has it
struct identity {
    using is_transparent = void;
    template <class T> constexpr T &&operator()(T &&v) const { return static_cast<T &&>(v); }
};
template <class T> struct remove_cvref {
    using type = ::std::remove_cv_t<::std::remove_reference_t<T>>;
};
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
#endif
} // namespace std
} // namespace cuda

#endif
