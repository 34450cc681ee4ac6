"""Random generators bound to a device, and their states."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
g = torch.Generator(device=device)
g.manual_seed(42)
a = torch.randn(3, generator=g, device=device)
state = g.get_state()
b = torch.rand(2, generator=g, device=device)
g.set_state(state)
print(a.tolist(), torch.equal(b, torch.rand(2, generator=g, device=device)))
torch.manual_seed(1)
if torch.cuda.is_available():
    torch.cuda.manual_seed(1)
with torch.random.fork_rng():
    torch.manual_seed(2)
    c = torch.rand(1).item()
print(c, torch.rand(1).item())
