/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_morph/hip_wmma.h - CUDA's nvcuda::wmma for ported programs.
 *
 * Header-only, C++11, for waves of 32 and of 64 lanes. A tile belongs to 32 lanes, as in CUDA: on
 * RDNA to a wave, on CDNA to a half of one. That is why rocWMMA, whose tiles take a whole wave,
 * is not behind it: it uses the matrix cores, where a program gives each tile a wave. Here lanes
 * multiply by themselves and hand each other columns.
 *
 * Which lane holds which elements is not specified by CUDA. Here a lane holds row lane % M of A,
 * column lane % N of B, and of C and D the part of row lane % M that the lanes of that row leave
 * to it. Sums are kept in float (half and bfloat16 are rounded once), in double, or in integers
 * that wrap around, or stop at the ends where mma_sync is asked to.
 */
#ifndef CUDA_MORPH_HIP_WMMA_H
#define CUDA_MORPH_HIP_WMMA_H

#include <cuda_morph/hip_ext.h>
#include <hip/hip_fp16.h>
#if defined(__has_include)
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#endif
#endif

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};

namespace precision {
struct tf32 {}; /* the upper 19 bits of a float */
} // namespace precision

namespace detail {

template <class T> struct element { typedef T type; };
template <> struct element<precision::tf32> { typedef float type; };

template <class Layout> struct lies { static constexpr bool along_rows = false; };
template <> struct lies<row_major> { static constexpr bool along_rows = true; };

/* How many elements a lane holds, and where they lie: element i at (row(i), column(i)). */
template <class Use, int M, int N, int K> struct shape;
template <int M, int N, int K> struct shape<matrix_a, M, N, K> {
    static constexpr int count = K;
    CM_DEVICE static int row(int) { return static_cast<int>(cm_lane_id()) % M; }
    CM_DEVICE static int column(int i) { return i; }
};
template <int M, int N, int K> struct shape<matrix_b, M, N, K> {
    static constexpr int count = K;
    CM_DEVICE static int row(int i) { return i; }
    CM_DEVICE static int column(int) { return static_cast<int>(cm_lane_id()) % N; }
};
template <int M, int N, int K> struct shape<accumulator, M, N, K> {
    static_assert(M <= 32 && N <= 32 && 32 % M == 0 && M * N % 32 == 0, "a shape CUDA lacks");
    static constexpr int count = M * N / 32;
    CM_DEVICE static int row(int) { return static_cast<int>(cm_lane_id()) % M; }
    CM_DEVICE static int column(int i) { return static_cast<int>(cm_lane_id()) / M * count + i; }
};

template <class T> struct largest { static constexpr float value = 3.402823466e38f; };
template <> struct largest<__half> { static constexpr float value = 65504.f; };

/* What a product is made of, and what sums are kept in. */
template <class T> struct numbers {
    typedef float sum;
    CM_DEVICE static float factor(typename element<T>::type x) { return static_cast<float>(x); }
    CM_DEVICE static T finished(float sum, bool finite) {
        const float most = largest<T>::value;
        if (finite) sum = sum != sum ? 0.f : sum > most ? most : sum < -most ? -most : sum;
        return static_cast<T>(sum);
    }
};
template <> struct numbers<precision::tf32> {
    CM_DEVICE static float factor(float x) {
        unsigned bits;
        __builtin_memcpy(&bits, &x, sizeof(bits));
        bits &= 0xffffe000u;
        __builtin_memcpy(&x, &bits, sizeof(bits));
        return x;
    }
};
template <> struct numbers<double> {
    typedef double sum;
    CM_DEVICE static double factor(double x) { return x; }
    CM_DEVICE static double finished(double sum, bool) { return sum; }
};
template <> struct numbers<int> {
    typedef long long sum;
    CM_DEVICE static long long factor(int x) { return x; }
    CM_DEVICE static int finished(long long sum, bool saturate) {
        const long long most = 0x7fffffffll;
        if (saturate) sum = sum > most ? most : sum < -most - 1 ? -most - 1 : sum;
        return static_cast<int>(static_cast<unsigned>(sum));
    }
};
template <> struct numbers<signed char> {
    CM_DEVICE static int factor(signed char x) { return x; }
};
template <> struct numbers<char> {
    CM_DEVICE static int factor(char x) { return x; }
};
template <> struct numbers<unsigned char> {
    CM_DEVICE static int factor(unsigned char x) { return x; }
};

} // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    typedef typename detail::element<T>::type element_type;
    typedef element_type storage_element_type;
    typedef detail::shape<Use, M, N, K> cm_shape;
    enum { num_elements = cm_shape::count, num_storage_elements = num_elements };
    element_type x[num_elements];
};

/** All elements of a tile become value. */
template <class Use, int M, int N, int K, class T, class Layout, class Value>
CM_DEVICE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const Value &value) {
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = static_cast<typename detail::element<T>::type>(value);
}

namespace detail {

template <class Shape> CM_DEVICE size_t place(int i, unsigned stride, bool along_rows) {
    const size_t row = static_cast<size_t>(Shape::row(i));
    const size_t column = static_cast<size_t>(Shape::column(i));
    return along_rows ? row * stride + column : column * stride + row;
}

template <class Fragment, class Memory>
CM_DEVICE void load(Fragment &f, const Memory *from, unsigned stride, bool along_rows) {
    cm_syncwarp();
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = from[place<typename Fragment::cm_shape>(i, stride, along_rows)];
    cm_syncwarp();
}

} // namespace detail

/** A tile from memory: stride elements from a row to the next, or from a column to the next. */
template <int M, int N, int K, class T, class Layout, class Memory>
CM_DEVICE void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout> &f, const Memory *from,
                                unsigned stride) {
    detail::load(f, from, stride, detail::lies<Layout>::along_rows);
}
/** As for A. */
template <int M, int N, int K, class T, class Layout, class Memory>
CM_DEVICE void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout> &f, const Memory *from,
                                unsigned stride) {
    detail::load(f, from, stride, detail::lies<Layout>::along_rows);
}
/** As for A, where the call says how C lies. */
template <int M, int N, int K, class T, class Layout, class Memory>
CM_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T, Layout> &f, const Memory *from,
                                unsigned stride, layout_t layout) {
    detail::load(f, from, stride, layout == mem_row_major);
}
/** A tile to memory. */
template <int M, int N, int K, class T, class Layout, class Memory>
CM_DEVICE void store_matrix_sync(Memory *to, const fragment<accumulator, M, N, K, T, Layout> &f,
                                 unsigned stride, layout_t layout) {
    typedef detail::shape<accumulator, M, N, K> shape;
    cm_syncwarp();
    for (int i = 0; i < f.num_elements; i++)
        to[detail::place<shape>(i, stride, layout == mem_row_major)] = f.x[i];
    cm_syncwarp();
}

/** d = a * b + c, of which d may be c. */
template <int M, int N, int K, class D, class C, class TA, class TB, class LA, class LB>
CM_DEVICE void mma_sync(fragment<accumulator, M, N, K, D> &d,
                        const fragment<matrix_a, M, N, K, TA, LA> &a,
                        const fragment<matrix_b, M, N, K, TB, LB> &b,
                        const fragment<accumulator, M, N, K, C> &c, bool saturate = false) {
    typedef detail::shape<accumulator, M, N, K> shape;
    for (int i = 0; i < d.num_elements; i++) {
        const auto other = cm_shfl_sync(CM_FULL_MASK, b, shape::column(i));
        typename detail::numbers<C>::sum sum = detail::numbers<C>::factor(c.x[i]);
        for (int k = 0; k < K; k++)
            sum += detail::numbers<TA>::factor(a.x[k]) * detail::numbers<TB>::factor(other.x[k]);
        d.x[i] = detail::numbers<D>::finished(sum, saturate);
    }
}

/** Rounded to the nearest, away from zero where two are as near. */
CM_DEVICE float __float_to_tf32(float x) {
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof(bits));
    if ((bits & 0x7f800000u) == 0x7f800000u) return x;
    bits = (bits + 0x1000u) & 0xffffe000u;
    __builtin_memcpy(&x, &bits, sizeof(bits));
    return x;
}

} // namespace wmma
} // namespace nvcuda

#endif
