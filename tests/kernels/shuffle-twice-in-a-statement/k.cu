// Several operations in one statement, one in the other's operand, and one in its own argument.
__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    int sum = __shfl_xor_sync(~0u, v, 1) + __shfl_xor_sync(~0u, v, 2);
    int far = __shfl_xor_sync(~0u, __shfl_xor_sync(~0u, v, 1), 2);
    v = __shfl_sync(~0u, v, __popc(__ballot_sync(~0u, v < 0)));
    out[threadIdx.x] = sum + 3 * far + v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
