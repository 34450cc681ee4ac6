# SPDX-License-Identifier: Apache-2.0
"""The driver's interface of PyCUDA: device memory is NumPy's, a launch has ended when it returns."""

import ctypes
import os
import time

import numpy

from .. import kernels


class Error(Exception):
    pass


class CompileError(Error):
    pass


class LaunchError(Error):
    pass


class LogicError(Error):
    pass


class MemoryError(Error, MemoryError):
    pass


class RuntimeError(Error, RuntimeError):
    pass


def init(flags=0):
    """There is nothing to begin."""


def get_version():
    return (12, 9, 0)


def get_driver_version():
    return 12090


def mem_get_info():
    size = os.sysconf("SC_PAGE_SIZE")
    return os.sysconf("SC_AVPHYS_PAGES") * size, os.sysconf("SC_PHYS_PAGES") * size


# ---- memory ----


class DeviceAllocation:
    def __init__(self, size):
        self._memory = numpy.zeros(int(size), numpy.uint8)
        self.size = int(size)

    def free(self):
        self._memory = numpy.zeros(0, numpy.uint8)

    def __int__(self):
        return self._memory.__array_interface__["data"][0]

    __index__ = __cuda_morph_address__ = __int__

    def __add__(self, offset):
        return int(self) + offset

    def as_buffer(self, size, offset=0):
        return self._memory[offset : offset + size].data


def mem_alloc(size):
    return DeviceAllocation(size)


def mem_alloc_pitch(width, height, access_size):
    return DeviceAllocation(width * height), width


def _address(place):
    address = kernels.address_of(place)
    if address is None and isinstance(place, (bytes, bytearray, memoryview)):
        return numpy.frombuffer(place, numpy.uint8).__array_interface__["data"][0]
    return int(place) if address is None else address


def _contiguous(array):
    if isinstance(array, numpy.ndarray) and not (
        array.flags.c_contiguous or array.flags.f_contiguous
    ):
        raise ValueError("ndarray is not contiguous")
    return array


def _size(host):
    return host.nbytes if hasattr(host, "nbytes") else len(host)


def memcpy_htod(dest, src, size=None):
    src = _contiguous(src)
    if not isinstance(src, numpy.ndarray):
        src = numpy.frombuffer(src, numpy.uint8)
    ctypes.memmove(_address(dest), _address(src), size or src.nbytes)


def memcpy_dtoh(dest, src):
    ctypes.memmove(_address(_contiguous(dest)), _address(src), _size(dest))


def memcpy_dtod(dest, src, size):
    ctypes.memmove(_address(dest), _address(src), size)


def memcpy_htod_async(dest, src, stream=None):
    memcpy_htod(dest, src)


def memcpy_dtoh_async(dest, src, stream=None):
    memcpy_dtoh(dest, src)


def memcpy_dtod_async(dest, src, size, stream=None):
    memcpy_dtod(dest, src, size)


def memset_d8(dest, data, count):
    ctypes.memset(_address(dest), data & 0xFF, count)


def _fill(dest, data, count, dtype):
    words = numpy.full(count, data, dtype)
    ctypes.memmove(_address(dest), words.ctypes.data, words.nbytes)


def memset_d16(dest, data, count):
    _fill(dest, data, count, numpy.uint16)


def memset_d32(dest, data, count):
    _fill(dest, data, count, numpy.uint32)


def to_device(array):
    made = mem_alloc(array.nbytes)
    memcpy_htod(made, numpy.ascontiguousarray(array))
    return made


def from_device(place, shape, dtype, order="C"):
    out = numpy.empty(shape, dtype, order)
    memcpy_dtoh(out, place)
    return out


def from_device_like(place, other):
    return from_device(place, other.shape, other.dtype)


def pagelocked_empty(shape, dtype, order="C", mem_flags=0):
    return numpy.empty(shape, dtype, order)


def pagelocked_zeros(shape, dtype, order="C", mem_flags=0):
    return numpy.zeros(shape, dtype, order)


def pagelocked_empty_like(array, mem_flags=0):
    return numpy.empty_like(array)


managed_empty, managed_zeros = pagelocked_empty, pagelocked_zeros
aligned_empty = pagelocked_empty


class _Handler:
    def __init__(self, array):
        self.array = _contiguous(array)

    def __cuda_morph_address__(self):
        return kernels.address_of(self.array)


class In(_Handler):
    pass


class Out(_Handler):
    pass


class InOut(_Handler):
    pass


# ---- functions ----


class Function:
    num_regs = local_size_bytes = shared_size_bytes = const_size_bytes = 0
    max_threads_per_block = 1024

    def __init__(self, kernel):
        self._kernel, self._format = kernel, None

    def __call__(
        self, *args, block=None, grid=(1, 1), stream=None, shared=0, texrefs=(), time_kernel=False
    ):
        if block is None:
            raise ValueError("must specify block size")
        for a in args:
            if isinstance(a, (int, float)) and not isinstance(a, (bool, numpy.generic)):
                raise TypeError(
                    f"invalid type on parameter: {type(a).__name__}; use numpy.int32(x) and its like"
                )
            if isinstance(a, numpy.ndarray) and not hasattr(a, "gpudata"):
                raise TypeError("a NumPy array is no device memory: hand it over by In, Out, InOut")
        # In() is what a kernel only reads: what it writes there is lost, as on a GPU.
        args = [In(numpy.array(a.array)) if type(a) is In else a for a in args]
        began = time.perf_counter()
        self._launch(grid, block, args, shared)
        return time.perf_counter() - began if time_kernel else None

    def _launch(self, grid, block, args, shared):
        try:
            self._kernel(grid, block, args, shared)
        except kernels_error as error:
            raise LaunchError(str(error)) from None

    def prepare(self, arg_types, shared=None, texrefs=()):
        types = []
        for t in arg_types:
            types.append("P" if isinstance(t, str) and t == "P" else t)
        self._format = types
        return self

    def _prepared(self, args):
        out = []
        for t, a in zip(self._format, args):
            if t == "P" or isinstance(a, (DeviceAllocation, numpy.ndarray)):
                out.append(numpy.uint64(_address(a)))
            else:
                out.append(numpy.dtype(t).type(a))
        return out

    def prepared_call(self, grid, block, *args, shared_size=0):
        self._launch(grid, block, self._prepared(args), shared_size)

    def prepared_async_call(self, grid, block, stream, *args, shared_size=0):
        self._launch(grid, block, self._prepared(args), shared_size)

    def prepared_timed_call(self, grid, block, *args, shared_size=0):
        began = time.perf_counter()
        self._launch(grid, block, self._prepared(args), shared_size)
        took = time.perf_counter() - began
        return lambda: took

    def set_cache_config(self, config):
        """There is one cache."""

    def param_set(self, *args):
        raise NotImplementedError("param_set() was CUDA's before version 4: call the function")


kernels_error = __builtins__["RuntimeError"] if isinstance(__builtins__, dict) else (
    __builtins__.RuntimeError
)


# ---- what has nothing to do ----


class Stream:
    handle = 0

    def __init__(self, flags=0):
        """Streams have nothing to do."""

    def synchronize(self):
        """A launch has ended when it returns."""

    def wait_for_event(self, event):
        """It has happened."""

    def is_done(self):
        return True


class Event:
    time = 0.0

    def __init__(self, flags=0):
        """As a stream."""

    def record(self, stream=None):
        self.time = time.perf_counter()
        return self

    def synchronize(self):
        return self

    def query(self):
        return True

    def time_till(self, other):
        return (other.time - self.time) * 1000

    def time_since(self, other):
        return other.time_till(self)


class Context:
    @staticmethod
    def synchronize():
        """A launch has ended when it returns."""

    @staticmethod
    def get_device():
        return Device(0)

    @staticmethod
    def get_current():
        return Context()

    def _nothing(self, *arguments):
        return None

    push = detach = _nothing
    set_cache_config = _nothing

    @staticmethod
    def pop():
        """There is one."""


class _Attributes:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return name


device_attribute = _Attributes()
_ATTRIBUTES = {
    "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_BLOCK_DIM_X": 1024,
    "MAX_BLOCK_DIM_Y": 1024,
    "MAX_BLOCK_DIM_Z": 64,
    "MAX_GRID_DIM_X": 2147483647,
    "MAX_GRID_DIM_Y": 65535,
    "MAX_GRID_DIM_Z": 65535,
    "WARP_SIZE": 32,
    "MAX_SHARED_MEMORY_PER_BLOCK": 49152,
    "MULTIPROCESSOR_COUNT": os.cpu_count() or 1,
    "COMPUTE_CAPABILITY_MAJOR": 8,
    "COMPUTE_CAPABILITY_MINOR": 0,
}


class Device:
    def __init__(self, number=0):
        if number != 0:
            raise LogicError("cuDeviceGet failed: invalid device ordinal")

    @staticmethod
    def count():
        return 1

    def name(self):
        return "CPU"

    def compute_capability(self):
        return (8, 0)

    def total_memory(self):
        return mem_get_info()[1]

    def get_attribute(self, attribute):
        if attribute not in _ATTRIBUTES:
            raise LogicError(f"cuDeviceGetAttribute failed: {attribute} is not known of a CPU")
        return _ATTRIBUTES[attribute]

    def get_attributes(self):
        return dict(_ATTRIBUTES)

    def __getattr__(self, name):
        if name.upper() in _ATTRIBUTES:
            return _ATTRIBUTES[name.upper()]
        raise AttributeError(name)

    def make_context(self, flags=0):
        return Context()

    retain_primary_context = make_context


class func_cache:
    PREFER_NONE = PREFER_SHARED = PREFER_L1 = PREFER_EQUAL = 0


class ctx_flags:
    SCHED_AUTO = SCHED_SPIN = SCHED_YIELD = MAP_HOST = 0


class host_alloc_flags:
    PORTABLE = DEVICEMAP = WRITECOMBINED = 0


class mem_attach_flags:
    GLOBAL = HOST = SINGLE = 0


class event_flags:
    DEFAULT = BLOCKING_SYNC = DISABLE_TIMING = 0
