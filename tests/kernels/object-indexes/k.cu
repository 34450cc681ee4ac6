// operator[] reads threadIdx.
struct Table {
    int base;
    __device__ int operator[](int i) const { return base + i + threadIdx.x / warpSize; }
};

__global__ void k(int *out, const int *in) {
    const Table table{1};
    int v = in[threadIdx.x];
    if (table[0] == 2) v += __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
