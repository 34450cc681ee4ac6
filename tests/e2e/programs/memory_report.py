"""Prints what the device says about itself, if there is one."""
import gc

import torch


def report(tag):
    if not torch.cuda.is_available():
        print(tag, "no device")
        return
    used = torch.cuda.memory_allocated() / 2**20
    peak = torch.cuda.max_memory_allocated() / 2**20
    print(tag, used >= 0, peak >= used, torch.cuda.get_device_name(0) != "")


report("start")
t = torch.ones(256, 256, device="cuda" if torch.cuda.is_available() else "cpu")
report("middle")
del t
gc.collect()
if torch.cuda.is_available():
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
report("end")
print(torch.cuda.is_available() and torch.cuda.device_count() or 0)
