# SPDX-License-Identifier: Apache-2.0
# Kernels by cuda.bindings and cuda.core against what NumPy computes; each prints its name.
import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc
from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

SAXPY = """extern "C" __global__
void saxpy(float a, float *x, float *y, float *out, size_t n) {
    size_t tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n) out[tid] = a * x[tid] + y[tid];
}"""


def good(result):
    assert int(result[0]) == 0, result
    return result[1] if len(result) == 2 else result[1:]


# 12: as in the documentation of cuda.bindings
good(driver.cuInit(0))
device = good(driver.cuDeviceGet(0))
context = good(driver.cuCtxCreate(0, device))
program = good(nvrtc.nvrtcCreateProgram(SAXPY.encode(), b"saxpy.cu", 0, [], []))
good(nvrtc.nvrtcCompileProgram(program, 2, [b"--fmad=false", b"--gpu-architecture=compute_80"]))
image = b" " * good(nvrtc.nvrtcGetPTXSize(program))
good(nvrtc.nvrtcGetPTX(program, image))
kernel = good(driver.cuModuleGetFunction(good(driver.cuModuleLoadData(image)), b"saxpy"))
N = 1000
x, y, out = np.arange(N, dtype=np.float32), np.ones(N, dtype=np.float32), np.zeros(N, np.float32)
stream = good(driver.cuStreamCreate(0))
px, py, po = (good(driver.cuMemAlloc(x.nbytes)) for _ in range(3))
good(driver.cuMemcpyHtoDAsync(px, x.ctypes.data, x.nbytes, stream))
good(driver.cuMemcpyHtoDAsync(py, y.ctypes.data, y.nbytes, stream))
arguments = [np.array([2], np.float32)]
arguments += [np.array([int(p)], np.uint64) for p in (px, py, po)] + [np.array([N], np.uint64)]
table = np.array([a.ctypes.data for a in arguments], np.uint64)
good(driver.cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, table.ctypes.data, 0))
good(driver.cuMemcpyDtoHAsync(out.ctypes.data, po, out.nbytes, stream))
good(driver.cuStreamSynchronize(stream))
assert np.array_equal(out, 2 * x + 1)
print("saxpy by addresses")
values = (3.0, px, py, po, N), (ctypes.c_float, None, None, None, ctypes.c_size_t)
good(driver.cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, values, 0))
good(driver.cuMemcpyDtoH(out.ctypes.data, po, out.nbytes))
assert np.array_equal(out, 3 * x + 1)
print("saxpy by types")
broken = good(nvrtc.nvrtcCreateProgram(b"__global__ void f() { nonsense; }", b"f.cu", 0, [], []))
print("broken", nvrtc.nvrtcCompileProgram(broken, 0, [])[0].name)
log = b" " * good(nvrtc.nvrtcGetProgramLogSize(broken))
good(nvrtc.nvrtcGetProgramLog(broken, log))
print("log", b"nonsense" in log)
print("PTX", driver.cuModuleLoadData(b".version 8.0\n")[0].name)

# 13: cuda.core, a template by its name
device = Device()
device.set_current()
stream = device.create_stream()
code = """template <typename T> __global__ void scale(T *x, T f, size_t n) {
    const size_t first = threadIdx.x + blockIdx.x * blockDim.x;
    for (size_t i = first; i < n; i += gridDim.x * blockDim.x) x[i] *= f;
}"""
options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
module = Program(code, code_type="c++", options=options).compile(
    "cubin", name_expressions=("scale<float>", "scale<double>")
)
numbers = np.arange(100.0)
launch(
    stream, LaunchConfig(grid=2, block=32), module.get_kernel("scale<double>"),
    numbers.ctypes.data, np.float64(4), np.uint64(100),
)
stream.sync()
assert np.array_equal(numbers, 4 * np.arange(100.0))
print("scale<double>")
