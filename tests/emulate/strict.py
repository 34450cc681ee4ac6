# SPDX-License-Identifier: Apache-2.0
"""Fails where the stand-in of the emulated device has a name that its vendor has not.

    tests/emulate/python3 DEVICE tests/emulate/strict.py

Everything that can be reached below torch.DEVICE has to be in the vendor's list (tests/names) or in
the protocol that PyTorch asks of a back end; what torch.cuda has and the list lacks, and names that
nobody has, raise AttributeError; parameters that the vendor calls otherwise raise TypeError."""

import importlib
import os
import sys
import types

import torch

from emulated_device import names, namespace

device = os.environ["CUDA_MORPH_EMULATE"]
if device != "xpu" and names.package(device):
    importlib.import_module(names.package(device))
root = getattr(torch, device)
listed = names.of_vendor(device)
wrong = []


def reached(module, path, seen):
    """Qualified names below a module of the stand-in."""
    for name, value in list(vars(module).items()):
        if name.startswith("__"):
            continue
        if isinstance(value, types.ModuleType):
            if value.__name__.startswith(f"torch.{device}") and id(value) not in seen:
                seen.add(id(value))
                yield f"{path}.{name}"
                yield from reached(value, f"{path}.{name}", seen)
            continue
        yield f"{path}.{name}"


def has(owner, dotted):
    for part in dotted.split("."):
        if not hasattr(owner, part):
            return False
        owner = getattr(owner, part)
    return True


if device != "xpu":  # torch.xpu is PyTorch's own: the emulation replaces names and adds none
    modules = {name.rpartition(".")[0] for name in listed}
    for path, members in names.modules_of_vendor(device).items():
        modules |= {f"{path}.{member.rpartition('.')[2]}" for member in members}
    for name in sorted(set(reached(root, f"torch.{device}", set())) - listed - modules):
        if name.rpartition(".")[2] not in namespace._PROTOCOL:
            wrong.append(f"{name} is not in the vendor's list")
    for name in dir(torch.cuda):
        if name[0] != "_" and f"torch.{device}.{name}" not in listed | modules and has(root, name):
            if name not in namespace._PROTOCOL:
                wrong.append(f"torch.{device}.{name} is torch.cuda's only")
for name in ("CUDAGraph", "cudart", "nvtx", "is_availabel", "synchronise", "amp.autocasts", "memory.stats"):
    if has(root, name):
        wrong.append(f"torch.{device}.{name} is nobody's")
for other in {"npu", "mlu", "musa", "xpu", "hpu", "gcu", "flagos"} - {device}:
    if has(torch.Tensor, f"is_{other}") and other not in ("xpu", "hpu"):
        wrong.append(f"torch.Tensor.is_{other} is another vendor's")
    if other != "xpu" and has(torch, other):
        wrong.append(f"torch.{other} is another vendor's")
for path, cls in namespace.CLASSES.items():
    for method in (device, f"is_{device}"):
        if device != "xpu" and has(cls, method) and f"{path}.{method}" not in listed:
            wrong.append(f"{path}.{method} is not in the vendor's list")
for name in ("Event", "get_device_name", "graph"):
    if f"torch.{device}.{name}" not in listed and not has(root, name):
        continue
    try:
        getattr(root, name)(of_nobody=1)
    except TypeError:
        continue
    except Exception as error:
        wrong.append(f"torch.{device}.{name}(of_nobody=1) raises {error!r}")
    else:
        wrong.append(f"torch.{device}.{name}() takes any parameter")
print("\n".join(wrong) or f"strict: {device} has {len(listed)} names of the vendor's and no others")
sys.exit(bool(wrong))
