"""A run that a dataclass describes, with fields that depend on the device, and overrides from a command line."""
import dataclasses
from dataclasses import dataclass, field
from typing import Optional
import torch
from torch import nn

@dataclass
class RunConfig:
    device: str = field(default_factory=lambda: "cuda" if torch.cuda.is_available() else "cpu")
    gpu_ids: list = field(default_factory=lambda: list(range(torch.cuda.device_count())))
    precision: str = "auto"
    seed: Optional[int] = 11

    def __post_init__(self):
        if self.precision == "auto":
            self.precision = "16" if self.device.startswith("cuda") else "32"
        if self.seed is not None:
            torch.manual_seed(self.seed)
            torch.cuda.manual_seed_all(self.seed)

    @property
    def is_gpu(self):
        return torch.device(self.device).type == "cuda"

    @classmethod
    def from_args(cls, *args):
        changes = dict(a.split("=", 1) for a in args)
        return cls(**changes)

auto = RunConfig()
host = RunConfig.from_args("device=cpu", "precision=32")
model = nn.Linear(3, 2).to(auto.device)
nn.init.constant_(model.weight, 0.25)
nn.init.zeros_(model.bias)
x = torch.arange(6.0).view(2, 3).to(auto.device)
out = model(x)
assert out.is_cuda == auto.is_gpu == torch.cuda.is_available()
assert not host.is_gpu and host.precision == "32"
assert (auto.precision == "16") == auto.is_gpu
assert len(auto.gpu_ids) == torch.cuda.device_count()
again = dataclasses.replace(auto, precision="bf16")
assert again.device == auto.device and again.precision == "bf16"
print(out.tolist(), sorted(dataclasses.asdict(host)))
