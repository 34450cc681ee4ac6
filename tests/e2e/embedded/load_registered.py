# SPDX-License-Identifier: Apache-2.0
# load: operators that TORCH_LIBRARY_IMPL registers for CUDA, called by torch.ops.
from pathlib import Path

import torch
from torch.utils import cpp_extension

folder = Path(__file__).resolve().parent / "registered"
cpp_extension.load(
    name="demo_ops",
    sources=[str(folder / "ops.cpp"), str(folder / "ops_cuda.cu")],
    is_python_module=False,
    verbose=False,
)
torch.manual_seed(5)
for dtype in (torch.float32, torch.float64):
    table = torch.randn(50, device="cuda:0", dtype=dtype)
    at = torch.rand(10, 31, device="cuda:0", dtype=dtype) * 55 - 3
    inside = at.clamp(0, 49)
    low = inside.floor().clamp(max=48).long()
    t = inside - low
    want = table[low] * (1 - t) + table[low + 1] * t
    got = torch.ops.demo.interp(table, at)
    assert got.shape == at.shape and torch.allclose(got, want, atol=1e-5)
x = torch.randn(1000, device="cuda:0")
assert torch.ops.demo.count_below(x, 0.25) == int((x < 0.25).sum())
print("load_registered")
