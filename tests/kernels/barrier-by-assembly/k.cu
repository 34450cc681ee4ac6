// A barrier is written as a call through parentheses, and with a scope.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    (__syncthreads)();
    int v = s[blockDim.x - 1 - threadIdx.x];
    ::__syncthreads();
    s[threadIdx.x] = v;
    __syncthreads(), v++;
    out[threadIdx.x] = s[0] + v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
