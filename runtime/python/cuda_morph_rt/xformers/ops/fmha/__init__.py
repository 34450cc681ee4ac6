"""xformers.ops.fmha: the masks."""

from . import attn_bias
from .attn_bias import BlockDiagonalMask

__all__ = ["BlockDiagonalMask", "attn_bias"]
