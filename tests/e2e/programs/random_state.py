"""Random numbers of the device: seeds, states, generators, fork_rng, dropout that repeats."""
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(11)
if torch.cuda.is_available():
    torch.cuda.manual_seed_all(11)
states = {"cpu": torch.get_rng_state()}
if torch.cuda.is_available():
    states["cuda"] = torch.cuda.get_rng_state_all()
x = torch.ones(6, device=device)
first = F.dropout(x, 0.5)
torch.set_rng_state(states["cpu"])
if torch.cuda.is_available():
    torch.cuda.set_rng_state_all(states["cuda"])
print(torch.equal(first, F.dropout(x, 0.5)))
generator = torch.Generator(device=device).manual_seed(3)
again = torch.Generator(device=device).manual_seed(3)
a, b = (torch.rand(4, generator=g, device=device) for g in (generator, again))
print(torch.equal(a, b), torch.randperm(5, generator=generator, device=device).device.type == device)
before = torch.rand(1, device=device)
with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
    torch.manual_seed(0)
    torch.rand(3, device=device)
print(before.item() != torch.rand(1, device=device).item(), torch.initial_seed())
