// SPDX-License-Identifier: Apache-2.0
// CUDA's atomic functions: relaxed operations of sycl::atomic_ref, in the scope that their names
// say.
#ifndef CUDA_MORPH_SYCL_ATOMIC_HPP
#define CUDA_MORPH_SYCL_ATOMIC_HPP

#include <cstdint>
#include <cstring>
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

// The same of what is no number of four or eight bytes: the word that holds it is exchanged,
// lowest byte first.
template <sycl::memory_scope Scope, class T, class F> T update_in_word(T *p, F change) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "one word holds it");
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(p);
    const unsigned shift = static_cast<unsigned>(at & 3) * 8;
    const unsigned mask = (sizeof(T) == 4 ? ~0u : 0xffffu) << shift;
    atomic<unsigned, Scope> word(*reinterpret_cast<unsigned *>(at & ~std::uintptr_t(3)));
    unsigned seen = word.load();
    for (;;) {
        const unsigned bits = (seen & mask) >> shift;
        T old;
        std::memcpy(static_cast<void *>(&old), &bits, sizeof old);
        const T next = change(old);
        unsigned set = 0;
        std::memcpy(&set, static_cast<const void *>(&next), sizeof next);
        if (word.compare_exchange_strong(seen, (seen & ~mask) | set << shift)) return old;
    }
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
    inline unsigned short atomicCAS##suffix(unsigned short *p, unsigned short expected,           \
                                            unsigned short v) {                                   \
        return cm::detail::update_in_word<scope>(                                                 \
            p, [=](unsigned short old) { return old == expected ? v : old; });                    \
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
