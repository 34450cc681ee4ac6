// @Name@: wave-size-clean HIP. warpSize is 32 or 64, known on the device only; nothing here
// assumes one of them.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        hipError_t error_ = (call);                                                                \
        if (error_ != hipSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(error_));    \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

constexpr int BLOCK = 256; // a multiple of 64

