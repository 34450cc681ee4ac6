// SPDX-License-Identifier: Apache-2.0
// The channels of an element of an array: what cmCreateChannelDesc<float4>() says of its type.
#ifndef CUDA_MORPH_CHANNELS_HPP
#define CUDA_MORPH_CHANNELS_HPP

#include <cuda_morph/types.h>
#include <type_traits>
#include <utility>

namespace cm {
namespace detail {
template <class T, class = void> struct channels {
    static constexpr int count = 1;
    using type = T;
};
template <class T> using x_of = std::decay_t<decltype(std::declval<T>().x)>;
template <class T>
struct channels<T, std::enable_if_t<std::is_class<T>::value && sizeof(x_of<T>) != 0>> {
    static constexpr int count = static_cast<int>(sizeof(T) / sizeof(x_of<T>));
    using type = x_of<T>;
};
} // namespace detail
} // namespace cm

template <class T> inline cmChannelFormatDesc cmCreateChannelDesc() {
    using element = typename cm::detail::channels<T>::type;
    constexpr int bits = 8 * static_cast<int>(sizeof(element)),
                  count = cm::detail::channels<T>::count;
    return cmChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                               count > 3 ? bits : 0,
                               std::is_floating_point<element>::value ? cmChannelFormatKindFloat
                               : std::is_signed<element>::value       ? cmChannelFormatKindSigned
                                                                : cmChannelFormatKindUnsigned};
}

#endif
