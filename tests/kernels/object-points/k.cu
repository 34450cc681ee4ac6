// operator-> and operator* of a class that stands for a pointer.
struct Pair {
    int a, b;
};
struct Pointer {
    Pair *p;
    __device__ Pair *operator->() const { return p + threadIdx.x / warpSize; }
    __device__ Pair &operator*() const { return p[threadIdx.x / warpSize]; }
};

__global__ void k(int *out, const int *in) {
    __shared__ Pair pairs[8];
    if (threadIdx.x == 0)
        for (int i = 0; i < 8; i++) pairs[i] = Pair{i, 10 * i};
    __syncthreads();
    Pointer p{pairs};
    int v = in[threadIdx.x];
    if (p->a == 1) v += __shfl_xor_sync(~0u, v, 1);
    if ((*p).b == 10) v += __shfl_xor_sync(~0u, in[threadIdx.x], 2);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
