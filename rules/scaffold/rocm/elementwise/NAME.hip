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

__global__ void @name@_kernel(const float *x, const float *y, float *z, size_t n)
{
    size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        z[i] = x[i] + y[i]; // Yours
}

static float *upload(const std::vector<float> &v)
{
    float *p = nullptr;
    CHECK(hipMalloc(reinterpret_cast<void **>(&p), v.size() * sizeof(float)));
    CHECK(hipMemcpy(p, v.data(), v.size() * sizeof(float), hipMemcpyHostToDevice));
    return p;
}

static int compare(const float *device, const std::vector<float> &want, double tolerance)
{
    std::vector<float> got(want.size());
    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(got.data(), device, got.size() * sizeof(float), hipMemcpyDeviceToHost));
    double worst = 0;
    for (size_t i = 0; i < want.size(); i++)
        worst = std::fmax(worst, std::fabs(static_cast<double>(got[i]) - want[i]));
    std::printf("@name@: largest difference %g, allowed %g\n", worst, tolerance);
    return worst <= tolerance ? 0 : 1;
}

int main()
{
    const size_t n = 1000003;
    std::vector<float> x(n), y(n), want(n);
    for (size_t i = 0; i < n; i++) {
        x[i] = static_cast<float>(i % 1000);
        y[i] = static_cast<float>(i % 77);
        want[i] = x[i] + y[i]; // Yours
    }
    float *dx = upload(x), *dy = upload(y), *dz = upload(want);
    @name@_kernel<<<1024, BLOCK>>>(dx, dy, dz, n);
    CHECK(hipGetLastError());
    return compare(dz, want, 0);
}
