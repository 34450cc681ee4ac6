// Complex numbers of cuComplex.h, on both sides.
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>

__global__ void powers(const cuFloatComplex *z, cuFloatComplex *out, float *size, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuFloatComplex square = cuCmulf(z[i], z[i]);
    out[i] = cuCaddf(square, make_cuFloatComplex(1.0f, -1.0f));
    size[i] = cuCabsf(z[i]);
}

int main() {
    const int n = 100;
    cuFloatComplex z[n], out[n], *d_z, *d_out;
    float size[n], *d_size;
    for (int i = 0; i < n; i++) z[i] = make_cuFloatComplex(i * 0.5f, 3.0f - i);
    cudaMalloc(&d_z, sizeof(z));
    cudaMalloc(&d_out, sizeof(z));
    cudaMalloc(&d_size, sizeof(size));
    cudaMemcpy(d_z, z, sizeof(z), cudaMemcpyHostToDevice);
    powers<<<1, 128>>>(d_z, d_out, d_size, n);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(size, d_size, sizeof(size), cudaMemcpyDeviceToHost);
    cudaFree(d_z);
    cudaFree(d_out);
    cudaFree(d_size);
    cuDoubleComplex w = cuCmul(make_cuDoubleComplex(1, 2), cuConj(make_cuDoubleComplex(1, 2)));
    bool good = cuCreal(w) == 5.0 && cuCimag(w) == 0.0;
    for (int i = 0; i < n; i++) {
        float x = cuCrealf(z[i]), y = cuCimagf(z[i]);
        good = good && std::fabs(out[i].x - (x * x - y * y + 1)) < 0.01f &&
               std::fabs(out[i].y - (2 * x * y - 1)) < 0.01f &&
               std::fabs(size[i] - std::sqrt(x * x + y * y)) < 0.01f;
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
