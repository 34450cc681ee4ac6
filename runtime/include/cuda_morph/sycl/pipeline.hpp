// SPDX-License-Identifier: Apache-2.0
// CUDA's copies into shared memory that go on meanwhile: here each is made at once, by the
// work-item that asks for it, so that waiting for it waits for nothing. Sharing it takes the
// barrier that programs write behind the wait.
#ifndef CUDA_MORPH_SYCL_PIPELINE_HPP
#define CUDA_MORPH_SYCL_PIPELINE_HPP

extern "C++" { // it may be included within extern "C"

#include <cstddef>

inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t size,
                                    std::size_t zeros = 0) {
    char *out = static_cast<char *>(to);
    const char *in = static_cast<const char *>(from);
    for (std::size_t i = 0; i < size; i++) out[i] = i < size - zeros ? in[i] : 0;
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}

} // extern "C++"

#endif
