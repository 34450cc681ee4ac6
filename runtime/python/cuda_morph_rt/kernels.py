# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ in Python's strings, on the CPU: what CuPy, PyCUDA and NVIDIA's own bindings compile with
NVRTC is ported and compiled by `cuda-morph cc`, and its kernels are called over NumPy's memory.

A launch has ended when it returns. What an argument's type cannot tell, as which number a Python
float should be, is a TypeError, never a guess."""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile

import numpy

_folder = None  # where the compiled kernels of this process are
# Headers that CuPy and PyCUDA bring along for the text of kernels.
_COMPLEX = "#include <thrust/complex.h>\n"
_HEADERS = {
    "cupy/complex.cuh": _COMPLEX
    + "using thrust::complex;\nusing thrust::arg;\nusing thrust::conj;\n",
    "pycuda-complex.hpp": _COMPLEX + "namespace pycuda {\nusing namespace thrust;\n}\n",
}
# What NVRTC is told of NVIDIA's code, or of where functions without a word are: nothing here.
_OF_NVRTC = (
    "--gpu-architecture",
    "-arch",
    "-default-device",
    "--device-as-default-execution-space",
    "--device-int128",
    "-device-int128",
    "--builtin-",
    "-builtin-",
    "--extra-device-vectorization",
    "-extra-device-vectorization",
    "--dlink-time-opt",
    "-dlto",
    "--minimal",
    "-minimal",
    "--no-cache",
    "--pch",
    "-pch",
    "--jump-table-density",
    "-jump-table-density",
    "--version-ident",
    "--time",
)
_libraries = {}


class CompileError(Exception):
    """The source was not compiled; the message is what the compiler said."""


def _program():
    program = os.environ.get("CUDA_MORPH_PROGRAM") or os.environ.get("CUDA_MORPH")
    return program or shutil.which("cuda-morph") or "cuda-morph"


def _made_in():
    global _folder
    if _folder is None:
        _folder = tempfile.TemporaryDirectory(prefix="cuda-morph-kernels-")
        for name, text in _HEADERS.items():
            path = os.path.join(_folder.name, "include", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(text)
    return _folder.name


def build(source, options=(), names=()):
    """The path of a shared library of the source's kernels. `names`: expressions, as
    "scale<float>", that kernels are asked for by; they become expression_0, expression_1 ..."""
    text = source.decode() if isinstance(source, bytes) else source
    if names:
        text = "#include <cuda_morph/module.h>\n#line 1\n" + text + "\n"
    for number, name in enumerate(names):
        text += f"CM_MODULE_KERNEL(expression_{number}, {name});\n"
    options = [o.decode() if isinstance(o, bytes) else str(o) for o in options]
    options = [o for o in options if not o.startswith(_OF_NVRTC)]
    key = hashlib.sha256("\0".join([text, *options]).encode()).hexdigest()[:24]
    path = os.path.join(_made_in(), key + ".so")
    if not os.path.exists(path):
        file = os.path.join(_made_in(), key + ".cu")
        with open(file, "w") as out:
            out.write(text)
        command = [_program(), "cc", "--target", "cpu", "-shared", "-Xcompiler", "-fPIC", "-Xlinker"]
        command += ["-Bsymbolic", "-DCM_MODULE", "-w", "-o", path, *options]
        command += ["-I" + os.path.join(_made_in(), "include"), file]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError as error:
            raise CompileError(f"cuda-morph is needed to compile kernels: {error}") from None
        if done.returncode or not os.path.exists(path):
            raise CompileError(done.stdout.decode("utf-8", "replace"))
    return path


class _Dim(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in "xyz"]


class _Shape(ctypes.Structure):  # cm::detail::shape
    _fields_ = [
        ("grid", _Dim),
        ("block", _Dim),
        ("shared", ctypes.c_size_t),
        ("stream", ctypes.c_void_p),
        ("cooperative", ctypes.c_int),
    ]


class _Kernel(ctypes.Structure):  # cmModuleKernel
    _fields_ = [
        ("name", ctypes.c_char_p),
        (
            "launch",
            ctypes.CFUNCTYPE(
                ctypes.c_int, ctypes.POINTER(_Shape), ctypes.POINTER(ctypes.c_void_p)
            ),
        ),
        ("count", ctypes.c_uint),
        ("sizes", ctypes.POINTER(ctypes.c_uint)),
    ]


def three(size):
    """A grid or a block as three numbers."""
    size = (size,) if isinstance(size, (int, numpy.integer)) else tuple(size)
    return tuple(int(n) for n in size) + (1,) * (3 - len(size))


class Library:
    """What build() made."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)

    def kernel(self, name):
        return Kernel(self._library, name)

    def variable(self, name):
        """The address of a __device__ or __constant__ variable."""
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self._library, name))
        except ValueError:
            raise KeyError(f"no variable {name} with C's linkage is in the module") from None

    def size(self, name):
        """How many bytes such a variable has, by the symbol that the linker wrote."""
        found, symbol = (ctypes.c_void_p * 4)(), ctypes.c_void_p()
        look = ctypes.CDLL(None).dladdr1
        look.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        if not look(self.variable(name), found, ctypes.byref(symbol), 1) or not symbol.value:
            raise KeyError(f"nothing says how large {name} is")
        return ctypes.c_uint64.from_address(symbol.value + 16).value  # Elf64_Sym's st_size


def load(path):
    if path not in _libraries:
        _libraries[path] = Library(path)
    return _libraries[path]


class Kernel:
    """One kernel: called with a shape and its arguments."""

    def __init__(self, library, name):
        self.name, self._library = name, library
        try:
            self._kernel = _Kernel.in_dll(library, "cm_kernel_" + name)
        except ValueError:
            raise KeyError(
                f"no kernel {name} is in the module: is it extern \"C\" and __global__?"
            ) from None
        self.sizes = [self._kernel.sizes[n] for n in range(self._kernel.count)]

    def __call__(self, grid, block, arguments, shared=0, cooperative=False):
        if len(arguments) != len(self.sizes):
            raise TypeError(
                f"kernel {self.name} takes {len(self.sizes)} arguments, {len(arguments)} given"
            )
        kept = [_bytes_of(a, n, self) for a, n in zip(arguments, self.sizes)]
        self.launch(grid, block, [ctypes.addressof(k) for k in kept], shared, cooperative)

    def launch(self, grid, block, addresses, shared=0, cooperative=False):
        """With the addresses of its arguments."""
        shape = _Shape(_Dim(*three(grid)), _Dim(*three(block)), shared, None, cooperative)
        pointers = (ctypes.c_void_p * (len(addresses) + 1))(*addresses)
        error = self._kernel.launch(ctypes.byref(shape), pointers)
        error = error or self._library.cmDeviceSynchronize()
        if error:
            text = self._library.cmGetErrorString
            text.restype = ctypes.c_char_p
            self._library.cmGetLastError()
            raise RuntimeError(f"kernel {self.name}: {text(error).decode()}")


def address_of(value):
    """The address that an object of some library stands for, or None."""
    if isinstance(value, numpy.ndarray):
        return value.__array_interface__["data"][0]
    for name in ("data_ptr", "__cuda_morph_address__"):
        if callable(getattr(value, name, None)):
            return getattr(value, name)()
    interface = getattr(value, "__array_interface__", None)
    if isinstance(interface, dict) and not isinstance(value, numpy.generic):
        return interface["data"][0]
    return None


def _bytes_of(value, size, kernel):
    """The argument as it lies in memory: an object that keeps it."""
    address = address_of(value)
    if address is not None:
        value = numpy.uint64(address)
    if isinstance(value, ctypes._SimpleCData):
        value = numpy.array(value.value, dtype=type(value))[()] if value.value is not None else 0
    if isinstance(value, (bool, int)) and not isinstance(value, numpy.generic):
        if size > 8:
            raise TypeError(f"kernel {kernel.name}: a number is given for {size} bytes")
        return ctypes.create_string_buffer(
            (int(value) % (1 << 64)).to_bytes(8, "little")[:size], size
        )
    if value is None:
        return ctypes.create_string_buffer(bytes(size), size)
    if isinstance(value, float) and not isinstance(value, numpy.generic):
        value = numpy.float64(value)
    if isinstance(value, complex) and not isinstance(value, numpy.generic):
        value = numpy.complex128(value)
    raw = value.tobytes() if hasattr(value, "tobytes") else bytes(value)
    if len(raw) != size:
        raise TypeError(
            f"kernel {kernel.name}: an argument of {size} bytes is given {len(raw)}, "
            f"{type(value).__name__}: say which number it is, as numpy.float32(x)"
        )
    return ctypes.create_string_buffer(raw, size)


# What C++ calls NumPy's types.
NAMES = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float16": "__half",
    "float32": "float",
    "float64": "double",
    "complex64": "thrust::complex<float>",
    "complex128": "thrust::complex<double>",
}


def type_name(dtype):
    try:
        return NAMES[numpy.dtype(dtype).name]
    except KeyError:
        raise TypeError(f"kernels of {numpy.dtype(dtype)} are not there on the CPU") from None
