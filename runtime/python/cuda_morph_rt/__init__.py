# SPDX-License-Identifier: Apache-2.0
"""What Python programs ported by cuda-morph need at run time, and the import hook of
`cuda-morph run`. Importing the package loads nothing and changes nothing; `cuda_morph_rt.cpu` and
the like are loaded when they are first asked for."""

import importlib

_PARTS = (
    "apex buckets compiler cpu device_graphs devices dtypes fallbacks flash_attn graphs nvtx "
    "stats tensor_types xformers"
).split()


def __getattr__(name):
    if name == "is_gpu_device":
        return importlib.import_module(f"{__name__}.devices").is_gpu_device
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
