// A function that calls itself, with a barrier in each call.
__device__ int down(int *s, int depth) {
    if (depth == 0) return s[threadIdx.x];
    s[threadIdx.x] += depth;
    __syncthreads();
    int got = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return got + down(s, depth - 1);
}

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = down(s, 2);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
