// threadIdx.x goes through two shuffles, of which none is cut in two, and becomes a class.
// threads: 64 256
struct Loud {
    int v;
    __device__ Loud(int a) : v(a) {}
    __device__ operator int() const { return v; }
};
__global__ void k(int *out, const int *in) {
    {
        __syncwarp();
    }
    Loud v = 31;
    v = __shfl_sync(~0u, __shfl_sync(~0u, threadIdx.x, 8), 0);
    out[threadIdx.x] = int(v) + in[threadIdx.x];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
