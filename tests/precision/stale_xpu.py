# target: xpu
"""A port of two years ago."""
import os

import torch
import torch.distributed as dist
# want: stale/ipex
import intel_extension_for_pytorch as ipex

try:
    # want: stale/ipex
    import oneccl_bindings_for_pytorch
except ImportError:
    # ok: stale/ipex
    oneccl_bindings_for_pytorch = None


class Trainer:
    def __init__(self, model, optimizer):
        if torch.xpu.is_available():
            # want: stale/xpu-name
            model, optimizer = torch.xpu.optimize(model, optimizer=optimizer)
        self.model, self.optimizer = model, optimizer
        # want: stale/xpu-name
        self.scaler = torch.xpu.amp.GradScaler(enabled=True)

    def step(self, batch):
        # want: stale/xpu-name
        with torch.xpu.amp.autocast(enabled=True, dtype=torch.bfloat16):
            loss = self.model(batch)
        # ok: stale/xpu-name
        with torch.amp.autocast("xpu", dtype=torch.bfloat16):
            loss = loss + self.model(batch)
        # ok: stale/xpu-name
        torch.xpu.synchronize()
        return loss

    def wide(self, x):
        # want: stale/xpu-name
        if torch.xpu.has_fp64_dtype():
            # want: silent/double
            return x.double()
        # ok: silent/double, silent/float64
        return x.float()

    def capable(self):
        # want: silent/capability
        return torch.xpu.get_device_capability()[0] >= 8

    def named(self):
        # ok: silent/capability
        return torch.xpu.get_device_name()


def start(rank):
    # want: stale/ccl-backend
    dist.init_process_group(backend="ccl", rank=rank)
    # ok: stale/ccl-backend
    dist.init_process_group(backend="xccl", rank=rank)
    # ok: stale/ccl-backend
    os.environ["CCL_WORKER_COUNT"] = "1"


def fast_math():
    # want: stale/xpu-name, stale/xpu-name
    torch.xpu.set_fp32_math_mode(torch.xpu.FP32MathMode.TF32)
    # ok: stale/xpu-name
    torch.set_float32_matmul_precision("high")


def memory():
    # ok: stale/xpu-name
    return torch.xpu.memory_reserved(), torch.xpu.max_memory_allocated()
