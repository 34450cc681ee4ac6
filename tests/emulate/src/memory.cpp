// memory.cpp - host memory that PyTorch takes for device memory, with the counters of an
// allocator.
#include "emulated.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include <mutex>
#include <set>

namespace emulated {
namespace {

// What a device's memory is said to be; no allocation is refused before this much.
constexpr size_t kTotal = size_t{8} << 30;

struct Counters {
    std::mutex mutex;
    c10::CachingDeviceAllocator::DeviceStats stats;
};
Counters &counters(c10::DeviceIndex index) {
    static auto *all = new Counters[64]; // leaked: storages die after static destructors
    return all[index];
}

// Bytes on a device and the host storage that holds them.
struct Block {
    c10::Storage host;
    size_t bytes;
    c10::DeviceIndex index;
};

void count(c10::DeviceIndex index, size_t bytes, bool up) {
    auto &c = counters(index);
    std::lock_guard<std::mutex> lock(c.mutex);
    auto change = [up](c10::CachingAllocator::Stat &stat, size_t n) {
        up ? stat.increase(n) : stat.decrease(n);
    };
    change(c.stats.allocated_bytes[0], bytes);
    change(c.stats.reserved_bytes[0], bytes);
    change(c.stats.active_bytes[0], bytes);
    change(c.stats.requested_bytes[0], bytes);
    change(c.stats.allocation[0], 1);
    change(c.stats.active[0], 1);
}

void free_block(void *block) {
    auto *b = static_cast<Block *>(block);
    count(b->index, b->bytes, false);
    delete b;
}

c10::DataPtr pointer_to(const c10::Storage &host, c10::DeviceIndex index) {
    auto *block = new Block{host, host.nbytes(), index};
    count(index, block->bytes, true);
    return {const_cast<void *>(host.data()), block, &free_block, c10::Device(kind.type, index)};
}

struct DeviceMemory final : c10::DeviceAllocator {
    c10::DataPtr allocate(size_t bytes) override {
        auto index = current_device();
        auto used = counters(index).stats.allocated_bytes[0].current;
        TORCH_CHECK_WITH(OutOfMemoryError, static_cast<size_t>(used) + bytes <= kTotal,
                         "out of memory: tried to allocate ", bytes, " bytes on device ",
                         static_cast<int>(index));
        auto *cpu = c10::GetCPUAllocator();
        return pointer_to(c10::Storage({}, bytes, cpu->allocate(bytes), cpu, false), index);
    }
    c10::DeleterFnPtr raw_deleter() const override {
        return nullptr; // raw pointers are not to be had: a block is more than its address
    }
    void copy_data(void *to, const void *from, std::size_t bytes) const override {
        default_copy_data(to, from, bytes);
    }
    bool initialized() override { return true; }
    void emptyCache(c10::MempoolId_t) override {}
    void recordStream(const c10::DataPtr &, c10::Stream) override {}
    c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex index) override {
        auto &c = counters(index);
        std::lock_guard<std::mutex> lock(c.mutex);
        return c.stats;
    }
    template <class F> void each(c10::DeviceIndex index, F f) {
        auto &c = counters(index);
        std::lock_guard<std::mutex> lock(c.mutex);
        auto &s = c.stats;
        for (auto *array : {&s.allocated_bytes, &s.reserved_bytes, &s.active_bytes,
                            &s.requested_bytes, &s.allocation, &s.active})
            f((*array)[0]);
    }
    void resetAccumulatedStats(c10::DeviceIndex index) override {
        each(index, [](auto &stat) { stat.reset_accumulated(); });
    }
    void resetPeakStats(c10::DeviceIndex index) override {
        each(index, [](auto &stat) { stat.reset_peak(); });
    }
    std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex index) override {
        auto used = static_cast<size_t>(counters(index).stats.allocated_bytes[0].current);
        return {kTotal - std::min(used, kTotal), kTotal};
    }
};

std::mutex pinned_mutex;
std::set<const void *> &pinned() {
    static auto *all = new std::set<const void *>;
    return *all;
}

// Page-locked memory: the CPU's, remembered.
struct PinnedMemory final : c10::Allocator {
    c10::DataPtr allocate(size_t bytes) override {
        void *p = c10::alloc_cpu(bytes ? bytes : 1);
        std::lock_guard<std::mutex> lock(pinned_mutex);
        pinned().insert(p);
        return {p, p, &release, c10::Device(c10::kCPU)};
    }
    static void release(void *p) {
        std::lock_guard<std::mutex> lock(pinned_mutex);
        pinned().erase(p);
        c10::free_cpu(p);
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void *to, const void *from, std::size_t bytes) const override {
        default_copy_data(to, from, bytes);
    }
};

} // namespace

c10::DeviceAllocator *device_allocator() {
    static auto *allocator = new DeviceMemory;
    return allocator;
}

c10::Allocator *pinned_allocator() {
    static auto *allocator = new PinnedMemory;
    return allocator;
}

bool is_pinned(const void *pointer) {
    std::lock_guard<std::mutex> lock(pinned_mutex);
    return pinned().count(pointer) != 0;
}

c10::Storage adopt(const c10::Storage &host, c10::DeviceIndex index) {
    return {{}, host.nbytes(), pointer_to(host, index), device_allocator(), true};
}

void adopt_into(const c10::Storage &device, const c10::Storage &host) {
    device.unsafeGetStorageImpl()->set_data_ptr_noswap(pointer_to(host, device.device().index()));
    device.unsafeGetStorageImpl()->set_nbytes(host.nbytes());
}

} // namespace emulated
