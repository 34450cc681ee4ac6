// SPDX-License-Identifier: Apache-2.0
// PyTorch's CUDA headers (ATen/cuda, c10/cuda) for extensions whose tensors are the CPU's:
// streams, guards and checks under their own names, on libcmrt. PyTorch's operators run on the
// calling thread and know nothing of libcmrt's streams, so from the first use on work in a stream
// is done when the call that put it there returns (cmSetBlocking). Included by ported extensions
// in place of PyTorch's headers, which builds for the CPU do not install.
#ifndef CUDA_MORPH_ATEN_H
#define CUDA_MORPH_ATEN_H

#include <ATen/ATen.h>

#include <cuda_morph/cuda.h>

#include <cuda_morph/aten_common.h>

namespace cm {
namespace torch_detail {

struct settings {
    settings() { cmSetBlocking(1); }
};
inline settings blocking;
inline thread_local cmStream_t current = nullptr;
inline cmStream_t current_stream() { return current; }

} // namespace torch_detail
} // namespace cm

#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                         \
    for (type i = type(blockIdx.x) * blockDim.x + threadIdx.x; i < (n);                           \
         i += type(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int64_t)
#define CUDA_1D_KERNEL_LOOP_T(i, n, type) CUDA_KERNEL_LOOP_TYPE(i, n, type)
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

namespace c10 {
namespace cuda {

// A stream of libcmrt. What belongs to PyTorch's view of it (packing, events) is not there.
class CUDAStream {
    cmStream_t own;

  public:
    CUDAStream(cmStream_t stream = nullptr) : own(stream) {}
    operator cmStream_t() const { return own; }
    cmStream_t stream() const { return own; }
    int64_t id() const { return int64_t(reinterpret_cast<intptr_t>(own)); }
    DeviceIndex device_index() const { return 0; }
    Device device() const { return Device(DeviceType::CPU); }
    DeviceType device_type() const { return DeviceType::CPU; }
    bool query() const { return cmStreamQuery(own) == cmSuccess; }
    void synchronize() const { C10_CUDA_CHECK(cmStreamSynchronize(own)); }
    bool operator==(const CUDAStream &other) const { return own == other.own; }
    bool operator!=(const CUDAStream &other) const { return own != other.own; }
};

inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return cm::torch_detail::current; }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return nullptr; }
inline CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1) {
    static thread_local cmStream_t pool[4];
    static thread_local unsigned next;
    cmStream_t &chosen = pool[next++ % 4];
    if (!chosen) C10_CUDA_CHECK(cmStreamCreateWithFlags(&chosen, cmStreamNonBlocking));
    return chosen;
}
inline CUDAStream getStreamFromExternal(cmStream_t stream, DeviceIndex) { return stream; }
inline void setCurrentCUDAStream(CUDAStream stream) { cm::torch_detail::current = stream; }

inline DeviceIndex device_count() noexcept { return 1; }
inline DeviceIndex current_device() { return 0; }
inline void set_device(DeviceIndex) {}
inline void MaybeSetDevice(DeviceIndex) {}
inline void device_synchronize() { C10_CUDA_CHECK(cmDeviceSynchronize()); }

namespace CUDACachingAllocator {
inline Allocator *get() { return GetAllocator(DeviceType::CPU); }
inline void *raw_alloc(size_t bytes) { return get()->raw_allocate(bytes); }
inline void *raw_alloc_with_stream(size_t bytes, cmStream_t) { return raw_alloc(bytes); }
inline void raw_delete(void *memory) { get()->raw_deallocate(memory); }
inline void recordStream(const DataPtr &, CUDAStream) {}
inline void emptyCache() {}
} // namespace CUDACachingAllocator

// There is one device: guards have nothing to change back.
class CUDAGuard {
    Device at;

  public:
    explicit CUDAGuard(Device device) : at(device) {}
    explicit CUDAGuard(DeviceIndex) : at(DeviceType::CPU) {}
    CUDAGuard(const CUDAGuard &) = delete;
    CUDAGuard &operator=(const CUDAGuard &) = delete;
    void set_device(Device device) { at = device; }
    void reset_device(Device device) { at = device; }
    void set_index(DeviceIndex) {}
    Device original_device() const { return at; }
    Device current_device() const { return at; }
};
class OptionalCUDAGuard {
  public:
    OptionalCUDAGuard() = default;
    template <class T> explicit OptionalCUDAGuard(const T &) {}
    OptionalCUDAGuard(const OptionalCUDAGuard &) = delete;
    OptionalCUDAGuard &operator=(const OptionalCUDAGuard &) = delete;
    void set_device(Device) {}
    void reset_device(Device) {}
    void set_index(DeviceIndex) {}
    void reset() {}
};
class CUDAStreamGuard {
    CUDAStream before, now;

  public:
    explicit CUDAStreamGuard(CUDAStream stream) : before(getCurrentCUDAStream()), now(stream) {
        setCurrentCUDAStream(stream);
    }
    ~CUDAStreamGuard() { setCurrentCUDAStream(before); }
    CUDAStreamGuard(const CUDAStreamGuard &) = delete;
    CUDAStreamGuard &operator=(const CUDAStreamGuard &) = delete;
    void reset_stream(CUDAStream stream) { setCurrentCUDAStream(now = stream); }
    CUDAStream original_stream() const { return before; }
    CUDAStream current_stream() const { return now; }
};
class OptionalCUDAStreamGuard {
    CUDAStream before = getCurrentCUDAStream();

  public:
    OptionalCUDAStreamGuard() = default;
    explicit OptionalCUDAStreamGuard(CUDAStream stream) { setCurrentCUDAStream(stream); }
    ~OptionalCUDAStreamGuard() { setCurrentCUDAStream(before); }
    OptionalCUDAStreamGuard(const OptionalCUDAStreamGuard &) = delete;
    OptionalCUDAStreamGuard &operator=(const OptionalCUDAStreamGuard &) = delete;
    void reset_stream(CUDAStream stream) { setCurrentCUDAStream(stream); }
};

} // namespace cuda
} // namespace c10

namespace at {
namespace cuda {

using namespace c10::cuda;

inline bool is_available() { return true; }
inline int warp_size() { return cmKernelWarpSize(); }
inline bool check_device(ArrayRef<Tensor> tensors) {
    for (const Tensor &t : tensors)
        if (!t.is_cpu()) return false;
    return true;
}
inline cmDeviceProp *getDeviceProperties(int64_t = 0) {
    static cmDeviceProp properties = [] {
        cmDeviceProp p;
        C10_CUDA_CHECK(cmGetDeviceProperties(&p, 0));
        return p;
    }();
    return &properties;
}
inline cmDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(); }
template <class T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }

} // namespace cuda
} // namespace at

// THC/THCAtomics.cuh, ATen/cuda/Atomic.cuh
template <class T, class U> __device__ inline T gpuAtomicAdd(T *address, U value) {
    return atomicAdd(address, T(value));
}
template <class T, class U> __device__ inline void gpuAtomicAddNoReturn(T *address, U value) {
    atomicAdd(address, T(value));
}

#endif
