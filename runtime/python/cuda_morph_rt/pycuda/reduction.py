# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's ReductionKernel."""

import numpy

from .. import kernels
from .elementwise import declared, sent_by
from .gpuarray import GPUArray


class ReductionKernel:
    def __init__(
        self,
        dtype_out,
        neutral,
        reduce_expr,
        map_expr=None,
        arguments=None,
        name="reduce_kernel",
        keep=False,
        options=None,
        preamble="",
        allocator=None,
    ):
        self._dtype = numpy.dtype(dtype_out)
        out = kernels.type_name(self._dtype)
        self._declared = declared(arguments)
        text = (
            f'{preamble}\nextern "C" __global__ void {name}({arguments}, {out} *cm_out, '
            f"long long n) {{\n    {out} cm_sum = {neutral};\n"
            f"    for (long long i = 0; i < n; i++) {{ {out} a = cm_sum, b = ({map_expr or 'in[i]'}); "
            f"cm_sum = ({reduce_expr}); }}\n    *cm_out = cm_sum;\n}}\n"
        )
        self._kernel = kernels.load(kernels.build(text, options or ())).kernel(name)

    def __call__(self, *args, stream=None, **others):
        size = next(a.size for a, kind in zip(args, self._declared) if kind is None)
        result = GPUArray((), self._dtype)
        self._kernel(1, 1, [*sent_by(self._declared, args), result, size])
        return result
