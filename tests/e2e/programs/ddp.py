"""Distributed data parallel on two processes that this program starts itself."""
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world, port):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(port)
    os.environ["USE_LIBUV"] = "0"
    use_cuda = torch.cuda.is_available()
    dist.init_process_group("nccl" if use_cuda else "gloo", rank=rank, world_size=world)
    if use_cuda:
        torch.cuda.set_device(rank)
    device = torch.device(f"cuda:{rank}" if use_cuda else "cpu")
    torch.manual_seed(0)
    model = torch.nn.Linear(10, 1).to(device)
    model = DDP(model, device_ids=[rank] if use_cuda else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(4):
        x = torch.full((4, 10), float(rank + step), device=device)
        loss = (model(x) - 1.0).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        if rank == 0:
            print(step, f"{total.item():.5f}", flush=True)
    gathered = [torch.zeros(1, device=device) for _ in range(world)]
    dist.all_gather(gathered, torch.ones(1, device=device) * rank)
    if rank == 0:
        print([int(t.item()) for t in gathered], flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        free = s.getsockname()[1]
    mp.spawn(worker, args=(2, free), nprocs=2)
