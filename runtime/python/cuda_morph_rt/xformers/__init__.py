# SPDX-License-Identifier: Apache-2.0
"""The part of xformers that public code calls, for devices that its kernels were not written for:
xformers.ops.memory_efficient_attention and its masks, as of version 0.0.29."""

__version__ = "0.0.29"
