// Cooperative groups' own collectives: reduce and scans over tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void collect(const int *in, int *sum, int *top, int *running, int *before) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = cg::reduce(tile, in[i], cg::plus<int>());
    top[i] = cg::reduce(tile, in[i], cg::greater<int>());
    running[i] = cg::inclusive_scan(tile, in[i], cg::plus<int>());
    before[i] = cg::exclusive_scan(tile, in[i]);
}

int main() {
    const int n = 256;
    std::vector<int> in(n), out(4 * n);
    for (int i = 0; i < n; i++) in[i] = (i * 37 + 11) % 64 - 20;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, 4 * n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    collect<<<2, 128>>>(d_in, d_out, d_out + n, d_out + 2 * n, d_out + 3 * n);
    cudaMemcpy(out.data(), d_out, 4 * n * sizeof(int), cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        int sum = 0, top = -1000, running = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) {
            sum += in[j];
            if (in[j] > top) top = in[j];
            if (j <= i) running += in[j];
        }
        good = good && out[i] == sum && out[n + i] == top && out[2 * n + i] == running &&
               out[3 * n + i] == running - in[i];
    }
    cudaFree(d_in);
    cudaFree(d_out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
