// A class whose member initialisers read threadIdx: no constructor is written at all.
struct Tile {
    int warp = threadIdx.x / warpSize;
    bool first = warp == 0;
};

__global__ void k(int *out, const int *in) {
    Tile t;
    int v = in[threadIdx.x];
    if (t.first) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
