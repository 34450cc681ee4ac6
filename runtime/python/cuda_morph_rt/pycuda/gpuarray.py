# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's arrays: NumPy's, with get(), set() and gpudata."""

import numpy

from .. import cupy as _arrays


class GPUArray(_arrays.ndarray):
    def __new__(cls, shape, dtype, allocator=None, base=None, gpudata=None, strides=None, order="C"):
        if gpudata is None:
            return numpy.zeros(shape, dtype, order).view(cls)
        return _arrays.at_address(cls, shape, dtype, gpudata, strides, order)

    @property
    def gpudata(self):
        return self.data

    @property
    def ptr(self):
        return int(self.data)

    def get(self, ary=None, pagelocked=False, **others):
        if ary is None:
            return numpy.array(self, subok=False)
        ary[...] = self
        return ary

    def set_async(self, values, stream=None):
        self.set(values)

    get_async = get


def to_gpu(array, allocator=None):
    return numpy.array(array).view(GPUArray)


def to_gpu_async(array, allocator=None, stream=None):
    return to_gpu(array)


def empty(shape, dtype=numpy.float64, allocator=None, order="C"):
    return GPUArray(shape, dtype, order=order)


zeros = empty


def empty_like(other, **others):
    return numpy.zeros_like(other, subok=False).view(GPUArray)


zeros_like = empty_like


def ones_like(other, **others):
    return numpy.ones_like(other, subok=False).view(GPUArray)


def arange(*arguments, dtype=None, **others):
    return numpy.arange(*arguments, dtype=dtype).view(GPUArray)


def _one(number):
    return numpy.array(number).view(GPUArray)


def sum(a, dtype=None, stream=None):
    return _one(numpy.sum(a.get(), dtype=dtype or a.dtype))


def max(a, stream=None):
    return _one(numpy.max(a.get()))


def min(a, stream=None):
    return _one(numpy.min(a.get()))


def dot(a, b, dtype=None, stream=None):
    return _one(numpy.dot(a.get().ravel(), b.get().ravel()).astype(dtype or a.dtype))


def where(condition, a, b):
    return numpy.where(condition, a, b).view(GPUArray)


if_positive = where
