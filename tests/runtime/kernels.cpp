// Kernels in the form that the porter writes, against plain loops: barriers, shared memory, warp
// operations, atomics, shapes, errors inside kernels. Runs with a warp of 32 and of 64.
#include "check.h"
#include <cuda_morph/cuda.h>
#include <vector>

template <class T> struct buffer {
    T *p;
    size_t n;
    explicit buffer(size_t count, T value = T()) : p(nullptr), n(count) {
        OK(cmMallocManaged(&p, n * sizeof(T)));
        for (size_t i = 0; i < n; i++) p[i] = value;
    }
    ~buffer() { OK(cmFree(p)); }
    T &operator[](size_t i) { return p[i]; }
};

// ---- every thread of every shape runs once ----

__global__ void visit(unsigned *seen, unsigned *wrong) {
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    seen[b * blockDim.x * blockDim.y * blockDim.z + t]++;
    __syncthreads();
    if (threadIdx.x >= blockDim.x || blockIdx.z >= gridDim.z) atomicAdd(wrong, 1u);
    if (t != threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
        atomicAdd(wrong, 1u); // a thread must find itself again behind the barrier
}

static void shapes() {
    const dim3 grids[] = {dim3(1), dim3(7), dim3(3, 5), dim3(2, 3, 4)};
    const dim3 blocks[] = {dim3(1),    dim3(33),      dim3(1024),
                           dim3(5, 7), dim3(3, 4, 5), dim3(1, 1, 64)};
    for (dim3 g : grids)
        for (dim3 b : blocks) {
            const unsigned n = g.x * g.y * g.z * b.x * b.y * b.z;
            buffer<unsigned> seen(n), wrong(1);
            OK(cm::launch<visit>(g, b)(seen.p, wrong.p));
            OK(cmDeviceSynchronize());
            unsigned once = 0;
            for (unsigned i = 0; i < n; i++) once += seen[i] == 1;
            CHECK(once == n && wrong[0] == 0);
        }
    buffer<unsigned> none(1);
    GIVES(cmErrorInvalidConfiguration, cm::launch<visit>(1, 1025)(none.p, none.p));
    GIVES(cmErrorInvalidConfiguration, cm::launch<visit>(0, 1)(none.p, none.p));
    GIVES(cmErrorInvalidConfiguration, cm::launch<visit>(1, dim3(1, 1, 65))(none.p, none.p));
    GIVES(cmErrorInvalidValue, cm::launch<visit>(1, 1, 1 << 20)(none.p, none.p));
    GIVES(cmErrorInvalidResourceHandle,
          cm::launch<visit>(1, 1, 0, cmStream_t(0x1234))(none.p, none.p));
}

// ---- barriers: in loops, behind early returns, divergent ----

template <int Block> __global__ void sum_tree(const int *in, int *out, int n) {
    __shared__ int s[Block];
    const int t = threadIdx.x, i = blockIdx.x * Block + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = Block / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reverse_dynamic(int *data, int n) {
    int *s = cm::dynamic_shared<int>();
    const int t = threadIdx.x;
    if (t >= n) return; // threads that end are not waited for
    s[t] = data[blockIdx.x * n + t];
    __syncthreads();
    data[blockIdx.x * n + t] = s[n - 1 - t];
}

__global__ void votes(int *out) {
    const int t = threadIdx.x;
    out[t * 3] = __syncthreads_count(t % 3 == 0);
    out[t * 3 + 1] = __syncthreads_and(t < 50);
    out[t * 3 + 2] = __syncthreads_or(t == 49);
}

__device__ int deep(int *s, int t, int depth) {
    if (depth == 0) {
        __syncthreads();
        return s[(t + 1) % blockDim.x];
    }
    return deep(s, t, depth - 1);
}

__global__ void divergent(int *out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = t * t;
    // Both branches have their own barrier: all threads come to one.
    if (t % 2)
        out[t] = deep(s, t, 3);
    else {
        __syncthreads();
        out[t] = s[(t + 1) % blockDim.x];
    }
}

static void barriers() {
    const int n = 10007, blocks = (n + 255) / 256;
    buffer<int> in(n), out(blocks);
    for (int i = 0; i < n; i++) in[i] = i % 101 - 50;
    OK(cm::launch<sum_tree<256>>(blocks, 256)(in.p, out.p, n));
    OK(cmDeviceSynchronize());
    for (int b = 0; b < blocks; b++) {
        int sum = 0;
        for (int i = b * 256; i < n && i < b * 256 + 256; i++) sum += in[i];
        CHECK(out[b] == sum);
    }
    buffer<int> data(300);
    for (int i = 0; i < 300; i++) data[i] = i;
    OK(cm::launch<reverse_dynamic>(3, 128, 100 * sizeof(int))(data.p, 100));
    OK(cmDeviceSynchronize());
    for (int i = 0; i < 300; i++) CHECK(data[i] == i / 100 * 100 + 99 - i % 100);
    buffer<int> v(150), d(64);
    OK(cm::launch<votes>(1, 50)(v.p));
    OK(cm::launch<divergent>(1, 64)(d.p));
    OK(cmDeviceSynchronize());
    for (int t = 0; t < 50; t++) CHECK(v[t * 3] == 17 && v[t * 3 + 1] == 1 && v[t * 3 + 2] == 1);
    for (int t = 0; t < 64; t++) CHECK(d[t] == ((t + 1) % 64) * ((t + 1) % 64));
}

// ---- warp operations ----

__global__ void shuffles(int *out, unsigned long long *masks) {
    const int t = threadIdx.x, lane = t % warpSize;
    int *o = out + t * 6;
    o[0] = __shfl_sync(0xffffffff, t, 3);
    o[1] = __shfl_up_sync(0xffffffff, t, 2);
    o[2] = __shfl_down_sync(0xffffffff, t, 5, 8);
    o[3] = __shfl_xor_sync(0xffffffff, t, 7, 16);
    o[4] = __reduce_add_sync(0xffffffff, lane);
    masks[t * 4] = __ballot_sync(0xffffffff, t % 5 == 0);
    masks[t * 4 + 1] = __match_any_sync(0xffffffff, lane / 4);
    o[5] = -1;
    masks[t * 4 + 2] = 0;
    if (lane % 2) { // half of the warp
        masks[t * 4 + 2] = __activemask();
        const unsigned long long odd = 0xaaaaaaaaaaaaaaaaull;
        o[5] = __shfl_down_sync(warpSize == 32 ? odd & 0xffffffff : odd, lane, 2);
    }
    masks[t * 4 + 3] = __all_sync(0xffffffff, t >= 0) + 2 * __any_sync(0xffffffff, lane == 31);
    __syncwarp();
}

static void warps() {
    const int threads = 256, w = warpSize;
    buffer<int> out(threads * 6);
    buffer<unsigned long long> masks(threads * 4);
    OK(cm::launch<shuffles>(1, threads)(out.p, masks.p));
    OK(cmDeviceSynchronize());
    for (int t = 0; t < threads; t++) {
        const int lane = t % w, first = t - lane;
        unsigned long long fives = 0, odd = 0;
        for (int l = 0; l < w; l++) {
            fives |= (unsigned long long)((first + l) % 5 == 0) << l;
            odd |= (unsigned long long)(l % 2) << l;
        }
        CHECK(out[t * 6] == first + 3);
        CHECK(out[t * 6 + 1] == (lane >= 2 ? t - 2 : t));
        CHECK(out[t * 6 + 2] == (lane % 8 + 5 < 8 ? t + 5 : t));
        CHECK(out[t * 6 + 3] == (t ^ 7));
        CHECK(out[t * 6 + 4] == w * (w - 1) / 2);
        CHECK(masks[t * 4] == fives);
        CHECK(masks[t * 4 + 1] == 0xfull << lane / 4 * 4);
        CHECK(out[t * 6 + 5] == (lane % 2 == 0 ? -1 : lane + 2 < w ? lane + 2 : lane));
        CHECK(masks[t * 4 + 2] == (lane % 2 ? odd : 0));
        CHECK(masks[t * 4 + 3] == 3);
    }
}

// ---- atomics ----

struct tally {
    int add, min, max, sub;
    unsigned inc, dec, bits, exchanged;
    float f;
    double d;
    unsigned long long big;
    int lock, guarded;
};

__global__ void atomics(tally *a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&a->add, 1);
    atomicSub(&a->sub, 2);
    atomicMin(&a->min, -i);
    atomicMax(&a->max, i);
    atomicInc(&a->inc, 9);
    atomicDec(&a->dec, 9);
    atomicOr(&a->bits, 1u << i % 32);
    atomicAdd(&a->f, 0.5f);
    atomicAdd(&a->d, 0.25);
    atomicAdd(&a->big, 1ull << 33);
    atomicExch(&a->exchanged, 7u);
    while (atomicCAS(&a->lock, 0, 1) != 0) {
    }
    __threadfence();
    a->guarded++;
    __threadfence();
    atomicExch(&a->lock, 0);
}

static void atomic_functions() {
    buffer<tally> a(1);
    memset(a.p, 0, sizeof(tally));
    OK(cm::launch<atomics>(40, 100)(a.p));
    OK(cmDeviceSynchronize());
    const tally &t = a[0];
    CHECK(t.add == 4000 && t.sub == -8000 && t.min == -3999 && t.max == 3999);
    CHECK(t.inc == 0 && t.dec == 0 && t.bits == ~0u && t.exchanged == 7); // 4000 % 10 == 0
    CHECK(t.f == 2000.0f && t.d == 1000.0 && t.big == 4000ull << 33 && t.guarded == 4000);
}

// ---- launches: deduced templates, pointers, arguments that convert, children, symbols ----

template <class T> __global__ void fill(T *p, int n, T value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (p && i < n) p[i] = value;
}
__global__ void empty() {}
__global__ void parent(int *out) {
    if (threadIdx.x == 0) cm::launch<fill<int>>(1, 4)(out, 4, 8);
    out[0] = 1;
}
__constant__ float table[4];
__device__ int counter;
__global__ void from_symbols(float *out) {
    out[threadIdx.x] = table[threadIdx.x] * 2;
    atomicAdd(&counter, 1);
}

static void launches() {
    buffer<float> f(100);
    OK(cm::launch<fill<float>>(1, 100)(f.p, 100, 3)); // int becomes float
    OK(cm::launch(CM_KERNEL(fill), 1, 50)(f.p, 50, 4.0f));
    void (*pointer)(float *, int, float) = fill<float>;
    OK(cm::launch(pointer, 1, 10)(f.p, 10, 5.0f));
    OK(cm::launch<fill<float>>(1, 10)(nullptr, 10, 5.0f));
    OK(cm::launch<fill<float>>(1, 10)(0, 10, 5.0f));
    OK(cm::launch<empty>(1, 1)());
    OK(cmDeviceSynchronize());
    CHECK(f[0] == 5 && f[10] == 4 && f[50] == 3 && f[99] == 3);
    float *p = f.p, value = 6;
    int n = 100;
    void *arguments[] = {&p, &n, &value};
    OK(cmLaunchKernel(fill<float>, dim3(1), dim3(100), arguments));
    buffer<int> c(4);
    OK(cm::launch<parent>(1, 32)(c.p));
    OK(cmDeviceSynchronize());
    CHECK(f[0] == 6 && f[99] == 6 && c[0] == 8 && c[3] == 8);
    const float values[4] = {1, 2, 3, 4};
    int seven = 7;
    OK(cmMemcpyToSymbol(table, values, sizeof values));
    OK(cmMemcpyToSymbol(counter, &seven, sizeof seven));
    OK(cm::launch<from_symbols>(1, 4)(f.p));
    OK(cmMemcpyFromSymbol(&seven, counter, sizeof seven));
    CHECK(seven == 11 && f[3] == 8);
    GIVES(cmErrorInvalidValue, cmMemcpyToSymbol(counter, values, sizeof values));
    // A kernel inside a graph, twice.
    cmStream_t s;
    cmGraph_t graph;
    cmGraphExec_t exec;
    OK(cmStreamCreate(&s));
    OK(cmStreamBeginCapture(s, cmStreamCaptureModeGlobal));
    OK(cm::launch<from_symbols>(1, 4, 0, s)(f.p));
    OK(cmStreamEndCapture(s, &graph));
    OK(cmGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    OK(cmGraphLaunch(exec, s));
    OK(cmGraphLaunch(exec, s));
    OK(cmStreamSynchronize(s));
    OK(cmMemcpyFromSymbol(&seven, counter, sizeof seven));
    CHECK(seven == 19);
    OK(cmGraphExecDestroy(exec));
    OK(cmGraphDestroy(graph));
    OK(cmStreamDestroy(s));
}

// ---- what fails inside a kernel is sticky ----

__global__ void traps(int at) {
    __syncthreads();
    if (int(threadIdx.x) == at) __trap();
    __syncthreads();
}
__global__ void asserts(int x) { assert(x > 5 && "too small"); }

static void failing() {
    OK(cm::launch<traps>(4, 64)(40));
    CHECK(cmDeviceSynchronize() == cmErrorLaunchFailure);
    CHECK(cmGetLastError() == cmErrorLaunchFailure);
    CHECK(cmGetLastError() == cmErrorLaunchFailure); // stays
    void *p;
    CHECK(cmMalloc(&p, 4) == cmErrorLaunchFailure);
    OK(cmDeviceReset());
    OK(cmGetLastError());
    OK(cm::launch<asserts>(1, 3)(6));
    OK(cmDeviceSynchronize());
    fprintf(stderr, "(an assertion is expected to fail here)\n");
    OK(cm::launch<asserts>(1, 3)(5));
    CHECK(cmDeviceSynchronize() == cmErrorAssert);
    OK(cmDeviceReset());
    OK(cm::launch<traps>(1, 64)(-1));
    OK(cmDeviceSynchronize());
    cmGetLastError();
}

int main() {
    shapes();
    barriers();
    warps();
    atomic_functions();
    launches();
    failing();
    return failures != 0;
}
