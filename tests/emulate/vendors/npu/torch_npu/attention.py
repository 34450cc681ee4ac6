# SPDX-License-Identifier: Apache-2.0
"""npu_fusion_attention, by its documentation (op-plugin's API reference, 2026-11)."""

import torch

_FAR = 2147483647


def _visible(mask, mode, before, after, n_q, n_k, device):
    """True where a query may look at a key, or None for everywhere."""
    if mask is None:
        return None
    rows = torch.arange(n_q, device=device)[:, None]
    columns = torch.arange(n_k, device=device)[None, :]
    if mode in (2, 3, 4):
        if tuple(mask.shape[-2:]) != (2048, 2048):
            raise RuntimeError(f"sparse_mode {mode} takes an atten_mask of 2048 by 2048")
        if not torch.equal(mask.bool().reshape(2048, 2048), torch.ones_like(mask).bool().triu(1)):
            raise RuntimeError(
                f"the atten_mask of sparse_mode {mode} hides what is above the diagonal"
            )
        shift = 0 if mode == 2 else n_k - n_q
        seen = columns - rows - shift
        return (seen <= 0) if mode != 4 else (seen <= after) & (seen >= -before)
    if mode in (0, 1):
        shown = ~mask.bool()
        if mode == 0:
            shown = shown & (columns - rows <= after) & (columns - rows >= -before)
        return shown
    raise NotImplementedError(f"sparse_mode {mode} is not emulated")


def _one(q, k, v, visible, scale, keep_prob):
    """Attention of (..., heads, n, d): the result, and the maxima and sums of the softmax."""
    group = q.shape[-3] // k.shape[-3]
    k, v = (x.repeat_interleave(group, dim=-3) if group > 1 else x for x in (k, v))
    scores = (q.float() @ k.float().transpose(-1, -2)) * scale
    if visible is not None:
        scores = scores.masked_fill(~visible, torch.finfo(torch.float32).min)
    largest = scores.amax(-1, keepdim=True)
    weights = torch.exp(scores - largest)
    total = weights.sum(-1, keepdim=True)
    weights = torch.nn.functional.dropout(weights / total, 1.0 - keep_prob)
    return (
        (weights @ v.float()).to(q.dtype),
        largest.expand(*largest.shape[:-1], 8),
        total.expand(*total.shape[:-1], 8),
    )


# The letters of a layout: batch, heads (N), length (S), size (D), H = N * D, T = all lengths.
_TO_BNSD = {"BNSD": (0, 1, 2, 3), "BSND": (0, 2, 1, 3), "SBND": (1, 2, 0, 3)}


def npu_fusion_attention(
    query,
    key,
    value,
    head_num,
    input_layout,
    pse=None,
    padding_mask=None,
    atten_mask=None,
    scale=1.0,
    keep_prob=1.0,
    pre_tockens=_FAR,
    next_tockens=_FAR,
    inner_precise=0,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode=0,
    gen_mask_parallel=True,
    sync=False,
    softmax_layout="",
):
    """(out, softmax_max, softmax_sum, softmax_out, seed, offset, numel)."""
    if query.device.type != "npu":
        raise RuntimeError("npu_fusion_attention takes tensors of the npu")
    for given in (pse, padding_mask, prefix):
        if given is not None:
            raise NotImplementedError("pse, padding_mask and prefix are not emulated")
    if query.dtype not in (torch.float16, torch.bfloat16, torch.float32):
        raise RuntimeError(f"npu_fusion_attention does not take {query.dtype}")

    def see(n_q, n_k):
        return _visible(atten_mask, sparse_mode, pre_tockens, next_tockens, n_q, n_k, query.device)

    if softmax_layout not in ("", "TND") or (softmax_layout and input_layout != "TND"):
        raise RuntimeError("softmax_layout is TND, of the input_layout TND")
    rest = (torch.empty(0, device=query.device), 0, 0, 0)
    if input_layout == "TND":
        parts, start, begin = [], 0, 0
        for stop, end in zip(actual_seq_qlen, actual_seq_kvlen):
            q, k, v = query[start:stop], key[begin:end], value[begin:end]
            q, k, v = (x.transpose(0, 1) for x in (q, k, v))
            parts.append(_one(q, k, v, see(stop - start, end - begin), scale, keep_prob))
            start, begin = stop, end
        out, *statistics = (torch.cat([p[i].transpose(0, 1) for p in parts]) for i in range(3))
        if not softmax_layout:  # the numbers stand by heads, then by tokens
            statistics = [x.transpose(0, 1).contiguous().view(x.shape) for x in statistics]
        return (out, *statistics) + rest
    if input_layout in ("BSH", "SBH"):
        size = query.shape[-1] // head_num
        query, key, value = (x.unflatten(-1, (-1, size)) for x in (query, key, value))
        out = npu_fusion_attention(
            query,
            key,
            value,
            head_num,
            input_layout[:2] + "ND",
            atten_mask=atten_mask,
            scale=scale,
            keep_prob=keep_prob,
            pre_tockens=pre_tockens,
            next_tockens=next_tockens,
            sparse_mode=sparse_mode,
        )
        return (out[0].flatten(-2), *out[1:])
    if input_layout not in _TO_BNSD:
        raise RuntimeError(f"there is no layout {input_layout}")
    order = _TO_BNSD[input_layout]
    q, k, v = (x.permute(order) for x in (query, key, value))
    if q.shape[1] != head_num:
        raise RuntimeError(f"head_num is {head_num}, the query has {q.shape[1]} heads")
    out, largest, total = _one(q, k, v, see(q.shape[2], k.shape[2]), scale, keep_prob)
    return (out.permute([order.index(i) for i in range(4)]), largest, total) + rest
