# SPDX-License-Identifier: Apache-2.0
"""Parts of NVIDIA's apex for devices it was not written for, with apex's names, arguments and
checkpoint keys: amp, parallel, optimizers and normalization. amp and parallel are those of
releases before 2026-07, which is when apex itself gave them up for torch.amp and
torch.nn.parallel."""

import importlib

_PARTS = ("amp", "normalization", "optimizers", "parallel")


def __getattr__(name):
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
