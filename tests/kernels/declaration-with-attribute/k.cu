// A variable with an attribute in front of its type lives across an operation of a warp.
__global__ void k(int *out, const int *in) {
    [[maybe_unused]] long long v = in[threadIdx.x];
    int other = __shfl_xor_sync(~0u, int(v), 1);
    [[maybe_unused]] int sum = v + other;
    __syncthreads();
    out[threadIdx.x] = sum;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
