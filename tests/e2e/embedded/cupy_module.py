# SPDX-License-Identifier: Apache-2.0
# cupy.RawModule: a bitonic sort by steps, constants by get_global, templates of half and double.
import cupy
import numpy

code = r'''
#include <cuda_fp16.h>

__constant__ float weights[5];
__device__ unsigned int launches;

extern "C" {

__global__ void bitonic_step(unsigned int *data, int j, int k) {
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned int other = i ^ j;
    if (other > i) {
        const bool up = (i & k) == 0;
        if ((data[i] > data[other]) == up) {
            unsigned int t = data[i];
            data[i] = data[other];
            data[other] = t;
        }
    }
    if (i == 0) atomicInc(&launches, 0xffffffffu);
}

__global__ void fir(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int t = -2; t <= 2; ++t) {
        int at = i + t;
        at = at < 0 ? 0 : at >= n ? n - 1 : at;
        sum = fmaf(weights[t + 2], x[at], sum);
    }
    y[i] = sum;
}

}

template<typename T> __device__ T twice(T v) { return v + v; }
template<> __device__ __half twice(__half v) { return __hadd(v, v); }

template<typename T, int STEP>
__global__ void strided_twice(T *x, long long n) {
    for (long long i = (blockIdx.x * blockDim.x + threadIdx.x) * STEP; i < n; i += gridDim.x * blockDim.x * STEP)
        x[i] = twice(x[i]);
}
'''
module = cupy.RawModule(code=code, options=('-std=c++14',), backend='nvrtc',
                        name_expressions=('strided_twice<double, 1>', 'strided_twice<__half, 2>'))
rng = numpy.random.default_rng(8)

step = module.get_function('bitonic_step')
host = rng.integers(0, 2**32, 1024, dtype=numpy.uint32)
data = cupy.array(host)
count, k = 0, 2
while k <= data.size:
    j = k >> 1
    while j > 0:
        step((4,), (256,), (data, numpy.int32(j), numpy.int32(k)))
        count += 1
        j >>= 1
    k <<= 1
numpy.testing.assert_array_equal(data.get(), numpy.sort(host))
pointer = module.get_global('launches')
launches = cupy.ndarray((1,), dtype=cupy.uint32, memptr=pointer)
assert int(launches[0]) == count

weights = cupy.ndarray((5,), cupy.float32, module.get_global('weights'))
weights[...] = cupy.asarray([0.1, 0.2, 0.4, 0.2, 0.1], dtype=cupy.float32)
x = cupy.asarray(rng.standard_normal(500), dtype='f')
y = cupy.empty_like(x)
module.get_function('fir')((4,), (128,), (x, y, x.size))
padded = numpy.pad(x.get(), 2, mode='edge')
want = sum(w * padded[i:i + 500] for i, w in enumerate([0.1, 0.2, 0.4, 0.2, 0.1]))
numpy.testing.assert_allclose(y.get(), want, atol=1e-5)

for name, dtype, stride in (('strided_twice<double, 1>', numpy.float64, 1), ('strided_twice<__half, 2>', numpy.float16, 2)):
    x = cupy.asarray(rng.standard_normal(301).astype(dtype))
    want = x.get()
    want[::stride] *= 2
    module.get_function(name)((2,), (64,), (x, numpy.int64(301)))
    numpy.testing.assert_array_equal(x.get(), want)
print("cupy_module")
