# target: musa
"""Setting up process groups."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def start(rank, world):
    # want: torch-distributed/backend-string
    dist.init_process_group("nccl", rank=rank, world_size=world)
    # want: torch-cuda/device
    torch.cuda.set_device(rank)
    # ok: torch-distributed/backend-string
    return dist.new_group(backend="gloo")


def mixed(rank):
    # want: torch-distributed/backend-string
    dist.init_process_group(backend="cpu:gloo,cuda:nccl", rank=rank)
    # ok: torch-distributed/backend-string
    dist.init_process_group(rank=rank, init_method="env://")


def is_gpu_backend(group):
    # want: torch-distributed/backend-string
    return dist.get_backend(group) == "nccl"


def pick(available):
    # want: torch-distributed/available, torch-distributed/backend-string
    backend = "nccl" if dist.is_nccl_available() else "gloo"
    # ok: torch-distributed/backend-string
    print("nccl is not there")
    # ok: torch-distributed/available
    return backend if dist.is_initialized() else dist.is_gloo_available()


def wrap(model, rank):
    # want: torch-device/device-string
    return DDP(model.to(f"cuda:{rank}"))


def timeouts():
    # want: environment/variable
    os.environ["TORCH_NCCL_BLOCKING_WAIT"] = "1"
    # ok: environment/variable
    os.environ["MASTER_PORT"] = "29500"
