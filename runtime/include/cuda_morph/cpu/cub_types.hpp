// SPDX-License-Identifier: Apache-2.0
// CUB: function objects, iterators, an allocator. Included by cub.h, and by sycl/cub.hpp.
#ifndef CUDA_MORPH_CPU_CUB_TYPES_HPP
#define CUDA_MORPH_CPU_CUB_TYPES_HPP

/* What programs use of CUB's own macros (util_macro.cuh, util_arch.cuh and util_namespace.cuh of
   CUB 2.4 and before). A function for the host and, where kernels may launch, the device needs no
   specifier here. */
#define CUB_RUNTIME_FUNCTION
#define CUB_PREVENT_MACRO_SUBSTITUTION
#define CUB_STATIC_ASSERT(condition, message) static_assert((condition), #message)
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_WARP_THREADS 32

namespace cub {

using thrust::detail::value_of;

struct NullType {};
template <class K, class V> struct KeyValuePair {
    using Key = K;
    using Value = V;
    K key;
    V value;
    bool operator!=(const KeyValuePair &o) const { return key != o.key || value != o.value; }
};
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    DoubleBuffer(T *current, T *other) : d_buffers{current, other}, selector(0) {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

struct Sum {
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a + b; }
};
struct Difference {
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a - b; }
};
struct Max {
    template <class A, class B> auto operator()(const A &a, const B &b) const {
        using T = std::common_type_t<A, B>;
        return static_cast<T>(b > a ? b : a);
    }
};
struct Min {
    template <class A, class B> auto operator()(const A &a, const B &b) const {
        using T = std::common_type_t<A, B>;
        return static_cast<T>(b < a ? b : a);
    }
};
struct Equality {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a == b; }
};
struct Inequality {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a != b; }
};
struct ArgMax {
    template <class P> P operator()(const P &a, const P &b) const {
        return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class P> P operator()(const P &a, const P &b) const {
        return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};
template <class T> struct CastOp {
    template <class A> T operator()(A &&a) const { return static_cast<T>(a); }
};

template <class T, class = ptrdiff_t> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class = ptrdiff_t> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class = ptrdiff_t> using DiscardOutputIterator = thrust::discard_iterator<>;
template <class T, class F, class I, class = ptrdiff_t>
class TransformInputIterator
    : public thrust::detail::random_access<TransformInputIterator<T, F, I>, T, T> {
    I base_;
    F function_;

  public:
    TransformInputIterator(I base, F function) : base_(base), function_(function) {}
    T dereference() const {
        F f = function_;
        return static_cast<T>(f(*base_));
    }
    void move(ptrdiff_t n) { base_ += n; }
    ptrdiff_t from(const TransformInputIterator &o) const { return base_ - o.base_; }
};
template <class I, class = ptrdiff_t>
class ArgIndexInputIterator
    : public thrust::detail::random_access<ArgIndexInputIterator<I>,
                                           KeyValuePair<ptrdiff_t, value_of<I>>,
                                           KeyValuePair<ptrdiff_t, value_of<I>>> {
    I base_;
    ptrdiff_t at_;

  public:
    explicit ArgIndexInputIterator(I base, ptrdiff_t at = 0) : base_(base), at_(at) {}
    KeyValuePair<ptrdiff_t, value_of<I>> dereference() const { return {at_, base_[at_]}; }
    void move(ptrdiff_t n) { at_ += n; }
    ptrdiff_t from(const ArgIndexInputIterator &o) const { return at_ - o.at_; }
};

// Memory of the device, which the runtime keeps for the next one itself.
struct CachingDeviceAllocator {
    explicit CachingDeviceAllocator(unsigned = 8, unsigned = 3, unsigned = ~0u,
                                    size_t = ~size_t(0), bool = false, bool = false) {}
    cmError_t DeviceAllocate(void **p, size_t size, cmStream_t stream = nullptr) {
        return ::cmMallocAsync(p, size, stream);
    }
    cmError_t DeviceFree(void *p) { return cmFree(p); }
};

inline cmError_t Debug(cmError_t error, const char *file, int line) {
    if (error)
        fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line,
                cmGetErrorString(error));
    return error;
}
#define CubDebug(e) cub::Debug((e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                           \
    if (cub::Debug((e), __FILE__, __LINE__)) exit(1)

} // namespace cub

#endif
