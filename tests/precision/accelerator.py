# target: portable
"""Neutral code that trusted torch.accelerator to be a copy of torch.cuda."""
import torch


def memory():
    # want: stale/accelerator-name
    free, total = torch.accelerator.mem_get_info()
    # ok: stale/accelerator-name
    torch.accelerator.empty_cache()
    # ok: stale/accelerator-name
    return total - free, torch.accelerator.memory_allocated()


def place(rank):
    if torch.accelerator.is_available():
        # want: stale/accelerator-name
        torch.accelerator.set_device(rank)
        # ok: stale/accelerator-name
        torch.accelerator.set_device_index(rank)
    # want: silent/current-accelerator
    device = torch.accelerator.current_accelerator()
    # ok: silent/current-accelerator
    return device, torch.accelerator.current_device_index()


def seed(value):
    # want: stale/accelerator-name
    torch.accelerator.manual_seed_all(value)
    # ok: stale/accelerator-name
    torch.manual_seed(value)


def timing():
    # want: stale/accelerator-name
    event = torch.accelerator.Event(enable_timing=True)
    # ok: stale/accelerator-name
    return event, torch.Event(enable_timing=True)


def feature():
    # want: silent/capability
    if torch.accelerator.get_device_capability() >= (8, 0):
        return "flash"
    # want: stale/accelerator-name
    return torch.accelerator.get_device_name()


class Ledger:
    # ok: stale/accelerator-name
    def mem_get_info(self):
        return self.accelerator.mem_get_info()
