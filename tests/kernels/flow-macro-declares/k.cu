// A macro declares the variable that the kernel goes on with.
#define THREAD_INDEX(i) const int i = blockIdx.x * blockDim.x + threadIdx.x

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    THREAD_INDEX(i);
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[blockDim.x - 1 - threadIdx.x];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
