// SPDX-License-Identifier: Apache-2.0
// CUB for kernels in SYCL: what a work-group and a warp do together, and the device-wide
// algorithms. Operators are applied from left to right, as they need be no more than associative.
// Not here: sorts of a group, segments, runs, histograms of the whole device.
#ifndef CUDA_MORPH_SYCL_CUB_HPP
#define CUDA_MORPH_SYCL_CUB_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl/thrust.hpp>
#include <limits>
#include <new>
#include <type_traits>

#define CUB_VERSION 200400

#include <cuda_morph/cpu/cub_types.hpp>

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {

// Room for N values, of a type that needs no constructor: it lies in local memory.
template <class T, int N> struct room {
    alignas(T) unsigned char bytes[sizeof(T) * static_cast<std::size_t>(N)];
    T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};
// What a collective without storage of the caller's uses.
template <class Storage> Storage &own_storage() {
    return cm::local<Storage, Storage>(cm::this_item());
}
inline int rank() { return static_cast<int>(cm::this_item().rank()); }
inline int lane() { return static_cast<int>(cm::this_item().lane()); }
inline void meet() { cm::barrier(cm::this_item()); }

} // namespace detail

inline unsigned LaneId() { return cm::this_item().lane(); }
inline unsigned WarpId() { return cm::this_item().rank() / cm::warp_size; }
inline int RowMajorTid(int, int, int) { return detail::rank(); }

// ---- of a work-group ----

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int = 0>
class BlockReduce {
    enum { N = X * Y * Z };

  public:
    using TempStorage = detail::room<T, N>;
    BlockReduce() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockReduce(TempStorage &storage) : storage_(storage) {}

    // The result is the first item's.
    template <class F> T Reduce(T value, F f, int valid) {
        const int me = detail::rank();
        new (&storage_[me]) T(value);
        for (int step = 1; step < N; step *= 2) {
            detail::meet();
            if (me % (2 * step) == 0 && me + step < valid && me + step < N)
                storage_[me] = f(storage_[me], storage_[me + step]);
        }
        return me == 0 ? storage_[0] : value;
    }
    template <class F> T Reduce(T value, F f) { return Reduce(value, f, N); }
    template <int I, class F> T Reduce(T (&items)[I], F f) {
        T sum = items[0];
        for (int i = 1; i < I; i++) sum = f(sum, items[i]);
        return Reduce(sum, f, N);
    }
    T Sum(T value) { return Reduce(value, cub::Sum(), N); }
    T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
    template <int I> T Sum(T (&items)[I]) { return Reduce(items, cub::Sum()); }

  private:
    TempStorage &storage_;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
    enum { N = X * Y * Z };

  public:
    struct TempStorage {
        detail::room<T, N> items; // each item's sum with all before it
        detail::room<T, 1> start; // what the prefix's callback gave
    };
    BlockScan() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockScan(TempStorage &storage) : storage_(storage) {}

    void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
    void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, Sum(), total); }
    template <int I> void InclusiveSum(T (&in)[I], T (&out)[I]) { InclusiveScan(in, out, Sum()); }
    template <int I> void InclusiveSum(T (&in)[I], T (&out)[I], T &total) {
        InclusiveScan(in, out, Sum(), total);
    }
    void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), Sum()); }
    void ExclusiveSum(T in, T &out, T &total) { ExclusiveScan(in, out, T(), Sum(), total); }
    template <class Prefix> void ExclusiveSum(T in, T &out, T &total, Prefix &prefix) {
        ExclusiveScan(in, out, Sum(), total, prefix);
    }
    template <class Prefix> void ExclusiveSum(T in, T &out, Prefix &prefix) {
        T total;
        ExclusiveScan(in, out, Sum(), total, prefix);
    }
    template <class Prefix> void InclusiveSum(T in, T &out, Prefix &prefix) {
        ExclusiveSum(in, out, prefix);
        out = Sum()(out, in);
    }
    template <int I, class Prefix> void ExclusiveSum(T (&in)[I], T (&out)[I], Prefix &prefix) {
        T before;
        ExclusiveSum(folded(in, Sum()), before, prefix);
        for (int i = 0; i < I; i++) {
            const T own = in[i];
            out[i] = before;
            before = Sum()(before, own);
        }
    }
    template <int I, class Prefix> void InclusiveSum(T (&in)[I], T (&out)[I], Prefix &prefix) {
        InclusiveScan(in, out, Sum(), prefix);
    }
    template <int I> void ExclusiveSum(T (&in)[I], T (&out)[I]) {
        ExclusiveScan(in, out, T(), Sum());
    }
    template <int I> void ExclusiveSum(T (&in)[I], T (&out)[I], T &total) {
        ExclusiveScan(in, out, T(), Sum(), total);
    }

    template <class F> void InclusiveScan(T in, T &out, F f) {
        scan(in, f);
        out = storage_.items[detail::rank()];
    }
    template <class F> void InclusiveScan(T in, T &out, F f, T &total) {
        InclusiveScan(in, out, f);
        total = storage_.items[N - 1];
    }
    template <int I, class F> void InclusiveScan(T (&in)[I], T (&out)[I], F f) {
        scan(folded(in, f), f);
        const int me = detail::rank();
        T before = me ? storage_.items[me - 1] : in[0];
        for (int i = 0; i < I; i++) {
            const T own = in[i];
            if (i || me) before = f(before, own);
            out[i] = before;
        }
    }
    template <int I, class F> void InclusiveScan(T (&in)[I], T (&out)[I], F f, T &total) {
        InclusiveScan(in, out, f);
        total = storage_.items[N - 1];
    }
    template <class F> void ExclusiveScan(T in, T &out, T start, F f) {
        scan(in, f);
        const int me = detail::rank();
        out = me ? f(start, storage_.items[me - 1]) : start;
    }
    template <class F> void ExclusiveScan(T in, T &out, T start, F f, T &total) {
        ExclusiveScan(in, out, start, f);
        total = storage_.items[N - 1];
    }
    // The callback is asked by the first warp, and its first lane's answer counts.
    template <class F, class Prefix>
    void ExclusiveScan(T in, T &out, F f, T &total, Prefix &prefix) {
        scan(in, f);
        const int me = detail::rank();
        total = storage_.items[N - 1];
        if (me < cm::warp_size) {
            const T start = prefix(total);
            if (me == 0) new (&storage_.start[0]) T(start);
        }
        detail::meet();
        out = me ? f(storage_.start[0], storage_.items[me - 1]) : storage_.start[0];
    }
    template <class F, class Prefix>
    std::enable_if_t<!std::is_convertible<F, T>::value> ExclusiveScan(T in, T &out, F f,
                                                                      Prefix &prefix) {
        T total;
        ExclusiveScan(in, out, f, total, prefix);
    }
    template <class F, class Prefix> void InclusiveScan(T in, T &out, F f, Prefix &prefix) {
        T total;
        ExclusiveScan(in, out, f, total, prefix);
        out = f(out, in);
    }
    template <int I, class F, class Prefix>
    std::enable_if_t<!std::is_convertible<F, T>::value> ExclusiveScan(T (&in)[I], T (&out)[I], F f,
                                                                      Prefix &prefix) {
        T before(in[0]), total(in[0]);
        ExclusiveScan(folded(in, f), before, f, total, prefix);
        for (int i = 0; i < I; i++) {
            const T own = in[i];
            out[i] = before;
            before = f(before, own);
        }
    }
    template <int I, class F, class Prefix>
    void InclusiveScan(T (&in)[I], T (&out)[I], F f, Prefix &prefix) {
        T before(in[0]), total(in[0]);
        ExclusiveScan(folded(in, f), before, f, total, prefix);
        for (int i = 0; i < I; i++) out[i] = before = f(before, in[i]);
    }
    template <int I, class F> void ExclusiveScan(T (&in)[I], T (&out)[I], T start, F f) {
        scan(folded(in, f), f);
        const int me = detail::rank();
        T before = me ? f(start, storage_.items[me - 1]) : start;
        for (int i = 0; i < I; i++) {
            const T own = in[i];
            out[i] = before;
            before = f(before, own);
        }
    }
    template <int I, class F> void ExclusiveScan(T (&in)[I], T (&out)[I], T start, F f, T &total) {
        ExclusiveScan(in, out, start, f);
        total = storage_.items[N - 1];
    }

  private:
    TempStorage &storage_;

    template <int I, class F> static T folded(T (&in)[I], F f) {
        T sum = in[0];
        for (int i = 1; i < I; i++) sum = f(sum, in[i]);
        return sum;
    }
    template <class F> void scan(const T &value, F f) {
        const int me = detail::rank();
        new (&storage_.items[me]) T(value);
        detail::meet();
        for (int step = 1; step < N; step *= 2) {
            T own = storage_.items[me];
            if (me >= step) own = f(storage_.items[me - step], own);
            detail::meet();
            storage_.items[me] = own;
            detail::meet();
        }
    }
};

template <class In, class T, int N>
void LoadDirectBlocked(int item, In in, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (item * N + i < valid) items[i] = in[item * N + i];
}
template <class In, class T, int N, class D>
void LoadDirectBlocked(int item, In in, T (&items)[N], int valid, D otherwise) {
    for (int i = 0; i < N; i++)
        items[i] = item * N + i < valid ? static_cast<T>(in[item * N + i]) : otherwise;
}
template <int Items, class In, class T, int N>
void LoadDirectStriped(int item, In in, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (item + i * Items < valid) items[i] = in[item + i * Items];
}
template <class Out, class T, int N>
void StoreDirectBlocked(int item, Out out, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (item * N + i < valid) out[item * N + i] = items[i];
}
template <int Items, class Out, class T, int N>
void StoreDirectStriped(int item, Out out, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (item + i * Items < valid) out[item + i * Items] = items[i];
}

template <class T, int X, int N, BlockLoadAlgorithm How = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int = 0>
class BlockLoad {
  public:
    struct TempStorage {
        char none;
    };
    BlockLoad() = default;
    explicit BlockLoad(TempStorage &) {}
    template <class In> void Load(In in, T (&items)[N], int valid = 0x7fffffff) {
        if (How == BLOCK_LOAD_STRIPED)
            LoadDirectStriped<X * Y * Z>(detail::rank(), in, items, valid);
        else
            LoadDirectBlocked(detail::rank(), in, items, valid);
    }
    template <class In, class D> void Load(In in, T (&items)[N], int valid, D otherwise) {
        for (int i = 0; i < N; i++) items[i] = otherwise;
        Load(in, items, valid);
    }
};
template <class T, int X, int N, BlockStoreAlgorithm How = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int = 0>
class BlockStore {
  public:
    struct TempStorage {
        char none;
    };
    BlockStore() = default;
    explicit BlockStore(TempStorage &) {}
    template <class Out> void Store(Out out, T (&items)[N], int valid = 0x7fffffff) {
        if (How == BLOCK_STORE_STRIPED)
            StoreDirectStriped<X * Y * Z>(detail::rank(), out, items, valid);
        else
            StoreDirectBlocked(detail::rank(), out, items, valid);
    }
};

// ---- of a warp, or a part of one; all of its lanes take part ----

template <class T, int Width = 32, int = 0> class WarpReduce {
  public:
    struct TempStorage {
        char none;
    };
    WarpReduce() = default;
    explicit WarpReduce(TempStorage &) {}
    // The result is the first lane's.
    template <class F> T Reduce(T value, F f, int valid) {
        const cm::item &item = cm::this_item();
        const int place = detail::lane() % Width;
        for (int step = 1; step < Width; step *= 2) {
            const T other = cm::shfl_down_sync(item, ~0u, value, static_cast<unsigned>(step));
            if (place % (2 * step) == 0 && place + step < valid && place + step < Width)
                value = f(value, other);
        }
        return value;
    }
    template <class F> T Reduce(T value, F f) { return Reduce(value, f, Width); }
    T Sum(T value) { return Reduce(value, cub::Sum(), Width); }
    T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
};

template <class T, int Width = 32, int = 0> class WarpScan {
    template <class F> T scanned(T value, F f) {
        const cm::item &item = cm::this_item();
        const int place = detail::lane() % Width;
        for (int step = 1; step < Width; step *= 2) {
            const T other = cm::shfl_up_sync(item, ~0u, value, static_cast<unsigned>(step));
            if (place >= step) value = f(other, value);
        }
        return value;
    }
    T from(T value, int place) {
        const int first = detail::lane() / Width * Width;
        return cm::shfl_sync(cm::this_item(), ~0u, value, first + place);
    }

  public:
    struct TempStorage {
        char none;
    };
    WarpScan() = default;
    explicit WarpScan(TempStorage &) {}
    template <class F> void InclusiveScan(T in, T &out, F f) { out = scanned(in, f); }
    template <class F> void InclusiveScan(T in, T &out, F f, T &total) {
        const T sum = scanned(in, f);
        out = sum;
        total = from(sum, Width - 1);
    }
    template <class F> void ExclusiveScan(T in, T &out, T start, F f) {
        const T before = cm::shfl_up_sync(cm::this_item(), ~0u, scanned(in, f), 1);
        out = detail::lane() % Width ? f(start, before) : start;
    }
    template <class F> void ExclusiveScan(T in, T &out, T start, F f, T &total) {
        const T sum = scanned(in, f), before = cm::shfl_up_sync(cm::this_item(), ~0u, sum, 1);
        out = detail::lane() % Width ? f(start, before) : start;
        total = from(sum, Width - 1);
    }
    void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
    void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, Sum(), total); }
    void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), Sum()); }
    void ExclusiveSum(T in, T &out, T &total) { ExclusiveScan(in, out, T(), Sum(), total); }
    T Broadcast(T value, unsigned place) { return from(value, static_cast<int>(place)); }
};

} // namespace cub

#include <cuda_morph/cpu/cub_exchange.hpp>
#include <cuda_morph/sycl/cub_device.hpp>

} // extern "C++"

#endif
