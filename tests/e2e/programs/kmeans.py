"""k-means in chunks with the centres on the device; helper functions take a device or find it."""
from typing import Literal, Optional, Union

import torch

Where = Union[str, torch.device]


def default_device(kind: Literal["cuda", "cpu", "auto"] = "auto") -> torch.device:
    if kind == "auto":
        kind = "cuda" if torch.cuda.device_count() > 0 else "cpu"
    return torch.device(kind)


def nearest(points, centres, chunk=4):
    return torch.cat([torch.cdist(part, centres).argmin(dim=1) for part in points.split(chunk)])


def kmeans(points, k, steps=5, device: Optional[Where] = None):
    device = device if device is not None else default_device()
    points = points.to(device)
    centres = points[:: len(points) // k][:k].clone()
    for _ in range(steps):
        labels = nearest(points, centres)
        sums = torch.zeros_like(centres).index_add_(0, labels, points)
        counts = torch.bincount(labels, minlength=k).clamp(min=1).unsqueeze(1)
        centres = sums / counts
    return centres, nearest(points, centres)


a = torch.linspace(0, 1, 8).view(4, 2)
points = torch.cat([a, a + 10, a - 10])
centres, labels = kmeans(points, 3)
expected = default_device().type
assert centres.device.type == labels.device.type == expected
assert (expected == "cuda") == centres.is_cuda
assert sorted(round(c, 3) for c in centres[:, 0].tolist()) == [-9.571, 0.429, 10.429]
assert torch.bincount(labels).tolist() == [4, 4, 4]
host, _ = kmeans(points, 3, device="cpu")
assert not host.is_cuda and torch.allclose(host, centres.cpu())
print("centres", sorted(round(c, 3) for c in centres[:, 0].tolist()))
