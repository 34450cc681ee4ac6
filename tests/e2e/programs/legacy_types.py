"""Tensor types as programs of 2018 name them."""
import numpy as np
import torch

use_cuda = torch.cuda.is_available()
if use_cuda:
    torch.set_default_tensor_type(torch.cuda.FloatTensor)
dtype = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor
long_dtype = torch.cuda.LongTensor if use_cuda else torch.LongTensor


def describe(t):
    if isinstance(t, (torch.cuda.LongTensor, torch.LongTensor)):
        return "long"
    if t.type() in ("torch.cuda.FloatTensor", "torch.FloatTensor"):
        return "float"
    return "byte" if isinstance(t, (torch.cuda.ByteTensor, torch.ByteTensor)) else "other"


torch.manual_seed(12)
weight = torch.randn(3, 2).type(dtype).requires_grad_(True)
index = long_dtype([0, 2, 1, 1])
target = dtype(np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [1.0, 1.0]], dtype="float32"))
buffer = dtype(4, 2).zero_()
for step in range(4):
    error = weight[index] - target
    buffer += error.detach().abs()
    loss = error.pow(2).sum()
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
        weight.grad.zero_()
    print(step, f"{loss.item():.5f}", f"{buffer.sum().item():.4f}")
mask = (buffer > 1).type("torch.cuda.ByteTensor" if use_cuda else "torch.ByteTensor")
print([describe(t) for t in (index, target, mask, target.double())], mask.sum().item())
print(torch.zeros(2).is_cuda == use_cuda, long_dtype().shape, dtype(target.size()).shape)
