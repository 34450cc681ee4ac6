// A local class and a local alias in a kernel that is cut.
__global__ void k(int *out, const int *in) {
    struct Mine {
        int t = threadIdx.x;
        __device__ int twice() const { return 2 * t + threadIdx.x; }
    };
    using number = int;
    __shared__ number s[256];
    Mine mine;
    s[threadIdx.x] = mine.twice();
    __syncthreads();
    number v = s[blockDim.x - 1 - threadIdx.x];
    out[threadIdx.x] = v + mine.t;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
