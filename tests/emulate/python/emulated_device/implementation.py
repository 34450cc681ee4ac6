# SPDX-License-Identifier: Apache-2.0
"""What torch.cuda, torch.xpu, torch.npu ... do, for a device of one's own, by canonical name.

Work is done when it is asked for, so waiting is nothing and a stream is a name."""

import contextlib
import functools
import time
import types

import torch

import _emulated_device as native

from . import names


def _index(device=None):
    """The number of a device given as number, text or torch.device; None: the current one."""
    if device is None:
        return torch._C._accelerator_getDeviceIndex()
    if isinstance(device, int):
        index = device
    else:
        device = torch.device(device)
        index = device.index
        if device.type != torch.accelerator.current_accelerator().type:
            raise ValueError(
                f"Expected a {torch.accelerator.current_accelerator()} device, but got: {device}"
            )
    if index is None or index < 0:
        return torch._C._accelerator_getDeviceIndex()
    if index >= native.device_count():
        raise RuntimeError("invalid device ordinal")
    return index


def _streams(kind, details):
    class Stream(torch.Stream):
        def __new__(cls, device=None, priority=0, **kwargs):
            if "stream_id" in kwargs:
                return super().__new__(cls, **kwargs)
            where = torch.device(kind, _index(device))
            return super().__new__(cls, device=where, priority=priority)

        def wait_event(self, event):
            event.wait(self)

        def wait_stream(self, stream):
            self.wait_event(stream.record_event())

        def record_event(self, event=None):
            event = Event() if event is None else event
            event.record(self)
            return event

        @property
        def priority(self):
            return 0

        @staticmethod
        def priority_range():
            return (0, -1)

    class Event(torch.Event):
        def __new__(cls, enable_timing=False, blocking=False, interprocess=False, external=False):
            self = super().__new__(
                cls, device=kind, enable_timing=enable_timing, blocking=blocking
            )
            self._timed, self._time = enable_timing, None
            return self

        def record(self, stream=None):
            super().record(current_stream() if stream is None else stream)
            self._time = time.perf_counter()

        def elapsed_time(self, end_event):
            if not (self._timed and end_event._timed):
                raise RuntimeError(
                    "Both events must be created with argument 'enable_timing=True'."
                )
            if self._time is None or end_event._time is None:
                raise RuntimeError("Both events must be recorded before calculating elapsed time.")
            return 1000.0 * (end_event._time - self._time)

        def wait(self, stream=None):
            super().wait(current_stream() if stream is None else stream)

    def _of(stream):
        return Stream(
            stream_id=stream.stream_id,
            device_index=stream.device_index,
            device_type=stream.device_type,
        )

    def current_stream(device=None):
        return _of(torch.accelerator.current_stream(_index(device)))

    def default_stream(device=None):
        now = current_stream(device)
        return Stream(stream_id=0, device_index=now.device_index, device_type=now.device_type)

    def set_stream(stream):
        if stream is not None:
            torch.accelerator.set_stream(stream)

    def _set_stream_by_id(stream_id, device_index, device_type):
        set_stream(Stream(stream_id=stream_id, device_index=device_index, device_type=device_type))

    class StreamContext:
        def __init__(self, stream):
            self.stream = stream

        def __enter__(self):
            if self.stream is not None:
                self.before = current_stream(), current_stream(torch.Stream.device.__get__(self.stream))
                set_stream(self.stream)

        def __exit__(self, *error):
            if self.stream is not None:
                for stream in reversed(self.before):
                    set_stream(stream)

    def stream(stream):
        return StreamContext(stream)

    handle = property(lambda self: self.stream_id)
    setattr(Stream, details["stream"], handle)
    setattr(Event, details["event"], property(lambda self: self.event_id))
    return {k: v for k, v in locals().items() if not k.startswith("_") or k == "_set_stream_by_id"}


def _devices(kind, details):
    class device:
        def __init__(self, device):
            self.idx = None if device is None else _index(device) if device != -1 else None

        def __enter__(self):
            self.before = _index()
            if self.idx is not None:
                torch._C._accelerator_setDeviceIndex(self.idx)

        def __exit__(self, *error):
            torch._C._accelerator_setDeviceIndex(self.before)
            return False

    class device_of(device):
        def __init__(self, obj):
            super().__init__(obj.get_device() if obj.device.type == kind else None)

    def set_device(device):
        torch._C._accelerator_setDeviceIndex(_index(device))

    def get_device_name(device=None):
        return f"{details['title']} {_index(device)}"

    def get_device_capability(device=None):
        answer = details["capability"]
        return tuple(answer) if isinstance(answer, list) else answer

    def get_device_properties(device=None):
        return types.SimpleNamespace(
            name=get_device_name(device),
            total_memory=mem_get_info(device)[1],
            **details["properties"],
        )

    def mem_get_info(device=None):
        return torch._C._accelerator_getMemoryInfo(_index(device))

    def synchronize(device=None):
        _index(device)

    def _lazy_call(callable, **kwargs):
        callable()

    yes, no, nothing = (lambda *a, **k: True), (lambda *a, **k: False), (lambda *a, **k: None)
    return {
        "device": device,
        "device_of": device_of,
        "set_device": set_device,
        "_DeviceGuard": device,
        "get_device_name": get_device_name,
        "get_device_capability": get_device_capability,
        "get_device_properties": get_device_properties,
        "mem_get_info": mem_get_info,
        "synchronize": synchronize,
        "_lazy_call": _lazy_call,
        "current_device": lambda: _index(),
        "device_count": native.device_count,
        "can_device_access_peer": lambda device, peer_device: _index(device)
        != _index(peer_device),
        "is_available": yes,
        "is_initialized": yes,
        "_is_compiled": yes,
        "_initialized": True,
        "is_bf16_supported": lambda including_emulation=True: True,
        "is_tf32_supported": no,
        "_is_in_bad_fork": no,
        "_lazy_init": nothing,
        "init": nothing,
        "ipc_collect": nothing,
        "_exchange_device": torch._C._accelerator_exchangeDevice,
        "_maybe_exchange_device": torch._C._accelerator_maybeExchangeDevice,
        "_get_device_index": lambda device, optional=False, allow_cpu=False: _index(device),
        "get_arch_list": lambda: [],
        "has_half": True,
        "_sleep": nothing,
        "get_amp_supported_dtype": lambda: [torch.float16, torch.bfloat16],
        "OutOfMemoryError": torch.OutOfMemoryError,
        "utilization": lambda device=None: 0,
        "set_sync_debug_mode": nothing,
        "get_sync_debug_mode": lambda: 0,
    }


def _memory():
    def stat(key):
        return lambda device=None: torch.accelerator.memory_stats(_index(device)).get(key, 0)

    def empty_cache():
        torch.accelerator.empty_cache()

    def memory_stats(device=None):
        return torch.accelerator.memory_stats(_index(device))

    def reset_peak_memory_stats(device=None):
        torch.accelerator.reset_peak_memory_stats(_index(device))

    def reset_accumulated_memory_stats(device=None):
        torch.accelerator.reset_accumulated_memory_stats(_index(device))

    def memory_summary(device=None, abbreviated=False):
        return f"memory of device {_index(device)}: {memory_allocated(device)} bytes"

    memory_allocated = stat("allocated_bytes.all.current")
    table = {
        "memory_allocated": memory_allocated,
        "max_memory_allocated": stat("allocated_bytes.all.peak"),
        "memory_reserved": stat("reserved_bytes.all.current"),
        "max_memory_reserved": stat("reserved_bytes.all.peak"),
        "empty_cache": empty_cache,
        "memory_stats": memory_stats,
        "memory_summary": memory_summary,
        "reset_peak_memory_stats": reset_peak_memory_stats,
        "reset_accumulated_memory_stats": reset_accumulated_memory_stats,
        "reset_max_memory_allocated": reset_peak_memory_stats,
        "reset_max_memory_cached": reset_peak_memory_stats,
        "memory_snapshot": lambda mempool_id=None, include_traces=True: [],
        "set_per_process_memory_fraction": lambda fraction, device=None: None,
        "_record_memory_history": lambda *args, **kwargs: None,
    }
    table["memory_cached"] = table["memory_reserved"]
    table["max_memory_cached"] = table["max_memory_reserved"]
    return table


def _random(kind):
    generators = tuple(native.default_generator(i) for i in range(native.device_count()))

    def get_rng_state(device=kind):
        return generators[_index(device)].get_state()

    def set_rng_state(new_state, device=kind):
        generators[_index(device)].set_state(new_state)

    def set_rng_state_all(new_states):
        for index, state in enumerate(new_states):
            set_rng_state(state, index)

    def manual_seed(seed):
        generators[_index()].manual_seed(int(seed))

    def seed():
        generators[_index()].seed()

    return {
        "default_generators": generators,
        "get_rng_state": get_rng_state,
        "set_rng_state": set_rng_state,
        "get_rng_state_all": lambda: [g.get_state() for g in generators],
        "set_rng_state_all": set_rng_state_all,
        "manual_seed": manual_seed,
        "seed": seed,
        "manual_seed_all": manual_seed,
        "seed_all": seed,
        "initial_seed": lambda: generators[_index()].initial_seed(),
    }


def _graphs(kind, streams):
    class Graph:
        def __init__(self, keep_graph=False):
            self._graph = None

        def capture_begin(self, pool=None, capture_error_mode="global", **options):
            self.reset()
            self._graph = native.graph_begin()

        def capture_end(self):
            native.graph_end()

        def replay(self):
            if self._graph is None:
                raise RuntimeError("called replay() before the graph was captured")
            native.graph_replay(self._graph)

        def reset(self):
            if self._graph is not None:
                native.graph_drop(self._graph)
                self._graph = None

        def pool(self):
            return (0, 1)

        def enable_debug_mode(self):
            pass

        __del__ = reset

    class graph:
        def __init__(
            self, cuda_graph, pool=None, stream=None, capture_error_mode="global", **options
        ):
            self.graph, self.pool = cuda_graph, pool
            self.context = streams["StreamContext"](stream or streams["Stream"]())

        def __enter__(self):
            self.context.__enter__()
            self.graph.capture_begin(pool=self.pool)

        def __exit__(self, *error):
            self.graph.capture_end()
            self.context.__exit__(*error)

    def make_graphed_callables(
        callables,
        sample_args,
        num_warmup_iters=3,
        allow_unused_input=False,
        pool=None,
        capture_error_mode=None,
    ):
        return callables

    return {
        names.details(kind)["graph"]: Graph,
        "graph": graph,
        "make_graphed_callables": make_graphed_callables,
        "graph_pool_handle": lambda: (0, 1),
        "is_current_stream_capturing": native.capturing,
    }


def _amp(kind):
    class autocast(torch.amp.autocast):
        def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
            super().__init__(kind, enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)

        def __call__(self, function):
            return super().__call__(function)

    class GradScaler(torch.amp.GradScaler):
        def __init__(
            self,
            init_scale=2.0**16,
            growth_factor=2.0,
            backoff_factor=0.5,
            growth_interval=2000,
            enabled=True,
        ):
            super().__init__(
                kind, init_scale, growth_factor, backoff_factor, growth_interval, enabled
            )

    return {
        "amp.autocast": autocast,
        "amp.autocast_mode.autocast": autocast,
        "amp.GradScaler": GradScaler,
        "amp.grad_scaler.GradScaler": GradScaler,
        "custom_fwd": functools.partial(torch.amp.custom_fwd, device_type=kind),
        "custom_bwd": functools.partial(torch.amp.custom_bwd, device_type=kind),
        "amp_definitely_not_available": lambda: False,
        "get_autocast_dtype": lambda: torch.get_autocast_dtype(kind),
        "set_autocast_dtype": lambda dtype: torch.set_autocast_dtype(kind, dtype),
    }


def _markers(kind):
    """Ranges for a profiler: nvtx and the modules that stand for it. They do nothing."""
    path = {"cuda": "nvtx", "npu": "mstx", "mlu": "cnpx"}.get(kind)
    depth = []

    def range_push(msg):
        depth.append(msg)
        return len(depth) - 1

    def range_pop():
        return len(depth) - 1 if depth and depth.pop() else -1

    @contextlib.contextmanager
    def range(msg, *args, **kwargs):
        range_push(msg)
        yield
        range_pop()

    table = {
        "range_push": range_push,
        "range_pop": range_pop,
        "range": range,
        "mstx_range": range,
        "mark": lambda msg: None,
        "range_start": lambda msg: 0,
        "range_end": lambda range_id: None,
    }
    if kind == "cuda":
        return {"nvtx": types.SimpleNamespace(**table)}
    return {f"{path}.{name}": value for name, value in table.items()}


def _legacy(kind):
    """torch.npu.FloatTensor and so on."""
    table = {}
    for name, dtype in {
        "Float": "float32",
        "Double": "float64",
        "Half": "float16",
        "Long": "int64",
        "BFloat16": "bfloat16",
        "Int": "int32",
        "Short": "int16",
        "Char": "int8",
        "Byte": "uint8",
        "Bool": "bool",
    }.items():
        dtype = getattr(torch, dtype)

        class Meta(type):
            def __instancecheck__(cls, x, dtype=dtype):
                return isinstance(x, torch.Tensor) and x.dtype == dtype and x.device.type == kind

            def __call__(cls, *args, dtype=dtype):
                if args and not isinstance(args[0], (int, torch.Size)):
                    return torch.tensor(args[0], dtype=dtype, device=kind)
                return torch.empty(*args or (0,), dtype=dtype, device=kind)

        # Tensor.type() reads the whole name.
        table[name + "Tensor"] = Meta(f"torch.{kind}.{name}Tensor", (), {"dtype": dtype})
    return table


def implement(kind):
    """Everything there is for `kind`, by name; one with a dot belongs to that submodule only."""
    details = names.details(kind)
    streams = _streams(kind, details)
    table = {
        k: streams[k]
        for k in (
            "Stream",
            "Event",
            "current_stream",
            "default_stream",
            "set_stream",
            "StreamContext",
            "stream",
            "_set_stream_by_id",
        )
    }
    for part in (
        _devices(kind, details),
        _memory(),
        _random(kind),
        _graphs(kind, streams),
        _amp(kind),
        _markers(kind),
        _legacy(kind),
    ):
        table.update(part)
    return table
