// SPDX-License-Identifier: Apache-2.0
// CUB: what the lanes of a warp, or of a part of one, do together.
#ifndef CUDA_MORPH_CPU_CUB_WARP_HPP
#define CUDA_MORPH_CPU_CUB_WARP_HPP

namespace cub {
namespace detail {

// The lanes of the calling thread's group of `width` inside its warp, and its place in the group.
inline uint64_t group_mask(int width) {
    if (width >= warpSize) return warpSize >= 64 ? ~uint64_t(0) : (uint64_t(1) << warpSize) - 1;
    const int lane = rank() % warpSize;
    return ((uint64_t(1) << width) - 1) << lane / width * width;
}
inline int place(int width) { return rank() % warpSize % width; }

// A value that may be missing.
template <class T> struct maybe {
    T value;
    bool there;
};
template <class F> struct maybe_fold {
    F f;
    template <class T> maybe<T> operator()(const maybe<T> &a, const maybe<T> &b) const {
        if (!a.there || !b.there) return a.there ? a : b;
        F op = f;
        return {op(a.value, b.value), true};
    }
};
template <class T, class F> inline auto fold(int width, T value, bool there, F f, bool total) {
    return cooperative_groups::detail::folded(group_mask(width), maybe<T>{value, there},
                                              maybe_fold<F>{f}, total);
}

} // namespace detail

template <class T, int Width = 32, int = 0> class WarpReduce {
  public:
    struct TempStorage {
        char none;
    };
    WarpReduce() = default;
    explicit WarpReduce(TempStorage &) {}
    // The result is the first lane's; here all have it.
    template <class F> T Reduce(T value, F f, int valid) {
        const bool there = detail::place(Width) < valid;
        return detail::fold(Width, value, there, f, true).value.value;
    }
    template <class F> T Reduce(T value, F f) { return Reduce(value, f, Width); }
    T Sum(T value) { return Reduce(value, cub::Sum(), Width); }
    T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
    // Sums of segments, which begin where the flag is set: each head lane gets its segment's.
    template <class Flag> T HeadSegmentedSum(T value, Flag head) {
        return HeadSegmentedReduce(value, head, cub::Sum());
    }
    template <class Flag, class F> T HeadSegmentedReduce(T value, Flag head, F f) {
        T sum = value;
        const uint64_t mask = detail::group_mask(Width);
        bool open = true;
        for (int by = 1; by < Width; by++) {
            const int from = detail::place(Width) + by;
            const int lane = detail::rank() % warpSize + by;
            const T other = cooperative_groups::detail::shuffle_from(mask, value, lane);
            const int flag = cooperative_groups::detail::shuffle_from(mask, int(bool(head)), lane);
            open = open && from < Width && !flag;
            if (open) sum = f(sum, other);
        }
        return sum;
    }
};

template <class T, int Width = 32, int = 0> class WarpScan {
    template <class F> auto folded(T v, F f) { return detail::fold(Width, v, true, f, false); }
    T last(T v) {
        const uint64_t mask = detail::group_mask(Width);
        const int top = 63 - __builtin_clzll(mask);
        return cooperative_groups::detail::shuffle_from(mask, v, top);
    }

  public:
    struct TempStorage {
        char none;
    };
    WarpScan() = default;
    explicit WarpScan(TempStorage &) {}
    template <class F> void InclusiveScan(T in, T &out, F f) { out = folded(in, f).value.value; }
    template <class F> void InclusiveScan(T in, T &out, F f, T &total) {
        InclusiveScan(in, out, f);
        total = last(out);
    }
    template <class F> void ExclusiveScan(T in, T &out, T initial, F f) {
        const auto r = folded(in, f);
        out = r.before.there ? f(initial, r.before.value) : initial;
    }
    template <class F> void ExclusiveScan(T in, T &out, T initial, F f, T &total) {
        const auto r = folded(in, f);
        out = r.before.there ? f(initial, r.before.value) : initial;
        total = last(r.value.value);
    }
    template <class F> void ExclusiveScan(T in, T &out, F f) { // the first lane's is undefined
        const auto r = folded(in, f);
        out = r.before.there ? r.before.value : in;
    }
    void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
    void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, Sum(), total); }
    void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T{}, Sum()); }
    void ExclusiveSum(T in, T &out, T &total) { ExclusiveScan(in, out, T{}, Sum(), total); }
    template <class F> void Scan(T in, T &inclusive, T &exclusive, T initial, F f) {
        const auto r = folded(in, f);
        exclusive = r.before.there ? f(initial, r.before.value) : initial;
        inclusive = f(initial, r.value.value);
    }
    T Broadcast(T v, unsigned from) {
        const uint64_t mask = detail::group_mask(Width);
        const int first = detail::rank() % warpSize / Width * Width;
        return cooperative_groups::detail::shuffle_from(mask, v, first + static_cast<int>(from));
    }
};

inline unsigned LaneId() { return static_cast<unsigned>(detail::rank() % warpSize); }
inline unsigned WarpId() { return static_cast<unsigned>(detail::rank() / warpSize); }
inline int RowMajorTid(int, int, int) { return detail::rank(); }

} // namespace cub

#endif
