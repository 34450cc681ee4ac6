# SPDX-License-Identifier: Apache-2.0
"""apex.normalization: layer and RMS normalisation, computed in float32 inside."""

import numbers

import torch
import torch.nn.functional as F


def _rms(input, shape, weight, eps):
    dims = tuple(range(-len(shape), 0))
    x = input.float()
    y = x * torch.rsqrt(x.square().mean(dim=dims, keepdim=True) + eps)
    return y if weight is None else y * weight.float()


def _shape(normalized_shape):
    if isinstance(normalized_shape, numbers.Integral):
        return (int(normalized_shape),)
    return tuple(normalized_shape)


def manual_rms_norm(input, normalized_shape, weight, eps):
    return _rms(input, _shape(normalized_shape), weight, eps).to(input.dtype)


def fused_rms_norm(input, normalized_shape, eps=1e-6, memory_efficient=False):
    return manual_rms_norm(input, normalized_shape, None, eps)


def fused_rms_norm_affine(input, weight, normalized_shape, eps=1e-6, memory_efficient=False):
    return manual_rms_norm(input, normalized_shape, weight, eps)


def mixed_dtype_fused_rms_norm_affine(
    input, weight, normalized_shape, eps=1e-6, memory_efficient=False
):
    """The result has the type of the weight."""
    return _rms(input, _shape(normalized_shape), weight, eps).to(weight.dtype)


def fused_layer_norm(input, normalized_shape, eps=1e-6, memory_efficient=False):
    return F.layer_norm(input.float(), _shape(normalized_shape), eps=eps).to(input.dtype)


def fused_layer_norm_affine(
    input, weight, bias, normalized_shape, eps=1e-6, memory_efficient=False
):
    shape = _shape(normalized_shape)
    return F.layer_norm(input.float(), shape, weight.float(), bias.float(), eps).to(input.dtype)


def mixed_dtype_fused_layer_norm_affine(
    input, weight, bias, normalized_shape, eps=1e-6, memory_efficient=False
):
    """The result has the type of the weight."""
    shape = _shape(normalized_shape)
    return F.layer_norm(input.float(), shape, weight.float(), bias.float(), eps).to(weight.dtype)


class FusedLayerNorm(torch.nn.Module):
    def __init__(
        self, normalized_shape, eps=1e-5, elementwise_affine=True, memory_efficient=False
    ):
        super().__init__()
        self.normalized_shape, self.eps = torch.Size(_shape(normalized_shape)), eps
        self.elementwise_affine, self.memory_efficient = elementwise_affine, memory_efficient
        for name in ("weight", "bias"):
            parameter = torch.nn.Parameter(torch.empty(self.normalized_shape))
            self.register_parameter(name, parameter if elementwise_affine else None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.elementwise_affine:
            torch.nn.init.ones_(self.weight)
            torch.nn.init.zeros_(self.bias)

    def forward(self, input):
        if not self.elementwise_affine:
            return fused_layer_norm(input, self.normalized_shape, self.eps)
        return fused_layer_norm_affine(
            input, self.weight, self.bias, self.normalized_shape, self.eps
        )

    def extra_repr(self):
        return "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}".format(
            **self.__dict__
        )


class MixedFusedLayerNorm(FusedLayerNorm):
    def __init__(self, normalized_shape, eps=1e-5, *, memory_efficient=False, **_):
        super().__init__(normalized_shape, eps, True, memory_efficient)

    def forward(self, input):
        return mixed_dtype_fused_layer_norm_affine(
            input, self.weight, self.bias, self.normalized_shape, self.eps
        )


class FusedRMSNorm(torch.nn.Module):
    def __init__(
        self, normalized_shape, eps=1e-5, elementwise_affine=True, memory_efficient=False
    ):
        super().__init__()
        self.normalized_shape, self.eps = torch.Size(_shape(normalized_shape)), eps
        self.elementwise_affine, self.memory_efficient = elementwise_affine, memory_efficient
        weight = torch.nn.Parameter(torch.empty(self.normalized_shape))
        self.register_parameter("weight", weight if elementwise_affine else None)
        self.reset_parameters()

    def reset_parameters(self):
        if self.elementwise_affine:
            torch.nn.init.ones_(self.weight)

    def forward(self, input):
        return manual_rms_norm(input, self.normalized_shape, self.weight, self.eps)

    extra_repr = FusedLayerNorm.extra_repr


class MixedFusedRMSNorm(FusedRMSNorm):
    def __init__(self, normalized_shape, eps=1e-5, *, memory_efficient=False, **_):
        super().__init__(normalized_shape, eps, True, memory_efficient)

    def forward(self, input):
        return mixed_dtype_fused_rms_norm_affine(
            input, self.weight, self.normalized_shape, self.eps
        )
