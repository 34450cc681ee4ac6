# SPDX-License-Identifier: Apache-2.0
"""flash_attn.ops.triton.rotary."""

from ...layers.rotary import apply_rotary

__all__ = ["apply_rotary"]
