// cuBLAS matrix products: gemm with transposes, gemv, and a strided batch in a stream.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <vector>

static void must(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLAS");
}
static void must(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <typename T> class Buffer {
    T *data_;
    size_t count_;

  public:
    explicit Buffer(const std::vector<T> &v) : count_(v.size()) {
        must(cudaMalloc(reinterpret_cast<void **>(&data_), count_ * sizeof(T)));
        must(cudaMemcpy(data_, v.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer &) = delete;
    T *get() { return data_; }
    std::vector<T> host() const {
        std::vector<T> v(count_);
        must(cudaMemcpy(v.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

int main() try {
    const int m = 5, n = 4, k = 6, batch = 3;
    std::vector<float> a(m * k * batch), b(n * k * batch), c(m * n * batch, 1.0f);
    for (size_t i = 0; i < a.size(); i++) a[i] = float(i % 5) - 2.0f;
    for (size_t i = 0; i < b.size(); i++) b[i] = float(i % 3) + 1.0f;
    Buffer<float> A(a), B(b), C(c), Single(c);
    cublasHandle_t handle;
    cudaStream_t stream;
    must(cublasCreate(&handle));
    must(cudaStreamCreate(&stream));
    must(cublasSetStream(handle, stream));
    const float alpha = 1.0f, beta = 2.0f;
    // Column-major: C = A * transpose(B) + 2 C.
    must(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, A.get(), m, B.get(), n, &beta,
                     Single.get(), m));
    must(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, A.get(), m,
                                   m * k, B.get(), n, n * k, &beta, C.get(), m, m * n, batch));
    std::vector<double> vec(k, 1.0), mat(m * k), res(m, 0.0);
    for (int i = 0; i < m * k; i++) mat[i] = i;
    Buffer<double> V(vec), M(mat), R(res);
    const double one = 1.0, zero = 0.0;
    must(cublasDgemv(handle, CUBLAS_OP_N, m, k, &one, M.get(), m, V.get(), 1, &zero, R.get(), 1));
    must(cudaStreamSynchronize(stream));
    std::vector<float> single = Single.host(), all = C.host();
    res = R.host();
    must(cublasDestroy(handle));
    must(cudaStreamDestroy(stream));

    bool good = true;
    for (int s = 0; s < batch; s++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                float sum = 2.0f;
                for (int l = 0; l < k; l++) sum += a[s * m * k + l * m + i] * b[s * n * k + l * n + j];
                good &= std::fabs(all[s * m * n + j * m + i] - sum) < 1e-4f;
                if (s == 0) good &= std::fabs(single[j * m + i] - sum) < 1e-4f;
            }
    for (int i = 0; i < m; i++) good &= res[i] == k * i + m * k * (k - 1) / 2.0;
    std::cout << (good ? "PASS" : "FAIL") << '\n';
    return good ? 0 : 1;
} catch (const std::exception &e) {
    std::cerr << "FAIL: " << e.what() << '\n';
    return 1;
}
