# SPDX-License-Identifier: Apache-2.0
"""flash_attn.ops.rms_norm."""

from functools import partial

import torch

from .norm import DropoutAddNorm, dropout_add_norm

dropout_add_rms_norm = partial(dropout_add_norm, is_rms_norm=True)


def rms_norm(x, weight, epsilon):
    return dropout_add_rms_norm(x, None, weight, None, 0.0, epsilon)


class RMSNorm(torch.nn.Module):
    def __init__(self, hidden_size, eps=1e-5, device=None, dtype=None):
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.empty(hidden_size, device=device, dtype=dtype))
        self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        torch.nn.init.ones_(self.weight)

    def forward(self, x):
        return rms_norm(x, self.weight, self.eps)


class DropoutAddRMSNorm(DropoutAddNorm):
    is_rms_norm = True
