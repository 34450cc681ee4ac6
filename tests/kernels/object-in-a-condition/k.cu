// Objects that conditions declare: in front of a semicolon, and as the condition.
struct Tile {
    int warp;
    __device__ Tile() : warp(threadIdx.x / warpSize) {}
    __device__ explicit operator bool() const { return warp == 1; }
};

__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    if (Tile t; t.warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    if (Tile t{}) v += __shfl_xor_sync(~0u, in[threadIdx.x], 2);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
