// SPDX-License-Identifier: Apache-2.0
// The work-item that ported kernels and device functions get, and the local memory of its group.
//
// It is SYCL's nd_item<3> with what CUDA gives a kernel besides: the group's dynamic local memory.
// CUDA's x is dimension 2, y is 1, z is 0, as the last dimension is the one that runs fastest.
#ifndef CUDA_MORPH_SYCL_ITEM_HPP
#define CUDA_MORPH_SYCL_ITEM_HPP

#include <cstddef>
#include <cstdint>
#include <cuda_morph/vector_types.h>
#include <sycl/sycl.hpp>

// Where a work-group runs on one thread of the host, and its items are fibers that switch only at
// barriers, a variable of that thread is local memory. That is so in AdaptiveCpp's flow
// omp.library-only. Elsewhere DPC++'s extension is asked for.
#if defined(CUDA_MORPH_SYCL_STAND_IN)
#define CM_SYCL_GROUP_PER_THREAD 1
#elif defined(__ACPP__) || defined(__ADAPTIVECPP__) || defined(__HIPSYCL__)
#define CM_SYCL_ADAPTIVECPP 1
#if defined(__ACPP_USE_ACCELERATED_CPU__) || defined(__HIPSYCL_USE_ACCELERATED_CPU__) ||          \
    !defined(__ACPP_ENABLE_OMPHOST_TARGET__) && !defined(__HIPSYCL_ENABLE_OMPHOST_TARGET__)
#error "with AdaptiveCpp, cuda_morph/sycl.hpp knows --acpp-targets=omp.library-only alone"
#endif
#define CM_SYCL_GROUP_PER_THREAD 1
#define CM_SYCL_EMULATED_WARPS 1
#include <boost/fiber/fss.hpp>
#elif !defined(SYCL_EXT_ONEAPI_LOCAL_MEMORY)
#error "cuda_morph/sycl.hpp needs sycl_ext_oneapi_local_memory, or AdaptiveCpp on the CPU"
#endif

namespace cm {

// The lanes of a warp, which is a sub-group here.
inline constexpr int warp_size = 32;

namespace detail {
struct warp; // warp.hpp: where sub-groups have other sizes, one is made of work-items
}

class item : public sycl::nd_item<3> {
    std::byte *dynamic_;
    detail::warp *warps_;

  public:
    item(const sycl::nd_item<3> &of, std::byte *dynamic, detail::warp *warps = nullptr)
        : sycl::nd_item<3>(of), dynamic_(dynamic), warps_(warps) {}

    // The local memory whose size the launch gave.
    template <class T> T *dynamic_local() const { return reinterpret_cast<T *>(dynamic_); }

    // CUDA's built-in variables, where all of one is meant.
    uint3 local_id() const {
        return uint3{static_cast<unsigned>(get_local_id(2)),
                     static_cast<unsigned>(get_local_id(1)),
                     static_cast<unsigned>(get_local_id(0))};
    }
    uint3 group_id() const {
        return uint3{static_cast<unsigned>(get_group(2)), static_cast<unsigned>(get_group(1)),
                     static_cast<unsigned>(get_group(0))};
    }
    dim3 local_range() const {
        return dim3(static_cast<unsigned>(get_local_range(2)),
                    static_cast<unsigned>(get_local_range(1)),
                    static_cast<unsigned>(get_local_range(0)));
    }
    dim3 group_range() const {
        return dim3(static_cast<unsigned>(get_group_range(2)),
                    static_cast<unsigned>(get_group_range(1)),
                    static_cast<unsigned>(get_group_range(0)));
    }
    // The number of the work-item in its group, and of its lane.
    unsigned rank() const { return static_cast<unsigned>(get_local_linear_id()); }
    unsigned lane() const { return rank() % warp_size; }
    unsigned items() const { return static_cast<unsigned>(get_local_range().size()); }
    detail::warp *warps() const { return warps_; }
};

// The work-item of the code that runs, for what no argument reaches: operators, constructors,
// functions that are called through others.
#ifdef CM_SYCL_ADAPTIVECPP
namespace detail {
using current_item = boost::fibers::fiber_specific_ptr<item>;
inline current_item &current() {
    static current_item *const one = new current_item([](item *) {});
    return *one;
}
} // namespace detail
inline const item &this_item() { return *detail::current().get(); }
namespace detail {
inline bool inside() { return current().get() != nullptr; }
} // namespace detail
constexpr bool in_kernel() { return !__builtin_is_constant_evaluated() && detail::inside(); }
#else
inline item this_item() {
    return item(sycl::ext::oneapi::this_work_item::get_nd_item<3>(), nullptr);
}
// Whether this is a kernel or the host: for functions of both.
#ifdef CUDA_MORPH_SYCL_STAND_IN
namespace detail {
inline bool inside() { return sycl::ext::oneapi::this_work_item::current != nullptr; }
} // namespace detail
constexpr bool in_kernel() { return !__builtin_is_constant_evaluated() && detail::inside(); }
#elif defined(__SYCL_DEVICE_ONLY__)
constexpr bool in_kernel() { return true; }
#else
constexpr bool in_kernel() { return false; }
#endif
#endif

namespace detail {
template <class T, std::size_t Align> struct alignas(Align < 16 ? 16 : Align) local_storage {
    T value;
};
} // namespace detail

// A variable of the work-group: `__shared__ T name`. The tag tells two of one type apart; vectors
// may lie in it, as in CUDA.
#ifdef CM_SYCL_GROUP_PER_THREAD
template <class T, class Tag, std::size_t Align = 16> T &local(const item &) {
    static thread_local detail::local_storage<T, Align> memory;
    return memory.value;
}
#else
template <class T, class Tag, std::size_t Align = 16>
inline __attribute__((always_inline)) T &local(const item &it) {
    using storage = detail::local_storage<T, Align>;
    return sycl::ext::oneapi::group_local_memory_for_overwrite<storage>(it.get_group())->value;
}
#endif

// ---- barriers and fences ----

inline void barrier(const item &it) { sycl::group_barrier(it.get_group()); }
inline int barrier_count(const item &it, int predicate) {
    sycl::group_barrier(it.get_group());
    return sycl::reduce_over_group(it.get_group(), predicate != 0 ? 1 : 0, sycl::plus<int>());
}
inline int barrier_and(const item &it, int predicate) {
    return barrier_count(it, predicate) == static_cast<int>(it.items());
}
inline int barrier_or(const item &it, int predicate) { return barrier_count(it, predicate) != 0; }

inline void fence(sycl::memory_scope scope = sycl::memory_scope::device) {
#ifdef CM_SYCL_ADAPTIVECPP // which has no atomic_fence
    (void)scope;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#else
    sycl::atomic_fence(sycl::memory_order::seq_cst, scope);
#endif
}

} // namespace cm

#endif
