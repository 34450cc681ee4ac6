// threadIdx.x becomes a class as an argument of a call whose template arguments are written.
struct Boxed {
    int v;
    __device__ Boxed(int a) : v(a) {}
};
template <class T> __device__ T opened(Boxed a, T b) { return a.v + b; }
__global__ void k(int *out, const int *in) {
    out[threadIdx.x] = opened<int>(threadIdx.x, in[threadIdx.x]);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
