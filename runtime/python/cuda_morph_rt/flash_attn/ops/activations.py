# SPDX-License-Identifier: Apache-2.0
"""flash_attn.ops.activations: fused activations, as PyTorch writes them."""

import torch
import torch.nn.functional as F


def _gelu(x):
    return F.gelu(x, approximate="tanh")


def bias_gelu_impl(input, bias):
    return _gelu(input + bias)


def fast_gelu_impl(input):
    return _gelu(input)


def swiglu(x, y):
    """silu(x) * y, in float32 inside."""
    return (F.silu(x.float()) * y.float()).to(torch.promote_types(x.dtype, y.dtype))


def sqrelu_fwd(x):
    return torch.square(F.relu(x.float())).to(x.dtype)
