// SPDX-License-Identifier: Apache-2.0
// Memory: allocations are SYCL's unified shared memory of the device, the host or both, in the
// context of all streams; copies and fills are commands of a stream.
#ifndef CUDA_MORPH_SYCL_MEMORY_HPP
#define CUDA_MORPH_SYCL_MEMORY_HPP

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cuda_morph/sycl/queue.hpp>
#include <map>

namespace cm {
namespace detail {

struct allocation {
    std::size_t size;
    int device;
    sycl::usm::alloc kind;
    unsigned flags;  // of cmHostAlloc() or cmHostRegister()
    bool registered; // the program's own memory
};

// What is allocated, by address.
class allocations {
    std::map<const char *, allocation> all_;

  public:
    std::mutex lock;
    static allocations &get() {
        static allocations *const one = new allocations;
        return *one;
    }
    void add(const void *p, const allocation &a) { all_[static_cast<const char *>(p)] = a; }
    // The one that holds the address, or NULL.
    const allocation *find(const void *p, const void **base = nullptr) const {
        auto next = all_.upper_bound(static_cast<const char *>(p));
        if (next == all_.begin()) return nullptr;
        --next;
        if (static_cast<const char *>(p) - next->first >=
            static_cast<std::ptrdiff_t>(next->second.size))
            return nullptr;
        if (base) *base = next->first;
        return &next->second;
    }
    void drop(int device, const sycl::context &context) {
        const std::lock_guard<std::mutex> hold(lock);
        for (auto i = all_.begin(); i != all_.end();)
            if (i->second.device == device && i->second.kind != sycl::usm::alloc::host) {
                sycl::free(const_cast<char *>(i->first), context);
                i = all_.erase(i);
            } else {
                ++i;
            }
    }
    bool remove(const void *p) { return all_.erase(static_cast<const char *>(p)) != 0; }
};

inline cmError_t allocate(void **pointer, std::size_t size, sycl::usm::alloc kind,
                          unsigned flags = 0) {
    if (!pointer) return said(cmErrorInvalidValue);
    *pointer = nullptr;
    if (!size) return cmSuccess;
    return guarded([&]() -> cmError_t {
        runtime &all = runtime::get();
        const sycl::device &device = all.device(current_device());
        if (kind == sycl::usm::alloc::device &&
            size > device.get_info<sycl::info::device::global_mem_size>())
            return cmErrorMemoryAllocation;
        void *p =
            kind == sycl::usm::alloc::device ? sycl::malloc_device(size, device, all.context())
            : kind == sycl::usm::alloc::host ? sycl::malloc_host(size, all.context())
                                             : sycl::malloc_shared(size, device, all.context());
        if (!p) return cmErrorMemoryAllocation;
        allocations &a = allocations::get();
        const std::lock_guard<std::mutex> hold(a.lock);
        a.add(p, {size, current_device(), kind, flags, false});
        *pointer = p;
        return cmSuccess;
    });
}
inline cmError_t release(void *pointer, bool host) {
    if (!pointer) return cmSuccess;
    return guarded([&]() -> cmError_t {
        runtime &all = runtime::get();
        allocations &a = allocations::get();
        {
            const std::lock_guard<std::mutex> hold(a.lock);
            const void *base = nullptr;
            const allocation *found = a.find(pointer, &base);
            if (!found || base != pointer || found->registered) return cmErrorInvalidValue;
            if ((found->kind == sycl::usm::alloc::host) != host) return cmErrorInvalidValue;
            all.wait(found->device);
            a.remove(pointer);
        }
        sycl::free(pointer, all.context());
        return cmSuccess;
    });
}
inline bool is_kind(int kind) { return kind >= cmMemcpyHostToHost && kind <= cmMemcpyDefault; }

// Whether the host may read it itself: anything but the memory of a device.
inline bool on_host(const void *p) {
    allocations &a = allocations::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    const allocation *found = a.find(p);
    return !found || found->kind != sycl::usm::alloc::device;
}
inline bool pageable(const void *p) {
    allocations &a = allocations::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    return !a.find(p);
}

} // namespace detail
} // namespace cm

// ---- allocation ----

inline cmError_t cmMalloc(void **pointer, size_t size) {
    return cm::detail::allocate(pointer, size, sycl::usm::alloc::device);
}
inline cmError_t cmFree(void *pointer) { return cm::detail::release(pointer, false); }
inline cmError_t cmHostAlloc(void **pointer, size_t size, unsigned int flags) {
    return cm::detail::allocate(pointer, size, sycl::usm::alloc::host, flags);
}
inline cmError_t cmMallocHost(void **pointer, size_t size) {
    return cmHostAlloc(pointer, size, cmHostAllocDefault);
}
inline cmError_t cmFreeHost(void *pointer) { return cm::detail::release(pointer, true); }
inline cmError_t cmMallocManaged(void **pointer, size_t size, unsigned int = cmMemAttachGlobal) {
    return cm::detail::allocate(pointer, size, sycl::usm::alloc::shared);
}
// In the order of the calls: the memory is there at once, and goes when the stream got there.
inline cmError_t cmMallocAsync(void **pointer, size_t size, cmStream_t) {
    return cmMalloc(pointer, size);
}
inline cmError_t cmFreeAsync(void *pointer, cmStream_t stream) {
    const cmError_t error = cm::detail::wait_for(stream);
    return error ? error : cmFree(pointer);
}
inline cmError_t cmMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (!pitch) return cm::detail::said(cmErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    return cmMalloc(pointer, *pitch * height);
}
inline cmError_t cmMalloc3D(cmPitchedPtr *pitched, cmExtent extent) {
    if (!pitched) return cm::detail::said(cmErrorInvalidValue);
    *pitched = {nullptr, 0, extent.width, extent.height};
    return cmMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}
template <class T> cmError_t cmMalloc(T **p, size_t size) {
    return ::cmMalloc(reinterpret_cast<void **>(p), size);
}
template <class T> cmError_t cmHostAlloc(T **p, size_t size, unsigned int flags) {
    return ::cmHostAlloc(reinterpret_cast<void **>(p), size, flags);
}
template <class T> cmError_t cmMallocHost(T **p, size_t size, unsigned int flags = 0) {
    return ::cmHostAlloc(reinterpret_cast<void **>(p), size, flags);
}
template <class T>
cmError_t cmMallocManaged(T **p, size_t size, unsigned int flags = cmMemAttachGlobal) {
    return ::cmMallocManaged(reinterpret_cast<void **>(p), size, flags);
}
template <class T> cmError_t cmMallocAsync(T **p, size_t size, cmStream_t stream) {
    return ::cmMallocAsync(reinterpret_cast<void **>(p), size, stream);
}
template <class T> cmError_t cmMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    return ::cmMallocPitch(reinterpret_cast<void **>(p), pitch, width, height);
}

namespace cm {
namespace detail {
inline bool reaches_host() {
    return runtime::get().device(current_device()).has(sycl::aspect::usm_system_allocations);
}
} // namespace detail
} // namespace cm

// SYCL pins no memory of the program's own, so this only keeps the books: copies work as before.
// Kernels may use it where the device reaches all of the host's memory; mapping it fails
// elsewhere.
inline cmError_t cmHostRegister(void *pointer, size_t size, unsigned int flags = 0) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (!pointer || !size) return cmErrorInvalidValue;
        if ((flags & cmHostRegisterMapped) && !cm::detail::reaches_host())
            return cmErrorNotSupported;
        cm::detail::allocations &a = cm::detail::allocations::get();
        const std::lock_guard<std::mutex> hold(a.lock);
        if (a.find(pointer)) return cmErrorHostMemoryAlreadyRegistered;
        a.add(pointer, {size, cm::detail::current_device(), sycl::usm::alloc::host, flags, true});
        return cmSuccess;
    });
}
inline cmError_t cmHostUnregister(void *pointer) {
    cm::detail::allocations &a = cm::detail::allocations::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    const void *base = nullptr;
    const cm::detail::allocation *found = a.find(pointer, &base);
    if (!found || base != pointer || !found->registered)
        return cm::detail::said(cmErrorHostMemoryNotRegistered);
    a.remove(pointer);
    return cmSuccess;
}
// What it was allocated with; memory of the host is mapped in any case.
inline cmError_t cmHostGetFlags(unsigned int *flags, void *host) {
    cm::detail::allocations &a = cm::detail::allocations::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    const cm::detail::allocation *found = a.find(host);
    if (!flags || !found || found->kind != sycl::usm::alloc::host)
        return cm::detail::said(cmErrorInvalidValue);
    *flags = found->flags | cmHostAllocMapped;
    return cmSuccess;
}
inline cmError_t cmHostGetDevicePointer(void **device, void *host, unsigned int) {
    if (!device || cm::detail::pageable(host)) return cm::detail::said(cmErrorInvalidValue);
    cm::detail::allocations &a = cm::detail::allocations::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    if (a.find(host)->registered && !cm::detail::reaches_host())
        return cm::detail::said(cmErrorNotSupported);
    *device = host;
    return cmSuccess;
}
template <class T> cmError_t cmHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return ::cmHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
inline cmError_t cmMemGetInfo(size_t *available, size_t *total) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (!available || !total) return cmErrorInvalidValue;
        cm::detail::runtime &all = cm::detail::runtime::get();
        *total = all.device(cm::detail::current_device())
                     .get_info<sycl::info::device::global_mem_size>();
        *available = *total; // SYCL has no question for what is free
        return cmSuccess;
    });
}
inline cmError_t cmPointerGetAttributes(cmPointerAttributes *out, const void *pointer) {
    if (!out) return cm::detail::said(cmErrorInvalidValue);
    cm::detail::allocations &a = cm::detail::allocations::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    const cm::detail::allocation *found = a.find(pointer);
    void *p = const_cast<void *>(pointer);
    if (!found)
        *out = {cmMemoryTypeUnregistered, cmInvalidDeviceId, nullptr, p};
    else if (found->kind == sycl::usm::alloc::device)
        *out = {cmMemoryTypeDevice, found->device, p, nullptr};
    else
        *out = {found->kind == sycl::usm::alloc::host ? cmMemoryTypeHost : cmMemoryTypeManaged,
                found->device, p, p};
    return cmSuccess;
}
inline cmError_t cmMemAdvise(const void *, size_t, cmMemoryAdvise, int) { return cmSuccess; }
inline cmError_t cmMemPrefetchAsync(const void *, size_t, int, cmStream_t = nullptr) {
    return cmSuccess;
}

// Whether the host may read there.
inline int cmPointerIsOnHost(const void *p) {
#ifdef CM_SYCL_GROUP_PER_THREAD
    (void)p;
    return 1;
#else
    cmPointerAttributes what;
    return cmPointerGetAttributes(&what, p) || what.type != cmMemoryTypeDevice;
#endif
}

// ---- copies ----

inline cmError_t cmMemcpyAsync(void *to, const void *from, size_t size, cmMemcpyKind kind,
                               cmStream_t stream = nullptr) {
    if (!cm::detail::is_kind(kind)) return cm::detail::said(cmErrorInvalidMemcpyDirection);
    if (!size) return cmSuccess;
    if (!to || !from) return cm::detail::said(cmErrorInvalidValue);
    const cmError_t error =
        cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
            h.memcpy(to, from, size);
            return cmSuccess;
        });
    // Ordinary memory of the host may be used again at once.
    const bool waits = (cm::detail::pageable(from) || cm::detail::pageable(to)) &&
                       !cm::detail::is_captured(stream);
    return error || !waits ? error : cm::detail::wait_for(stream);
}
inline cmError_t cmMemcpy(void *to, const void *from, size_t size, cmMemcpyKind kind) {
    const cmError_t error = cmMemcpyAsync(to, from, size, kind, nullptr);
    return error ? error : cm::detail::wait_for(nullptr);
}
inline cmError_t cmMemcpyPeerAsync(void *to, int, const void *from, int, size_t size,
                                   cmStream_t stream = nullptr) {
    return cmMemcpyAsync(to, from, size, cmMemcpyDefault, stream);
}
inline cmError_t cmMemcpyPeer(void *to, int, const void *from, int, size_t size) {
    return cmMemcpy(to, from, size, cmMemcpyDefault);
}
inline cmError_t cmMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                 size_t width, size_t height, cmMemcpyKind kind,
                                 cmStream_t stream = nullptr) {
    if (to_pitch < width || from_pitch < width) return cm::detail::said(cmErrorInvalidPitchValue);
    for (size_t row = 0; row < height; row++) {
        const cmError_t error =
            cmMemcpyAsync(static_cast<char *>(to) + row * to_pitch,
                          static_cast<const char *>(from) + row * from_pitch, width, kind, stream);
        if (error) return error;
    }
    return cmSuccess;
}
inline cmError_t cmMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cmMemcpyKind kind) {
    const cmError_t error =
        cmMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
    return error ? error : cm::detail::wait_for(nullptr);
}
inline cmError_t cmMemsetAsync(void *to, int value, size_t size, cmStream_t stream = nullptr) {
    if (!size) return cmSuccess;
    if (!to) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
        h.memset(to, value, size);
        return cmSuccess;
    });
}
inline cmError_t cmMemset(void *to, int value, size_t size) {
    const cmError_t error = cmMemsetAsync(to, value, size, nullptr);
    return error ? error : cm::detail::wait_for(nullptr);
}
inline cmError_t cmMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                 cmStream_t stream = nullptr) {
    for (size_t row = 0; row < height; row++) {
        const cmError_t error =
            cmMemsetAsync(static_cast<char *>(to) + row * pitch, value, width, stream);
        if (error) return error;
    }
    return cmSuccess;
}
inline cmError_t cmMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    const cmError_t error = cmMemset2DAsync(to, pitch, value, width, height, nullptr);
    return error ? error : cm::detail::wait_for(nullptr);
}

// `height` rows, `pitch` bytes apart, of `width` elements of 1, 2 or 4 bytes: the low bytes of
// `value`.
inline cmError_t cmMemsetElementsAsync(void *to, size_t pitch, unsigned int value, size_t element,
                                       size_t width, size_t height, cmStream_t stream) {
    if (element == 1)
        return cmMemset2DAsync(to, pitch, static_cast<int>(value & 255), width, height, stream);
    if (!to || !width || (element != 2 && element != 4))
        return cm::detail::said(width ? cmErrorInvalidValue : cmSuccess);
    for (size_t row = 0; row < height; row++) {
        const cmError_t error =
            cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
                char *at = static_cast<char *>(to) + row * pitch;
                if (element == 2)
                    h.fill(at, static_cast<uint16_t>(value), width);
                else
                    h.fill(at, static_cast<uint32_t>(value), width);
                return cmSuccess;
            });
        if (error) return error;
    }
    return cmSuccess;
}

// ---- variables of the device ----

namespace cm {

// `__device__ T name`, `__constant__ T name`: memory that kernels reach without an argument. DPC++
// has an extension for it, whose class the compiler knows by its name, so that none may be derived
// from it; on the host an ordinary variable is enough.
#ifdef CM_SYCL_GROUP_PER_THREAD
template <class T> class device_variable {
    T value_;

    // A number that is one of an array's: as a constant it would not be narrowed.
    template <class A> static decltype(auto) element(const A &a) {
        using one = std::remove_all_extents_t<T>;
        if constexpr (std::is_arithmetic_v<one> && std::is_arithmetic_v<A>)
            return one(a);
        else
            return (a);
    }

  public:
    device_variable() : value_() {}
    template <class... A> device_variable(const A &...a) : value_{element(a)...} {}
    T &get() { return value_; }
};
namespace detail {
template <class T>
cmError_t write_variable(device_variable<T> &to, const void *from, size_t size, size_t offset,
                         cmStream_t stream) {
    char *at = reinterpret_cast<char *>(&to.get()) + offset;
    return cmMemcpyAsync(at, from, size, cmMemcpyDefault, stream);
}
template <class T>
cmError_t read_variable(void *to, device_variable<T> &from, size_t size, size_t offset,
                        cmStream_t stream) {
    const char *at = reinterpret_cast<const char *>(&from.get()) + offset;
    return cmMemcpyAsync(to, at, size, cmMemcpyDefault, stream);
}
} // namespace detail
#else
template <class T> using device_variable = sycl::ext::oneapi::experimental::device_global<T>;
namespace detail {
template <class T>
cmError_t write_variable(device_variable<T> &to, const void *from, size_t size, size_t offset,
                         cmStream_t stream) {
    return submit(stream, [&](sycl::handler &h, const sycl::device &) {
        h.memcpy(to, from, size, offset);
        return cmSuccess;
    });
}
template <class T>
cmError_t read_variable(void *to, device_variable<T> &from, size_t size, size_t offset,
                        cmStream_t stream) {
    return submit(stream, [&](sycl::handler &h, const sycl::device &) {
        h.memcpy(to, from, size, offset);
        return cmSuccess;
    });
}
} // namespace detail
#endif

} // namespace cm

namespace cm {
namespace detail {
// A variable that the host names, too, is given as what it holds.
template <class T>
cmError_t write_variable(T &to, const void *from, size_t size, size_t offset, cmStream_t stream) {
    return cmMemcpyAsync(reinterpret_cast<char *>(&to) + offset, from, size, cmMemcpyDefault,
                         stream);
}
template <class T>
cmError_t read_variable(void *to, T &from, size_t size, size_t offset, cmStream_t stream) {
    return cmMemcpyAsync(to, reinterpret_cast<const char *>(&from) + offset, size, cmMemcpyDefault,
                         stream);
}
template <class T> size_t size_of_variable(device_variable<T> &) { return sizeof(T); }
template <class T> size_t size_of_variable(T &) { return sizeof(T); }
template <class T> const volatile void *place_of_variable(device_variable<T> &of) {
    return &of.get();
}
template <class T> const volatile void *place_of_variable(T &of) { return &of; }
} // namespace detail
} // namespace cm

template <class T>
cmError_t cmMemcpyToSymbolAsync(T &symbol, const void *from, size_t size, size_t offset,
                                cmMemcpyKind, cmStream_t stream = nullptr) {
    if (offset + size > cm::detail::size_of_variable(symbol))
        return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::write_variable(symbol, from, size, offset, stream);
}
template <class T>
cmError_t cmMemcpyToSymbol(T &symbol, const void *from, size_t size, size_t offset = 0,
                           cmMemcpyKind kind = cmMemcpyHostToDevice) {
    const cmError_t error = cmMemcpyToSymbolAsync(symbol, from, size, offset, kind);
    return error ? error : cm::detail::wait_for(nullptr);
}
template <class T>
cmError_t cmMemcpyFromSymbolAsync(void *to, T &symbol, size_t size, size_t offset, cmMemcpyKind,
                                  cmStream_t stream = nullptr) {
    if (offset + size > cm::detail::size_of_variable(symbol))
        return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::read_variable(to, symbol, size, offset, stream);
}
template <class T>
cmError_t cmMemcpyFromSymbol(void *to, T &symbol, size_t size, size_t offset = 0,
                             cmMemcpyKind kind = cmMemcpyDeviceToHost) {
    const cmError_t error = cmMemcpyFromSymbolAsync(to, symbol, size, offset, kind);
    return error ? error : cm::detail::wait_for(nullptr);
}
// A kernel asks where the variable lies, as the host cannot.
#define cmGetSymbolAddress(pointer, symbol)                                                       \
    ::cm::detail::symbol_address((void **)(pointer),                                              \
                                 []() { return ::cm::detail::place_of_variable(symbol); })
namespace cm {
namespace detail {
template <class F> cmError_t symbol_address(void **pointer, F address) {
    if (!pointer) return said(cmErrorInvalidValue);
    void **place = nullptr;
    cmError_t error = cmMallocManaged(&place, sizeof *place);
    if (error) return error;
    error = submit(nullptr, [=](sycl::handler &h, const sycl::device &) {
        h.single_task([=] { *place = const_cast<void *>(address()); });
        return cmSuccess;
    });
    if (!error) error = wait_for(nullptr);
    if (!error) *pointer = *place;
    cmFree(place);
    return error;
}
} // namespace detail
} // namespace cm
template <class T> cmError_t cmGetSymbolSize(size_t *size, T &symbol) {
    if (!size) return cm::detail::said(cmErrorInvalidValue);
    *size = cm::detail::size_of_variable(symbol);
    return cmSuccess;
}

#endif
