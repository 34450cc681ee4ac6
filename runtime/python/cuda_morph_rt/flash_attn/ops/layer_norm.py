# SPDX-License-Identifier: Apache-2.0
"""flash_attn.ops.layer_norm: dropout, residual and layer normalisation in one call."""

from functools import partial

from .norm import DropoutAddNorm, dropout_add_norm

dropout_add_layer_norm = partial(dropout_add_norm, is_rms_norm=False)


def layer_norm(x, weight, bias, epsilon):
    return dropout_add_layer_norm(x, None, weight, bias, 0.0, epsilon)


class DropoutAddLayerNorm(DropoutAddNorm):
    pass
