// Names of the program's own that look like CUDA's: they are not CUDA's and stay what they are.
// In prose, cudaMalloc and cudaMemcpy stay as well.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

#define CUDA_ENABLED 1
#define cudaSafe(call) checkCall((call), #call)
#define MY_cudaMalloc_COUNT 2

namespace app {
struct Session {
    int cudaStream_t = 5; // a member may be called so
    int cudaFree() const { return cudaStream_t + 1; }
};
static int cudaMemGetInfo(int x) { return x + 2; }
} // namespace app

static int mycudaMalloc(int n) { return n * MY_cudaMalloc_COUNT; }
static int cudaErrors = 0;

static void checkCall(cudaError_t result, const char *text) {
    if (result != cudaSuccess) {
        cudaErrors++;
        fprintf(stderr, "%s: cudaGetLastError() says %s\n", text, cudaGetErrorString(result));
    }
}

struct Launcher {
    int operator<<(int x) const { return x; }
};

__global__ void kernelUser(int *p, int a, int b) { *p = a << b >> 1 >> (a > b); }

int main() {
    app::Session session;
    bool good = session.cudaFree() == 6 && app::cudaMemGetInfo(1) == 3 && mycudaMalloc(3) == 6;
    int *p, result = 0;
    cudaSafe(cudaMalloc(&p, sizeof(int)));
    kernelUser<<<1, (2 > 1) ? 1 : 2>>>(p, 8, 2);
    cudaSafe(cudaMemcpy(&result, p, sizeof(int), cudaMemcpyDeviceToHost));
    cudaSafe(cudaFree(p));
    const char *text = "cudaMalloc(&p, n); kernel<<<1, 2>>>(); // \"cudaFree\"";
    const char *raw = R"(cudaMemcpy(a, b, c, cudaMemcpyHostToDevice))";
    good = good && strlen(text) == 52 && raw[4] == 'M' && CUDA_ENABLED;
    good = good && (Launcher() << 3) == 3 && result == 8 && cudaErrors == 0;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
