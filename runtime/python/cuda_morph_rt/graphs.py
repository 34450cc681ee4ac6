"""CUDA graphs for the CPU: torch.cuda.CUDAGraph and torch.cuda.graph as a record of operators.

During a capture the operators run, and each is noted with its arguments and results
(torch.utils._python_dispatch.TorchDispatchMode, torch 1.13 and newer). replay() runs them again in
that order, and writes their results where the first ones are: tensors keep their addresses, which
is what a program that refills static inputs counts on. As on CUDA the values of the capture's own
run mean nothing, random numbers are new at each replay, and asking for a number on the host while
capturing raises. Nothing gets faster by it."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .stats import counted

_FORBIDDEN = ("aten::_local_scalar_dense", "aten::nonzero", "aten::masked_select")


def _needs_the_host(name, args):
    """Whether CUDA would have to wait for the device: a number is asked for, or a shape depends
    on values."""
    if name != "aten::index":
        return name in _FORBIDDEN
    return any(i is not None and i.dtype in (torch.bool, torch.uint8) for i in args[1])


class _Recorder(TorchDispatchMode):
    def __init__(self, steps):
        super().__init__()
        self._steps = steps

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if _needs_the_host(func._schema.name, args):
            raise RuntimeError(
                f"{func._schema.name} needs a value on the host, which a graph cannot capture"
            )
        result = func(*args, **(kwargs or {}))
        self._steps.append((func, args, kwargs or {}, result))
        return result


def _write(old, new):
    """The new results go where the old ones are; views and in-place results are there already."""
    if isinstance(old, torch.Tensor):
        if old is not new and old.data_ptr() != new.data_ptr():
            old.copy_(new)
    elif isinstance(old, (list, tuple)):
        for one, other in zip(old, new):
            _write(one, other)


class CUDAGraph:
    """The methods of torch.cuda.CUDAGraph. Graphs share no memory pool; the arguments that speak
    of one are taken and mean nothing."""

    def __init__(self, keep_graph=False):
        self._steps, self._recorder, self._captured = [], None, False

    def capture_begin(self, pool=None, capture_error_mode="global"):
        if self._recorder is not None or self._captured:
            raise RuntimeError("this graph is captured already: call reset() before")
        self._recorder = _Recorder(self._steps)
        self._recorder.__enter__()

    def capture_end(self):
        if self._recorder is None:
            raise RuntimeError("no capture was begun")
        recorder, self._recorder = self._recorder, None
        recorder.__exit__(None, None, None)
        self._captured = True

    def instantiate(self):
        """There is nothing to make of the record before it can be replayed."""

    @counted
    def replay(self):
        if not self._captured:
            raise RuntimeError("replay() needs a graph that was captured")
        with torch.no_grad():
            for func, args, kwargs, result in self._steps:
                _write(result, func(*args, **kwargs))

    def reset(self):
        self._steps, self._captured = [], False

    def pool(self):
        return (0, id(self))

    def enable_debug_mode(self):
        """Nothing is kept for debug_dump()."""

    def debug_dump(self, debug_path):
        """One operator on a line."""
        with open(debug_path, "w", encoding="utf-8") as file:
            file.writelines(f"{func}\n" for func, _, _, _ in self._steps)


class graph:
    """torch.cuda.graph: captures what happens in its block."""

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="global"):
        self._graph = cuda_graph

    def __enter__(self):
        self._graph.capture_begin()

    def __exit__(self, *_):
        self._graph.capture_end()
        return False
