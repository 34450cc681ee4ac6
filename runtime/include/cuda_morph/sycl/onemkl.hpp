// SPDX-License-Identifier: Apache-2.0
// oneMKL, or oneMath where that is what is there, and how its calls get into a stream.
#ifndef CUDA_MORPH_SYCL_ONEMKL_HPP
#define CUDA_MORPH_SYCL_ONEMKL_HPP

#include <cuda_morph/sycl.hpp>
#if __has_include(<oneapi/math.hpp>)
#include <oneapi/math.hpp>
namespace cm {
namespace mkl = oneapi::math;
}
#else
#include <oneapi/mkl.hpp>
namespace cm {
namespace mkl = oneapi::mkl;
}
#endif

namespace cm {
namespace onemkl {
using events = std::vector<sycl::event>;

// Puts a call of the library's into a stream: it gets that, or its queue, and what to wait for.
template <class Call> cmError_t put(cmStream_t stream, Call call) {
    return cm::detail::guarded([&]() -> cmError_t {
        cm::detail::runtime &all = cm::detail::runtime::get();
        const std::lock_guard<std::recursive_mutex> hold(all.lock);
        cmStream_st *s = all.stream(stream);
        if (!s) return cmErrorInvalidResourceHandle;
        if (s->capture)
            s->capture->capture([=](cmStream_t into) { return put(into, call); });
        else if constexpr (std::is_invocable_v<Call, cmStream_st &, events>)
            s->last = call(*s, all.before(s));
        else
            s->last = call(s->queue, all.before(s));
        return cmSuccess;
    });
}

} // namespace onemkl
} // namespace cm

#endif
