// The constructor that reads threadIdx is the base's.
struct Base {
    int warp;
    __device__ Base() : warp(threadIdx.x / warpSize) {}
};
struct Derived : Base {
    int other = 3;
};

__global__ void k(int *out, const int *in) {
    Derived d;
    int v = in[threadIdx.x] + d.other;
    if (d.warp != 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
