# SPDX-License-Identifier: Apache-2.0
# cuda.bindings: a template by NVRTC's lowered name, a module's variable, the runtime's functions
# beside the driver's.
import numpy as np
from cuda.bindings import driver as cuda
from cuda.bindings import nvrtc
from cuda.bindings import runtime as cudart


def check(result):
    code = result[0]
    if code.value:
        if isinstance(code, cuda.CUresult):
            raise RuntimeError(cuda.cuGetErrorName(code)[1].decode())
        if isinstance(code, nvrtc.nvrtcResult):
            raise RuntimeError(nvrtc.nvrtcGetErrorString(code)[1].decode())
        raise RuntimeError(cudart.cudaGetErrorName(code)[1].decode())
    return None if len(result) == 1 else result[1] if len(result) == 2 else result[1:]


source = rb"""
__constant__ float gain;
__device__ int overflowed;
template <typename T, int N>
__global__ void moving_max(const T *in, T *out, int n) {
    __shared__ T window[128 + N - 1];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = threadIdx.x; k < 128 + N - 1; k += blockDim.x) {
        const int at = blockIdx.x * blockDim.x + k;
        window[k] = at < n ? in[at] : in[n - 1];
    }
    __syncthreads();
    T best = window[threadIdx.x];
    for (int k = 1; k < N; k++) best = max(best, window[threadIdx.x + k]);
    if (i < n) {
        out[i] = best * T(gain);
        if (out[i] > T(2)) atomicAdd(&overflowed, 1);
    }
}
"""
prog = check(nvrtc.nvrtcCreateProgram(source, b"moving.cu", 0, None, None))
name = b"moving_max<float, 5>"
check(nvrtc.nvrtcAddNameExpression(prog, name))
options = [b"--std=c++17", b"--gpu-architecture=sm_80", b"-default-device"]
check(nvrtc.nvrtcCompileProgram(prog, len(options), options))
size = check(nvrtc.nvrtcGetCUBINSize(prog))
image = b" " * size
check(nvrtc.nvrtcGetCUBIN(prog, image))
lowered = check(nvrtc.nvrtcGetLoweredName(prog, name))
check(cuda.cuInit(0))
assert check(cudart.cudaGetDeviceCount()) > 0
device = check(cuda.cuDeviceGet(0))
context = check(cuda.cuDevicePrimaryCtxRetain(device))
check(cuda.cuCtxSetCurrent(context))
major = check(cuda.cuDeviceGetAttribute(cuda.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
assert major >= 3
module = check(cuda.cuModuleLoadData(np.char.array(image)))
kernel = check(cuda.cuModuleGetFunction(module, lowered))
where, bytes_ = check(cuda.cuModuleGetGlobal(module, b"gain"))
assert bytes_ == 4
gain = np.array([1.5], np.float32)
check(cuda.cuMemcpyHtoD(where, gain.ctypes.data, 4))

rng = np.random.default_rng(13)
n = 1000
x, y = rng.standard_normal(n).astype(np.float32), np.zeros(n, np.float32)
dx, dy = check(cudart.cudaMalloc(x.nbytes)), check(cudart.cudaMalloc(y.nbytes))
stream = check(cudart.cudaStreamCreate())
kind = cudart.cudaMemcpyKind
check(cudart.cudaMemcpyAsync(dx, x.ctypes.data, x.nbytes, kind.cudaMemcpyHostToDevice, stream))
args = [np.array([int(dx)], np.uint64), np.array([int(dy)], np.uint64), np.array(n, np.int32)]
table = np.array([a.ctypes.data for a in args], dtype=np.uint64)
check(cuda.cuLaunchKernel(kernel, (n + 127) // 128, 1, 1, 128, 1, 1, 0, stream, table, 0))
check(cudart.cudaMemcpyAsync(y.ctypes.data, dy, y.nbytes, kind.cudaMemcpyDeviceToHost, stream))
check(cudart.cudaStreamSynchronize(stream))
padded = np.concatenate([x, np.full(4, x[-1], np.float32)])
want = np.max([padded[k:k + n] for k in range(5)], axis=0) * np.float32(1.5)
np.testing.assert_allclose(y, want, rtol=1e-6)
where, _ = check(cuda.cuModuleGetGlobal(module, b"overflowed"))
count = np.zeros(1, np.int32)
check(cuda.cuMemcpyDtoH(count.ctypes.data, where, 4))
assert count[0] == (want > 2).sum() and count[0] > 0
check(cudart.cudaFree(dx))
check(cudart.cudaFree(dy))
check(cudart.cudaStreamDestroy(stream))
check(cuda.cuModuleUnload(module))
try:
    check(cuda.cuModuleGetFunction(module, b"nothing"))
except RuntimeError as error:
    assert "CUDA_ERROR" in str(error)
print("bindings_program")
