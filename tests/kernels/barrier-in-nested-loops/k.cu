// Breaks of inner and outer loops, of those that all threads leave together.
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[256];
    int v = 0;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = in[threadIdx.x] + i;
        __syncthreads();
        for (int j = 0;; j++) {
            if (j > i) break;
            if (i == 3) break;
            v += s[(threadIdx.x + j) % blockDim.x];
            __syncthreads();
        }
        __syncthreads();
        if (i == 3) break;
    }
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 7); }
