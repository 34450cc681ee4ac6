"""Noise in a fork of the random states: what follows is as if it had not been drawn."""
import contextlib
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"

@contextlib.contextmanager
def seeded(seed):
    devices = list(range(torch.cuda.device_count())) if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        if torch.cuda.is_available():
            torch.cuda.manual_seed(seed)
        yield

def states():
    out = [torch.get_rng_state()]
    if device == "cuda":
        out.append(torch.cuda.get_rng_state())
    return out

torch.manual_seed(3)
before = states()
with seeded(99):
    a = torch.rand(4, device=device)
    changed = any(not torch.equal(x, y) for x, y in zip(before, states()))
with seeded(99):
    b = torch.rand(4, device=device)
after = states()
assert changed and torch.equal(a, b)
assert all(torch.equal(x, y) for x, y in zip(before, after))
g = torch.Generator(device=device).manual_seed(5)
c = torch.rand(4, generator=g, device=device)
h = torch.Generator(device=device)
h.set_state(torch.Generator(device=device).manual_seed(5).get_state())
assert torch.equal(c, torch.rand(4, generator=h, device=device))
assert g.device.type == device and c.device.type == device
print(len(after) == (2 if torch.cuda.is_available() else 1), bool((a < 1).all()))
