// SPDX-License-Identifier: Apache-2.0
// Devices and streams: a stream is an in-order queue, and all of them share one context, so that
// memory can be used by each. As in CUDA, work of the default stream waits for that of all streams
// which do not say cmStreamNonBlocking, and theirs for its. Exceptions become CUDA's errors.
//
// A library that brings its own (PyTorch: aten.hpp) is asked for them instead: its context, the
// device that it has chosen, and the queue that is current there, which is the default stream.
#ifndef CUDA_MORPH_SYCL_QUEUE_HPP
#define CUDA_MORPH_SYCL_QUEUE_HPP

#include <algorithm>
#include <cuda_morph/types.h>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <sycl/sycl.hpp>
#include <vector>

// Commands of a graph, in the order in which they were added: graph.hpp. Those that a stream was
// given while it was captured come one after another.
struct cmGraph_st;
struct cmGraphNode_st {
    cmGraphNodeType type;
    std::function<cmError_t(cmStream_t)> command; // puts itself into a stream; may be empty
    std::vector<std::size_t> after;               // numbers of others
    std::size_t number;
};
struct cmGraph_st {
    std::vector<std::unique_ptr<cmGraphNode_st>> nodes;

    cmGraph_st() = default;
    cmGraph_st(const cmGraph_st &other) { *this = other; }
    cmGraph_st &operator=(const cmGraph_st &other) {
        if (this == &other) return *this;
        nodes.clear();
        for (const auto &node : other.nodes)
            nodes.push_back(std::make_unique<cmGraphNode_st>(*node));
        return *this;
    }
    cmGraphNode_t add(cmGraphNodeType type, std::function<cmError_t(cmStream_t)> command,
                      std::vector<std::size_t> after) {
        nodes.push_back(std::unique_ptr<cmGraphNode_st>(
            new cmGraphNode_st{type, std::move(command), std::move(after), nodes.size()}));
        return nodes.back().get();
    }
    void capture(std::function<cmError_t(cmStream_t)> command) {
        std::vector<std::size_t> after;
        if (!nodes.empty()) after.push_back(nodes.size() - 1);
        add(cmGraphNodeTypeKernel, std::move(command), std::move(after));
    }
};
struct cmStream_st {
    sycl::queue queue;
    sycl::event last; // of what was put into it
    unsigned flags = 0;
    int priority = 0, device = 0;
    unsigned long long number = 0;
    cmGraph_st *capture = nullptr;
};
struct cmEvent_st {
    sycl::event marker;
    bool recorded = false, timed = true;
    cmGraph_st *capture = nullptr; // recorded while that was captured
};

namespace cm {
namespace detail {

inline thread_local cmError_t last_error = cmSuccess;

// Whose devices, context and queues these are, where it is not this header. The queues are in
// order, of that context, and stay where they are.
struct library {
    std::vector<sycl::device> (*devices)();
    sycl::context (*context)();
    int (*current_device)();
    void (*set_device)(int device);
    sycl::queue &(*current_queue)(int device);
    void (*wait)(int device); // for all of its queues there
};
inline const library *owner = nullptr;

inline thread_local int own_current_device = 0;
inline int current_device() { return owner ? owner->current_device() : own_current_device; }
inline void set_current_device(int device) {
    if (owner)
        owner->set_device(device);
    else
        own_current_device = device;
}

inline cmError_t said(cmError_t error) {
    if (error) last_error = error;
    return error;
}

inline cmError_t error_of(const sycl::exception &e) {
    const std::error_code code = e.code();
    if (code == sycl::errc::memory_allocation) return cmErrorMemoryAllocation;
    if (code == sycl::errc::nd_range) return cmErrorInvalidConfiguration;
    if (code == sycl::errc::invalid) return cmErrorInvalidValue;
    if (code == sycl::errc::feature_not_supported) return cmErrorNotSupported;
    return cmErrorLaunchFailure;
}

// What a call comes to: no exception leaves it.
template <class F> cmError_t guarded(F call) {
    try {
        return said(call());
    } catch (const sycl::exception &e) {
        return said(error_of(e));
    } catch (const std::bad_alloc &) {
        return said(cmErrorMemoryAllocation);
    }
}

class runtime {
    std::vector<sycl::device> devices_;
    std::unique_ptr<sycl::context> context_;
    std::vector<std::unique_ptr<cmStream_st>> defaults_; // of each device
    std::set<cmStream_st *> streams_;
    std::map<const sycl::queue *, std::unique_ptr<cmStream_st>> lent_; // the owner's queues
    unsigned long long numbers_ = 0;

    // The context that a library takes where nobody names one, if all devices are in it: what the
    // program allocates is then its memory, too.
    sycl::context shared() const {
        const sycl::context usual = sycl::queue(devices_[0]).get_context();
        const std::vector<sycl::device> in = usual.get_devices();
        for (const sycl::device &d : devices_)
            if (std::find(in.begin(), in.end(), d) == in.end()) return sycl::context(devices_);
        return usual;
    }
    runtime() {
        if (owner) {
            devices_ = owner->devices();
            context_ = std::make_unique<sycl::context>(owner->context());
            return;
        }
        for (const sycl::device &d : sycl::device::get_devices(sycl::info::device_type::gpu))
            if (devices_.empty() || d.get_platform() == devices_[0].get_platform())
                devices_.push_back(d);
        if (devices_.empty()) devices_.push_back(sycl::device(sycl::default_selector_v));
        context_ = std::make_unique<sycl::context>(shared());
        for (int i = 0; i < count(); i++)
            defaults_.push_back(std::unique_ptr<cmStream_st>(made(0, 0, i)));
    }
    cmStream_st *made(unsigned flags, int priority, int device) {
        const sycl::property_list in_order{sycl::property::queue::in_order(),
                                           sycl::property::queue::enable_profiling()};
        return record(sycl::queue(*context_, devices_[device], in_order), flags, priority, device);
    }
    cmStream_st *record(const sycl::queue &queue, unsigned flags, int priority, int device) {
        return new cmStream_st{queue, sycl::event(), flags, priority, device, ++numbers_};
    }
    // The default stream of the device, as of now.
    cmStream_st *own(int device) {
        return owner ? lent(owner->current_queue(device), device) : defaults_[device].get();
    }

  public:
    std::recursive_mutex lock;

    // It lives to the program's end: destructors of static objects may still free memory.
    static runtime &get() {
        static runtime *const one = new runtime;
        return *one;
    }
    int count() const { return static_cast<int>(devices_.size()); }
    const sycl::device &device(int i) const { return devices_[i]; }
    const sycl::context &context() const { return *context_; }

    cmStream_st *create(unsigned flags, int priority) {
        cmStream_st *s = made(flags, priority, current_device());
        streams_.insert(s);
        return s;
    }
    bool destroy(cmStream_st *s) { return streams_.erase(s) != 0; }
    // NULL: a stale handle.
    cmStream_st *stream(cmStream_t s) {
        if (s == nullptr || s == cmStreamLegacy || s == cmStreamPerThread)
            return own(current_device());
        return streams_.count(s) || is_lent(s) ? s : nullptr;
    }
    // The stream that stands for a queue of the owner's.
    cmStream_st *lent(sycl::queue &queue, int device) {
        std::unique_ptr<cmStream_st> &s = lent_[&queue];
        if (!s) s.reset(record(queue, 0, 0, device));
        return s.get();
    }
    bool is_lent(const cmStream_st *s) const {
        for (const auto &each : lent_)
            if (each.second.get() == s) return true;
        return false;
    }
    // The events that work put into the stream has to wait for. What the owner puts into its
    // queues nobody tells of: a command behind it does.
    std::vector<sycl::event> before(cmStream_st *s) {
        std::vector<sycl::event> events;
        if (s->flags & cmStreamNonBlocking) return events;
        cmStream_st *first = own(s->device);
        if (s != first && !is_lent(s)) {
            if (owner)
                first->last = first->queue.submit([](sycl::handler &h) { h.single_task([] {}); });
            return {first->last};
        }
        for (cmStream_st *other : streams_)
            if (other->device == s->device && !(other->flags & cmStreamNonBlocking))
                events.push_back(other->last);
        return events;
    }
    // No stream is captured into the graph any longer.
    void end_capture(cmGraph_st *graph) {
        for (auto &own : defaults_)
            if (own->capture == graph) own->capture = nullptr;
        for (auto &each : lent_)
            if (each.second->capture == graph) each.second->capture = nullptr;
        for (cmStream_st *s : streams_)
            if (s->capture == graph) s->capture = nullptr;
    }
    void wait(int device) {
        if (owner)
            owner->wait(device);
        else
            defaults_[device]->queue.wait_and_throw();
        for (cmStream_st *s : streams_)
            if (s->device == device) s->queue.wait_and_throw();
    }
};

// Puts a command into the stream: `command` gets the handler and the device, and may refuse. A
// graph that captures the stream keeps a copy, so that it holds what it needs by value.
template <class F> cmError_t submit(cmStream_t stream, F command) {
    return guarded([&]() -> cmError_t {
        runtime &all = runtime::get();
        const std::lock_guard<std::recursive_mutex> hold(all.lock);
        cmStream_st *s = all.stream(stream);
        if (!s) return cmErrorInvalidResourceHandle;
        if (s->capture) {
            s->capture->capture([=](cmStream_t into) { return submit(into, command); });
            return cmSuccess;
        }
        cmError_t error = cmSuccess;
        const std::vector<sycl::event> before = all.before(s);
        s->last = s->queue.submit([&](sycl::handler &h) {
            h.depends_on(before);
            error = command(h, s->queue.get_device());
            if (error) h.single_task([] {});
        });
        return error;
    });
}
// What makes the program's __managed__ variables (managed.hpp) before a kernel may ask for them.
inline std::vector<void (*)()> &managed_variables() {
    static std::vector<void (*)()> *const all = new std::vector<void (*)()>;
    return *all;
}
inline void make_managed_variables() {
    static const bool made = [] {
        for (void (*make)() : managed_variables()) make();
        return true;
    }();
    (void)made;
}
inline bool is_captured(cmStream_t stream) {
    runtime &all = runtime::get();
    const std::lock_guard<std::recursive_mutex> hold(all.lock);
    const cmStream_st *s = all.stream(stream);
    return s && s->capture;
}
inline cmError_t wait_for(cmStream_t stream) {
    return guarded([&]() -> cmError_t {
        cmStream_st *s;
        {
            runtime &all = runtime::get();
            const std::lock_guard<std::recursive_mutex> hold(all.lock);
            s = all.stream(stream);
        }
        if (!s) return cmErrorInvalidResourceHandle;
        if (s->capture) return cmErrorStreamCaptureUnsupported;
        s->queue.wait_and_throw();
        return cmSuccess;
    });
}

} // namespace detail
} // namespace cm

#endif
