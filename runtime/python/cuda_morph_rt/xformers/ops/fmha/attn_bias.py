# SPDX-License-Identifier: Apache-2.0
"""xformers.ops.fmha.attn_bias: what a query may see, as something to add to the scores."""

import math

import torch


class AttentionBias:
    """One that can say itself as a tensor: 0 where a key is seen, -inf where it is not."""

    def _seen(self, n_q, n_k, device):
        raise NotImplementedError

    def materialize(self, shape, dtype=torch.float32, device="cpu"):
        """Of the shape (..., queries, keys)."""
        seen = self._seen(shape[-2], shape[-1], device)
        bias = torch.zeros(shape[-2:], dtype=dtype, device=device)
        return bias.masked_fill(~seen, -math.inf).expand(shape)


def _below(n_q, n_k, diagonal, device):
    return torch.ones(n_q, n_k, dtype=torch.bool, device=device).tril(diagonal)


class LowerTriangularMask(AttentionBias):
    """Causal, aligned to the first key: query i sees the keys up to i."""

    def _seen(self, n_q, n_k, device):
        return _below(n_q, n_k, 0, device)

    def add_bias(self, bias):
        return LowerTriangularMaskWithTensorBias(bias)


class LowerTriangularFromBottomRightMask(AttentionBias):
    """Causal, aligned to the last key."""

    def _seen(self, n_q, n_k, device):
        return _below(n_q, n_k, n_k - n_q, device)


class LowerTriangularMaskWithTensorBias(LowerTriangularMask):
    def __init__(self, bias):
        self._bias = bias

    def materialize(self, shape, dtype=torch.float32, device="cpu"):
        return super().materialize(shape, dtype, device) + self._bias.to(dtype)


class BlockDiagonalMask(AttentionBias):
    """Sequences packed behind each other: each sees itself only."""

    def __init__(self, q_seqlen, kv_seqlen=None):
        self._q = list(q_seqlen)
        self._k = self._q if kv_seqlen is None else list(kv_seqlen)
        if len(self._q) != len(self._k):
            raise ValueError("q_seqlen and kv_seqlen differ in length")

    @classmethod
    def from_seqlens(cls, q_seqlen, kv_seqlen=None, *, device=None):
        return cls(q_seqlen, kv_seqlen)

    @classmethod
    def from_tensor_list(cls, tensors):
        """The mask, and the tensors (1, n, ...) joined to one."""
        return cls([x.shape[1] for x in tensors]), torch.cat(list(tensors), dim=1)

    def make_causal(self):
        return BlockDiagonalCausalMask(self._q, self._k)

    def make_causal_from_bottomright(self):
        return BlockDiagonalCausalFromBottomRightMask(self._q, self._k)

    def split(self, tensor):
        """The sequences of a packed result (1, total, ...)."""
        return list(tensor.split(self._q, dim=1))

    def _block(self, n_q, n_k, device):
        return torch.ones(n_q, n_k, dtype=torch.bool, device=device)

    def _seen(self, n_q, n_k, device):
        if (n_q, n_k) != (sum(self._q), sum(self._k)):
            raise ValueError(f"the sequences are {sum(self._q)} by {sum(self._k)} long in all")
        blocks = [self._block(q, k, device) for q, k in zip(self._q, self._k)]
        return torch.block_diag(*blocks).bool()


class BlockDiagonalCausalMask(BlockDiagonalMask):
    def _block(self, n_q, n_k, device):
        return _below(n_q, n_k, 0, device)


class BlockDiagonalCausalFromBottomRightMask(BlockDiagonalMask):
    def _block(self, n_q, n_k, device):
        return _below(n_q, n_k, n_k - n_q, device)
