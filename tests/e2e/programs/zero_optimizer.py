"""ZeRO: the optimizer's state split over two processes."""
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
    backend = "nccl" if torch.cuda.is_available() and dist.is_nccl_available() else "gloo"
    dist.init_process_group(backend=backend, rank=rank, world_size=world)
    device = f"cuda:{rank}" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(7)
    model = DistributedDataParallel(torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(3)]).to(device))
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=0.05)
    for step in range(3):
        optimizer.zero_grad()
        loss = model(torch.ones(2, 8, device=device) * (rank + 1)).pow(2).mean()
        loss.backward()
        optimizer.step()
        if rank == 0:
            print(step, f"{loss.item():.5f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        free = s.getsockname()[1]
    mp.spawn(worker, args=(2, free), nprocs=2)
