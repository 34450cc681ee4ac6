# SPDX-License-Identifier: Apache-2.0
"""What the normalisations share."""

import torch


def dropout_with_mask(x, p):
    """x with dropout, and what was kept (None without dropout)."""
    if p <= 0.0:
        return x, None
    kept = torch.rand_like(x) >= p
    return x * kept / (1.0 - p), kept


def normalized(x, weight, bias, eps, is_rms_norm):
    """In float32."""
    x = x.float()
    if not is_rms_norm:
        x = x - x.mean(dim=-1, keepdim=True)
    y = x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight.float()
    return y if bias is None else y + bias.float()


def dropout_add_norm(
    x0,
    residual,
    weight,
    bias,
    dropout_p,
    epsilon,
    rowscale=None,
    layerscale=None,
    prenorm=False,
    residual_in_fp32=False,
    return_dropout_mask=False,
    *,
    is_rms_norm,
):
    """norm(dropout(rowscale * layerscale * x0) + residual), in the order of flash_attn: the
    result, with prenorm also the sum, with return_dropout_mask also what was kept."""
    total = x0.float()
    if rowscale is not None:
        total = total * rowscale.float()[..., None]
    total, mask = dropout_with_mask(total, dropout_p)
    if layerscale is not None:
        total = total * layerscale.float()
    if residual is not None:
        total = total + residual.float()
    results = [normalized(total, weight, bias, epsilon, is_rms_norm).to(x0.dtype)]
    if prenorm:
        kept = torch.float32 if residual_in_fp32 and residual is None else x0.dtype
        results.append(total.to(kept if residual is None else residual.dtype))
    if return_dropout_mask:
        results.append(torch.ones_like(x0, dtype=torch.bool) if mask is None else mask)
    return results[0] if len(results) == 1 else tuple(results)


class DropoutAddNorm(torch.nn.Module):
    """The modules of ops.layer_norm and ops.rms_norm."""

    is_rms_norm = False

    def __init__(
        self,
        hidden_size,
        prenorm=False,
        p=0.0,
        eps=1e-5,
        residual_in_fp32=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.prenorm, self.p, self.eps = prenorm, p, eps
        self.residual_in_fp32 = residual_in_fp32
        factory = {"device": device, "dtype": dtype}
        self.weight = torch.nn.Parameter(torch.empty(hidden_size, **factory))
        bias = (
            None if self.is_rms_norm else torch.nn.Parameter(torch.empty(hidden_size, **factory))
        )
        self.register_parameter("bias", bias)
        self.reset_parameters()

    def reset_parameters(self):
        torch.nn.init.ones_(self.weight)
        if self.bias is not None:
            torch.nn.init.zeros_(self.bias)

    def forward(self, x0, residual=None):
        return dropout_add_norm(
            x0,
            residual,
            self.weight,
            self.bias,
            self.p if self.training else 0.0,
            self.eps,
            prenorm=self.prenorm,
            residual_in_fp32=self.residual_in_fp32,
            is_rms_norm=self.is_rms_norm,
        )
