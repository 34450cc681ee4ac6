# SPDX-License-Identifier: Apache-2.0
"""apex.parallel: its DistributedDataParallel and SyncBatchNorm are PyTorch's, and LARC."""

import torch
from torch import nn

from ... import devices
from .LARC import LARC


class DistributedDataParallel(nn.parallel.DistributedDataParallel):
    """PyTorch's, with apex's arguments; those that tune apex's buckets have nothing to tune. All
    parameters may be left out of a step, as apex allows with delay_allreduce."""

    def __init__(
        self,
        module,
        message_size=10000000,
        delay_allreduce=False,
        shared_param=None,
        allreduce_trigger_params=None,
        retain_allreduce_buffers=False,
        allreduce_always_fp32=False,
        num_allreduce_streams=1,
        allreduce_communicators=None,
        gradient_average=True,
        gradient_predivide_factor=1.0,
        gradient_average_split_factor=None,
        prof=False,
    ):
        if not gradient_average or retain_allreduce_buffers or allreduce_communicators:
            raise NotImplementedError(
                "apex.parallel: gradients are averaged, in PyTorch's own buckets"
            )
        super().__init__(module, find_unused_parameters=bool(delay_allreduce))


def _sync_batch_norm(kind):
    if kind == "cpu":
        from ...cpu import SyncBatchNorm

        return SyncBatchNorm
    return nn.SyncBatchNorm


def SyncBatchNorm(*args, **kwargs):
    """torch.nn.SyncBatchNorm for the accelerator in use; channel_last and fuse_relu go."""
    kwargs.pop("channel_last", None)
    if kwargs.pop("fuse_relu", False):
        raise NotImplementedError("apex.parallel.SyncBatchNorm: fuse_relu")
    return _sync_batch_norm(devices.current())(*args, **kwargs)


def convert_syncbn_model(module, process_group=None, channel_last=False):
    """The module with its BatchNorm layers synchronised."""
    kind = devices.kind_of(module)
    return _sync_batch_norm(kind).convert_sync_batchnorm(module, process_group)


def create_syncbn_process_group(group_size):
    """The group of this rank, of group_size ranks that follow each other; None: all of them."""
    from torch import distributed

    if group_size == 0:
        return None
    world = distributed.get_world_size()
    if world < group_size or world % group_size:
        raise ValueError(f"{world} ranks are no multiple of {group_size}")
    if world == group_size:
        return None
    mine = None
    for first in range(0, world, group_size):
        group = distributed.new_group(range(first, first + group_size))
        if first <= distributed.get_rank() < first + group_size:
            mine = group
    return mine
