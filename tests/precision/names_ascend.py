# target: ascend
"""torch.cuda by name: where it has a counterpart and where it has none."""
import torch
# want: torch-cuda/nvtx
import torch.cuda.nvtx as nvtx
# want: torch-cuda/stream, torch-cuda/memory
from torch.cuda import Stream, empty_cache


def free():
    # want: torch-cuda/memory
    empty_cache()
    # want: torch-cuda/memory
    torch.cuda.reset_peak_memory_stats()
    # want: torch-cuda/memory
    peak = torch.cuda.max_memory_allocated() / 2**20
    # ok: torch-cuda/memory
    return f"peak {peak:.0f} MiB, see torch.cuda.memory_summary()"


def overlap(x):
    # want: torch-cuda/stream
    side = Stream()
    # want: torch-cuda/stream
    side.wait_stream(torch.cuda.current_stream())
    # want: torch-cuda/stream
    with torch.cuda.stream(side):
        y = x * 2
    # want: torch-cuda/device
    torch.cuda.synchronize()
    # ok: torch-cuda/stream
    return y.sum()


def mark(name):
    # want: torch-cuda/nvtx
    nvtx.range_push(name)
    # want: torch-cuda/nvtx
    torch.cuda.nvtx.range_pop()


def timed(step):
    # want: torch-cuda/stream
    start = torch.cuda.Event(enable_timing=True)
    # want: torch-cuda/stream
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    step()
    end.record()
    # ok: torch-cuda/stream
    return start.elapsed_time(end)


def catch(step):
    try:
        return step()
    # want: torch-cuda/error
    except torch.cuda.OutOfMemoryError:
        # ok: torch-cuda/error
        return MemoryError("cuda")


def current():
    # want: torch-cuda/device
    return torch.cuda.current_device()


class Cuda:
    # ok: torch-cuda/memory
    def empty_cache(self):
        self.items.clear()


# ok: torch-cuda/memory
Cuda().empty_cache()
