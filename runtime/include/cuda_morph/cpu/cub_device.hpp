// SPDX-License-Identifier: Apache-2.0
// CUB: what programs call from the host. Without storage a call says that one byte is enough; with
// it the work is put into the stream. Included by cub.h.
#ifndef CUDA_MORPH_CPU_CUB_DEVICE_HPP
#define CUDA_MORPH_CPU_CUB_DEVICE_HPP

namespace cub {

using thrust::detail::given;
using thrust::detail::plain;
using thrust::detail::taken;

namespace detail {
template <class Work>
inline cmError_t run(void *storage, size_t &bytes, cmStream_t stream, Work work) {
    if (!storage) return bytes = 1, cmSuccess;
    return cm::library::enqueue(stream, work);
}
} // namespace detail

namespace detail {
// What a sum begins with: of the type that comes out, as in CUB, or, where a place takes anything,
// of what goes in.
template <class I, class O>
using sum_of =
    std::conditional_t<std::is_arithmetic<value_of<O>>::value, value_of<O>, value_of<I>>;
// What is computed in: what the operation makes of what it begins with and an element.
template <class F, class T, class I>
using made_of = std::decay_t<decltype(std::declval<F &>()(
    std::declval<T>(), std::declval<decltype(*plain(std::declval<I>()))>()))>;
} // namespace detail

struct DeviceReduce {
    template <class I, class O, class F, class T, class N>
    static cmError_t Reduce(void *storage, size_t &bytes, I in, O out, N n, F f, T initial,
                            cmStream_t stream = nullptr) {
        const auto p = plain(in);
        const auto q = plain(out);
        return detail::run(storage, bytes, stream, [=] {
            using A = detail::made_of<F, T, I>;
            A sum = static_cast<A>(initial);
            F op = f;
            for (N i = 0; i < n; i++) sum = static_cast<A>(op(sum, p[i]));
            *q = sum;
        });
    }
    template <class I, class O, class N>
    static cmError_t Sum(void *storage, size_t &bytes, I in, O out, N n,
                         cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, n, cub::Sum(), detail::sum_of<I, O>{}, stream);
    }
    template <class I, class O, class N>
    static cmError_t Min(void *storage, size_t &bytes, I in, O out, N n,
                         cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, n, cub::Min(),
                      std::numeric_limits<value_of<I>>::max(), stream);
    }
    template <class I, class O, class N>
    static cmError_t Max(void *storage, size_t &bytes, I in, O out, N n,
                         cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, n, cub::Max(),
                      std::numeric_limits<value_of<I>>::lowest(), stream);
    }
    template <class I, class O, class N, class F>
    static cmError_t Arg(void *storage, size_t &bytes, I in, O out, N n, F better,
                         cmStream_t stream) {
        const auto p = plain(in);
        const auto q = plain(out);
        return detail::run(storage, bytes, stream, [=] {
            KeyValuePair<int, value_of<I>> best{1, value_of<I>{}}; // CUB's answer for nothing
            for (N i = 0; i < n; i++) {
                const KeyValuePair<int, value_of<I>> here{static_cast<int>(i), p[i]};
                best = i == 0 ? here : better(best, here);
            }
            auto &to = *q;
            to.key = static_cast<decltype(to.key)>(best.key), to.value = best.value;
        });
    }
    template <class I, class O, class N>
    static cmError_t ArgMin(void *storage, size_t &bytes, I in, O out, N n,
                            cmStream_t stream = nullptr) {
        return Arg(storage, bytes, in, out, n, cub::ArgMin(), stream);
    }
    template <class I, class O, class N>
    static cmError_t ArgMax(void *storage, size_t &bytes, I in, O out, N n,
                            cmStream_t stream = nullptr) {
        return Arg(storage, bytes, in, out, n, cub::ArgMax(), stream);
    }
    template <class I, class O, class N, class F, class G, class T>
    static cmError_t TransformReduce(void *storage, size_t &bytes, I in, O out, N n, F f, G g,
                                     T initial, cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, thrust::make_transform_iterator(in, g), out, n, f, initial,
                      stream);
    }
    template <class K, class KO, class V, class VO, class C, class F, class N>
    static cmError_t ReduceByKey(void *storage, size_t &bytes, K keys, KO unique, V values,
                                 VO sums, C runs, F f, N n, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto ends = thrust::detail::reduce_by_key_::run(
                plain(keys), plain(keys) + n, plain(values), plain(unique), plain(sums),
                std::equal_to<>(), f);
            *plain(runs) = static_cast<value_of<C>>(ends.first - plain(unique));
        });
    }
};

struct DeviceScan {
    template <class I, class O, class F, class T, class N>
    static cmError_t InclusiveScanInit(void *storage, size_t &bytes, I in, O out, F f, T initial,
                                       N n, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            F op = f;
            T sum = initial;
            for (N i = 0; i < n; i++) q[i] = sum = static_cast<T>(op(sum, p[i]));
        });
    }
    template <class K, class I, class O, class F, class N, class E = std::equal_to<>>
    static cmError_t InclusiveScanByKey(void *storage, size_t &bytes, K keys, I in, O out, F f,
                                        N n, E same = {}, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::inclusive_scan_by_key_::run(plain(keys), plain(keys) + n, plain(in),
                                                        plain(out), same, f);
        });
    }
    template <class K, class I, class O, class F, class T, class N, class E = std::equal_to<>>
    static cmError_t ExclusiveScanByKey(void *storage, size_t &bytes, K keys, I in, O out, F f,
                                        T initial, N n, E same = {}, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::exclusive_scan_by_key_::run(plain(keys), plain(keys) + n, plain(in),
                                                        plain(out), initial, same, f);
        });
    }
    template <class K, class I, class O, class N, class E = std::equal_to<>>
    static cmError_t InclusiveSumByKey(void *storage, size_t &bytes, K keys, I in, O out, N n,
                                       E same = {}, cmStream_t stream = nullptr) {
        return InclusiveScanByKey(storage, bytes, keys, in, out, Sum(), n, same, stream);
    }
    template <class K, class I, class O, class N, class E = std::equal_to<>>
    static cmError_t ExclusiveSumByKey(void *storage, size_t &bytes, K keys, I in, O out, N n,
                                       E same = {}, cmStream_t stream = nullptr) {
        return ExclusiveScanByKey(storage, bytes, keys, in, out, Sum(), value_of<I>{}, n, same,
                                  stream);
    }
    template <class I, class O, class F, class N>
    static cmError_t InclusiveScan(void *storage, size_t &bytes, I in, O out, F f, N n,
                                   cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::inclusive_scan_::run(plain(in), plain(in) + n, plain(out), f);
        });
    }
    template <class I, class O, class F, class T, class N>
    static cmError_t ExclusiveScan(void *storage, size_t &bytes, I in, O out, F f, T initial, N n,
                                   cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::exclusive_scan_::run(plain(in), plain(in) + n, plain(out), initial, f);
        });
    }
    template <class I, class O, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cmError_t InclusiveSum(void *storage, size_t &bytes, I in, O out, N n,
                                  cmStream_t stream = nullptr) {
        return InclusiveScan(storage, bytes, in, out, Sum(), n, stream);
    }
    template <class I, class O, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cmError_t ExclusiveSum(void *storage, size_t &bytes, I in, O out, N n,
                                  cmStream_t stream = nullptr) {
        return ExclusiveScan(storage, bytes, in, out, Sum(), value_of<I>{}, n, stream);
    }
    template <class I, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cmError_t InclusiveSum(void *storage, size_t &bytes, I data, N n,
                                  cmStream_t stream = nullptr) {
        return InclusiveSum(storage, bytes, data, data, n, stream);
    }
    template <class I, class N, class = std::enable_if_t<std::is_integral<N>::value>>
    static cmError_t ExclusiveSum(void *storage, size_t &bytes, I data, N n,
                                  cmStream_t stream = nullptr) {
        return ExclusiveSum(storage, bytes, data, data, n, stream);
    }
};

// Stable. Of a key the bits from `from` up to `to` count, in the order of the key's values: where
// not all of them count, the key's bits are compared as CUB twiddles them.
struct DeviceRadixSort {
    template <class K> static unsigned long long twiddled(K key) {
        unsigned long long bits = 0;
        memcpy(&bits, &key, sizeof key);
        constexpr unsigned long long top = 1ull << (8 * sizeof(K) - 1);
        constexpr unsigned long long all = top | (top - 1);
        const bool exponent = !std::is_integral<K>::value;
        if (exponent) {
            if (bits == top) bits = 0; // -0 is 0
            return bits & top ? ~bits & all : bits | top;
        }
        return std::is_signed<K>::value ? bits ^ top : bits;
    }
    template <class K, class V, class N>
    static void sort(const K *keys, K *keys_out, const V *values, V *values_out, N n, int from,
                     int to, bool descending) {
        std::vector<N> order(static_cast<size_t>(n));
        std::iota(order.begin(), order.end(), N(0));
        const int width = to - from;
        const unsigned long long mask = width >= 64 ? ~0ull : (1ull << width) - 1;
        std::vector<unsigned long long> bits(static_cast<size_t>(n));
        for (N i = 0; i < n; i++)
            bits[static_cast<size_t>(i)] =
                (twiddled(keys[i]) >> from & mask) ^ (descending ? mask : 0);
        std::stable_sort(order.begin(), order.end(), [&](N a, N b) {
            return bits[static_cast<size_t>(a)] < bits[static_cast<size_t>(b)];
        });
        const std::vector<K> old(keys, keys + n);
        std::vector<V> carried;
        if (values) carried.assign(values, values + n);
        for (N i = 0; i < n; i++) {
            const size_t at = static_cast<size_t>(order[static_cast<size_t>(i)]);
            keys_out[i] = old[at];
            if (values) values_out[i] = carried[at];
        }
    }
    template <class K, class V, class N>
    static cmError_t start(void *storage, size_t &bytes, const K *keys, K *keys_out,
                           const V *values, V *values_out, N n, int from, int to, bool descending,
                           cmStream_t stream) {
        return detail::run(storage, bytes, stream, [=] {
            sort(keys, keys_out, values, values_out, n, from, to, descending);
        });
    }
#define CM_CUB_SORT(Keys, Pairs, descending)                                                      \
    template <class K, class N>                                                                   \
    static cmError_t Keys(void *storage, size_t &bytes, const K *in, K *out, N n, int from = 0,   \
                          int to = sizeof(K) * 8, cmStream_t stream = nullptr) {                  \
        return start<K, char, N>(storage, bytes, in, out, nullptr, nullptr, n, from, to,          \
                                 descending, stream);                                             \
    }                                                                                             \
    template <class K, class N>                                                                   \
    static cmError_t Keys(void *storage, size_t &bytes, DoubleBuffer<K> &keys, N n, int from = 0, \
                          int to = sizeof(K) * 8, cmStream_t stream = nullptr) {                  \
        K *const in = keys.Current(), *const out = keys.Alternate();                              \
        if (storage) keys.selector ^= 1;                                                          \
        return Keys(storage, bytes, static_cast<const K *>(in), out, n, from, to, stream);        \
    }                                                                                             \
    template <class K, class V, class N>                                                          \
    static cmError_t Pairs(void *storage, size_t &bytes, const K *in, K *out, const V *values,    \
                           V *values_out, N n, int from = 0, int to = sizeof(K) * 8,              \
                           cmStream_t stream = nullptr) {                                         \
        return start(storage, bytes, in, out, values, values_out, n, from, to, descending,        \
                     stream);                                                                     \
    }                                                                                             \
    template <class K, class V, class N>                                                          \
    static cmError_t Pairs(void *storage, size_t &bytes, DoubleBuffer<K> &keys,                   \
                           DoubleBuffer<V> &values, N n, int from = 0, int to = sizeof(K) * 8,    \
                           cmStream_t stream = nullptr) {                                         \
        K *const in = keys.Current(), *const out = keys.Alternate();                              \
        V *const from_values = values.Current(), *const to_values = values.Alternate();           \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                    \
        return start<K, V, N>(storage, bytes, in, out, from_values, to_values, n, from, to,       \
                              descending, stream);                                                \
    }
    CM_CUB_SORT(SortKeys, SortPairs, false)
    CM_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CM_CUB_SORT
};

struct DeviceMergeSort {
    template <class I, class O, class N, class F>
    static cmError_t SortKeysCopy(void *storage, size_t &bytes, I in, O out, N n, F less,
                                  cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            std::copy(plain(in), plain(in) + n, plain(out));
            thrust::detail::stable_sort_::run(plain(out), plain(out) + n, less);
        });
    }
    template <class I, class O, class N, class F>
    static cmError_t StableSortKeysCopy(void *storage, size_t &bytes, I in, O out, N n, F less,
                                        cmStream_t stream = nullptr) {
        return SortKeysCopy(storage, bytes, in, out, n, less, stream);
    }
    template <class I, class V, class O, class W, class N, class F>
    static cmError_t SortPairsCopy(void *storage, size_t &bytes, I in, V values, O out,
                                   W values_out, N n, F less, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            std::copy(plain(in), plain(in) + n, plain(out));
            std::copy(plain(values), plain(values) + n, plain(values_out));
            thrust::detail::stable_sort_by_key_::run(plain(out), plain(out) + n, plain(values_out),
                                                     less);
        });
    }
    template <class K, class N, class F>
    static cmError_t SortKeys(void *storage, size_t &bytes, K keys, N n, F less,
                              cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::stable_sort_::run(plain(keys), plain(keys) + n, less);
        });
    }
    template <class K, class V, class N, class F>
    static cmError_t SortPairs(void *storage, size_t &bytes, K keys, V values, N n, F less,
                               cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            thrust::detail::stable_sort_by_key_::run(plain(keys), plain(keys) + n, plain(values),
                                                     less);
        });
    }
    template <class K, class N, class F>
    static cmError_t StableSortKeys(void *storage, size_t &bytes, K keys, N n, F less,
                                    cmStream_t stream = nullptr) {
        return SortKeys(storage, bytes, keys, n, less, stream);
    }
    template <class K, class V, class N, class F>
    static cmError_t StableSortPairs(void *storage, size_t &bytes, K keys, V values, N n, F less,
                                     cmStream_t stream = nullptr) {
        return SortPairs(storage, bytes, keys, values, n, less, stream);
    }
};

struct DeviceSelect {
    template <class I, class S, class O, class C, class N>
    static cmError_t Flagged(void *storage, size_t &bytes, I in, S flags, O out, C count, N n,
                             cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            const auto end = thrust::detail::copy_if_::run(
                p, p + n, plain(flags), q, [](const auto &flag) { return bool(flag); });
            *plain(count) = static_cast<value_of<C>>(end - q);
        });
    }
    template <class I, class O, class C, class N, class P>
    static cmError_t If(void *storage, size_t &bytes, I in, O out, C count, N n, P wanted,
                        cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            *plain(count) =
                static_cast<value_of<C>>(thrust::detail::copy_if_::run(p, p + n, q, wanted) - q);
        });
    }
    template <class I, class O, class C, class N>
    static cmError_t Unique(void *storage, size_t &bytes, I in, O out, C count, N n,
                            cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            *plain(count) =
                static_cast<value_of<C>>(thrust::detail::unique_copy_::run(p, p + n, q) - q);
        });
    }
    template <class I, class S, class O, class C, class N, class P>
    static cmError_t FlaggedIf(void *storage, size_t &bytes, I in, S flags, O out, C count, N n,
                               P wanted, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            const auto end = thrust::detail::copy_if_::run(p, p + n, plain(flags), q, wanted);
            *plain(count) = static_cast<value_of<C>>(end - q);
        });
    }
    template <class K, class V, class KO, class VO, class C, class N, class E = std::equal_to<>,
              class = std::enable_if_t<!std::is_convertible<E, cmStream_t>::value>>
    static cmError_t UniqueByKey(void *storage, size_t &bytes, K keys, V values, KO keys_out,
                                 VO out, C count, N n, E same = {}, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto k = plain(keys);
            const auto q = plain(keys_out);
            const auto ends = thrust::detail::unique_by_key_copy_::run(k, k + n, plain(values), q,
                                                                       plain(out), same);
            *plain(count) = static_cast<value_of<C>>(ends.first - q);
        });
    }
    template <class K, class V, class KO, class VO, class C, class N>
    static cmError_t UniqueByKey(void *storage, size_t &bytes, K keys, V values, KO keys_out,
                                 VO out, C count, N n, cmStream_t stream) {
        return UniqueByKey(storage, bytes, keys, values, keys_out, out, count, n,
                           std::equal_to<>(), stream);
    }
};

// The chosen ones first, then the others, from the end backwards.
struct DevicePartition {
    template <class I, class O, class C, class N, class P>
    static void split(I in, O out, C count, N n, P wanted) {
        N front = 0, back = n;
        for (N i = 0; i < n; i++) {
            if (wanted(i))
                out[front++] = in[i];
            else
                out[--back] = in[i];
        }
        *count = static_cast<value_of<C>>(front);
    }
    template <class I, class S, class O, class C, class N>
    static cmError_t Flagged(void *storage, size_t &bytes, I in, S flags, O out, C count, N n,
                             cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto f = plain(flags);
            split(plain(in), plain(out), plain(count), n, [=](N i) { return bool(f[i]); });
        });
    }
    template <class I, class O, class C, class N, class P>
    static cmError_t If(void *storage, size_t &bytes, I in, O out, C count, N n, P wanted,
                        cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            P choose = wanted;
            split(p, plain(out), plain(count), n, [&](N i) { return bool(choose(p[i])); });
        });
    }
    // Into three: what the first wants, what of the rest the second wants, and what nobody does;
    // counts: how many of the first and of the second.
    template <class I, class A, class B, class R, class C, class N, class P, class Q>
    static cmError_t If(void *storage, size_t &bytes, I in, A firsts, B seconds, R rest, C counts,
                        N n, P first, Q second, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto a = plain(firsts);
            const auto b = plain(seconds);
            const auto r = plain(rest);
            P one = first;
            Q two = second;
            N na = 0, nb = 0, nr = 0;
            for (N i = 0; i < n; i++) {
                if (one(p[i]))
                    a[na++] = p[i];
                else if (two(p[i]))
                    b[nb++] = p[i];
                else
                    r[nr++] = p[i];
            }
            const auto to = plain(counts);
            to[0] = static_cast<value_of<C>>(na), to[1] = static_cast<value_of<C>>(nb);
        });
    }
};

struct DeviceHistogram {
    template <class I, class C, class L, class N>
    static cmError_t HistogramEven(void *storage, size_t &bytes, I samples, C *histogram,
                                   int levels, L lower, L upper, N n,
                                   cmStream_t stream = nullptr) {
        const auto p = plain(samples);
        return detail::run(storage, bytes, stream, [=] {
            for (int i = 0; i < levels - 1; i++) histogram[i] = 0;
            for (N i = 0; i < n; i++) {
                const double v = static_cast<double>(p[i]);
                if (v < static_cast<double>(lower) || v >= static_cast<double>(upper)) continue;
                const double width = static_cast<double>(upper) - static_cast<double>(lower);
                const int bin =
                    static_cast<int>((v - static_cast<double>(lower)) * (levels - 1) / width);
                histogram[bin < levels - 2 ? bin : levels - 2]++;
            }
        });
    }
    template <class I, class C, class L, class N>
    static cmError_t HistogramRange(void *storage, size_t &bytes, I samples, C *histogram,
                                    int levels, const L *bounds, N n,
                                    cmStream_t stream = nullptr) {
        const auto p = plain(samples);
        return detail::run(storage, bytes, stream, [=] {
            for (int i = 0; i < levels - 1; i++) histogram[i] = 0;
            for (N i = 0; i < n; i++) {
                const auto bin = std::upper_bound(bounds, bounds + levels, p[i]) - bounds - 1;
                if (bin >= 0 && bin < levels - 1) histogram[bin]++;
            }
        });
    }
};

struct DeviceRunLengthEncode {
    template <class I, class U, class L, class C, class N>
    static cmError_t Encode(void *storage, size_t &bytes, I in, U unique, L lengths, C runs, N n,
                            cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto u = plain(unique);
            const auto l = plain(lengths);
            N run = 0;
            for (N i = 0, length = 0; i < n; i++) {
                length = i && p[i] == p[i - 1] ? length + 1 : 1;
                if (length == 1) run++;
                u[run - 1] = p[i];
                l[run - 1] = static_cast<value_of<L>>(length);
            }
            *plain(runs) = static_cast<value_of<C>>(run);
        });
    }
    // Only what stands there more than once in a row.
    template <class I, class O, class L, class C, class N>
    static cmError_t NonTrivialRuns(void *storage, size_t &bytes, I in, O offsets, L lengths,
                                    C runs, N n, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto o = plain(offsets);
            const auto l = plain(lengths);
            N run = 0;
            for (N first = 0, end; first < n; first = end) {
                for (end = first + 1; end < n && p[end] == p[first];) end++;
                if (end - first < 2) continue;
                o[run] = static_cast<value_of<O>>(first);
                l[run++] = static_cast<value_of<L>>(end - first);
            }
            *plain(runs) = static_cast<value_of<C>>(run);
        });
    }
};

struct DeviceSegmentedReduce {
    template <class I, class O, class B, class E, class F, class T>
    static cmError_t Reduce(void *storage, size_t &bytes, I in, O out, int segments, B begin,
                            E end, F f, T initial, cmStream_t stream = nullptr) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            const auto b = plain(begin);
            const auto e = plain(end);
            F op = f;
            using A = detail::made_of<F, T, I>;
            for (int s = 0; s < segments; s++) {
                A sum = static_cast<A>(initial);
                for (auto i = b[s]; i < e[s]; i++) sum = static_cast<A>(op(sum, p[i]));
                q[s] = sum;
            }
        });
    }
    template <class I, class O, class B, class E>
    static cmError_t Sum(void *storage, size_t &bytes, I in, O out, int segments, B begin, E end,
                         cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begin, end, cub::Sum(),
                      detail::sum_of<I, O>{}, stream);
    }
    template <class I, class O, class B, class E>
    static cmError_t Min(void *storage, size_t &bytes, I in, O out, int segments, B begin, E end,
                         cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begin, end, cub::Min(),
                      std::numeric_limits<value_of<I>>::max(), stream);
    }
    template <class I, class O, class B, class E>
    static cmError_t Max(void *storage, size_t &bytes, I in, O out, int segments, B begin, E end,
                         cmStream_t stream = nullptr) {
        return Reduce(storage, bytes, in, out, segments, begin, end, cub::Max(),
                      std::numeric_limits<value_of<I>>::lowest(), stream);
    }
    // The best of each segment and its place in it; of an empty one, CUB's answer for nothing.
    template <class I, class O, class B, class E, class F>
    static cmError_t Arg(void *storage, size_t &bytes, I in, O out, int segments, B begin, E end,
                         F better, value_of<I> nothing, cmStream_t stream) {
        return detail::run(storage, bytes, stream, [=] {
            const auto p = plain(in);
            const auto q = plain(out);
            const auto b = plain(begin);
            const auto e = plain(end);
            for (int s = 0; s < segments; s++) {
                KeyValuePair<int, value_of<I>> best{1, nothing};
                for (auto i = b[s]; i < e[s]; i++) {
                    const KeyValuePair<int, value_of<I>> here{static_cast<int>(i - b[s]), p[i]};
                    best = i == b[s] ? here : better(best, here);
                }
                auto &to = q[s];
                to.key = static_cast<decltype(to.key)>(best.key), to.value = best.value;
            }
        });
    }
    template <class I, class O, class B, class E>
    static cmError_t ArgMin(void *storage, size_t &bytes, I in, O out, int segments, B begin,
                            E end, cmStream_t stream = nullptr) {
        return Arg(storage, bytes, in, out, segments, begin, end, cub::ArgMin(),
                   std::numeric_limits<value_of<I>>::max(), stream);
    }
    template <class I, class O, class B, class E>
    static cmError_t ArgMax(void *storage, size_t &bytes, I in, O out, int segments, B begin,
                            E end, cmStream_t stream = nullptr) {
        return Arg(storage, bytes, in, out, segments, begin, end, cub::ArgMax(),
                   std::numeric_limits<value_of<I>>::lowest(), stream);
    }
};

struct DeviceSegmentedRadixSort {
    template <class K, class V, class B, class E>
    static cmError_t sort(void *storage, size_t &bytes, const K *keys, K *keys_out,
                          const V *values, V *values_out, int segments, B begin, E end, int from,
                          int to, bool descending, cmStream_t stream) {
        return detail::run(storage, bytes, stream, [=] {
            for (int s = 0; s < segments; s++) {
                const auto b = plain(begin)[s];
                DeviceRadixSort::sort(keys + b, keys_out + b, values ? values + b : nullptr,
                                      values ? values_out + b : nullptr, plain(end)[s] - b, from,
                                      to, descending);
            }
        });
    }
#define CM_CUB_SORT(Keys, Pairs, descending)                                                      \
    template <class K, class N, class B, class E>                                                 \
    static cmError_t Keys(void *storage, size_t &bytes, const K *keys, K *keys_out, N,            \
                          int segments, B begin, E end, int from = 0, int to = sizeof(K) * 8,     \
                          cmStream_t stream = nullptr) {                                          \
        return sort<K, char>(storage, bytes, keys, keys_out, nullptr, nullptr, segments, begin,   \
                             end, from, to, descending, stream);                                  \
    }                                                                                             \
    template <class K, class N, class B, class E>                                                 \
    static cmError_t Keys(void *storage, size_t &bytes, DoubleBuffer<K> &keys, N n, int segments, \
                          B begin, E end, int from = 0, int to = sizeof(K) * 8,                   \
                          cmStream_t stream = nullptr) {                                          \
        K *const in = keys.Current(), *const out = keys.Alternate();                              \
        if (storage) keys.selector ^= 1;                                                          \
        return Keys(storage, bytes, static_cast<const K *>(in), out, n, segments, begin, end,     \
                    from, to, stream);                                                            \
    }                                                                                             \
    template <class K, class V, class N, class B, class E>                                        \
    static cmError_t Pairs(void *storage, size_t &bytes, const K *keys, K *keys_out,              \
                           const V *values, V *values_out, N, int segments, B begin, E end,       \
                           int from = 0, int to = sizeof(K) * 8, cmStream_t stream = nullptr) {   \
        return sort(storage, bytes, keys, keys_out, values, values_out, segments, begin, end,     \
                    from, to, descending, stream);                                                \
    }                                                                                             \
    template <class K, class V, class N, class B, class E>                                        \
    static cmError_t Pairs(void *storage, size_t &bytes, DoubleBuffer<K> &keys,                   \
                           DoubleBuffer<V> &values, N n, int segments, B begin, E end,            \
                           int from = 0, int to = sizeof(K) * 8, cmStream_t stream = nullptr) {   \
        K *const in = keys.Current(), *const out = keys.Alternate();                              \
        V *const in_values = values.Current(), *const out_values = values.Alternate();            \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                    \
        return Pairs(storage, bytes, static_cast<const K *>(in), out,                             \
                     static_cast<const V *>(in_values), out_values, n, segments, begin, end,      \
                     from, to, stream);                                                           \
    }
    CM_CUB_SORT(SortKeys, SortPairs, false)
    CM_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CM_CUB_SORT
};

struct DeviceFor {
    template <class N, class F> static cmError_t Bulk(N n, F f, cmStream_t stream = nullptr) {
        return cm::library::enqueue(stream, [=] {
            F call = f;
            for (N i = 0; i < n; i++) call(i);
        });
    }
    template <class I, class F>
    static cmError_t ForEach(I first, I last, F f, cmStream_t stream = nullptr) {
        return cm::library::enqueue(stream, [=] {
            F call = f;
            for (auto p = plain(first), end = plain(last); p != end; ++p) call(*p);
        });
    }
    template <class I, class N, class F>
    static cmError_t ForEachN(I first, N n, F f, cmStream_t stream = nullptr) {
        return ForEach(first, first + n, f, stream);
    }
};

} // namespace cub

#endif
