// device.cpp - what PyTorch's core asks a back end for: devices, streams, events, generators.
#include "emulated.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/detail/HPUHooksInterface.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/detail/XPUHooksInterface.h>
#include <ATen/native/Resize.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>
#include <chrono>

namespace emulated {

Kind kind;

namespace {

using Clock = std::chrono::steady_clock;

thread_local c10::DeviceIndex device = 0;
thread_local c10::StreamId streams[64]; // the current stream of each device; 0 is the default
std::atomic<c10::StreamId> next_stream{1};

void check_index(c10::DeviceIndex index) {
    TORCH_CHECK(index >= 0 && index < kind.count, "invalid device ordinal: there is no ",
                c10::DeviceTypeName(kind.type, true), ":", static_cast<int>(index));
}

// Work is done when it is asked for, so an event is a moment, and waiting is nothing.
struct Guard final : c10::impl::DeviceGuardImplInterface {
    c10::DeviceType type() const override { return kind.type; }
    c10::Device exchangeDevice(c10::Device d) const override {
        auto old = device;
        setDevice(d);
        return {kind.type, old};
    }
    c10::Device getDevice() const override { return {kind.type, device}; }
    void setDevice(c10::Device d) const override {
        check_index(d.index());
        device = d.index();
    }
    void uncheckedSetDevice(c10::Device d) const noexcept override { device = d.index(); }
    c10::Stream stream(c10::Device d, c10::StreamId id) const {
        return c10::Stream(c10::Stream::UNSAFE,
                           c10::Device(kind.type, d.has_index() ? d.index() : device), id);
    }
    c10::Stream getStream(c10::Device d) const override {
        return stream(d, streams[d.has_index() ? d.index() : device]);
    }
    c10::Stream getDefaultStream(c10::Device d) const override { return stream(d, 0); }
    c10::Stream getNewStream(c10::Device d, int) const override {
        return stream(d, next_stream++);
    }
    c10::Stream getStreamFromGlobalPool(c10::Device d, bool) const override {
        return stream(d, next_stream++);
    }
    c10::Stream exchangeStream(c10::Stream s) const override {
        auto &current = streams[s.device_index()];
        auto old = stream(s.device(), current);
        current = s.id();
        return old;
    }
    void *getStreamNativeHandle(const c10::Stream s) const override {
        return reinterpret_cast<void *>(s.id());
    }
    c10::DeviceIndex deviceCount() const noexcept override { return kind.count; }
    bool queryStream(const c10::Stream &) const override { return true; }
    void synchronizeStream(const c10::Stream &) const override {}
    void synchronizeDevice(const c10::DeviceIndex) const override {}
    bool isStreamCapturing(const c10::Stream &) const override { return capturing(); }
    void recordDataPtrOnStream(const c10::DataPtr &, const c10::Stream &) const override {}

    void record(void **event, const c10::Stream &, const c10::DeviceIndex,
                const c10::EventFlag) const override {
        if (!*event) *event = new Clock::time_point;
        *static_cast<Clock::time_point *>(*event) = Clock::now();
    }
    void destroyEvent(void *event, const c10::DeviceIndex) const noexcept override {
        delete static_cast<Clock::time_point *>(event);
    }
    void block(void *, const c10::Stream &) const override {}
    bool queryEvent(void *) const override { return true; }
    void synchronizeEvent(void *) const override {}
    double elapsedTime(void *a, void *b, const c10::DeviceIndex) const override {
        TORCH_CHECK(a && b, "Both events must be recorded before calculating elapsed time.");
        std::chrono::duration<double, std::milli> d =
            *static_cast<Clock::time_point *>(b) - *static_cast<Clock::time_point *>(a);
        return d.count();
    }
};

// A generator of the device is one of the CPU with another name. That of the device itself is the
// CPU's default generator, so that a program draws the same numbers on every device.
struct Generator final : c10::GeneratorImpl {
    at::Generator host;
    Generator(c10::DeviceIndex index, at::Generator g)
        : c10::GeneratorImpl({kind.type, index}, c10::DispatchKeySet(kind.key)),
          host(std::move(g)) {}
    void set_current_seed(uint64_t seed) override { host.set_current_seed(seed); }
    void set_offset(uint64_t offset) override { host.set_offset(offset); }
    uint64_t get_offset() const override { return host.get_offset(); }
    uint64_t current_seed() const override { return host.current_seed(); }
    uint64_t seed() override { return host.seed(); }
    void set_state(const c10::TensorImpl &state) override {
        host.unsafeGetGeneratorImpl()->set_state(state);
    }
    c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
        return host.unsafeGetGeneratorImpl()->get_state();
    }
    GeneratorImpl *clone_impl() const override {
        return new Generator(device_.index(), host.clone());
    }
};

const at::Generator &default_generator(c10::DeviceIndex index) {
    static auto *all = [] {
        auto *v = new std::vector<at::Generator>;
        for (int i = 0; i < kind.count; i++)
            v->push_back(at::make_generator<Generator>(i, at::detail::getDefaultCPUGenerator()));
        return v;
    }();
    return all->at(index < 0 ? device : index);
}

template <class Base> struct Hooks : Base {
    void init() const override {}
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    c10::DeviceIndex deviceCount() const override { return kind.count; }
    c10::DeviceIndex getCurrentDevice() const override { return device; }
    void setCurrentDevice(c10::DeviceIndex index) const override {
        check_index(index);
        device = index;
    }
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
        check_index(index);
        return std::exchange(device, index);
    }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
        return index < 0 ? device : exchangeDevice(index);
    }
    bool isPinnedPtr(const void *p) const override { return is_pinned(p); }
    at::Allocator *getPinnedMemoryAllocator() const override { return pinned_allocator(); }
    at::Device getDeviceFromPtr(void *) const override { return {kind.type, device}; }
    const at::Generator &getDefaultGenerator(c10::DeviceIndex index) const override {
        return default_generator(index);
    }
    at::Generator getNewGenerator(c10::DeviceIndex index) const override {
        return at::make_generator<Generator>(index < 0 ? device : index,
                                             at::detail::createCPUGenerator());
    }
};

struct PrivateHooks final : Hooks<at::PrivateUse1HooksInterface> {
    void resizePrivateUse1Bytes(const c10::Storage &storage, size_t bytes) const override {
        auto *cpu = c10::GetAllocator(c10::kCPU);
        c10::Storage grown({}, bytes, cpu->allocate(bytes), cpu, true);
        std::memcpy(grown.mutable_data(), storage.data(), std::min(bytes, storage.nbytes()));
        adopt_into(storage, grown);
    }
};
struct CudaHooks final : Hooks<at::CUDAHooksInterface> {
    bool hasCUDA() const override { return true; }
    int getNumGPUs() const override { return kind.count; }
    c10::DeviceIndex current_device() const override { return device; }
    void deviceSynchronize(c10::DeviceIndex) const override {}
    at::Allocator *getCUDADeviceAllocator() const override { return device_allocator(); }
};
struct XpuHooks final : Hooks<at::XPUHooksInterface> {
    bool hasXPU() const override { return true; }
    c10::DeviceIndex getNumGPUs() const override { return kind.count; }
    c10::DeviceIndex current_device() const override { return device; }
    void deviceSynchronize(c10::DeviceIndex) const override {}
};
struct HpuHooks final : Hooks<at::HPUHooksInterface> {
    bool hasHPU() const override { return true; }
};

} // namespace

c10::DeviceIndex current_device() { return device; }

bool is_emulated(const at::Tensor &t) { return t.defined() && t.device().type() == kind.type; }

at::Generator host_generator(const at::Generator &generator) {
    auto *g = dynamic_cast<Generator *>(generator.unsafeGetGeneratorImpl());
    return g ? g->host : generator;
}

// The hooks of a device of PyTorch's own are made once, while it is imported: ours take the place
// of the object that says there is no such hardware. Neither has members.
template <class Ours, class Base> static void take_over(const Base &hooks) {
    static_assert(sizeof(Ours) == sizeof(Base));
    auto *place = const_cast<Base *>(&hooks);
    place->~Base();
    new (place) Ours;
}

void install_device() {
    c10::SetAllocator(kind.type, device_allocator());
    c10::impl::DeviceGuardImplRegistrar(kind.type, new Guard);
    switch (kind.type) {
    case c10::DeviceType::CUDA:
        take_over<CudaHooks>(at::detail::getCUDAHooks());
        break;
    case c10::DeviceType::XPU:
        take_over<XpuHooks>(at::detail::getXPUHooks());
        break;
    case c10::DeviceType::HPU:
        take_over<HpuHooks>(at::detail::getHPUHooks());
        break;
    default:
        at::RegisterPrivateUse1HooksInterface(new PrivateHooks);
    }
}

} // namespace emulated
