# SPDX-License-Identifier: Apache-2.0
# Kernels of PyCUDA's against what NumPy computes; each prints its name.
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel

rng = np.random.default_rng(7)


def same(name, got, want):
    assert np.allclose(got, want, rtol=1e-5, atol=1e-5), name
    print(name)


# 7, 8, 9: one module: arguments by In, Out and InOut, memory of one's own, prepared calls, 2D tiles
module = SourceModule("""
__global__ void multiply(float *out, const float *a, const float *b) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i] = a[i] * b[i];
}
__global__ void twice(float *x, int n) {
    int i = threadIdx.x + threadIdx.y * blockDim.x;
    if (i < n) x[i] *= 2;
}
#define TILE 8
__global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        sa[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__device__ float offset[4];
__global__ void shifted(float *x) { x[threadIdx.x] += offset[threadIdx.x % 4]; }
""")
a, b = (rng.standard_normal(400).astype(np.float32) for _ in range(2))
out = np.zeros_like(a)
module.get_function("multiply")(
    cuda.Out(out), cuda.In(a), cuda.In(b), block=(100, 1, 1), grid=(4, 1)
)
same("multiply", out, a * b)
memory = cuda.mem_alloc(a.nbytes)
cuda.memcpy_htod(memory, a)
twice = module.get_function("twice")
twice(memory, np.int32(16), block=(4, 4, 1))
twice.prepare("Pi").prepared_call((1, 1), (4, 4, 1), memory, 16)
cuda.memcpy_dtoh(out, memory)
same("twice", out, np.concatenate([a[:16] * 4, a[16:]]))
m, n = (rng.standard_normal((24, 24)).astype(np.float32) for _ in range(2))
c = np.empty_like(m)
module.get_function("matmul")(
    cuda.In(m), cuda.In(n), cuda.Out(c), np.int32(24), block=(8, 8, 1), grid=(3, 3)
)
same("matmul", c, m @ n)
address, size = module.get_global("offset")
assert size == 16, size
cuda.memcpy_htod(address, np.arange(4, dtype=np.float32))
module.get_function("shifted")(cuda.InOut(b), block=(4, 1, 1))
print("shifted", b[:4].shape)

# 10, 11: of elements, and a reduction
x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(m.ravel()[:400].copy())
z = gpuarray.empty_like(x)
linear = ElementwiseKernel("float p, float *x, float q, float *y, float *z", "z[i] = p * x[i] + q * y[i]")
linear(5.0, x, 6.0, y, z)
same("linear", z.get(), 5 * a + 6 * m.ravel()[:400])
linear(5, x, np.int64(6), y, z)
same("linear, whole numbers for floats", z.get(), 5 * a + 6 * m.ravel()[:400])
scaled = ReductionKernel(np.float32, "0", "a + b", "p * x[i]", "const float p, const float *x")
same("scaled, a whole number for a float", scaled(2, x).get(), 2 * a.sum())
dot = ReductionKernel(np.float64, "0", "a + b", "x[i] * y[i]", "float *x, float *y")
same("dot", dot(x, y).get(), float(a.astype(np.float64) @ m.ravel()[:400]))
same("expression", (2 * x + 1).get(), 2 * a + 1)

for what, wrong in (
    ("int", lambda: twice(memory, 16, block=(4, 4, 1))),
    ("host", lambda: twice(a, np.int32(16), block=(4, 4, 1))),
    ("name", lambda: module.get_function("none")),
    ("shape", lambda: twice(memory, np.int32(1), block=(4096, 1, 1))),
):
    try:
        wrong()
        print(what, "accepted")
    except Exception as error:
        print(what, type(error).__name__)
