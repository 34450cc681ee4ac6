# SPDX-License-Identifier: Apache-2.0
"""Graphs of the accelerator that is there, whosever it is: torch.cuda.CUDAGraph and
torch.cuda.graph for portable programs. Without an accelerator they are those of cuda_morph_rt.graphs."""

import inspect

import torch

from . import graphs


def _module():
    """torch.cuda, torch.npu ...; None without an accelerator."""
    accelerator = getattr(torch, "accelerator", None)
    if accelerator is None or not accelerator.is_available():
        return None
    return torch.get_device_module(accelerator.current_accelerator())


def _graph_class():
    """torch.cuda.CUDAGraph, torch.npu.NPUGraph and so on."""
    module = _module()
    if module is None:
        return graphs.CUDAGraph
    kind = module.__name__.rpartition(".")[2]
    found = getattr(module, f"{kind.upper()}Graph", None)
    if found is None:
        raise NotImplementedError(f"{module.__name__} has no graphs: run without them")
    return found


class _Kind(type):
    def __instancecheck__(cls, value):
        return isinstance(value, (_graph_class(), graphs.CUDAGraph))


class CUDAGraph(metaclass=_Kind):
    """Makes a graph of the accelerator; isinstance() knows those."""

    def __new__(cls, *args, **kwargs):
        return _graph_class()(*args, **kwargs)


def graph(cuda_graph, pool=None, stream=None, **options):
    """The context in which a graph is captured. Vendors differ in the name of the first parameter."""
    module = _module()
    if module is None:
        return graphs.graph(cuda_graph, pool, stream, **options)
    if pool is not None:  # Gaudi's has no such parameter
        options["pool"] = pool
    if stream is not None:
        options["stream"] = stream
    return module.graph(cuda_graph, **options)


def graph_pool_handle():
    module = _module()
    return None if module is None else module.graph_pool_handle()


def make_graphed_callables(callables, *args, **kwargs):
    """The vendor's; without an accelerator the callables run eagerly."""
    module = _module()
    if module is None:
        return callables
    make = module.make_graphed_callables
    known = inspect.signature(make).parameters
    if "num_warmup_iters" in kwargs and "num_warmup_iters" not in known and "warmups" in known:
        kwargs["warmups"] = kwargs.pop("num_warmup_iters")  # Gaudi's name
    return make(callables, *args, **kwargs)
