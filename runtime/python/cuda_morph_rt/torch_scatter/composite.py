# SPDX-License-Identifier: Apache-2.0
"""What is made of sums and maxima by index."""

import torch

from ..stats import counted
from .core import groups, scatter_max, scatter_sum
from .utils import broadcast


@counted
def scatter_std(src, index, dim=-1, out=None, dim_size=None, unbiased=True):
    if out is not None:
        dim_size = out.size(dim)
    index = broadcast(index, src, dim)
    count = scatter_sum(torch.ones_like(src, requires_grad=False), index, dim, dim_size=dim_size)
    count = count.clamp(min=1)
    mean = scatter_sum(src, index, dim, dim_size=dim_size) / count
    off = src - mean.gather(dim, index)
    out = scatter_sum(off * off, index, dim, out, dim_size)
    if unbiased:
        count = (count - 1).clamp(min=1)
    return (out / (count + 1e-6)).sqrt()


def _recentered(src, index, dim, dim_size):
    if not torch.is_floating_point(src):
        raise ValueError("the elements have to be floating-point numbers")
    index = broadcast(index, src, dim)
    greatest = scatter_max(src, index, dim, dim_size=dim_size)[0]
    return src - greatest.gather(dim, index), index


@counted
def scatter_softmax(src, index, dim=-1, dim_size=None):
    recentered, index = _recentered(src, index, dim, dim_size)
    parts = recentered.exp()
    return parts / scatter_sum(parts, index, dim, dim_size=dim_size).gather(dim, index)


@counted
def scatter_log_softmax(src, index, dim=-1, eps=1e-12, dim_size=None):
    recentered, index = _recentered(src, index, dim, dim_size)
    sums = scatter_sum(recentered.exp(), index, dim, dim_size=dim_size)
    return recentered - (sums + eps).log().gather(dim, index)


@counted
def scatter_logsumexp(src, index, dim=-1, out=None, dim_size=None, eps=1e-12):
    """As there without `out`; with it, what it holds counts as one more element of each group."""
    if not torch.is_floating_point(src):
        raise ValueError("the elements have to be floating-point numbers")
    index = broadcast(index, src, dim)
    size = out.size(dim) if out is not None else groups(index, dim_size)
    shape = list(src.shape)
    shape[dim] = size
    greatest = torch.full(shape, -float("inf"), dtype=src.dtype, device=src.device)
    scatter_max(src.detach(), index, dim, greatest)
    parts = src - greatest.gather(dim, index)
    parts = parts.masked_fill(torch.isnan(parts), -float("inf")).exp()
    before = None if out is None else out.clone()
    sums = scatter_sum(parts, index, dim, None if out is None else (out - greatest).exp(), size)
    result = (sums + eps).log() + greatest
    if before is None:
        return result.nan_to_num(neginf=0.0)
    return out.copy_(torch.where(result.isfinite(), result, before))
