# SPDX-License-Identifier: Apache-2.0
# load: the distance of two clouds of points, from a .cpp and a .cu that share no header.
import os

import torch
from torch.utils.cpp_extension import load

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chamfer")
chamfer = load(
    name="chamfer",
    sources=[os.path.join(here, "chamfer.cpp"), os.path.join(here, "chamfer_cuda.cu")],
    extra_cflags=["-O2"],
    extra_cuda_cflags=["-O2", "-Xcompiler", "-fno-strict-aliasing", "-gencode=arch=compute_70,code=sm_70"],
)


class Nearest(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        distance, index = chamfer.nearest(a, b)
        ctx.save_for_backward(a, b, index)
        ctx.mark_non_differentiable(index)
        return distance, index

    @staticmethod
    def backward(ctx, grad, _):
        a, b, index = ctx.saved_tensors
        return chamfer.nearest_grad(a, b, grad.contiguous(), index)


torch.manual_seed(4)
a = torch.rand(2, 300, 3).cuda().requires_grad_()
b = torch.rand(2, 210, 3).cuda().requires_grad_()
distance, index = Nearest.apply(a, b)
full = (a[:, :, None] - b[:, None]).pow(2).sum(-1)
want, at = full.min(2)
assert torch.allclose(distance, want, atol=1e-6)
assert torch.equal(index.long(), at)
weight = torch.rand_like(distance)
got = torch.autograd.grad((distance * weight).sum(), (a, b))
right = torch.autograd.grad((want * weight).sum(), (a, b))
for g, w in zip(got, right):
    assert torch.allclose(g, w, atol=1e-5)
try:
    chamfer.nearest(a.transpose(1, 2), b)
    print("accepted")
except RuntimeError as error:
    assert "must be contiguous" in str(error)
print("load_chamfer")
