# target: portable
# target-version: portable=2.7
"""Most neutral names are there, those for memory are not."""
import torch


def devices():
    # ok: stale/too-new
    torch.accelerator.synchronize()
    # ok: stale/too-new
    return torch.accelerator.device_count()


def memory():
    # want: stale/too-new
    torch.accelerator.empty_cache()
    # want: stale/too-new
    used = torch.accelerator.memory_allocated()
    # want: stale/too-new
    with torch.accelerator.device_index(0):
        return used
