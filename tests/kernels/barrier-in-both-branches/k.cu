// Each branch has its barrier, and all threads take the same one.
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    if (n > 3) {
        __syncthreads();
        out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
    } else {
        __syncthreads();
        out[threadIdx.x] = s[0];
    }
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, threads % 5); }
