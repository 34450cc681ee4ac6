/* SPDX-License-Identifier: Apache-2.0 */
// cuda::barrier for the threads of a block: what cuda/barrier offers, over the runtime's yielding.
#ifndef CUDA_MORPH_BARRIER_H
#define CUDA_MORPH_BARRIER_H

extern "C++" { // it may be included within extern "C"

#include <atomic>
#include <cuda_morph/cooperative_groups.h>

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    explicit constexpr aligned_size_t(size_t n) : value(n) {}
    constexpr operator size_t() const { return value; }
};

struct cm_no_completion {
    void operator()() const {}
};

// Atomic, since the blocks of a grid may share one.
template <thread_scope Scope = thread_scope_system, class Completion = cm_no_completion>
class barrier {
    std::atomic<unsigned> expected_{0}, arrived_{0}, phase_{0};
    Completion completion_;

    void complete() {
        arrived_ = 0;
        completion_();
        phase_++;
    }

  public:
    using arrival_token = unsigned;
    barrier() = default;
    explicit barrier(ptrdiff_t expected, Completion completion = Completion())
        : expected_(static_cast<unsigned>(expected)), completion_(completion) {}
    friend void init(barrier *b, ptrdiff_t expected, Completion completion = Completion()) {
        b->expected_ = static_cast<unsigned>(expected);
        b->arrived_ = 0, b->phase_ = 0;
        b->completion_ = completion;
    }
    arrival_token arrive(ptrdiff_t count = 1) {
        const unsigned token = phase_;
        if ((arrived_ += static_cast<unsigned>(count)) == expected_) complete();
        return token;
    }
    void wait(arrival_token token) const {
        while (phase_ == token) __nanosleep(1);
    }
    void wait_parity(bool parity) const {
        while ((phase_ & 1) == unsigned(parity)) __nanosleep(1);
    }
    bool try_wait(arrival_token token) const { return phase_ != token; }
    void arrive_and_wait() { wait(arrive()); }
    void arrive_and_drop() {
        expected_--;
        if (arrived_ == expected_ && expected_) complete();
    }
    static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
};

template <class T, class Size, thread_scope Scope>
inline void memcpy_async(T *to, const T *from, Size size, barrier<Scope> &) {
    memcpy(static_cast<void *>(to), from, size_t(size));
}
template <class Group, class T, class Size, thread_scope Scope>
inline void memcpy_async(const Group &group, T *to, const T *from, Size size, barrier<Scope> &) {
    cooperative_groups::memcpy_async(group, static_cast<void *>(to),
                                     static_cast<const void *>(from), size_t(size));
}

} // namespace cuda

} // extern "C++"

#endif
