// A signal through cuFFT and back; its spectrum has one line.
// sycl, onemkl: the transforms are oneMKL's
#include <cuda_runtime.h>
#include <cufft.h>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

__global__ void scale(cufftComplex *data, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i].x *= factor;
        data[i].y *= factor;
    }
}

int main() {
    const int n = 256, line = 5;
    std::vector<std::complex<float>> signal(n), spectrum(n), back(n);
    for (int i = 0; i < n; i++)
        signal[i] = std::polar(1.0f, 2.0f * 3.14159265f * line * i / n);
    cufftComplex *data;
    const size_t bytes = n * sizeof(cufftComplex);
    cudaMalloc((void **)&data, bytes);
    cudaMemcpy(data, signal.data(), bytes, cudaMemcpyHostToDevice);
    cufftHandle plan;
    bool good = cufftPlan1d(&plan, n, CUFFT_C2C, 1) == CUFFT_SUCCESS;
    good &= cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_SUCCESS;
    cudaMemcpy(spectrum.data(), data, bytes, cudaMemcpyDeviceToHost);
    good &= cufftExecC2C(plan, data, data, CUFFT_INVERSE) == CUFFT_SUCCESS;
    scale<<<(n + 127) / 128, 128>>>(data, n, 1.0f / n);
    cudaMemcpy(back.data(), data, bytes, cudaMemcpyDeviceToHost);
    cufftDestroy(plan);

    // A real signal gives half a spectrum.
    std::vector<float> real(64, 1.0f);
    cufftReal *in;
    cufftComplex *half, first;
    cudaMalloc((void **)&in, 64 * sizeof(cufftReal));
    cudaMalloc((void **)&half, 33 * sizeof(cufftComplex));
    cudaMemcpy(in, real.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    cufftResult result = cufftPlan1d(&plan, 64, CUFFT_R2C, 1);
    if (result == CUFFT_SUCCESS) result = cufftExecR2C(plan, in, half);
    cudaMemcpy(&first, half, sizeof(first), cudaMemcpyDeviceToHost);
    cufftDestroy(plan);
    cudaFree(in);
    cudaFree(half);
    cudaFree(data);
    good = good && result == CUFFT_SUCCESS && std::fabs(first.x - 64.0f) < 1e-3f;
    for (int i = 0; i < n; i++) {
        float expected = i == line ? n : 0;
        good = good && std::abs(std::abs(spectrum[i]) - expected) < 0.05f;
        good = good && std::abs(back[i] - signal[i]) < 1e-3f;
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
