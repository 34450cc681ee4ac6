# SPDX-License-Identifier: Apache-2.0
"""xformers.ops.fmha: the masks, attention under its other name, and the names of kernels, which
choose nothing here."""

from types import SimpleNamespace

from . import attn_bias
from .attn_bias import AttentionBias, BlockDiagonalMask, LowerTriangularMask

__all__ = [
    "AttentionBias",
    "BlockDiagonalMask",
    "LowerTriangularMask",
    "attn_bias",
    "ck",
    "cutlass",
    "flash",
    "flash3",
    "memory_efficient_attention",
    "memory_efficient_attention_forward",
    "triton_splitk",
]

# What public code hands to op=: a pair of classes, forward and backward.
ck, cutlass, flash, flash3, triton_splitk = (
    SimpleNamespace(FwOp=type("FwOp", (), {"NAME": name}), BwOp=type("BwOp", (), {"NAME": name}))
    for name in ("ck", "cutlass", "flash", "flash3", "triton_splitk")
)


def memory_efficient_attention(*args, **kwargs):
    """xformers.ops.memory_efficient_attention."""
    from .. import memory_efficient_attention as attention

    return attention(*args, **kwargs)


memory_efficient_attention_forward = memory_efficient_attention
