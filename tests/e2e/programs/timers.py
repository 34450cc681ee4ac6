"""Timers by events where there are any, by the clock elsewhere; a table of what was measured."""
# e2e: manual on portable: a name that comes before the CPU's would take its place without a device
import time
import torch

class Timer:
    _impl = {}

    def __init_subclass__(cls, kind, **kw):
        super().__init_subclass__(**kw)
        Timer._impl[kind] = cls

    @classmethod
    def for_device(cls, device):
        return cls._impl[torch.device(device).type]()

class CpuTimer(Timer, kind="cpu"):
    def start(self):
        self.t = time.perf_counter()

    def stop(self):
        return (time.perf_counter() - self.t) * 1e3

class CudaTimer(Timer, kind="cuda"):
    def __init__(self):
        self.a = torch.cuda.Event(enable_timing=True)
        self.b = torch.cuda.Event(enable_timing=True)

    def start(self):
        self.a.record()

    def stop(self):
        self.b.record()
        torch.cuda.synchronize()
        return self.a.elapsed_time(self.b)

device = "cuda" if torch.cuda.is_available() else "cpu"
timer = Timer.for_device(device)
timer.start()
x = torch.ones(64, 64, device=device)
y = (x @ x).sum()
took = timer.stop()
assert took >= 0 and isinstance(timer, CudaTimer if device == "cuda" else CpuTimer)
assert y.device.type == device
print(y.item())
