# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's functions of every element: NumPy's, of the arrays' own floats."""

import numpy


def _of(function):
    def call(array, *, out=None, stream=None, **others):
        if array.dtype.kind not in "fc":
            raise NotImplementedError(f"cumath of {array.dtype} is not there on the CPU")
        result = function(array)
        if out is None:
            return result
        out[...] = result
        return out

    call.__name__ = function.__name__
    return call


acos, asin, atan = _of(numpy.arccos), _of(numpy.arcsin), _of(numpy.arctan)
sin, cos, tan = _of(numpy.sin), _of(numpy.cos), _of(numpy.tan)
sinh, cosh, tanh = _of(numpy.sinh), _of(numpy.cosh), _of(numpy.tanh)
exp, log, log10, sqrt = _of(numpy.exp), _of(numpy.log), _of(numpy.log10), _of(numpy.sqrt)
ceil, floor, fabs = _of(numpy.ceil), _of(numpy.floor), _of(numpy.abs)


def fmod(array, modulus, stream=None):
    return numpy.fmod(array, modulus)


def frexp(array, stream=None):
    mantissa, exponent = numpy.frexp(array)
    return mantissa, exponent.astype(array.dtype)


def ldexp(significand, exponent, stream=None):
    return numpy.ldexp(significand, exponent.astype(numpy.int32))


def modf(array, stream=None):
    return numpy.modf(array)
