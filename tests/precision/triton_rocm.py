# target: rocm
"""Kernels in Triton, tuned on one machine."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.autotune(
    configs=[
        # want: triton/num-warps, triton/num-stages
        triton.Config({"BLOCK": 128}, num_warps=8, num_stages=4),
        # want: triton/num-warps, triton/hopper-option
        triton.Config({"BLOCK": 256}, num_warps=32, num_ctas=2),
        # ok: triton/num-warps, triton/num-stages
        triton.Config({"BLOCK": 64, "waves_per_eu": 2}),
    ],
    key=["n"],
)
@triton.jit
def gelu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    # ok: triton/libdevice
    t = libdevice.tanh(0.79788456 * (x + 0.044715 * x * x * x))
    # want: triton/inline-asm
    bits = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [x], tl.int32, True, 1)
    # want: triton/cuda-library
    start = tl.extra.cuda.globaltimer()
    # ok: triton/cuda-library
    tl.store(y_ptr + offsets, 0.5 * x * (1 + t) + 0 * bits + 0 * start, mask=offsets < n)


@triton.jit
def product(a_ptr, b_ptr, c_ptr, K: tl.constexpr):
    acc = tl.zeros((16, 16), dtype=tl.float32)
    # want: triton/num-stages
    for k in tl.range(0, K, 16, num_stages=3):
        a, b = tl.load(a_ptr + k), tl.load(b_ptr + k)
        # want: triton/float8
        a = a.to(tl.float8e4nv)
        # want: triton/dot-precision
        acc += tl.dot(a, b, allow_tf32=True)
    # ok: triton/float8
    tl.store(c_ptr, acc.to(tl.float16))


def launch(x):
    y = torch.empty_like(x)
    grid = (triton.cdiv(x.numel(), 128),)
    # want: triton/num-warps
    gelu[grid](x, y, x.numel(), num_warps=4)
    # want: triton/hopper-option
    gelu[grid](x, y, x.numel(), maxnreg=128)
    # want: triton/num-stages
    gelu[grid](x, y, x.numel(), num_stages=2)
    # ok: triton/num-warps, triton/hopper-option
    gelu[grid](x, y, x.numel())
    return y


class Pipeline:
    def __init__(self, stages):
        # ok: triton/num-stages
        self.num_stages = len(stages)


# ok: triton/num-stages
pipeline = dict(num_stages=4)
# ok: triton/num-warps
num_warps = 8
