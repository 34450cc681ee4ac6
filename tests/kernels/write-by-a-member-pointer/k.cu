// A pointer to a member chooses what is written.
struct Pair {
    int a, b;
};

__global__ void k(int *out, const int *in) {
    Pair pair = {0, 9};
    int Pair::*which = &Pair::a;
    pair.*which = threadIdx.x / warpSize;
    int warp = pair.a;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + pair.b;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
