// An inner variable of the same name; members and labels of that name.
struct Box {
    int warp;
};

__global__ void k(int *out, const int *in) {
    int warp = 0;
    {
        int warp = threadIdx.x / warpSize;
        Box box = {warp};
        box.warp = threadIdx.x / warpSize + 1;
    }
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
