# SPDX-License-Identifier: Apache-2.0
"""Which device there is, and what it can do: answers for programs that asked CUDA."""

import threading

import torch
from torch import Tensor
from torch.nn import Module

# What computes on the host or not at all; every other device is an accelerator, whoever made it.
HOST = ("cpu", "meta", "mkldnn", "lazy")


def kinds():
    """The names under which accelerators are looked for where this PyTorch has no
    torch.accelerator (that came with 2.6): first that of a vendor's package. PyTorch knows it since
    2.1; before that, packages of these three took part in PyTorch under names of their own."""
    named = getattr(torch._C, "_get_privateuse1_backend_name", None)
    vendors = (named(),) if named else ("npu", "mlu", "musa")
    return (*vendors, "xpu", "cuda", "hpu", "mps")


def kind_of(device):
    """The type of a device: of "npu:0", a torch.device, a tensor, or a module's parameters. A
    number is one of the accelerator's, so it has that type; None has none."""
    if isinstance(device, str):
        return device.partition(":")[0]
    if isinstance(device, torch.device):
        return device.type
    if isinstance(device, Tensor):
        return device.device.type
    if device is None:
        return None
    if isinstance(device, bool):
        raise TypeError("a device is no bool")
    if isinstance(device, int):
        return current()
    if isinstance(device, Module):
        first = next(device.parameters(), None)
        return None if first is None else first.device.type
    return getattr(device, "device", device).type


def is_gpu_device(device):
    """Whether it is an accelerator, whoever made it: "musa:0" is, "cpu" and "meta" are not."""
    kind = kind_of(device)
    return kind is not None and kind not in HOST


def current():
    """The type of the accelerator in use, "cpu" where there is none."""
    accelerator = getattr(torch, "accelerator", None)
    if accelerator is not None:
        device = accelerator.current_accelerator()
        return "cpu" if device is None or not accelerator.is_available() else device.type
    for kind in kinds():
        module = getattr(torch, kind, None) or getattr(torch.backends, kind, None)
        if module is not None and getattr(module, "is_available", bool)():
            return kind
    return "cpu"


_answers = {}


def known(kind, dtype):
    """Whether supports() has said so before: a look-up, which asks no device."""
    return _answers.get((kind, dtype), False)


def supports(dtype, device=None):
    """Whether the device computes in this type: it is asked to, once, and the type of the result
    has to be the same (torch_npu and torch_musa may cast float64 to float32 without raising).
    `device` defaults to the accelerator in use."""
    kind = current() if device is None else kind_of(device)
    if (kind, dtype) not in _answers:
        try:
            one = torch.ones(2, 2, device=kind).to(dtype)
            _answers[kind, dtype] = one.dtype == dtype and (one @ one + one).dtype == dtype
        except (RuntimeError, TypeError, NotImplementedError):
            _answers[kind, dtype] = False
    return _answers[kind, dtype]


def get_device_capability(device=None):
    """torch.cuda.get_device_capability() where there is CUDA; on other devices (0, 0), which no test
    for a feature of CUDA's passes."""
    return torch.cuda.get_device_capability(device) if current() == "cuda" else (0, 0)


def default_stream(device=None):
    """The stream on which a thread works that has chosen none. torch.xpu has no function for it: a
    thread that has just begun tells its own (c10/xpu/XPUStream.cpp: it is the same in each)."""
    kind = current()
    if kind == "cpu":
        from . import cpu

        return cpu.default_stream(device)
    module = getattr(torch, kind)
    if hasattr(module, "default_stream"):
        return module.default_stream(device)
    device = module.current_device() if device is None else device
    found = []
    thread = threading.Thread(target=lambda: found.append(module.current_stream(device)))
    thread.start()
    thread.join()
    return found[0]


def pin_memory(x):
    """x.pin_memory(), and x itself where a tensor has no accelerator to be pinned for."""
    pinned = not isinstance(x, (Tensor, torch.nn.utils.rnn.PackedSequence)) or current() != "cpu"
    return x.pin_memory() if pinned else x


def to_accelerator(x, *arguments, **options):
    """x.cuda(), where x may be of a class of the program's that defines cuda() itself: the port
    gives such a class the name `to_accelerator` for it. Everything else is moved by to()."""
    own = getattr(type(x), "to_accelerator", None)
    if own is not None:
        return own(x, *arguments, **options)
    options.update(zip(("device", "non_blocking", "memory_format"), arguments))
    device = options.pop("device", None)
    return x.to(current() if device is None else device, **options)


def attention():
    """What transformers is to compute attention with: flash-attn where it finds one for the device,
    else PyTorch's own. Both compute the same."""
    from transformers.utils import is_flash_attn_2_available

    return "flash_attention_2" if is_flash_attn_2_available() else "sdpa"
