// Owners of memory, streams and events with custom deleters; a span that kernels take by value.
#include <cuda_runtime.h>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpu {

struct FreeDevice {
    void operator()(void *p) const noexcept { cudaFree(p); }
};
struct DestroyStream {
    void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;

inline Stream make_stream() {
    cudaStream_t s = nullptr;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    return Stream(s);
}

template <typename T> struct span {
    T *data;
    size_t size;
    __host__ __device__ T &operator[](size_t i) const { return data[i]; }
};

template <typename T> class vector {
    std::unique_ptr<T, FreeDevice> data_;
    size_t size_ = 0;

  public:
    explicit vector(size_t n) : size_(n) {
        T *p = nullptr;
        if (cudaMalloc(reinterpret_cast<void **>(&p), n * sizeof(T)) == cudaSuccess) data_.reset(p);
    }
    vector(vector &&) = default;
    vector &operator=(vector &&) = default;
    gpu::span<T> span() const { return {data_.get(), size_}; }
    void assign(const std::vector<T> &v, const Stream &s) {
        cudaMemcpyAsync(data_.get(), v.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, s.get());
    }
    std::vector<T> to_host(const Stream &s) const {
        std::vector<T> v(size_);
        cudaMemcpyAsync(v.data(), data_.get(), size_ * sizeof(T), cudaMemcpyDeviceToHost, s.get());
        cudaStreamSynchronize(s.get());
        return v;
    }
};

} // namespace gpu

template <typename T> __global__ void reverse(gpu::span<const T> in, gpu::span<T> out) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < in.size) out[in.size - 1 - i] = in[i];
}

int main() {
    const size_t n = 1001;
    std::vector<double> h(n);
    for (size_t i = 0; i < n; i++) h[i] = double(i) / 4;
    auto stream = gpu::make_stream();
    gpu::vector<double> a(n), b(1);
    b = gpu::vector<double>(n);
    a.assign(h, stream);
    gpu::span<const double> view{a.span().data, n};
    reverse<double><<<unsigned(n + 255) / 256, 256, 0, stream.get()>>>(view, b.span());
    std::vector<double> r = b.to_host(stream);
    gpu::vector<double> moved = std::move(b);
    bool good = moved.span().size == n && cudaPeekAtLastError() == cudaSuccess;
    for (size_t i = 0; i < n; i++) good = good && r[i] == h[n - 1 - i];
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
