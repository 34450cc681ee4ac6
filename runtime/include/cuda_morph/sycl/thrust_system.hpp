// SPDX-License-Identifier: Apache-2.0
// Thrust in SYCL: what it waits for, and where its memory is. Included by sycl/thrust.hpp.
#ifndef CUDA_MORPH_SYCL_THRUST_SYSTEM_HPP
#define CUDA_MORPH_SYCL_THRUST_SYSTEM_HPP

namespace thrust {

using std::system_error;

namespace detail {

// An error of the device's is Thrust's exception.
inline void good(cmError_t error) {
    if (error) throw system_error(error, std::generic_category(), cmGetErrorString(error));
}
inline void settle(cmStream_t stream) {
    if (!cm::in_kernel()) good(cm::detail::wait_for(stream));
}

// What follows in its scope is the host's work on memory that a device_vector has, which both
// sides see.
struct on_device {
    on_device() = default;
    explicit on_device(cmStream_t stream) { settle(stream); }
    ~on_device() {} // no variable of this type goes unused
};

// Kernels run the algorithms, and reach the device's memory.
inline void reachable(const void *) {}

// Vectors are filled and read by the host, too, without a copy.
inline void *allocate(size_t bytes) {
    void *p = nullptr;
    if (bytes && ::cmMallocManaged(&p, bytes, cmMemAttachGlobal)) throw std::bad_alloc();
    return p;
}
inline void release(void *p) { cmFree(p); }

} // namespace detail
} // namespace thrust

#endif
