# SPDX-License-Identifier: Apache-2.0
"""Streams, events and the memory of programs that run on the CPU: torch.cuda.Stream and
torch.cuda.Event as far as they mean something where one operation follows the other.

Waiting returns at once, because what is waited for is done; an event's time is the clock's.
Nothing is started on another thread."""

import collections
import os
import platform
import time
import warnings
from types import SimpleNamespace

import torch


class Event:
    """The arguments of torch.cuda.Event are taken; only enable_timing has a meaning."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self._enable_timing = enable_timing
        self._at = None

    def record(self, stream=None):
        self._at = time.perf_counter()

    def wait(self, stream=None):
        pass

    def synchronize(self):
        pass

    def query(self):
        return True

    def elapsed_time(self, end_event):
        """Milliseconds from this event to the other one."""
        if not (self._enable_timing and end_event._enable_timing):
            raise RuntimeError("elapsed_time needs events with enable_timing=True")
        if self._at is None or end_event._at is None:
            raise RuntimeError("elapsed_time needs events that were recorded")
        return (end_event._at - self._at) * 1000.0


class Stream:
    """All streams are the one order in which the program says things."""

    def __init__(self, device=None, priority=0, **_):
        self.device = torch.device("cpu")
        self.priority = priority

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        pass

    def wait_stream(self, stream):
        pass

    def synchronize(self):
        pass

    def query(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return hash(Stream)


_the_stream = Stream()


def current_stream(device=None):
    return _the_stream


default_stream = current_stream


def set_rng_state(new_state, device=None):
    """torch.cuda.set_rng_state(): on the CPU there is one generator, whose state a ported
    get_rng_state() gives. The state of a GPU's generator, of an older checkpoint, has another size
    and cannot be restored: a warning says so."""
    if new_state.numel() == torch.get_rng_state().numel():
        torch.set_rng_state(new_state)
    else:
        warnings.warn("the random state of a GPU cannot be restored on the CPU", stacklevel=2)


def set_rng_state_all(new_states):
    """torch.cuda.set_rng_state_all(): a ported get_rng_state_all() gives the one generator's state
    in a list."""
    for state in new_states[:1]:
        set_rng_state(state)


def memory_stats(device=None):
    """torch.cuda.memory_stats() of a machine whose allocator counts nothing: every number is 0."""
    return collections.defaultdict(int)


def mem_get_info(device=None):
    """Bytes of memory that are free and that there are, of the machine or of its control group."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = os.sysconf("SC_PHYS_PAGES") * page
    free = os.sysconf("SC_AVPHYS_PAGES") * page
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        free = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass  # another system than Linux: the pages that nobody uses
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            total = min(total, int(file.read()))
        with open("/sys/fs/cgroup/memory.current", encoding="ascii") as file:
            free = min(free, max(total - int(file.read()), 0))
    except (OSError, ValueError):
        pass  # no limit
    return free, total


def get_device_properties(device=None):
    """What of torch.cuda.get_device_properties() means something here. The compute capability is
    0.0, which no test for a feature of CUDA's passes; a processor counts as a multiprocessor."""
    return SimpleNamespace(
        name=platform.processor() or platform.machine(),
        major=0,
        minor=0,
        total_memory=mem_get_info()[1],
        multi_processor_count=os.cpu_count() or 1,
        warp_size=1,
        is_integrated=1,
        is_multi_gpu_board=0,
    )


class _SumOverRanks(torch.autograd.Function):
    """The sum over the ranks; so is its gradient."""

    @staticmethod
    def forward(ctx, x, group):
        ctx.group = group
        x = x.clone()
        torch.distributed.all_reduce(x, group=group)
        return x

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        torch.distributed.all_reduce(grad, group=ctx.group)
        return grad, None


class SyncBatchNorm(torch.nn.SyncBatchNorm):
    """torch.nn.SyncBatchNorm, which refuses tensors on the CPU, by plain operators: in training
    the mean and variance are those of all ranks' batches."""

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        module = super().convert_sync_batchnorm(module, process_group)
        for part in module.modules():
            if type(part) is torch.nn.SyncBatchNorm:
                part.__class__ = cls
        return module

    def _ranks(self):
        distributed = torch.distributed
        if not (distributed.is_available() and distributed.is_initialized()):
            return 1
        return distributed.get_world_size(self.process_group)

    def forward(self, input):
        of_batch = self.training or self.running_mean is None
        if not of_batch or input.device.type != "cpu" or self._ranks() == 1:
            return torch.nn.modules.batchnorm._BatchNorm.forward(self, input)
        self._check_input_dim(input)
        axes = [d for d in range(input.dim()) if d != 1]
        shape = [1, -1] + [1] * (input.dim() - 2)
        n = input.new_full((1,), input.numel() // input.shape[1])
        sums = _SumOverRanks.apply(torch.cat([input.sum(axes), n]), self.process_group)
        n = sums[-1].detach()
        mean = sums[:-1] / n
        centred = input - mean.view(shape)
        squares = _SumOverRanks.apply((centred * centred).sum(axes), self.process_group)
        variance = squares / n
        if self.track_running_stats and self.training:
            self._count(mean.detach(), (squares / (n - 1)).detach())
        y = centred * torch.rsqrt(variance + self.eps).view(shape)
        return y * self.weight.view(shape) + self.bias.view(shape) if self.affine else y

    def _count(self, mean, variance):
        self.num_batches_tracked.add_(1)
        weight = self.momentum
        if weight is None:
            weight = 1.0 / float(self.num_batches_tracked)
        self.running_mean.mul_(1 - weight).add_(mean, alpha=weight)
        self.running_var.mul_(1 - weight).add_(variance, alpha=weight)
