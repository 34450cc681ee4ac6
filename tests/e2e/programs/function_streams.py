"""A custom function that copies its input away on a stream of its own, and brings it back in the backward pass."""
import torch

class Offload(torch.autograd.Function):
    """Keeps its input on the host between the passes."""
    side = None

    @staticmethod
    def forward(ctx, x):
        ctx.was = x.device
        if x.is_cuda:
            if Offload.side is None:
                Offload.side = torch.cuda.Stream(device=x.device)
            Offload.side.wait_stream(torch.cuda.current_stream(x.device))
            with torch.cuda.stream(Offload.side):
                held = torch.empty(x.shape, dtype=x.dtype, pin_memory=True)
                held.copy_(x, non_blocking=True)
            x.record_stream(Offload.side)
            torch.cuda.current_stream(x.device).wait_stream(Offload.side)
        else:
            held = x.clone()
        ctx.held = held
        return x * x

    @staticmethod
    def backward(ctx, grad):
        x = ctx.held
        if ctx.was.type == "cuda":
            torch.cuda.synchronize(ctx.was)
            x = x.cuda(ctx.was, non_blocking=True)
        return 2 * x * grad

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.tensor([1.0, -2.0, 3.0], device=device, requires_grad=True)
y = Offload.apply(x)
y.sum().backward()
assert y.device.type == device and x.grad.device == x.device
assert (Offload.side is not None) == (device == "cuda")
print(y.tolist(), x.grad.tolist())
