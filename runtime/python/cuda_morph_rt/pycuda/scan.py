# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's InclusiveScanKernel and ExclusiveScanKernel: one thread goes along the array."""

import numpy

from .. import kernels


class _Scan:
    exclusive = False

    def __init__(self, dtype, scan_expr, neutral=None, name_prefix="scan", options=None, preamble="", devices=None):
        self.dtype = numpy.dtype(dtype)
        if self.exclusive and neutral is None:
            raise ValueError("neutral element is required for exclusive scan")
        word = kernels.type_name(self.dtype)
        first = f"{word}({neutral})" if self.exclusive else "in[0]"
        step = (
            "b = in[i]; out[i] = a; a = (EXPRESSION);"
            if self.exclusive
            else "if (i) { b = in[i]; a = (EXPRESSION); } out[i] = a;"
        ).replace("EXPRESSION", scan_expr)
        text = (
            f"{preamble}\nextern \"C\" __global__ void {name_prefix}(const {word} *in, {word} *out, "
            f"long long n) {{\n    {word} a = {first}, b = a;\n    (void)b;\n"
            f"    for (long long i = 0; i < n; i++) {{ {step} }}\n}}\n"
        )
        self._kernel = kernels.load(kernels.build(text, options or ())).kernel(name_prefix)

    def __call__(self, input_ary, output_ary=None, allocator=None, n=None, stream=None):
        output_ary = input_ary if output_ary is None else output_ary
        n = input_ary.size if n is None else n
        for array in (input_ary, output_ary):
            if array.dtype != self.dtype:
                raise TypeError(f"the scan is of {self.dtype}, the array of {array.dtype}")
        if n:
            self._kernel(1, 1, [input_ary, output_ary, int(n)])
        return output_ary


class InclusiveScanKernel(_Scan):
    pass


class ExclusiveScanKernel(_Scan):
    exclusive = True
