# SPDX-License-Identifier: Apache-2.0
# cupy.RawKernel: heat in two dimensions with tiles and halos, on a stream; Mandelbrot's set in
# CuPy's complex numbers.
import cupy as cp
import numpy as np

heat = cp.RawKernel(r'''
#define TILE 16
extern "C" __global__
void heat_step(const float* __restrict__ u, float* __restrict__ v,
               const int ny, const int nx, const float k) {
    __shared__ float s[TILE + 2][TILE + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    const bool in = x < nx && y < ny;
    s[ty][tx] = in ? u[y * nx + x] : 0.f;
    if (threadIdx.x == 0)        s[ty][0]        = (x > 0 && y < ny)      ? u[y * nx + x - 1] : 0.f;
    if (threadIdx.x == TILE - 1) s[ty][TILE + 1] = (x + 1 < nx && y < ny) ? u[y * nx + x + 1] : 0.f;
    if (threadIdx.y == 0)        s[0][tx]        = (y > 0 && x < nx)      ? u[(y - 1) * nx + x] : 0.f;
    if (threadIdx.y == TILE - 1) s[TILE + 1][tx] = (y + 1 < ny && x < nx) ? u[(y + 1) * nx + x] : 0.f;
    __syncthreads();
    if (!in) return;
    v[y * nx + x] = s[ty][tx] + k * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.f * s[ty][tx]);
}
''', 'heat_step')

ny, nx = 45, 70
rng = np.random.RandomState(0)
start = rng.rand(ny, nx).astype(np.float32)
u, v = cp.array(start), cp.empty((ny, nx), dtype=cp.float32)
stream = cp.cuda.Stream()
grid = ((nx + 15) // 16, (ny + 15) // 16)
with stream:
    for _ in range(10):
        heat(grid, (16, 16), (u, v, np.int32(ny), np.int32(nx), np.float32(0.1)))
        u, v = v, u
stream.synchronize()
want = start.copy()
for _ in range(10):
    p = np.pad(want, 1)
    want = want + np.float32(0.1) * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * want)
np.testing.assert_allclose(cp.asnumpy(u), want, rtol=1e-4, atol=1e-5)

mandelbrot = cp.RawKernel(r'''
#include <cupy/complex.cuh>
extern "C" __global__
void mandelbrot(const complex<float>* c, int* n, int count, int limit) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= count) return;
    complex<float> z(0.f, 0.f);
    int k = 0;
    while (k < limit && norm(z) <= 4.f) { z = z * z + c[i]; ++k; }
    n[i] = k;
}
''', 'mandelbrot')
# Points whose orbits nowhere come near the limit by half an ulp: on a coarse lattice.
re, im = np.meshgrid(np.linspace(-2, 1, 33), np.linspace(-1.5, 1.5, 33))
c = (re + 1j * im).astype(np.complex64)
d = cp.asarray(c)
counts = cp.zeros(c.shape, dtype=cp.int32)
block = 128
mandelbrot(((c.size + block - 1) // block,), (block,), (d, counts, c.size, 30))
z, want = np.zeros_like(c), np.zeros(c.shape, dtype=np.int32)
for _ in range(30):
    going = (z.real * z.real + z.imag * z.imag) <= 4
    z = np.where(going, z * z + c, z)
    want += going
differ = int((counts.get() != want).sum())
assert differ <= 2, differ
print("cupy_raw", heat.attributes["max_threads_per_block"] >= 256, mandelbrot.name)
