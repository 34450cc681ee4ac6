// SPDX-License-Identifier: Apache-2.0
// CUDA's atomic functions: relaxed operations of sycl::atomic_ref, in the scope that their names
// say.
#ifndef CUDA_MORPH_SYCL_ATOMIC_HPP
#define CUDA_MORPH_SYCL_ATOMIC_HPP

#include <sycl/sycl.hpp>
#include <type_traits>

namespace cm {
namespace detail {

template <class T> using same = std::common_type_t<T>; // takes no part in deduction

template <class T, sycl::memory_scope Scope>
using atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, Scope,
                                sycl::access::address_space::generic_space>;

// What atomic_ref has no function for: tried until nobody was faster.
template <class A, class T, class F> T update(A a, F change, T) {
    T old = a.load();
    while (!a.compare_exchange_strong(old, change(old))) {
    }
    return old;
}

} // namespace detail
} // namespace cm

#define CM_ATOMICS(suffix, scope)                                                                 \
    template <class T> T atomicAdd##suffix(T *p, cm::detail::same<T> v) {                         \
        return cm::detail::atomic<T, scope>(*p).fetch_add(v);                                     \
    }                                                                                             \
    template <class T> T atomicSub##suffix(T *p, cm::detail::same<T> v) {                         \
        return cm::detail::atomic<T, scope>(*p).fetch_sub(v);                                     \
    }                                                                                             \
    template <class T> T atomicMin##suffix(T *p, cm::detail::same<T> v) {                         \
        return cm::detail::atomic<T, scope>(*p).fetch_min(v);                                     \
    }                                                                                             \
    template <class T> T atomicMax##suffix(T *p, cm::detail::same<T> v) {                         \
        return cm::detail::atomic<T, scope>(*p).fetch_max(v);                                     \
    }                                                                                             \
    template <class T> T atomicAnd##suffix(T *p, cm::detail::same<T> v) {                         \
        return cm::detail::atomic<T, scope>(*p).fetch_and(v);                                     \
    }                                                                                             \
    template <class T> T atomicOr##suffix(T *p, cm::detail::same<T> v) {                          \
        return cm::detail::atomic<T, scope>(*p).fetch_or(v);                                      \
    }                                                                                             \
    template <class T> T atomicXor##suffix(T *p, cm::detail::same<T> v) {                         \
        return cm::detail::atomic<T, scope>(*p).fetch_xor(v);                                     \
    }                                                                                             \
    template <class T> T atomicExch##suffix(T *p, cm::detail::same<T> v) {                        \
        return cm::detail::atomic<T, scope>(*p).exchange(v);                                      \
    }                                                                                             \
    template <class T>                                                                            \
    T atomicCAS##suffix(T *p, cm::detail::same<T> expected, cm::detail::same<T> v) {              \
        cm::detail::atomic<T, scope>(*p).compare_exchange_strong(expected, v);                    \
        return expected;                                                                          \
    }                                                                                             \
    inline unsigned atomicInc##suffix(unsigned *p, unsigned limit) {                              \
        return cm::detail::update(                                                                \
            cm::detail::atomic<unsigned, scope>(*p),                                              \
            [=](unsigned old) { return old >= limit ? 0u : old + 1; }, 0u);                       \
    }                                                                                             \
    inline unsigned atomicDec##suffix(unsigned *p, unsigned limit) {                              \
        return cm::detail::update(                                                                \
            cm::detail::atomic<unsigned, scope>(*p),                                              \
            [=](unsigned old) { return old == 0 || old > limit ? limit : old - 1; }, 0u);         \
    }

CM_ATOMICS(, sycl::memory_scope::device)
CM_ATOMICS(_block, sycl::memory_scope::work_group)
CM_ATOMICS(_system, sycl::memory_scope::system)
#undef CM_ATOMICS

#endif
