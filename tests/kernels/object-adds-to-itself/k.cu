// operator+= and a conversion to int.
struct Count {
    int n = 0;
    __device__ Count &operator+=(int k) {
        n += k + threadIdx.x / warpSize;
        return *this;
    }
    __device__ operator int() const { return n; }
};

__global__ void k(int *out, const int *in) {
    Count c;
    c += 1;
    c += 1;
    int v = in[threadIdx.x];
    for (int i = 0; i < c; i++) v += __shfl_xor_sync(~0u, in[threadIdx.x], 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
