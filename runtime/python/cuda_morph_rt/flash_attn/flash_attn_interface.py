# SPDX-License-Identifier: Apache-2.0
"""The public functions of flash-attn 2.8, with its signatures and its meaning.

They run on every device and in every floating-point type. Differences that remain: dropout draws
other random numbers, `deterministic` and `num_splits` have nothing to choose, and the
log-sum-exp has no gradient (flash-attn has none either)."""

import sys

import torch
from torch.nn import functional

from ..stats import counted
from .core import SDPA_TAKES_ALL, Options, attend, attend_varlen
from .layers.rotary import apply_rotary_emb

scaled_dot_product_attention = getattr(functional, "scaled_dot_product_attention", None)

__all__ = [
    "flash_attn_func",
    "flash_attn_kvpacked_func",
    "flash_attn_qkvpacked_func",
    "flash_attn_unpadded_func",
    "flash_attn_unpadded_kvpacked_func",
    "flash_attn_unpadded_qkvpacked_func",
    "flash_attn_varlen_func",
    "flash_attn_varlen_kvpacked_func",
    "flash_attn_varlen_qkvpacked_func",
    "flash_attn_with_kvcache",
]


def _offsets(bounds, name, total):
    """cu_seqlens as a list; refused where it does not describe the packed tensor."""
    bounds = bounds.tolist()
    if not bounds or bounds[0] != 0 or any(b < a for a, b in zip(bounds, bounds[1:])):
        raise ValueError(f"{name} does not start at 0 and rise: {bounds[:9]}")
    if bounds[-1] > total:
        raise ValueError(f"{name} ends at {bounds[-1]}, beyond the {total} tokens")
    return bounds


def _answer(out, lse, probabilities, asked):
    return (out, lse, probabilities) if asked else out


@counted
def flash_attn_func(
    q,
    k,
    v,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    """Attention of q (batch, n_q, heads, d) to k and v (batch, n_k, kv heads, d); with
    return_attn_probs also the log-sum-exp (batch, heads, n_q) and, where there is dropout, the
    probabilities, negative where they were dropped."""
    if (
        SDPA_TAKES_ALL
        and not (softcap or return_attn_probs)
        and alibi_slopes is None
        and q.shape == k.shape == v.shape
        and window_size == (-1, -1)
        and dropout_p < 1.0
        and "torch_npu" not in sys.modules
    ):  # the usual case, at once: the call below refuses what differs in type, and p < 0
        return scaled_dot_product_attention(
            q.transpose(1, 2),
            k.transpose(1, 2),
            v.transpose(1, 2),
            None,
            dropout_p,
            causal,
            scale=softmax_scale,
        ).transpose(1, 2)
    o = Options(
        q.shape[-1],
        dropout_p,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        want_lse=return_attn_probs,
        want_probabilities=return_attn_probs and dropout_p > 0.0,
    )
    out, lse, probabilities = attend(q, k, v, o)
    if probabilities is None:
        probabilities = q.new_empty(0)
    return _answer(out, lse, probabilities, return_attn_probs)


@counted
def flash_attn_kvpacked_func(
    q,
    kv,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    """flash_attn_func with k and v in one tensor (batch, n_k, 2, kv heads, d)."""
    return flash_attn_func(
        q,
        *kv.unbind(2),
        dropout_p,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        deterministic,
        return_attn_probs,
    )


@counted
def flash_attn_qkvpacked_func(
    qkv,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    """flash_attn_func with q, k and v in one tensor (batch, n, 3, heads, d)."""
    return flash_attn_func(
        *qkv.unbind(2),
        dropout_p,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        deterministic,
        return_attn_probs,
    )


def _pages(cache, block_table, lengths):
    """The sequences of a paged cache (blocks, page, kv heads, d), one after the other."""
    page = cache.shape[1]
    parts = []
    for row, length in zip(block_table, lengths):
        blocks = row[: (length + page - 1) // page].long()
        parts.append(cache[blocks].reshape(-1, *cache.shape[2:])[:length])
    return torch.cat(parts) if parts else cache.new_empty(0, *cache.shape[2:])


@counted
def flash_attn_varlen_func(
    q,
    k,
    v,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
    block_table=None,
):
    """Packed sequences: q (total_q, heads, d), k and v (total_k, kv heads, d), or with block_table
    (blocks, page, kv heads, d). The log-sum-exp is (heads, total_q)."""
    o = Options(
        q.shape[-1],
        dropout_p,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        want_lse=return_attn_probs,
        want_probabilities=return_attn_probs and dropout_p > 0.0,
    )
    bounds_q = _offsets(cu_seqlens_q, "cu_seqlens_q", q.shape[0])
    if block_table is not None:
        bounds_k = _offsets(cu_seqlens_k, "cu_seqlens_k", block_table.numel() * k.shape[1])
        lengths = [b - a for a, b in zip(bounds_k, bounds_k[1:])]
        k, v = (_pages(x, block_table, lengths) for x in (k, v))
    else:
        bounds_k = _offsets(cu_seqlens_k, "cu_seqlens_k", k.shape[0])
    if len(bounds_q) != len(bounds_k):
        raise ValueError("cu_seqlens_q and cu_seqlens_k differ in length")
    out, lse, probabilities = attend_varlen(q, k, v, o, bounds_q, bounds_k)
    if return_attn_probs:
        probabilities = _padded(probabilities, q, int(max_seqlen_q), int(max_seqlen_k))
    return _answer(out, lse, probabilities, return_attn_probs)


def _padded(probabilities, q, n_q, n_k):
    """(batch, heads, n_q, n_k), zero beyond the length of each sequence."""
    if not probabilities or probabilities[0] is None:
        return q.new_empty(0)
    whole = q.new_zeros(len(probabilities), q.shape[1], n_q, n_k)
    for to, p in zip(whole, probabilities):
        to[:, : p.shape[2], : p.shape[3]] = p[0]
    return whole


@counted
def flash_attn_varlen_kvpacked_func(
    q,
    kv,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    """flash_attn_varlen_func with k and v in one tensor (total_k, 2, kv heads, d)."""
    return flash_attn_varlen_func(
        q,
        *kv.unbind(1),
        cu_seqlens_q,
        cu_seqlens_k,
        max_seqlen_q,
        max_seqlen_k,
        dropout_p,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        deterministic,
        return_attn_probs,
    )


@counted
def flash_attn_varlen_qkvpacked_func(
    qkv,
    cu_seqlens,
    max_seqlen,
    dropout_p=0.0,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    alibi_slopes=None,
    deterministic=False,
    return_attn_probs=False,
):
    """flash_attn_varlen_func with q, k and v in one tensor (total, 3, heads, d)."""
    return flash_attn_varlen_func(
        *qkv.unbind(1),
        cu_seqlens,
        cu_seqlens,
        max_seqlen,
        max_seqlen,
        dropout_p,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        deterministic,
        return_attn_probs,
    )


# ---- as version 1 called them ----


def _as_version_1(causal, bounds_q, bounds_k, return_attn_probs):
    """Refuses where version 1 gave something else than version 2 does."""
    if return_attn_probs:
        raise NotImplementedError("flash_attn 1 returned the log-sum-exp in another shape")
    if causal and not torch.equal(bounds_q, bounds_k):
        raise NotImplementedError("flash_attn 1 aligned a causal mask to the other corner")


@counted
def flash_attn_unpadded_func(
    q,
    k,
    v,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    dropout_p,
    softmax_scale=None,
    causal=False,
    return_attn_probs=False,
    deterministic=False,
):
    """flash_attn_varlen_func under its name in version 1."""
    _as_version_1(causal, cu_seqlens_q, cu_seqlens_k, return_attn_probs)
    return flash_attn_varlen_func(
        q,
        k,
        v,
        cu_seqlens_q,
        cu_seqlens_k,
        max_seqlen_q,
        max_seqlen_k,
        dropout_p,
        softmax_scale,
        causal,
    )


@counted
def flash_attn_unpadded_kvpacked_func(
    q,
    kv,
    cu_seqlens_q,
    cu_seqlens_k,
    max_seqlen_q,
    max_seqlen_k,
    dropout_p,
    softmax_scale=None,
    causal=False,
    return_attn_probs=False,
    deterministic=False,
):
    """flash_attn_varlen_kvpacked_func under its name in version 1."""
    _as_version_1(causal, cu_seqlens_q, cu_seqlens_k, return_attn_probs)
    return flash_attn_varlen_kvpacked_func(
        q,
        kv,
        cu_seqlens_q,
        cu_seqlens_k,
        max_seqlen_q,
        max_seqlen_k,
        dropout_p,
        softmax_scale,
        causal,
    )


@counted
def flash_attn_unpadded_qkvpacked_func(
    qkv,
    cu_seqlens,
    max_seqlen,
    dropout_p,
    softmax_scale=None,
    causal=False,
    return_attn_probs=False,
    deterministic=False,
):
    """flash_attn_varlen_qkvpacked_func under its name in version 1."""
    _as_version_1(causal, cu_seqlens, cu_seqlens, return_attn_probs)
    return flash_attn_varlen_qkvpacked_func(
        qkv, cu_seqlens, max_seqlen, dropout_p, softmax_scale, causal
    )


# ---- with a cache ----


def _gathered(cache, block_table, batch_index, batch):
    """The cache as (batch, n, kv heads, d): itself, a selection, or its pages joined."""
    if block_table is not None:
        return cache[block_table.long()].reshape(batch, -1, *cache.shape[2:])
    if batch_index is not None:
        return cache[batch_index.long()]
    return cache[:batch]


def _append(cache, new, lengths, block_table, batch_index):
    """Writes `new` (batch, n, kv heads, d) behind the first lengths[i] entries, in place."""
    n = new.shape[1]
    at = lengths.long()[:, None] + torch.arange(n, device=cache.device)
    row = torch.arange(new.shape[0], device=cache.device)[:, None].expand_as(at)
    if block_table is not None:
        page = cache.shape[1]
        cache[block_table.long()[row, at // page], at % page] = new
    else:
        cache[row if batch_index is None else batch_index.long()[row], at] = new


@counted
@torch.no_grad()
def flash_attn_with_kvcache(
    q,
    k_cache,
    v_cache,
    k=None,
    v=None,
    rotary_cos=None,
    rotary_sin=None,
    cache_seqlens=None,
    cache_batch_idx=None,
    cache_leftpad=None,
    block_table=None,
    softmax_scale=None,
    causal=False,
    window_size=(-1, -1),
    softcap=0.0,
    rotary_interleaved=True,
    alibi_slopes=None,
    num_splits=0,
    return_softmax_lse=False,
):
    """Attention to the keys of a cache, whose first cache_seqlens[i] entries are in use. New k
    and v (batch, n_new, kv heads, d) are written behind these first, in place. The cache is
    (batch, n, kv heads, d), or with block_table (blocks, page, kv heads, d). No gradients."""
    batch = q.shape[0]
    if (k is None) != (v is None):
        raise ValueError("k and v are given together or not at all")
    if k is not None and cache_seqlens is None:
        raise ValueError("new k and v need cache_seqlens")
    if block_table is not None and (cache_batch_idx is not None or cache_leftpad is not None):
        raise ValueError("a paged cache takes neither cache_batch_idx nor cache_leftpad")
    if block_table is not None and cache_seqlens is None:
        raise ValueError("a paged cache needs cache_seqlens")
    if isinstance(cache_seqlens, int):
        cache_seqlens = torch.full((batch,), cache_seqlens, device=q.device)
    if rotary_cos is not None:
        if k is None:
            raise ValueError("rotary_cos and rotary_sin need new k and v")
        local = causal or window_size[0] >= 0 or window_size[1] >= 0
        rotate = {"interleaved": rotary_interleaved, "seqlen_offsets": cache_seqlens}
        k = apply_rotary_emb(k, rotary_cos, rotary_sin, **rotate)
        if local:
            q = apply_rotary_emb(q, rotary_cos, rotary_sin, **rotate)
        else:  # all queries stand at one position: as if they were heads of one token
            flat = q.reshape(batch, 1, -1, q.shape[-1])
            q = apply_rotary_emb(flat, rotary_cos, rotary_sin, **rotate).reshape(q.shape)
    ends = cache_seqlens
    if k is not None:
        room = k_cache.shape[1] * (1 if block_table is None else block_table.shape[1])
        if int(cache_seqlens.max()) + k.shape[1] > room:
            raise ValueError(f"the cache has room for {room} keys, less than are to be in it")
        _append(k_cache, k, cache_seqlens, block_table, cache_batch_idx)
        _append(v_cache, v, cache_seqlens, block_table, cache_batch_idx)
        ends = cache_seqlens + k.shape[1]
    o = Options(
        q.shape[-1],
        0.0,
        softmax_scale,
        causal,
        window_size,
        softcap,
        alibi_slopes,
        want_lse=return_softmax_lse,
    )
    keys, values = (
        _gathered(x, block_table, cache_batch_idx, batch) for x in (k_cache, v_cache)
    )
    out, lse, _ = attend(q, keys, values, o, cache_leftpad, ends)
    return (out, lse) if return_softmax_lse else out
