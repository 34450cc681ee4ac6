# SPDX-License-Identifier: Apache-2.0
"""Layer and RMS normalisation with dropout, residual and a second input in front, as
flash_attn.ops.triton.layer_norm fuses them."""

import torch
import torch.nn.functional as F

from ..norm import dropout_with_mask, normalized


def layer_norm_fn(
    x,
    weight,
    bias,
    residual=None,
    x1=None,
    weight1=None,
    bias1=None,
    eps=1e-6,
    dropout_p=0.0,
    rowscale=None,
    prenorm=False,
    residual_in_fp32=False,
    zero_centered_weight=False,
    is_rms_norm=False,
    return_dropout_mask=False,
    out_dtype=None,
    out=None,
    residual_out=None,
):
    """norm(dropout(rowscale * x) + dropout(x1) + residual). Returns, in this order and as asked
    for: the result, that of weight1, the sum (prenorm), the two dropout masks."""
    if x1 is not None and rowscale is not None:
        raise ValueError("rowscale is not supported together with x1")
    total = x.float()
    if rowscale is not None:
        total = total * rowscale.float()[..., None]
    total, mask = dropout_with_mask(total, dropout_p)
    mask1 = None
    if x1 is not None:
        second, mask1 = dropout_with_mask(x1.float(), dropout_p)
        total = total + second
    if residual is not None:
        total = total + residual.float()
    results = []
    for w, b in ((weight, bias), (weight1, bias1)):
        if w is not None:
            w = w.float() + 1.0 if zero_centered_weight else w.float()
            y = normalized(total, w, b, eps, is_rms_norm)
            results.append(y.to(out_dtype or x.dtype))
    if out is not None:
        results[0] = out.copy_(results[0])
    if prenorm:
        kept = residual.dtype if residual is not None else x.dtype
        if residual is None and residual_in_fp32:
            kept = torch.float32
        total = total.to(kept)
        results.append(total if residual_out is None else residual_out.copy_(total))
    if return_dropout_mask:
        results.append(mask)
        if x1 is not None:
            results.append(mask1)
    return results[0] if len(results) == 1 else tuple(results)


def rms_norm_fn(
    x,
    weight,
    bias,
    residual=None,
    x1=None,
    weight1=None,
    bias1=None,
    eps=1e-6,
    dropout_p=0.0,
    rowscale=None,
    prenorm=False,
    residual_in_fp32=False,
    zero_centered_weight=False,
    return_dropout_mask=False,
    out_dtype=None,
    out=None,
    residual_out=None,
):
    """layer_norm_fn without subtracting the mean."""
    return layer_norm_fn(
        x,
        weight,
        bias,
        residual,
        x1,
        weight1,
        bias1,
        eps,
        dropout_p,
        rowscale,
        prenorm,
        residual_in_fp32,
        zero_centered_weight,
        True,
        return_dropout_mask,
        out_dtype,
        out,
        residual_out,
    )


def layer_norm_linear_fn(
    x,
    norm_weight,
    norm_bias,
    linear_weight,
    linear_bias,
    residual=None,
    eps=1e-6,
    prenorm=False,
    residual_in_fp32=False,
    is_rms_norm=False,
):
    """A linear layer of layer_norm_fn."""
    y = layer_norm_fn(
        x,
        norm_weight,
        norm_bias,
        residual,
        eps=eps,
        prenorm=prenorm,
        residual_in_fp32=residual_in_fp32,
        is_rms_norm=is_rms_norm,
    )
    total = None
    if prenorm:
        y, total = y
    y = F.linear(y.to(linear_weight.dtype), linear_weight, linear_bias)
    return (y, total) if prenorm else y


class RMSNorm(torch.nn.Module):
    def __init__(
        self,
        hidden_size,
        eps=1e-5,
        dropout_p=0.0,
        zero_centered_weight=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.eps = eps
        self.drop = torch.nn.Dropout(dropout_p) if dropout_p > 0.0 else None
        self.zero_centered_weight = zero_centered_weight
        self.weight = torch.nn.Parameter(torch.empty(hidden_size, device=device, dtype=dtype))
        self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        torch.nn.init.constant_(self.weight, 0.0 if self.zero_centered_weight else 1.0)

    def forward(self, x, residual=None, prenorm=False, residual_in_fp32=False):
        return rms_norm_fn(
            x,
            self.weight,
            self.bias,
            residual=residual,
            eps=self.eps,
            dropout_p=self.drop.p if self.drop is not None and self.training else 0.0,
            prenorm=prenorm,
            residual_in_fp32=residual_in_fp32,
            zero_centered_weight=self.zero_centered_weight,
        )
