// SPDX-License-Identifier: Apache-2.0
// Kernels as values of the host: cm::kernel<name>() is a pointer to a function with the kernel's
// own parameters, so that CUDA's types of pointers hold it. cm::launch(pointer, ..), and what
// takes a kernel by its address and its arguments by theirs, launch the kernel through it. Nothing
// of it gets to the device.
#ifndef CUDA_MORPH_SYCL_POINTERS_HPP
#define CUDA_MORPH_SYCL_POINTERS_HPP

#include <cuda_morph/sycl/launch.hpp>
#include <functional>
#include <map>

namespace cm {
namespace detail {

// What the function behind a pointer is to launch with, and what became of it.
inline thread_local const shape *pending = nullptr;
inline thread_local cmError_t outcome = cmSuccess;

// A kernel with its arguments, to be launched into a stream.
using bound = std::function<cmError_t(cmStream_t)>;
using binder = bound (*)(const shape &, void **);

// Of each kernel that is a value somewhere, by the pointer's address.
inline std::map<const void *, binder> &binders() {
    static auto *const all = new std::map<const void *, binder>;
    return *all;
}
inline bool remember(const void *function, binder how) {
    binders()[function] = how;
    return true;
}

// An argument by its address; where the parameter is a reference, its own address is there.
template <class P> const typename handed<P>::type &argument_at(void *at) {
    return *static_cast<const typename handed<P>::type *>(at);
}

template <auto Kernel, class F> struct stand_in;
template <auto Kernel, class... P> struct stand_in<Kernel, void (*)(const item &, P...)> {
    static void call(P... a) {
        (void)known;
        if (const shape *where = std::exchange(pending, nullptr))
            outcome = run<constant<Kernel>, P...>(*where, {}, handed<P>::put(a)...);
        else
            said(cmErrorInvalidConfiguration);
    }
    template <std::size_t... I>
    static bound with(const shape &where, void **arguments, std::index_sequence<I...>) {
        const std::tuple<typename handed<P>::type...> kept(argument_at<P>(arguments[I])...);
        return [=](cmStream_t stream) {
            const shape there{where.grid, where.block, where.shared, stream};
            return run<constant<Kernel>, P...>(there, {}, std::get<I>(kept)...);
        };
    }
    static bound bind(const shape &where, void **arguments) {
        return with(where, arguments, std::index_sequence_for<P...>());
    }
    static inline const bool known =
        remember(reinterpret_cast<const void *>(&call), &stand_in::bind);
};

template <class... P> struct by_pointer {
    shape where;
    void (*kernel)(P...);
    cmError_t operator()(P... a) const {
        if (!kernel) return said(cmErrorInvalidDeviceFunction);
        pending = &where;
        outcome = cmErrorInvalidDeviceFunction; // a pointer to something else
        kernel(static_cast<P>(a)...);
        pending = nullptr;
        return said(outcome);
    }
};

inline bound bound_by(const void *function, const shape &where, void **arguments) {
    const auto found = binders().find(function);
    return found == binders().end() ? bound() : found->second(where, arguments);
}

} // namespace detail

// Whose `call` is a function of the kernel's type in CUDA.
template <auto Kernel>
using function_of = detail::stand_in<Kernel, std::decay_t<decltype(Kernel)>>;

template <auto Kernel> auto *kernel() { return &function_of<Kernel>::call; }

template <class... P>
auto launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared = 0,
            cmStream_t stream = nullptr) {
    return detail::by_pointer<P...>{{grid, block, shared, stream}, kernel};
}

} // namespace cm

inline cmError_t cmLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                size_t shared = 0, cmStream_t stream = nullptr) {
    const cm::detail::bound ready =
        cm::detail::bound_by(kernel, {grid, block, shared, stream}, arguments);
    return ready ? ready(stream) : cm::detail::said(cmErrorInvalidDeviceFunction);
}
template <class... P>
cmError_t cmLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                         size_t shared = 0, cmStream_t stream = nullptr) {
    return cmLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments, shared,
                          stream);
}

// What a node of a graph is told of its kernel.
class cm_node_kernel {
    const void *function_ = nullptr;

  public:
    cm_node_kernel() = default;
    cm_node_kernel(const void *function) : function_(function) {}
    template <class... P>
    cm_node_kernel(void (*kernel)(P...)) : function_(reinterpret_cast<const void *>(kernel)) {}
    operator void *() const { return const_cast<void *>(function_); }
};
struct cmKernelNodeParams {
    cm_node_kernel func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};

#endif
