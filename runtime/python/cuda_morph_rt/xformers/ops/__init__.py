# SPDX-License-Identifier: Apache-2.0
"""xformers.ops: memory_efficient_attention over PyTorch's own attention.

The documented shapes are taken: (batch, n, heads, d), (batch, n, d), and with groups of heads
(batch, n, groups, heads, d). The bias is a tensor that is added to the scores, or one of the
masks of ops.fmha.attn_bias; any other is refused. `op` chooses between CUDA kernels and has no
meaning."""

import math

import torch

from ...stats import counted
from . import fmha
from .fmha.attn_bias import AttentionBias, LowerTriangularFromBottomRightMask, LowerTriangularMask
from .layers import SwiGLU, index_select_cat, scaled_index_add, swiglu

__all__ = [
    "AttentionBias",
    "LowerTriangularFromBottomRightMask",
    "LowerTriangularMask",
    "MemoryEfficientAttentionCkOp",
    "MemoryEfficientAttentionCutlassOp",
    "MemoryEfficientAttentionFlashAttentionOp",
    "SwiGLU",
    "fmha",
    "index_select_cat",
    "memory_efficient_attention",
    "memory_efficient_attention_forward",
    "scaled_index_add",
    "swiglu",
    "unbind",
]

MemoryEfficientAttentionCkOp = (fmha.ck.FwOp, fmha.ck.BwOp)
MemoryEfficientAttentionCutlassOp = (fmha.cutlass.FwOp, fmha.cutlass.BwOp)
MemoryEfficientAttentionFlashAttentionOp = (fmha.flash.FwOp, fmha.flash.BwOp)


def unbind(x, dim):
    """torch.unbind; xformers' own saves memory in its gradient."""
    return torch.unbind(x, dim)


def _scores(q, k, bias, scale):
    scores = torch.matmul(q * scale, k.transpose(-2, -1))
    if bias is None:
        return scores
    if isinstance(bias, AttentionBias):
        return scores + bias.materialize(tuple(scores.shape), scores.dtype, scores.device)
    if isinstance(bias, torch.Tensor):
        return scores + bias.to(scores.dtype)
    raise NotImplementedError(f"memory_efficient_attention: a bias of type {type(bias).__name__}")


@counted
def memory_efficient_attention(
    query, key, value, attn_bias=None, p=0.0, scale=None, *, op=None, output_dtype=None
):
    """softmax(query key^T scale + bias) value, in float32 inside for half types. The value may
    have another last axis than query and key."""
    if query.dim() not in (3, 4, 5) or not query.dim() == key.dim() == value.dim():
        raise ValueError("query, key and value have 3, 4 or 5 axes, and all of them as many")
    flat = query.dim() == 3
    q, k, v = ((x.unsqueeze(2) if flat else x) for x in (query, key, value))
    wide = torch.float32 if q.dtype in (torch.float16, torch.bfloat16) else q.dtype
    q, k, v = (x.movedim(1, -2).to(wide) for x in (q, k, v))
    scale = 1.0 / math.sqrt(query.shape[-1]) if scale is None else scale
    if flat and isinstance(attn_bias, torch.Tensor) and attn_bias.dim() == 3:
        attn_bias = attn_bias.unsqueeze(1)
    weights = torch.softmax(_scores(q, k, attn_bias, scale), dim=-1)
    weights = torch.nn.functional.dropout(weights, p) if p else weights
    out = torch.matmul(weights, v).movedim(-2, 1).to(output_dtype or query.dtype)
    return out.squeeze(2) if flat else out


memory_efficient_attention_forward = memory_efficient_attention
