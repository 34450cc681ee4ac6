# SPDX-License-Identifier: Apache-2.0
"""flash-attn 2.8 for devices it was not written for: the same functions under the same names.

`from flash_attn import X` is ported to `from cuda_morph_rt.flash_attn import X`, likewise the
submodules that public code uses: bert_padding, layers.rotary, losses.cross_entropy,
ops.layer_norm, ops.rms_norm, ops.activations and ops.triton. The other parts of the package (its
models and the modules they are made of) are not here, and importing them says so."""

from .flash_attn_interface import (
    flash_attn_func,
    flash_attn_kvpacked_func,
    flash_attn_qkvpacked_func,
    flash_attn_varlen_func,
    flash_attn_varlen_kvpacked_func,
    flash_attn_varlen_qkvpacked_func,
    flash_attn_with_kvcache,
)

__version__ = "2.8.3"
