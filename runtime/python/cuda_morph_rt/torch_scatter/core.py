# SPDX-License-Identifier: Apache-2.0
"""Reductions by index, in order and not."""

import torch

from ..stats import counted
from .utils import broadcast


def groups(index, dim_size):
    """How many groups there are: as many as are said, or as the greatest index needs."""
    if dim_size is not None:
        return dim_size
    return int(index.max()) + 1 if index.numel() else 0


def _made(src, index, dim, out, dim_size, fill=0):
    if out is not None:
        return out
    shape = list(src.shape)
    shape[dim] = groups(index, dim_size)
    return torch.full(shape, fill, dtype=src.dtype, device=src.device)


@counted
def scatter_sum(src, index, dim=-1, out=None, dim_size=None):
    index = broadcast(index, src, dim)
    return _made(src, index, dim, out, dim_size).scatter_add_(dim, index, src)


scatter_add = scatter_sum


@counted
def scatter_mul(src, index, dim=-1, out=None, dim_size=None):
    index = broadcast(index, src, dim)
    made = _made(src, index, dim, out, dim_size, fill=1)
    product = made.scatter_reduce(dim, index, src, "prod", include_self=True)
    return product if out is None else out.copy_(product)


@counted
def scatter_mean(src, index, dim=-1, out=None, dim_size=None):
    out = scatter_sum(src, index, dim, out, dim_size)
    ones = torch.ones_like(src, requires_grad=False)
    count = scatter_sum(ones, index, dim, None, out.size(dim)).clamp_(min=1)
    if out.is_floating_point():
        return out.true_divide_(count)
    return out.div_(count, rounding_mode="floor")


def _extreme(src, index, dim, out, dim_size, sign):
    """The smallest (-1) or largest (1) element of each group, and which it is. The element is
    taken from `src` by its place, so that its gradient goes there and nowhere else."""
    index = broadcast(index, src, dim)
    nothing = -sign * float("inf")  # no element is taken for it, as there
    n, start = src.size(dim), _made(src, index, dim, out, dim_size)
    arg = torch.full_like(start, n, dtype=torch.long, requires_grad=False)
    if not src.numel():
        return start, arg
    values = src.detach()
    if values.is_floating_point():  # a NaN is neither
        values = torch.where(values != values, torch.full_like(values, nothing), values)
    best = torch.zeros_like(start, requires_grad=False).scatter_reduce(
        dim, index, values, "amax" if sign > 0 else "amin", include_self=False
    )
    shape = [1] * src.dim()
    shape[dim] = n
    place = torch.arange(n, device=src.device).view(shape).expand(src.shape)
    found = (src.detach() == best.gather(dim, index)) & (src.detach() != nothing)
    place = torch.where(found, place, torch.full_like(place, n))
    arg = arg.scatter_reduce(dim, index, place, "amin", include_self=True)
    zero = torch.zeros_like(src.detach().narrow(dim, 0, 1))
    found = torch.cat([src, zero], dim).gather(dim, arg)
    if out is None:
        return found, arg
    better = (arg < n) & (found > out if sign > 0 else found < out)
    out.copy_(torch.where(better, found, out))
    return out, torch.where(better, arg, torch.full_like(arg, n))


@counted
def scatter_min(src, index, dim=-1, out=None, dim_size=None):
    return _extreme(src, index, dim, out, dim_size, -1)


@counted
def scatter_max(src, index, dim=-1, out=None, dim_size=None):
    return _extreme(src, index, dim, out, dim_size, 1)


def scatter(src, index, dim=-1, out=None, dim_size=None, reduce="sum"):
    if reduce in ("sum", "add"):
        return scatter_sum(src, index, dim, out, dim_size)
    if reduce == "mul":
        return scatter_mul(src, index, dim, out, dim_size)
    if reduce == "mean":
        return scatter_mean(src, index, dim, out, dim_size)
    if reduce == "min":
        return scatter_min(src, index, dim, out, dim_size)[0]
    if reduce == "max":
        return scatter_max(src, index, dim, out, dim_size)[0]
    raise ValueError(reduce)


# ---- groups in order: by the index of each element ----


def _along(src, index):
    """The index as torch_scatter spreads it there, and the dimension it counts in."""
    dim = index.dim() - 1
    index = index.expand(src.shape[: dim + 1])
    return index.view(list(index.shape) + [1] * (src.dim() - dim - 1)).expand(src.shape), dim


def segment_sum_coo(src, index, out=None, dim_size=None):
    index, dim = _along(src, index)
    return scatter_sum(src, index, dim, out, dim_size)


segment_add_coo = segment_sum_coo


def segment_mean_coo(src, index, out=None, dim_size=None):
    index, dim = _along(src, index)
    return scatter_mean(src, index, dim, out, dim_size)


def segment_min_coo(src, index, out=None, dim_size=None):
    index, dim = _along(src, index)
    return scatter_min(src, index, dim, out, dim_size)


def segment_max_coo(src, index, out=None, dim_size=None):
    index, dim = _along(src, index)
    return scatter_max(src, index, dim, out, dim_size)


def segment_coo(src, index, out=None, dim_size=None, reduce="sum"):
    if reduce == "mul":
        raise ValueError(reduce)
    index, dim = _along(src, index)
    return scatter(src, index, dim, out, dim_size, reduce)


@counted
def gather_coo(src, index, out=None):
    dim = index.dim() - 1
    index = index.expand(list(src.shape[:dim]) + [index.size(dim)])
    shape = list(index.shape) + list(src.shape[dim + 1 :])
    index = index.view(list(index.shape) + [1] * (src.dim() - dim - 1)).expand(shape)
    found = src.gather(dim, index)
    return found if out is None else out.copy_(found)


# ---- ... and by where each group begins ----


def _segments(indptr, n):
    """For each of n elements the number of groups that began before it or with it: 0 stands in
    front of the first one."""
    begins = torch.zeros(list(indptr.shape[:-1]) + [n + 1], dtype=torch.long, device=indptr.device)
    begins.scatter_add_(-1, indptr, torch.ones_like(indptr))
    return begins.cumsum(-1).narrow(-1, 0, n)


def _by_pointers(src, indptr, out, reduced):
    dim, groups = indptr.dim() - 1, indptr.size(-1) - 1
    index = _segments(indptr.expand(list(src.shape[:dim]) + [-1]), src.size(dim))
    parts = reduced(src, index, None, groups + 2)
    parts = [p.narrow(dim, 1, groups) for p in (parts if isinstance(parts, tuple) else (parts,))]
    if out is not None:
        parts[0] = out.copy_(parts[0])
    return parts[0] if len(parts) == 1 else tuple(parts)


def segment_sum_csr(src, indptr, out=None):
    return _by_pointers(src, indptr, out, segment_sum_coo)


segment_add_csr = segment_sum_csr


def segment_mean_csr(src, indptr, out=None):
    return _by_pointers(src, indptr, out, segment_mean_coo)


def segment_min_csr(src, indptr, out=None):
    return _by_pointers(src, indptr, out, segment_min_coo)


def segment_max_csr(src, indptr, out=None):
    return _by_pointers(src, indptr, out, segment_max_coo)


def segment_csr(src, indptr, out=None, reduce="sum"):
    if reduce in ("sum", "add"):
        return segment_sum_csr(src, indptr, out)
    if reduce == "mean":
        return segment_mean_csr(src, indptr, out)
    if reduce == "min":
        return segment_min_csr(src, indptr, out)[0]
    if reduce == "max":
        return segment_max_csr(src, indptr, out)[0]
    raise ValueError(reduce)


def gather_csr(src, indptr, out=None):
    n = int(indptr.flatten()[-1])
    index = _segments(indptr.expand(list(src.shape[: indptr.dim() - 1]) + [-1]), n)
    return gather_coo(src, index - 1, out)
