"""torch.compile with the back end that needs no compiler, and graph breaks on the device's name."""
# e2e: needs torch 2.6
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(2)
weight = torch.randn(8, 8, device=device, requires_grad=True)


@torch.compile(backend="eager")
def block(x):
    y = F.layer_norm(x @ weight, (8,))
    if x.is_cuda:
        y = y * 1.0
    return F.gelu(y) + x


x = torch.randn(4, 8, device=device)
for step in range(3):
    loss = block(x).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
    weight.grad = None
    print(step, f"{loss.item():.5f}")
module = torch.compile(torch.nn.Linear(8, 2), backend="eager").to(device)
with torch.inference_mode(), torch.autocast(device_type=device, dtype=torch.bfloat16):
    print(f"{module(x).float().mean().item():.3f}")
