// CUDA's own classes: a dim3, a copy of threadIdx, an int2 whose element is written.
__global__ void k(int *out, const int *in) {
    dim3 d(threadIdx.x / warpSize, 2);
    uint3 me = threadIdx;
    int2 p = make_int2(0, 0);
    p.y = d.x;
    int v = in[threadIdx.x];
    if (d.x == 0) v += __shfl_xor_sync(~0u, v, 1);
    if (me.x < 2 * warpSize) v += __shfl_xor_sync(~0u, in[threadIdx.x], 2);
    if (p.y == 1) v += __shfl_xor_sync(~0u, in[threadIdx.x], 4);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
