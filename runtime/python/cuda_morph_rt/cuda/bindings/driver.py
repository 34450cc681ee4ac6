# SPDX-License-Identifier: Apache-2.0
"""The driver API: memory is the process's own, kernels are those of cuda_morph_rt.kernels."""

import ctypes
import enum
import os

import numpy

from ... import kernels
from .nvrtc import MARK


class CUresult(enum.IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_INVALID_DEVICE = 101
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209
    CUDA_ERROR_NOT_FOUND = 500
    CUDA_ERROR_LAUNCH_FAILED = 719


_GOOD = CUresult.CUDA_SUCCESS


class _Handle(int):
    """A handle is a number, as NVIDIA's are for most purposes."""

    def getPtr(self):
        return int(self)

    def __repr__(self):
        return f"<{type(self).__name__} {int(self)}>"


class CUdevice(_Handle):
    pass


class CUcontext(_Handle):
    pass


class CUstream(_Handle):
    pass


class CUevent(_Handle):
    pass


class CUdeviceptr(_Handle):
    pass


class CUdevice_attribute(enum.IntEnum):
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95


_VALUES = {1: 1024, 8: 49152, 10: 32, 16: os.cpu_count() or 1, 41: 1, 75: 8, 76: 0, 83: 1, 95: 1}


def _status(*arguments, **options):
    return (_GOOD,)


cuInit = cuCtxSetCurrent = cuCtxSynchronize = cuStreamSynchronize = _status
cuCtxDestroy = cuStreamDestroy = cuModuleUnload = cuDevicePrimaryCtxRelease = _status
cuEventRecord = cuEventSynchronize = cuEventDestroy = cuStreamWaitEvent = _status
cuFuncSetAttribute = cuCtxPushCurrent = _status


def cuGetErrorName(error):
    return _GOOD, CUresult(error).name.encode()


cuGetErrorString = cuGetErrorName


def cuDriverGetVersion():
    return _GOOD, 12090


def cuDeviceGetCount():
    return _GOOD, 1


def cuDeviceGet(ordinal):
    return (_GOOD, CUdevice(0)) if ordinal == 0 else (CUresult.CUDA_ERROR_INVALID_DEVICE, None)


def cuDeviceGetName(length, device):
    return _GOOD, b"CPU"


def cuDeviceGetAttribute(attribute, device):
    value = _VALUES.get(int(attribute))
    return (CUresult.CUDA_ERROR_INVALID_VALUE, None) if value is None else (_GOOD, value)


def _context(*arguments):
    return _GOOD, CUcontext(1)


cuCtxCreate = cuDevicePrimaryCtxRetain = cuCtxGetCurrent = cuCtxPopCurrent = _context


def cuCtxGetDevice():
    return _GOOD, CUdevice(0)


def cuStreamCreate(flags):
    return _GOOD, CUstream(1)


def cuEventCreate(flags):
    return _GOOD, CUevent(1)


# ---- memory ----

_memory = {}


def cuMemAlloc(size):
    if size <= 0:
        return CUresult.CUDA_ERROR_INVALID_VALUE, None
    try:
        block = numpy.zeros(int(size) + 256, numpy.uint8)
    except MemoryError:
        return CUresult.CUDA_ERROR_OUT_OF_MEMORY, None
    address = (block.ctypes.data + 255) & ~255
    _memory[address] = block
    return _GOOD, CUdeviceptr(address)


def cuMemAllocManaged(size, flags):
    return cuMemAlloc(size)


def cuMemAllocAsync(size, stream):
    return cuMemAlloc(size)


def cuMemFree(pointer):
    found = _memory.pop(int(pointer), None)
    return (_GOOD if found is not None else CUresult.CUDA_ERROR_INVALID_VALUE,)


def cuMemFreeAsync(pointer, stream):
    return cuMemFree(pointer)


def _address(place):
    address = kernels.address_of(place)
    if address is not None:
        return address
    if isinstance(place, (bytes, bytearray, memoryview)):
        return numpy.frombuffer(place, numpy.uint8).ctypes.data
    return int(place)


def cuMemcpyHtoD(destination, source, size):
    ctypes.memmove(_address(destination), _address(source), int(size))
    return (_GOOD,)


cuMemcpyDtoH = cuMemcpyDtoD = cuMemcpy = cuMemcpyHtoD


def cuMemcpyHtoDAsync(destination, source, size, stream):
    return cuMemcpyHtoD(destination, source, size)


cuMemcpyDtoHAsync = cuMemcpyDtoDAsync = cuMemcpyAsync = cuMemcpyHtoDAsync


def cuMemsetD8(pointer, value, count):
    ctypes.memset(int(pointer), int(value) & 0xFF, int(count))
    return (_GOOD,)


def cuMemsetD32(pointer, value, count):
    words = numpy.full(int(count), int(value), numpy.uint32)
    ctypes.memmove(int(pointer), words.ctypes.data, words.nbytes)
    return (_GOOD,)


# ---- modules ----


class CUmodule:
    def __init__(self, library=None):
        self.library = library


class CUfunction:
    def __init__(self, kernel=None):
        self.kernel = kernel


def cuModuleLoadData(image):
    data = image if isinstance(image, bytes) else bytes(memoryview(image).cast("B"))
    if not data.startswith(MARK):
        return CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU, None
    path = data[len(MARK) :].split(b"\0")[0].decode()
    return _GOOD, CUmodule(kernels.load(path))


def cuModuleLoadDataEx(image, numOptions=0, options=(), optionValues=()):
    return cuModuleLoadData(image)


def cuModuleGetFunction(module, name):
    name = name.decode() if isinstance(name, bytes) else name
    try:
        return _GOOD, CUfunction(module.library.kernel(name))
    except KeyError:
        return CUresult.CUDA_ERROR_NOT_FOUND, None


def cuModuleGetGlobal(module, name):
    name = name.decode() if isinstance(name, bytes) else name
    try:
        return _GOOD, CUdeviceptr(module.library.variable(name)), module.library.size(name)
    except KeyError:
        return CUresult.CUDA_ERROR_NOT_FOUND, None, 0


def _addresses(parameters, kernel):
    """(values, types), or an array of addresses."""
    if isinstance(parameters, (int, numpy.integer)) or parameters is None:
        table = (ctypes.c_void_p * len(kernel.sizes)).from_address(int(parameters or 0))
        return list(table), None
    if isinstance(parameters, numpy.ndarray):
        return [int(a) for a in parameters], parameters
    values, types = parameters
    kept = []
    for value, kind in zip(values, types):
        if kind is None or kind is ctypes.c_void_p:
            address = value.getPtr() if hasattr(value, "getPtr") else _address(value)
            kept.append(ctypes.c_void_p(address))
        else:
            kept.append(kind(value))
    return [ctypes.addressof(k) for k in kept], kept


def cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra=0, cooperative=False):
    addresses, kept = _addresses(parameters, f.kernel)
    if len(addresses) != len(f.kernel.sizes):
        return (CUresult.CUDA_ERROR_INVALID_VALUE,)
    if isinstance(kept, list):
        for value, size in zip(kept, f.kernel.sizes):
            if ctypes.sizeof(value) != size:
                raise TypeError(
                    f"kernel {f.kernel.name}: an argument of {size} bytes is given "
                    f"{ctypes.sizeof(value)}"
                )
    try:
        f.kernel.launch((gx, gy, gz), (bx, by, bz), addresses, int(shared or 0), cooperative)
    except RuntimeError:
        return (CUresult.CUDA_ERROR_LAUNCH_FAILED,)
    return (_GOOD,)


def cuLaunchCooperativeKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters):
    return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, 0, True)
