"""Layers placed on devices by number, with budgets of memory, as loaders of large models do."""
# e2e: manual on cpu: an assertion behind a count of devices
import torch
from torch import nn

if (count := torch.cuda.device_count()) and torch.cuda.is_available():
    budget = {i: 10 << 20 for i in range(count)}
else:
    budget = {}
budget["cpu"] = 1 << 30


def place(sizes, limits):
    """The first device that has room for it, for each layer."""
    room, where = dict(limits), {}
    for name, size in sizes.items():
        for device in room:
            if room[device] >= size:
                room[device] -= size
                where[name] = device
                break
    return where


def full_name(device):
    return f"cuda:{device}" if isinstance(device, int) else device


layers = nn.ModuleDict({f"l{i}": nn.Linear(64, 64, bias=False) for i in range(6)})
sizes = {n: sum(p.numel() * p.element_size() for p in l.parameters()) for n, l in layers.items()}
budget.update({k: 2 * sizes["l0"] for k in budget if k != "cpu"})
device_map = place(sizes, budget)
main, *_ = [full_name(d) for d in device_map.values()]
used = {torch.device(full_name(d)).type for d in device_map.values()}
for name, device in device_map.items():
    layers[name].to(full_name(device))
    nn.init.eye_(layers[name].weight)


def forward(x):
    for name, layer in layers.items():
        if (here := torch.device(full_name(device_map[name]))) != x.device:
            x = x.to(here, non_blocking=here.type == "cuda")
        x = layer(x)
    return x.to(main)


with torch.no_grad():
    out = forward(torch.arange(64.0))
assert torch.equal(out.cpu(), torch.arange(64.0))
on_gpu = [n for n, l in layers.items() if next(l.parameters()).is_cuda]
if count:
    assert len(on_gpu) == min(6, 2 * count) and "cuda" in used, (on_gpu, used)
    assert out.device == torch.device("cuda", 0)
    assert [d for d in device_map.values() if d != "cpu"] == sorted(
        [i for i in range(count)] * 2
    )[: len(on_gpu)]
else:
    assert on_gpu == [] and used == {"cpu"} and not out.is_cuda
print(out.sum().item(), len(device_map))
