# SPDX-License-Identifier: Apache-2.0
"""float64, bfloat16 and complex128 on devices that lack them.

`dtypes.float64` is torch.float64 where the device computes in it (devices.supports() asks it), and
what CUDA_MORPH_DTYPE says elsewhere:

    auto    (default) the next narrower type
    warn    the same, with a warning, once for each type
    strict  TypeError
    off     torch.float64: whatever comes of it
"""

import os
import warnings

import torch

from . import devices
from .stats import counted

POLICIES = ("auto", "warn", "strict", "off")
NARROWER = {
    torch.float64: torch.float32,
    torch.complex128: torch.complex64,
    torch.bfloat16: torch.float16,
}
_ALIASES = {"double": "float64", "cdouble": "complex128"}
_told = set()


def policy():
    """What CUDA_MORPH_DTYPE says; ValueError where it says something else."""
    said = os.environ.get("CUDA_MORPH_DTYPE") or POLICIES[0]
    if said not in POLICIES:
        raise ValueError(f"CUDA_MORPH_DTYPE is one of {', '.join(POLICIES)}, not {said!r}")
    return said


@counted
def resolve(dtype, device=None):
    """The type to compute in instead of `dtype`. `device`: by default the accelerator in use."""
    if dtype not in NARROWER:
        return dtype
    kind = devices.current() if device is None else devices.kind_of(device)
    if devices.known(kind, dtype):
        return dtype
    chosen = policy()
    if chosen == "off" or devices.supports(dtype, kind):
        return dtype
    instead = NARROWER[dtype]
    if chosen == "strict":
        raise TypeError(f"{kind} has no {dtype} (CUDA_MORPH_DTYPE=auto takes {instead})")
    if chosen == "warn" and (kind, dtype) not in _told:
        _told.add((kind, dtype))
        warnings.warn(f"{kind} has no {dtype}: {instead} takes its place", stacklevel=2)
    return instead


def __getattr__(name):
    dtype = getattr(torch, _ALIASES.get(name, name), None)
    if dtype not in NARROWER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve(dtype)
