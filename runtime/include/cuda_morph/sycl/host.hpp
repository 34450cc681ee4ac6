// SPDX-License-Identifier: Apache-2.0
// The rest of the runtime's interface: errors, devices, streams, events.
#ifndef CUDA_MORPH_SYCL_HOST_HPP
#define CUDA_MORPH_SYCL_HOST_HPP

#include <cstring>
#include <cuda_morph/error_names.h>
#include <cuda_morph/sycl/launch.hpp>
#include <cuda_morph/sycl/memory.hpp>
#include <string>

// ---- errors ----

inline cmError_t cmGetLastError() {
    const cmError_t error = cm::detail::last_error;
    cm::detail::last_error = cmSuccess;
    return error;
}
inline cmError_t cmPeekAtLastError() { return cm::detail::last_error; }
inline const char *cmGetErrorName(cmError_t error) { return cm_error_name(error); }
inline const char *cmGetErrorString(cmError_t error) { return cm_error_text(error); }

// ---- devices ----

inline cmError_t cmGetDeviceCount(int *count) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (!count) return cmErrorInvalidValue;
        *count = cm::detail::runtime::get().count();
        return cmSuccess;
    });
}
inline cmError_t cmGetDevice(int *device) {
    if (!device) return cm::detail::said(cmErrorInvalidValue);
    *device = cm::detail::current_device();
    return cmSuccess;
}
inline cmError_t cmSetDevice(int device) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (device < 0 || device >= cm::detail::runtime::get().count())
            return cmErrorInvalidDevice;
        cm::detail::set_current_device(device);
        return cmSuccess;
    });
}
inline cmError_t cmDeviceSynchronize() {
    return cm::detail::guarded([]() -> cmError_t {
        cm::detail::runtime::get().wait(cm::detail::current_device());
        return cmSuccess;
    });
}
inline cmError_t cmSetDeviceFlags(unsigned int) { return cmSuccess; }
// The first device is as good as any: what CUDA compares, SYCL mostly does not tell.
inline cmError_t cmChooseDevice(int *device, const cmDeviceProp *wanted) {
    if (!device || !wanted) return cm::detail::said(cmErrorInvalidValue);
    *device = 0;
    return cmSuccess;
}
// Checks the ordinals; contexts are there, and the order stays that of the machine.
inline cmError_t cmSetValidDevices(int *devices, int length) {
    if (!devices || length < 1) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::guarded([&]() -> cmError_t {
        for (int i = 0; i < length; i++)
            if (devices[i] < 0 || devices[i] >= cm::detail::runtime::get().count())
                return cmErrorInvalidDevice;
        return cmSuccess;
    });
}
inline cmError_t cmInitDevice(int device, unsigned int, unsigned int) {
    return cmSetValidDevices(&device, 1);
}
// Banks and caches are the device's own business.
inline cmError_t cmDeviceSetSharedMemConfig(cmSharedMemConfig) { return cmSuccess; }
inline cmError_t cmDeviceGetSharedMemConfig(cmSharedMemConfig *config) {
    if (!config) return cm::detail::said(cmErrorInvalidValue);
    *config = cmSharedMemBankSizeFourByte;
    return cmSuccess;
}
inline cmError_t cmCtxResetPersistingL2Cache() { return cmSuccess; }
inline cmError_t cmDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = 0;
    return cmSuccess;
}

// What SYCL tells; what it does not is 0, and the compute capability is none of NVIDIA's.
inline cmError_t cmGetDeviceProperties(cmDeviceProp *p, int number) {
    namespace ask = sycl::info::device;
    return cm::detail::guarded([&]() -> cmError_t {
        if (!p) return cmErrorInvalidValue;
        cm::detail::runtime &all = cm::detail::runtime::get();
        if (number < 0 || number >= all.count()) return cmErrorInvalidDevice;
        const sycl::device &d = all.device(number);
        *p = cmDeviceProp{};
        const std::string name = d.get_info<ask::name>();
        std::strncpy(p->name, name.c_str(), sizeof p->name - 1);
        p->totalGlobalMem = d.get_info<ask::global_mem_size>();
        p->sharedMemPerBlock = d.get_info<ask::local_mem_size>();
        p->sharedMemPerMultiprocessor = p->sharedMemPerBlock;
        p->sharedMemPerBlockOptin = p->sharedMemPerBlock;
        p->warpSize = cm::warp_size;
        const std::size_t items = d.get_info<ask::max_work_group_size>();
        p->maxThreadsPerBlock = static_cast<int>(items < 1024 ? items : 1024);
        p->maxThreadsPerMultiProcessor = p->maxThreadsPerBlock;
        for (int i = 0; i < 3; i++) p->maxThreadsDim[i] = p->maxThreadsPerBlock;
        if (p->maxThreadsDim[2] > 64) p->maxThreadsDim[2] = 64;
        p->maxGridSize[0] = 0x7fffffff;
        p->maxGridSize[1] = p->maxGridSize[2] = 65535;
        p->multiProcessorCount = static_cast<int>(d.get_info<ask::max_compute_units>());
        p->clockRate = static_cast<int>(d.get_info<ask::max_clock_frequency>()) * 1000;
        p->totalConstMem = 65536;
        p->unifiedAddressing = p->concurrentKernels = p->canMapHostMemory = 1;
        p->managedMemory = d.has(sycl::aspect::usm_shared_allocations);
        p->regsPerBlock = p->regsPerMultiprocessor = 65536;
        return cmSuccess;
    });
}
inline cmError_t cmDeviceGetAttribute(int *value, cmDeviceAttr attribute, int device) {
    if (!value) return cm::detail::said(cmErrorInvalidValue);
    cmDeviceProp properties;
    const cmError_t error = cmGetDeviceProperties(&properties, device);
    if (error) return error;
    const cmDeviceProp *p = &properties;
    switch (attribute) {
#define CM_ATTRIBUTE(name, number, answer)                                                        \
    case cmDevAttr##name:                                                                         \
        *value = static_cast<int>(answer);                                                        \
        return cmSuccess;
#include <cuda_morph/attributes.def>
#undef CM_ATTRIBUTE
    default:
        return cm::detail::said(cmErrorInvalidValue);
    }
}

// Waits for the device's work and frees its memory.
inline cmError_t cmDeviceReset() {
    return cm::detail::guarded([]() -> cmError_t {
        cm::detail::runtime &all = cm::detail::runtime::get();
        all.wait(cm::detail::current_device());
        cm::detail::allocations::get().drop(cm::detail::current_device(), all.context());
        return cmSuccess;
    });
}
inline cmError_t cmRuntimeGetVersion(int *version) {
    if (!version) return cm::detail::said(cmErrorInvalidValue);
    *version = CUDART_VERSION;
    return cmSuccess;
}
inline cmError_t cmDriverGetVersion(int *version) { return cmRuntimeGetVersion(version); }
// Its address on the bus, where DPC++ tells it; else its number in the form of one.
inline cmError_t cmDeviceGetPCIBusId(char *text, int length, int device) {
    return cm::detail::guarded([&]() -> cmError_t {
        cm::detail::runtime &all = cm::detail::runtime::get();
        if (!text || length <= 0) return cmErrorInvalidValue;
        if (device < 0 || device >= all.count()) return cmErrorInvalidDevice;
#ifdef SYCL_EXT_INTEL_DEVICE_INFO
        if (all.device(device).has(sycl::aspect::ext_intel_pci_address)) {
            snprintf(text, static_cast<size_t>(length), "%s",
                     all.device(device)
                         .get_info<sycl::ext::intel::info::device::pci_address>()
                         .c_str());
            return cmSuccess;
        }
#endif
        snprintf(text, static_cast<size_t>(length), "0000:%02X:00.0", device & 255);
        return cmSuccess;
    });
}
inline cmError_t cmDeviceGetByPCIBusId(int *device, const char *text) {
    if (!device || !text) return cm::detail::said(cmErrorInvalidValue);
    char own[32];
    for (int i = 0, count = cm::detail::runtime::get().count(); i < count; i++)
        if (!cmDeviceGetPCIBusId(own, sizeof own, i) && !strcmp(own, text)) {
            *device = i;
            return cmSuccess;
        }
    return cm::detail::said(cmErrorInvalidDevice);
}
// Between devices copies go through the context; none reaches into another one's memory.
inline cmError_t cmDeviceCanAccessPeer(int *can, int, int) {
    if (!can) return cm::detail::said(cmErrorInvalidValue);
    *can = 0;
    return cmSuccess;
}
inline cmError_t cmDeviceEnablePeerAccess(int, unsigned int) {
    return cm::detail::said(cmErrorPeerAccessUnsupported);
}
inline cmError_t cmDeviceDisablePeerAccess(int) {
    return cm::detail::said(cmErrorPeerAccessNotEnabled);
}
inline cmError_t cmDeviceGetP2PAttribute(int *value, cmDeviceP2PAttr, int from, int to) {
    const int count = cm::detail::runtime::get().count();
    if (!value) return cm::detail::said(cmErrorInvalidValue);
    if (from < 0 || to < 0 || from >= count || to >= count || from == to)
        return cm::detail::said(cmErrorInvalidDevice);
    *value = 0;
    return cmSuccess;
}
// No profiler is attached.
inline cmError_t cmProfilerStart() { return cmSuccess; }
inline cmError_t cmProfilerStop() { return cmSuccess; }

// ---- kernels ----

// Preferences of caches and of local memory are the device's own business.
template <class F> cmError_t cmFuncSetAttribute(F, cmFuncAttribute, int) { return cmSuccess; }
template <class F> cmError_t cmFuncSetCacheConfig(F, cmFuncCache) { return cmSuccess; }
inline cmError_t cmDeviceSetCacheConfig(cmFuncCache) { return cmSuccess; }

// The largest group, and as many of them as the device has compute units.
template <class F>
cmError_t cmOccupancyMaxPotentialBlockSize(int *grid, int *block, F, size_t = 0, int limit = 0) {
    if (!grid || !block) return cm::detail::said(cmErrorInvalidValue);
    cmDeviceProp p;
    const cmError_t error = cmGetDeviceProperties(&p, cm::detail::current_device());
    if (error) return error;
    *block = limit > 0 && limit < p.maxThreadsPerBlock ? limit : p.maxThreadsPerBlock;
    *grid = p.multiProcessorCount;
    return cmSuccess;
}

// As many groups as the compute unit has room for by its number of work-items alone.
template <class F>
cmError_t cmOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int items, size_t) {
    cmDeviceProp p;
    if (!blocks || items <= 0) return cm::detail::said(cmErrorInvalidValue);
    const cmError_t error = cmGetDeviceProperties(&p, cm::detail::current_device());
    if (error) return error;
    *blocks = items > p.maxThreadsPerBlock ? 0 : p.maxThreadsPerBlock / items;
    return cmSuccess;
}
// Of a kernel SYCL tells nothing before it runs, so this is the device's.
template <class F> cmError_t cmFuncGetAttributes(cmFuncAttributes *attributes, F) {
    cmDeviceProp p;
    if (!attributes) return cm::detail::said(cmErrorInvalidValue);
    const cmError_t error = cmGetDeviceProperties(&p, cm::detail::current_device());
    if (error) return error;
    *attributes = cmFuncAttributes{};
    attributes->maxThreadsPerBlock = p.maxThreadsPerBlock;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(p.sharedMemPerBlock);
    return cmSuccess;
}

// ---- pools of memory: each device has one, which keeps nothing back ----

struct cmMemPool_st {
    int device;
    unsigned long long threshold;
};
inline cmError_t cmDeviceGetDefaultMemPool(cmMemPool_t *pool, int device) {
    static std::vector<std::unique_ptr<cmMemPool_st>> *const pools =
        new std::vector<std::unique_ptr<cmMemPool_st>>;
    return cm::detail::guarded([&]() -> cmError_t {
        cm::detail::runtime &all = cm::detail::runtime::get();
        const std::lock_guard<std::recursive_mutex> hold(all.lock);
        if (!pool || device < 0 || device >= all.count()) return cmErrorInvalidValue;
        while (static_cast<int>(pools->size()) < all.count())
            pools->push_back(std::unique_ptr<cmMemPool_st>(
                new cmMemPool_st{static_cast<int>(pools->size()), 0}));
        *pool = (*pools)[static_cast<size_t>(device)].get();
        return cmSuccess;
    });
}
inline cmError_t cmDeviceGetMemPool(cmMemPool_t *pool, int device) {
    return cmDeviceGetDefaultMemPool(pool, device);
}
inline cmError_t cmMemPoolTrimTo(cmMemPool_t pool, size_t) {
    return cm::detail::said(pool ? cmSuccess : cmErrorInvalidValue);
}
inline cmError_t cmMemPoolSetAttribute(cmMemPool_t pool, cmMemPoolAttr attribute, void *value) {
    if (!pool || !value) return cm::detail::said(cmErrorInvalidValue);
    if (attribute == cmMemPoolAttrReleaseThreshold)
        pool->threshold = *static_cast<unsigned long long *>(value);
    return cmSuccess;
}
inline cmError_t cmMemPoolGetAttribute(cmMemPool_t pool, cmMemPoolAttr attribute, void *value) {
    if (!pool || !value) return cm::detail::said(cmErrorInvalidValue);
    if (attribute != cmMemPoolAttrReleaseThreshold) return cm::detail::said(cmErrorNotSupported);
    *static_cast<unsigned long long *>(value) = pool->threshold;
    return cmSuccess;
}
inline cmError_t cmMallocFromPoolAsync(void **pointer, size_t size, cmMemPool_t,
                                       cmStream_t stream) {
    return cmMallocAsync(pointer, size, stream);
}

// ---- streams ----

inline cmError_t cmStreamCreateWithPriority(cmStream_t *stream, unsigned int flags, int priority) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (!stream || (flags & ~static_cast<unsigned>(cmStreamNonBlocking)))
            return cmErrorInvalidValue;
        cm::detail::runtime &all = cm::detail::runtime::get();
        const std::lock_guard<std::recursive_mutex> hold(all.lock);
        *stream = all.create(flags, priority);
        return cmSuccess;
    });
}
inline cmError_t cmStreamCreateWithFlags(cmStream_t *stream, unsigned int flags) {
    return cmStreamCreateWithPriority(stream, flags, 0);
}
inline cmError_t cmStreamCreate(cmStream_t *stream) {
    return cmStreamCreateWithPriority(stream, cmStreamDefault, 0);
}
inline cmError_t cmStreamSynchronize(cmStream_t stream) { return cm::detail::wait_for(stream); }
inline cmError_t cmStreamDestroy(cmStream_t stream) {
    const cmError_t error = cm::detail::wait_for(stream);
    if (error) return error;
    cm::detail::runtime &all = cm::detail::runtime::get();
    const std::lock_guard<std::recursive_mutex> hold(all.lock);
    if (!all.destroy(stream)) return cm::detail::said(cmErrorInvalidResourceHandle);
    delete stream;
    return cmSuccess;
}
inline cmError_t cmStreamQuery(cmStream_t stream) {
    return cm::detail::guarded([&]() -> cmError_t {
        cmStream_st *s = cm::detail::runtime::get().stream(stream);
        if (!s) return cmErrorInvalidResourceHandle;
        const auto status = s->last.get_info<sycl::info::event::command_execution_status>();
        return status == sycl::info::event_command_status::complete ? cmSuccess : cmErrorNotReady;
    });
}
inline cmError_t cmStreamGetFlags(cmStream_t stream, unsigned int *flags) {
    cmStream_st *s = cm::detail::runtime::get().stream(stream);
    if (!s || !flags) return cm::detail::said(cmErrorInvalidResourceHandle);
    *flags = s->flags;
    return cmSuccess;
}
inline cmError_t cmStreamGetPriority(cmStream_t stream, int *priority) {
    cmStream_st *s = cm::detail::runtime::get().stream(stream);
    if (!s || !priority) return cm::detail::said(cmErrorInvalidResourceHandle);
    *priority = s->priority;
    return cmSuccess;
}
// The queue behind a stream, for the program's own commands.
inline sycl::queue &cmStreamGetQueue(cmStream_t stream) {
    return cm::detail::runtime::get().stream(stream)->queue;
}
// In the stream's order: the host waits for what is before it, and calls.
inline cmError_t cmLaunchHostFunc(cmStream_t stream, cmHostFn_t function, void *data) {
    if (!function) return cm::detail::said(cmErrorInvalidValue);
    if (cm::detail::is_captured(stream)) {
        cm::detail::runtime::get().stream(stream)->capture->capture(
            [=](cmStream_t into) { return cmLaunchHostFunc(into, function, data); });
        return cmSuccess;
    }
    const cmError_t error = cm::detail::wait_for(stream);
    if (!error) function(data);
    return error;
}
inline cmError_t cmStreamAddCallback(cmStream_t stream, cmStreamCallback_t callback, void *data,
                                     unsigned int) {
    if (!callback) return cm::detail::said(cmErrorInvalidValue);
    const cmError_t error = cm::detail::wait_for(stream);
    callback(stream, error, data);
    return error;
}

// ---- events: a marker in a queue ----

inline cmError_t cmEventCreateWithFlags(cmEvent_t *event, unsigned int flags) {
    if (!event) return cm::detail::said(cmErrorInvalidValue);
    *event = new cmEvent_st;
    (*event)->timed = !(flags & cmEventDisableTiming);
    return cmSuccess;
}
inline cmError_t cmEventCreate(cmEvent_t *event, unsigned int flags = cmEventDefault) {
    return cmEventCreateWithFlags(event, flags);
}
inline cmError_t cmEventDestroy(cmEvent_t event) {
    if (!event) return cm::detail::said(cmErrorInvalidResourceHandle);
    delete event;
    return cmSuccess;
}
inline cmError_t cmEventRecord(cmEvent_t event, cmStream_t stream = nullptr) {
    if (!event) return cm::detail::said(cmErrorInvalidResourceHandle);
    const cmError_t error =
        cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
            h.single_task([] {});
            return cmSuccess;
        });
    if (error) return error;
    const cmStream_st *s = cm::detail::runtime::get().stream(stream);
    event->capture = s->capture;
    if (s->capture) return cmSuccess; // it stands for what was captured so far
    event->marker = s->last;
    event->recorded = true;
    return cmSuccess;
}
inline cmError_t cmEventSynchronize(cmEvent_t event) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (!event) return cmErrorInvalidResourceHandle;
        if (event->recorded) event->marker.wait_and_throw();
        return cmSuccess;
    });
}
inline cmError_t cmEventQuery(cmEvent_t event) {
    return cm::detail::guarded([&]() -> cmError_t {
        if (!event) return cmErrorInvalidResourceHandle;
        if (!event->recorded) return cmSuccess;
        const auto status = event->marker.get_info<sycl::info::event::command_execution_status>();
        return status == sycl::info::event_command_status::complete ? cmSuccess : cmErrorNotReady;
    });
}
inline cmError_t cmEventElapsedTime(float *milliseconds, cmEvent_t start, cmEvent_t end) {
    namespace ask = sycl::info::event_profiling;
    return cm::detail::guarded([&]() -> cmError_t {
        if (!milliseconds) return cmErrorInvalidValue;
        if (!start || !end || !start->recorded || !end->recorded || !start->timed || !end->timed)
            return cmErrorInvalidResourceHandle;
        end->marker.wait_and_throw();
        const auto from = start->marker.get_profiling_info<ask::command_end>();
        const auto to = end->marker.get_profiling_info<ask::command_end>();
        *milliseconds = static_cast<float>(static_cast<double>(to - from) / 1e6);
        return cmSuccess;
    });
}
inline cmError_t cmStreamWaitEvent(cmStream_t stream, cmEvent_t event, unsigned int = 0) {
    if (!event) return cm::detail::said(cmErrorInvalidResourceHandle);
    if (event->capture) { // the stream joins the capture, whose commands run one after another
        if (cmStream_st *s = cm::detail::runtime::get().stream(stream))
            s->capture = event->capture;
        return cmSuccess;
    }
    if (!event->recorded) return cmSuccess;
    const sycl::event marker = event->marker;
    return cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
        h.depends_on(marker);
        h.single_task([] {});
        return cmSuccess;
    });
}

#endif
