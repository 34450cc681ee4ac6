// The type of the object is a template's parameter.
struct Here {
    int warp;
    __device__ Here() { warp = threadIdx.x / warpSize; }
};

template <class Where> __global__ void k(int *out, const int *in) {
    Where w{};
    int v = in[threadIdx.x];
    if (w.warp == 1) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<Here><<<1, threads>>>(out, in); }
