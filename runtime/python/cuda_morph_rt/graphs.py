# SPDX-License-Identifier: Apache-2.0
"""CUDA graphs for the CPU: torch.cuda.CUDAGraph and torch.cuda.graph as a record of operators.

During a capture the operators run, and each is noted with its arguments and results
(torch.utils._python_dispatch.TorchDispatchMode, torch 1.13 and newer). replay() runs them again in
that order, and writes their results where the first ones are: tensors keep their addresses, which
is what a program that refills static inputs counts on. As on CUDA the values of the capture's own
run mean nothing and what was there before is as it was afterwards, random numbers are new at each
replay, and asking for a number on the host while capturing raises. Nothing gets faster by it."""

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


def _tensors(*values):
    """The tensors in nested lists."""
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(*value)


def _memory(tensor):
    """The address of its storage."""
    storage = tensor.untyped_storage if hasattr(tensor, "untyped_storage") else tensor.storage
    return storage().data_ptr()


class _Recorder(TorchDispatchMode):
    def __init__(self, steps):
        super().__init__()
        self._steps = steps
        self._random = torch.get_rng_state()
        self._before = {}  # place -> (a tensor that an operator wrote to, what it held)
        self._own = set()  # storages that the capture made

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name, kwargs = func._schema.name, kwargs or {}
        if name.startswith("profiler::"):  # marks hold handles of this one run
            return func(*args, **kwargs)
        if _needs_the_host(name, args):
            raise RuntimeError(f"{name} needs a value on the host, which a graph cannot capture")
        self._remember(func._schema.arguments, args, kwargs)
        result = func(*args, **kwargs)
        given = {_memory(t) for t in _tensors(args, list(kwargs.values()))}
        self._own.update({_memory(t) for t in _tensors(result)} - given)
        self._steps.append((func, args, kwargs, result))
        return result

    def _remember(self, parameters, args, kwargs):
        for number, parameter in enumerate(parameters):
            if parameter.alias_info is None or not parameter.alias_info.is_write:
                continue
            given = args[number] if number < len(args) else kwargs.get(parameter.name)
            for t in _tensors(given):
                place = (t.data_ptr(), t.dtype, tuple(t.shape), t.stride())
                if place not in self._before and _memory(t) not in self._own:
                    self._before[place] = t.detach(), t.detach().clone()

    def undo(self):
        """What was there before the capture is as it was. Of places that overlap, the first to be
        noted is right: it comes last."""
        with torch.no_grad():
            for tensor, held in reversed(list(self._before.values())):
                tensor.copy_(held)
        torch.set_rng_state(self._random)


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
        recorder.undo()
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

    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode="global", **options):
        self._graph = cuda_graph

    def __enter__(self):
        self._graph.capture_begin()

    def __exit__(self, *_):
        self._graph.capture_end()
        return False
