// The shape of a PyTorch extension, without PyTorch: a small tensor, a dispatch macro whose lambda
// holds the launch, checks by macro, and an op registered by name.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace mini {

enum class ScalarType { Float, Double, Int };
template <typename T> ScalarType scalarTypeOf();
template <> ScalarType scalarTypeOf<float>() { return ScalarType::Float; }
template <> ScalarType scalarTypeOf<double>() { return ScalarType::Double; }
template <> ScalarType scalarTypeOf<int>() { return ScalarType::Int; }

class Tensor {
    std::shared_ptr<void> data_;
    int64_t numel_;
    ScalarType type_;

  public:
    Tensor(int64_t numel, ScalarType type) : numel_(numel), type_(type) {
        void *p = nullptr;
        if (cudaMalloc(&p, numel * 8) != cudaSuccess) throw std::bad_alloc();
        data_.reset(p, [](void *q) { cudaFree(q); });
    }
    template <typename T> static Tensor from(const std::vector<T> &v) {
        Tensor t((int64_t)v.size(), scalarTypeOf<T>());
        cudaMemcpy(t.data_.get(), v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
        return t;
    }
    template <typename T> std::vector<T> cpu() const {
        std::vector<T> v(numel_);
        cudaMemcpy(v.data(), data_.get(), numel_ * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
    template <typename T> T *data_ptr() const { return static_cast<T *>(data_.get()); }
    int64_t numel() const { return numel_; }
    ScalarType scalar_type() const { return type_; }
    bool is_cuda() const { return true; }
};

inline cudaStream_t getCurrentCUDAStream() { return nullptr; }

} // namespace mini

#define MINI_CHECK(cond, ...)                                                                     \
    if (!(cond)) throw std::runtime_error(#cond)
#define CHECK_CUDA(x) MINI_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define MINI_CASE(ENUM, TYPE, ...)                                                                \
    case ENUM: {                                                                                  \
        using scalar_t = TYPE;                                                                    \
        __VA_ARGS__();                                                                            \
        break;                                                                                    \
    }
#define MINI_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                             \
    switch (TYPE) {                                                                               \
        MINI_CASE(mini::ScalarType::Float, float, __VA_ARGS__)                                    \
        MINI_CASE(mini::ScalarType::Double, double, __VA_ARGS__)                                  \
    default: throw std::runtime_error(NAME " is not made for this type");                         \
    }

template <typename scalar_t>
__global__ void leaky_relu_kernel(const scalar_t *__restrict__ x, scalar_t *__restrict__ y,
                                  scalar_t slope, int64_t n) {
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > scalar_t(0) ? x[i] : x[i] * slope;
}

mini::Tensor leaky_relu_cuda(const mini::Tensor &x, double slope) {
    CHECK_CUDA(x);
    mini::Tensor y(x.numel(), x.scalar_type());
    const int threads = 128;
    const int blocks = (int)((x.numel() + threads - 1) / threads);
    MINI_DISPATCH_FLOATING_TYPES(x.scalar_type(), "leaky_relu", [&] {
        leaky_relu_kernel<scalar_t><<<blocks, threads, 0, mini::getCurrentCUDAStream()>>>(
            x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), static_cast<scalar_t>(slope), x.numel());
    });
    MINI_CHECK(cudaGetLastError() == cudaSuccess, "launch");
    return y;
}

static std::map<std::string, std::function<mini::Tensor(const mini::Tensor &, double)>> ops = {
    {"mini::leaky_relu", leaky_relu_cuda}};

template <typename T> static bool test() {
    std::vector<T> x(300);
    for (int i = 0; i < 300; i++) x[i] = T(i - 150);
    const mini::Tensor result = ops.at("mini::leaky_relu")(mini::Tensor::from(x), 0.5);
    std::vector<T> y = result.cpu<T>();
    for (int i = 0; i < 300; i++)
        if (y[i] != (x[i] > 0 ? x[i] : x[i] / 2)) return false;
    return true;
}

int main() {
    bool good = test<float>() && test<double>();
    try {
        leaky_relu_cuda(mini::Tensor::from(std::vector<int>(4)), 0.5);
        good = false;
    } catch (const std::runtime_error &) {
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
