"""Kernels that are registered for a device type by a decorator, and chosen where a tensor lives."""
# e2e: manual on portable: a name that comes before the CPU's would take its place without a device
from typing import Callable, Dict, Tuple

import torch

Kernel = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
KERNELS: Dict[Tuple[str, str], Kernel] = {}
CALLS = []


def register(op: str, *device_types: str):
    def wrap(fn: Kernel) -> Kernel:
        for device_type in device_types:
            KERNELS[op, device_type] = fn
        return fn

    return wrap


@register("add", "cpu")
def add_on_host(a, b):
    CALLS.append("host add")
    return a + b


@register("add", "cuda")
def add_on_device(a, b):
    CALLS.append("device add")
    return torch.add(a, b)


@register("scale", "cpu", "cuda")
def scale(a, b):
    CALLS.append("scale")
    return a * b


def run(op, a, b):
    try:
        kernel = KERNELS[op, a.device.type]
    except KeyError:
        raise NotImplementedError(f"{op} has no kernel for {a.device.type}") from None
    return kernel(a, b)


use_gpu = torch.cuda.is_available()
where = torch.device("cuda:0" if use_gpu else "cpu")
a = torch.arange(4.0, device=where)
total = run("scale", run("add", a, a), torch.tensor(3.0, device=where))
assert total.tolist() == [0.0, 6.0, 12.0, 18.0]
assert total.is_cuda is use_gpu
assert CALLS == ["device add" if use_gpu else "host add", "scale"], CALLS
assert run("add", torch.ones(2), torch.ones(2)).tolist() == [2.0, 2.0] and CALLS[-1] == "host add"
try:
    run("pow", a, a)
except NotImplementedError:
    print("no kernel for pow")
print(total.sum().item())
