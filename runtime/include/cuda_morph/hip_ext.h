/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_ext.h - what CUDA C++ has and HIP lacks, for ported programs.
 *
 * Licensed under the Apache License, Version 2.0; see LICENSE in the project's root.
 *
 * Header-only, C++11, for HIP 5.2 and newer, for waves of 32 and of 64 lanes. A port includes it
 * where it needs something of it; nothing here is needed at link time.
 *
 * CUDA's warps have 32 lanes. Everything here that is called *_sync, *32 or cm_lane_id works on
 * groups of 32 lanes: on RDNA (wave32) that is the wave, on CDNA (wave64) a half of it, so the
 * results are those that CUDA gives. Masks are 32 bits wide. A lane that is not in its mask does
 * not count; the lanes of a mask must reach the call together, as in CUDA before Volta: AMD's
 * lanes have no program counters of their own.
 *
 * Names at file scope start with cm_; C++ names are in namespace cm. Those of CUDA's cooperative
 * groups that HIP does not have (reduce, inclusive_scan, exclusive_scan, memcpy_async, wait, plus,
 * less ...) are brought into namespace cooperative_groups as well, so cg::reduce(...) needs no
 * edit. Define CM_NO_COOPERATIVE_GROUPS where a newer HIP has them itself.
 */
#ifndef CUDA_MORPH_HIP_EXT_H
#define CUDA_MORPH_HIP_EXT_H

#include <hip/hip_runtime.h>
#ifndef CM_NO_COOPERATIVE_GROUPS
#include <hip/hip_cooperative_groups.h>
#endif

#if defined(__has_builtin)
#if __has_builtin(__hip_atomic_fetch_add)
#define CM_HAS_SCOPED_ATOMICS 1
#endif
#endif

#define CM_DEVICE __device__ inline __attribute__((always_inline))
#define CM_FULL_MASK 0xffffffffu

/* ---- shared memory ---- */

#ifdef __cplusplus
/** Memory of a block for a value that nobody constructs: __shared__ cm_shared<vector[32]> s. CUDA
 *  leaves such values as they are; clang refuses a shared variable of a class that has a
 *  constructor. */
template <class T> union cm_shared {
    T value;
    __device__ cm_shared() {}
    __device__ ~cm_shared() {}
};
#endif

/* ---- the host's side ---- */

/** CUDA's cuGetErrorName and cuGetErrorString, whose like HIP has from 5.4 on. */
inline hipError_t cm_error_name(hipError_t error, const char **name) {
    *name = hipGetErrorName(error);
    return hipSuccess;
}
inline hipError_t cm_error_string(hipError_t error, const char **text) {
    *text = hipGetErrorString(error);
    return hipSuccess;
}

/* ---- lanes and warps of 32 ---- */

/** The lane within its group of 32, CUDA's %laneid: 0 to 31. */
CM_DEVICE unsigned cm_lane_id() { return __lane_id() & 31u; }

/** CUDA's %lanemask_eq, _lt, _le, _gt and _ge: bits of the lanes that compare so with this one. */
CM_DEVICE unsigned cm_lanemask_eq() { return 1u << cm_lane_id(); }
CM_DEVICE unsigned cm_lanemask_lt() { return cm_lanemask_eq() - 1u; }
CM_DEVICE unsigned cm_lanemask_le() { return cm_lanemask_lt() | cm_lanemask_eq(); }
CM_DEVICE unsigned cm_lanemask_gt() { return ~cm_lanemask_le(); }
CM_DEVICE unsigned cm_lanemask_ge() { return ~cm_lanemask_lt(); }

/** Bits of the lanes of this group of 32 for which predicate holds; lanes not here give 0. */
CM_DEVICE unsigned cm_ballot32(int predicate) {
    return static_cast<unsigned>(__ballot(predicate) >> (__lane_id() & 32u));
}

/** CUDA's __activemask(): the lanes of this group of 32 that are here. */
CM_DEVICE unsigned cm_activemask32() { return cm_ballot32(1); }

/** CUDA's votes without a mask, for a group of 32. */
CM_DEVICE int cm_any32(int predicate) { return cm_ballot32(predicate) != 0; }
CM_DEVICE int cm_all32(int predicate) { return cm_ballot32(!predicate) == 0; }

/** CUDA's __ballot_sync, __any_sync, __all_sync. */
CM_DEVICE unsigned cm_ballot_sync(unsigned mask, int predicate) {
    return cm_ballot32(predicate) & mask;
}
CM_DEVICE int cm_any_sync(unsigned mask, int predicate) {
    return (cm_ballot32(predicate) & mask) != 0;
}
CM_DEVICE int cm_all_sync(unsigned mask, int predicate) {
    return (cm_ballot32(!predicate) & mask) == 0;
}

/**
 * CUDA's __syncwarp: the lanes of the wave meet, and what they wrote before (to shared and global
 * memory) is seen by the others after. It spans the whole wave, which holds the mask's lanes.
 */
CM_DEVICE void cm_syncwarp(unsigned = CM_FULL_MASK) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

namespace cm {
namespace detail {

/* Moves any copyable value through f, which moves one 32-bit word from lane to lane. */
template <class T, class F> CM_DEVICE T by_words(T value, F f) {
    int word[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(word, &value, sizeof(T));
    for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) word[i] = f(word[i]);
    __builtin_memcpy(&value, word, sizeof(T));
    return value;
}

struct from_lane {
    int lane, width;
    CM_DEVICE int operator()(int word) const { return __shfl(word, lane, width); }
};
struct from_above {
    unsigned delta;
    int width;
    CM_DEVICE int operator()(int word) const { return __shfl_down(word, delta, width); }
};
struct from_below {
    unsigned delta;
    int width;
    CM_DEVICE int operator()(int word) const { return __shfl_up(word, delta, width); }
};
struct from_xor {
    int lanes, width;
    CM_DEVICE int operator()(int word) const { return __shfl_xor(word, lanes, width); }
};

} // namespace detail
} // namespace cm

/**
 * CUDA's shuffles, for a value of any trivially copyable type (HIP 5.2 has no half among its own).
 * width is a power of two up to 32. The mask only has to name lanes that are here.
 */
template <class T> CM_DEVICE T cm_shfl_sync(unsigned, T value, int lane, int width = 32) {
    return cm::detail::by_words(value, cm::detail::from_lane{lane, width});
}
template <class T>
CM_DEVICE T cm_shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {
    return cm::detail::by_words(value, cm::detail::from_above{delta, width});
}
template <class T> CM_DEVICE T cm_shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {
    return cm::detail::by_words(value, cm::detail::from_below{delta, width});
}
template <class T> CM_DEVICE T cm_shfl_xor_sync(unsigned, T value, int lanes, int width = 32) {
    return cm::detail::by_words(value, cm::detail::from_xor{lanes, width});
}

/* ---- operators, as cooperative groups name them ---- */

namespace cm {

template <class T> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
/** The lesser of two, not a comparison. */
template <class T> struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
/** The greater of two, not a comparison. */
template <class T> struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};

namespace detail {

/*
 * The value of op over the lanes of mask that are here. When all 32 are, five exchanges do;
 * otherwise every lane looks at all 32, so that lanes with different masks stay together.
 */
template <class T, class Op> CM_DEVICE T reduce_sync(unsigned mask, T value, Op op) {
    mask &= cm_activemask32();
    if (cm_all32(mask == CM_FULL_MASK)) {
        for (int lanes = 16; lanes > 0; lanes >>= 1)
            value = op(value, cm_shfl_xor_sync(mask, value, lanes));
        return value;
    }
    T result = value;
    bool first = true;
    for (int lane = 0; lane < 32; lane++) {
        T other = cm_shfl_sync(mask, value, lane);
        if ((mask >> lane & 1u) == 0) continue;
        result = first ? other : op(result, other);
        first = false;
    }
    return result;
}

} // namespace detail
} // namespace cm

/** CUDA's __reduce_add_sync and its like (compute capability 8.0): every lane gets the result. */
template <class T> CM_DEVICE T cm_reduce_add_sync(unsigned mask, T value) {
    return cm::detail::reduce_sync(mask, value, cm::plus<T>());
}
template <class T> CM_DEVICE T cm_reduce_min_sync(unsigned mask, T value) {
    return cm::detail::reduce_sync(mask, value, cm::less<T>());
}
template <class T> CM_DEVICE T cm_reduce_max_sync(unsigned mask, T value) {
    return cm::detail::reduce_sync(mask, value, cm::greater<T>());
}
template <class T> CM_DEVICE T cm_reduce_and_sync(unsigned mask, T value) {
    return cm::detail::reduce_sync(mask, value, cm::bit_and<T>());
}
template <class T> CM_DEVICE T cm_reduce_or_sync(unsigned mask, T value) {
    return cm::detail::reduce_sync(mask, value, cm::bit_or<T>());
}
template <class T> CM_DEVICE T cm_reduce_xor_sync(unsigned mask, T value) {
    return cm::detail::reduce_sync(mask, value, cm::bit_xor<T>());
}

/** CUDA's __match_any_sync: the lanes of mask whose value is the same, bit for bit, as this one's.
 */
template <class T> CM_DEVICE unsigned cm_match_any_sync(unsigned mask, T value) {
    static_assert(sizeof(T) <= 8, "a value of at most 8 bytes");
    unsigned same = 0, own[2] = {};
    __builtin_memcpy(own, &value, sizeof(T));
    for (int lane = 0; lane < 32; lane++) {
        bool equal = cm_shfl_sync(mask, own[0], lane) == own[0];
        if (sizeof(T) > 4) equal &= cm_shfl_sync(mask, own[1], lane) == own[1];
        if (equal) same |= 1u << lane;
    }
    return same & mask & cm_activemask32();
}

/** CUDA's __match_all_sync: mask if all its lanes have the same value, else 0; *same says so. */
template <class T> CM_DEVICE unsigned cm_match_all_sync(unsigned mask, T value, int *same) {
    unsigned all = mask & cm_activemask32();
    unsigned equal = cm_match_any_sync(mask, value);
    *same = equal == all;
    return *same ? mask : 0u;
}

/* ---- waiting and stopping ---- */

/** CUDA's __nanosleep: about that long; the shader clock is not known, 64 cycles count as 32 ns.
 */
CM_DEVICE void cm_nanosleep(unsigned nanoseconds) {
    for (unsigned slept = 0; slept < nanoseconds && slept < 1000000u; slept += 32u)
        __builtin_amdgcn_s_sleep(1);
}

/** CUDA's __trap and __brkpt; macros with them are used in functions for both sides. */
__host__ __device__ inline void cm_trap() { __builtin_trap(); }
__host__ __device__ inline void cm_brkpt() { __builtin_debugtrap(); }

/* ---- atomics of a block ---- */

/*
 * CUDA's atomicAdd_block and its like promise atomicity within the block only. With clang's scoped
 * atomics they are just that; without them, HIP's atomics of the device promise more and do.
 */
#ifdef CM_HAS_SCOPED_ATOMICS
#define CM_BLOCK_ATOMIC(cuda, builtin)                                                            \
    template <class T, class V> CM_DEVICE T cm_##cuda##_block(T *address, V value) {              \
        return builtin(address, static_cast<T>(value), __ATOMIC_RELAXED,                          \
                       __HIP_MEMORY_SCOPE_WORKGROUP);                                             \
    }
#else
#define CM_BLOCK_ATOMIC(cuda, builtin)                                                            \
    template <class T, class V> CM_DEVICE T cm_##cuda##_block(T *address, V value) {              \
        return cuda(address, static_cast<T>(value));                                              \
    }
#endif
/* Those whose builtin does not take every type that CUDA takes go to the device's scope. */
#define CM_BLOCK_AS_DEVICE(cuda)                                                                  \
    template <class T, class V> CM_DEVICE T cm_##cuda##_block(T *address, V value) {              \
        return cuda(address, static_cast<T>(value));                                              \
    }

CM_BLOCK_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
CM_BLOCK_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
CM_BLOCK_ATOMIC(atomicOr, __hip_atomic_fetch_or)
CM_BLOCK_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
CM_BLOCK_ATOMIC(atomicExch, __hip_atomic_exchange)
CM_BLOCK_AS_DEVICE(atomicSub)
CM_BLOCK_AS_DEVICE(atomicMin)
CM_BLOCK_AS_DEVICE(atomicMax)
CM_BLOCK_AS_DEVICE(atomicInc)
CM_BLOCK_AS_DEVICE(atomicDec)

template <class T, class C, class V>
CM_DEVICE T cm_atomicCAS_block(T *address, C compare, V value) {
    return atomicCAS(address, static_cast<T>(compare), static_cast<T>(value));
}

/* ---- atomics that HIP has not for all types, nor for all devices ---- */

/** CUDA's atomicInc_system and atomicDec_system: count up to, or down from, a limit. */
CM_DEVICE unsigned cm_atomicInc_system(unsigned *address, unsigned limit) {
    unsigned old = *address, seen;
    do {
        seen = old;
        old = atomicCAS_system(address, seen, seen >= limit ? 0u : seen + 1u);
    } while (old != seen);
    return old;
}
CM_DEVICE unsigned cm_atomicDec_system(unsigned *address, unsigned limit) {
    unsigned old = *address, seen;
    do {
        seen = old;
        old = atomicCAS_system(address, seen, seen == 0u || seen > limit ? limit : seen - 1u);
    } while (old != seen);
    return old;
}

/** CUDA's atomicAdd of half, half2 and their like: any type of 2 or 4 bytes that has a +. */
template <class T> CM_DEVICE T cm_atomicAdd(T *address, T value) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "two bytes or four");
    size_t at = reinterpret_cast<size_t>(address);
    unsigned *word = reinterpret_cast<unsigned *>(at & ~static_cast<size_t>(3));
    unsigned shift = static_cast<unsigned>(at & 3) * 8u,
             mask = 0xffffffffu >> (32u - 8u * sizeof(T));
    unsigned old = *word, seen;
    T before;
    do {
        seen = old;
        unsigned part = seen >> shift & mask;
        __builtin_memcpy(&before, &part, sizeof(T));
        T sum = before + value;
        __builtin_memcpy(&part, &sum, sizeof(T));
        old = atomicCAS(word, seen, (seen & ~(mask << shift)) | part << shift);
    } while (old != seen);
    return before;
}

#undef CM_BLOCK_ATOMIC
#undef CM_BLOCK_AS_DEVICE

/* ---- arithmetic ---- */

/** CUDA's __dp4a: the products of four pairs of bytes, summed up with c. */
CM_DEVICE int cm_dp4a(int a, int b, int c) {
    for (int shift = 0; shift < 32; shift += 8)
        c += static_cast<signed char>(a >> shift) * static_cast<signed char>(b >> shift);
    return c;
}
CM_DEVICE unsigned cm_dp4a(unsigned a, unsigned b, unsigned c) {
    for (int shift = 0; shift < 32; shift += 8) c += (a >> shift & 255u) * (b >> shift & 255u);
    return c;
}
CM_DEVICE int cm_dp4a(char4 a, char4 b, int c) {
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
CM_DEVICE unsigned cm_dp4a(uchar4 a, uchar4 b, unsigned c) {
    return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/** CUDA's __dp2a_lo and __dp2a_hi: two 16-bit halves of a times the low or high bytes of b. */
CM_DEVICE int cm_dp2a_lo(int a, int b, int c) {
    return c + static_cast<short>(a) * static_cast<signed char>(b) +
           (a >> 16) * static_cast<signed char>(b >> 8);
}
CM_DEVICE int cm_dp2a_hi(int a, int b, int c) { return cm_dp2a_lo(a, b >> 16, c); }
CM_DEVICE unsigned cm_dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 65535u) * (b & 255u) + (a >> 16) * (b >> 8 & 255u);
}
CM_DEVICE unsigned cm_dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return cm_dp2a_lo(a, b >> 16, c);
}

#include "cuda_morph/ptx.h"

/* ---- loads and stores with a cache operator ---- */

/**
 * CUDA's __ldca, __ldcg, __ldcs, __ldlu, __ldcv and __stwb, __stcg, __stcs, __stwt: the operator
 * is a hint about the cache and is dropped; cv and wt promise freshness, so they bring a fence.
 */
template <class T> CM_DEVICE T cm_ldca(const T *from) { return *from; }
template <class T> CM_DEVICE T cm_ldcg(const T *from) { return *from; }
template <class T> CM_DEVICE T cm_ldcs(const T *from) { return *from; }
template <class T> CM_DEVICE T cm_ldlu(const T *from) { return *from; }
template <class T> CM_DEVICE T cm_ldcv(const T *from) {
    __threadfence();
    return *from;
}
template <class T, class V> CM_DEVICE void cm_stwb(T *to, V value) { *to = value; }
template <class T, class V> CM_DEVICE void cm_stcg(T *to, V value) { *to = value; }
template <class T, class V> CM_DEVICE void cm_stcs(T *to, V value) { *to = value; }
template <class T, class V> CM_DEVICE void cm_stwt(T *to, V value) {
    *to = value;
    __threadfence();
}

/* ---- asynchronous copies, made at once ---- */

/**
 * CUDA's __pipeline_memcpy_async, __pipeline_commit and __pipeline_wait_prior. The copy is made
 * where it is asked for; since its result may only be read after a wait, no reader can tell.
 * zero_fill bytes at the end are cleared instead.
 */
CM_DEVICE void cm_pipeline_memcpy_async(void *to, const void *from, size_t size,
                                        size_t zero_fill = 0) {
    size_t copied = size - zero_fill;
    if (size == 16 && zero_fill == 0) {
        *static_cast<int4 *>(to) = *static_cast<const int4 *>(from);
    } else if (size == 8 && zero_fill == 0) {
        *static_cast<int2 *>(to) = *static_cast<const int2 *>(from);
    } else if (size == 4 && zero_fill == 0) {
        *static_cast<int *>(to) = *static_cast<const int *>(from);
    } else {
        for (size_t i = 0; i < size; i++)
            static_cast<char *>(to)[i] = i < copied ? static_cast<const char *>(from)[i] : 0;
    }
}
CM_DEVICE void cm_pipeline_commit() {}
CM_DEVICE void cm_pipeline_wait_prior(size_t) {}

/* ---- cooperative groups ---- */

#ifndef CM_NO_COOPERATIVE_GROUPS
namespace cm {
namespace detail {

/* A word of the lane with that rank in the group: groups of HIP shuffle numbers only. */
template <class Group> struct from_rank {
    const Group &group;
    int rank;
    CM_DEVICE int operator()(int word) const { return group.shfl(word, rank); }
};
template <class T, class Group> CM_DEVICE T of_rank(const Group &group, T value, int rank) {
    return by_words(value, from_rank<Group>{group, rank});
}

} // namespace detail

/**
 * CUDA's cg::reduce over a tile or coalesced threads: op over the values of all threads of the
 * group, in the order of their ranks; every thread gets the result.
 */
template <class Group, class T, class Op> CM_DEVICE T reduce(const Group &group, T value, Op op) {
    T result = detail::of_rank(group, value, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = op(result, detail::of_rank(group, value, static_cast<int>(rank)));
    return result;
}

/* A tile has a power of two as its size, so halving exchanges reach every thread. */
template <unsigned Size, class Parent, class T, class Op>
CM_DEVICE T reduce(const cooperative_groups::thread_block_tile<Size, Parent> &, T value, Op op) {
    for (int lanes = Size / 2; lanes > 0; lanes /= 2)
        value = op(value, detail::by_words(value, detail::from_xor{lanes, Size}));
    return value;
}

/** CUDA's cg::inclusive_scan: op over the values of the threads up to and with this one. */
template <class Group, class T, class Op>
CM_DEVICE T inclusive_scan(const Group &group, T value, Op op) {
    unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned step = 1; step < size; step *= 2) {
        int source = static_cast<int>(rank < step ? rank : rank - step);
        T other = detail::of_rank(group, value, source);
        if (rank >= step) value = op(other, value);
    }
    return value;
}
template <class Group, class T> CM_DEVICE T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

/** CUDA's cg::exclusive_scan: the same without this thread's value; the first gets T(). */
template <class Group, class T, class Op>
CM_DEVICE T exclusive_scan(const Group &group, T value, Op op) {
    unsigned rank = group.thread_rank();
    T sum = inclusive_scan(group, value, op);
    T before = detail::of_rank(group, sum, static_cast<int>(rank ? rank - 1 : 0));
    return rank ? before : T();
}
template <class Group, class T> CM_DEVICE T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

/** CUDA's cg::memcpy_async: the group's threads share the copy, which is over after cm::wait. */
template <class Group, class T>
CM_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    char *target = reinterpret_cast<char *>(to);
    const char *source = reinterpret_cast<const char *>(from);
    size_t whole = bytes / sizeof(T), step = group.size();
    for (size_t i = group.thread_rank(); i < whole; i += step) to[i] = from[i];
    for (size_t i = whole * sizeof(T) + group.thread_rank(); i < bytes; i += step)
        target[i] = source[i];
}

/** CUDA's cg::wait and cg::wait_prior: the copies are made, the group's threads meet. */
template <class Group> CM_DEVICE void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group> CM_DEVICE void wait_prior(const Group &group) {
    group.sync();
}

/** CUDA's cg::invoke_one: one thread of the group calls f. */
template <class Group, class F, class... Args>
CM_DEVICE void invoke_one(const Group &group, F &&f, Args &&...args) {
    if (group.thread_rank() == 0) f(args...);
}

/**
 * Votes of a tile, which HIP 5.2 has no members for: bit i is the tile's thread i. Tiles of at
 * most 32 threads, as in CUDA.
 */
template <unsigned Size, class Parent>
CM_DEVICE unsigned ballot(const cooperative_groups::thread_block_tile<Size, Parent> &,
                          int predicate) {
    static_assert(Size <= 32, "CUDA's tiles have ballots up to 32 threads");
    return cm_ballot32(predicate) >> (cm_lane_id() & ~(Size - 1u)) &
           (CM_FULL_MASK >> (32u - Size));
}
template <unsigned Size, class Parent>
CM_DEVICE int any(const cooperative_groups::thread_block_tile<Size, Parent> &tile, int predicate) {
    return ballot(tile, predicate) != 0;
}
template <unsigned Size, class Parent>
CM_DEVICE int all(const cooperative_groups::thread_block_tile<Size, Parent> &tile, int predicate) {
    return ballot(tile, !predicate) == 0;
}

/** A tile's number in its block and the number of tiles, which HIP 5.2 has no members for. */
template <unsigned Size, class Parent>
CM_DEVICE unsigned meta_group_rank(const cooperative_groups::thread_block_tile<Size, Parent> &) {
    return cooperative_groups::this_thread_block().thread_rank() / Size;
}
template <unsigned Size, class Parent>
CM_DEVICE unsigned meta_group_size(const cooperative_groups::thread_block_tile<Size, Parent> &) {
    return (cooperative_groups::this_thread_block().size() + Size - 1u) / Size;
}

} // namespace cm

namespace cooperative_groups {
using cm::bit_and;
using cm::bit_or;
using cm::bit_xor;
using cm::exclusive_scan;
using cm::greater;
using cm::inclusive_scan;
using cm::invoke_one;
using cm::less;
using cm::memcpy_async;
using cm::plus;
using cm::reduce;
using cm::wait;
using cm::wait_prior;
} // namespace cooperative_groups
#endif

#endif
