/* SPDX-License-Identifier: Apache-2.0 */
// cuda::pipeline and the __pipeline_ functions: a copy into shared memory is made at once, by the
// thread that asks for it, so that waiting for it waits for nothing; sharing it takes the barrier
// that CUDA programs write behind the wait, or that a shared pipeline's wait is.
#ifndef CUDA_MORPH_PIPELINE_H
#define CUDA_MORPH_PIPELINE_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/barrier.h>

inline void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    memcpy(to, from, size - zeros);
    memset(static_cast<char *>(to) + (size - zeros), 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}

namespace cuda {

enum class pipeline_role { producer, consumer };
template <thread_scope Scope, unsigned Stages> struct pipeline_shared_state {};

template <thread_scope Scope> class pipeline {
  public:
    void producer_acquire() {}
    void producer_commit() {}
    void consumer_wait() { meet(); }
    void consumer_release() { meet(); }
    template <class D> bool consumer_wait_for(const D &) { return meet(), true; }
    bool quit() { return true; }

  private:
    void meet() {
        if (Scope == thread_scope_block) __syncthreads();
    }
};
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope Scope, unsigned Stages, class... More>
inline pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *,
                                     More...) {
    return {};
}
template <unsigned, thread_scope Scope>
inline void pipeline_consumer_wait_prior(pipeline<Scope> &p) {
    p.consumer_wait();
}

template <class T, class Size, thread_scope Scope>
inline void memcpy_async(T *to, const T *from, Size size, pipeline<Scope> &) {
    memcpy(static_cast<void *>(to), from, size_t(size));
}
template <class Group, class T, class Size, thread_scope Scope>
inline void memcpy_async(const Group &group, T *to, const T *from, Size size, pipeline<Scope> &) {
    cooperative_groups::memcpy_async(group, static_cast<void *>(to),
                                     static_cast<const void *>(from), size_t(size));
}

} // namespace cuda

} // extern "C++"

#endif
