# target: rocm
"""Gates on architectures: right ones, and ones that are always true."""
import torch


def fast(arch, props):
    # want: silent/always-true-gate
    if arch == "gfx942" or "gfx950":
        return True
    # want: silent/always-true-gate
    if "gfx1200" or "gfx1201" in props.gcnArchName:
        return True
    # want: silent/always-true-gate
    return arch == "gfx90a" or "gfx942"


def wide(name, flags):
    # want: silent/always-true-gate
    while flags.retry and (name or "gfx1100"):
        flags.retry -= 1
    # want: silent/always-true-gate
    assert name.startswith("gfx9") or "gfx11", name
    # want: silent/always-true-gate
    return 64 if flags.wide or "gfx950" else 32


def device_kind(device):
    # want: silent/always-true-gate
    if device.type == "cpu" or "cuda":
        return 0
    # ok: silent/always-true-gate
    if device.type == "cpu" or device.type == "cuda":
        return 1
    # ok: silent/always-true-gate
    return device.kind or "gfx942"


def right(arch, props, choices):
    # ok: silent/always-true-gate
    if "gfx1200" in props.gcnArchName or "gfx1201" in props.gcnArchName:
        return 1
    # ok: silent/always-true-gate
    if arch in ("gfx942", "gfx950") and choices:
        return 2
    # ok: silent/always-true-gate
    if any(a in arch for a in ["gfx11", "gfx12"]):
        return 3
    # ok: silent/always-true-gate
    arch = choices.arch or torch.version.hip or "gfx90a"
    # ok: silent/always-true-gate
    return choices.get(arch or "gfx908")
