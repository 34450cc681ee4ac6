// An operator of a class writes its right operand.
struct Reader {
    __device__ const Reader &operator>>(int &to) const {
        to = threadIdx.x / warpSize;
        return *this;
    }
};

__global__ void k(int *out, const int *in) {
    int warp = 0;
    Reader reader;
    reader >> warp;
    int v = in[threadIdx.x];
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
