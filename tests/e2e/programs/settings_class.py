"""Settings as a class with properties; a subclass for machines without a device."""
import torch

class Settings:
    DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
    GPUS = torch.cuda.device_count()
    PRECISION = {"cuda": torch.bfloat16, "cpu": torch.float32}

    @classmethod
    def dtype(cls):
        return cls.PRECISION[cls.DEVICE]

    @property
    def is_gpu(self):
        return self.DEVICE.startswith("cuda")

class HostSettings(Settings):
    DEVICE = "cpu"

s, h = Settings(), HostSettings()
x = torch.ones(3, device=s.DEVICE, dtype=s.dtype())
y = torch.ones(3, device=h.DEVICE, dtype=h.dtype())
assert x.is_cuda == s.is_gpu == torch.cuda.is_available() and not h.is_gpu
assert (x.dtype is torch.bfloat16) == s.is_gpu and y.dtype is torch.float32
assert (s.GPUS > 0) == s.is_gpu
print(x.sum().item(), y.sum().item())
