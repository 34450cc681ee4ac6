// A loop variable of a class: what ends the loop is an operator that reads threadIdx.
struct Trips {
    int i;
    __device__ bool operator!=(int n) const { return i < n + int(threadIdx.x) / warpSize; }
    __device__ Trips &operator++() {
        i++;
        return *this;
    }
};

__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    for (Trips t{0}; t != 2; ++t) v += __shfl_xor_sync(~0u, in[threadIdx.x], 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
