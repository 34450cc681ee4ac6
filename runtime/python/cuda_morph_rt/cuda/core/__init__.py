# SPDX-License-Identifier: Apache-2.0
"""cuda.core: Device, Stream, Buffer, Program, ObjectCode, Kernel, LaunchConfig, launch()."""

import time

import numpy

from ... import kernels


class Event:
    """What a stream records; the difference of two is milliseconds."""

    is_done, handle = True, 0

    def __init__(self, options=None):
        self._at = time.perf_counter()

    def sync(self):
        """It has happened."""

    def close(self):
        """Nothing is held."""

    def __sub__(self, other):
        return (self._at - other._at) * 1000


class Stream:
    handle = 0

    def sync(self):
        """A launch has ended when it returns."""

    def record(self, event=None, options=None):
        event = event or Event()
        event._at = time.perf_counter()
        return event

    wait = close = lambda self, *arguments, **options: None


class Buffer:
    def __init__(self, size, memory_resource=None):
        self._memory = numpy.zeros(int(size), numpy.uint8)
        self.size, self.memory_resource = int(size), memory_resource
        self.is_device_accessible = self.is_host_accessible = True
        self.device_id = 0

    @property
    def handle(self):
        return self._memory.ctypes.data

    def __cuda_morph_address__(self):
        return self.handle

    def close(self, stream=None):
        self._memory = numpy.zeros(0, numpy.uint8)

    def copy_to(self, dst=None, stream=None):
        dst = Buffer(self.size) if dst is None else dst
        if dst.size != self.size:
            raise ValueError(f"buffer sizes mismatch: {self.size} and {dst.size}")
        dst._memory[:] = self._memory
        return dst

    def copy_from(self, src, stream=None):
        src.copy_to(self)


class MemoryResource:
    """Memory is the process's own, of whichever kind."""

    is_device_accessible = is_host_accessible = True
    device_id = 0

    def __init__(self, device_id=0):
        """There is one device."""

    def allocate(self, size, stream=None):
        return Buffer(size, self)

    def deallocate(self, ptr, size, stream=None):
        """Its buffer holds it."""


DeviceMemoryResource = LegacyPinnedMemoryResource = MemoryResource


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

    memory_resource = MemoryResource()

    def allocate(self, size, stream=None):
        return self.memory_resource.allocate(size, stream)

    def create_event(self, options=None):
        return Event(options)

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
