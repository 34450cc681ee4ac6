// SPDX-License-Identifier: Apache-2.0
// Launches: cm::launch<kernel>(grid, block, shared, stream)(arguments) is a parallel_for over an
// nd_range in the stream's queue. The arguments are converted on the host, as for a call.
#ifndef CUDA_MORPH_SYCL_LAUNCH_HPP
#define CUDA_MORPH_SYCL_LAUNCH_HPP

#include <cuda_morph/sycl/queue.hpp>
#include <cuda_morph/sycl/warp.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#if defined(CM_SYCL_ADAPTIVECPP) || defined(CUDA_MORPH_SYCL_STAND_IN)
#define CM_SYCL_SUB_GROUP
#else
#define CM_SYCL_SUB_GROUP [[sycl::reqd_sub_group_size(32)]]
#endif

namespace cm {
namespace detail {

struct alignas(16) local_chunk {
    std::byte bytes[16];
};

struct shape {
    dim3 grid, block;
    std::size_t shared;
    cmStream_t stream;
};

inline sycl::range<3> reversed(dim3 v) { return sycl::range<3>(v.z, v.y, v.x); }

// Why the device cannot run it, or cmSuccess.
inline cmError_t refuses(const shape &s, const sycl::device &device) {
    const std::size_t items = reversed(s.block).size();
    if (items == 0 || reversed(s.grid).size() == 0) return cmErrorInvalidConfiguration;
    if (items > device.get_info<sycl::info::device::max_work_group_size>())
        return cmErrorInvalidConfiguration;
    if (s.shared > device.get_info<sycl::info::device::local_mem_size>())
        return cmErrorInvalidValue;
    return cmSuccess;
}

// How a parameter gets into a kernel: by value, or as the address of what a reference names.
template <class P> struct handed {
    using type = std::decay_t<P>;
    static const type &put(const type &value) { return value; }
    static const type &take(const type &value) { return value; }
};
template <class P> struct handed<P &> {
    using type = P *;
    static P *put(P &value) { return &value; }
    static P &take(P *where) { return *where; }
};

// `call` with the arguments, which are of the types that handed<P> says.
template <class Call, class... P>
cmError_t run(const shape &s, Call call, typename handed<P>::type... arguments) {
    make_managed_variables();
    return submit(s.stream, [=](sycl::handler &h, const sycl::device &device) {
        if (const cmError_t error = refuses(s, device)) return error;
        const sycl::range<3> block = reversed(s.block);
        sycl::local_accessor<local_chunk, 1> dynamic(sycl::range<1>(s.shared / 16 + 1), h);
#ifdef CM_SYCL_EMULATED_WARPS
        const std::size_t count = (block.size() + warp_size - 1) / warp_size;
        sycl::local_accessor<warp, 1> warps(sycl::range<1>(count), h);
        h.parallel_for(sycl::nd_range<3>(reversed(s.grid) * block, block),
                       [=](sycl::nd_item<3> id) {
                           item it(id, dynamic[0].bytes, &warps[0]);
                           current().reset(&it);
                           if (it.lane() == 0) warp_of(it) = warp{};
                           barrier(it);
                           call(it, handed<P>::take(arguments)...);
                           leave_warp(it);
                           current().release();
                       });
#else
        h.parallel_for(sycl::nd_range<3>(reversed(s.grid) * block, block),
                       [=](sycl::nd_item<3> id) CM_SYCL_SUB_GROUP {
                           call(item(id, dynamic[0].bytes), handed<P>::take(arguments)...);
                       });
#endif
        return cmSuccess;
    });
}

// A kernel that is known at compile time, so that no pointer to a function gets to the device.
template <auto Kernel> struct constant {
    template <class... P> void operator()(const item &it, P &...a) const { Kernel(it, a...); }
};
template <class F> struct signature;
template <class... P> struct signature<void (*)(const item &, P...)> {
    template <class Call> struct launcher {
        shape where;
        Call call;
        cmError_t operator()(P... a) const {
            return run<Call, P...>(where, call, handed<P>::put(a)...);
        }
    };
};
template <class Call> struct deduced {
    shape where;
    Call call;
    template <class... A> cmError_t operator()(const A &...a) const {
        return run<Call, std::decay_t<const A>...>(where, call, a...);
    }
};

} // namespace detail

template <auto Kernel>
auto launch(dim3 grid, dim3 block, std::size_t shared = 0, cmStream_t stream = nullptr) {
    using call = detail::constant<Kernel>;
    using signature = detail::signature<std::decay_t<decltype(Kernel)>>;
    return typename signature::template launcher<call>{{grid, block, shared, stream}, call{}};
}

// For templates and overloads, where only the call can tell which kernel is meant.
template <class Call>
auto launch(Call kernel, dim3 grid, dim3 block, std::size_t shared = 0,
            cmStream_t stream = nullptr) {
    return detail::deduced<Call>{{grid, block, shared, stream}, kernel};
}

} // namespace cm

#define CM_KERNEL(...)                                                                            \
    [](const ::cm::item &it, const auto &...arguments) { __VA_ARGS__(it, arguments...); }

#endif
