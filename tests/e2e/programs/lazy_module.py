"""A class with buffers, a cache by device, a context manager for defaults, and forked generators."""
import contextlib

import torch

_cache = {}


class Positions(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("scale", torch.tensor(0.5))
        self.n = n

    def table(self, device):
        key = (device.type, device.index)
        if key not in _cache:
            _cache[key] = torch.arange(self.n, device=device, dtype=torch.float32)
        return _cache[key]

    def forward(self, x):
        return x + self.scale * self.table(x.device)


@contextlib.contextmanager
def default_device(name):
    torch.set_default_device(name)
    try:
        yield
    finally:
        torch.set_default_device("cpu")


name = "cuda" if torch.cuda.is_available() else "cpu"
model = Positions(4)
model = model.cuda() if name == "cuda" else model
with default_device(name):
    x = torch.zeros(4)
assert x.device.type == name
y = model(x)
assert [k[0] for k in _cache] == [name]
assert y.tolist() == [0.0, 0.5, 1.0, 1.5]
generator = torch.Generator(device=name).manual_seed(11)
a = torch.rand(3, generator=generator, device=name)
generator.manual_seed(11)
assert torch.equal(a, torch.rand(3, generator=generator, device=name))
gpus = list(range(torch.cuda.device_count())) if torch.cuda.is_available() else []
torch.manual_seed(4)
with torch.random.fork_rng(devices=gpus):
    inside = torch.rand(2, device=name)
outside = torch.rand(2, device=name)
assert torch.equal(inside, outside)
assert model.scale.is_cuda == (name == "cuda")
print("positions", y.sum().item())
