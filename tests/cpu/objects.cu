// Values that look the same for all threads and are not: classes whose constructors, conversions
// and operators ask which thread they run for, and variables that are written in other ways than
// by `v = x`. What each kernel must give is computed by hand for one block of 64 threads.
#include <cstdio>
#include <cuda_runtime.h>

// ---- classes that depend on the thread ----

struct Tile {
    int warp = threadIdx.x / 32;
    bool first = warp == 0;
};
__global__ void member_values(int *out) {
    Tile t;
    int v = 1;
    if (t.first) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

struct FirstHalf {
    int n;
    __device__ explicit operator bool() const { return threadIdx.x < n; }
};
__global__ void conversion(int *out, FirstHalf f) {
    int v = 1;
    if (f) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

struct Trips {
    int i;
    __device__ bool operator!=(int n) const { return i < n + (int)threadIdx.x / 32; }
    __device__ Trips &operator++() {
        i++;
        return *this;
    }
};
__global__ void loop_variable(int *out) {
    int v = 1;
    for (Trips t{0}; t != 2; ++t) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

struct Here {
    int warp;
    __device__ Here() { warp = threadIdx.x >> 5; }
};
template <class W> __global__ void type_parameter(int *out) {
    W w{};
    int v = 1;
    if (w.warp == 1) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

struct Span {
    int begin, end;
    __device__ Span() : begin(threadIdx.x / 32), end(2) {}
};
typedef Span range_t;
__global__ void alias(int *out) {
    range_t r;
    int v = 0;
    for (int i = r.begin; i < r.end; i++) v += __shfl_xor_sync(~0u, i + 1, 1, 32);
    out[threadIdx.x] = v;
}

struct Id {
    int w;
    __device__ Id(int k) : w(k + threadIdx.x / 32) {}
};
__global__ void assignment(int *out) {
    Id a(0);
    a = 1;
    int v = 1;
    if (a.w == 1) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

struct Base {
    int half = threadIdx.x / 32;
};
struct Derived : Base {};
__global__ void base_class(int *out) {
    Derived d;
    int v = 1;
    if (d.half) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

struct Row {
    __device__ int operator[](int i) const { return i + threadIdx.x / 32; }
    __device__ bool operator<(int n) const { return int(threadIdx.x / 32) < n; }
};
__global__ void operators(int *out, Row row) {
    int v = 1;
    if (row[0] == 1) v += __shfl_xor_sync(~0u, v, 1, 32);
    if (row < 1) v += __shfl_xor_sync(~0u, v, 2, 32);
    out[threadIdx.x] = v;
}

// A plain structure is the same for all.
struct Shape {
    int n;
    float scale[2];
    const int *table;
};
__global__ void record(int *out, Shape s) {
    int v = 1;
    for (int i = 0; i < s.n; i++) v += __shfl_xor_sync(~0u, v, 1, 32);
    if (s.scale[1] > 1 && s.table == nullptr) v += __shfl_xor_sync(~0u, v, 2, 32);
    out[threadIdx.x] = v;
}

// ---- objects that live across barriers ----

struct Seed {
    unsigned s = threadIdx.x * 7 + 1;
    __device__ unsigned next() { return s = s * 5 + 3; }
};
__global__ void made_by_each(unsigned *out) {
    __shared__ unsigned sh[64];
    Seed r;
    sh[threadIdx.x] = r.next();
    __syncthreads();
    out[threadIdx.x] = sh[63 - threadIdx.x] + r.next();
}

struct Value { // no default constructor
    int x;
    __device__ Value(int a) : x(a) {}
    __device__ Value(int a, int b) : x(a * b) {}
};
__global__ void made_of_something(int *out) {
    __shared__ int s[64];
    Value v(threadIdx.x), pair{3, (int)threadIdx.x};
    s[threadIdx.x] = v.x;
    __syncthreads();
    Value w = s[63 - threadIdx.x];
    const Value list[2] = {Value(1), {2, 5}};
    __syncthreads();
    out[threadIdx.x] = w.x + v.x + pair.x + list[1].x;
}

struct Guard { // counts who was made and destroyed, and where
    int *at;
    __device__ Guard(int *counts) : at(counts + threadIdx.x) { atomicAdd(at, 1); }
    __device__ ~Guard() { atomicAdd(at + (at - at) + 64 * (threadIdx.x < 64), 100); }
};
__global__ void destroyed(int *out) {
    __shared__ int s[64];
    for (int round = 0; round < 3; round++) {
        Guard g(out);
        s[threadIdx.x] = round;
        __syncthreads();
        *g.at += s[63 - threadIdx.x];
        __syncthreads();
    }
}

template <class T> struct Pair {
    T a, b;
    __device__ Pair(T a, T b) : a(a), b(b) {}
    __device__ Pair operator+(const Pair &o) const { return Pair(a + o.a, b + o.b); }
};
template <class T> __device__ T total(T v) {
    __shared__ char room[64 * sizeof(T)];
    T *all = reinterpret_cast<T *>(room);
    all[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x < 32) all[threadIdx.x] = all[threadIdx.x] + all[threadIdx.x + 32];
    __syncthreads();
    return all[threadIdx.x % 32];
}
__global__ void returned(int *out) {
    Pair<int> p(threadIdx.x, 1);
    Pair<int> q = total(p);
    out[threadIdx.x] = q.a * 10 + q.b;
}

// ---- writes ----


__device__ void set(int &to, int value) { to = value; }
#define ASSIGN(to, value) set(to, value)

__global__ void through_cast(int *out) {
    int warp = 0;
    reinterpret_cast<unsigned &>(warp) = threadIdx.x / 32;
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void captured(int *out) {
    int warp = 0;
    auto set = [&, &w = warp] { w = threadIdx.x / 32; };
    set();
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void in_parentheses(int *out) {
    int warp = 0;
    (warp) += threadIdx.x / 32;
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void behind_comma(int *out) {
    int warp = 0, x = 0;
    (x = 1, warp) = threadIdx.x / 32;
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, x, 32);
    out[threadIdx.x] = v;
}
__global__ void either(int *out, int k) {
    int a = 0, b = 0;
    (k ? a : b) = threadIdx.x / 32;
    int v = 1;
    if (a == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void reference(int *out) {
    int warp = 0;
    int &r = warp;
    r = threadIdx.x / 32;
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void stepped(int *out) {
    int warp = 0;
    if (threadIdx.x >= 32) ++(warp);
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void cast_address(int *out) {
    int warp = 0;
    unsigned *p = (unsigned *)&warp;
    *p = threadIdx.x / 32;
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void macro_calls(int *out) {
    int warp = 0;
    ASSIGN(warp, threadIdx.x / 32);
    int v = 1;
    if (warp == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void every_element(int *out) {
    int warps[1] = {0};
    for (int &w : warps) w = threadIdx.x / 32;
    int v = 1;
    if (warps[0] == 0) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}
__global__ void shifted(int *out) {
    int warp = threadIdx.x, mask = 1;
    warp >>= 5;
    mask |= warp;
    int v = 1;
    if (mask % 2 == warp) v += __shfl_xor_sync(~0u, v, 1, 32);
    out[threadIdx.x] = v;
}

static int failed;
template <class Want> void expect(const char *name, const int *out, Want want) {
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) printf("%s: %s\n", name, cudaGetErrorString(e)), failed++;
    for (int i = 0; i < 64; i++) {
        if (out[i] == want(i)) continue;
        printf("%s: out[%d] is %d, not %d\n", name, i, out[i], want(i));
        failed++;
        return;
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 1024);
    auto first = [](int i) { return i < 32 ? 2 : 1; };
    auto second = [](int i) { return i < 32 ? 1 : 2; };
#define RUN(name, want, ...)                                                                      \
    for (int i = 0; i < 64; i++) out[i] = 0;                                                      \
    name<<<1, 64>>>(__VA_ARGS__);                                                                 \
    expect(#name, out, want)
    RUN(member_values, first, out);
    RUN(conversion, first, out, FirstHalf{32});
    RUN(loop_variable, [](int i) { return i < 32 ? 4 : 8; }, out);
    RUN(type_parameter<Here>, second, out);
    RUN(alias, [](int i) { return i < 32 ? 3 : 2; }, out);
    RUN(assignment, first, out);
    RUN(base_class, second, out);
    RUN(operators, [](int) { return 2; }, out, Row{});
    RUN(record, [](int) { return 16; }, out, (Shape{3, {0, 2}, nullptr}));
    RUN(made_by_each, [](int i) {
        auto next = [](unsigned s) { return s * 5 + 3; };
        return int(next((63 - i) * 7 + 1) + next(next(i * 7 + 1)));
    }, (unsigned *)out);
    RUN(made_of_something, [](int i) { return 63 + 3 * i + 10; }, out);
    for (int i = 64; i < 128; i++) out[i] = 0;
    RUN(destroyed, [](int) { return 6; }, out);
    expect("destroyed, how often", out + 64, [](int) { return 300; });
    RUN(returned, [](int i) { return (i % 32 * 2 + 32) * 10 + 2; }, out);
    RUN(through_cast, first, out);
    RUN(captured, first, out);
    RUN(in_parentheses, first, out);
    RUN(behind_comma, first, out);
    RUN(either, first, out, 1);
    RUN(reference, first, out);
    RUN(stepped, first, out);
    RUN(cast_address, first, out);
    RUN(macro_calls, first, out);
    RUN(every_element, first, out);
    RUN(shifted, second, out);
    if (!failed) printf("PASS\n");
    return failed != 0;
}
