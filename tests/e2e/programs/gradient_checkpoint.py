"""Activations recomputed in the backward pass, with the random state kept."""
import torch
from torch.utils.checkpoint import checkpoint

device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
torch.manual_seed(0)
blocks = torch.nn.ModuleList(
    [torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.Dropout(0.2), torch.nn.ReLU()) for _ in range(3)]
).to(device)
x = torch.randn(4, 6, device=device, requires_grad=True)
y = x
for block in blocks:
    y = checkpoint(block, y, use_reentrant=False)
y.sum().backward()
print(f"{y.sum().item():.5f} {x.grad.sum().item():.5f}")
if device.type == "cuda":
    torch.cuda.synchronize(device)
