// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide algorithms in SYCL: each is one work-group, whose items have a part of the
// input each. That is right on every device, and slower than oneDPL where there is much to do.
// Included by cub.hpp.
#ifndef CUDA_MORPH_SYCL_CUB_DEVICE_HPP
#define CUDA_MORPH_SYCL_CUB_DEVICE_HPP

#include <cstring>

namespace cub {
namespace detail {

enum { ITEMS = 256, DIGITS = 16, DIGIT_BITS = 4 };

// What the item has of n values: [begin, end); and how many items have some.
struct part {
    long long begin, end;
    int parts;
    part(const cm::item &item, long long n) {
        const long long size = n > 0 ? (n + ITEMS - 1) / ITEMS : 1, me = item.rank();
        begin = me * size < n ? me * size : n;
        end = begin + size < n ? begin + size : n;
        parts = static_cast<int>((n + size - 1) / size);
    }
    bool some() const { return begin < end; }
};

// The first call asks for the size of the temporary storage: `bytes` of it.
inline bool asks(void *storage, std::size_t &size, std::size_t bytes = 1) {
    if (!storage) size = bytes;
    return !storage;
}
template <class Body> cmError_t on_one_group(cmStream_t stream, Body body) {
    return cm::launch(body, dim3(1), dim3(ITEMS), 0, stream)();
}

template <class T, class I, class O, class F>
cmError_t reduce(I in, O out, long long n, F f, T start, cmStream_t stream) {
    return on_one_group(stream, [=](const cm::item &item) {
        auto &sums = cm::local<room<T, ITEMS>, struct reduce_sums>(item);
        const part mine(item, n);
        const int me = static_cast<int>(item.rank());
        if (mine.some()) {
            T sum = in[mine.begin];
            for (long long i = mine.begin + 1; i < mine.end; i++) sum = f(sum, in[i]);
            new (&sums[me]) T(sum);
        }
        for (int step = 1; step < ITEMS; step *= 2) {
            cm::barrier(item);
            if (me % (2 * step) == 0 && me + step < mine.parts)
                sums[me] = f(sums[me], sums[me + step]);
        }
        if (me == 0) *out = mine.parts ? f(start, sums[0]) : start;
    });
}

// Behind `start`, where there is one.
template <class T, class I, class O, class F>
cmError_t scan(I in, O out, long long n, F f, bool inclusive, bool has_start, T start,
               cmStream_t stream) {
    return on_one_group(stream, [=](const cm::item &item) {
        auto &sums = cm::local<room<T, ITEMS>, struct scan_sums>(item);
        const part mine(item, n);
        const int me = static_cast<int>(item.rank());
        if (mine.some()) {
            T sum = in[mine.begin];
            for (long long i = mine.begin + 1; i < mine.end; i++) sum = f(sum, in[i]);
            new (&sums[me]) T(sum);
        }
        cm::barrier(item);
        if (me == 0)
            for (int i = 1; i < mine.parts; i++) sums[i] = f(sums[i - 1], sums[i]);
        cm::barrier(item);
        if (!mine.some()) return;
        bool has = has_start || me > 0;
        T before = me == 0 ? start : has_start ? f(start, sums[me - 1]) : sums[me - 1];
        for (long long i = mine.begin; i < mine.end; i++) {
            const T own = in[i], sum = has ? f(before, own) : own;
            out[i] = inclusive ? sum : before;
            before = sum;
            has = true;
        }
    });
}

// The values for whose place `chosen` is true, in order, and their number.
template <class I, class O, class N, class C>
cmError_t select(I in, O out, N number, long long n, C chosen, cmStream_t stream) {
    return on_one_group(stream, [=](const cm::item &item) {
        auto &counts = cm::local<long long[ITEMS], struct select_counts>(item);
        const part mine(item, n);
        const unsigned me = item.rank();
        long long count = 0;
        for (long long i = mine.begin; i < mine.end; i++) count += chosen(i) ? 1 : 0;
        counts[me] = count;
        cm::barrier(item);
        long long to = 0;
        for (unsigned i = 0; i < me; i++) to += counts[i];
        if (me == ITEMS - 1) *number = static_cast<value_of<N>>(to + count);
        for (long long i = mine.begin; i < mine.end; i++)
            if (chosen(i)) out[to++] = in[i];
    });
}

// The bits of a key, in whose order the keys are.
template <class K> auto ordered_bits(K key) {
    using bits = std::conditional_t<
        sizeof(K) == 1, std::uint8_t,
        std::conditional_t<sizeof(K) == 2, std::uint16_t,
                           std::conditional_t<sizeof(K) == 4, std::uint32_t, std::uint64_t>>>;
    static_assert(sizeof(K) == sizeof(bits) && std::is_arithmetic<K>::value, "keys are numbers");
    bits b;
    std::memcpy(&b, &key, sizeof b);
    const bits sign = static_cast<bits>(bits(1) << (8 * sizeof b - 1));
    if (std::is_floating_point<K>::value) return static_cast<bits>(b & sign ? ~b : b | sign);
    return static_cast<bits>(std::is_signed<K>::value ? b ^ sign : b);
}
struct nothing {};

// Sorted by bits [begin, end), four at a time; the last pass writes into keys_out.
template <class K, class V>
cmError_t sort(const K *keys_in, K *keys_out, K *keys_more, const V *values_in, V *values_out,
               V *values_more, long long n, int begin, int end, bool descending,
               cmStream_t stream) {
    const int passes = end > begin ? (end - begin + DIGIT_BITS - 1) / DIGIT_BITS : 0;
    constexpr bool pairs = !std::is_same<V, nothing>::value;
    return on_one_group(stream, [=](const cm::item &item) {
        auto &count = cm::local<unsigned[ITEMS][DIGITS], struct sort_count>(item);
        const part mine(item, n);
        const unsigned me = item.rank();
        const K *from = keys_in;
        const V *from_values = values_in;
        for (int pass = 0; pass < passes; pass++) {
            const int bit = begin + pass * DIGIT_BITS;
            const int width = end - bit < DIGIT_BITS ? end - bit : int(DIGIT_BITS);
            const auto digit = [=](K key) {
                const auto bits = ordered_bits(key);
                const unsigned d = static_cast<unsigned>(bits >> bit) & ((1u << width) - 1);
                return descending ? (1u << width) - 1 - d : d;
            };
            K *to = (passes - pass) % 2 ? keys_out : keys_more;
            V *to_values = (passes - pass) % 2 ? values_out : values_more;
            for (unsigned d = 0; d < DIGITS; d++) count[me][d] = 0;
            for (long long i = mine.begin; i < mine.end; i++) count[me][digit(from[i])]++;
            cm::barrier(item);
            if (me == 0) {
                unsigned sum = 0;
                for (unsigned d = 0; d < DIGITS; d++)
                    for (unsigned i = 0; i < ITEMS; i++) {
                        const unsigned own = count[i][d];
                        count[i][d] = sum;
                        sum += own;
                    }
            }
            cm::barrier(item);
            for (long long i = mine.begin; i < mine.end; i++) {
                const unsigned place = count[me][digit(from[i])]++;
                to[place] = from[i];
                if constexpr (pairs) to_values[place] = from_values[i];
            }
            cm::barrier(item);
            from = to;
            from_values = to_values;
        }
        if (passes > 0) return;
        for (long long i = mine.begin; i < mine.end; i++) {
            keys_out[i] = keys_in[i];
            if constexpr (pairs) values_out[i] = values_in[i];
        }
    });
}
inline std::size_t aligned(std::size_t n) { return (n + 255) / 256 * 256; }

} // namespace detail

struct DeviceReduce {
    template <class I, class O, class F, class T, class N>
    static cmError_t Reduce(void *storage, std::size_t &size, I in, O out, N n, F f, T start,
                            cmStream_t stream = nullptr, bool = false) {
        if (detail::asks(storage, size)) return cmSuccess;
        return detail::reduce<T>(in, out, static_cast<long long>(n), f, start, stream);
    }
    template <class I, class O, class N>
    static cmError_t Sum(void *storage, std::size_t &size, I in, O out, N n,
                         cmStream_t stream = nullptr, bool = false) {
        return Reduce(storage, size, in, out, n, cub::Sum(), value_of<I>(), stream);
    }
    template <class I, class O, class N>
    static cmError_t Max(void *storage, std::size_t &size, I in, O out, N n,
                         cmStream_t stream = nullptr, bool = false) {
        using T = value_of<I>;
        return Reduce(storage, size, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(),
                      stream);
    }
    template <class I, class O, class N>
    static cmError_t Min(void *storage, std::size_t &size, I in, O out, N n,
                         cmStream_t stream = nullptr, bool = false) {
        using T = value_of<I>;
        return Reduce(storage, size, in, out, n, cub::Min(), std::numeric_limits<T>::max(),
                      stream);
    }
    template <class I, class O, class N>
    static cmError_t ArgMin(void *storage, std::size_t &size, I in, O out, N n,
                            cmStream_t stream = nullptr, bool = false) {
        return Arg(storage, size, in, out, n, cub::ArgMin(), stream);
    }
    template <class I, class O, class N>
    static cmError_t ArgMax(void *storage, std::size_t &size, I in, O out, N n,
                            cmStream_t stream = nullptr, bool = false) {
        return Arg(storage, size, in, out, n, cub::ArgMax(), stream);
    }

  private:
    template <class I, class O, class N, class F>
    static cmError_t Arg(void *storage, std::size_t &size, I in, O out, N n, F f,
                         cmStream_t stream) {
        using pair = KeyValuePair<int, value_of<I>>;
        if (detail::asks(storage, size)) return cmSuccess;
        const auto numbered =
            thrust::make_transform_iterator(thrust::counting_iterator<int>(0), [in](int i) {
                return pair{i, in[i]};
            });
        const auto better = [f](const pair &a, const pair &b) {
            return a.key < 0 ? b : b.key < 0 ? a : f(a, b);
        };
        const pair none{n > 0 ? -1 : 1, value_of<I>{}}; // 1 is CUB's answer for nothing
        return detail::reduce<pair>(numbered, out, static_cast<long long>(n), better, none,
                                    stream);
    }
};

struct DeviceScan {
    template <class I, class O, class F, class T, class N>
    static cmError_t ExclusiveScan(void *storage, std::size_t &size, I in, O out, F f, T start,
                                   N n, cmStream_t stream = nullptr, bool = false) {
        if (detail::asks(storage, size)) return cmSuccess;
        return detail::scan<T>(in, out, static_cast<long long>(n), f, false, true, start, stream);
    }
    template <class I, class O, class N>
    static cmError_t ExclusiveSum(void *storage, std::size_t &size, I in, O out, N n,
                                  cmStream_t stream = nullptr, bool = false) {
        return ExclusiveScan(storage, size, in, out, Sum(), value_of<I>(), n, stream);
    }
    template <class I, class O, class F, class N>
    static cmError_t InclusiveScan(void *storage, std::size_t &size, I in, O out, F f, N n,
                                   cmStream_t stream = nullptr, bool = false) {
        using T = value_of<I>;
        if (detail::asks(storage, size)) return cmSuccess;
        return detail::scan<T>(in, out, static_cast<long long>(n), f, true, false, T(), stream);
    }
    template <class I, class O, class N>
    static cmError_t InclusiveSum(void *storage, std::size_t &size, I in, O out, N n,
                                  cmStream_t stream = nullptr, bool = false) {
        return InclusiveScan(storage, size, in, out, Sum(), n, stream);
    }
};

struct DeviceSelect {
    template <class I, class F, class O, class C, class N>
    static cmError_t Flagged(void *storage, std::size_t &size, I in, F flags, O out, C count, N n,
                             cmStream_t stream = nullptr, bool = false) {
        if (detail::asks(storage, size)) return cmSuccess;
        return detail::select(
            in, out, count, static_cast<long long>(n),
            [=](long long i) { return static_cast<bool>(flags[i]); }, stream);
    }
    template <class I, class O, class C, class N, class F>
    static cmError_t If(void *storage, std::size_t &size, I in, O out, C count, N n, F f,
                        cmStream_t stream = nullptr, bool = false) {
        if (detail::asks(storage, size)) return cmSuccess;
        return detail::select(
            in, out, count, static_cast<long long>(n),
            [=](long long i) { return static_cast<bool>(f(in[i])); }, stream);
    }
    template <class I, class O, class C, class N>
    static cmError_t Unique(void *storage, std::size_t &size, I in, O out, C count, N n,
                            cmStream_t stream = nullptr, bool = false) {
        if (detail::asks(storage, size)) return cmSuccess;
        return detail::select(
            in, out, count, static_cast<long long>(n),
            [=](long long i) { return i == 0 || !(in[i] == in[i - 1]); }, stream);
    }
};

struct DeviceRadixSort {
#define CM_CUB_SORT(Which, descending)                                                            \
    template <class K, class N>                                                                   \
    static cmError_t SortKeys##Which(void *storage, std::size_t &size, const K *in, K *out, N n,  \
                                     int begin = 0, int end = sizeof(K) * 8,                      \
                                     cmStream_t stream = nullptr, bool = false) {                 \
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(K);                        \
        if (detail::asks(storage, size, bytes + 1)) return cmSuccess;                             \
        return detail::sort<K, detail::nothing>(in, out, static_cast<K *>(storage), nullptr,      \
                                                nullptr, nullptr, static_cast<long long>(n),      \
                                                begin, end, descending, stream);                  \
    }                                                                                             \
    template <class K, class V, class N>                                                          \
    static cmError_t SortPairs##Which(void *storage, std::size_t &size, const K *keys,            \
                                      K *keys_to, const V *values, V *values_to, N n,             \
                                      int begin = 0, int end = sizeof(K) * 8,                     \
                                      cmStream_t stream = nullptr, bool = false) {                \
        const std::size_t at = detail::aligned(static_cast<std::size_t>(n) * sizeof(K));          \
        const std::size_t bytes = at + static_cast<std::size_t>(n) * sizeof(V);                   \
        if (detail::asks(storage, size, bytes + 1)) return cmSuccess;                             \
        return detail::sort<K, V>(keys, keys_to, static_cast<K *>(storage), values, values_to,    \
                                  reinterpret_cast<V *>(static_cast<char *>(storage) + at),       \
                                  static_cast<long long>(n), begin, end, descending, stream);     \
    }                                                                                             \
    template <class K, class N>                                                                   \
    static cmError_t SortKeys##Which(void *storage, std::size_t &size, DoubleBuffer<K> &keys,     \
                                     N n, int begin = 0, int end = sizeof(K) * 8,                 \
                                     cmStream_t stream = nullptr, bool = false) {                 \
        const cmError_t error = SortKeys##Which(storage, size, keys.Current(), keys.Alternate(),  \
                                                n, begin, end, stream);                           \
        if (storage) keys.selector ^= 1;                                                          \
        return error;                                                                             \
    }                                                                                             \
    template <class K, class V, class N>                                                          \
    static cmError_t SortPairs##Which(                                                            \
        void *storage, std::size_t &size, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n,    \
        int begin = 0, int end = sizeof(K) * 8, cmStream_t stream = nullptr, bool = false) {      \
        const cmError_t error =                                                                   \
            SortPairs##Which(storage, size, keys.Current(), keys.Alternate(), values.Current(),   \
                             values.Alternate(), n, begin, end, stream);                          \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                    \
        return error;                                                                             \
    }
    CM_CUB_SORT(, false)
    CM_CUB_SORT(Descending, true)
#undef CM_CUB_SORT
};

} // namespace cub

#endif
