# target: rocm
"""Triton launches with the options of one vendor, and code that has such words."""
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, 2 * tl.load(x_ptr + offsets))


@triton.jit
def total(x_ptr, K: tl.constexpr):
    acc = 0.0
    # want: triton/num-stages
    for k in tl.static_range(0, K, num_stages=2):
        acc += tl.load(x_ptr + k)
    # ok: triton/num-stages
    for k in tl.range(0, K, 4):
        acc += tl.load(x_ptr + k)
    return acc


def launches(x, y, n, grid, options):
    # want: triton/num-stages
    scale[grid](x, y, n, BLOCK=128, num_stages=3)
    # want: triton/num-stages
    scale[(n,)](x, y, n, BLOCK=128, num_stages=options.stages)
    # want: triton/num-stages
    scale[lambda meta: (n,)](x, y, n, BLOCK=128, num_stages=1)
    # want: triton/num-warps, triton/num-stages
    scale[grid](x, y, n, BLOCK=128, num_warps=8, num_stages=4)
    # ok: triton/num-stages, triton/num-warps
    scale[grid](x, y, n, BLOCK=128)
    # ok: triton/num-stages
    scale.warmup(x, y, n, stages=3)


def configs():
    # want: triton/num-stages
    first = triton.Config({"BLOCK": 64}, num_stages=2)
    # want: triton/num-stages, triton/num-warps
    second = triton.Config({"BLOCK": 64}, num_stages=5, num_warps=4)
    # ok: triton/num-stages
    third = triton.Config({"BLOCK": 64, "matrix_instr_nonkdim": 16})
    return first, second, third


class Pipeline:
    # ok: triton/num-stages
    def __init__(self, layers, num_stages=4):
        # ok: triton/num-stages
        self.parts = split(layers, num_stages=num_stages)


def split(layers, num_stages):
    # ok: triton/num-stages
    return [layers[i::num_stages] for i in range(num_stages)]
