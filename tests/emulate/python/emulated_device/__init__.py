# SPDX-License-Identifier: Apache-2.0
"""An emulated accelerator for PyTorch: see tests/emulate/README.md.

CUDA_MORPH_EMULATE names the device: npu, mlu, musa, xpu, cuda, or that of a target that is listed. PyTorch loads this package
through its back-end entry point, so that every process has the device. What the vendor's own package does
on import, torch_npu and its like do here (tests/emulate/vendors)."""

import importlib
import os

_installed = None


def device_name():
    """The device that this process is to emulate, or None."""
    return os.environ.get("CUDA_MORPH_EMULATE") or None


def autoload():
    """PyTorch's entry point: xpu and cuda are there from the beginning; the others come with
    `import torch_npu` and so on, or here, where CUDA_MORPH_EMULATE_AUTOLOAD is set: newer packages
    of the vendors do that, and portable programs count on it."""
    from . import names

    if device_name() in ("xpu", "cuda"):
        install(device_name())
    elif device_name() and not names.package(device_name()):
        install(device_name())
    elif device_name() and os.environ.get("CUDA_MORPH_EMULATE_AUTOLOAD"):
        importlib.import_module(names.package(device_name()))


def install(name):
    """Make `name` a device of this process: tensors, streams, collectives and torch.<name>."""
    global _installed
    if _installed == name:
        return
    if _installed or device_name() != name:
        raise ImportError(f"this process emulates {device_name()!r}, which has no {name}")
    _installed = name
    import torch

    import _emulated_device

    from . import collectives, namespace, patches

    if name not in ("xpu", "cuda", "hpu"):
        torch.utils.rename_privateuse1_backend(name)
    _emulated_device.install(name, int(os.environ.get("CUDA_MORPH_EMULATE_COUNT", "2")))
    namespace.install(name)
    patches.install(name)
    collectives.install(name)
    if name not in ("xpu", "cuda", "hpu"):
        namespace.generate_methods(name)
