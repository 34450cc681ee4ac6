"""Reads its settings from JSON, lays defaults below them, and trains where they say."""
import dataclasses
import json

import torch

DEFAULTS = {"device": "cuda", "steps": 4, "lr": 0.1, "amp": False}


@dataclasses.dataclass
class Settings:
    steps: int = 1
    lr: float = 0.01
    amp: bool = True
    device: str = "cuda"
    fallback: str = "cpu"

    def resolve(self):
        if self.device.startswith("cuda") and not torch.cuda.is_available():
            return torch.device(self.fallback)
        return torch.device(self.device)


def load(text):
    values = dict(DEFAULTS)
    values.update(json.loads(text))
    return Settings(**values)


settings = load('{"steps": 6}')
device = settings.resolve()
assert settings.amp is False and settings.steps == 6
if torch.cuda.is_available():
    assert device.type == "cuda", device
else:
    assert device.type == "cpu", device
torch.manual_seed(0)
w = torch.zeros(3, device=device, requires_grad=True)
target = torch.tensor([1.0, -2.0, 0.5]).to(device)
for _ in range(settings.steps):
    loss = (w - target).square().sum()
    loss.backward()
    with torch.no_grad():
        w -= settings.lr * w.grad
    w.grad = None
assert w.is_cuda == (device.type == "cuda")
error = (w - target).abs().max().item()
assert error < 0.6, error
print("settings", f"{error:.4f}")
