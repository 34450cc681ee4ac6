// SPDX-License-Identifier: Apache-2.0
// PyTorch's CUDA headers (ATen/cuda, c10/cuda) for extensions whose kernels are SYCL's and whose
// tensors are XPU's: kernels and memory use PyTorch's context, the device that it has chosen, and
// its current stream, where they name none. Included by ported extensions in place of PyTorch's
// headers, and by sycl.hpp where PyTorch's build (TORCH_EXTENSION_NAME) compiles the file.
// PyTorch's queues have no profiling: cmEventElapsedTime() of events in them fails.
#ifndef CUDA_MORPH_SYCL_ATEN_HPP
#define CUDA_MORPH_SYCL_ATEN_HPP

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/xpu/XPUFunctions.h>
#include <c10/xpu/XPUStream.h>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <cuda_morph/sycl.hpp>

#include <cuda_morph/aten_common.h>

namespace cm {
namespace torch_detail {

inline const detail::library library{
    [] {
        std::vector<sycl::device> devices;
        for (int i = 0; i < c10::xpu::device_count(); i++)
            devices.push_back(c10::xpu::get_raw_device(static_cast<c10::DeviceIndex>(i)));
        return devices;
    },
    [] { return sycl::context(c10::xpu::get_device_context()); },
    [] { return static_cast<int>(c10::xpu::current_device()); },
    [](int device) { c10::xpu::set_device(static_cast<c10::DeviceIndex>(device)); },
    [](int device) -> sycl::queue & {
        return c10::xpu::getCurrentXPUStream(static_cast<c10::DeviceIndex>(device)).queue();
    },
    [](int device) { c10::xpu::syncStreamsOnDevice(static_cast<c10::DeviceIndex>(device)); }};
inline const bool owns = (detail::owner = &library, true);

} // namespace torch_detail

// A stream of PyTorch's that is one of the runtime's, too, as at::cuda::CUDAStream is
// cudaStream_t.
class XPUStream : public c10::xpu::XPUStream {
  public:
    using c10::xpu::XPUStream::XPUStream;
    XPUStream(const c10::xpu::XPUStream &stream) : c10::xpu::XPUStream(stream) {}
    cmStream_t stream() const {
        detail::runtime &all = detail::runtime::get();
        const std::lock_guard<std::recursive_mutex> hold(all.lock);
        return all.lent(queue(), device_index());
    }
    operator cmStream_t() const { return stream(); }
};
inline XPUStream getCurrentXPUStream(c10::DeviceIndex device = -1) {
    return c10::xpu::getCurrentXPUStream(device);
}
namespace torch_detail {
inline cmStream_t current_stream() { return getCurrentXPUStream(); }
} // namespace torch_detail
inline XPUStream getDefaultXPUStream(c10::DeviceIndex device = -1) {
    if (device < 0) device = c10::xpu::current_device();
    c10::xpu::getCurrentXPUStream(device); // which makes the device's queues
    return c10::xpu::XPUStream(
        c10::Stream(c10::Stream::DEFAULT, c10::Device(c10::DeviceType::XPU, device)));
}
inline XPUStream getXPUStreamFromPool(bool high_priority = false, c10::DeviceIndex device = -1) {
    return c10::xpu::getStreamFromPool(high_priority, device);
}

// Guards: c10's, which take a device's number, too, as CUDA's do.
using optional_device = decltype(std::declval<const c10::OptionalDeviceGuard>().current_device());
class OptionalXPUGuard {
    c10::OptionalDeviceGuard guard;

  public:
    OptionalXPUGuard() = default;
    explicit OptionalXPUGuard(optional_device device) : guard(device) {}
    explicit OptionalXPUGuard(c10::Device device) : guard(device) {}
    explicit OptionalXPUGuard(c10::DeviceIndex device) { set_index(device); }
    void set_device(c10::Device device) { guard.reset_device(device); }
    void reset_device(c10::Device device) { guard.reset_device(device); }
    void set_index(c10::DeviceIndex device) {
        guard.reset_device(c10::Device(c10::DeviceType::XPU, device));
    }
    optional_device original_device() const { return guard.original_device(); }
    optional_device current_device() const { return guard.current_device(); }
};
class XPUGuard {
    c10::DeviceGuard guard;

  public:
    explicit XPUGuard(c10::Device device) : guard(device) {}
    explicit XPUGuard(c10::DeviceIndex device)
        : guard(c10::Device(c10::DeviceType::XPU, device)) {}
    void set_device(c10::Device device) { guard.reset_device(device); }
    void reset_device(c10::Device device) { guard.reset_device(device); }
    void set_index(c10::DeviceIndex device) { guard.set_index(device); }
    c10::Device original_device() const { return guard.original_device(); }
    c10::Device current_device() const { return guard.current_device(); }
};
class XPUStreamGuard {
    c10::StreamGuard guard;

  public:
    explicit XPUStreamGuard(c10::Stream stream) : guard(stream) {}
    void reset_stream(c10::Stream stream) { guard.reset_stream(stream); }
    XPUStream original_stream() const { return c10::xpu::XPUStream(guard.original_stream()); }
    XPUStream current_stream() const { return c10::xpu::XPUStream(guard.current_stream()); }
};

inline cmDeviceProp *getDeviceProperties(int64_t device) {
    static std::mutex lock;
    static std::map<int64_t, cmDeviceProp> known;
    const std::lock_guard<std::mutex> hold(lock);
    const auto found = known.find(device);
    if (found != known.end()) return &found->second;
    cmDeviceProp p;
    C10_CUDA_CHECK(cmGetDeviceProperties(&p, static_cast<int>(device)));
    return &(known[device] = p);
}
inline cmDeviceProp *getCurrentDeviceProperties() {
    return getDeviceProperties(c10::xpu::current_device());
}

} // namespace cm

namespace at {
namespace cuda {
inline int warp_size() { return cm::warp_size; }
// Whether all of them lie on the current device.
inline bool check_device(ArrayRef<Tensor> tensors) {
    for (const Tensor &t : tensors)
        if (!t.is_xpu() || t.get_device() != c10::xpu::current_device()) return false;
    return true;
}
template <class T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
} // namespace cuda
} // namespace at

// A loop over all items of the grid, from CUDALoops.cuh's and KernelUtils.h's macros.
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                         \
    for (type i = static_cast<type>(cm::this_item().get_global_id(2)); i < (n);                   \
         i += static_cast<type>(cm::this_item().get_global_range(2)))
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int64_t)
#define CUDA_1D_KERNEL_LOOP_T(i, n, type) CUDA_KERNEL_LOOP_TYPE(i, n, type)
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

// THC/THCAtomics.cuh, ATen/cuda/Atomic.cuh
inline c10::Half atomicAdd(c10::Half *address, c10::Half value) {
    return cm::detail::update_in_word<sycl::memory_scope::device>(
        address, [=](c10::Half old) { return c10::Half(float(old) + float(value)); });
}
inline c10::BFloat16 atomicAdd(c10::BFloat16 *address, c10::BFloat16 value) {
    return cm::detail::update_in_word<sycl::memory_scope::device>(
        address, [=](c10::BFloat16 old) { return c10::BFloat16(float(old) + float(value)); });
}
template <class T, class U> T gpuAtomicAdd(T *address, U value) {
    return atomicAdd(address, static_cast<T>(value));
}
template <class T, class U> void gpuAtomicAddNoReturn(T *address, U value) {
    atomicAdd(address, static_cast<T>(value));
}

#endif
