// Host code whose mapping is exact on Ascend and MLU: with --host-api vendor it calls them itself.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>
#if defined USE_NPU
#include <acl/acl.h>
#define START aclInit(nullptr) || aclrtSetDevice(0)
#else
#define START cnrtSetDevice(0)
#endif

static int failed;

static void check(cudaError_t error) { failed += error != cudaSuccess; }

static void copy(const std::vector<int> &from, std::vector<int> &to, cudaMemcpyKind back) {
    int *d = nullptr, *e = nullptr;
    check(cudaMalloc(&d, from.size() * sizeof(int)));
    check(cudaMalloc((void **)&e, from.size() * sizeof(int)));
    check(cudaMemcpy(d, from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaMemcpy(e, d, from.size() * sizeof(int), cudaMemcpyDeviceToDevice));
    check(cudaMemset(e, 0, 4));
    check(cudaMemcpy(to.data(), e, from.size() * sizeof(int), back));
    check(cudaFree(d));
    check(cudaFree(e));
}

int main() {
    cudaStream_t stream;
    std::vector<int> from(100, 7), to(100);
    if (START) return 1;
    check(cudaStreamCreate(&stream));
    copy(from, to, cudaMemcpyDeviceToHost);
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    std::puts(!failed && to[0] == 0 && to[99] == 7 ? "PASS" : "FAIL");
    return failed;
}
