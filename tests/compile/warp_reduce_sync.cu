// The reductions that sm_80 does in hardware, also over parts of a warp.
// warp 32: masks of 32 bits leave the upper half of a wave out
#include <cuda_runtime.h>
#include <cstdio>

__global__ void reductions(const unsigned *in, unsigned *out) {
    unsigned lane = threadIdx.x % 32, v = in[threadIdx.x];
    const unsigned all = 0xffffffffu;
    unsigned *row = out + threadIdx.x * 7;
    row[0] = __reduce_add_sync(all, v);
    row[1] = __reduce_min_sync(all, v);
    row[2] = __reduce_max_sync(all, v);
    row[3] = __reduce_and_sync(all, v);
    row[4] = __reduce_or_sync(all, v);
    row[5] = __reduce_xor_sync(all, v);
    row[6] = 0;
    if (lane < 12) row[6] = __reduce_add_sync(0xfffu, v);
    __syncwarp();
}

int main() {
    enum { N = 64, ROWS = 7 };
    static unsigned in[N], out[N * ROWS], *d_in, *d_out;
    for (unsigned i = 0; i < N; i++) in[i] = (i * 2654435761u) >> 20 | 0x10000;
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    reductions<<<1, N>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    int wrong = cudaGetLastError() != cudaSuccess;
    for (int w = 0; w < N; w += 32) {
        unsigned e[ROWS] = {0, ~0u, 0, ~0u, 0, 0, 0};
        for (int i = w; i < w + 32; i++) {
            e[0] += in[i];
            if (in[i] < e[1]) e[1] = in[i];
            if (in[i] > e[2]) e[2] = in[i];
            e[3] &= in[i], e[4] |= in[i], e[5] ^= in[i];
            if (i < w + 12) e[6] += in[i];
        }
        for (int i = w; i < w + 32; i++)
            for (int r = 0; r < ROWS; r++)
                wrong += out[i * ROWS + r] != (r == 6 && i >= w + 12 ? 0 : e[r]);
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
