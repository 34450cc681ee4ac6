# target: ascend
"""Packages of one vendor, guarded and not."""
import importlib.util

import torch
# want: third-party/attention
from flash_attn import flash_attn_func
# ok: third-party/attention
from torch.nn.functional import scaled_dot_product_attention

try:
    # want: third-party/attention
    import xformers.ops as xops
except ImportError:
    xops = None

# want: third-party/precision
import apex
# want: third-party/quantization
import bitsandbytes as bnb
# want: third-party/array
import cupy
# want: third-party/inference
import tensorrt
# ok: third-party/array
import numpy
# ok: third-party/kernels
import cutlass_notes
# ok: third-party/attention
import flash_attn_helpers

# ok: third-party/quantization
HAS_BNB = importlib.util.find_spec("bitsandbytes") is not None


def attention(q, k, v, fast):
    # ok: third-party/attention
    if fast and xops is not None:
        # want: third-party/attention
        return xops.memory_efficient_attention(q, k, v)
    # want: third-party/attention
    return scaled_dot_product_attention(q, k, v) + flash_attn_func(q, k, v)


def plain(q, k, v):
    # ok: third-party/attention
    return scaled_dot_product_attention(q, k, v)


def model(name, cls):
    # ok: huggingface/attention
    return cls.from_pretrained(name, attn_implementation="flash_attention_2")


def model_that_runs(name, cls):
    # ok: huggingface/attention
    return cls.from_pretrained(name, attn_implementation="sdpa")


def kernel():
    # ok: third-party/attention
    return torch.ops.flash_attn, apex, bnb, cupy, tensorrt, numpy, cutlass_notes
