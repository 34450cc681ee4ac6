# SPDX-License-Identifier: Apache-2.0
"""What PyTorch decides in Python, or compiles in, for the devices of its own."""

import torch

import _emulated_device as native


def _storages(kind):
    """UntypedStorage knows CUDA and XPU only where PyTorch was built with them."""
    make = torch.UntypedStorage.__new__
    original = torch.UntypedStorage.resize_

    def resize_(self, size):
        if self.device.type != kind:
            return original(self, size)
        view = torch.empty(0, dtype=torch.uint8, device=self.device).set_(self)
        native.resize_storage(view, size)
        return self

    def new(cls, *args, device=None, **kwargs):
        if device is None or torch.device(device).type != kind:
            return make(cls, *args, **kwargs, **({} if device is None else {"device": device}))
        return torch.empty(*args or (0,), dtype=torch.uint8, device=device).untyped_storage()

    torch.UntypedStorage.resize_ = resize_
    torch.UntypedStorage.__new__ = new


def _raw_stream(device):
    return torch.accelerator.current_stream(device).stream_id


def _data_parallel():
    """What nn.DataParallel moves tensors with, which is compiled for CUDA only."""

    def scatter(tensor, devices, chunk_sizes, dim, streams):
        chunks = (
            tensor.chunk(len(devices), dim)
            if chunk_sizes is None
            else tensor.split(chunk_sizes, dim)
        )
        return [chunk.to(device) for chunk, device in zip(chunks, _devices(devices))]

    def gather(tensors, dim, destination):
        where = tensors[0].device.type if destination is None else destination
        where = _devices([where])[0] if isinstance(where, int) else where
        return torch.cat([tensor.to(where) for tensor in tensors], dim)

    def broadcast_coalesced(tensors, devices, buffer_size):
        return [[tensor.to(device) for tensor in tensors] for device in _devices(devices)]

    def _devices(indices):
        kind = torch.accelerator.current_accelerator().type
        return [torch.device(kind, i) if isinstance(i, int) else torch.device(i) for i in indices]

    torch._C._scatter, torch._C._gather = scatter, gather
    torch._C._broadcast_coalesced = broadcast_coalesced


class _BatchNorm:
    """The operators of torch.nn.SyncBatchNorm, which the CPU has not."""

    def batch_norm_stats(x, eps):
        variance, mean = torch.var_mean(x, _BatchNorm._axes(x), correction=0)
        return mean, torch.rsqrt(variance + eps)

    def batch_norm_gather_stats_with_counts(
        x, means, invstds, running_mean, running_var, momentum, eps, counts
    ):
        n, share = counts.sum(), (counts / counts.sum()).view(-1, 1)
        mean = (means * share).sum(0)
        variance = ((invstds**-2 - eps + (means - mean).square()) * share).sum(0)
        if running_mean is not None:
            running_mean.mul_(1 - momentum).add_(momentum * mean)
            running_var.mul_(1 - momentum).add_(momentum * variance * n / (n - 1))
        return mean, torch.rsqrt(variance + eps)

    def batch_norm_elemt(x, weight, bias, mean, invstd, eps):
        mean, invstd, weight, bias = _BatchNorm._columns(x, mean, invstd, weight, bias)
        return (x - mean) * invstd * weight + bias

    def batch_norm_backward_reduce(dy, x, mean, invstd, weight, input_g, weight_g, bias_g):
        axes = _BatchNorm._axes(x)
        sum_dy = dy.sum(axes)
        sum_dy_xmu = (dy * (x - _BatchNorm._columns(x, mean)[0])).sum(axes)
        return sum_dy, sum_dy_xmu, sum_dy_xmu * invstd, sum_dy.clone()

    def batch_norm_backward_elemt(dy, x, mean, invstd, weight, sum_dy, sum_dy_xmu, counts):
        n = counts.sum()
        scale, slope = invstd if weight is None else invstd * weight, invstd**2 * sum_dy_xmu / n
        mean, scale, slope, part = _BatchNorm._columns(x, mean, scale, slope, sum_dy / n)
        return (dy - part - (x - mean) * slope) * scale

    def _axes(x):
        return [d for d in range(x.dim()) if d != 1]

    def _columns(x, *values):
        shape = [1, -1] + [1] * (x.dim() - 2)
        return [v if v is None else v.view(shape) for v in values]


def _operators(kind):
    """Operators that have no kernel on the CPU to fall back to."""
    global _library
    _library = torch.library.Library("aten", "IMPL")
    key = {"cuda": "CUDA", "xpu": "XPU", "hpu": "HPU"}.get(kind, "PrivateUse1")
    for name, function in vars(_BatchNorm).items():
        if name.startswith("batch_norm_"):
            _library.impl(name, function, key)


def _default_type(kind):
    """torch.set_default_tensor_type() with a legacy type of the device."""
    original = torch.set_default_tensor_type

    def set_default_tensor_type(t, /):
        name = t if isinstance(t, str) else getattr(t, "__name__", "")
        if not name.startswith(f"torch.{kind}."):
            return original(t)
        torch.set_default_dtype(getattr(torch, name.split(".")[2][:-6].lower()))
        torch.set_default_device(kind)

    torch.set_default_tensor_type = set_default_tensor_type


def _profiler(kind):
    """Sorting by mlu_time_total and the like, as Cambricon's and Moore Threads' PyTorch have it."""
    from torch.autograd.profiler_util import FormattedTimesMixin, FunctionEventAvg

    for prefix in ("", "self_"):
        name = f"{prefix}device_time_total"
        for cls in (FormattedTimesMixin, FunctionEventAvg):
            setattr(
                cls,
                name.replace("device", kind),
                property(lambda self, name=name: getattr(self, name)),
            )


class _Settings:
    """A module of switches: those that the vendor has can be read and set, and no others."""

    def __init__(self, path, switches):
        object.__setattr__(self, "_path", path)
        for name, value in switches.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        getattr(self, name)
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        raise AttributeError(f"module {self._path!r} has no attribute {name!r}")


def _backends(kind):
    """torch.backends.mudnn and so on, from the list of names."""
    from . import names

    children, built = {}, {}
    for name in names.of_vendor(kind):
        parts = name.split(".")
        if name.startswith("torch.backends."):
            for depth in range(3, len(parts)):
                children.setdefault(".".join(parts[:depth]), set()).add(parts[depth])
    for path in sorted(children, reverse=True):
        switches = {child: built.get(f"{path}.{child}", False) for child in children[path]}
        built[path] = _Settings(path, switches)
        if path.count(".") == 2:
            setattr(torch.backends, path.split(".")[2], built[path])


def install(kind):
    if kind in ("cuda", "xpu"):
        _storages(kind)
        setattr(torch._C, f"_{kind}_getCurrentRawStream", _raw_stream)
    else:
        _backends(kind)
    if kind == "hpu":
        _storages(kind)
    if kind in ("mlu", "musa"):
        _profiler(kind)
    _data_parallel()
    _operators(kind)
    _default_type(kind)
    if kind == "cuda":
        torch.backends.cuda.is_built = lambda: True
        torch.cuda.nccl.version = lambda: (2, 27, 5)
