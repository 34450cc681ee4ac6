// An alias hides that the type is a class; its members bound a loop.
struct Span {
    int begin, end;
    __device__ Span() : begin(threadIdx.x / warpSize), end(4) {}
};
typedef Span range_t;

__global__ void k(int *out, const int *in) {
    range_t r;
    int v = in[threadIdx.x];
    for (int i = r.begin; i < r.end; i++) v += __shfl_xor_sync(~0u, i + 1, 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
