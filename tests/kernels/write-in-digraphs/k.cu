// Digraphs for braces and brackets.
__global__ void k(int *out, const int *in) {
    int few<:2:> = <%0, 3%>;
    few<:0:> = threadIdx.x / warpSize;
    int warp = few<:0:>;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
