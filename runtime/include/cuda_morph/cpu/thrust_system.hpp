// SPDX-License-Identifier: Apache-2.0
// Thrust on the host: what its algorithms wait for, and where their memory is. Included by
// thrust.h.
#ifndef CUDA_MORPH_CPU_THRUST_SYSTEM_HPP
#define CUDA_MORPH_CPU_THRUST_SYSTEM_HPP

#include <cuda_morph/check.h>

namespace thrust {

using std::system_error;

namespace detail {

// Waits for a stream, unless a kernel is running on this thread.
inline void settle(cmStream_t stream) {
    if (!cmKernelInside()) cmStreamSynchronize(stream);
}

// What follows in its scope is Thrust's work on the device's memory, which the sanitizer lets the
// host reach then.
struct on_device {
    on_device() { cmCheckLibrary(1); }
    explicit on_device(cmStream_t stream) : on_device() { settle(stream); }
    ~on_device() { cmCheckLibrary(-1); }
    on_device(const on_device &) = delete;
    on_device &operator=(const on_device &) = delete;
};

// Algorithms run on the host, and the memory of a vendor's device is out of its reach.
inline void reachable(const void *p) {
    if (!cmPointerIsOnHost(p))
        throw system_error(cmErrorNotSupported, std::generic_category(),
                           "cuda-morph: Thrust runs on the host and this is memory of a device: "
                           "use device_vector, cudaMallocManaged() or CUDA_MORPH_TARGET=cpu");
}

// Algorithms run on the host: their memory is what both sides see, where a device's is its own.
inline void *allocate(size_t bytes) {
    void *p = nullptr;
    if (bytes && ::cmMalloc(&p, bytes)) throw std::bad_alloc();
    if (cmPointerIsOnHost(p)) return p;
    cmFree(p);
    if (!::cmMallocManaged(&p, bytes, cmMemAttachGlobal)) return p;
    cmGetLastError();
    if (::cmHostAlloc(&p, bytes, 0)) throw std::bad_alloc();
    return p;
}
inline void release(void *p) {
    cmPointerAttributes a;
    if (!cmPointerGetAttributes(&a, p) && a.type == cmMemoryTypeHost)
        cmFreeHost(p);
    else
        cmFree(p);
}

} // namespace detail
} // namespace thrust

#endif
