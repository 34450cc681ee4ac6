"""The back end of a process group by a table of devices, tensors where it wants them, reductions checked."""
import os
import torch
import torch.distributed as dist

BACKENDS = {"cuda": "nccl", "cpu": "gloo"}

def setup(device: torch.device):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29641")
    backend = BACKENDS[device.type]
    if device.type == "cuda":
        torch.cuda.set_device(0)
    dist.init_process_group(backend, rank=0, world_size=1)
    return backend

def mean_over_ranks(t):
    t = t.clone()
    dist.all_reduce(t, op=dist.ReduceOp.SUM)
    return t / dist.get_world_size()

device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
backend = setup(device)
assert dist.get_backend() == backend
value = mean_over_ranks(torch.tensor([2.0, 4.0], device=device))
gathered = [torch.empty_like(value) for _ in range(dist.get_world_size())]
dist.all_gather(gathered, value)
assert gathered[0].device == device
objects = [None]
dist.all_gather_object(objects, {"loss": value.mean().item()})
if dist.get_backend() == "nccl":
    dist.barrier(device_ids=[torch.cuda.current_device()])
else:
    dist.barrier()
dist.destroy_process_group()
print(value.tolist(), objects)
