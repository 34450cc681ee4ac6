# SPDX-License-Identifier: Apache-2.0
"""The runtime API, over the driver's."""

import enum

from . import driver


class cudaError_t(enum.IntEnum):
    cudaSuccess = 0
    cudaErrorInvalidValue = 1
    cudaErrorMemoryAllocation = 2
    cudaErrorInvalidDevice = 101


class cudaMemcpyKind(enum.IntEnum):
    cudaMemcpyHostToHost = 0
    cudaMemcpyHostToDevice = 1
    cudaMemcpyDeviceToHost = 2
    cudaMemcpyDeviceToDevice = 3
    cudaMemcpyDefault = 4


_GOOD = cudaError_t.cudaSuccess


class cudaStream_t(driver.CUstream):
    pass


def _status(*arguments, **options):
    return (_GOOD,)


cudaDeviceSynchronize = cudaStreamSynchronize = cudaStreamDestroy = cudaEventRecord = _status
cudaGetLastError = cudaPeekAtLastError = cudaDeviceReset = cudaEventDestroy = _status


def cudaGetDeviceCount():
    return _GOOD, 1


def cudaGetDevice():
    return _GOOD, 0


def cudaSetDevice(device):
    return (_GOOD if int(device) == 0 else cudaError_t.cudaErrorInvalidDevice,)


def cudaStreamCreate():
    return _GOOD, cudaStream_t(1)


def cudaMalloc(size):
    status, pointer = driver.cuMemAlloc(size)
    return cudaError_t(int(status)), pointer


def cudaMallocManaged(size, flags):
    return cudaMalloc(size)


def cudaFree(pointer):
    return (cudaError_t(int(driver.cuMemFree(pointer)[0])),)


def cudaMemcpy(destination, source, size, kind):
    return (cudaError_t(int(driver.cuMemcpy(destination, source, size)[0])),)


def cudaMemcpyAsync(destination, source, size, kind, stream):
    return cudaMemcpy(destination, source, size, kind)


def cudaMemset(pointer, value, size):
    return (cudaError_t(int(driver.cuMemsetD8(pointer, value, size)[0])),)


def cudaGetErrorName(error):
    return _GOOD, cudaError_t(error).name.encode()


cudaGetErrorString = cudaGetErrorName
