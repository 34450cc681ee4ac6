# SPDX-License-Identifier: Apache-2.0
"""CuPy's interface over NumPy: arrays are NumPy's, with get() and the other methods of CuPy's;
kernels from CUDA's text (RawKernel, RawModule, ElementwiseKernel, ReductionKernel) are compiled for
the CPU by cuda_morph_rt.kernels. Streams, events and pools have nothing to do. What NumPy does not
have, CuPy's cuda.* and cupyx among it, is an AttributeError."""

import ctypes
import re
import sys
import time
import types

import numpy

from . import kernels

__path__ = []  # `import cupy.cuda` asks for it


class _Memory:
    """Bytes on their own: what cupy.cuda.alloc() points to, or memory of somebody else's."""

    def __init__(self, size=0, address=None, owner=None):
        self._bytes = numpy.zeros(int(size), numpy.uint8) if address is None else owner
        self.ptr = self._bytes.ctypes.data if address is None else int(address)
        self.size = int(size)


class _Pointer:
    """Of an array: cupy.ndarray.data; MemoryPointer of CuPy's."""

    def __init__(self, mem, offset=0):
        self.mem = mem if hasattr(mem, "ptr") else _Memory(0, int(mem))
        self.ptr = self.mem.ptr + int(offset)

    def __int__(self):
        return self.ptr

    def __cuda_morph_address__(self):
        return self.ptr

    def __add__(self, offset):
        return _Pointer(self.mem, self.ptr - self.mem.ptr + int(offset))

    def copy_from(self, source, size, stream=None):
        ctypes.memmove(self.ptr, kernels.address_of(source) or int(source), int(size))

    copy_from_host = copy_from_device = copy_from
    copy_from_async = copy_from_host_async = copy_from_device_async = copy_from

    def copy_to_host(self, target, size, stream=None):
        ctypes.memmove(kernels.address_of(target) or int(target), self.ptr, int(size))

    copy_to_host_async = copy_to_host

    def memset(self, value, size, stream=None):
        ctypes.memset(self.ptr, int(value) & 0xFF, int(size))

    memset_async = memset


def at_address(cls, shape, dtype, place, strides=None, order="C"):
    """An array of class `cls` over memory that something else allocated, and keeps."""
    dtype = numpy.dtype(dtype)
    shape = (int(shape),) if numpy.ndim(shape) == 0 else tuple(int(n) for n in shape)
    reach = int(numpy.prod(shape)) * dtype.itemsize
    if strides is not None:
        reach = sum((n - 1) * abs(s) for n, s in zip(shape, strides)) + dtype.itemsize
    address = kernels.address_of(place)
    address = int(place) if address is None else address
    memory = (ctypes.c_char * max(reach, 1)).from_address(address)
    memory.keeps = place
    return numpy.ndarray.__new__(cls, shape, dtype, memory, 0, strides, order)


def _plain(value):
    """As NumPy has it: so that its own functions see no array of ours."""
    if isinstance(value, ndarray):
        return value.view(numpy.ndarray)
    if type(value) in (tuple, list):
        return type(value)(_plain(v) for v in value)
    if type(value) is dict:
        return {key: _plain(v) for key, v in value.items()}
    return value


class ndarray(numpy.ndarray):
    """NumPy's, with what CuPy's has beside it. What NumPy would make a number of is an array of no
    dimension, as in CuPy."""

    def __new__(cls, shape, dtype=float, memptr=None, strides=None, order="C"):
        if memptr is None:
            return numpy.ndarray.__new__(cls, shape, dtype, None, 0, strides, order)
        return at_address(cls, shape, dtype, memptr, strides, order)

    @property
    def data(self):
        return _Pointer(_Memory(self.nbytes, self.__array_interface__["data"][0], self))

    @property
    def device(self):
        return cuda.Device(0)

    def get(self, stream=None, order="C", out=None, blocking=True):
        if out is None:
            return numpy.array(self, order=order, subok=False)
        out[...] = self
        return out

    def set(self, values, stream=None):
        self[...] = values

    def __getitem__(self, key):
        found = super().__getitem__(key)
        if isinstance(found, numpy.generic):
            key = key if isinstance(key, tuple) else (key,)
            found = super().__getitem__((*key, Ellipsis))
        return found

    def __array_ufunc__(self, function, method, *inputs, out=None, **options):
        if out is not None:
            options["out"] = _plain(out)
        result = getattr(function, method)(*_plain(inputs), **_plain(options))
        if out is not None:
            return out[0] if len(out) == 1 else out
        return _ours(result, type(self))

    def __array_function__(self, function, types_, inputs, options):
        if "out" in options and options["out"] is not None:
            function(*_plain(inputs), **_plain(options))
            return options["out"]
        return _ours(function(*_plain(inputs), **_plain(options)), type(self))


def _method(name):
    def call(self, *arguments, out=None, **options):
        options.pop("stream", None)
        if out is not None:
            options["out"] = _plain(out)
        result = getattr(_plain(self), name)(*_plain(arguments), **_plain(options))
        return out if out is not None else _ours(result, type(self))

    call.__name__ = name
    return call


for _name in "all any argmax argmin dot max mean min prod ptp std sum trace var".split():
    if hasattr(numpy.ndarray, _name):
        setattr(ndarray, _name, _method(_name))


def _ours(value, kind=None):
    if type(value) is numpy.ndarray or isinstance(value, numpy.generic):
        return numpy.asarray(value).view(kind or ndarray)
    if type(value) in (tuple, list):
        return type(value)(_ours(v, kind) for v in value)
    return value


def _wrapped(function):
    def call(*arguments, **options):
        options.pop("blocking", None)
        out = options.get("out")
        result = function(*_plain(arguments), **_plain(options))
        return out if out is not None else _ours(result)

    call.__name__ = call.__qualname__ = getattr(function, "__name__", "call")
    call.__doc__ = function.__doc__
    return call


def _copied(name):
    """A function that in CuPy copies what is on the host: what comes back shares no memory with
    an array of NumPy's."""

    def call(a, *arguments, **options):
        options.pop("blocking", None)
        result = _ours(getattr(numpy, name)(_plain(a), *arguments, **options))
        own = isinstance(a, ndarray) or not isinstance(result, ndarray)
        if own:
            same = isinstance(a, ndarray) and result.shape == a.shape and result.dtype == a.dtype
            same = same and result.strides == a.strides
            return a if same and numpy.may_share_memory(result, a) else result
        return result.copy() if numpy.may_share_memory(result, numpy.asarray(a)) else result

    call.__name__ = name
    return call


array, asarray, asanyarray = _copied("array"), _copied("asarray"), _copied("asanyarray")
ascontiguousarray, asfortranarray = _copied("ascontiguousarray"), _copied("asfortranarray")


class _Module(types.ModuleType):
    """A module of NumPy's whose functions give arrays of ours."""

    def __init__(self, name, numpys):
        super().__init__(name)
        self._numpys = numpys

    def __getattr__(self, name):
        found = getattr(self._numpys, name)
        return _look(found, f"{self.__name__}.{name}")


def _look(found, name):
    if isinstance(found, types.ModuleType):
        return _Module(name, found)
    if isinstance(found, type) or not callable(found):
        return found
    if isinstance(found, numpy.ufunc):
        return _Ufunc(found)
    return _wrapped(found)


class _Ufunc:
    """A function of elements of NumPy's, whose numbers are arrays of ours."""

    def __init__(self, function):
        self._function, self.__name__ = function, function.__name__

    def __call__(self, *arguments, **options):
        return _wrapped(self._function)(*arguments, **options)

    def __getattr__(self, name):
        found = getattr(self._function, name)
        return _wrapped(found) if callable(found) else found


def __getattr__(name):
    if name.startswith("__") or not hasattr(numpy, name):
        raise AttributeError(f"module 'cupy' on the CPU has no attribute {name!r}")
    return _look(getattr(numpy, name), f"cupy.{name}")


def asnumpy(a, stream=None, order="C", out=None, blocking=True):
    if out is None:
        return numpy.array(a, order=order, subok=False)
    out[...] = a
    return out


def get_array_module(*arrays):
    return sys.modules[__name__] if any(isinstance(a, ndarray) for a in arrays) else numpy


def is_available():
    return True


def fuse(*arguments, **options):
    if len(arguments) == 1 and callable(arguments[0]):
        return arguments[0]
    return lambda function: function


def memoize(for_each_device=False):
    import functools

    return functools.lru_cache(maxsize=None)


def clear_memo():
    """memoize() of CuPy's forgets; here nothing depends on a device."""


# ---- kernels ----


class RawModule:
    def __init__(
        self,
        code=None,
        path=None,
        options=(),
        backend="nvrtc",
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        name_expressions=None,
        jitify=False,
    ):
        if code is None:
            raise NotImplementedError(f"{path}: a cubin or PTX is code for NVIDIA's GPUs")
        self.code, self.options = code, tuple(options)
        self.name_expressions = list(name_expressions or ())
        self.enable_cooperative_groups = enable_cooperative_groups
        self._library = None

    def compile(self, log_stream=None):
        if self._library is None:
            self._library = kernels.load(
                kernels.build(self.code, self.options, self.name_expressions)
            )
        return self._library

    def get_function(self, name):
        library = self.compile()
        if name in self.name_expressions:
            name = f"expression_{self.name_expressions.index(name)}"
        return _Function(library.kernel(name), self.enable_cooperative_groups)

    def get_global(self, name):
        library = self.compile()
        return _Pointer(_Memory(library.size(name), library.variable(name), library))


class _Function:
    max_dynamic_shared_size_bytes = 0
    attributes = {"max_threads_per_block": 1024, "num_regs": 0, "local_size_bytes": 0}

    def __init__(self, kernel, cooperative=False):
        self.kernel, self.cooperative, self.name = kernel, cooperative, kernel.name

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        self.kernel(grid, block, args, shared_mem, self.cooperative)


class RawKernel:
    def __init__(self, code, name, options=(), backend="nvrtc", **others):
        self.code, self.name, self.options = code, name, tuple(options)
        self._others = {
            k: v for k, v in others.items() if k in ("enable_cooperative_groups", "jitify")
        }
        self._function = None
        self.max_dynamic_shared_size_bytes = 0

    @property
    def kernel(self):
        if self._function is None:
            module = RawModule(code=self.code, options=self.options, **self._others)
            self._function = module.get_function(self.name)
        return self._function

    def compile(self, log_stream=None):
        return self.kernel

    @property
    def attributes(self):
        return dict(_Function.attributes)

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        self.kernel(grid, block, args, shared_mem=shared_mem)


_PARAMETER = re.compile(r"^\s*(?:_?const\s+)?(raw\s+)?(.*?)\s*(\w+)\s*$")


class _Parameter:
    def __init__(self, text):
        match = _PARAMETER.match(text.replace("_non_const ", ""))
        if not match or not match[2]:
            raise ValueError(f"a parameter of a kernel is `T x` or `raw T x`: {text!r}")
        self.raw, self.type, self.name = bool(match[1]), match[2], match[3]
        self.generic = len(self.type) == 1


def _parameters(text):
    return [_Parameter(part) for part in text.split(",") if part.strip()]


def _resolve(parameters, values, types_):
    """What the one-letter types of the parameters are, by the arrays that are given."""
    for scalars in (False, True):
        for p, value in zip(parameters, values):
            if value is None or numpy.ndim(value) == 0 and not scalars:
                continue
            if p.generic and p.type not in types_:
                types_[p.type] = numpy.asarray(value).dtype


def _dtype(p, types_):
    if not p.generic:
        return numpy.dtype(p.type)
    if p.type not in types_:
        raise TypeError(f"nothing says what type {p.type} of {p.name} is")
    return types_[p.type]


def _aliases(typed):
    """What a kernel that is made begins with: headers, and what the one-letter types are."""
    typed = list(typed)
    generic = {p.type: kernels.type_name(dtype) for p, dtype in typed if p.generic}
    complexes = any(dtype.kind == "c" for _, dtype in typed)
    return (
        "#include <cuda_fp16.h>\n"
        + ("#include <cupy/complex.cuh>\n" if complexes else "")
        + "".join(f"typedef {word} {letter};\n" for letter, word in generic.items())
    )


class _Generated:
    """A kernel whose text is made for the types that it is called with."""

    def __init__(self, options):
        self.options, self._made = tuple(options), {}

    def kernel(self, name, text):
        if text not in self._made:
            self._made[text] = kernels.load(kernels.build(text, self.options)).kernel(name)
        return self._made[text]


def _size_of(values):
    return numpy.broadcast_shapes(*[numpy.shape(v) for v in values]) if values else None


class ElementwiseKernel(_Generated):
    def __init__(
        self,
        in_params,
        out_params,
        operation,
        name="kernel",
        reduce_dims=True,
        preamble="",
        no_return=False,
        return_tuple=False,
        options=(),
        loop_prep="",
        after_loop="",
        **others,
    ):
        super().__init__(options)
        self.ins, self.outs = _parameters(in_params), _parameters(out_params)
        self.operation, self.name, self.preamble = operation, name, preamble
        self.loop_prep, self.after_loop = loop_prep, after_loop
        self.no_return, self.return_tuple = no_return, return_tuple

    def _text(self, typed):
        declared, bound = [], []
        for p, dtype, scalar in typed:
            word = kernels.type_name(dtype)
            const = "" if p in self.outs else "const "
            if p.raw:
                declared.append(f"{const}{word} *{p.name}")
            elif scalar:
                declared.append(f"{const}{word} {p.name}")
            else:
                declared.append(f"{const}{word} *cm_{p.name}")
                bound.append(f"        {const}{word} &{p.name} = cm_{p.name}[i];\n")
        aliases = _aliases((p, d) for p, d, _ in typed)
        index = "struct cm_indexer { long long n; __device__ long long size() const { return n; } };\n"
        return (
            f"{aliases}{index}{self.preamble}\n"
            f'extern "C" __global__ void cm_{self.name}({", ".join(declared + ["long long _cm_count"])}) {{\n'
            f"    cm_indexer _ind = {{_cm_count}};\n    (void)_ind;\n    {self.loop_prep};\n"
            "    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < _cm_count;\n"
            "         i += (long long)gridDim.x * blockDim.x) {\n"
            f"{''.join(bound)}        {self.operation};\n    }}\n    {self.after_loop};\n}}\n"
        )

    def __call__(self, *args, size=None, block_size=128, stream=None):
        given = len(args)
        if given not in (len(self.ins), len(self.ins) + len(self.outs)):
            raise TypeError(
                f"{self.name} takes {len(self.ins)} or {len(self.ins) + len(self.outs)} "
                f"arguments, {given} given"
            )
        parameters, values, types_ = self.ins + self.outs, list(args), {}
        values += [None] * (len(parameters) - given)
        _resolve(parameters, values, types_)
        shaped = [v for p, v in zip(parameters, values) if v is not None and not p.raw]
        shape = (int(size),) if size is not None else _size_of(shaped)
        if shape is None or (size is None and not shaped):
            raise ValueError(f"{self.name}: say size=, all arrays are raw")
        typed, sent, results, back = [], [], [], []
        for p, value in zip(parameters, values):
            dtype, out = _dtype(p, types_), p in self.outs
            if value is None:
                value = numpy.zeros(shape, dtype).view(ndarray)
            if out:
                results.append(value)
            scalar = not out and not p.raw and numpy.ndim(value) == 0
            if scalar:
                sent.append(numpy.asarray(value).astype(dtype)[()])
            else:
                array = numpy.asarray(value)
                if not p.raw and size is None:
                    if out and array.shape != shape:
                        raise ValueError(f"{p.name} has the shape {array.shape}, not {shape}")
                    array = numpy.broadcast_to(array, shape)
                flat = numpy.ascontiguousarray(array, dtype)
                if (out or p.raw) and not numpy.shares_memory(flat, numpy.asarray(value)):
                    back.append((value, flat))
                sent.append(flat)
            typed.append((p, dtype, scalar))
        n = int(numpy.prod(shape))
        if n:
            blocks = min((n + block_size - 1) // block_size, 1 << 16)
            self.kernel("cm_" + self.name, self._text(typed))(blocks, block_size, [*sent, n])
        for value, flat in back:
            if value.flags.writeable:
                value[...] = flat.reshape(value.shape)
        if self.no_return:
            return None
        return results[0] if len(results) == 1 and not self.return_tuple else tuple(results)


class ReductionKernel(_Generated):
    def __init__(
        self,
        in_params,
        out_params,
        map_expr,
        reduce_expr,
        post_map_expr,
        identity,
        name="reduce_kernel",
        reduce_type=None,
        reduce_dims=True,
        preamble="",
        options=(),
    ):
        super().__init__(options)
        self.ins, self.outs = _parameters(in_params), _parameters(out_params)
        self.map, self.reduce, self.post = map_expr, reduce_expr, post_map_expr
        self.identity, self.name = identity, name
        self.reduce_type, self.preamble = reduce_type, preamble
        if len(self.outs) != 1 or any(p.raw for p in self.ins + self.outs):
            raise NotImplementedError("reductions have one result here, and no raw arguments")

    def _text(self, typed):
        out = self.outs[0]
        word = {p.name: kernels.type_name(d) for p, d in typed}
        aliases = _aliases(typed) + f"typedef {self.reduce_type or word[out.name]} cm_reduced;\n"
        declared = [f"const {word[p.name]} *cm_{p.name}" for p in self.ins]
        bound = "".join(
            f"        const {word[p.name]} &{p.name} = cm_{p.name}[o * _cm_count + i];\n"
            for p in self.ins
        )
        kept = "cm_reduced"
        return (
            f"{aliases}{self.preamble}\n"
            f'extern "C" __global__ void cm_{self.name}({", ".join(declared)}, '
            f"{word[out.name]} *cm_{out.name}, long long _cm_rows, long long _cm_count) {{\n"
            "    long long o = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
            "    if (o >= _cm_rows) return;\n"
            f"    {kept} _cm_sum = {kept}({self.identity});\n"
            "    for (long long i = 0; i < _cm_count; i++) {\n"
            f"{bound}        {kept} a = _cm_sum, b = {kept}({self.map});\n"
            f"        _cm_sum = ({self.reduce});\n    }}\n"
            f"    {kept} a = _cm_sum;\n    {word[out.name]} &{out.name} = cm_{out.name}[o];\n"
            f"    {self.post};\n}}\n"
        )

    def __call__(self, *args, out=None, axis=None, keepdims=False, stream=None):
        values, types_ = [numpy.asarray(a) for a in args[: len(self.ins)]], {}
        if len(args) > len(self.ins):
            out = args[len(self.ins)]
        _resolve(self.ins, values, types_)
        if out is not None:
            _resolve(self.outs, [out], types_)
        typed = [(p, _dtype(p, types_)) for p in self.ins + self.outs]
        shape = _size_of(values)
        axes = tuple(range(len(shape))) if axis is None else numpy.atleast_1d(axis)
        axes = tuple(int(a) % len(shape) for a in axes)
        rest = [a for a in range(len(shape)) if a not in axes]
        n = int(numpy.prod([shape[a] for a in axes]))
        m = int(numpy.prod([shape[a] for a in rest]))
        if not n and self.identity in (None, ""):
            raise ValueError("a reduction of nothing, without an identity")
        sent = [
            numpy.ascontiguousarray(
                numpy.broadcast_to(v, shape).transpose(rest + list(axes)).reshape(m, n), d
            )
            for v, (_, d) in zip(values, typed)
        ]
        result = numpy.zeros(m, typed[-1][1])
        if m:
            self.kernel("cm_" + self.name, self._text(typed))((m + 127) // 128, 128, [*sent, result, m, n])
        kept = [1 if a in axes else shape[a] for a in range(len(shape))]
        result = result.reshape(kept if keepdims else [shape[a] for a in rest]).view(ndarray)
        if out is None:
            return result
        out[...] = result
        return out


# ---- cupy.cuda ----


class _Stream:
    ptr = 0

    def __init__(self, *arguments, **options):
        """Streams have nothing to do: a launch has ended when it returns."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def _nothing(self, *arguments, **options):
        return None

    use = synchronize = wait_event = _nothing
    done = True

    def record(self, event=None):
        event = event or _Event()
        event.record()
        return event


class _Event:
    ptr, done, time = 0, True, 0.0

    def __init__(self, *arguments, **options):
        """As a stream."""

    def record(self, stream=None):
        self.time = time.perf_counter()

    def synchronize(self):
        """It has happened."""


_Stream.null = _Stream.ptds = _Stream()


class _Device:
    compute_capability = "80"

    def __init__(self, device=0):
        self.id = device if device is not None else 0

    def __int__(self):
        return self.id

    def __eq__(self, other):
        return isinstance(other, _Device) and other.id == self.id

    def __hash__(self):
        return hash(self.id)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def use(self):
        """There is one."""

    synchronize = use

    @property
    def mem_info(self):
        import os

        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), pages


class _Pool:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **options: 0


def get_default_memory_pool():
    return _Pool()


get_default_pinned_memory_pool = get_default_memory_pool

cuda = types.ModuleType("cupy.cuda")
cuda.Stream, cuda.Event, cuda.Device = _Stream, _Event, _Device
cuda.ExternalStream = _Stream
cuda.MemoryPool = cuda.PinnedMemoryPool = _Pool
cuda.MemoryPointer = _Pointer
cuda.UnownedMemory = lambda ptr, size, owner, device_id=-1: _Memory(size, ptr, owner)
cuda.Memory, cuda.alloc = _Memory, lambda size: _Pointer(_Memory(size))
cuda.set_allocator = cuda.set_pinned_memory_allocator = lambda *arguments: None
cuda.get_current_stream = lambda *arguments: _Stream.null
cuda.get_elapsed_time = lambda a, b: (b.time - a.time) * 1000
cuda.is_available = is_available
cuda.runtime = types.ModuleType("cupy.cuda.runtime")
cuda.runtime.getDeviceCount = lambda: 1
cuda.runtime.getDevice = lambda: 0
cuda.runtime.setDevice = cuda.runtime.streamSynchronize = lambda n: None
cuda.runtime.deviceSynchronize = lambda: None
cuda.runtime.is_hip = False
cuda.stream = types.ModuleType("cupy.cuda.stream")
cuda.stream.Stream, cuda.stream.get_current_stream = _Stream, cuda.get_current_stream
cuda.device = types.ModuleType("cupy.cuda.device")
cuda.device.Device = _Device
for _module in (cuda, cuda.runtime, cuda.stream, cuda.device):
    _module.__path__ = []
    sys.modules[__name__ + _module.__name__[4:]] = _module
