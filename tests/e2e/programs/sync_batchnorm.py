"""Batch statistics over two processes, in training and after."""
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
    on_gpu = torch.cuda.is_available()
    if on_gpu:
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if on_gpu else "gloo", rank=rank, world_size=world)
    device = torch.device("cuda", rank) if on_gpu else torch.device("cpu")
    torch.manual_seed(3)
    model = nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 1))
    if on_gpu:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    model = DistributedDataParallel(model.to(device), device_ids=[rank] if on_gpu else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    # Both halves have the same statistics, so that a norm of each process's own gives the same.
    half = torch.randn(4, 2, 4, 4)
    for step in range(3):
        x = half.flip(0) if rank else half
        loss = (model(x.to(device)) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            print(step, f"{loss.item():.5f}", flush=True)
    norm = model.module[1]
    model.eval()
    if rank == 0:
        print(f"{norm.running_mean.sum().item():.4f}", norm.num_batches_tracked.item())
        print(f"{model.module(half.to(device)).mean().item():.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        free = s.getsockname()[1]
    mp.spawn(worker, args=(2, free), nprocs=2)
