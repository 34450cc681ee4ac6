// A method for both sides that asks on which it is: kernels get the device's branch.
struct Histogram {
    int *bins;
    __host__ __device__ int add(int b) {
#ifdef __CUDA_ARCH__
        return atomicAdd(bins + b, 1) * 0 + 1;
#else
        bins[b] += 1;
        return 2;
#endif
    }
};

__global__ void k(int *out, const int *in) {
    __shared__ int bins[4];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    Histogram h{bins};
    int side = h.add(in[threadIdx.x] % 4);
    __syncthreads();
    out[threadIdx.x] = bins[in[threadIdx.x] % 4] * 10 + side;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
