/* SPDX-License-Identifier: Apache-2.0 */
// cuda::atomic and cuda::std: the standard library's own, which all threads of a kernel share.
#ifndef CUDA_MORPH_ATOMIC_H
#define CUDA_MORPH_ATOMIC_H

extern "C++" { // it may be included within extern "C"

#include <atomic>
#include <chrono>
#include <complex>
#include <cuda_morph/barrier.h>
#include <cuda_morph/cpu/std.hpp>

namespace cm {
namespace detail {
inline thread_local const volatile void *looked_at = nullptr;

// What a load finds; where the one before it was of the same place, its thread may be waiting.
template <class P, class T> inline T looked(const volatile P *place, T value) {
    if (looked_at == place)
        in_vain(place, value);
    else
        looked_at = place;
    return value;
}
} // namespace detail
} // namespace cm

namespace cuda {

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

template <class T, thread_scope = thread_scope_system> class atomic : public ::std::atomic<T> {
  public:
    using ::std::atomic<T>::atomic;
    using ::std::atomic<T>::operator=;
    T load(memory_order order = memory_order_seq_cst) const noexcept {
        return cm::detail::looked(this, ::std::atomic<T>::load(order));
    }
    T load(memory_order order = memory_order_seq_cst) const volatile noexcept {
        return cm::detail::looked(this, ::std::atomic<T>::load(order));
    }
    operator T() const noexcept { return load(); }
    operator T() const volatile noexcept { return load(); }
    T fetch_min(T v) {
        T old = this->load();
        while (v < old && !this->compare_exchange_weak(old, v)) {
        }
        return old;
    }
    T fetch_max(T v) {
        T old = this->load();
        while (old < v && !this->compare_exchange_weak(old, v)) {
        }
        return old;
    }
};

// An atomic view of a variable of the program's.
template <class T, thread_scope = thread_scope_system> class atomic_ref {
    T *p_;
    template <class F> T update(F f) const {
        T old = load(), next;
        do next = f(old);
        while (!compare_exchange_weak(old, next));
        return old;
    }

  public:
    explicit atomic_ref(T &v) : p_(&v) {}
    T load(memory_order = memory_order_seq_cst) const {
        T v;
        __atomic_load(p_, &v, __ATOMIC_SEQ_CST);
        return cm::detail::looked(p_, v);
    }
    void store(T v, memory_order = memory_order_seq_cst) const {
        __atomic_store(p_, &v, __ATOMIC_SEQ_CST);
    }
    T exchange(T v, memory_order = memory_order_seq_cst) const {
        T old;
        __atomic_exchange(p_, &v, &old, __ATOMIC_SEQ_CST);
        return old;
    }
    bool compare_exchange_weak(T &old, T v, memory_order = memory_order_seq_cst) const {
        return __atomic_compare_exchange(p_, &old, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    bool compare_exchange_strong(T &old, T v, memory_order order = memory_order_seq_cst) const {
        return compare_exchange_weak(old, v, order);
    }
    T fetch_add(T v, memory_order = memory_order_seq_cst) const {
        return update([v](T old) { return static_cast<T>(old + v); });
    }
    T fetch_sub(T v, memory_order = memory_order_seq_cst) const {
        return update([v](T old) { return static_cast<T>(old - v); });
    }
    T fetch_min(T v, memory_order = memory_order_seq_cst) const {
        return update([v](T old) { return v < old ? v : old; });
    }
    T fetch_max(T v, memory_order = memory_order_seq_cst) const {
        return update([v](T old) { return old < v ? v : old; });
    }
    T operator++() const { return fetch_add(T(1)) + T(1); }
    T operator++(int) const { return fetch_add(T(1)); }
    T operator+=(T v) const { return fetch_add(v) + v; }
    T operator=(T v) const { return store(v), v; }
    operator T() const { return load(); }
};
inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) {
    __threadfence();
}

} // namespace cuda

} // extern "C++"

#endif
