"""Markers for a profiler around the phases of a step."""
import torch

on = torch.cuda.is_available()
x = torch.ones(3, requires_grad=True)
if on:
    torch.cuda.nvtx.range_push("forward")
y = (x * 2).sum()
if on:
    torch.cuda.nvtx.range_pop()
    torch.cuda.nvtx.mark("between")
y.backward()
print(y.item(), x.grad.tolist())
