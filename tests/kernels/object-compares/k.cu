// operator< reads threadIdx; both operands look the same for all threads.
struct Limit {
    int n;
    __device__ bool operator<(const Limit &o) const { return n + int(threadIdx.x) / warpSize < o.n; }
};

__global__ void k(int *out, const int *in) {
    Limit a{0}, b{1};
    int v = in[threadIdx.x];
    if (a < b) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
