// __match_any_sync, __reduce_add_sync, __shfl_up_sync with a width.
__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    unsigned long long same = __match_any_sync(~0u, v % 3);
    unsigned sum = __reduce_add_sync(~0u, unsigned(v));
    int before = __shfl_up_sync(~0u, v, 1, 8);
    out[threadIdx.x] = __popcll(same) + int(sum) + before;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
