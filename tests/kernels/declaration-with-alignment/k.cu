// alignas in front of a type, in a kernel that is cut.
__global__ void k(int *out, const int *in) {
    alignas(16) int v = in[threadIdx.x];
    int other = __shfl_xor_sync(~0u, v, 1);
    out[threadIdx.x] = v + other;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
