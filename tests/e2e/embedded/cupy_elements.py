# SPDX-License-Identifier: Apache-2.0
# cupy.ElementwiseKernel and ReductionKernel: raw neighbours, an out argument, options, and what
# is found by the largest.
import cupy as cp
import numpy as np

laplace = cp.ElementwiseKernel(
    'raw T u, int32 w, int32 h, T k',
    'T out',
    '''
    int x = i % w, y = i / w;
    T center = u[i];
    T sum = 0;
    if (x > 0) sum += u[i - 1] - center;
    if (x < w - 1) sum += u[i + 1] - center;
    if (y > 0) sum += u[i - w] - center;
    if (y < h - 1) sum += u[i + w] - center;
    out = center + k * sum;
    ''',
    'laplace')
bilinear = cp.ElementwiseKernel(
    in_params='raw float32 image, float32 x, float32 y, int32 width, int32 height',
    out_params='float32 v',
    operation=r'''
        const int x0 = min(max((int)floorf(x), 0), width - 2);
        const int y0 = min(max((int)floorf(y), 0), height - 2);
        const float fx = x - x0, fy = y - y0;
        const float *p = &image[y0 * width + x0];
        v = lerp(lerp(p[0], p[1], fx), lerp(p[width], p[width + 1], fx), fy);
    ''',
    name='bilinear',
    preamble='''
        __device__ __forceinline__ float lerp(float a, float b, float t) { return a + t * (b - a); }
    ''',
    options=('--use_fast_math',))
polar = cp.ElementwiseKernel('T x, T y', 'T r, T a', 'r = hypot(x, y); a = atan2(y, x)', 'polar')
where_mask = cp.ElementwiseKernel('bool m, T a, T b', 'T c', 'c = m ? a : b', 'where_mask', no_return=False)

rng = np.random.default_rng(9)
u = rng.standard_normal((20, 30))
p = np.pad(u, 1, mode='edge')
want = u + 0.2 * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * u)
out = cp.empty_like(cp.asarray(u))
laplace(cp.asarray(u), 30, 20, 0.2, out)
np.testing.assert_allclose(cp.asnumpy(out), want, atol=1e-12)

image = rng.random((12, 17)).astype(np.float32)
x = rng.random(200).astype(np.float32) * 16
y = rng.random(200).astype(np.float32) * 11
got = bilinear(cp.asarray(image), cp.asarray(x), cp.asarray(y), 17, 12)
x0, y0 = np.clip(np.floor(x).astype(int), 0, 15), np.clip(np.floor(y).astype(int), 0, 10)
fx, fy = x - x0, y - y0
want = (image[y0, x0] * (1 - fx) * (1 - fy) + image[y0, x0 + 1] * fx * (1 - fy)
        + image[y0 + 1, x0] * (1 - fx) * fy + image[y0 + 1, x0 + 1] * fx * fy)
np.testing.assert_allclose(got.get(), want, atol=1e-5)

a, b = (rng.standard_normal((3, 1, 5)).astype(np.float32), rng.standard_normal((4, 1)).astype(np.float32))
r, angle = polar(cp.asarray(a), cp.asarray(b))
np.testing.assert_allclose(r.get(), np.hypot(a, b), rtol=1e-5)
np.testing.assert_allclose(angle.get(), np.arctan2(b, a + 0 * b), rtol=1e-4, atol=1e-6)
mask = rng.random(50) < 0.5
left, right = cp.arange(50, dtype=cp.int64), -cp.arange(50, dtype=cp.int64)
np.testing.assert_array_equal(
    where_mask(cp.asarray(mask), left, right).get(), np.where(mask, np.arange(50), -np.arange(50)))

logsumexp = cp.ReductionKernel('T x, T m', 'T y', 'exp(x - m)', 'a + b', 'y = log(a)', '0', 'logsumexp')
count = cp.ReductionKernel('T x, T low, T high', 'int64 n', 'x >= low && x < high', 'a + b', 'n = a', '0',
                           'count_between', reduce_type='long long')
z = rng.standard_normal((6, 40))
m = z.max(axis=1, keepdims=True)
got = logsumexp(cp.asarray(z), cp.asarray(m), axis=1) + cp.asarray(m[:, 0])
np.testing.assert_allclose(got.get(), np.log(np.exp(z).sum(1)), rtol=1e-12)
assert int(count(cp.asarray(z), -0.5, 0.5)) == int(((z >= -0.5) & (z < 0.5)).sum())
print("cupy_elements")
