// SPDX-License-Identifier: Apache-2.0
// Thrust on the host: an algorithm waits for the stream of its policy, and runs on the calling
// thread. Included by thrust.h.
#ifndef CUDA_MORPH_CPU_THRUST_CALL_HPP
#define CUDA_MORPH_CPU_THRUST_CALL_HPP

namespace thrust {
namespace detail {

template <class Impl, class A, class... R> inline decltype(auto) call(A &&a, R &&...rest) {
    if constexpr (is_policy<A>) {
        if constexpr (std::is_base_of<host_policy, std::decay_t<A>>::value) {
            a.ready();
            return Impl::run(std::forward<R>(rest)...);
        } else {
            const on_device here;
            if constexpr (std::is_base_of<stream_policy, std::decay_t<A>>::value)
                a.ready();
            else
                settle(nullptr); // a policy of the program's own
            return Impl::run(std::forward<R>(rest)...);
        }
    } else {
        const on_device here(nullptr);
        return Impl::run(std::forward<A>(a), std::forward<R>(rest)...);
    }
}

} // namespace detail
} // namespace thrust

#endif
