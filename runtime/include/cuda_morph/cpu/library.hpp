// SPDX-License-Identifier: Apache-2.0
// What the shims for CUDA's libraries share: work in the order of a stream, and the machine's own
// libraries, which are opened when they are first needed, so that programs link libcmrt alone.
#ifndef CUDA_MORPH_CPU_LIBRARY_HPP
#define CUDA_MORPH_CPU_LIBRARY_HPP

#ifdef CUDA_MORPH_SYCL_HPP
#include <cuda_morph/sycl.hpp> // there the runtime is SYCL
#else
#include <cuda_morph/cuda.h>
#endif
#include <complex>
#include <cuda_morph/library_types.h>
#include <dlfcn.h>
#include <initializer_list>

namespace cm {
namespace library {

#ifdef CUDA_MORPH_SYCL_HPP
// The same for devices whose memory is the host's; others have libraries of their own.
template <class Work> inline cmError_t enqueue(cmStream_t stream, Work work) {
    return cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
        h.single_task([=] { work(); });
        return cmSuccess;
    });
}
// body(i) for i in [0, n), as a kernel; and what its items add to one place.
template <class Body> inline cmError_t each(cmStream_t stream, int64_t n, Body body) {
    return cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
        h.parallel_for(sycl::range<1>(static_cast<size_t>(n)),
                       [=](sycl::id<1> i) { body(static_cast<int64_t>(i[0])); });
        return cmSuccess;
    });
}
// The same for bodies that do not meet.
template <class Body> inline cmError_t spread(cmStream_t stream, int64_t n, Body body) {
    return each(stream, n, body);
}
template <class T> inline T add(T *p, T v) { return atomicAdd(p, v); }
template <class R> inline void add(std::complex<R> *p, std::complex<R> v) {
    atomicAdd(reinterpret_cast<R *>(p), v.real());
    atomicAdd(reinterpret_cast<R *>(p) + 1, v.imag());
}
// work(to) makes n numbers, on the host, which lie at `out` when the call returns: in the order of
// the stream, but the caller waits for them. Not while a graph captures the stream.
template <class T, class Work>
inline cmError_t produce(cmStream_t stream, T *out, size_t n, Work work) {
    T *made = nullptr;
    if (cm::detail::is_captured(stream)) return cm::detail::said(cmErrorStreamCaptureUnsupported);
    if (!n) return cmSuccess;
    if (const cmError_t error = cmMallocHost(&made, n * sizeof *made)) return error;
    work(made);
    cmError_t error = cmMemcpyAsync(out, made, n * sizeof *made, cmMemcpyDefault, stream);
    if (!error) error = cmStreamSynchronize(stream);
    cmFreeHost(made);
    return error;
}
#else
template <class Work> CM_NOINLINE inline void perform(const Work &work) { work(); }

// Puts work() into the stream, as a kernel of one thread: a graph that captures the stream keeps a
// copy of it, and an error of the device is met where CUDA's libraries meet it.
template <class Work> inline cmError_t enqueue(cmStream_t stream, Work work) {
    return cm::launch(cm::called([work] { perform(work); }, "a library"), dim3(1), dim3(1), 0,
                      stream)();
}
// body(i) for i in [0, n), in the order of the stream; and what it adds to one place.
template <class Body> inline cmError_t each(cmStream_t stream, int64_t n, Body body) {
    return enqueue(stream, [=] {
        for (int64_t i = 0; i < n; i++) body(i);
    });
}
// The same for bodies that do not meet: in parts, which run side by side.
template <class Body> inline cmError_t spread(cmStream_t stream, int64_t n, Body body) {
    const int64_t most = 256, parts = n / most < 1 ? 1 : n / most < most ? n / most : most;
    const auto part = [=] {
        const int64_t i = blockIdx.x, end = n * (i + 1) / parts;
        for (int64_t j = n * i / parts; j < end; j++) body(j);
    };
    return cm::launch(cm::called([part] { perform(part); }, "a library"),
                      dim3(static_cast<unsigned>(parts)), dim3(1), 0, stream)();
}
template <class T> inline T add(T *p, T v) {
    const T old = *p;
    *p += v;
    return old;
}
// work(out) makes numbers, in the order of the stream.
template <class T, class Work>
inline cmError_t produce(cmStream_t stream, T *out, size_t, Work work) {
    return enqueue(stream, [=] { work(out); });
}
#endif

// ---- handles: pointers to what a library keeps. `none`: its status for NULL; 0: success ----

template <class Code, class Kept, class T>
inline Code set(Kept *h, T Kept::*member, T value, Code none) {
    if (h) h->*member = value;
    return h ? Code(0) : none;
}
template <class Code, class Kept, class T>
inline Code get(const Kept *h, T Kept::*member, T *value, Code none) {
    if (h) *value = h->*member;
    return h ? Code(0) : none;
}
template <class Code, class Kept> inline Code destroy(Kept *h, Code none) {
    if (!h) return none;
    cmDeviceSynchronize(); // work under way may know it
    delete h;
    return Code(0);
}
// Work in the order of the handle's stream.
template <class Code, class Kept, class Work>
inline Code enqueue(const Kept *h, Work work, Code none, Code failed) {
    if (!h) return none;
    return enqueue(h->stream, work) ? failed : Code(0);
}

// The first of these libraries that the machine has; NULL: none, which is said once, with the
// Debian package that has it.
inline void *open(std::initializer_list<const char *> names, const char *package) {
    for (const char *name : names)
        if (void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
    if (package)
        fprintf(stderr, "cuda-morph: %s is missing; to install it: apt-get install %s\n",
                *names.begin(), package);
    return nullptr;
}

// A function of a library, or NULL.
template <class F> inline F symbol(void *handle, const char *name) {
    return handle ? reinterpret_cast<F>(dlsym(handle, name)) : nullptr;
}

// What lies there, also in the memory of a vendor's device.
template <class T> inline T load(const T *p) {
    if (cmPointerIsOnHost(p)) return *p;
    alignas(T) unsigned char copy[sizeof(T)];
    cmMemcpy(static_cast<void *>(copy), p, sizeof copy, cmMemcpyDeviceToHost);
    return *reinterpret_cast<const T *>(copy);
}
template <class T> inline void store(T *p, const T &value) {
    if (cmPointerIsOnHost(p))
        *p = value;
    else
        cmMemcpy(static_cast<void *>(p), &value, sizeof value, cmMemcpyHostToDevice);
}

// A number that the caller gives by pointer: read now, or on the device when the work runs.
template <class T> class scalar {
    const T *pointer_;
    T value_;

  public:
    scalar(bool on_device, const T *p)
        : pointer_(on_device ? p : nullptr), value_(pointer_ || !p ? T() : load(p)) {}
    T get() const { return pointer_ ? *pointer_ : value_; }
};

inline int property(cmLibraryPropertyType which) {
    return which == MAJOR_VERSION   ? CUDART_VERSION / 1000
           : which == MINOR_VERSION ? CUDART_VERSION % 1000 / 10
                                    : 0;
}

} // namespace library
} // namespace cm

#endif
