// target: musa
// select: cuda-silent,cuda-ptx
// The same hazards where a warp may have 128 lanes.
#include <cuda_runtime.h>

// want: cuda-silent/warp-size-constant
static constexpr int THREADS_PER_WARP = 32;

__device__ int count(bool p) {
    // want: cuda-silent/warp-arithmetic
    int lane = threadIdx.x % 32;
    // want: cuda-silent/lane-mask
    unsigned mask = __ballot_sync(0xffffffff, p);
    // want: cuda-silent/lane-shift, cuda-silent/mask-bits
    return __popc(mask & ((1u << lane) - 1));
}

// want: cuda-silent/device-guard
#ifdef __CUDA_ARCH__
#define ON_DEVICE
#endif
// want: cuda-silent/cuda-version
#if CUDA_VERSION >= 12000
#endif
