// target: rocm
// select: cuda-silent,cuda-ptx
// The other hazards in less common clothes.
#include <cuda_runtime.h>

// want: cuda-silent/device-guard
#if defined(__CUDA_ARCH__) // device pass
#define PASS 1
#endif
// want: cuda-silent/device-guard
#if (defined(__CUDA_ARCH__))
#define PAREN 1
#endif
// want: cuda-silent/arch-number
#if __CUDA_ARCH__ / 10 >= 80
#define DIVIDED 1
#endif
// want: cuda-silent/arch-number
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ + 0 >= 750)
#define ADDED 1
#endif
// want: cuda-silent/arch-number
#define AT_LEAST_SM80 (__CUDA_ARCH__ >= 800)
// want: cuda-silent/cuda-version
#if !defined(CUDA_VERSION) || CUDA_VERSION < 11030
#define OLD 1
#endif
// want: cuda-silent/cuda-version
#if (CUDA_VERSION / 1000) >= 12
#define TWELVE 1
#endif
// want: cuda-silent/cuda-version-old
#if 11000 <= CUDART_VERSION
#define ELEVEN 1
#endif
// ok: cuda-silent/cuda-version
#ifdef CUDA_VERSION
#define HAS_CUDA 1
#endif

int level(const cudaDeviceProp &prop) {
    // want: cuda-silent/capability
    switch (prop.major) {
    case 8:
        return 1;
    }
    // want: cuda-silent/capability
    const int cc = prop.major * 100 + prop.minor * 10;
    // want: cuda-silent/capability
    if (8 <= prop.major) return cc;
    // ok: cuda-silent/capability
    return prop.clockRate >= 8;
}

void launches(float *x, int n, cudaStream_t s) {
    const size_t bytes = 72 * 1024;
    // want: cuda-silent/shared-memory
    work<<<n, 128, bytes, s>>>(x);
    // want: cuda-silent/shared-memory
    work<<<n, 128, sizeof(double) * 16384>>>(x);
    // want: cuda-silent/shared-memory
    work<float><<<dim3(n, 2), 128, 65540>>>(x);
    size_t grows = 1024;
    grows *= 100;
    // ok: cuda-silent/shared-memory
    work<<<n, 128, grows, s>>>(x);
    // want: cuda-silent/launch-size
    work<<<4194304, dim3(32, 32)>>>(x);
    // want: cuda-silent/launch-size
    hipLaunchKernelGGL(work, dim3(1 << 24), dim3(1024), 0, 0, x);
    // ok: cuda-silent/launch-size
    work<<<4194303, dim3(32, 32)>>>(x);
}

__device__ void reductions(float *sdata, unsigned tid, int blockSize) {
    volatile float *vs = sdata;
    if (tid < 32) {
        if (blockSize >= 64) {
            // want: cuda-silent/warp-synchronous
            vs[tid] += vs[tid + 32];
        }
        if (blockSize >= 32) {
            vs[tid] += vs[tid + 16];
        }
    }
}

__device__ void more(volatile double *s, int i) {
    // want: cuda-silent/warp-synchronous
    s[i] = s[i] + s[i + 32];
    s[i] = s[i] + s[i + 16];
}

__device__ unsigned smid() {
    unsigned id;
    // want: cuda-ptx/inline
    asm volatile("mov.u32 %0, %smid;" : "=r"(id));
    // want: cuda-ptx/inline
    asm("{\n\t.reg .u32 t;\n\tmov.u32 t, %%warpid;\n\tmov.u32 %0, t;\n\t}" : "=r"(id));
    // want: cuda-ptx/inline
    asm volatile("nanosleep.u32 %0;" ::"r"(100));
    // ok: cuda-ptx/inline
    return id; // asm("trap;")
}

// want: cuda-silent/float8
__device__ float decode(__nv_fp8_storage_t x) { return __half2float(__nv_cvt_fp8_to_halfraw(x, __NV_E4M3)); }

// want: cuda-silent/managed-memory
__device__ __managed__ int shared_counter;

namespace groups = cooperative_groups;
__device__ int total(groups::thread_block_tile<16> t, int v) {
    // want: cuda-silent/cooperative-groups
    return groups::reduce(t, v, groups::plus<int>());
}

template <typename T> struct Sum {
    // want: cuda-silent/cub-warp
    typedef cub::WarpReduce<T> Reduce;
    // ok: cuda-silent/cub-warp
    typedef cub::WarpReduce<T, 8> Small;
};

using namespace cooperative_groups;
__device__ int with_using(thread_block_tile<32> t, int v) {
    // want: cuda-silent/cooperative-groups
    return reduce(t, v, plus<int>());
}

bool names(const hipDeviceProp_t &p) {
    std::string arch = p.gcnArchName;
    // want: cuda-silent/arch-name
    return arch == "gfx90a";
}
