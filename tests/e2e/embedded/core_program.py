# SPDX-License-Identifier: Apache-2.0
# cuda.core: buffers of the device's memory, a kernel with shared memory, events.
import ctypes

import numpy as np
from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

code = """
#ifndef BINS
#define BINS 16
#endif
extern "C" __global__ void histogram(const unsigned int *values, size_t n, unsigned int *bins)
{
    extern __shared__ unsigned int mine[];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&mine[values[i] % BINS], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}
template <class T> __global__ void prefix_products(T *x, int n)
{
    T p = 1;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        for (int i = 0; i < n; i++) x[i] = p *= x[i];
}
"""
dev = Device()
dev.set_current()
s = dev.create_stream()
arch = "".join(f"{i}" for i in dev.compute_capability)
prog = Program(code, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{arch}", define_macro=("BINS", "24")))
mod = prog.compile("cubin", name_expressions=("prefix_products<double>",))

rng = np.random.default_rng(12)
values = rng.integers(0, 10000, 5000, dtype=np.uint32)
mr = dev.memory_resource
source = mr.allocate(values.nbytes, stream=s)
bins = dev.allocate(24 * 4, stream=s)
ctypes.memmove(int(source.handle), values.ctypes.data, values.nbytes)
ctypes.memset(int(bins.handle), 0, 24 * 4)
config = LaunchConfig(grid=4, block=128, shmem_size=24 * 4)
launch(s, config, mod.get_kernel("histogram"), source, np.uint64(values.size), bins)
s.sync()
got = np.ctypeslib.as_array((ctypes.c_uint32 * 24).from_address(int(bins.handle)))
np.testing.assert_array_equal(got, np.bincount(values % 24, minlength=24))

x = rng.random(20) + 0.5
y = x.copy()
launch(s, LaunchConfig(grid=(1, 1, 1), block=(32, 1, 1)), mod.get_kernel("prefix_products<double>"), y.ctypes.data, np.int32(20))
s.sync()
np.testing.assert_allclose(y, np.cumprod(x))
source.close(s)
bins.close(s)
s.close()
print("core_program")
