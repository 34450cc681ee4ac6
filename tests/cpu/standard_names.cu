// cuda::std, which Thrust's headers bring along.
#include <cuda_runtime.h>
#include <cuda/std/cmath>
#include <cuda/std/optional>
#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/partition.h>

__global__ void k(float *out) {
    cuda::std::optional<float> v = cuda::std::sqrt(16.0f);
    out[threadIdx.x] = v.value_or(1.0f) + cuda::std::abs(-1.0f);
}

int main() {
    thrust::device_vector<int> flags(6), values(6);
    thrust::device_vector<float> out(2);
    for (int i = 0; i < 6; i++) flags[i] = i % 2, values[i] = i;
    thrust::stable_partition(values.begin(), values.end(), flags.begin(), ::cuda::std::identity{});
    k<<<1, 2>>>(thrust::raw_pointer_cast(out.data()));
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 3; i++) wrong += values[i] != 2 * i + 1 || values[i + 3] != 2 * i;
    wrong += out[0] != 5 || out[1] != 5;
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
