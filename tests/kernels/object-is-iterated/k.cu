// A range whose begin() and end() read threadIdx.
struct Steps {
    int n;
    struct Iterator {
        int i;
        __device__ int operator*() const { return i; }
        __device__ void operator++() { i++; }
        __device__ bool operator!=(const Iterator &o) const { return i != o.i; }
    };
    __device__ Iterator begin() const { return {0}; }
    __device__ Iterator end() const { return {n + int(threadIdx.x) / warpSize}; }
};

__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    for (int i : Steps{1}) v += (i + 1) * __shfl_xor_sync(~0u, in[threadIdx.x], 1);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
