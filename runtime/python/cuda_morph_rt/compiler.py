# SPDX-License-Identifier: Apache-2.0
"""torch.compile with a back end that the device has.

Ascend's is TorchAir: torchair.get_npu_backend(compiler_config=CompilerConfig()), whose `mode` is
"max-autotune" or "reduce-overhead" (Ascend's documentation of TorchAir; SGLang calls it so). The
other devices have PyTorch's own, "inductor"."""

import importlib
import importlib.util
import warnings

import torch

from . import devices
from .stats import counted

_MODES = ("max-autotune", "reduce-overhead")


def _is_installed(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def backend(mode=None, device=None):
    """What to hand to torch.compile as backend on the device (default: the accelerator in use):
    TorchAir's on Ascend, "eager" with a warning where it is not installed; else "inductor"."""
    kind = devices.current() if device is None else devices.kind_of(device)
    if kind != "npu":
        return "inductor"
    for name in ("torchair", "torch_npu.dynamo.torchair"):
        if _is_installed(name):
            torchair = importlib.import_module(name)
            config = torchair.CompilerConfig()
            if mode in _MODES:
                config.mode = mode
            return torchair.get_npu_backend(compiler_config=config)
    warnings.warn("torchair is not installed: torch.compile runs eagerly", stacklevel=3)
    return "eager"


@counted
def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend=None,
    mode=None,
    options=None,
    disable=False,
):
    """torch.compile (before 2.0, the model itself). A back end that is named is used."""
    if not hasattr(torch, "compile"):
        return model if model is not None else lambda function: function
    if backend is None:
        backend = globals()["backend"](mode)
        if backend != "inductor":
            mode = options = None  # they are the inductor's
    return torch.compile(
        model,
        fullgraph=fullgraph,
        dynamic=dynamic,
        backend=backend,
        mode=mode,
        options=options,
        disable=disable,
    )
