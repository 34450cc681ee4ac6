# SPDX-License-Identifier: Apache-2.0
"""cuda.core: Device, Stream, Buffer, Program, ObjectCode, Kernel, LaunchConfig, launch()."""

import numpy

from ... import kernels


class Stream:
    handle = 0

    def sync(self):
        """A launch has ended when it returns."""

    wait = record = close = lambda self, *arguments, **options: None


class Buffer:
    def __init__(self, size):
        self._memory = numpy.zeros(size, numpy.uint8)
        self.size = size

    @property
    def handle(self):
        return self._memory.ctypes.data

    def __cuda_morph_address__(self):
        return self.handle

    def close(self, stream=None):
        self._memory = numpy.zeros(0, numpy.uint8)

    def copy_to(self, other=None, stream=None):
        other = Buffer(self.size) if other is None else other
        other._memory[: self.size] = self._memory
        return other

    def copy_from(self, other, stream=None):
        self._memory[: other.size] = other._memory


class _Properties:
    compute_capability = (8, 0)
    warp_size, max_threads_per_block = 32, 1024
    multiprocessor_count = 1


class Device:
    compute_capability = (8, 0)
    arch = "80"
    name = "CPU"
    properties = _Properties()

    def __init__(self, device_id=0):
        if device_id not in (0, None):
            raise ValueError("there is one device, number 0")
        self.device_id = 0

    def set_current(self, context=None):
        """It is."""

    def create_stream(self, obj=None, options=None):
        return Stream()

    @property
    def default_stream(self):
        return Stream()

    def allocate(self, size, stream=None):
        return Buffer(size)

    def sync(self):
        """A launch has ended when it returns."""


class ProgramOptions:
    def __init__(self, **options):
        self.std = options.pop("std", None)
        self.include_path = options.pop("include_path", None)
        self.define_macro = options.pop("define_macro", None)

    def flags(self):
        flags = [f"-std={self.std}"] if self.std else []
        for path in _listed(self.include_path):
            flags.append(f"-I{path}")
        for macro in _listed(self.define_macro):
            flags.append("-D" + (macro if isinstance(macro, str) else "=".join(macro)))
        return flags


def _listed(value):
    one = isinstance(value, str) or isinstance(value, tuple) and len(value) == 2
    return [] if value is None else [value] if one else list(value)


class Kernel:
    def __init__(self, kernel):
        self._kernel = kernel


class ObjectCode:
    def __init__(self, library, names):
        self._library, self._names = library, names

    def get_kernel(self, name):
        name = name.decode() if isinstance(name, bytes) else name
        if name in self._names:
            name = f"expression_{self._names.index(name)}"
        return Kernel(self._library.kernel(name))


class Program:
    def __init__(self, code, code_type, options=None):
        if code_type.lower() != "c++":
            raise NotImplementedError(f"{code_type} is code for NVIDIA's GPUs")
        self._code, self._options = code, options or ProgramOptions()

    def compile(self, target_type="cubin", name_expressions=(), logs=None):
        names = [n.decode() if isinstance(n, bytes) else n for n in name_expressions]
        try:
            path = kernels.build(self._code, self._options.flags(), names)
        except kernels.CompileError as error:
            if logs is not None:
                logs.write(str(error))
            raise
        return ObjectCode(kernels.load(path), names)

    def close(self):
        """Nothing is open."""


class LaunchConfig:
    def __init__(self, grid=1, block=1, cluster=None, shmem_size=0, cooperative_launch=False):
        if cluster is not None:
            raise NotImplementedError("clusters are not there on the CPU")
        self.grid, self.block = kernels.three(grid), kernels.three(block)
        self.shmem_size, self.cooperative_launch = shmem_size or 0, cooperative_launch


def launch(stream, config, kernel, *arguments):
    if isinstance(config, Kernel):  # launch(kernel, config, ...) was its order once
        config, kernel = kernel, config
    kernel._kernel(
        config.grid, config.block, arguments, config.shmem_size, config.cooperative_launch
    )
