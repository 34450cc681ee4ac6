/* SPDX-License-Identifier: Apache-2.0 */
// nvcuda::wmma: what mma.h offers for tensor cores, as loops. Which lane holds
// which elements is not specified by CUDA; here element e of the matrix,
// counted along its rows, is x[e / 32] of lane e % 32. Each function waits for
// the 32 lanes of a warp, as CUDA's do (with warps of 64, for each half of
// one).
#ifndef CUDA_MORPH_MMA_H
#define CUDA_MORPH_MMA_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/bf16.h>
#include <cuda_morph/cuda.h>
#include <cuda_morph/fp16.h>

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};

namespace precision {
struct tf32 {}; // the upper 19 bits of a float
} // namespace precision

namespace detail {

template <class T> struct element { using type = T; };
template <> struct element<precision::tf32> { using type = float; };

// What a product is made of, and what sums are kept in.
template <class T> inline float value(T x) { return static_cast<float>(x); }
inline int value(signed char x) { return x; }
inline int value(unsigned char x) { return x; }
inline int value(int x) { return x; }
inline double value(double x) { return x; }
template <class T> inline auto factor(typename element<T>::type x) { return value(x); }
template <> inline auto factor<precision::tf32>(float x) {
    return ::cm::detail::as<float>(::cm::detail::as<unsigned>(x) & 0xffffe000u);
}

template <class Use, int M, int N, int K> struct shape;
template <int M, int N, int K> struct shape<matrix_a, M, N, K> {
    static constexpr int rows = M, columns = K;
};
template <int M, int N, int K> struct shape<matrix_b, M, N, K> {
    static constexpr int rows = K, columns = N;
};
template <int M, int N, int K> struct shape<accumulator, M, N, K> {
    static constexpr int rows = M, columns = N;
};

inline unsigned lane() { return ::cm::detail::lane() & 31; }
inline uint64_t mask() { return uint64_t(0xffffffffu) << (::cm::detail::lane() & 32); }
inline void together() {
    ::cm::detail::vote_record record{};
    ::cm::detail::meet(mask(), nullptr, record, nullptr);
}

} // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    using element_type = typename detail::element<T>::type;
    using storage_element_type = element_type;
    using cm_shape = detail::shape<Use, M, N, K>;
    enum {
        num_elements = cm_shape::rows * cm_shape::columns / 32,
        num_storage_elements = num_elements
    };
    static_assert((cm_shape::rows * cm_shape::columns) % 32 == 0, "a shape that CUDA lacks");
    element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const Value &value) {
    for (auto &x : f.x) x = static_cast<typename detail::element<T>::type>(value);
}

namespace detail {

// f is called with each of the lane's elements and its place in memory.
template <class Fragment, class F>
inline void places(Fragment &f, unsigned stride, bool along_rows, F each) {
    for (unsigned i = 0; i < Fragment::num_elements; i++) {
        const unsigned e = i * 32 + lane();
        const size_t row = e / Fragment::cm_shape::columns,
                     column = e % Fragment::cm_shape::columns;
        each(f.x[i], along_rows ? row * stride + column : column * stride + row);
    }
}

template <class D, class A, class B, class C> struct product {
    D *d;
    const A *a;
    const B *b;
    const C *c;
    bool saturate;
};

template <class To, class Sum> inline To finished(Sum sum, bool) { return static_cast<To>(sum); }
template <> inline int finished<int, long long>(long long sum, bool saturate) {
    if (saturate) return ::cm::detail::saturated<int>(static_cast<double>(sum));
    return static_cast<int>(static_cast<unsigned>(sum));
}

// The last lane to come multiplies for all: it gathers A and B, and gives each
// lane its elements.
template <int M, int N, int K, class TA, class TB, class Sum, class Product>
inline void multiply(void **records, uint64_t) {
    const int first = records[0] ? 0 : 32; // of the half of a warp of 64
    auto at = [&](int e) { return static_cast<Product *>(records[first + e % 32]); };
    Sum a[M][K], b[K][N], d[M][N];
    for (int e = 0; e < M * K; e++)
        a[e / K][e % K] = static_cast<Sum>(at(e) ? factor<TA>(at(e)->a->x[e / 32]) : 0);
    for (int e = 0; e < K * N; e++)
        b[e / N][e % N] = static_cast<Sum>(at(e) ? factor<TB>(at(e)->b->x[e / 32]) : 0);
    for (int e = 0; e < M * N; e++)
        d[e / N][e % N] = static_cast<Sum>(at(e) ? value(at(e)->c->x[e / 32]) : 0);
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++) d[i][j] += a[i][k] * b[k][j];
    for (int e = 0; e < M * N; e++) {
        Product *const p = at(e);
        using To = typename std::remove_reference<decltype(p->d->x[0])>::type;
        if (p) p->d->x[e / 32] = finished<To, Sum>(d[e / N][e % N], p->saturate);
    }
}

template <class T> struct sum { using type = float; };
template <> struct sum<int> { using type = long long; };
template <> struct sum<double> { using type = double; };

} // namespace detail

template <class Use, int M, int N, int K, class T, class Layout, class Memory>
inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const Memory *from,
                             unsigned stride) {
    detail::together();
    detail::places(f, stride, std::is_same<Layout, row_major>::value,
                   [&](auto &x, size_t at) { x = from[at]; });
}
template <int M, int N, int K, class T, class Memory>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const Memory *from,
                             unsigned stride, layout_t layout) {
    detail::together();
    detail::places(f, stride, layout == mem_row_major, [&](auto &x, size_t at) { x = from[at]; });
}
template <int M, int N, int K, class T, class Memory>
inline void store_matrix_sync(Memory *to, const fragment<accumulator, M, N, K, T> &f,
                              unsigned stride, layout_t layout) {
    detail::together();
    detail::places(f, stride, layout == mem_row_major,
                   [&](const auto &x, size_t at) { to[at] = x; });
}

// d = a * b + c. Sums are kept in float (half and bfloat16 are rounded once),
// in double, or in integers that wrap around, or stop at the ends with
// saturate.
template <int M, int N, int K, class D, class C, class TA, class TB, class LA, class LB>
inline void mma_sync(fragment<accumulator, M, N, K, D> &d,
                     const fragment<matrix_a, M, N, K, TA, LA> &a,
                     const fragment<matrix_b, M, N, K, TB, LB> &b,
                     const fragment<accumulator, M, N, K, C> &c, bool saturate = false) {
    using record =
        detail::product<fragment<accumulator, M, N, K, D>, fragment<matrix_a, M, N, K, TA, LA>,
                        fragment<matrix_b, M, N, K, TB, LB>, fragment<accumulator, M, N, K, C>>;
    record mine{&d, &a, &b, &c, saturate};
    ::cm::detail::meet(detail::mask(), nullptr, mine,
                       &detail::multiply<M, N, K, TA, TB, typename detail::sum<C>::type, record>);
}

// Rounded to the nearest, away from zero where two are as near.
inline float __float_to_tf32(float x) {
    const unsigned bits = ::cm::detail::as<unsigned>(x);
    if ((bits & 0x7f800000u) == 0x7f800000u) return x;
    return ::cm::detail::as<float>((bits + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

} // extern "C++"

#endif
