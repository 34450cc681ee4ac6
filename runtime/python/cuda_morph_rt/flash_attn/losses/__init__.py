# SPDX-License-Identifier: Apache-2.0
"""See cuda_morph_rt.flash_attn."""
