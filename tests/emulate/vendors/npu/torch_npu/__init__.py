# SPDX-License-Identifier: Apache-2.0
"""Stands in for Huawei's torch_npu: torch.npu, the functions below, and nothing else."""

import emulated_device

emulated_device.install("npu")

import torch

from .attention import npu_fusion_attention

__version__ = "2.14.0"
npu = torch.npu


def npu_fast_gelu(x):
    """x * sigmoid(1.702 * x), as the documentation has it up to rounding."""
    return x * torch.sigmoid(1.702 * x)


def npu_rms_norm(x, gamma, epsilon=1e-6):
    """RMS normalisation over the last dimension; also the reciprocal of the root mean square."""
    scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + epsilon)
    return (x.float() * scale).to(x.dtype) * gamma, scale
