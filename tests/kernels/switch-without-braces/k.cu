// The body of a switch is one statement: a barrier.
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    switch (n) default: __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 3); }
