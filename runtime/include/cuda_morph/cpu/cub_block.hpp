// SPDX-License-Identifier: Apache-2.0
// CUB: what the threads of a block do together. Their values go to the shared storage, one thread
// does the work, and the others wait. As CUDA's, storage may be used again after a barrier.
#ifndef CUDA_MORPH_CPU_CUB_BLOCK_HPP
#define CUDA_MORPH_CPU_CUB_BLOCK_HPP

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

// Room for N values, of a type that needs no constructor: it lies in shared memory.
template <class T, int N> struct room {
    alignas(T) unsigned char bytes[sizeof(T) * static_cast<size_t>(N > 0 ? N : 1)];
    T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
    T *begin() { return reinterpret_cast<T *>(bytes); }
};
// What a collective without storage of the caller's uses.
template <class Storage> inline Storage &own_storage() {
    static __shared__ Storage storage;
    return storage;
}
inline int rank() { return static_cast<int>(cm::detail::rank()); }
inline void meet() { __syncthreads(); }

} // namespace detail

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int = 0>
class BlockReduce {
    enum { N = X * Y * Z };

  public:
    using cm_value = T;
    static constexpr int cm_threads = N;
    using TempStorage = detail::room<T, N>;
    BlockReduce() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockReduce(TempStorage &storage) : storage_(storage) {}

    // The result is the first thread's.
    template <class F> T Reduce(T value, F f, int valid) {
        const int me = detail::rank();
        new (&storage_[me]) T(value);
        __syncthreads();
        T sum = value;
        for (int i = 1; me == 0 && i < valid; i++) sum = f(sum, storage_[i]);
        return sum;
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
    struct storage {
        detail::room<T, N> items; // becomes what includes each thread's own
        detail::room<T, 2> extra; // the sum of all, and what comes before all
    };
    storage &storage_;

    // Sums of the threads' values, behind `start` where there is one.
    template <class F, class Start> void scan(const T &value, F f, bool has_start, Start start) {
        const int me = detail::rank();
        new (&storage_.items[me]) T(value);
        __syncthreads();
        if (me == 0) {
            for (int i = 1; i < N; i++)
                storage_.items[i] = f(storage_.items[i - 1], storage_.items[i]);
            new (&storage_.extra[0]) T(storage_.items[N - 1]);
            if (has_start) {
                new (&storage_.extra[1]) T(start(storage_.extra[0]));
                for (int i = 0; i < N; i++)
                    storage_.items[i] = f(storage_.extra[1], storage_.items[i]);
            }
        }
        __syncthreads();
    }
    T before(bool has_start) {
        const int me = detail::rank();
        return me ? storage_.items[me - 1] : has_start ? storage_.extra[1] : storage_.items[0];
    }
    // Each thread's items, exclusive or inclusive; returns the sum of all.
    template <int I, class F, class Start>
    T all(T (&in)[I], T (&out)[I], F f, bool inclusive, bool has_start, Start start) {
        T sum = in[0];
        for (int i = 1; i < I; i++) sum = f(sum, in[i]);
        scan(sum, f, has_start, start);
        T run = before(has_start);
        bool some = has_start || detail::rank() > 0;
        for (int i = 0; i < I; i++) {
            const T value = in[i], next = some ? f(run, value) : value;
            out[i] = inclusive ? next : run;
            run = next, some = true;
        }
        return storage_.extra[0];
    }
    static auto none() {
        return [](const T &v) { return v; };
    }
    static auto fixed(T v) {
        return [v](const T &) { return v; };
    }
    template <class P> using is_callback = decltype(std::declval<P &>()(std::declval<T>()));

  public:
    using TempStorage = storage;
    BlockScan() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockScan(TempStorage &s) : storage_(s) {}

    // One value each.
    void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T{}, Sum()); }
    void ExclusiveSum(T in, T &out, T &total) { ExclusiveScan(in, out, T{}, Sum(), total); }
    template <class P, class = is_callback<P>> void ExclusiveSum(T in, T &out, P &prefix) {
        ExclusiveScan(in, out, Sum(), prefix);
    }
    void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
    void InclusiveSum(T in, T &out, T &total) { InclusiveScan(in, out, Sum(), total); }
    template <class P, class = is_callback<P>> void InclusiveSum(T in, T &out, P &prefix) {
        InclusiveScan(in, out, Sum(), prefix);
    }
    template <class F> void ExclusiveScan(T in, T &out, T initial, F f) {
        scan(in, f, true, fixed(initial));
        out = before(true);
    }
    template <class F> void ExclusiveScan(T in, T &out, T initial, F f, T &total) {
        ExclusiveScan(in, out, initial, f);
        total = storage_.extra[0];
    }
    template <class F> void ExclusiveScan(T in, T &out, F f) { // the first thread's is undefined
        scan(in, f, false, none());
        out = before(false);
    }
    template <class F, class P, class = is_callback<P>>
    void ExclusiveScan(T in, T &out, F f, P &prefix) {
        scan(in, f, true, [&](const T &sum) { return prefix(sum); });
        out = before(true);
    }
    template <class F> void InclusiveScan(T in, T &out, F f) {
        scan(in, f, false, none());
        out = storage_.items[detail::rank()];
    }
    template <class F> void InclusiveScan(T in, T &out, F f, T &total) {
        InclusiveScan(in, out, f);
        total = storage_.extra[0];
    }
    template <class F, class P, class = is_callback<P>>
    void InclusiveScan(T in, T &out, F f, P &prefix) {
        scan(in, f, true, [&](const T &sum) { return prefix(sum); });
        out = storage_.items[detail::rank()];
    }
    // Several values each, one after the other.
    template <int I> void ExclusiveSum(T (&in)[I], T (&out)[I]) {
        all(in, out, Sum(), false, true, fixed(T{}));
    }
    template <int I> void ExclusiveSum(T (&in)[I], T (&out)[I], T &total) {
        total = all(in, out, Sum(), false, true, fixed(T{}));
    }
    template <int I, class P, class = is_callback<P>>
    void ExclusiveSum(T (&in)[I], T (&out)[I], P &prefix) {
        all(in, out, Sum(), false, true, [&](const T &sum) { return prefix(sum); });
    }
    template <int I> void InclusiveSum(T (&in)[I], T (&out)[I]) {
        all(in, out, Sum(), true, false, none());
    }
    template <int I> void InclusiveSum(T (&in)[I], T (&out)[I], T &total) {
        total = all(in, out, Sum(), true, false, none());
    }
    template <int I, class P, class = is_callback<P>>
    void InclusiveSum(T (&in)[I], T (&out)[I], P &prefix) {
        all(in, out, Sum(), true, true, [&](const T &sum) { return prefix(sum); });
    }
    template <int I, class F> void ExclusiveScan(T (&in)[I], T (&out)[I], T initial, F f) {
        all(in, out, f, false, true, fixed(initial));
    }
    template <int I, class F>
    void ExclusiveScan(T (&in)[I], T (&out)[I], T initial, F f, T &total) {
        total = all(in, out, f, false, true, fixed(initial));
    }
    template <int I, class F> void InclusiveScan(T (&in)[I], T (&out)[I], F f) {
        all(in, out, f, true, false, none());
    }
    template <int I, class F> void InclusiveScan(T (&in)[I], T (&out)[I], F f, T &total) {
        total = all(in, out, f, true, false, none());
    }
    template <int I, class F> void ExclusiveScan(T (&in)[I], T (&out)[I], F f) {
        all(in, out, f, false, false, none());
    }
    template <int I, class F, class P, class = is_callback<P>>
    void ExclusiveScan(T (&in)[I], T (&out)[I], F f, P &prefix) {
        all(in, out, f, false, true, [&](const T &sum) { return prefix(sum); });
    }
    template <int I, class F, class P, class = is_callback<P>>
    void InclusiveScan(T (&in)[I], T (&out)[I], F f, P &prefix) {
        all(in, out, f, true, true, [&](const T &sum) { return prefix(sum); });
    }
};

// ---- between memory and the threads' items ----

template <class T, class I, int N>
inline void LoadDirectBlocked(int thread, I in, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (thread * N + i < valid) items[i] = in[thread * N + i];
}
template <class T, class I, int N>
inline void LoadDirectBlocked(int thread, I in, T (&items)[N], int valid, T otherwise) {
    for (int i = 0; i < N; i++)
        items[i] = thread * N + i < valid ? static_cast<T>(in[thread * N + i]) : otherwise;
}
template <int Threads, class T, class I, int N>
inline void LoadDirectStriped(int thread, I in, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (thread + i * Threads < valid) items[i] = in[thread + i * Threads];
}
template <class T, class O, int N>
inline void StoreDirectBlocked(int thread, O out, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (thread * N + i < valid) out[thread * N + i] = items[i];
}
template <int Threads, class T, class O, int N>
inline void StoreDirectStriped(int thread, O out, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; i++)
        if (thread + i * Threads < valid) out[thread + i * Threads] = items[i];
}

template <class T, int X, int Items, BlockLoadAlgorithm How = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int = 0>
class BlockLoad {
    static int at(int i) {
        return How == BLOCK_LOAD_STRIPED ? detail::rank() + i * X * Y * Z
                                         : detail::rank() * Items + i;
    }

  public:
    struct TempStorage {
        char none;
    };
    BlockLoad() = default;
    explicit BlockLoad(TempStorage &) {}
    template <class I> void Load(I in, T (&items)[Items]) {
        for (int i = 0; i < Items; i++) items[i] = in[at(i)];
    }
    template <class I> void Load(I in, T (&items)[Items], int valid) {
        for (int i = 0; i < Items; i++)
            if (at(i) < valid) items[i] = in[at(i)];
    }
    template <class I, class D> void Load(I in, T (&items)[Items], int valid, D otherwise) {
        for (int i = 0; i < Items; i++)
            items[i] = at(i) < valid ? static_cast<T>(in[at(i)]) : static_cast<T>(otherwise);
    }
};
template <class T, int X, int Items, BlockStoreAlgorithm How = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int = 0>
class BlockStore {
    static int at(int i) {
        return How == BLOCK_STORE_STRIPED ? detail::rank() + i * X * Y * Z
                                          : detail::rank() * Items + i;
    }

  public:
    struct TempStorage {
        char none;
    };
    BlockStore() = default;
    explicit BlockStore(TempStorage &) {}
    template <class O> void Store(O out, T (&items)[Items], int valid = 0x7fffffff) {
        for (int i = 0; i < Items; i++)
            if (at(i) < valid) out[at(i)] = items[i];
    }
};

template <class K, int X, int Items, class V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
    enum { N = X * Y * Z };
    struct storage {
        detail::room<K, N * Items> keys;
        detail::room<V, N * Items> values;
    };
    storage &storage_;

    void sort(K *keys, V *values, int from, int to, bool descending, bool striped) {
        const int me = detail::rank();
        for (int i = 0; i < Items; i++) {
            new (&storage_.keys[me * Items + i]) K(keys[i]);
            if (values) new (&storage_.values[me * Items + i]) V(values[i]);
        }
        __syncthreads();
        if (me == 0)
            DeviceRadixSort::sort(storage_.keys.begin(), storage_.keys.begin(),
                                  values ? storage_.values.begin() : nullptr,
                                  storage_.values.begin(), N * Items, from, to, descending);
        __syncthreads();
        for (int i = 0; i < Items; i++) {
            const int at = striped ? me + i * N : me * Items + i;
            keys[i] = storage_.keys[at];
            if (values) values[i] = storage_.values[at];
        }
    }

  public:
    using TempStorage = storage;
    BlockRadixSort() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockRadixSort(TempStorage &s) : storage_(s) {}
#define CM_CUB_SORT(name, descending, striped)                                                    \
    void name(K(&keys)[Items], int from = 0, int to = sizeof(K) * 8) {                            \
        sort(keys, nullptr, from, to, descending, striped);                                       \
    }                                                                                             \
    void name(K(&keys)[Items], V(&values)[Items], int from = 0, int to = sizeof(K) * 8) {         \
        sort(keys, values, from, to, descending, striped);                                        \
    }
    CM_CUB_SORT(Sort, false, false)
    CM_CUB_SORT(SortDescending, true, false)
    CM_CUB_SORT(SortBlockedToStriped, false, true)
    CM_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef CM_CUB_SORT
};

} // namespace cub

#include <cuda_morph/cpu/cub_exchange.hpp>

#endif
