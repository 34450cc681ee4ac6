// SPDX-License-Identifier: Apache-2.0
// CUB: how the threads of a block hand values to one another, on the processor and in SYCL's
// kernels alike. What differs is in namespace detail: the storage, a thread's number, the barrier.
#ifndef CUDA_MORPH_CPU_CUB_EXCHANGE_HPP
#define CUDA_MORPH_CPU_CUB_EXCHANGE_HPP

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int Items, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
    enum { N = X * Y * Z };

  public:
    using TempStorage = detail::room<T, N * Items>;
    BlockExchange() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockExchange(TempStorage &storage) : storage_(storage) {}
    void StripedToBlocked(T (&in)[Items], T (&out)[Items]) { exchange(in, out, true); }
    void BlockedToStriped(T (&in)[Items], T (&out)[Items]) { exchange(in, out, false); }
    void StripedToBlocked(T (&items)[Items]) { exchange(items, items, true); }
    void BlockedToStriped(T (&items)[Items]) { exchange(items, items, false); }

  private:
    TempStorage &storage_;
    void exchange(T (&in)[Items], T (&out)[Items], bool from_stripes) {
        const int me = detail::rank();
        const auto striped = [me](int i) { return me + i * N; };
        const auto blocked = [me](int i) { return me * Items + i; };
        for (int i = 0; i < Items; i++)
            new (&storage_[from_stripes ? striped(i) : blocked(i)]) T(in[i]);
        detail::meet();
        for (int i = 0; i < Items; i++) out[i] = storage_[from_stripes ? blocked(i) : striped(i)];
    }
};

// Where a run of equal items begins (or ends).
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockDiscontinuity {
    enum { N = X * Y * Z };

  public:
    using TempStorage = detail::room<T, N>;
    BlockDiscontinuity() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockDiscontinuity(TempStorage &storage) : storage_(storage) {}
    template <int I, class F, class P> void FlagHeads(F (&flags)[I], T (&items)[I], P differ) {
        const int me = detail::rank();
        new (&storage_[me]) T(items[I - 1]);
        detail::meet();
        flags[0] = me == 0 || differ(storage_[me - 1], items[0]);
        for (int i = 1; i < I; i++) flags[i] = differ(items[i - 1], items[i]);
    }
    template <int I, class F, class P> void FlagTails(F (&flags)[I], T (&items)[I], P differ) {
        const int me = detail::rank();
        new (&storage_[me]) T(items[0]);
        detail::meet();
        flags[I - 1] = me == N - 1 || differ(items[I - 1], storage_[me + 1]);
        for (int i = 0; i + 1 < I; i++) flags[i] = differ(items[i], items[i + 1]);
    }

  private:
    TempStorage &storage_;
};

// Each item and the one before it, or behind it; the first, or the last, of all stays.
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockAdjacentDifference {
    enum { N = X * Y * Z };

  public:
    using TempStorage = detail::room<T, N>;
    BlockAdjacentDifference() : storage_(detail::own_storage<TempStorage>()) {}
    explicit BlockAdjacentDifference(TempStorage &storage) : storage_(storage) {}

    template <int I, class Out, class F> void SubtractLeft(T (&in)[I], Out (&out)[I], F f) {
        left(in, out, f, N * I, static_cast<T *>(nullptr));
    }
    template <int I, class Out, class F>
    void SubtractLeft(T (&in)[I], Out (&out)[I], F f, T before) {
        left(in, out, f, N * I, &before);
    }
    template <int I, class Out, class F>
    void SubtractLeftPartialTile(T (&in)[I], Out (&out)[I], F f, int valid) {
        left(in, out, f, valid, static_cast<T *>(nullptr));
    }
    template <int I, class Out, class F>
    void SubtractLeftPartialTile(T (&in)[I], Out (&out)[I], F f, int valid, T before) {
        left(in, out, f, valid, &before);
    }
    template <int I, class Out, class F> void SubtractRight(T (&in)[I], Out (&out)[I], F f) {
        right(in, out, f, N * I, static_cast<T *>(nullptr));
    }
    template <int I, class Out, class F>
    void SubtractRight(T (&in)[I], Out (&out)[I], F f, T behind) {
        right(in, out, f, N * I, &behind);
    }
    template <int I, class Out, class F>
    void SubtractRightPartialTile(T (&in)[I], Out (&out)[I], F f, int valid) {
        right(in, out, f, valid, static_cast<T *>(nullptr));
    }

  private:
    TempStorage &storage_;

    // `in` and `out` may be the same.
    template <int I, class Out, class F>
    void left(T (&in)[I], Out (&out)[I], F f, int valid, T *before) {
        const int me = detail::rank();
        new (&storage_[me]) T(in[I - 1]);
        detail::meet();
        for (int i = I - 1; i > 0; i--) out[i] = me * I + i < valid ? f(in[i], in[i - 1]) : in[i];
        T *own = me > 0 ? &storage_[me - 1] : before;
        out[0] = own && me * I < valid ? f(in[0], *own) : in[0];
    }
    template <int I, class Out, class F>
    void right(T (&in)[I], Out (&out)[I], F f, int valid, T *behind) {
        const int me = detail::rank();
        new (&storage_[me]) T(in[0]);
        detail::meet();
        for (int i = 0; i + 1 < I; i++)
            out[i] = me * I + i + 1 < valid ? f(in[i], in[i + 1]) : in[i];
        T *own = me + 1 < N ? &storage_[me + 1] : behind;
        out[I - 1] = own && (me + 1) * I < valid + (me + 1 == N) ? f(in[I - 1], *own) : in[I - 1];
    }
};

template <class T, int X, int Items, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT,
          int Y = 1, int Z = 1, int = 0>
struct BlockHistogram {
    struct TempStorage {
        char none;
    };
    BlockHistogram() = default;
    explicit BlockHistogram(TempStorage &) {}
    template <class C> void InitHistogram(C (&histogram)[Bins]) {
        for (int i = detail::rank(); i < Bins; i += X * Y * Z) histogram[i] = 0;
    }
    template <class C> void Composite(T (&items)[Items], C (&histogram)[Bins]) {
        for (int i = 0; i < Items; i++) atomicAdd(&histogram[items[i]], C(1));
    }
    template <class C> void Histogram(T (&items)[Items], C (&histogram)[Bins]) {
        InitHistogram(histogram);
        detail::meet();
        Composite(items, histogram);
    }
};

} // namespace cub

#endif
