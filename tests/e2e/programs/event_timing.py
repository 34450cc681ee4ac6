"""Times work with events, counts memory, and falls back to the clock."""
import contextlib
import time

import torch

on_gpu = torch.cuda.is_available()


@contextlib.contextmanager
def timed(out):
    if on_gpu:
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        yield
        end.record()
        torch.cuda.synchronize()
        out.append(start.elapsed_time(end))
    else:
        before = time.perf_counter()
        yield
        out.append((time.perf_counter() - before) * 1000)


def work(n):
    device = "cuda" if on_gpu else "cpu"
    x = torch.ones(n, n, device=device)
    return (x @ x).sum()


times = []
if on_gpu:
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
with timed(times):
    value = work(16)
assert value.item() == 16 ** 3
assert len(times) == 1 and times[0] >= 0
if on_gpu:
    kept = torch.zeros(1 << 16, device="cuda")
    assert torch.cuda.memory_allocated() - before >= kept.numel() * 4
    assert torch.cuda.max_memory_allocated() >= torch.cuda.memory_allocated()
    free, total = torch.cuda.mem_get_info()
    assert 0 <= free <= total
    assert torch.cuda.get_device_properties(0).total_memory > 0
print("timed", int(value))
