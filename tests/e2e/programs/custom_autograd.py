"""Autograd functions of one's own, with custom_fwd and custom_bwd."""
import torch
from torch.cuda.amp import custom_bwd, custom_fwd


class Cube(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    @custom_bwd
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x * x * grad


x = torch.arange(5.0, requires_grad=True)
if torch.cuda.is_available():
    x = x.detach().cuda().requires_grad_()
y = Cube.apply(x).sum()
y.backward()
print(y.item(), x.grad.tolist(), x.is_cuda == torch.cuda.is_available())
