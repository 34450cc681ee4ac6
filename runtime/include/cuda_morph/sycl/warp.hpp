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

// A mask that may leave lanes of the warp out. One that names all that there are is an operation
// of the sub-group, which waits for them. Those that another names have to come to the operation
// together, as one branch's lanes do on devices whose sub-groups run in step; a mask that is a
// plain number stands for all of the sub-group.
struct lanes {
    unsigned mask;
    explicit lanes(unsigned m) : mask(m) {}
};

namespace detail {

inline unsigned bits_of(unsigned mask) { return mask; }
inline unsigned bits_of(lanes some) { return some.mask; }

constexpr unsigned all_lanes = 0xffffffffu;

// The lanes of the warp that there are: the last one of a group may have fewer.
inline unsigned lanes_of(const item &it) {
    const unsigned first = it.rank() - it.lane();
    const unsigned size = it.items() - first < warp_size ? it.items() - first : warp_size;
    return size == warp_size ? all_lanes : (1u << size) - 1;
}

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
template <class T> struct met {
    unsigned had;
    T v[warp_size];
};
template <class T> met<T> meet(const item &it, unsigned mask, const T &value) {
    static_assert(sizeof(T) <= WIDEST, "lanes exchange at most 32 bytes");
    warp &w = warp_of(it);
    const unsigned own = 1u << it.lane();
    const unsigned exist = lanes_of(it);
    // CUDA leaves open what a lane gets that its mask leaves out: its own, and it waits for
    // nobody.
    mask = mask & own ? mask & exist : own;
    while (w.posted & own) let_others_run();
    std::memcpy(w.value[it.lane()], &value, sizeof(T));
    w.posted |= own;
    while ((w.posted | w.gone | ~mask) != all_lanes) let_others_run();
    met<T> all;
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
    const met<T> all = meet(it, mask, value);
    return all.had >> lane & 1 ? all.v[lane] : value;
}
template <class T, class F> T fold(const item &it, unsigned mask, const T &value, F combine) {
    const met<T> all = meet(it, mask, value);
    T result = value;
    for (unsigned i = 0; i < warp_size; i++)
        if ((all.had >> i & 1) && i != it.lane()) result = combine(result, all.v[i]);
    return result;
}
inline unsigned votes(const item &it, unsigned mask, bool yes) {
    const met<bool> all = meet(it, mask, yes);
    unsigned bits = 0;
    for (int i = 0; i < warp_size; i++)
        if ((all.had >> i & 1) && all.v[i]) bits |= 1u << i;
    return bits;
}
inline void meet_lanes(const item &it, unsigned mask) { meet(it, mask, char(0)); }

template <class T> T from_lane(const item &it, lanes some, const T &value, unsigned lane) {
    return from_lane(it, some.mask, value, lane);
}
template <class T, class F> T fold(const item &it, lanes some, const T &value, F combine) {
    return fold(it, some.mask, value, combine);
}
inline unsigned votes(const item &it, lanes some, bool yes) { return votes(it, some.mask, yes); }
inline void meet_lanes(const item &it, lanes some) { meet_lanes(it, some.mask); }
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

// Some lanes alone: those that run this together, which is DPC++'s extension.
#if defined(SYCL_EXT_ONEAPI_FRAGMENT) || defined(SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS) ||           \
    defined(CUDA_MORPH_SYCL_STAND_IN)
inline auto together([[maybe_unused]] lanes some) {
#ifdef CUDA_MORPH_SYCL_STAND_IN
    return sycl::some_lanes{some.mask};
#elif defined(SYCL_EXT_ONEAPI_FRAGMENT)
    return sycl::ext::oneapi::experimental::this_work_item::get_opportunistic_group();
#else
    return sycl::ext::oneapi::experimental::this_kernel::get_opportunistic_group();
#endif
}
// Whether none is left out: all come, and the sub-group waits for them.
inline bool is_whole(const item &it, lanes some) { return (~some.mask & lanes_of(it)) == 0; }
inline unsigned votes(const item &it, lanes some, bool yes) {
    if (is_whole(it, some)) return votes(it, some.mask, yes);
    return some.mask & sycl::reduce_over_group(together(some), yes ? 1u << it.lane() : 0u,
                                               sycl::bit_or<unsigned>());
}
// The lanes that are here, as bits, hand their values over in the order of their numbers.
template <class T> T from_lane(const item &it, lanes some, const T &value, unsigned lane) {
    if (is_whole(it, some)) {
        const bool exists = lane < warp_size && lanes_of(it) >> lane & 1;
        return from_lane(it, some.mask, value, exists ? lane : it.lane());
    }
    const auto group = together(some);
    const unsigned here =
        sycl::reduce_over_group(group, 1u << it.lane(), sycl::bit_or<unsigned>());
    const bool there = lane < warp_size && (here & some.mask) >> lane & 1;
    const unsigned from = there ? lane : it.lane();
    return sycl::select_from_group(group, value, sycl::popcount(here & ((1u << from) - 1)));
}
template <class T, class F> T fold(const item &it, lanes some, const T &value, F combine) {
    if (is_whole(it, some) && lanes_of(it) == all_lanes)
        return fold(it, some.mask, value, combine); // in five steps, which fewer lanes have not
    const unsigned there = votes(it, some, true);
    T result = value;
    for (unsigned i = 0; i < warp_size; i++) {
        const T other = from_lane(it, some, value, i);
        if ((there >> i & 1) && i != it.lane()) result = combine(result, other);
    }
    return result;
}
inline void meet_lanes(const item &it, lanes some) {
    if (is_whole(it, some))
        meet_lanes(it, some.mask);
    else
        sycl::group_barrier(together(some));
}
#else
template <class T> struct no_lanes : std::false_type {};
#define CM_SYCL_NO_LANES(T)                                                                       \
    static_assert(no_lanes<T>::value, "operations of some lanes of a sub-group need DPC++'s "     \
                                      "sycl_ext_oneapi_non_uniform_groups")
template <class T> T from_lane(const item &, lanes, const T &value, unsigned) {
    CM_SYCL_NO_LANES(T);
    return value;
}
template <class T, class F> T fold(const item &, lanes, const T &value, F) {
    CM_SYCL_NO_LANES(T);
    return value;
}
template <class T> unsigned votes(const item &, lanes, T) {
    CM_SYCL_NO_LANES(T);
    return 0;
}
template <class T = void> void meet_lanes(const item &, lanes) { CM_SYCL_NO_LANES(T); }
#undef CM_SYCL_NO_LANES
#endif
#endif

} // namespace detail

// ---- shuffles: what comes from outside of the width's segment is the lane's own ----

template <class T, class M>
T shfl_sync(const item &it, M mask, T value, int source, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned from = (lane & ~(w - 1)) | (static_cast<unsigned>(source) & (w - 1));
    return detail::from_lane(it, mask, value, from);
}
template <class T, class M>
T shfl_up_sync(const item &it, M mask, T value, unsigned delta, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned inside = lane & (w - 1);
    return detail::from_lane(it, mask, value, inside >= delta ? lane - delta : lane);
}
template <class T, class M>
T shfl_down_sync(const item &it, M mask, T value, unsigned delta, int width = warp_size) {
    const unsigned w = static_cast<unsigned>(width), lane = it.lane();
    const unsigned inside = lane & (w - 1);
    return detail::from_lane(it, mask, value, inside + delta < w ? lane + delta : lane);
}
template <class T, class M>
T shfl_xor_sync(const item &it, M mask, T value, int bits, int width = warp_size) {
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

template <class M> unsigned ballot_sync(const item &it, M mask, int predicate) {
    return detail::votes(it, mask, predicate != 0) & detail::bits_of(mask);
}
template <class M> int any_sync(const item &it, M mask, int predicate) {
    return ballot_sync(it, mask, predicate) != 0;
}
template <class M> int all_sync(const item &it, M mask, int predicate) {
    return ballot_sync(it, mask, predicate == 0) == 0;
}
template <class M> int uni_sync(const item &it, M mask, int predicate) {
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
template <class M> void syncwarp(const item &it, M mask) { detail::meet_lanes(it, mask); }
inline void syncwarp(const item &it) { syncwarp(it, detail::all_lanes); }

// ---- match and reduce ----

template <class T, class M> unsigned match_any_sync(const item &it, M mask, T value) {
    unsigned same = 0;
    for (unsigned i = 0; i < warp_size; i++) {
        const T other = detail::from_lane(it, mask, value, i);
        if (std::memcmp(&other, &value, sizeof(T)) == 0) same |= 1u << i;
    }
    return same & ballot_sync(it, mask, 1);
}
template <class T, class M> unsigned match_all_sync(const item &it, M mask, T value, int *all) {
    const unsigned there = ballot_sync(it, mask, 1);
    const unsigned same = match_any_sync(it, mask, value);
    *all = same == there;
    return *all ? there : 0;
}
template <class T, class M> T reduce_add_sync(const item &it, M mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return static_cast<T>(a + b); });
}
template <class T, class M> T reduce_min_sync(const item &it, M mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T, class M> T reduce_max_sync(const item &it, M mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a < b ? b : a; });
}
template <class T, class M> T reduce_and_sync(const item &it, M mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a & b; });
}
template <class T, class M> T reduce_or_sync(const item &it, M mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a | b; });
}
template <class T, class M> T reduce_xor_sync(const item &it, M mask, T value) {
    return detail::fold(it, mask, value, [](T a, T b) { return a ^ b; });
}

} // namespace cm

/** PTX's %laneid, %warpid and %nwarpid: of the work-item in its warp of 32, of the warp in its
 * group, and how many warps the group has. */
inline unsigned cm_lane_id() { return cm::this_item().lane(); }
inline unsigned cm_warp_id() { return cm::this_item().rank() / cm::warp_size; }
inline unsigned cm_warp_count() {
    return (cm::this_item().items() + cm::warp_size - 1) / cm::warp_size;
}

/** %lanemask_eq, _lt, _le, _gt, _ge: bits of the lane itself, of those before and behind it. */
inline unsigned cm_lanemask_eq() { return 1u << cm_lane_id(); }
inline unsigned cm_lanemask_lt() { return cm_lanemask_eq() - 1u; }
inline unsigned cm_lanemask_le() { return cm_lanemask_lt() | cm_lanemask_eq(); }
inline unsigned cm_lanemask_gt() { return ~cm_lanemask_le(); }
inline unsigned cm_lanemask_ge() { return ~cm_lanemask_lt(); }

#endif
