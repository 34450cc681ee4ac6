// Threads that return before others of their block come to a barrier: CUDA counts them as having
// come. The block's last threads do, some in the middle, after one barrier, in a branch that does
// more; with declarations on both sides of barriers, of all the kinds that there are.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

enum mode { PLAIN, TWICE };
struct pair { int a, b; };

__global__ void neighbours(const int *in, int *out, int n, int rounds) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int me = threadIdx.x;

    s[me] = in[i];
    int half = in[i] / 2; // is used behind the barrier
    __syncthreads();

    unsigned int z = s[me ^ 1];
    for (int r = 0; r < rounds; r++) {
        const int mine = s[me] + r;
        __syncthreads();
        s[me] = mine;
        if (mine % 3 == 0) {
            z += mine;
        }
        __syncthreads();
    }
    const auto last = in[i];
    __syncthreads();
    out[i] = z + half + last;
}

// The bounds in two steps, and a branch that does something else.
__global__ void picks(int *p, int w, int h, mode m) {
    __shared__ int s[64];
    int x = threadIdx.x;
    if (x >= w) {
        return;
    }
    int y = blockIdx.x;
    if (y + x >= h) return;
    else if (x % 7 == 3) {
        p[y * w + x] = -1;
        return;
    }
    int *mine = p + y * w;
    pair both = {x, y};
    const mode own = m == TWICE ? TWICE : PLAIN;
    s[x] = mine[x];
    __syncthreads();
    mine[x] = s[x == 0 ? 0 : x - 1 - ((x - 1) % 7 == 3)] * (own == TWICE ? 2 : 1) + both.a - both.b;
}

// Some leave behind the first barrier; what the others do in between has braces, pragmas, loops.
template <int N> __global__ void sums(const int *in, long *out, int n) {
    __shared__ long s[N];
    int i = blockIdx.x * N + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (threadIdx.x >= N / 2) return;
#pragma unroll
    for (int k = 0; k < 1; k++) {
        s[threadIdx.x] += s[threadIdx.x + N / 2];
    }
    for (int step = N / 4; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            s[threadIdx.x] += s[threadIdx.x + step];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// All of a block take the branch with the barrier, or none.
__global__ void tiled(const float *a, float *out, int n, int tiles, bool twice) {
    __shared__ float tile[32];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x;
    if (n <= 0) return;
    if (x >= n)
        return;
    float sum = 0;
    int t;
    for (t = 0; t < tiles; t++) {
        float v = a[t * n + x];
        tile[lane] = v;
        if (twice) {
            __syncthreads();
            tile[lane] *= 2;
        }
        __syncthreads();
        const int count = min(32, n - (int)(blockIdx.x * 32));
        for (int k = 0; k < count; k++) {
            if (k == 5) continue;
            sum += tile[k];
        }
        __syncthreads();
    }
    out[x] = sum;
}

// A branch with barriers in it, which the threads behind the end do not take.
__global__ void inside(const int *in, int *out, int n) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = 0;
    if (i < n) {
        s[threadIdx.x] = in[i];
        int half = in[i] / 2;
        __syncthreads();
        other = s[threadIdx.x ^ 1] + half;
        for (int r = 0; r < 3; r++) {
            int t = s[threadIdx.x];
            __syncthreads();
            s[threadIdx.x] = t + 1;
            __syncthreads();
        }
        out[i] = s[threadIdx.x] + other;
    }
    if (i < 3) out[i]++;
}

int main() {
    const int n = 150, rounds = 5;
    bool good = true;
    int *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 256; i++) in[i] = i * 13 % 50, out[i] = -5;
    neighbours<<<3, 64>>>(in, out, n, rounds);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        int z = in[i ^ 1], mine = in[i];
        for (int r = 0; r < rounds; r++) {
            mine += r;
            if (mine % 3 == 0) z += mine;
        }
        good &= out[i] == z + in[i] / 2 + in[i];
    }
    for (int i = n; i < 192; i++) good &= out[i] == -5;
    if (!good) printf("neighbours\n");

    inside<<<3, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        const int want = in[i] + 3 + in[i ^ 1] + in[i] / 2 + (i < 3);
        if (out[i] != want) printf("inside %d: %d, not %d\n", i, out[i], want), good = false;
    }

    const int w = 40, h = 30;
    std::vector<int> before(3 * w);
    for (int i = 0; i < 3 * w; i++) before[i] = out[i] = i * 7 % 23;
    picks<<<3, 64>>>(out, w, h, TWICE);
    cudaDeviceSynchronize();
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < w; x++) {
            const int got = out[y * w + x], was = before[y * w + x];
            const int from = x == 0 ? 0 : x - 1 - ((x - 1) % 7 == 3);
            const int want = y + x >= h ? was
                             : x % 7 == 3 ? -1
                                          : before[y * w + from] * 2 + x - y;
            if (got != want) printf("picks %d %d: %d, not %d\n", x, y, got, want), good = false;
        }

    long *total;
    cudaMallocManaged(&total, 3 * sizeof(long));
    sums<64><<<3, 64>>>(in, total, n);
    cudaDeviceSynchronize();
    for (int b = 0; b < 3; b++) {
        long want = 0;
        for (int i = b * 64; i < n && i < b * 64 + 64; i++) want += in[i];
        if (total[b] != want) printf("sums %d: %ld, not %ld\n", b, total[b], want), good = false;
    }

    float *a, *b;
    const int m = 70, tiles = 3;
    cudaMallocManaged(&a, m * tiles * sizeof(float));
    cudaMallocManaged(&b, 96 * sizeof(float));
    for (int i = 0; i < m * tiles; i++) a[i] = i % 11;
    for (int twice = 0; twice < 2; twice++) {
        tiled<<<3, 32>>>(a, b, m, tiles, twice);
        cudaDeviceSynchronize();
        for (int x = 0; x < m; x++) {
            float want = 0;
            const int block = x / 32 * 32;
            for (int t = 0; t < tiles; t++)
                for (int k = block; k < block + 32 && k < m; k++)
                    if (k - block != 5) want += a[t * m + k] * (1 + twice);
            if (b[x] != want) printf("tiled %d: %g, not %g\n", x, b[x], want), good = false;
        }
    }
    printf(good ? "PASS\n" : "FAIL\n");
    return !good;
}
