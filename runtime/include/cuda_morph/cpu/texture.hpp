// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects of kernels on the CPU: what texture.hpp reads.
#ifndef CUDA_MORPH_CPU_TEXTURE_HPP
#define CUDA_MORPH_CPU_TEXTURE_HPP

#include <cuda_morph/cpu/kernel.hpp>

namespace cm {
namespace detail {

// What an object stands for. Looking it up takes a lock, so the last answer is kept: objects are
// numbered anew each time, and an old number is never given again.
inline const cmTexture *texture_of(unsigned long long object) {
    static thread_local unsigned long long known = 0;
    static thread_local const cmTexture *texture = nullptr;
    if (object != known || !texture) texture = cmKernelTexture(known = object);
    return texture;
}

} // namespace detail
} // namespace cm

#include <cuda_morph/texture.hpp>

#endif
