// SPDX-License-Identifier: Apache-2.0
// Atomic functions, with their _block and _system forms. CUDA's are relaxed; these acquire and
// release, since programs read what other blocks wrote in front of one fence (NVIDIA's sample
// threadFenceReduction): GPUs let that pass, a CPU with weak order and ThreadSanitizer do not.
#ifndef CUDA_MORPH_CPU_ATOMIC_HPP
#define CUDA_MORPH_CPU_ATOMIC_HPP

#include <cuda_morph/cpu/kernel.hpp>
#include <string.h>

namespace cm {
namespace detail {

// A thread that tries in vain, and still sees this value there, may be waiting for another one of
// its block, or for another block: let those run.
template <class T> inline void in_vain(const volatile void *place, const T &value) {
    if (++failures % 16) return;
    uint64_t seen = 0;
    memcpy(&seen, static_cast<const void *>(&value), sizeof value < 8 ? sizeof value : 8);
    give_way(const_cast<const void *>(place), seen);
}

// The condition of a loop that goes on until another thread writes.
inline bool spun(bool value) {
    if (value != (spun_last != 0)) {
        spun_last = value;
        advances++;
    } else if (++failures % 16 == 0) {
        give_way(&failures, value);
    }
    return value;
}
#define CM_SPIN(...) (::cm::detail::spun(static_cast<bool>((__VA_ARGS__))))

template <size_t Size> struct bits_of;
template <> struct bits_of<2> { using type = unsigned short; };
template <> struct bits_of<4> { using type = unsigned int; };
template <> struct bits_of<8> { using type = unsigned long long; };

// Replaces *p by next(*p) and returns what was there; for every type of 2, 4 or 8 bytes.
template <class T, class Next> inline T exchange_by(T *p, Next next) {
    using bits = typename bits_of<sizeof(T)>::type;
    bits *const place = reinterpret_cast<bits *>(p);
    bits seen = __atomic_load_n(place, __ATOMIC_ACQUIRE), wanted;
    T before, after;
    do {
        memcpy(static_cast<void *>(&before), &seen, sizeof before);
        after = next(before);
        memcpy(&wanted, static_cast<const void *>(&after), sizeof wanted);
        if (wanted == seen) break;
    } while (!__atomic_compare_exchange_n(place, &seen, wanted, true, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return before;
}

// The forms for one block: its threads never run at the same time. The accesses are volatile since
// a loop over the threads may be vectorised, and several of them may mean the same place.
template <class T, class Next> inline T plain_by(T *p, Next next) {
#ifdef CUDA_MORPH_WATCHED // that they are atomic has to be seen
    return exchange_by(p, next);
#endif
    volatile T *const place = p;
    const T before = *place;
    *place = next(before);
    return before;
}

template <class T> inline T block_add(T *p, T v) {
#ifdef CUDA_MORPH_WATCHED
    return exchange_by(p, [v](T before) { return static_cast<T>(before + v); });
#endif
    volatile T *const place = p;
    const T before = *place;
    *place = static_cast<T>(before + v);
    if (v == T(0)) in_vain(p, before);
    return before;
}

template <class T> inline T atomic_add(T *p, T v) {
    if constexpr (std::is_integral<T>::value) {
        const T before = __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
        if (v == T(0))
            in_vain(p, before); // a load in disguise: perhaps of a flag
        else
            advances++;
        return before;
    } else {
        return exchange_by(p, [v](T old) { return static_cast<T>(old + v); });
    }
}
template <class T> inline T atomic_exchange(T *p, T v) {
    const T before = exchange_by(p, [v](T) { return v; });
    if (!memcmp(&before, &v, sizeof v))
        in_vain(p, before); // how locks are tried
    else
        advances++;
    return before;
}
template <class T> inline T atomic_cas(T *p, T expected, T wanted) {
    using bits = typename bits_of<sizeof(T)>::type;
    bits seen, next;
    memcpy(&seen, static_cast<const void *>(&expected), sizeof seen);
    memcpy(&next, static_cast<const void *>(&wanted), sizeof next);
    bits *const place = reinterpret_cast<bits *>(p);
    if (!__atomic_compare_exchange_n(place, &seen, next, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        in_vain(place, seen);
    else if (next != seen)
        advances++;
    else
        in_vain(place, seen); // a load in disguise, too
    T before;
    memcpy(static_cast<void *>(&before), &seen, sizeof before);
    return before;
}

// What an operation found that may be a load in disguise: it changes nothing.
template <class T> inline T found(T *p, T before, bool only_looks) {
    if (only_looks) in_vain(p, before);
    return before;
}

} // namespace detail
} // namespace cm

#define CM_ATOMIC_AS(suffix, name, T, expression)                                                 \
    inline T name##suffix(T *p, T v) { return expression; }
#define CM_ATOMIC(name, T, expression, in_block)                                                  \
    CM_ATOMIC_AS(, name, T, expression)                                                           \
    CM_ATOMIC_AS(_block, name, T, in_block)                                                       \
    CM_ATOMIC_AS(_system, name, T, expression)
#define CM_ATOMIC_NEXT(name, T, expression, next)                                                 \
    CM_ATOMIC(name, T, expression, ::cm::detail::plain_by(p, [v](T old) -> T { return next; }))
#define CM_ATOMIC_LOOK(name, T, expression, looks, next)                                          \
    CM_ATOMIC_NEXT(name, T, ::cm::detail::found(p, static_cast<T>(expression), looks), next)
#define CM_ATOMIC_BY(name, T, next)                                                               \
    CM_ATOMIC_NEXT(name, T, ::cm::detail::exchange_by(p, [v](T old) -> T { return next; }), next)

#define CM_ATOMIC_BITS(T)                                                                         \
    CM_ATOMIC_LOOK(atomicAnd, T, __atomic_fetch_and(p, v, __ATOMIC_ACQ_REL), ~v == 0, old & v)    \
    CM_ATOMIC_LOOK(atomicOr, T, __atomic_fetch_or(p, v, __ATOMIC_ACQ_REL), v == 0, old | v)       \
    CM_ATOMIC_LOOK(atomicXor, T, __atomic_fetch_xor(p, v, __ATOMIC_ACQ_REL), v == 0, old ^ v)
#define CM_ATOMIC_ADD(T)                                                                          \
    CM_ATOMIC(atomicAdd, T, ::cm::detail::atomic_add(p, v), ::cm::detail::block_add(p, v))
#define CM_ATOMIC_EXCHANGE(T)                                                                     \
    CM_ATOMIC(atomicExch, T, ::cm::detail::atomic_exchange(p, v),                                 \
              ::cm::detail::atomic_exchange(p, v))
#define CM_ATOMIC_INTEGER(T)                                                                      \
    CM_ATOMIC_ADD(T)                                                                              \
    CM_ATOMIC_EXCHANGE(T)                                                                         \
    CM_ATOMIC_BY(atomicMin, T, v < old ? v : old)                                                 \
    CM_ATOMIC_BY(atomicMax, T, old < v ? v : old)                                                 \
    CM_ATOMIC_BITS(T)

CM_ATOMIC_INTEGER(int)
CM_ATOMIC_INTEGER(unsigned int)
CM_ATOMIC_INTEGER(unsigned long long)
CM_ATOMIC_BY(atomicMin, long long, v < old ? v : old)
CM_ATOMIC_BY(atomicMax, long long, old < v ? v : old)
CM_ATOMIC_BITS(long long)
CM_ATOMIC_LOOK(atomicSub, int, __atomic_fetch_sub(p, v, __ATOMIC_ACQ_REL), v == 0, old - v)
CM_ATOMIC_LOOK(atomicSub, unsigned int, __atomic_fetch_sub(p, v, __ATOMIC_ACQ_REL), v == 0,
               old - v)
CM_ATOMIC_BY(atomicInc, unsigned int, old >= v ? 0 : old + 1)
CM_ATOMIC_BY(atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)
CM_ATOMIC_ADD(float)
CM_ATOMIC_ADD(double)
CM_ATOMIC_EXCHANGE(float)

#define CM_ATOMIC_CAS(suffix, T)                                                                  \
    inline T atomicCAS##suffix(T *p, T expected, T wanted) {                                      \
        return ::cm::detail::atomic_cas(p, expected, wanted);                                     \
    }
#define CM_ATOMIC_CAS_ALL(T) CM_ATOMIC_CAS(, T) CM_ATOMIC_CAS(_block, T) CM_ATOMIC_CAS(_system, T)
CM_ATOMIC_CAS_ALL(int)
CM_ATOMIC_CAS_ALL(unsigned int)
CM_ATOMIC_CAS_ALL(unsigned long long)
CM_ATOMIC_CAS_ALL(unsigned short)

#undef CM_ATOMIC_AS
#undef CM_ATOMIC
#undef CM_ATOMIC_BY
#undef CM_ATOMIC_NEXT
#undef CM_ATOMIC_LOOK
#undef CM_ATOMIC_BITS
#undef CM_ATOMIC_ADD
#undef CM_ATOMIC_EXCHANGE
#undef CM_ATOMIC_INTEGER
#undef CM_ATOMIC_CAS
#undef CM_ATOMIC_CAS_ALL

#endif
