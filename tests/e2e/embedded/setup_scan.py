# SPDX-License-Identifier: Apache-2.0
# CUDAExtension of one .cu: a linear recurrence by CUB, a sort by Thrust.
import linear_scan_cuda
import torch

torch.manual_seed(7)
a = torch.rand(3, 700, device="cuda") * 1.2 - 0.2
b = torch.randn(3, 700, device="cuda")
h, state = torch.empty_like(b), torch.zeros(3, device="cuda")
for t in range(700):
    state = a[:, t] * state + b[:, t]
    h[:, t] = state
assert torch.allclose(linear_scan_cuda.linear_scan(a, b), h, atol=1e-4)
keys = torch.randint(0, 5, (300,), device="cuda", dtype=torch.int32)
values = torch.randn(300, device="cuda")
order = torch.sort(keys, descending=True, stable=True).indices
assert torch.equal(linear_scan_cuda.sort_pairs(keys, values), values[order])
print("setup_scan")
