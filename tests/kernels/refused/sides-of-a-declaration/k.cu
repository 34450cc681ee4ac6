// What a variable is, and a part of an expression, is something else for kernels.
__host__ __device__ float scaled(float a) {
#ifdef __CUDA_ARCH__
    const float by = __frcp_rn(a);
#else
    const float by = 1 / a;
#endif
    return a * by;
}

__global__ void k(int *out, const int *in) { out[threadIdx.x] = (int)scaled(2); }

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
