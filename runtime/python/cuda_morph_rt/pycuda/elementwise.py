# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's ElementwiseKernel: its arguments are declared in C, all vectors have one length."""

import re

import numpy

from .. import kernels


class ElementwiseKernel:
    def __init__(self, arguments, operation, name="kernel", keep=False, options=(), **others):
        after, prepare = others.get("after_loop", ""), others.get("loop_prep", "")
        self._declared = declared(arguments)
        self._vectors = [kind is None for kind in self._declared]
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
        sent = sent_by(self._declared, args)
        if size:
            self._kernel((size + 255) // 256, 256, [*sent, size])


# What C calls the types of numbers.
_TYPES = {
    "float": numpy.float32,
    "double": numpy.float64,
    "bool": numpy.bool_,
    "char": numpy.int8,
    "signed char": numpy.int8,
    "unsigned char": numpy.uint8,
    "short": numpy.int16,
    "unsigned short": numpy.uint16,
    "int": numpy.int32,
    "unsigned": numpy.uint32,
    "unsigned int": numpy.uint32,
    "long": numpy.int64,
    "unsigned long": numpy.uint64,
    "long long": numpy.int64,
    "unsigned long long": numpy.uint64,
    "size_t": numpy.uint64,
    "ptrdiff_t": numpy.int64,
    "pycuda::complex<float>": numpy.complex64,
    "pycuda::complex<double>": numpy.complex128,
}
_QUALIFIERS = re.compile(r"\b(const|volatile|__restrict__)\b")


def declared(arguments):
    """Of each parameter: a NumPy type, None for a pointer, or False for a type that is unknown."""
    found = []
    for part in arguments.split(","):
        words = " ".join(_QUALIFIERS.sub(" ", part).split())
        if words:
            found.append(None if "*" in words else _TYPES.get(words.rpartition(" ")[0], False))
    return found


def sent_by(types, args):
    """The arguments as the types of their parameters, as PyCUDA packs them: 5 for a float is 5.0."""
    if len(types) != len(args):
        raise TypeError(f"the kernel takes {len(types)} arguments, {len(args)} given")
    sent = []
    for kind, a in zip(types, args):
        number = isinstance(a, (bool, int, float, complex, numpy.generic))
        sent.append(numpy.array(a).astype(kind)[()] if kind and number else a)
    return sent
