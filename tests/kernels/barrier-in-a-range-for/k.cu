// A range-for over a local array, with a barrier in its body.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    const int by[] = {1, 2, 3};
    int v = in[threadIdx.x];
    for (auto step : by) {
        s[threadIdx.x] = v;
        __syncthreads();
        v += step * s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    }
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
