# SPDX-License-Identifier: Apache-2.0
"""Sizes rounded up to a few fixed ones, for devices that compile anew for each shape.

The counterpart in C is cm_bucket() of runtime/include/cuda_morph/bucket.h. Nothing is kept but
counts: a result is computed from its own input each time."""

from bisect import bisect_left

import torch

from .stats import counted


class Buckets:
    """Rounds up to one of `sizes`. What is larger than the last of them is refused: cutting it off
    would lose data."""

    def __init__(self, sizes):
        self.sizes = sorted(set(sizes))
        if not self.sizes or self.sizes[0] < 1 or any(type(n) is not int for n in self.sizes):
            raise ValueError(f"bucket sizes are positive integers, not {sizes!r}")
        self.counts = dict.fromkeys(self.sizes, 0)

    @classmethod
    def powers(cls, first, last):
        """first, 2 first, 4 first ... up to last."""
        sizes = [first]
        while sizes[-1] * 2 <= last:
            sizes.append(sizes[-1] * 2)
        return cls(sizes)

    def size(self, n):
        """The smallest bucket that n fits into; ValueError where there is none."""
        at = bisect_left(self.sizes, n)
        if n < 0 or at == len(self.sizes):
            raise ValueError(f"{n} does not fit into the largest bucket, {self.sizes[-1]}")
        return self.sizes[at]

    @counted
    def pad(self, x, dim=-1, value=0):
        """`x` with `value` behind its end along `dim`; `x` itself where its size is a bucket."""
        n = x.shape[dim]
        bucket = self.size(n)
        self.counts[bucket] += 1
        if n == bucket:
            return x
        shape = list(x.shape)
        shape[dim] = bucket - n
        return torch.cat((x, x.new_full(shape, value)), dim=dim)

    def mask(self, n, device=None):
        """True for the first n places of n's bucket, False for the padding."""
        return torch.arange(self.size(n), device=device) < n
