# SPDX-License-Identifier: Apache-2.0
# PyCUDA's arrays: elementwise kernels, reductions, scans, and a kernel over GPUArrays' memory.
import numpy as np
import pycuda.autoinit
import pycuda.cumath as cumath
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

rng = np.random.default_rng(11)
x = rng.standard_normal(1000).astype(np.float32)
gx = gpuarray.to_gpu(x)

clip = ElementwiseKernel(
    "float *y, const float *x, float low, float high",
    "y[i] = clip(x[i], low, high)",
    "clip_kernel",
    preamble="__device__ float clip(float v, float a, float b) { return fminf(fmaxf(v, a), b); }",
)
gy = gpuarray.empty_like(gx)
clip(gy, gx, np.float32(-0.5), np.float32(0.75))
np.testing.assert_array_equal(gy.get(), np.clip(x, np.float32(-0.5), np.float32(0.75)))

norm = ReductionKernel(np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]",
                       arguments="const float *x")
np.testing.assert_allclose(float(norm(gx).get()), (x * x).sum(), rtol=1e-4)
largest = ReductionKernel(np.float32, "-1e30f", "a > b ? a : b", arguments="float *in", name="largest")
assert largest(gx).get() == x.max()

inclusive = InclusiveScanKernel(np.int32, "a+b")
exclusive = ExclusiveScanKernel(np.int32, "a > b ? a : b", neutral=-(2**31))
numbers = rng.integers(-50, 50, 777, dtype=np.int32)
g = gpuarray.to_gpu(numbers)
inclusive(g)
np.testing.assert_array_equal(g.get(), np.cumsum(numbers, dtype=np.int32))
g = gpuarray.to_gpu(numbers)
exclusive(g)
np.testing.assert_array_equal(g.get()[1:], np.maximum.accumulate(numbers)[:-1])

transpose = SourceModule("""
__global__ void transpose(float *out, const float *in, int w, int h)
{
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
""").get_function("transpose")
m = gpuarray.to_gpu(rng.standard_normal((50, 90)).astype(np.float32))
t = gpuarray.empty((90, 50), np.float32)
transpose(t, m, np.int32(90), np.int32(50), block=(32, 8, 1), grid=(3, 2))
np.testing.assert_array_equal(t.get(), m.get().T)
transpose(t.gpudata, m.gpudata, np.int32(90), np.int32(50), block=(32, 8, 1), grid=(3, 2))
np.testing.assert_array_equal(t.get(), m.get().T)
z = gpuarray.zeros(1000, np.float32)
z += gx
np.testing.assert_allclose((3 * z - gx / 2).get(), 3 * x - x / 2, rtol=1e-6)
np.testing.assert_allclose(cumath.exp(gx).get(), np.exp(x), rtol=1e-6)
np.testing.assert_allclose(float(gpuarray.sum(gx).get()), x.sum(), atol=1e-3)
np.testing.assert_allclose(float(gpuarray.dot(gx, gy).get()), x @ gy.get(), atol=1e-3)
print("pycuda_arrays", gx.shape, gx.dtype)
