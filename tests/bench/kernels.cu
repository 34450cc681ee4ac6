// Six kernels, timed: tests/bench_runtime.sh ports them to the CPU, and to HIP for HIP-CPU. A line
// of each: its name, and the median of several runs in milliseconds; the argument says of how many.
// With -DPROCESSOR_TIME the processor's time is counted, for tests/bench_watched.sh.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>
#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void sum(const float *in, float *out, int n) {
    __shared__ float s[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (tid < k) s[tid] += s[tid + k];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = s[0];
}

#define TILE 16
__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float v = 0.0f;
    for (int t = 0; t < n / TILE; t++) {
        sa[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++) v += sa[threadIdx.y][k] * sb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = v;
}

__global__ void bodies(const float4 *p, float4 *f, int n) {
    __shared__ float4 s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int tile = 0; tile < n; tile += blockDim.x) {
        s[threadIdx.x] = p[tile + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
            float r = dx * dx + dy * dy + dz * dz + 0.01f;
            float inverse = 1.0f / sqrtf(r);
            float w = s[j].w * inverse * inverse * inverse;
            x += dx * w;
            y += dy * w;
            z += dz * w;
        }
        __syncthreads();
    }
    f[i] = make_float4(x, y, z, 0.0f);
}

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void histogram(const unsigned char *in, unsigned int *out, int n) {
    __shared__ unsigned int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s[in[i]], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}

__global__ void nothing() {}

static int runs = 9;

static double now() {
#ifdef PROCESSOR_TIME
    return (double)clock() / CLOCKS_PER_SEC;
#else
    const std::chrono::duration<double> d = std::chrono::steady_clock::now().time_since_epoch();
    return d.count();
#endif
}

template <class F> static void time(const char *name, F f) {
    std::vector<double> took;
    f();
    cudaDeviceSynchronize();
    for (int i = 0; i < runs; i++) {
        const double start = now();
        f();
        cudaDeviceSynchronize();
        took.push_back(now() - start);
    }
    std::sort(took.begin(), took.end());
    printf("%s %.4f\n", name, took[took.size() / 2] * 1e3);
}

int main(int argc, char **argv) {
    if (argc > 1) runs = std::atoi(argv[1]);
    const int n = 1 << 22, m = 256, w = 1024, stars = 4096;
    float *a, *b, *c;
    float4 *p;
    unsigned char *bytes;
    unsigned int *counts;
    cudaMallocManaged((void **)&a, n * sizeof(float));
    cudaMallocManaged((void **)&b, n * sizeof(float));
    cudaMallocManaged((void **)&c, n * sizeof(float));
    cudaMallocManaged((void **)&p, stars * sizeof(float4));
    cudaMallocManaged((void **)&bytes, n);
    cudaMallocManaged((void **)&counts, 256 * sizeof(unsigned int));
    for (int i = 0; i < n; i++) {
        a[i] = i % 7, b[i] = i % 5, c[i] = 0;
        bytes[i] = i * 2654435761u >> 24;
    }
    for (int i = 0; i < stars; i++) p[i] = make_float4(i % 16, i / 16 % 16, i / 256, 1.0f);
    for (int i = 0; i < 256; i++) counts[i] = 0;
    time("vector-add", [&] { add<<<n / 256, 256>>>(a, b, c, n); });
    time("reduction", [&] { sum<<<n / 256, 256>>>(a, c, n); });
    const dim3 tiles(m / TILE, m / TILE), squares(w / 32, w / 32);
    time("matmul", [&] { multiply<<<tiles, dim3(TILE, TILE)>>>(a, b, c, m); });
    time("n-body", [&] { bodies<<<stars / 256, 256>>>(p, (float4 *)c, stars); });
    time("transpose", [&] { transpose<<<squares, dim3(32, 8)>>>(a, c, w); });
    time("histogram", [&] { histogram<<<64, 256>>>(bytes, counts, n); });
    time("launch-1000", [&] {
        for (int i = 0; i < 1000; i++) nothing<<<1, 1>>>();
    });
    return 0;
}
