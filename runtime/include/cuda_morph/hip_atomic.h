/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_atomic.h - cuda::atomic, cuda::atomic_ref and names of cuda::std for ported
 * programs: ROCm has no libcu++.
 *
 * Header-only, C++14, for host and device. Operations are the compiler's own (__hip_atomic_*),
 * with CUDA's scopes as HIP's: a thread, a block, a device, the system. Arithmetic on what the
 * compiler has none for is a loop of compare and exchange, as is wait(), during which the lanes
 * of a wave stay together: a lane does not wait for another one of its wave.
 *
 * cuda::std has the standard library's names. Types, traits, constant expressions and, by what
 * clang puts around <cmath> and <complex>, mathematics of float and double work in kernels; which
 * others a port lets pass is a matter of its rules.
 */
#ifndef CUDA_MORPH_HIP_ATOMIC_H
#define CUDA_MORPH_HIP_ATOMIC_H

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <hip/hip_runtime.h>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#define CM_BOTH __host__ __device__ inline

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace cm_detail {

/* The integer that is as long as a value. */
template <size_t Bytes> struct word;
template <> struct word<1> { typedef uint8_t type; };
template <> struct word<2> { typedef uint16_t type; };
template <> struct word<4> { typedef uint32_t type; };
template <> struct word<8> { typedef uint64_t type; };

CM_BOTH constexpr int order(memory_order o) {
    return o == memory_order_relaxed   ? __ATOMIC_RELAXED
           : o == memory_order_consume ? __ATOMIC_ACQUIRE
           : o == memory_order_acquire ? __ATOMIC_ACQUIRE
           : o == memory_order_release ? __ATOMIC_RELEASE
           : o == memory_order_acq_rel ? __ATOMIC_ACQ_REL
                                       : __ATOMIC_SEQ_CST;
}
template <thread_scope> struct scoped { static constexpr int value = __HIP_MEMORY_SCOPE_SYSTEM; };
template <> struct scoped<thread_scope_device> {
    static constexpr int value = __HIP_MEMORY_SCOPE_AGENT;
};
template <> struct scoped<thread_scope_block> {
    static constexpr int value = __HIP_MEMORY_SCOPE_WORKGROUP;
};
template <> struct scoped<thread_scope_thread> {
    static constexpr int value = __HIP_MEMORY_SCOPE_SINGLETHREAD;
};

/* An operation with each order as a constant, which the builtins want. */
#define CM_ORDERED(o, operation)                                                                  \
    switch (order(o)) {                                                                           \
    case __ATOMIC_RELAXED:                                                                        \
        return operation(__ATOMIC_RELAXED);                                                       \
    case __ATOMIC_ACQUIRE:                                                                        \
        return operation(__ATOMIC_ACQUIRE);                                                       \
    case __ATOMIC_RELEASE:                                                                        \
        return operation(__ATOMIC_RELEASE);                                                       \
    case __ATOMIC_ACQ_REL:                                                                        \
        return operation(__ATOMIC_ACQ_REL);                                                       \
    default:                                                                                      \
        return operation(__ATOMIC_SEQ_CST);                                                       \
    }

/* Atomic operations on a value at p, by its word. */
template <class T, thread_scope Scope> struct at {
    static_assert(::std::is_trivially_copyable<T>::value, "what atomics can hold");
    typedef typename word<sizeof(T)>::type bits;
    enum { scope = scoped<Scope>::value };

    CM_BOTH static bits to_bits(T v) {
        bits b;
        __builtin_memcpy(&b, &v, sizeof(b));
        return b;
    }
    CM_BOTH static T from_bits(bits b) {
        T v;
        __builtin_memcpy(&v, &b, sizeof(b));
        return v;
    }
    CM_BOTH static bits load_bits(const bits *p, memory_order o) {
        switch (order(o)) {
        case __ATOMIC_RELAXED:
            return __hip_atomic_load(p, __ATOMIC_RELAXED, scope);
        case __ATOMIC_ACQUIRE:
            return __hip_atomic_load(p, __ATOMIC_ACQUIRE, scope);
        default:
            return __hip_atomic_load(p, __ATOMIC_SEQ_CST, scope);
        }
    }
    CM_BOTH static T load(const T *p, memory_order o) {
        return from_bits(load_bits(reinterpret_cast<const bits *>(p), o));
    }
    CM_BOTH static void store(T *to, T v, memory_order o) {
        bits *const p = reinterpret_cast<bits *>(to), b = to_bits(v);
        switch (order(o)) {
        case __ATOMIC_RELAXED:
            __hip_atomic_store(p, b, __ATOMIC_RELAXED, scope);
            break;
        case __ATOMIC_RELEASE:
            __hip_atomic_store(p, b, __ATOMIC_RELEASE, scope);
            break;
        default:
            __hip_atomic_store(p, b, __ATOMIC_SEQ_CST, scope);
            break;
        }
    }
    CM_BOTH static bits exchange_bits(bits *p, bits b, memory_order o){
#define CM_EXCHANGE(o) __hip_atomic_exchange(p, b, o, scope)
        CM_ORDERED(o, CM_EXCHANGE)
#undef CM_EXCHANGE
    } CM_BOTH static T exchange(T *p, T v, memory_order o) {
        return from_bits(exchange_bits(reinterpret_cast<bits *>(p), to_bits(v), o));
    }
    CM_BOTH static bool compare_bits(bits *p, bits *old, bits b, memory_order o){
#define CM_COMPARE(o)                                                                             \
    __hip_atomic_compare_exchange_strong(                                                         \
        p, old, b, o,                                                                             \
        (o) == __ATOMIC_RELEASE ? __ATOMIC_RELAXED                                                \
                                : ((o) == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : (o)),             \
        scope)
        CM_ORDERED(o, CM_COMPARE)
#undef CM_COMPARE
    } CM_BOTH static bool compare(T *p, T &expected, T v, memory_order o) {
        bits old = to_bits(expected);
        const bool same = compare_bits(reinterpret_cast<bits *>(p), &old, to_bits(v), o);
        if (!same) expected = from_bits(old);
        return same;
    }
    CM_BOTH static T add(T *p, T v, memory_order o, ::std::true_type) {
#define CM_ADD(o) __hip_atomic_fetch_add(p, v, o, scope)
        CM_ORDERED(o, CM_ADD)
#undef CM_ADD
    }
    template <class Step> CM_BOTH static T add(T *p, Step v, memory_order o, ::std::false_type) {
        return update(p, o, [v](T old) { return static_cast<T>(old + v); });
    }
    template <class F> CM_BOTH static T update(T *p, memory_order o, F f) {
        T old = load(p, memory_order_relaxed);
        while (!compare(p, old, f(old), o)) {
        }
        return old;
    }
};

/* What an atomic and a reference to one can do; Self has address(). */
template <class Self, class T, thread_scope Scope> class operations {
    typedef at<T, Scope> here;
    typedef typename ::std::conditional<::std::is_pointer<T>::value, ptrdiff_t, T>::type step;
    typedef ::std::integral_constant<bool, ::std::is_integral<T>::value && (sizeof(T) > 2)> counts;
    CM_BOTH T *place() const { return static_cast<const Self *>(this)->address(); }

  public:
    typedef T value_type;
    static constexpr bool is_always_lock_free = true;
    CM_BOTH bool is_lock_free() const { return true; }
    CM_BOTH T load(memory_order o = memory_order_seq_cst) const { return here::load(place(), o); }
    CM_BOTH operator T() const { return load(); }
    CM_BOTH void store(T v, memory_order o = memory_order_seq_cst) const {
        here::store(place(), v, o);
    }
    CM_BOTH T exchange(T v, memory_order o = memory_order_seq_cst) const {
        return here::exchange(place(), v, o);
    }
    CM_BOTH bool compare_exchange_strong(T &old, T v,
                                         memory_order o = memory_order_seq_cst) const {
        return here::compare(place(), old, v, o);
    }
    CM_BOTH bool compare_exchange_strong(T &old, T v, memory_order o, memory_order) const {
        return here::compare(place(), old, v,
                             o == memory_order_relaxed ? memory_order_acquire : o);
    }
    CM_BOTH bool compare_exchange_weak(T &old, T v, memory_order o = memory_order_seq_cst) const {
        return here::compare(place(), old, v, o);
    }
    CM_BOTH bool compare_exchange_weak(T &old, T v, memory_order o, memory_order failure) const {
        return compare_exchange_strong(old, v, o, failure);
    }
    CM_BOTH T fetch_add(step v, memory_order o = memory_order_seq_cst) const {
        return here::add(place(), v, o, counts());
    }
    CM_BOTH T fetch_sub(step v, memory_order o = memory_order_seq_cst) const {
        return here::add(place(), static_cast<step>(-v), o, counts());
    }
    CM_BOTH T fetch_and(T v, memory_order o = memory_order_seq_cst) const {
        return here::update(place(), o, [v](T old) { return static_cast<T>(old & v); });
    }
    CM_BOTH T fetch_or(T v, memory_order o = memory_order_seq_cst) const {
        return here::update(place(), o, [v](T old) { return static_cast<T>(old | v); });
    }
    CM_BOTH T fetch_xor(T v, memory_order o = memory_order_seq_cst) const {
        return here::update(place(), o, [v](T old) { return static_cast<T>(old ^ v); });
    }
    CM_BOTH T fetch_min(T v, memory_order o = memory_order_seq_cst) const {
        return here::update(place(), o, [v](T old) { return v < old ? v : old; });
    }
    CM_BOTH T fetch_max(T v, memory_order o = memory_order_seq_cst) const {
        return here::update(place(), o, [v](T old) { return old < v ? v : old; });
    }
    CM_BOTH T operator++() const { return fetch_add(1) + 1; }
    CM_BOTH T operator++(int) const { return fetch_add(1); }
    CM_BOTH T operator--() const { return fetch_sub(1) - 1; }
    CM_BOTH T operator--(int) const { return fetch_sub(1); }
    CM_BOTH T operator+=(step v) const { return static_cast<T>(fetch_add(v) + v); }
    CM_BOTH T operator-=(step v) const { return static_cast<T>(fetch_sub(v) - v); }
    CM_BOTH T operator&=(T v) const { return static_cast<T>(fetch_and(v) & v); }
    CM_BOTH T operator|=(T v) const { return static_cast<T>(fetch_or(v) | v); }
    CM_BOTH T operator^=(T v) const { return static_cast<T>(fetch_xor(v) ^ v); }
    CM_BOTH void wait(T old, memory_order o = memory_order_seq_cst) const {
        while (here::to_bits(load(o)) == here::to_bits(old)) {
        }
    }
    CM_BOTH void notify_one() const {}
    CM_BOTH void notify_all() const {}
};

} // namespace cm_detail

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public cm_detail::operations<atomic<T, Scope>, T, Scope> {
    alignas(sizeof(T)) mutable T value_;

  public:
    atomic() = default;
    CM_BOTH constexpr atomic(T v) : value_(v) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    CM_BOTH T operator=(T v) {
        this->store(v);
        return v;
    }
    CM_BOTH T *address() const { return &value_; }
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public cm_detail::operations<atomic_ref<T, Scope>, T, Scope> {
    T *p_;

  public:
    static constexpr size_t required_alignment = sizeof(T);
    CM_BOTH explicit atomic_ref(T &v) : p_(&v) {}
    atomic_ref(const atomic_ref &) = default;
    CM_BOTH T operator=(T v) const {
        this->store(v);
        return v;
    }
    CM_BOTH T *address() const { return p_; }
};

/** Nothing before it is moved behind what follows, for all threads of a scope. */
CM_BOTH void atomic_thread_fence(memory_order o, thread_scope scope = thread_scope_system) {
    if (o == memory_order_relaxed) return;
#ifdef __HIP_DEVICE_COMPILE__
    if (scope == thread_scope_system)
        __threadfence_system();
    else if (scope == thread_scope_device)
        __threadfence();
    else
        __threadfence_block();
#else
    (void)scope;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

namespace std {
using namespace ::std;
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
CM_BOTH void atomic_thread_fence(memory_order o) { ::cuda::atomic_thread_fence(o); }
} // namespace std

} // namespace cuda

#undef CM_ORDERED
#undef CM_BOTH

#endif
