# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's arrays: NumPy's, with get(), set() and gpudata."""

import numpy

from .. import cupy as _arrays


class GPUArray(_arrays.ndarray):
    def __new__(cls, shape, dtype, allocator=None, order="C"):
        return numpy.zeros(shape, dtype, order).view(cls)

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


def sum(a, dtype=None, stream=None):
    return numpy.sum(a, dtype=dtype).reshape(()).view(GPUArray)


def max(a, stream=None):
    return numpy.max(a).reshape(()).view(GPUArray)


def min(a, stream=None):
    return numpy.min(a).reshape(()).view(GPUArray)


def dot(a, b, dtype=None, stream=None):
    return numpy.vdot(a, b).reshape(()).view(GPUArray)


def where(condition, a, b):
    return numpy.where(condition, a, b).view(GPUArray)


if_positive = where
