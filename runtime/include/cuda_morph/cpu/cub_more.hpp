// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide algorithms that are about pairs of neighbours, segments, merging and batches:
// part of cub.h, behind cub_device.hpp, whose way of running work in a stream they share.
#ifndef CUDA_MORPH_CPU_CUB_MORE_HPP
#define CUDA_MORPH_CPU_CUB_MORE_HPP

namespace cub {

namespace detail {
// Segment after segment: what f makes of the numbers of its first element and of its end.
template <class B, class E, class F>
inline void each_segment(int segments, B begin, E end, const F &f) {
    const auto b = plain(begin);
    const auto e = plain(end);
    for (int s = 0; s < segments; s++) f(b[s], e[s]);
}
template <class K, class V, class L>
inline void sort_segment(const K *keys, K *keys_out, const V *values, V *values_out, ptrdiff_t n,
                         L less) {
    std::vector<ptrdiff_t> order(static_cast<size_t>(n > 0 ? n : 0));
    for (size_t i = 0; i < order.size(); i++) order[i] = static_cast<ptrdiff_t>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](ptrdiff_t a, ptrdiff_t b) { return less(keys[a], keys[b]); });
    const std::vector<K> k(keys, keys + order.size());
    for (size_t i = 0; i < order.size(); i++) keys_out[i] = k[static_cast<size_t>(order[i])];
    if (!values) return;
    const std::vector<V> v(values, values + order.size());
    for (size_t i = 0; i < order.size(); i++) values_out[i] = v[static_cast<size_t>(order[i])];
}
} // namespace detail

// All of its sorts keep the order of what is equal.
struct DeviceSegmentedSort {
    template <class K, class V, class N, class B, class E, class L>
    static cmError_t sort(void *storage, size_t &bytes, const K *keys, K *keys_out,
                          const V *values, V *values_out, N, int segments, B begin, E end, L less,
                          cmStream_t stream) {
        return detail::run(storage, bytes, stream, [=] {
            detail::each_segment(segments, begin, end, [=](auto from, auto to) {
                detail::sort_segment(keys + from, keys_out + from, values ? values + from : values,
                                     values ? values_out + from : values_out,
                                     static_cast<ptrdiff_t>(to - from), less);
            });
        });
    }
#define CM_CUB_SEGMENTS(Keys, Pairs, less)                                                        \
    template <class K, class N, class B, class E>                                                 \
    static cmError_t Keys(void *storage, size_t &bytes, const K *in, K *out, N n, int segments,   \
                          B begin, E end, cmStream_t stream = nullptr) {                          \
        return sort<K, char>(storage, bytes, in, out, nullptr, nullptr, n, segments, begin, end,  \
                             less(), stream);                                                     \
    }                                                                                             \
    template <class K, class N, class B, class E>                                                 \
    static cmError_t Keys(void *storage, size_t &bytes, DoubleBuffer<K> &keys, N n, int segments, \
                          B begin, E end, cmStream_t stream = nullptr) {                          \
        K *const in = keys.Current(), *const out = keys.Alternate();                              \
        if (storage) keys.selector ^= 1;                                                          \
        return sort<K, char>(storage, bytes, in, out, nullptr, nullptr, n, segments, begin, end,  \
                             less(), stream);                                                     \
    }                                                                                             \
    template <class K, class V, class N, class B, class E>                                        \
    static cmError_t Pairs(void *storage, size_t &bytes, const K *in, K *out, const V *values,    \
                           V *values_out, N n, int segments, B begin, E end,                      \
                           cmStream_t stream = nullptr) {                                         \
        return sort(storage, bytes, in, out, values, values_out, n, segments, begin, end, less(), \
                    stream);                                                                      \
    }                                                                                             \
    template <class K, class V, class N, class B, class E>                                        \
    static cmError_t Pairs(void *storage, size_t &bytes, DoubleBuffer<K> &keys,                   \
                           DoubleBuffer<V> &values, N n, int segments, B begin, E end,            \
                           cmStream_t stream = nullptr) {                                         \
        K *const in = keys.Current(), *const out = keys.Alternate();                              \
        V *const from = values.Current(), *const to = values.Alternate();                         \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                    \
        return sort<K, V>(storage, bytes, in, out, from, to, n, segments, begin, end, less(),     \
                          stream);                                                                \
    }
    CM_CUB_SEGMENTS(SortKeys, SortPairs, std::less<>)
    CM_CUB_SEGMENTS(SortKeysDescending, SortPairsDescending, std::greater<>)
    CM_CUB_SEGMENTS(StableSortKeys, StableSortPairs, std::less<>)
    CM_CUB_SEGMENTS(StableSortKeysDescending, StableSortPairsDescending, std::greater<>)
#undef CM_CUB_SEGMENTS
};

struct DeviceMerge {
    template <class I, class N, class J, class M, class O, class F = std::less<>>
    static cmError_t MergeKeys(void *storage, size_t &bytes, I one, N n, J other, M m, O out,
                               F less = {}, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::merge_::run(plain(one), plain(one) + n, plain(other), plain(other) + m,
                                        plain(out), less);
        });
    }
    template <class I, class V, class N, class J, class W, class M, class O, class P,
              class F = std::less<>>
    static cmError_t MergePairs(void *storage, size_t &bytes, I one, V values, N n, J other,
                                W more, M m, O out, P values_out, F less = {},
                                cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::merge_by_key_::run(plain(one), plain(one) + n, plain(other),
                                               plain(other) + m, plain(values), plain(more),
                                               plain(out), plain(values_out), less);
        });
    }
};

// The first element, or to the right the last one, has no neighbour and stays as it is.
struct DeviceAdjacentDifference {
    template <bool Left, class I, class O, class F, class N>
    static cmError_t subtract(void *storage, size_t &bytes, I in, O out, N n, F f,
                              cmStream_t stream) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = taken(plain(in), plain(in) + n);
            const auto q = plain(out);
            F op = f;
            for (size_t i = 0; i < p.size(); i++) {
                if constexpr (Left)
                    q[i] = i ? op(p[i], p[i - 1]) : p[i];
                else
                    q[i] = i + 1 < p.size() ? op(p[i], p[i + 1]) : p[i];
            }
        });
    }
#define CM_CUB_SUBTRACT(name, left)                                                               \
    template <class I, class O, class N, class F = std::minus<>,                                  \
              class = std::enable_if_t<std::is_integral<N>::value>>                               \
    static cmError_t name##Copy(void *storage, size_t &bytes, I in, O out, N n, F f = {},         \
                                cmStream_t stream = nullptr) {                                    \
        return subtract<left>(storage, bytes, in, out, n, f, stream);                             \
    }                                                                                             \
    template <class I, class N, class F = std::minus<>>                                           \
    static cmError_t name(void *storage, size_t &bytes, I data, N n, F f = {},                    \
                          cmStream_t stream = nullptr) {                                          \
        return subtract<left>(storage, bytes, data, data, n, f, stream);                          \
    }
    CM_CUB_SUBTRACT(SubtractLeft, true)
    CM_CUB_SUBTRACT(SubtractRight, false)
#undef CM_CUB_SUBTRACT
};

// Many copies in one call; sizes are bytes, or elements.
namespace detail {
template <class I, class O, class S, class F>
cmError_t batched(void *storage, size_t &bytes, I in, O out, S sizes, unsigned n,
                  cmStream_t stream, F copy) {
    return run(storage, bytes, stream, [=] {
        const auto p = plain(in);
        const auto q = plain(out);
        const auto s = plain(sizes);
        for (unsigned i = 0; i < n; i++) copy(q[i], p[i], s[i]);
    });
}
} // namespace detail
struct DeviceMemcpy {
    template <class I, class O, class S>
    static cmError_t Batched(void *storage, size_t &bytes, I in, O out, S sizes, unsigned n,
                             cmStream_t stream = nullptr) {
        return detail::batched(
            storage, bytes, in, out, sizes, n, stream,
            [](auto to, auto from, auto size) { memcpy(to, from, static_cast<size_t>(size)); });
    }
};
struct DeviceCopy {
    template <class I, class O, class S>
    static cmError_t Batched(void *storage, size_t &bytes, I in, O out, S sizes, unsigned n,
                             cmStream_t stream = nullptr) {
        return detail::batched(storage, bytes, in, out, sizes, n, stream,
                               [](auto to, auto from, auto size) {
                                   for (auto k = size - size; k < size; k++)
                                       plain(to)[k] = plain(from)[k];
                               });
    }
};

} // namespace cub

#endif
