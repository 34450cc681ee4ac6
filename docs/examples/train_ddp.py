"""Data-parallel training, one process per GPU: torchrun --nproc_per_node=8 train_ddp.py"""
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def setup():
    os.environ.setdefault("NCCL_DEBUG", "WARN")
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "1")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend="nccl", init_method="env://")
    return local_rank


def average(value, device):
    """The mean of a number over all processes."""
    t = torch.tensor([value], device=device)
    dist.all_reduce(t, op=dist.ReduceOp.SUM)
    return t.item() / dist.get_world_size()


def main():
    local_rank = setup()
    device = torch.device("cuda", local_rank)
    torch.cuda.manual_seed(1234 + dist.get_rank())
    if dist.get_rank() == 0:
        name = torch.cuda.get_device_name(device)
        print(f"{dist.get_world_size()} processes, {torch.cuda.device_count()} x {name} each node")

    x = torch.randn(8192, 64)
    data = TensorDataset(x, x.sum(dim=1, keepdim=True))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=128, sampler=sampler, num_workers=2, pin_memory=True)

    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 1)).to(device)
    model = DDP(model, device_ids=[local_rank] if torch.cuda.is_available() else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)

    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        mean = average(loss.item(), device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {mean:.4f}")
            torch.save(model.module.state_dict(), "ddp.pt")
        dist.barrier()

    state = torch.load("ddp.pt", map_location=f"cuda:{local_rank}")
    model.module.load_state_dict(state)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
