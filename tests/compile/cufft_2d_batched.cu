// cuFFT in two dimensions, in batches with strides, and in double: each against the definition.
// sycl, onemkl: the transforms are oneMKL's
#include <cuda_runtime.h>
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using complex = std::complex<double>;

// The transform of an nx x ny array, by its definition.
static std::vector<complex> transform(const std::vector<complex> &in, int nx, int ny, int sign) {
    const double turn = sign * 2 * std::acos(-1.0);
    std::vector<complex> out(in.size());
    for (int u = 0; u < nx; u++)
        for (int v = 0; v < ny; v++)
            for (int x = 0; x < nx; x++)
                for (int y = 0; y < ny; y++)
                    out[u * ny + v] += in[x * ny + y] *
                                       std::polar(1.0, turn * (double(u * x) / nx + double(v * y) / ny));
    return out;
}

static bool plane() {
    const int nx = 6, ny = 10;
    std::vector<complex> in(nx * ny);
    std::vector<std::complex<float>> f(nx * ny), back(nx * ny);
    for (int i = 0; i < nx * ny; i++) f[i] = std::complex<float>(float(i % 7), float(i % 5) - 2.0f);
    for (int i = 0; i < nx * ny; i++) in[i] = complex(f[i].real(), f[i].imag());
    cufftComplex *d;
    const size_t bytes = f.size() * sizeof(cufftComplex);
    cudaMalloc((void **)&d, bytes);
    cudaMemcpy(d, f.data(), bytes, cudaMemcpyHostToDevice);
    cufftHandle plan;
    bool good = cufftPlan2d(&plan, nx, ny, CUFFT_C2C) == CUFFT_SUCCESS;
    good = good && cufftExecC2C(plan, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS;
    cudaMemcpy(back.data(), d, bytes, cudaMemcpyDeviceToHost);
    cufftDestroy(plan);
    cudaFree(d);
    const std::vector<complex> expected = transform(in, nx, ny, -1);
    for (int i = 0; i < nx * ny; i++)
        good = good && std::abs(complex(back[i].real(), back[i].imag()) - expected[i]) < 1e-3;
    return good;
}

// Three real signals that lie interleaved, and their half spectra one after the other.
static bool batches() {
    int n = 12, batch = 3, in_size = n, out_size = n / 2 + 1;
    std::vector<double> in(n * batch);
    std::vector<complex> out(out_size * batch);
    for (int i = 0; i < n * batch; i++) in[i] = (i * 37 % 11) - 5.0;
    cufftDoubleReal *d;
    cufftDoubleComplex *e;
    cudaMalloc((void **)&d, in.size() * sizeof(double));
    cudaMalloc((void **)&e, out.size() * sizeof(cufftDoubleComplex));
    cudaMemcpy(d, in.data(), in.size() * sizeof(double), cudaMemcpyHostToDevice);
    cufftHandle plan;
    bool good = cufftPlanMany(&plan, 1, &n, &in_size, batch, 1, &out_size, 1, out_size, CUFFT_D2Z,
                              batch) == CUFFT_SUCCESS;
    good = good && cufftExecD2Z(plan, d, e) == CUFFT_SUCCESS;
    cudaMemcpy(out.data(), e, out.size() * sizeof(cufftDoubleComplex), cudaMemcpyDeviceToHost);
    cufftDestroy(plan);
    cudaFree(d);
    cudaFree(e);
    for (int b = 0; b < batch; b++) {
        std::vector<complex> signal(n);
        for (int i = 0; i < n; i++) signal[i] = in[i * batch + b];
        const std::vector<complex> expected = transform(signal, 1, n, -1);
        for (int i = 0; i < out_size; i++)
            good = good && std::abs(out[b * out_size + i] - expected[i]) < 1e-9;
    }
    return good;
}

int main() {
    const bool good = plane() && batches();
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
