"""Batches of nested structures, pinned by the loader and moved by a function that knows their kinds."""
import collections.abc
import torch
from torch.utils.data import DataLoader, Dataset

class Pairs(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        return {"x": torch.full((2,), float(i)), "meta": (torch.tensor(i), str(i))}

def to_device(data, device, non_blocking=True):
    if torch.is_tensor(data):
        return data.to(device, non_blocking=non_blocking)
    if isinstance(data, str):
        return data
    if isinstance(data, collections.abc.Mapping):
        return {k: to_device(v, device, non_blocking) for k, v in data.items()}
    if isinstance(data, collections.abc.Sequence):
        return type(data)(to_device(v, device, non_blocking) for v in data)
    return data

cuda = torch.cuda.is_available()
device = torch.device("cuda") if cuda else torch.device("cpu")
loader = DataLoader(Pairs(), batch_size=3, pin_memory=cuda, pin_memory_device="cuda" if cuda else "")
total, kinds = 0.0, set()
for batch in loader:
    assert batch["x"].is_pinned() == cuda
    batch = to_device(batch, device)
    kinds.add(batch["x"].device.type)
    kinds.add(batch["meta"][0].device.type)
    total += batch["x"].sum().item()
assert kinds == {device.type}
assert total == 30.0
host = torch.empty(4, pin_memory=True) if torch.cuda.is_available() else torch.empty(4)
host.copy_(torch.arange(4.0, device=device))
print(total, host.tolist())
