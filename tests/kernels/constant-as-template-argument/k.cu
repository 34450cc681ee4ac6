// A local constant is an argument of the template that is called.
template <int By> __device__ int exchanged(int v) {
    if (By >= 2) v += __shfl_xor_sync(~0u, v, By);
    return v;
}
template <int N, class T> __device__ T summed(T v) {
    for (int by = 1; by < N; by *= 2) v += __shfl_xor_sync(~0u, v, by);
    return v;
}

__global__ void k(int *out, const int *in) {
    int lane = threadIdx.x % warpSize;
    const int width = 4, half = width / 2;
    constexpr int fixed = 8;
    int v = in[threadIdx.x];
    if (lane >= 0) v = exchanged<half>(v);
    v += exchanged<fixed>(v);
    if (blockDim.x > 0) {
        const int inner = width * 4;
        v += exchanged<inner>(v);
    }
    out[threadIdx.x] = v + summed<width, int>(in[threadIdx.x]) + lane * 0 + width;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
