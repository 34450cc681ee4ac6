// What errors look like: return values, the last error, names, and an exception of our own.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

class CudaError : public std::runtime_error {
    cudaError_t code_;

  public:
    CudaError(cudaError_t code, const char *where)
        : std::runtime_error(std::string(where) + ": " + cudaGetErrorString(code)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }
};
#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)
#define CUDA_THROW(expr)                                                                          \
    do {                                                                                          \
        const cudaError_t cuda_status = (expr);                                                   \
        if (cuda_status != cudaSuccess)                                                           \
            throw CudaError(cuda_status, "cudaError at " __FILE__ ":" STRINGIFY(__LINE__));       \
    } while (false)

__global__ void nothing() {}

int main() {
    bool good = true;
    void *p = nullptr;
    good &= cudaMalloc(&p, (size_t)1 << 60) == cudaErrorMemoryAllocation;
    good &= cudaGetLastError() == cudaErrorMemoryAllocation;
    good &= cudaGetLastError() == cudaSuccess; // it was taken
    try {
        CUDA_THROW(cudaSetDevice(1000));
        good = false;
    } catch (const CudaError &e) {
        good &= e.code() == cudaErrorInvalidDevice;
        good &= strstr(e.what(), "error_handling") != nullptr;
    }
    cudaGetLastError();
    nothing<<<1, 100000>>>(); // too many threads
    good &= cudaPeekAtLastError() != cudaSuccess;
    good &= cudaGetLastError() != cudaSuccess;
    nothing<<<1, 32>>>();
    good &= cudaDeviceSynchronize() == cudaSuccess;
    switch (cudaFree(nullptr)) {
    case cudaSuccess: break;
    case cudaErrorInvalidValue:
    case cudaErrorInitializationError:
    default: good = false;
    }
    good &= strlen(cudaGetErrorName(cudaErrorInvalidValue)) > 0;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
