// What the programs of this folder check with. Like them it is a CUDA source that gets ported;
// NCCL() is for those that include nccl.h.
#ifndef CHECK_CUH
#define CHECK_CUH

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                               \
    do {                                                                                          \
        cudaError_t error = (call);                                                               \
        if (error != cudaSuccess) {                                                               \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                    \
                         cudaGetErrorString(error));                                              \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)
#define NCCL(call)                                                                                \
    do {                                                                                          \
        ncclResult_t result = (call);                                                             \
        if (result != ncclSuccess) {                                                              \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__,                           \
                         ncclGetErrorString(result), ncclGetLastError(nullptr));                  \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)
#define HOLDS(condition)                                                                          \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                  \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)

#endif
