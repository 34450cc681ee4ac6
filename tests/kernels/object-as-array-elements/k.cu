// An array of objects, each constructed by each thread.
struct Id {
    int w;
    __device__ Id() : w(threadIdx.x / warpSize) {}
};

__global__ void k(int *out, const int *in) {
    Id ids[3];
    int v = in[threadIdx.x];
    if (ids[1].w == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + ids[2].w;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
