// A parameter without a name is no variable: its type must not be one for each thread.
typedef long long index_t;
__global__ void k(int *out, const int *in, index_t, index_t /* count */, const unsigned int,
                  index_t n) {
    const index_t offset = blockIdx.z;
    for (index_t i = threadIdx.x; i < n; i += blockDim.x) out[i + offset] = in[i] & 7;
}

void launch(int *out, const int *in, int threads) {
    k<<<1, threads>>>(out, in, 0, 1, 2, threads);
}
