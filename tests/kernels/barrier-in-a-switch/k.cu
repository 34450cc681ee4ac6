// A switch around barriers, the same way for all threads.
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[256];
    int v = in[threadIdx.x];
    switch (n) {
    case 1: v = 0; break;
    case 2:
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[blockDim.x - 1 - threadIdx.x];
        // falls through
    case 3: v++;
    }
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 2); }
