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

/* The sum over one wave, whatever its width: valid in lane 0. */
__device__ float wave_sum(float v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down(v, offset, warpSize);
    return v;
}

/* The sum of each row: one block per row. */
__global__ void @name@_kernel(const float *x, float *z, size_t columns)
{
    __shared__ float part[BLOCK / 32]; // as many as there are waves at most
    const float *row = x + static_cast<size_t>(blockIdx.x) * columns;
    float sum = 0;
    for (size_t i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i]; // Yours
    sum = wave_sum(sum);
    int lane = static_cast<int>(threadIdx.x) % warpSize;
    int wave = static_cast<int>(threadIdx.x) / warpSize;
    int waves = static_cast<int>(blockDim.x) / warpSize;
    if (lane == 0) part[wave] = sum;
    __syncthreads();
    if (wave != 0) return;
    sum = wave_sum(lane < waves ? part[lane] : 0.0f);
    if (lane == 0) z[blockIdx.x] = sum;
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
    const size_t rows = 301, columns = 1003;
    std::vector<float> x(rows * columns), want(rows, 0.0f);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i % 17);
        want[i / columns] += x[i]; // Yours: whole numbers, so that any order gives the same
    }
    float *dx = upload(x), *dz = upload(std::vector<float>(rows, -1.0f));
    @name@_kernel<<<static_cast<unsigned>(rows), BLOCK>>>(dx, dz, columns);
    CHECK(hipGetLastError());
    return compare(dz, want, 0);
}
