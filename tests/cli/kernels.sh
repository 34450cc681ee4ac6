#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels for a machine without a GPU: which become loops, where they are cut, and what is said of
# it.
. "${0%/*}/helper"

cat >k.cu <<'EOF'
__global__ void add(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}

__global__ void sum(const float *in, float *out, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = in[i]; // one value
    s[threadIdx.x] = v;
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    }
    __syncthreads();
    out[i] = s[0] - v;
}

__global__ void some(int *a) {
    if (threadIdx.x < 8) { __syncthreads(); a[0]++; } else __syncthreads();
    if (threadIdx.x < 32) __syncwarp();
    a[threadIdx.x] = 1;
}

__device__ int outside(int);
__global__ void far(int *a) { a[threadIdx.x] = outside(a[threadIdx.x]); }
__global__ void steps(int *a, int n) {
    a += threadIdx.x;
    n--;
    *a = n;
}
EOF
cat >wanted <<'EOF'
__global__ void sum(const float *in, float *out, int n) {
    CM_LEAVING_BLOCK;
    __shared__ float s[256];
    cm::each<float> v;
    CM_THREADS_MOSTLY(threadIdx, v) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (CM_RARELY(i >= n)) CM_LEAVE_RARELY;
        v = in[i]; // one value
        s[threadIdx.x] = v;
    };
    CM_ALL_LEFT;
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        CM_BARRIER(__syncthreads());
        CM_THREADS_BELOW(k, unsigned)(threadIdx) {
            if (CM_BELOW(threadIdx.x < k)) s[threadIdx.x] += s[threadIdx.x + k];
        };
    }
    CM_BARRIER(__syncthreads());
    CM_THREADS(threadIdx, v) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = s[0] - v;
    };
}
EOF
run port k.cu --target cpu
exits 0 'kernels are ported'
sed -n '/void sum/,/^}/p' "$out" >got
check 'a kernel with barriers is cut into loops' cmp wanted got
prints 'void add(const float *a, float *b, int n) CM_EACH_THREAD_MOSTLY {' 'one without is one loop'
check 'and only its bound changes' grep -q '^    if (CM_MOSTLY(i < n)) b\[i\] += a\[i\];$' "$out"
check 'barriers of both branches stay as they are' \
    grep -q '^        if (threadIdx.x < 8) { __syncthreads(); a\[0\]++; } else __syncthreads();$' \
        "$out"
check 'one that only some come to is masked' grep -q '^    if (CM_WHERE(cm_if_0)) {$' "$out"
cp "$out" again.cu
run port again.cu --target cpu
check 'porting it again changes nothing' cmp again.cu "$out"

run port k.cu --target cpu --explain-kernels -q
exits 0 '--explain-kernels'
check 'says of each kernel how it runs' test "$(wc -l <"$out")" = 5
prints 'k.cu:1:17: add: thread loop' 'a thread loop'
prints 'k.cu:6:17: sum: fission' 'fission'
prints 'k.cu:20:17: some: fission, fibers where a region blocks; 21:9: a barrier in divergent' \
    'fibers, where and why'
prints '`outside`: unknown callees are assumed' 'a function of elsewhere'
prints 'k.cu:28:17: steps: thread loop' 'a parameter that threads change'
check 'becomes a variable of each' grep -q '^    int n = cm_n;$' again.cu
run port k.cu --target cpu --explain-kernels --format json -q
exits 0 '--explain-kernels as JSON'
check 'a line of JSON for each kernel' test "$(grep -c '^{"file":"k.cu","line":' "$out")" = 5
prints '"kernel":"sum","strategy":"fission","reason":null,"variables":[{"name":' 'its variables'
prints '"kept":"uniform","why":"a parameter that no thread changes for itself"' 'why one is uniform'
prints '"varies_by":{"line":' 'what makes one differ'
run port k.cu --target cpu --format json
exits 2 'JSON is for what explains'
run port k.cu --target rocm --explain-kernels
exits 2 'elsewhere kernels run as they are'
run port k.cu --target cpu --explain-kernels --diff
exits 2 'it goes with no other result'

# What a kernel calls may stand in a header; atomics wait only where a loop counts on others.
mkdir -p tree/inc
cat >tree/inc/help.h <<'EOF'
#define AT(i) ((i) + blockIdx.x * blockDim.x)
__device__ inline int twice(int x) { return 2 * x; }
__device__ inline int me() { return threadIdx.x; }
__device__ inline int all(int *s) { __syncthreads(); return s[0]; }
__device__ inline float atomicMost(float *p, float v) {
    int *bits = (int *)p, old = *bits, seen;
    do {
        seen = old;
        if (__int_as_float(seen) >= v) break;
        old = atomicCAS(bits, seen, __float_as_int(v));
    } while (seen != old);
    return __int_as_float(old);
}
EOF
cat >tree/a.cu <<'EOF'
#include "inc/help.h"
template <class T> struct alignas(8) pair {
    T a, b;
    __device__ T sum() const { return a + b; }
};
template <class T> __device__ T total(const pair<T> &p) { return p.sum(); }
__global__ void member(int *a) { pair<int> p = {1, 2}; a[threadIdx.x] = total(p); }
__device__ pair<int> both(int x) { return {x, x}; }
__global__ void made(int *a) { a[threadIdx.x] = both(threadIdx.x).a; }
__global__ void chase(int *a) {
    for (int i = 0; i >= 0;) {
        if (atomicAdd(a, 0)) i = i < 0;
        i = a[i];
    }
}
__global__ void plain(int *a) { a[AT(threadIdx.x)] = twice(threadIdx.x); }
__global__ void asks(int *a) { a[me()] = 1; }
__global__ void waits(int *a) { a[threadIdx.x] = all(a); }
__global__ void count(int *a, int n, float *most) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int at = atomicAdd(a, 1);
        a[at] = i;
        atomicMost(most, i);
    }
}
__global__ void lock(int *a) {
    while (atomicCAS(a, 0, 1) != 0) continue;
    a[1]++;
    atomicExch(a, 0);
}
__global__ void flag(int *a) {
    if (threadIdx.x) atomicExch(a, 1);
    for (int i = 0; i < 1;)
        if (atomicAdd(a, 0)) i++;
}
EOF
run port tree --target cpu --explain-kernels -q
exits 0 '--explain-kernels of a tree'
check 'functions and macros of headers are looked at' grep -q 'a.cu:16:17: plain: thread loop$' \
    "$out"
check 'a function may ask for threadIdx' grep -q 'a.cu:17:17: asks: thread loop$' "$out"
check 'methods of types of the project' grep -q 'member: thread loop$' "$out"
check 'functions that return such' grep -q 'made: thread loop$' "$out"
prints 'chase: thread loop, fibers if a callee blocks' 'a loop that does not count'
check 'a barrier in a header' grep -q 'a.cu:18:17: waits: fission$' "$out"
check 'atomics in loops that count' grep -q 'count: thread loop$' "$out"
prints 'lock: thread loop, fibers if a callee blocks; 27:12: `atomicCAS`: the kernel may spin' 'a lock'
prints 'flag: thread loop, fibers if a callee blocks; 34:13: `atomicAdd`: the kernel may spin' 'a flag'
# What is called through a value, a template or a type that is not known.
mkdir -p calls/far calls/alone
cat >calls/a.cu <<'EOF'
#include <cuda/std/cstdint>
struct Square { __device__ int operator()(int x) const { return x * x; } };
template <class F> __global__ void apply(int *a, F f) { a[threadIdx.x] = f(a[threadIdx.x]); }
template <class T> __device__ T cast(int x);
template <> __device__ float cast<float>(int x) { return x; }
__global__ void special(float *a) { a[threadIdx.x] = cast<float>(threadIdx.x); }
__device__ int beside(int x);
__global__ void other_file(int *a) { a[threadIdx.x] = beside(3); }
template <class T> __global__ void method(T *a) { a[threadIdx.x].step(); }
struct Walker { int i; __device__ void step() { i++; } };
void start(int *a) { apply<<<1, 32>>>(a, Square()); }
__device__ void start(int *a, int n) { a[n] = n; }
__global__ void overload(int *a) { start(a, threadIdx.x); }
__global__ void local(int *a) {
    auto next = [&](int x) { return x + a[0]; };
    a[threadIdx.x] = next(threadIdx.x) < std::numeric_limits<int>::max() ? 1 : ::abs(2);
}
template <class Tile> __global__ void group(int *a, Tile tile) { a[0] = tile.reduce(a[1]); }
struct Sums { __device__ int reduce(int x) { return x; } };
__global__ void here(int *a) { a[threadIdx.x] = AT_HERE(1); }
EOF
printf '#include "help.h"\n#define AT_HERE(x) (x)\n__device__ int beside(int x) { return x; }\n' \
    >calls/b.cu
cat >calls/far/loud.cu <<'EOF'
#include "loud.h"
struct Loud { __device__ int operator()(int x) const { __syncthreads(); return x; } };
void run(int *a) { all<<<1, 32>>>(a, Loud()); }
EOF
echo 'template <class F> __global__ void all(int *a, F f) { a[0] = f(1); }' >calls/far/loud.h
echo 'template <class F> __global__ void none(int *a, F f) { a[0] = f(1); }' >calls/alone/none.cu
run port calls --target cpu --explain-kernels -q
exits 0 'kernels that call values'
for name in apply special other_file method overload local; do
    check "what $name calls is found" grep -q ": $name: thread loop$" "$out"
done
prints 'group: thread loop, fibers if a callee blocks' 'but groups have functions of that name'
prints 'here: thread loop, fibers if a callee blocks; 20:49: `AT_HERE`: unknown callees' \
    'no macro of elsewhere'
prints 'all: thread loop, fibers if a callee blocks; 1:62: `f`: `__syncthreads` inside' \
    'a functor that waits'
prints 'none: thread loop, fibers if a callee blocks; 1:63: `f`: unknown callees' \
    'or none at all'

run port tree/a.cu --target cpu --explain-kernels -q
check 'headers are found without the tree' grep -q 'a.cu:16:17: plain: thread loop$' "$out"
# What becomes an argument per thread, and what has no type once it has a name: 0 for a pointer.
cat >v.cu <<'EOF'
__device__ void given(int value, int *where) {
    __syncthreads();
    if (where) *where = value;
}
__device__ int shifted(int v[], int t[4]) {
    __syncthreads();
    v[threadIdx.x] += t[0];
    __syncthreads();
    return v[threadIdx.x];
}
__global__ void passed(int *a, int n) {
    given(0, a + threadIdx.x);
    given(n, 0);
}
__global__ void nothing(int *a, int n) {
    int some = n + threadIdx.x;
    __syncthreads();
    int none;
    __syncthreads();
    none = some + 1;
    __syncthreads();
    a[threadIdx.x] = none + some;
}
EOF
run port v.cu --target cpu
prints '    CM_ARGUMENT(v, 0, int *);' 'an array without a size as an argument'
prints '    CM_ARGUMENT(t, 1, int *);' 'an array as an argument'
prints 'return CM_WITH(0, a + threadIdx.x); };' 'a number that is 0'
prints '        given(n, 0);' 'a pointer that is 0'
printf '%s\n' '    CM_BARRIER(__syncthreads());' '    cm::each<int> none;' \
    '    CM_BARRIER(__syncthreads());' >wanted
sed -n '/void nothing/,/^}/p' "$out" | sed -n 3,5p >got
check 'a declaration without a value is no loop' cmp wanted got

# A value of a scalar type is the block's under whatever name; an object is each thread's.
cat >n.cu <<'EOF'
using index_type = int;
typedef unsigned count_type;
enum Mode { FAST, EXACT };
struct Shape {
    int rows;
    Shape() { rows = threadIdx.x; }
};
__global__ void named(int *a, index_type n) {
    index_type half = n / 2;
    count_type rounds = n + 1;
    Mode mode = n > 3 ? EXACT : FAST;
    for (count_type k = rounds; k > 0; k--) {
        __syncthreads();
        if (mode == EXACT) __syncthreads();
        a[threadIdx.x] += half;
    }
}
__global__ void made(int *a, int n) {
    Shape shape;
    __syncthreads();
    a[threadIdx.x] = shape.rows + n;
}
EOF
run port n.cu --target cpu
prints '    count_type rounds = n + 1;' 'a number whose type is a typedef'
prints '    Mode mode = n > 3 ? EXACT : FAST;' 'an enumerator'
prints '    for (count_type k = rounds; k > 0; k--) {' 'a loop that counts in a typedef'
prints '        if (mode == EXACT) CM_BARRIER(__syncthreads());' 'a branch over an enumerator'
prints 'CM_OBJECT(shape, Shape);' 'an object'

# A launch that is written anew has its arguments in it, and what they read of threadIdx.
cat >lambda.cu <<'EOF'
struct index_type {
    int n;
    __host__ __device__ index_type(int i) : n(i) {}
};
template <class F> __global__ void lambda_kernel(F f) { f(); }
void fill(int n, int *p) {
    lambda_kernel<<<n, 32, 0, 0>>>([=] __device__() mutable {
        const index_type i = threadIdx.x;
        p[i.n] = i.n;
    });
}
EOF
run port --target cpu lambda.cu
exits 0 'threadIdx in the arguments of a launch'
prints 'cm::launch(CM_KERNEL(lambda_kernel), n, 32, 0, 0)([=]' 'the launch is rewritten'

cat >masks.cu <<'EOF'
template <typename T> __device__ T sum(T v, unsigned mask = 0xffffffff) {
    return v + __shfl_down_sync(mask, v, 1);
}
__global__ void some(float *p) {
    if (threadIdx.x < 20) { p[0] = __shfl_xor_sync(0xfffff, p[0], 1); __syncwarp(0xfffff); }
    p[1] = __shfl_sync(0xffffffff, sum(p[0]), 0);
}
EOF
run port --target xpu --kernels sycl masks.cu
exits 0 'masks that may leave lanes out'
says 'masks.cu:2:16: to verify: the mask of `__shfl_down_sync` may leave lanes out' 'a default is no mask'
says 'masks.cu:5:36: to verify: the mask of `__shfl_xor_sync` may leave lanes out' 'a number'
says 'masks.cu:5:71: to verify: the mask of `__syncwarp` may leave lanes out' 'another on its line'
says ' 3 to verify, 0 manual' 'a full mask is no question'
cat >limits.cu <<'EOF'
__global__ void k(int **p) { *p = new int(1); }
EOF
run port --target xpu --kernels sycl limits.cu
says "limits.cu:1:35: manual: What SYCL's kernels may not do: \`new\`" 'no heap in kernels'
run port --target xpu limits.cu
prints '#include <cuda_morph/sycl.hpp>' 'SYCL is the default'
run port --target xpu --kernels report limits.cu
prints '__global__' 'kernels stay where they are but reported'
printf '#include <torch/extension.h>\n' | cat - masks.cu >torch.cu
run port --target xpu --kernels sycl torch.cu
prints 'void some(const cm::item &item, float *p) {' 'kernels of PyTorch extensions are written, too'
prints '#include <cuda_morph/sycl/aten.hpp>' 'in the context of PyTorch'
run port --target xpu --kernels report torch.cu
prints '__global__ void some(float *p) {' 'and reported where that is asked for'
run port --target cpu limits.cu
check 'the CPU has one' test "$(grep -c 'kernel-limits' "$err")" = 0

run port --target cpu masks.cu
check 'only SYCL asks for it' test "$(grep -c 'to verify' "$err")" = 0

done_testing
