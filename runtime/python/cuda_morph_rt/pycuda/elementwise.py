# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's ElementwiseKernel: its arguments are declared in C, all vectors have one length."""

import numpy

from .. import kernels


def _names(arguments):
    return [part.replace("*", " ").split()[-1] for part in arguments.split(",") if part.strip()]


class ElementwiseKernel:
    def __init__(self, arguments, operation, name="kernel", keep=False, options=(), **others):
        after, prepare = others.get("after_loop", ""), others.get("loop_prep", "")
        self._vectors = ["*" in part for part in arguments.split(",") if part.strip()]
        text = (
            f"{others.get('preamble', '')}\n"
            f'extern "C" __global__ void {name}({arguments}, long long n) {{\n    {prepare};\n'
            "    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;\n"
            f"         i += (long long)gridDim.x * blockDim.x) {{ {operation}; }}\n    {after};\n}}\n"
        )
        self._kernel = kernels.load(kernels.build(text, options or ())).kernel(name)

    def __call__(self, *args, range=None, slice=None, stream=None, queue=None):
        vectors = [a for a, vector in zip(args, self._vectors) if vector]
        if range is not None or slice is not None:
            raise NotImplementedError("range= and slice= are not there on the CPU")
        if len({v.size for v in vectors}) != 1:
            raise ValueError("all vectors of the kernel have to be as long")
        size = vectors[0].size
        sent = [
            a if vector else _number(a, n)
            for a, vector, n in zip(args, self._vectors, self._kernel.sizes)
        ]
        self._kernel((size + 255) // 256 or 1, 256, [*sent, size])


def _number(value, size):
    """A Python float for a float or a double, whose sizes differ."""
    if isinstance(value, float) and not isinstance(value, numpy.generic) or (
        isinstance(value, numpy.floating) and value.dtype.itemsize != size
    ):
        return numpy.float32(value) if size == 4 else numpy.float64(value)
    return value
