# SPDX-License-Identifier: Apache-2.0
"""Rotary position embeddings: flash_attn.layers.rotary.

What flash-attn does in place is done in place here, too, and has its gradient: the in-place
functions are autograd functions that mark their input as changed."""

import torch


def rotate_half(x, interleaved=False):
    if interleaved:
        return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def _doubled(table, interleaved):
    """(..., d / 2) to (..., 1, d): one value for each of a pair, the same for every head."""
    if interleaved:
        table = table.repeat_interleave(2, dim=-1)
    else:
        table = torch.cat((table, table), dim=-1)
    return table.unsqueeze(-2)


def apply_rotary_emb_torch(x, cos, sin, interleaved=False):
    """x (batch, n, heads, d); cos and sin (n, rotary / 2) or (batch, n, rotary / 2)."""
    size = 2 * cos.shape[-1]
    if size > x.shape[-1]:
        raise ValueError(f"the tables have {size} columns, the heads {x.shape[-1]}")
    cos, sin = _doubled(cos, interleaved), _doubled(sin, interleaved)
    head, rest = x[..., :size], x[..., size:]
    turned = head * cos + rotate_half(head, interleaved) * sin
    return torch.cat((turned.to(x.dtype), rest), dim=-1)


def _positions(x, offsets, bounds):
    """Where each token of x stands: (n,), (batch, n), or for packed sequences (total,)."""
    if bounds is None:
        at = torch.arange(x.shape[1], device=x.device)
        return at + offsets if isinstance(offsets, int) else at + offsets.to(x.device)[:, None]
    at = torch.arange(x.shape[0], device=x.device)
    bounds = bounds.to(x.device).long()
    sequence = torch.bucketize(at, bounds[1:], right=True).clamp(max=len(bounds) - 2)
    at = at - bounds[sequence]
    return at + (offsets if isinstance(offsets, int) else offsets.to(x.device).long()[sequence])


def _rotated(x, cos, sin, offsets, bounds, interleaved, conjugate):
    if cos.shape != sin.shape:
        raise ValueError("cos and sin differ in shape")
    at = _positions(x, offsets, bounds)
    if at.numel() and int(at.max()) >= cos.shape[0]:
        raise ValueError(f"position {int(at.max())} is beyond the {cos.shape[0]} of the tables")
    dtype = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    cos, sin = cos[at].to(dtype), sin[at].to(dtype)
    turned = apply_rotary_emb_torch(x.to(dtype), cos, -sin if conjugate else sin, interleaved)
    return turned.to(x.dtype)


def apply_rotary(
    x,
    cos,
    sin,
    seqlen_offsets=0,
    cu_seqlens=None,
    max_seqlen=None,
    interleaved=False,
    inplace=False,
    conjugate=False,
):
    """Without a gradient: flash_attn.ops.triton.rotary.apply_rotary."""
    turned = _rotated(x, cos, sin, seqlen_offsets, cu_seqlens, interleaved, conjugate)
    return x.copy_(turned) if inplace else turned


class _InPlace(torch.autograd.Function):
    """Turns the parts of x that `parts` gives; the gradient turns back."""

    @staticmethod
    def forward(ctx, x, parts, options):
        ctx.parts, ctx.options = parts, options
        for part, cos, sin in parts(x):
            apply_rotary(part, cos, sin, inplace=True, **options)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.clone()
        for part, cos, sin in ctx.parts(gradient):
            apply_rotary(part, cos, sin, inplace=True, conjugate=True, **ctx.options)
        return gradient, None, None


def apply_rotary_emb(
    x,
    cos,
    sin,
    interleaved=False,
    inplace=False,
    seqlen_offsets=0,
    cu_seqlens=None,
    max_seqlen=None,
):
    """x (batch, n, heads, d), or with cu_seqlens (total, heads, d); cos and sin (n, rotary / 2).
    The first `rotary` of the d values are turned."""
    if not inplace:
        return _rotated(x, cos, sin, seqlen_offsets, cu_seqlens, interleaved, False)
    options = {
        "interleaved": interleaved,
        "seqlen_offsets": seqlen_offsets,
        "cu_seqlens": cu_seqlens,
    }
    return _InPlace.apply(x, lambda t: [(t, cos, sin)], options)


apply_rotary_emb_func = apply_rotary_emb


def apply_rotary_emb_qkv_(
    qkv,
    cos,
    sin,
    cos_k=None,
    sin_k=None,
    interleaved=False,
    seqlen_offsets=0,
    num_heads_q=None,
):
    """Turns q and k of (batch, n, 3, heads, d), or of (batch, n, heads of q, k and v, d) with
    num_heads_q, in place."""
    cos_k = cos if cos_k is None else cos_k
    sin_k = sin if sin_k is None else sin_k

    def parts(t):
        if t.dim() == 5:
            return [(t[:, :, 0], cos, sin), (t[:, :, 1], cos_k, sin_k)]
        if num_heads_q is None:
            raise ValueError("packed heads need num_heads_q")
        n = (t.shape[2] - num_heads_q) // 2
        return [
            (t[:, :, :num_heads_q], cos, sin),
            (t[:, :, num_heads_q : num_heads_q + n], cos_k, sin_k),
        ]

    options = {"interleaved": interleaved, "seqlen_offsets": seqlen_offsets}
    return _InPlace.apply(qkv, parts, options)


def apply_rotary_emb_kv_(kv, cos, sin, interleaved=False, seqlen_offsets=0):
    """Turns k of (batch, n, 2, heads, d) in place."""
    options = {"interleaved": interleaved, "seqlen_offsets": seqlen_offsets}
    return _InPlace.apply(kv, lambda t: [(t[:, :, 0], cos, sin)], options)


class RotaryEmbedding(torch.nn.Module):
    """The tables for a head size, made when they are needed; with scale_base those of XPos."""

    def __init__(self, dim, base=10000.0, interleaved=False, scale_base=None, device=None):
        super().__init__()
        self.dim, self.base = dim, float(base)
        self.interleaved, self.scale_base = interleaved, scale_base
        self.register_buffer("inv_freq", self._compute_inv_freq(device), persistent=False)
        scale = None
        if scale_base is not None:
            even = torch.arange(0, dim, 2, device=device, dtype=torch.float32)
            scale = (even + 0.4 * dim) / (1.4 * dim)
        self.register_buffer("scale", scale, persistent=False)
        self._seq_len_cached = 0
        self._cos_cached = self._sin_cached = None
        self._cos_k_cached = self._sin_k_cached = None

    def _compute_inv_freq(self, device=None):
        even = torch.arange(0, self.dim, 2, device=device, dtype=torch.float32)
        return 1.0 / self.base ** (even / self.dim)

    def _update_cos_sin_cache(self, seqlen, device=None, dtype=None):
        cached = self._cos_cached
        if (
            cached is not None
            and seqlen <= self._seq_len_cached
            and cached.device == device
            and cached.dtype == dtype
            and not (self.training and cached.is_inference())
        ):
            return
        self._seq_len_cached = seqlen
        at = torch.arange(seqlen, device=device, dtype=torch.float32)
        inv_freq = self.inv_freq
        if inv_freq.dtype != torch.float32:  # a model in half precision: the angles need more
            inv_freq = self._compute_inv_freq(device)
        angles = torch.outer(at, inv_freq.to(device))
        if self.scale is None:
            self._cos_cached, self._sin_cached = angles.cos().to(dtype), angles.sin().to(dtype)
            return
        power = (at - seqlen // 2) / self.scale_base
        scale = self.scale.to(device) ** power[:, None]
        self._cos_cached = (angles.cos() * scale).to(dtype)
        self._sin_cached = (angles.sin() * scale).to(dtype)
        self._cos_k_cached = (angles.cos() / scale).to(dtype)
        self._sin_k_cached = (angles.sin() / scale).to(dtype)

    def forward(self, qkv, kv=None, seqlen_offset=0, max_seqlen=None, num_heads_q=None):
        """Turns qkv, or q and kv, in place, and returns it, or them."""
        if max_seqlen is not None:
            self._update_cos_sin_cache(max_seqlen, qkv.device, qkv.dtype)
        elif isinstance(seqlen_offset, int):
            self._update_cos_sin_cache(qkv.shape[1] + seqlen_offset, qkv.device, qkv.dtype)
        if self._cos_cached is None:
            raise ValueError("seqlen_offset as a tensor needs max_seqlen")
        q_tables = self._cos_cached, self._sin_cached
        k_tables = q_tables
        if self.scale is not None:
            k_tables = self._cos_k_cached, self._sin_k_cached
        options = {"interleaved": self.interleaved, "seqlen_offsets": seqlen_offset}
        if kv is None:
            return apply_rotary_emb_qkv_(
                qkv, *q_tables, *k_tables, num_heads_q=num_heads_q, **options
            )
        q = apply_rotary_emb(qkv, *q_tables, inplace=True, **options)
        return q, apply_rotary_emb_kv_(kv, *k_tables, **options)
