# SPDX-License-Identifier: Apache-2.0
"""xformers.ops beside attention, by PyTorch's operators: SwiGLU with xformers' parameters (its
checkpoints load), and the two functions that DINOv2 calls."""

import torch
from torch import nn
from torch.nn import functional


class SwiGLU(nn.Module):
    """w3(silu(w1 x) * w2 x); w1 and w2 are one matrix, w12, as in xformers."""

    def __init__(
        self, in_features, hidden_features, out_features=None, bias=True, *, _pack_weights=True
    ):
        super().__init__()
        out_features = out_features or in_features
        self.in_features, self.hidden_features = in_features, hidden_features
        self.out_features, self.op = out_features, None
        if _pack_weights:
            self.w12 = nn.Linear(in_features, 2 * hidden_features, bias=bias)
        else:
            self.w12 = None
            self.w1 = nn.Linear(in_features, hidden_features, bias=bias)
            self.w2 = nn.Linear(in_features, hidden_features, bias=bias)
        self.w3 = nn.Linear(hidden_features, out_features, bias=bias)

    def forward(self, x):
        if self.w12 is None:
            gate, value = self.w1(x), self.w2(x)
        else:
            gate, value = self.w12(x).chunk(2, dim=-1)
        return self.w3(functional.silu(gate) * value)


def swiglu(x, w1, b1, w2, b2, w3, b3, *, op=None):
    """The same as a function; `op` chooses between CUDA kernels and has no meaning."""
    gate = functional.silu(functional.linear(x, w1, b1))
    return functional.linear(gate * functional.linear(x, w2, b2), w3, b3)


def index_select_cat(sources, indices):
    """The rows `indices[i]` of each source, all of them flat in one vector."""
    return torch.cat([s[i.long()].flatten() for s, i in zip(sources, indices)], dim=0)


def scaled_index_add(input, index, source, scaling=None, alpha=1.0):
    """input[index[i]] += alpha * scaling * source[i], in place where no gradient is asked for."""
    scaled = source if scaling is None else source * scaling
    if input.requires_grad or scaled.requires_grad:
        return torch.index_add(input, 0, index, scaled.to(input.dtype), alpha=alpha)
    return input.index_add_(0, index, scaled.to(input.dtype), alpha=alpha)
