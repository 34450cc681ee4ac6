// SPDX-License-Identifier: Apache-2.0
// Warp operations: shuffles, votes, matches, reductions. Each lane gives a record; the last one to
// come works the answers out for all.
#ifndef CUDA_MORPH_CPU_WARP_HPP
#define CUDA_MORPH_CPU_WARP_HPP

#include <cuda_morph/cpu/kernel.hpp>
#include <string.h>

namespace cm {
namespace detail {

using mask_t = unsigned long long;

// CUDA's full mask means the whole warp, whatever its size.
inline uint64_t whole(mask_t mask) {
    return mask == 0xffffffffu && warpSize == 64 ? ~uint64_t(0) : mask;
}

inline uint64_t all_lanes() {
    return warpSize == 64 ? ~uint64_t(0) : (uint64_t(1) << warpSize) - 1;
}

inline unsigned lane() { return rank() & (static_cast<unsigned>(warpSize) - 1); }

template <class Record>
inline uint64_t meet(uint64_t mask, const void *site, Record &record,
                     void (*combine)(void **, uint64_t)) {
    return waiting([&](unsigned t) { return cmKernelWarp(t, mask, site, &record, combine); });
}

template <class T> struct shuffle_record {
    T give, get;
    int source; // the lane to read, or -1 for one's own
};

// A lane that is not there (it ended, went another way, or its block is smaller than a warp) gives
// zero. CUDA leaves open what it gives; programs count on sums that stay right.

template <class T> void shuffle_combine(void **records, uint64_t present) {
    for (int i = 0; i < 64; i++) {
        if (!records[i]) continue;
        auto *r = static_cast<shuffle_record<T> *>(records[i]);
        const int from = r->source >= 0 ? r->source : i;
        r->get = present >> from & 1 ? static_cast<shuffle_record<T> *>(records[from])->give : T();
    }
}

enum class shuffle { index, up, down, exclusive };

// The lane that lane `me` reads, or -1: its own value.
template <shuffle How> inline int shuffle_source(int me, int by, int width) {
    const int first = me & ~(width - 1), end = first + width;
    const int from = How == shuffle::index  ? first + (by & (width - 1))
                     : How == shuffle::up   ? me - by
                     : How == shuffle::down ? me + by
                                            : me ^ by;
    // Beyond its segment a lane keeps its own value; so does xor where that lies above.
    if (from < first && How != shuffle::exclusive) return -1;
    return from >= end ? -1 : from;
}

template <shuffle How, class T>
inline T shuffled(uint64_t mask, const void *site, T value, int by, int width) {
    const int from = shuffle_source<How>(static_cast<int>(lane()), by, width);
    shuffle_record<T> record{value, value, from};
    meet(mask, site, record, &shuffle_combine<T>);
    return record.get;
}

struct vote_record {
    bool yes;
    uint64_t ballot;
};

inline void vote_combine(void **records, uint64_t) {
    uint64_t ballot = 0;
    for (int i = 0; i < 64; i++)
        if (records[i] && static_cast<vote_record *>(records[i])->yes) ballot |= uint64_t(1) << i;
    for (int i = 0; i < 64; i++)
        if (records[i]) static_cast<vote_record *>(records[i])->ballot = ballot;
}

struct vote {
    uint64_t ballot, present;
};

inline vote voted(uint64_t mask, const void *site, bool yes) {
    vote_record record{yes, 0};
    const uint64_t present = meet(mask, site, record, &vote_combine);
    return {record.ballot, present};
}

template <class T> struct match_record {
    T value;
    uint64_t same;
};

template <class T> void match_combine(void **records, uint64_t) {
    for (int i = 0; i < 64; i++) {
        auto *a = static_cast<match_record<T> *>(records[i]);
        for (int j = 0; a && j < 64; j++) {
            auto *b = static_cast<match_record<T> *>(records[j]);
            // Bit patterns decide, as for CUDA: NaN matches itself.
            if (b && !memcmp(&a->value, &b->value, sizeof(T))) a->same |= uint64_t(1) << j;
        }
    }
}

template <class T> struct reduce_record { T value; };

template <class T, class Operation> void reduce_combine(void **records, uint64_t) {
    bool any = false;
    T all{};
    for (int i = 0; i < 64; i++)
        if (records[i]) {
            const T value = static_cast<reduce_record<T> *>(records[i])->value;
            all = any ? Operation()(all, value) : value;
            any = true;
        }
    for (int i = 0; i < 64; i++)
        if (records[i]) static_cast<reduce_record<T> *>(records[i])->value = all;
}

template <class T, class Operation> inline T reduced(uint64_t mask, T value) {
    reduce_record<T> record{value};
    meet(mask, nullptr, record, &reduce_combine<T, Operation>);
    return record.value;
}

struct add {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct lesser {
    template <class T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct greater {
    template <class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct bit_and {
    template <class T> T operator()(T a, T b) const { return a & b; }
};
struct bit_or {
    template <class T> T operator()(T a, T b) const { return a | b; }
};
struct bit_xor {
    template <class T> T operator()(T a, T b) const { return a ^ b; }
};

// A value of its own at each place where it is written in the source.
#define CM_SITE __builtin_return_address(0)

} // namespace detail
} // namespace cm

// Functions return 32 bits, or 64 where the warp has 64 lanes and the caller keeps them.
using cm_lanemask_t = unsigned long long;

template <class T>
inline T __shfl_sync(cm::detail::mask_t mask, T value, int source, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::index>(whole(mask), nullptr, value, source, width);
}
template <class T>
inline T __shfl_up_sync(cm::detail::mask_t mask, T value, unsigned by, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::up>(whole(mask), nullptr, value, static_cast<int>(by), width);
}
template <class T>
inline T __shfl_down_sync(cm::detail::mask_t mask, T value, unsigned by, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::down>(whole(mask), nullptr, value, static_cast<int>(by), width);
}
template <class T>
inline T __shfl_xor_sync(cm::detail::mask_t mask, T value, int by, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::exclusive>(whole(mask), nullptr, value, by, width);
}

// The forms without a mask, of CUDA before 9: whoever comes.
template <class T> CM_NOINLINE T __shfl(T value, int source, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::index>(0, CM_SITE, value, source, width);
}
template <class T> CM_NOINLINE T __shfl_up(T value, unsigned by, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::up>(0, CM_SITE, value, static_cast<int>(by), width);
}
template <class T> CM_NOINLINE T __shfl_down(T value, unsigned by, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::down>(0, CM_SITE, value, static_cast<int>(by), width);
}
template <class T> CM_NOINLINE T __shfl_xor(T value, int by, int width = warpSize) {
    using namespace cm::detail;
    return shuffled<shuffle::exclusive>(0, CM_SITE, value, by, width);
}

inline void __syncwarp(cm::detail::mask_t mask = 0xffffffffu) {
    using namespace cm::detail;
    vote_record record{};
    meet(whole(mask), nullptr, record, nullptr);
}

// 32 bits with a warp of 32; with 64 lanes `unsigned x = __ballot_sync(...)` loses half of them,
// as it does on hardware with such warps.
inline cm_lanemask_t __ballot_sync(cm::detail::mask_t mask, int predicate) {
    return cm::detail::voted(cm::detail::whole(mask), nullptr, predicate != 0).ballot;
}
inline int __any_sync(cm::detail::mask_t mask, int predicate) {
    return cm::detail::voted(cm::detail::whole(mask), nullptr, predicate != 0).ballot != 0;
}
inline int __all_sync(cm::detail::mask_t mask, int predicate) {
    const auto v = cm::detail::voted(cm::detail::whole(mask), nullptr, predicate != 0);
    return v.ballot == v.present;
}
inline int __uni_sync(cm::detail::mask_t mask, int predicate) {
    const auto v = cm::detail::voted(cm::detail::whole(mask), nullptr, predicate != 0);
    return v.ballot == v.present || !v.ballot;
}
CM_NOINLINE inline cm_lanemask_t __activemask() {
    return cm::detail::voted(0, CM_SITE, true).present;
}
CM_NOINLINE inline cm_lanemask_t __ballot(int predicate) {
    return cm::detail::voted(0, CM_SITE, predicate != 0).ballot;
}
CM_NOINLINE inline int __any(int predicate) {
    return cm::detail::voted(0, CM_SITE, predicate != 0).ballot != 0;
}
CM_NOINLINE inline int __all(int predicate) {
    const auto v = cm::detail::voted(0, CM_SITE, predicate != 0);
    return v.ballot == v.present;
}

template <class T> inline cm_lanemask_t __match_any_sync(cm::detail::mask_t mask, T value) {
    cm::detail::match_record<T> record{value, 0};
    cm::detail::meet(cm::detail::whole(mask), nullptr, record, &cm::detail::match_combine<T>);
    return record.same;
}
template <class T>
inline cm_lanemask_t __match_all_sync(cm::detail::mask_t mask, T value, int *predicate) {
    cm::detail::match_record<T> record{value, 0};
    const uint64_t present =
        cm::detail::meet(cm::detail::whole(mask), nullptr, record, &cm::detail::match_combine<T>);
    *predicate = record.same == present;
    return *predicate ? present : 0;
}

#define CM_REDUCE(name, T, operation)                                                             \
    inline T __reduce_##name##_sync(cm::detail::mask_t mask, T value) {                           \
        return cm::detail::reduced<T, cm::detail::operation>(cm::detail::whole(mask), value);     \
    }
CM_REDUCE(add, unsigned, add)
CM_REDUCE(add, int, add)
CM_REDUCE(min, unsigned, lesser)
CM_REDUCE(min, int, lesser)
CM_REDUCE(max, unsigned, greater)
CM_REDUCE(max, int, greater)
CM_REDUCE(and, unsigned, bit_and)
CM_REDUCE(or, unsigned, bit_or)
CM_REDUCE(xor, unsigned, bit_xor)
#undef CM_REDUCE

#endif
