// Functors as kernel arguments, a class with kernels as friends, virtual dispatch on the host.
#include <cuda_runtime.h>
#include <cstdio>
#include <memory>
#include <vector>

template <class Op> __global__ void zip(const int *a, const int *b, int *c, int n, Op op) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = op(a[i], b[i]);
}
struct Plus {
    __device__ int operator()(int x, int y) const { return x + y; }
    static int host(int x, int y) { return x + y; }
};
template <int Mod> struct TimesMod {
    __device__ int operator()(int x, int y) const { return (x * y) % Mod; }
    static int host(int x, int y) { return (x * y) % Mod; }
};

class Array {
    int *p_ = nullptr;
    int n_;

  public:
    explicit Array(int n) : n_(n) { cudaMalloc(&p_, n * sizeof(int)); }
    explicit Array(const std::vector<int> &v) : Array((int)v.size()) {
        cudaMemcpy(p_, v.data(), n_ * sizeof(int), cudaMemcpyHostToDevice);
    }
    ~Array() { cudaFree(p_); }
    Array(Array &&o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; }
    template <class Op> Array combine(const Array &other, Op op) const {
        Array result(n_);
        zip<Op><<<(n_ + 63) / 64, 64>>>(p_, other.p_, result.p_, n_, op);
        return result;
    }
    std::vector<int> host() const {
        std::vector<int> v(n_);
        cudaMemcpy(v.data(), p_, n_ * sizeof(int), cudaMemcpyDeviceToHost);
        return v;
    }
};

struct Test {
    virtual ~Test() = default;
    virtual bool run(const std::vector<int> &a, const std::vector<int> &b) = 0;
};
template <class Op> struct OpTest : Test {
    bool run(const std::vector<int> &a, const std::vector<int> &b) override {
        std::vector<int> c = Array(a).combine(Array(b), Op()).host();
        for (size_t i = 0; i < a.size(); i++)
            if (c[i] != Op::host(a[i], b[i])) return false;
        return true;
    }
};

int main() {
    std::vector<int> a(200), b(200);
    for (int i = 0; i < 200; i++) a[i] = i, b[i] = 3 * i + 1;
    std::vector<std::unique_ptr<Test>> tests;
    tests.emplace_back(new OpTest<Plus>);
    tests.emplace_back(new OpTest<TimesMod<97>>);
    bool good = true;
    for (auto &test : tests) good = test->run(a, b) && good;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
