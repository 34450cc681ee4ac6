// Sums in four ways: static and dynamic shared memory, shuffles, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <stdio.h>

namespace cg = cooperative_groups;

template <int Block> __global__ void tree(const int *in, int *out, int n) {
    __shared__ int s[Block];
    int i = blockIdx.x * Block + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = Block / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, s[0]);
}

template <class T> __global__ void dynamic(const T *in, T *out, int n) {
    extern __shared__ int s[];
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (int t = 1; t < blockDim.x; t++) s[0] += s[t];
    atomicAdd(out, s[0]);
}

__global__ void shuffled(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

__global__ void grouped(const int *in, int *out, int n) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(out, sum);
}

int main() {
    const int n = 20011, blocks = (n + 127) / 128;
    int *in, *out, want = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    for (int i = 0; i < n; i++) want += in[i] = i % 97 - 40;
    cudaMemset(out, 0, 4 * sizeof(int));
    tree<128><<<blocks, 128>>>(in, out, n);
    dynamic<<<7, 64, 64 * sizeof(int)>>>(in, out + 1, n);
    shuffled<<<blocks, dim3(128)>>>(in, out + 2, n);
    grouped<<<blocks, 128>>>(in, out + 3, n);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < 4; i++) good = good && out[i] == want;
    cudaFree(in);
    cudaFree(out);
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
