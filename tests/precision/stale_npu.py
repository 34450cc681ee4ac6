# target: ascend
"""Operators and names of early torch_npu."""
import torch
import torch_npu


def norm(x, gamma):
    # want: stale/npu-operator
    y = torch.npu_rms_norm(x, gamma)[0]
    # ok: stale/npu-operator
    return torch_npu.npu_rms_norm(y, gamma)[0]


def layout(weight):
    # want: stale/npu-operator
    kind = torch.get_npu_format(weight)
    # ok: stale/npu-operator
    return torch_npu.npu_format_cast(weight, kind)


def report():
    # want: stale/npu-name
    cached = torch.npu.memory_cached()
    # want: stale/npu-name
    torch.npu.reset_max_memory_allocated()
    # ok: stale/npu-name
    return cached, torch.npu.memory_reserved(), torch.npu.max_memory_allocated()


def activation(kind):
    if kind == "mish":
        # want: stale/npu-contrib
        return torch_npu.contrib.module.Mish()
    # ok: stale/npu-contrib
    return torch.nn.SiLU()


def number():
    # want: silent/capability
    return torch.npu.get_device_capability() or (0, 0)


def check(x):
    # ok: torch-device/is-cuda
    assert x.is_npu
    # ok: torch-device/device-string
    return x.to("npu:0")
