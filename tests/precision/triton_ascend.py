# target: ascend
"""The same knobs on a chip without warps."""
import triton
import triton.language as tl
from triton.language.extra import libdevice

CONFIGS = [
    # want: triton/num-warps, triton/num-stages
    triton.Config({"BLOCK": 128}, num_stages=2, num_warps=4),
    # ok: triton/num-warps
    triton.Config({"BLOCK": 256, "multibuffer": True}),
]


@triton.jit
def softplus(x_ptr, y_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    # want: triton/libdevice
    y = libdevice.log1p(tl.exp(x))
    # ok: triton/libdevice
    z = tl.math.log(1 + tl.math.exp(x))
    # want: triton/cuda-library
    tl.store(y_ptr + tl.arange(0, BLOCK), tl.where(tl.extra.cuda.libdevice.isinf(y), z, y))
