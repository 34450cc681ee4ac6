# target: portable
# target-version: portable=2.5
"""Neutral names before the release that brings them."""
import torch


def devices():
    # want: stale/too-new
    if not torch.accelerator.is_available():
        return 0
    # want: stale/too-new
    torch.accelerator.synchronize()
    # want: stale/too-new
    return torch.accelerator.device_count()


def memory():
    # want: stale/too-new
    torch.accelerator.empty_cache()
    # ok: stale/too-new
    return torch.xpu.memory_allocated()


def precision(device):
    # ok: stale/too-new
    return torch.amp.is_autocast_available(device.type)
