# target: xpu
"""Where the time goes."""
import torch
from torch.profiler import ProfilerActivity, profile, record_function


def trace(step):
    # want: torch-profiler/activity
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities) as prof:
        # ok: torch-profiler/activity
        with record_function("step"):
            step()
    # want: torch-profiler/sort-key
    print(prof.key_averages().table(sort_by="cuda_time_total", row_limit=10))
    # ok: torch-profiler/sort-key
    print(prof.key_averages().table(sort_by="cpu_time_total", row_limit=10))


def legacy(step):
    # want: torch-profiler/use-cuda
    with torch.autograd.profiler.profile(use_cuda=True) as prof:
        step()
    # want: torch-profiler/emit-nvtx
    with torch.autograd.profiler.emit_nvtx():
        step()
    return prof


def cpu_only(step):
    # ok: torch-profiler/activity
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        step()
    # ok: torch-profiler/use-cuda
    return prof.export_chrome_trace("trace_cuda.json")
