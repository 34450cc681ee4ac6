# SPDX-License-Identifier: Apache-2.0
"""Attention as flash-attn 2.8 defines it, in PyTorch's own operators, for every device and for
torch 1.13 and newer.

attend() takes a batch of equal lengths; attend_varlen() takes packed sequences. Both choose
between the vendor's fused kernel (npu_fusion_attention on Ascend),
torch.nn.functional.scaled_dot_product_attention, and explicit arithmetic, which knows all of the
options. A kernel is used only for what it is documented to compute; whatever is left is computed
explicitly, so that an option is never dropped."""

import inspect
import math

import torch
import torch.nn.functional as F

VERSION = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
# Of 2.1 are scale=, of 2.3 the kernels for float16 on the CPU.
SDPA_TAKES_ALL = VERSION >= (2, 3)
_HALF = (torch.float16, torch.bfloat16)
_FAR = 2147483647  # "no limit" of a window, for Ascend


class Options:
    """What a call asks for besides q, k and v."""

    def __init__(
        self,
        head_dim,
        dropout_p=0.0,
        softmax_scale=None,
        causal=False,
        window_size=(-1, -1),
        softcap=0.0,
        alibi_slopes=None,
        want_lse=False,
        want_probabilities=False,
    ):
        if len(window_size) != 2:
            raise ValueError(f"window_size is a pair (left, right), not {window_size!r}")
        if not 0.0 <= dropout_p < 1.0:
            raise ValueError(f"dropout_p is between 0 and 1, not {dropout_p}")
        if softcap > 0.0 and dropout_p > 0.0:
            raise NotImplementedError("flash_attn has no dropout together with softcap")
        self.dropout_p = dropout_p
        self.scale = head_dim**-0.5 if softmax_scale is None else float(softmax_scale)
        left, right = window_size
        self.left = None if left < 0 else int(left)
        self.right = 0 if causal else None if right < 0 else int(right)
        self.softcap = max(float(softcap), 0.0)
        self.slopes = alibi_slopes
        self.want_lse, self.want_probabilities = want_lse, want_probabilities

    def is_unlimited(self):
        return self.left is None and self.right is None

    def is_plain(self):
        """Nothing that only explicit arithmetic knows, apart from the log-sum-exp."""
        return self.slopes is None and self.softcap == 0.0 and not self.want_probabilities

    def sees_nothing(self, n_q, n_k):
        """Whether some query has no key to attend to; its output is then zero."""
        return n_q > 0 and (n_k == 0 or (self.right is not None and n_k - n_q + self.right < 0))


def check(q, k, v):
    """Shapes and types that the kernels would refuse, too."""
    if k.shape != v.shape:
        raise ValueError(f"k and v differ in shape: {tuple(k.shape)}, {tuple(v.shape)}")
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k differ in head size: {q.shape[-1]}, {k.shape[-1]}")
    if k.shape[-2] == 0 or q.shape[-2] % k.shape[-2]:
        raise ValueError(
            f"the heads of q ({q.shape[-2]}) are no multiple of those of k ({k.shape[-2]})"
        )
    if not q.dtype == k.dtype == v.dtype:
        raise ValueError(f"q, k and v differ in type: {q.dtype}, {k.dtype}, {v.dtype}")


# ---- which key a query sees ----


def visible(o, n_q, n_k, device, starts=None, ends=None):
    """A bool mask (1 or batch, n_q, n_k), or None where everything is seen. The last query stands
    at the last key; `starts` and `ends` (batch,) bound the keys in use."""
    if o.is_unlimited() and starts is None and ends is None:
        return None
    column = torch.arange(n_k, device=device)
    row = torch.arange(n_q, device=device)[:, None]
    end = torch.tensor([n_k], device=device) if ends is None else ends.to(device)
    row = row[None] + (end - n_q)[:, None, None]
    seen = (column < end[:, None, None]).expand(-1, n_q, -1)
    if o.right is not None:
        seen = seen & (column <= row + o.right)
    if o.left is not None:
        seen = seen & (column >= row - o.left)
    if starts is not None:
        seen = seen & (column >= starts.to(device)[:, None, None])
    return seen


def _alibi(o, n_q, n_k, heads, device, dtype, ends):
    """-slope * |i + n_k - n_q - j|, (1 or batch, heads, n_q, n_k)."""
    slopes = o.slopes.to(device=device, dtype=dtype)
    if slopes.shape[-1] != heads:
        raise ValueError(f"alibi_slopes has {slopes.shape[-1]} heads, q has {heads}")
    slopes = slopes.reshape(-1, heads, 1, 1)
    end = torch.tensor([n_k], device=device) if ends is None else ends.to(device)
    row = torch.arange(n_q, device=device)[:, None] + (end - n_q)[:, None, None]
    distance = (row - torch.arange(n_k, device=device)).abs().to(dtype)
    return -slopes * distance[:, None]


# ---- three ways to compute it; q (batch, n_q, heads, d), k and v (batch, n_k, kv heads, d) ----


def _explicit(q, k, v, o, starts=None, ends=None):
    """All options. Arithmetic in float32 at least. Returns output, log-sum-exp, probabilities."""
    batch, n_q, heads, size = q.shape
    n_k, kv_heads = k.shape[1], k.shape[2]
    dtype = torch.float32 if q.dtype in _HALF else q.dtype
    group = heads // kv_heads
    qs = q.to(dtype).transpose(1, 2).reshape(batch, kv_heads, group * n_q, size)
    ks, vs = (x.to(dtype).transpose(1, 2) for x in (k, v))
    scores = torch.matmul(qs * o.scale, ks.transpose(2, 3)).view(batch, heads, n_q, n_k)
    if o.softcap:
        scores = torch.tanh(scores / o.softcap) * o.softcap
    if o.slopes is not None:
        scores = scores + _alibi(o, n_q, n_k, heads, q.device, dtype, ends)
    seen = visible(o, n_q, n_k, q.device, starts, ends)
    blind = None
    if seen is not None:
        seen = seen[:, None]
        scores = scores.masked_fill(~seen, -math.inf)
        blind = ~seen.any(-1, keepdim=True)
    probabilities = torch.softmax(scores, dim=-1)
    if blind is not None:
        probabilities = probabilities.masked_fill(blind, 0.0)
    lse = None
    if o.want_lse:
        lse = torch.logsumexp(scores.detach().to(torch.float32), dim=-1)
        lse = torch.where(torch.isinf(lse), torch.full_like(lse, math.inf), lse)
    dropped, kept = probabilities, None
    if o.dropout_p:
        kept = torch.rand_like(probabilities) >= o.dropout_p
        dropped = probabilities * kept / (1.0 - o.dropout_p)
    out = torch.matmul(dropped.reshape(batch, kv_heads, group * n_q, n_k), vs)
    out = out.view(batch, heads, n_q, size).transpose(1, 2).to(q.dtype)
    signed = None
    if o.want_probabilities:
        signed = probabilities.detach()
        signed = (signed if kept is None else torch.where(kept, signed, -signed)).to(q.dtype)
    return out, lse, signed


def _can_use_sdpa(q, o):
    if VERSION < (2, 0) or o.want_lse or not o.is_plain():
        return False
    return not (q.device.type == "cpu" and q.dtype == torch.float16 and VERSION < (2, 3))


def _sdpa(q, k, v, o):
    group = q.shape[2] // k.shape[2]
    if group > 1:
        k, v = (x.repeat_interleave(group, dim=2) for x in (k, v))
    n_q, n_k, size = q.shape[1], k.shape[1], q.shape[3]
    is_causal = o.right == 0 and o.left is None and n_q == n_k
    mask = None if is_causal else visible(o, n_q, n_k, q.device)
    if VERSION < (2, 1):
        q, options = q * (o.scale * math.sqrt(size)), {}
    else:
        options = {"scale": o.scale}
    out = F.scaled_dot_product_attention(
        *(x.transpose(1, 2) for x in (q, k, v)),
        attn_mask=mask,
        dropout_p=o.dropout_p,
        is_causal=is_causal,
        **options,
    )
    return out.transpose(1, 2)


def _can_use_npu(q, o):
    return q.device.type == "npu" and q.dtype in _HALF and o.is_plain()


_npu_masks = {}  # one for each device: they are the same for every call


def _npu_options(q, o):
    options = {"scale": o.scale, "keep_prob": 1.0 - o.dropout_p}
    if o.is_unlimited():
        return options
    if q.device not in _npu_masks:
        ones = torch.ones(2048, 2048, dtype=torch.bool, device=q.device)
        _npu_masks[q.device] = torch.triu(ones, diagonal=1)
    options["atten_mask"] = _npu_masks[q.device]
    if o.left is None and o.right == 0:
        options["sparse_mode"] = 3  # causal, from the bottom right corner
    else:
        options["sparse_mode"] = 4  # a band, from the bottom right corner
        options["pre_tockens"] = _FAR if o.left is None else o.left
        options["next_tockens"] = _FAR if o.right is None else o.right
    return options


def _npu(q, k, v, o):
    import torch_npu

    result = torch_npu.npu_fusion_attention(
        q, k, v, q.shape[2], "BSND", **_npu_options(q, o)
    )
    lse = None
    if o.want_lse:  # both (batch, heads, n_q, 8), the last axis repeats
        lse = result[1][..., 0] + torch.log(result[2][..., 0])
    return result[0], lse


# ---- what the public functions call ----


def attend(q, k, v, o, starts=None, ends=None):
    """Output (batch, n_q, heads, d), log-sum-exp (batch, heads, n_q) or None, probabilities or
    None. `starts` and `ends` bound the keys in use of each sequence."""
    check(q, k, v)
    bounded = starts is not None or ends is not None
    if not bounded and not o.sees_nothing(q.shape[1], k.shape[1]):
        if _can_use_npu(q, o):
            return (*_npu(q, k, v, o), None)
        if _can_use_sdpa(q, o):
            return _sdpa(q, k, v, o), None, None
    return _explicit(q, k, v, o, starts, ends)


def attend_varlen(q, k, v, o, bounds_q, bounds_k):
    """Packed sequences: q (total, heads, d), bounds as lists of offsets. Output (total, heads, d),
    log-sum-exp (heads, total) or None, and a list of probabilities, one for each sequence."""
    check(q, k, v)
    pairs = list(zip(bounds_q, bounds_q[1:], bounds_k, bounds_k[1:]))
    if pairs and _can_use_npu(q, o) and _npu_can_pack(len(pairs), o):
        if not any(o.sees_nothing(b - a, d - c) or b == a for a, b, c, d in pairs):
            return (*_npu_varlen(q, k, v, o, bounds_q, bounds_k), None)
    outs, lses, probabilities = [], [], []
    slopes = o.slopes
    for i, (a, b, c, d) in enumerate(pairs):
        if slopes is not None and slopes.dim() == 2:
            o.slopes = slopes[i]
        out, lse, p = attend(q[None, a:b], k[None, c:d], v[None, c:d], o)
        outs.append(out[0])
        lses.append(lse)
        probabilities.append(p)
    o.slopes = slopes
    rest = q[bounds_q[-1] :]  # what no sequence covers stays zero
    out = torch.cat(outs + [torch.zeros_like(rest)])
    lse = None
    if o.want_lse:
        lse = torch.full((q.shape[1], q.shape[0]), math.inf, device=q.device)
        if pairs:
            lse[:, : bounds_q[-1]] = torch.cat([x[0] for x in lses], dim=1)
    return out, lse, probabilities


def _npu_takes(name):
    """Whether this release's operator has the argument."""
    import torch_npu

    try:
        return name in inspect.signature(torch_npu.npu_fusion_attention).parameters
    except (TypeError, ValueError):  # native
        schema = torch.ops.npu.npu_fusion_attention.default._schema
        return any(argument.name == name for argument in schema.arguments)


def _npu_can_pack(sequences, o):
    """A packed call takes so many sequences, and tells the log-sum-exp in an order that can be
    relied on only where it can be asked for: other releases arrange it by heads, and what they
    say of several sequences differs. There each sequence is a call."""
    return sequences <= 1024 and (not o.want_lse or _npu_takes("softmax_layout"))


def _npu_varlen(q, k, v, o, bounds_q, bounds_k):
    import torch_npu

    layout = {"softmax_layout": "TND"} if o.want_lse else {}
    result = torch_npu.npu_fusion_attention(
        q,
        k,
        v,
        q.shape[1],
        "TND",
        actual_seq_qlen=bounds_q[1:],
        actual_seq_kvlen=bounds_k[1:],
        **layout,
        **_npu_options(q, o),
    )
    lse = None
    if o.want_lse:  # both (total, heads, 8)
        lse = (result[1][..., 0] + torch.log(result[2][..., 0])).transpose(0, 1)
    return result[0], lse
