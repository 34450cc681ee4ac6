// SPDX-License-Identifier: Apache-2.0
// Operations of warps: on sub-groups of 32 lanes where the device has them.
//
// AdaptiveCpp's library-only flow has sub-groups of one lane. There a warp is made of 32
// work-items that meet in memory: each posts its value, waits for the others that the mask names,
// reads theirs, and the last one clears the table. What has left the kernel is not waited for.
#ifndef CUDA_MORPH_SYCL_WARP_HPP
#define CUDA_MORPH_SYCL_WARP_HPP

#include <cstring>
#include <cuda_morph/sycl/item.hpp>
#include <type_traits>
#ifdef CM_SYCL_EMULATED_WARPS
#include <boost/fiber/operations.hpp>
#endif

namespace cm {
namespace detail {

constexpr unsigned all_lanes = 0xffffffffu;

#ifdef CM_SYCL_EMULATED_WARPS
enum { WIDEST = 32 }; // bytes of a value that lanes exchange

struct warp {
    unsigned posted = 0, taken = 0, gone = 0;
    unsigned char value[warp_size][WIDEST];
};

inline warp &warp_of(const item &it) { return it.warps()[it.rank() / warp_size]; }
inline void let_others_run() { boost::this_fiber::yield(); }

inline void leave_warp(const item &it) { warp_of(it).gone |= 1u << it.lane(); }

// What all lanes of `mask` posted; `had`: the lanes that did.
template <class T> struct lanes {
    unsigned had;
    T v[warp_size];
};
template <class T> lanes<T> meet(const item &it, unsigned mask, const T &value) {
    static_assert(sizeof(T) <= WIDEST, "lanes exchange at most 32 bytes");
    warp &w = warp_of(it);
    const unsigned own = 1u << it.lane();
    const unsigned first = it.rank() - it.lane();
    const unsigned size = it.items() - first < warp_size ? it.items() - first : warp_size;
    const unsigned exist = size == warp_size ? all_lanes : (1u << size) - 1;
    mask = (mask | own) & exist;
    while (w.posted & own) let_others_run();
    std::memcpy(w.value[it.lane()], &value, sizeof(T));
    w.posted |= own;
    while ((w.posted | w.gone | ~mask) != all_lanes) let_others_run();
    lanes<T> all;
    all.had = w.posted & mask;
    for (int i = 0; i < warp_size; i++)
        if (all.had >> i & 1) std::memcpy(&all.v[i], w.value[i], sizeof(T));
    w.taken |= own;
    if ((w.taken & all.had) == all.had)
        w.posted &= ~all.had, w.taken &= ~all.had;
    else
        while (w.taken & own) let_others_run();
    return all;
}

template <class T> T from_lane(const item &it, unsigned mask, const T &value, unsigned lane) {
    const lanes<T> all = meet(it, mask, value);
    return all.had >> lane & 1 ? all.v[lane] : value;
}
template <class T, class F> T fold(const item &it, unsigned mask, const T &value, F combine) {
    const lanes<T> all = meet(it, mask, value);
    T result = value;
    for (unsigned i = 0; i < warp_size; i++)
        if ((all.had >> i & 1) && i != it.lane()) result = combine(result, all.v[i]);
    return result;
}
inline unsigned votes(const item &it, unsigned mask, bool yes) {
    const lanes<bool> all = meet(it, mask, yes);
    unsigned bits = 0;
    for (int i = 0; i < warp_size; i++)
        if ((all.had >> i & 1) && all.v[i]) bits |= 1u << i;
    return bits;
}
inline void meet_lanes(const item &it, unsigned mask) { meet(it, mask, char(0)); }
#else
struct warp {};
inline void leave_warp(const item &) {}

// The port emits these where all lanes of the warp take part; the mask says no more than that.
template <class T> T from_lane(const item &it, unsigned, const T &value, unsigned lane) {
    return sycl::select_from_group(it.get_sub_group(), value, lane);
}
template <class T, class F> T fold(const item &it, unsigned, const T &value, F combine) {
    T result = value;
    for (int step = warp_size / 2; step > 0; step /= 2)
        result = combine(result, sycl::permute_group_by_xor(it.get_sub_group(), result, step));
    return result;
}
inline unsigned votes(const item &it, unsigned, bool yes) {
    return sycl::reduce_over_group(it.get_sub_group(), yes ? 1u << it.lane() : 0u,
                                   sycl::bit_or<unsigned>());
}
inline void meet_lanes(const item &it, unsigned) { sycl::group_barrier(it.get_sub_group()); }
#endif

} // namespace detail

// ---- shuffles: what comes from outside of the width's segment is the lane's own ----

template <class T>
T shfl_sync(const item &it, unsigned mask, T value, int source, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned from = (lane & ~(w - 1)) | (static_cast<unsigned>(source) & (w - 1));
    return detail::from_lane(it, mask, value, from);
}
template <class T>
T shfl_up_sync(const item &it, unsigned mask, T value, unsigned delta, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned inside = lane & (w - 1);
    return detail::from_lane(it, mask, value, inside >= delta ? lane - delta : lane);
}
template <class T>
T shfl_down_sync(const item &it, unsigned mask, T value, unsigned delta, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned inside = lane & (w - 1);
    return detail::from_lane(it, mask, value, inside + delta < w ? lane + delta : lane);
}
template <class T>
T shfl_xor_sync(const item &it, unsigned mask, T value, int bits, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned from = lane ^ static_cast<unsigned>(bits);
    // CUDA lets a lane read segments before its own, but none behind.
    return detail::from_lane(it, mask, value, from < ((lane & ~(w - 1)) + w) ? from : lane);
}
template <class T, class I> T shfl(const item &it, T value, I source, int width = warp_size) {
    return shfl_sync(it, detail::all_lanes, value, static_cast<int>(source), width);
}
template <class T, class I> T shfl_up(const item &it, T value, I delta, int width = warp_size) {
    return shfl_up_sync(it, detail::all_lanes, value, static_cast<unsigned>(delta), width);
}
template <class T, class I> T shfl_down(const item &it, T value, I delta, int width = warp_size) {
    return shfl_down_sync(it, detail::all_lanes, value, static_cast<unsigned>(delta), width);
}
template <class T, class I> T shfl_xor(const item &it, T value, I bits, int width = warp_size) {
    return shfl_xor_sync(it, detail::all_lanes, value, static_cast<int>(bits), width);
}

// ---- votes ----

inline unsigned ballot_sync(const item &it, unsigned mask, int predicate) {
    return detail::votes(it, mask, predicate != 0) & mask;
}
inline int any_sync(const item &it, unsigned mask, int predicate) {
    return ballot_sync(it, mask, predicate) != 0;
}
inline int all_sync(const item &it, unsigned mask, int predicate) {
    return ballot_sync(it, mask, predicate == 0) == 0;
}
inline int uni_sync(const item &it, unsigned mask, int predicate) {
    const unsigned yes = ballot_sync(it, mask, predicate);
    const unsigned no = ballot_sync(it, mask, !predicate);
    return yes == 0 || no == 0;
}
inline unsigned ballot(const item &it, int predicate) {
    return ballot_sync(it, detail::all_lanes, predicate);
}
inline int any(const item &it, int predicate) {
    return any_sync(it, detail::all_lanes, predicate);
}
inline int all(const item &it, int predicate) {
    return all_sync(it, detail::all_lanes, predicate);
}
inline void syncwarp(const item &it, unsigned mask = detail::all_lanes) {
    detail::meet_lanes(it, mask);
}

// ---- match and reduce ----

template <class T> unsigned match_any_sync(const item &it, unsigned mask, T value) {
    unsigned same = 0;
    for (unsigned i = 0; i < warp_size; i++) {
        const T other = detail::from_lane(it, mask, value, i);
        if (std::memcmp(&other, &value, sizeof(T)) == 0) same |= 1u << i;
    }
    return same & ballot_sync(it, mask, 1);
}
template <class T> unsigned match_all_sync(const item &it, unsigned mask, T value, int *all) {
    const unsigned there = ballot_sync(it, mask, 1);
    const unsigned same = match_any_sync(it, mask, value);
    *all = same == there;
    return *all ? there : 0;
}
template <class T> T reduce_add_sync(const item &it, unsigned mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return static_cast<T>(a + b); });
}
template <class T> T reduce_min_sync(const item &it, unsigned mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T> T reduce_max_sync(const item &it, unsigned mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a < b ? b : a; });
}
template <class T> T reduce_and_sync(const item &it, unsigned mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a & b; });
}
template <class T> T reduce_or_sync(const item &it, unsigned mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a | b; });
}
template <class T> T reduce_xor_sync(const item &it, unsigned mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a ^ b; });
}

} // namespace cm

#endif
