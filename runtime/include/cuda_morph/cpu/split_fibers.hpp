// SPDX-License-Identifier: Apache-2.0
// The vocabulary of split.hpp where every thread of a block runs the whole kernel, on a fiber once
// it waits: each word means what CUDA's text meant. It is the reference that the loops of
// split_threads.hpp are held against, and what kernels fall back to that the port cannot split; so
// it is kept as plain as it can be, and has nothing to be fast with.
#ifndef CUDA_MORPH_CPU_SPLIT_FIBERS_HPP
#define CUDA_MORPH_CPU_SPLIT_FIBERS_HPP

#include <cuda_morph/cpu/warp.hpp>

namespace cm {

template <class T> using each = T;
using mask = bool;
#define CM_OBJECT(name, ...)                                                                      \
    ::cm::object<__VA_ARGS__> cm_object_##name;                                                   \
    auto &name = cm_object_##name.value

namespace detail {
struct one_value {
    template <class Body> auto operator->*(const Body &body) const { return body(); }
};
template <class... C> constexpr bool all_are(C... c) { return (bool(c) && ...); }
template <class... C> constexpr bool one_is(C... c) { return (bool(c) || ...); }
template <class F> struct callee {
    F f;
    template <class Body> decltype(auto) operator->*(const Body &body) const {
        auto given = body();
        return std::apply([&](auto &...a) -> decltype(auto) { return f(a...); }, given);
    }
};
template <class F> callee<F> callee_of(F f) { return {f}; }

#ifdef CUDA_MORPH_WATCHED
// Whether a thread left its kernel by a return, or went past all barriers to the end.
struct whole_kernel {
    bool left = false;
    void leave() { left = true; }
    ~whole_kernel() {
        if (!left) cmCheckEnd(rank());
    }
};
#endif
} // namespace detail
} // namespace cm

#define CM_EACH_THREAD
#define CM_EACH_THREAD_MOSTLY
#define CM_NOTHING                                                                                \
    do {                                                                                          \
    } while (0)
#define CM_EACH_ROW
#define CM_EACH_LEAVING_ROW
#define CM_END
#ifdef CUDA_MORPH_WATCHED
#define CM_BLOCK ::cm::detail::whole_kernel cm_whole
#define CM_LEAVE return cm_whole.leave()
#else
#define CM_BLOCK CM_NOTHING
#define CM_LEAVE return
#endif
#define CM_LEAVE_RARELY CM_LEAVE
#define CM_LEAVING_BLOCK CM_BLOCK
#define CM_THREADS(...)
#define CM_THREADS_MOSTLY(...)
#define CM_MOSTLY(...) ::cm::detail::all_are(__VA_ARGS__)
#define CM_RARELY(...) ::cm::detail::one_is(__VA_ARGS__)
#define CM_THREADS_BELOW(...) CM_THREADS
#define CM_BELOW(condition) condition
#define CM_STEPS(...)
#define CM_FIRST(value, width) value
#define CM_GOES(condition) condition
#define CM_NEXT(i, width) i += width
#define CM_ASKING_THREADS(...)
#define CM_CALLING_THREADS(...)
#define CM_BARRIER(...) __VA_ARGS__
#define CM_ALL_LEFT CM_NOTHING
#define CM_VALUES(...) ::cm::detail::one_value{}->*[&]
#define CM_ASKING_VALUES(...) CM_VALUES()
#define CM_CALL_FOR(...) ->*[&]
#define CM_LANES(function) function
#define CM_LANES_OF(group) group
#define CM_BLOCK_OF(...) __VA_ARGS__
#define CM_WHERE(mask) mask
#define CM_WHILE(mask)                                                                            \
    ;                                                                                             \
    mask;
#define CM_HERE CM_NOTHING
#define CM_BREAK(mask) break

#endif
