"""Devices and precisions as enumerations; settings by `match`, tables keyed by both."""
# e2e: manual on cpu: a member of an Enum, of which another may have the value
# e2e: manual on portable: a member of an Enum, of which another may have the value
import enum
from dataclasses import dataclass

import torch


class Device(str, enum.Enum):
    CPU = "cpu"
    CUDA = "cuda"

    @classmethod
    def best(cls):
        return cls.CUDA if torch.cuda.is_available() else cls.CPU

    @property
    def torch(self) -> torch.device:
        return torch.device(self.value)


class Precision(enum.Enum):
    FULL = "fp32"
    HALF = "fp16"


DTYPES = {
    (Device.CUDA, Precision.HALF): torch.float16,
    (Device.CPU, Precision.HALF): torch.bfloat16,
}


@dataclass
class Run:
    device: Device
    precision: Precision = Precision.FULL

    def dtype(self):
        return DTYPES.get((self.device, self.precision), torch.float32)

    def batch(self):
        match self.device:
            case Device.CUDA:
                return 64
            case Device.CPU:
                return 8


def tag_of(tensor):
    match tensor.device.type:
        case "cuda" | "xpu":
            return "accelerator"
        case "cpu":
            return "host"
        case other:
            raise ValueError(f"where is {other}?")


run = Run(Device.best(), Precision.HALF)
x = torch.ones(run.batch(), device=run.device.torch, dtype=run.dtype())
there = torch.cuda.is_available()
assert x.is_cuda == there
assert x.dtype is (torch.float16 if there else torch.bfloat16), x.dtype
assert x.numel() == (64 if there else 8)
assert tag_of(x) == ("accelerator" if there else "host")
assert Device(x.device.type) is run.device
assert Run(Device("cpu")).dtype() is torch.float32
print(x.float().mean().item(), run.precision.value)
