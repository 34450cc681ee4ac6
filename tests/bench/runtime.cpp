// Kernels and launches on the CPU, against plain loops with OpenMP.
#include <algorithm>
#include <chrono>
#include <cuda_morph/cuda.h>
#include <thread>
#include <vector>

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The median of several runs, in seconds.
template <class F> static double median(int runs, F f) {
    std::vector<double> took;
    for (int i = 0; i < runs; i++) {
        const double start = now();
        f();
        took.push_back(now() - start);
    }
    std::sort(took.begin(), took.end());
    return took[runs / 2];
}

__global__ void add(const float *a, const float *b, float *c, int n) CM_EACH_THREAD {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
} CM_END

__global__ void nothing() {}

template <int Block> __global__ void sum(const float *in, float *out) {
    __shared__ float s[Block];
    s[threadIdx.x] = in[blockIdx.x * Block + threadIdx.x];
    __syncthreads();
    for (int k = Block / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <int T> __global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[T][T], sb[T][T];
    const int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float v = 0;
    for (int k = 0; k < n; k += T) {
        sa[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < T; i++) v += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = v;
}

// One that the caches hold, and one that only memory can.
static void vector_add(int n, int times) {
    float *a, *b, *c;
    cmMallocManaged(&a, n * sizeof(float));
    cmMallocManaged(&b, n * sizeof(float));
    cmMallocManaged(&c, n * sizeof(float));
    for (int i = 0; i < n; i++) a[i] = b[i] = c[i] = 1;
    // Turn about, so that both see the same machine. OpenMP's threads watch for more work for some
    // milliseconds and take a core from what is measured meanwhile: they are left to fall asleep,
    // and each side starts with one run that is not counted.
    const auto kernel_once = [=] { cm::launch<add>((n + 255) / 256, 256)(a, b, c, n); };
    const auto loop_once = [=] {
#pragma omp parallel for
        for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    };
    std::vector<double> kernels, loops;
    for (int run = 0; run < 15; run++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        kernel_once();
        cmDeviceSynchronize();
        kernels.push_back(median(1, [&] {
            for (int i = 0; i < times; i++) kernel_once();
            cmDeviceSynchronize();
        }));
        loop_once();
        loops.push_back(median(1, [&] {
            for (int t = 0; t < times; t++) loop_once();
        }));
    }
    std::sort(kernels.begin(), kernels.end());
    std::sort(loops.begin(), loops.end());
    const double kernel = kernels[7] / times, loop = loops[7] / times;
    printf("vector add, %d k floats: kernel %.3f ms, OpenMP loop %.3f ms, ratio %.2f; %.1f GB/s\n",
           n >> 10, kernel * 1e3, loop * 1e3, kernel / loop, 12.0 * n / kernel * 1e-9);
    cmFree(a), cmFree(b), cmFree(c);
}

static void launches() {
    const int many = 2000;
    cmStream_t s;
    cmStreamCreate(&s);
    const double each = median(5, [&] {
        for (int i = 0; i < many; i++) cm::launch<nothing>(1, 1, 0, s)();
        cmStreamSynchronize(s);
    });
    const double waited = median(5, [&] {
        for (int i = 0; i < many; i++) {
            cm::launch<nothing>(1, 1, 0, s)();
            cmStreamSynchronize(s);
        }
    });
    int device;
    const double call = median(5, [&] {
        for (int i = 0; i < many; i++) cmGetDevice(&device);
    });
    char x = 0, y;
    const double copy = median(5, [&] {
        for (int i = 0; i < many; i++) cmMemcpy(&y, &x, 1, cmMemcpyHostToHost);
    });
    printf("launch of one block: %.2f us in a row, %.2f us each with a wait; "
           "cmGetDevice %.0f ns, cmMemcpy of a byte %.0f ns\n",
           each / many * 1e6, waited / many * 1e6, call / many * 1e9, copy / many * 1e9);
    cmStreamDestroy(s);
}

static void barriers() {
    const int n = 1 << 18, m = 256;
    float *a, *b, *c;
    cmMallocManaged(&a, n * sizeof(float));
    cmMallocManaged(&b, n * sizeof(float));
    cmMallocManaged(&c, n * sizeof(float));
    for (int i = 0; i < n; i++) a[i] = b[i] = 1;
    const double tree = median(5, [&] {
        cm::launch<sum<256>>(n / 256, 256)(a, c);
        cmDeviceSynchronize();
    });
    const double tiled = median(5, [&] {
        cm::launch<multiply<16>>(dim3(m / 16, m / 16), dim3(16, 16))(a, b, c, m);
        cmDeviceSynchronize();
    });
    printf("on fibers: block sum %.2f us per block of 256 threads with 9 barriers; "
           "tiled matmul of 256: %.2f ms\n",
           tree / (n / 256) * 1e6, tiled * 1e3);
    cmFree(a), cmFree(b), cmFree(c);
}

int main() {
    vector_add(1 << 18, 20);
    vector_add(1 << 24, 1);
    launches();
    barriers();
    return 0;
}
