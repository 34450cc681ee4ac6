// Shuffles and votes stand in conditions of if, while, for and ?:.
__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x] % 4, n = 0;
    if (__shfl_sync(~0u, v, 0) > 1) n += 100;
    while (__any_sync(~0u, v > 0)) {
        if (v > 0) v--;
        n++;
    }
    for (int i = 0; i < __shfl_sync(~0u, in[threadIdx.x] % 3, 0); i++) n += 10;
    out[threadIdx.x] = __all_sync(~0u, n >= 0) ? n : -1;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
