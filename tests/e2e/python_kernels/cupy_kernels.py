# SPDX-License-Identifier: Apache-2.0
# Kernels in CuPy's strings against what NumPy computes; each prints its name.
import cupy as cp
import numpy as np
from cupy import ElementwiseKernel, RawKernel, ReductionKernel

rng = np.random.default_rng(5)


def same(name, got, want, atol=0.0):
    got = cp.asnumpy(got)
    assert got.shape == np.shape(want) and np.allclose(got, want, rtol=1e-5, atol=atol), name
    print(name)


# 1: a kernel with C's linkage, two dimensions of threads, bounds
add = RawKernel(
    r"""
extern "C" __global__ void add(const float *a, const float *b, float *c, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) c[y * w + x] = a[y * w + x] + b[y * w + x];
}""",
    "add",
)
a, b = (cp.asarray(rng.standard_normal((37, 53)), dtype=cp.float32) for _ in range(2))
c = cp.zeros_like(a)
add((4, 5), (16, 8), (a, b, c, np.int32(53), 37))
same("add", c, a.get() + b.get())

# 2: barriers and dynamic shared memory
reduce_sum = cp.RawKernel(
    r"""
extern "C" __global__ void reduce_sum(const double *in, double *out, int n) {
    extern __shared__ double part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}""",
    "reduce_sum",
)
x = cp.asarray(rng.standard_normal(1000))
parts = cp.zeros(8)
reduce_sum((8,), (128,), (x, parts, 1000), shared_mem=128 * 8)
same("reduce_sum", parts.sum(), x.get().sum())

# 3: operations of a warp
warp_sum = cp.RawKernel(
    r"""
extern "C" __global__ void warp_sum(const float *in, float *out) {
    float v = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}""",
    "warp_sum",
    options=("-std=c++14",),
)
x = cp.asarray(rng.standard_normal(64), dtype=cp.float32)
out = cp.empty(2, dtype=cp.float32)
warp_sum((1,), (64,), (x, out))
same("warp_sum", out, x.get().reshape(2, 32).sum(1), 1e-5)

# 4: a module of templates, by name expressions; atomics
module = cp.RawModule(
    code=r"""
template <typename T, int N> __global__ void histogram(const T *in, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[int(in[i]) % N], 1);
}
__constant__ float factor[2];
extern "C" __global__ void scaled(float *x) { x[threadIdx.x] *= factor[threadIdx.x % 2]; }
""",
    options=("--std=c++17",),
    name_expressions=["histogram<float, 10>", "histogram<int, 7>"],
)
values = cp.asarray(rng.integers(0, 100, 500), dtype=cp.int32)
bins = cp.zeros(7, dtype=cp.int32)
module.get_function("histogram<int, 7>")((4,), (128,), (values, bins, 500))
same("histogram<int>", bins, np.bincount(values.get() % 7, minlength=7))
bins = cp.zeros(10, dtype=cp.int32)
floats = values.astype(cp.float32)
module.get_function("histogram<float, 10>")((4,), (128,), (floats, bins, 500))
same("histogram<float>", bins, np.bincount(values.get() % 10, minlength=10))

# 5: elements, of types that the arrays say, broadcast
squared = ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
a = cp.arange(10, dtype=cp.float32).reshape(2, 5)
same("squared", squared(a, cp.arange(5, dtype=cp.float32)), (a.get() - np.arange(5)) ** 2)
same("squared of a number", squared(a.astype(cp.float64), 3.0), (a.get() - 3.0) ** 2)
reverse = ElementwiseKernel(
    "raw T x", "T y", "y = x[_ind.size() - i - 1] * twice(1)", "reverse",
    preamble="__device__ int twice(int n) { return 2 * n; }",
)
same("reverse", reverse(cp.arange(6.0), size=6), np.arange(6.0)[::-1] * 2)
both = ElementwiseKernel("int32 n", "int32 q, int32 r", "q = n / 3; r = n % 3", "both")
q, r = both(cp.arange(9, dtype=cp.int32))
same("quotient", q, np.arange(9) // 3)
same("remainder", r, np.arange(9) % 3)
view = cp.zeros((4, 4), dtype=cp.float32)
squared(a[:, :2], a[:, 1:3], view[::2, ::2])
same("strided result", view[::2, ::2], np.ones((2, 2)))

# 6: reductions
norm = ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
same("norm", norm(a, axis=1), np.sqrt((a.get() ** 2).sum(1)))
same("norm of all", norm(a), np.sqrt((a.get() ** 2).sum()))
largest = ReductionKernel("float64 x", "float64 y", "x", "max(a, b)", "y = a", "-1e300", "largest")
same("largest", largest(x.astype(cp.float64), keepdims=True), x.get().max(keepdims=True))

# What was NumPy's is copied, also by asarray(); what is CuPy's is the same memory.
host = np.arange(4, dtype=np.float32)
for copied in (cp.asarray, cp.array, cp.ascontiguousarray, cp.asanyarray):
    device = copied(host)
    device += 1
    assert (host == np.arange(4)).all() and (device.get() == host + 1).all(), copied.__name__
assert cp.asarray(device) is device and cp.array(device) is not device
same("sum of an array", device.sum().get() + cp.max(device).get() - device[0].get(), 13.0)
z = cp.ElementwiseKernel("complex64 a, T b", "T c", "c = a * conj(b)", "product")(
    cp.array([1 + 2j], dtype=cp.complex64), cp.array([3 - 1j], dtype=cp.complex64)
)
same("complex", z, np.array([(1 + 2j) * (3 + 1j)]))

# Numbers whose type nothing says are refused, not guessed.
try:
    add((1,), (1,), (a, a, a, 1.5, 2))
    print("accepted")
except TypeError as error:
    print("refused:", "numpy.float32" in str(error))
with cp.cuda.Stream(non_blocking=True) as stream, cp.cuda.Device(0):
    stream.synchronize()
print(cp.get_array_module(a) is cp, cp.get_array_module(a.get()) is np)
