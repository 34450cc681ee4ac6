"""One rank of a program that torchrun starts: written for NCCL, with no other way."""
import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
x = torch.ones(1).cuda() * (dist.get_rank() + 1)
dist.all_reduce(x)
print(dist.get_backend(), x.item(), dist.get_world_size(), flush=True)
