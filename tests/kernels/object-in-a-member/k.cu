// The object that differs lies in another that does nothing by itself.
struct Inner {
    int warp;
    __device__ Inner() : warp(threadIdx.x / warpSize) {}
};
struct Outer {
    int plain;
    Inner inner;
};

__global__ void k(int *out, const int *in) {
    Outer o{2};
    int v = in[threadIdx.x];
    while (o.inner.warp < o.plain) {
        v += __shfl_xor_sync(~0u, in[threadIdx.x], 1);
        o.plain--;
    }
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
