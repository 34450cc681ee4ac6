// SPDX-License-Identifier: Apache-2.0
// loops.cu - kernels beside the plain loops with OpenMP that a programmer would write, turn
// about, in processor time: bench_runtime.sh ports it, and sets the threads of both. A line says
// the milliseconds of either, the first as a multiple of the second, and whether they agree.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>
static const int T = 16;
__global__ void vadd(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void reduce(const float *a, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void transpose(const float *a, float *b, int n) {
    __shared__ float s[T][T + 1];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    if (x < n && y < n) s[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    x = blockIdx.y * T + threadIdx.x;
    y = blockIdx.x * T + threadIdx.y;
    if (x < n && y < n) b[y * n + x] = s[threadIdx.x][threadIdx.y];
}
__global__ void mm_naive(const float *a, const float *b, float *c, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}
__global__ void mm_tiled(const float *a, const float *b, float *c, int n) {
    __shared__ float as[T][T], bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
    float sum = 0;
    for (int m = 0; m < n / T; m++) {
        as[ty][tx] = a[row * n + m * T + tx];
        bs[ty][tx] = b[(m * T + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
__global__ void stencil(const float *a, float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        b[y * n + x] = 0.2f * (a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] +
                               a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}
__global__ void histogram(const unsigned char *a, unsigned *h, int n) {
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
__global__ void matvec_col(const float *a, const float *x, float *y,
                           int n) { /* y = A^T x: a thread per column */
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        float sum = 0;
        for (int i = 0; i < n; i++) sum += a[i * n + j] * x[i];
        y[j] = sum;
    }
}
__global__ void matvec_row(const float *a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];
    y[i] = sum;
}
__global__ void mv_mem(const float *a, const float *x, float *y,
                       int n) { /* polybench: sums in memory */
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        y[j] = 0;
        for (int i = 0; i < n; i++) y[j] += a[i * n + j] * x[i];
    }
}
__global__ void nbody(const float4 *p, float4 *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float ax = 0, ay = 0, az = 0;
    float4 me = p[i];
    for (int j = 0; j < n; j++) {
        float4 o = p[j];
        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
        float d = dx * dx + dy * dy + dz * dz + 0.01f;
        float w = o.w / (d * sqrtf(d));
        ax += dx * w;
        ay += dy * w;
        az += dz * w;
    }
    f[i] = make_float4(ax, ay, az, 0);
}
__global__ void scan(const float *a, float *out,
                     int n) { /* of a block's 256, Hillis and Steele's */
    __shared__ float s[2][256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0;
    s[0][t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        s[1 - from][t] = t >= step ? s[from][t] + s[from][t - step] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    if (i < n) out[i] = s[from][t];
}
__global__ void convolution(const float *a, const float *w, float *b, int n) { /* 5 x 5 */
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n - 4 || y >= n - 4) return;
    float sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) sum += w[i * 5 + j] * a[(y + i) * n + x + j];
    b[y * n + x] = sum;
}
__global__ void softmax(const float *a, float *b, int n) { /* a block per row */
    __shared__ float s[256];
    const float *row = a + blockIdx.x * n;
    int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int i = t; i < n; i += blockDim.x) most = fmaxf(most, row[i]);
    s[t] = most;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    most = s[0];
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) sum += expf(row[i] - most);
    s[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) b[blockIdx.x * n + i] = expf(row[i] - most) / s[0];
}
__global__ void spmv(const int *first, const int *column, const float *value, const float *x,
                     float *y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int i = first[row]; i < first[row + 1]; i++) sum += value[i] * x[column[i]];
    y[row] = sum;
}
__global__ void stencil1(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 && i < n - 2)
        b[i] = 0.1f * (a[i - 2] + a[i + 2]) + 0.3f * (a[i - 1] + a[i + 1]) + a[i];
}
__global__ void stencil1_tile(const float *a, float *b, int n) { /* through shared memory */
    __shared__ float s[256 + 4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 2] = a[i];
    if (t < 2) {
        s[t] = i >= 2 ? a[i - 2] : 0;
        s[t + 258] = i + 256 < n ? a[i + 256] : 0;
    }
    __syncthreads();
    if (i >= 2 && i < n - 2)
        b[i] = 0.1f * (s[t] + s[t + 4]) + 0.3f * (s[t + 1] + s[t + 3]) + s[t + 2];
}
__global__ void stencil3(const float *a, float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z, i = (z * n + y) * n + x;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
        b[i] = 0.1f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n]) +
               a[i];
}
static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}
template <class F, class G>
void pair(const char *name, F ours, G plain, const float *got, const float *want, size_t n) {
    double best[2] = {1e30, 1e30};
    for (int r = 0; r < 5; r++) {
        double t = now();
        ours();
        cudaDeviceSynchronize();
        best[0] = std::min(best[0], now() - t);
        t = now();
        plain();
        best[1] = std::min(best[1], now() - t);
    }
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = std::max(worst, (double)std::fabs(got[i] - want[i]) / (1 + std::fabs(want[i])));
    printf("%-12s %9.3f %9.3f ratio %6.2f %s\n", name, best[0], best[1], best[0] / best[1],
           worst < 1e-3 ? "right" : "WRONG");
    fflush(stdout);
}
template <class V> V *mem(size_t n) {
    V *p;
    cudaMallocManaged(&p, n * sizeof(V));
    return p;
}
int main() {
    const int n = 1 << 21, m = 512, M = 2048;
    float *a = mem<float>(M * M), *b = mem<float>(M * M), *c = mem<float>(M * M),
          *w = mem<float>(M * M);
    for (int i = 0; i < M * M; i++) a[i] = (i * 37 % 101) * 0.01f, b[i] = (i * 53 % 97) * 0.01f;
    pair(
        "vadd", [&] { vadd<<<(n + 255) / 256, 256>>>(a, b, c, n); },
        [&] {
#pragma omp parallel for
            for (int i = 0; i < n; i++) w[i] = a[i] + b[i];
        },
        c, w, n);
    pair(
        "reduce", [&] { reduce<<<n / 256, 256>>>(a, c, n); },
        [&] {
#pragma omp parallel for
            for (int k = 0; k < n / 256; k++) {
                float s = 0;
                for (int i = 0; i < 256; i++) s += a[k * 256 + i];
                w[k] = s;
            }
        },
        c, w, n / 256);
    pair(
        "transpose", [&] { transpose<<<dim3(M / T, M / T), dim3(T, T)>>>(a, c, M); },
        [&] {
#pragma omp parallel for
            for (int y = 0; y < M; y++)
                for (int x = 0; x < M; x++) w[y * M + x] = a[x * M + y];
        },
        c, w, M * M);
    pair(
        "mm_naive", [&] { mm_naive<<<dim3(m / T, m / T), dim3(T, T)>>>(a, b, c, m); },
        [&] {
#pragma omp parallel for
            for (int y = 0; y < m; y++) {
                for (int x = 0; x < m; x++) w[y * m + x] = 0;
                for (int k = 0; k < m; k++)
                    for (int x = 0; x < m; x++) w[y * m + x] += a[y * m + k] * b[k * m + x];
            }
        },
        c, w, m * m);
    pair(
        "mm_tiled", [&] { mm_tiled<<<dim3(m / T, m / T), dim3(T, T)>>>(a, b, c, m); },
        [&] {
#pragma omp parallel for
            for (int y = 0; y < m; y++) {
                for (int x = 0; x < m; x++) w[y * m + x] = 0;
                for (int k = 0; k < m; k++)
                    for (int x = 0; x < m; x++) w[y * m + x] += a[y * m + k] * b[k * m + x];
            }
        },
        c, w, m * m);
    for (int i = 0; i < M * M; i++) c[i] = w[i] = 0;
    pair(
        "stencil", [&] { stencil<<<dim3(M / 16, M / 16), dim3(16, 16)>>>(a, c, M); },
        [&] {
#pragma omp parallel for
            for (int y = 1; y < M - 1; y++)
                for (int x = 1; x < M - 1; x++)
                    w[y * M + x] = 0.2f * (a[y * M + x] + a[y * M + x - 1] + a[y * M + x + 1] +
                                           a[(y - 1) * M + x] + a[(y + 1) * M + x]);
        },
        c, w, M * M);
    pair(
        "stencil32x8", [&] { stencil<<<dim3(M / 32, M / 8), dim3(32, 8)>>>(a, c, M); },
        [&] {
#pragma omp parallel for
            for (int y = 1; y < M - 1; y++)
                for (int x = 1; x < M - 1; x++)
                    w[y * M + x] = 0.2f * (a[y * M + x] + a[y * M + x - 1] + a[y * M + x + 1] +
                                           a[(y - 1) * M + x] + a[(y + 1) * M + x]);
        },
        c, w, M * M);
    {
        unsigned *h = mem<unsigned>(256);
        unsigned char *d = mem<unsigned char>(n);
        static unsigned g[256];
        float *hf = mem<float>(256), *gf = mem<float>(256);
        for (int i = 0; i < n; i++) d[i] = (unsigned)i * 2654435761u >> 13;
        pair(
            "histogram",
            [&] {
                for (int i = 0; i < 256; i++) h[i] = 0;
                histogram<<<64, 256>>>(d, h, n);
                cudaDeviceSynchronize();
                for (int i = 0; i < 256; i++) hf[i] = h[i];
            },
            [&] {
                for (auto &x : g) x = 0;
                for (int i = 0; i < n; i++) g[d[i]]++;
                for (int i = 0; i < 256; i++) gf[i] = g[i];
            },
            hf, gf, 256);
    }
    pair(
        "matvec_col", [&] { matvec_col<<<M / 256, 256>>>(a, b, c, M); },
        [&] {
            for (int j = 0; j < M; j++) w[j] = 0;
            for (int i = 0; i < M; i++)
                for (int j = 0; j < M; j++) w[j] += a[i * M + j] * b[i];
        },
        c, w, M);
    pair(
        "mv_mem", [&] { mv_mem<<<M / 256, 256>>>(a, b, c, M); },
        [&] {
            for (int j = 0; j < M; j++) w[j] = 0;
            for (int i = 0; i < M; i++)
                for (int j = 0; j < M; j++) w[j] += a[i * M + j] * b[i];
        },
        c, w, M);
    pair(
        "matvec_row", [&] { matvec_row<<<M / 256, 256>>>(a, b, c, M); },
        [&] {
#pragma omp parallel for
            for (int i = 0; i < M; i++) {
                float s = 0;
                for (int j = 0; j < M; j++) s += a[i * M + j] * b[j];
                w[i] = s;
            }
        },
        c, w, M);
    {
        const int N = 2048;
        float4 *f = (float4 *)c, *g = (float4 *)w, *p = (float4 *)a;
        pair(
            "nbody", [&] { nbody<<<N / 256, 256>>>(p, f, N); },
            [&] {
#pragma omp parallel for
                for (int i = 0; i < N; i++) {
                    float ax = 0, ay = 0, az = 0;
                    float4 me = p[i];
                    for (int j = 0; j < N; j++) {
                        float4 o = p[j];
                        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
                        float d = dx * dx + dy * dy + dz * dz + 0.01f, ww = o.w / (d * sqrtf(d));
                        ax += dx * ww;
                        ay += dy * ww;
                        az += dz * ww;
                    }
                    g[i] = make_float4(ax, ay, az, 0);
                }
            },
            c, w, N * 4);
    }
    for (int i = 0; i < M * M; i++) a[i] = (i * 37 % 101) * 0.01f, c[i] = w[i] = 0;
    pair(
        "scan", [&] { scan<<<n / 256, 256>>>(a, c, n); },
        [&] {
#pragma omp parallel for
            for (int k = 0; k < n / 256; k++) {
                float s = 0;
                for (int i = k * 256; i < k * 256 + 256; i++) w[i] = s += a[i];
            }
        },
        c, w, n);
    pair(
        "convolution", [&] { convolution<<<dim3(M / 32, M / 8), dim3(32, 8)>>>(a, b, c, M); },
        [&] {
#pragma omp parallel for
            for (int y = 0; y < M - 4; y++)
                for (int x = 0; x < M - 4; x++) {
                    float s = 0;
                    for (int i = 0; i < 5; i++)
                        for (int j = 0; j < 5; j++) s += b[i * 5 + j] * a[(y + i) * M + x + j];
                    w[y * M + x] = s;
                }
        },
        c, w, M * (M - 4) - 4);
    pair(
        "softmax", [&] { softmax<<<M, 256>>>(a, c, M); },
        [&] {
#pragma omp parallel for
            for (int y = 0; y < M; y++) {
                const float *row = a + y * M;
                float most = -1e30f, s = 0;
                for (int i = 0; i < M; i++) most = std::max(most, row[i]);
                for (int i = 0; i < M; i++) s += w[y * M + i] = expf(row[i] - most);
                for (int i = 0; i < M; i++) w[y * M + i] /= s;
            }
        },
        c, w, M * M);
    {
        const int rows = 1 << 17;
        int *first = mem<int>(rows + 1), *column = mem<int>(rows * 16);
        for (int i = 0; i <= rows; i++) first[i] = 8 * i + i % 8;
        for (int i = 0; i < first[rows]; i++) column[i] = (unsigned)i * 2654435761u % rows;
        pair(
            "spmv", [&] { spmv<<<rows / 256, 256>>>(first, column, a, b, c, rows); },
            [&] {
#pragma omp parallel for
                for (int r = 0; r < rows; r++) {
                    float s = 0;
                    for (int i = first[r]; i < first[r + 1]; i++) s += a[i] * b[column[i]];
                    w[r] = s;
                }
            },
            c, w, rows);
    }
    auto plain1 = [&] {
#pragma omp parallel for
        for (int i = 2; i < n - 2; i++)
            w[i] = 0.1f * (a[i - 2] + a[i + 2]) + 0.3f * (a[i - 1] + a[i + 1]) + a[i];
    };
    for (int i = 0; i < M * M; i++) c[i] = w[i] = 0;
    pair(
        "stencil1", [&] { stencil1<<<n / 256, 256>>>(a, c, n); }, plain1, c, w, n);
    pair(
        "stencil1_tile", [&] { stencil1_tile<<<n / 256, 256>>>(a, c, n); }, plain1, c, w, n);
    const int C = 128;
    for (int i = 0; i < M * M; i++) c[i] = w[i] = 0;
    pair(
        "stencil3", [&] { stencil3<<<dim3(C / 32, C / 4, C / 2), dim3(32, 4, 2)>>>(a, c, C); },
        [&] {
#pragma omp parallel for
            for (int z = 1; z < C - 1; z++)
                for (int y = 1; y < C - 1; y++)
                    for (int x = 1; x < C - 1; x++) {
                        int i = (z * C + y) * C + x;
                        w[i] = 0.1f * (a[i - 1] + a[i + 1] + a[i - C] + a[i + C] + a[i - C * C] +
                                       a[i + C * C]) +
                               a[i];
                    }
        },
        c, w, C * C * C);
}
