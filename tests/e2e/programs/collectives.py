"""Every collective that training scripts use, on two processes. Needs a GPU for each."""
# e2e: needs torch 2.6
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), USE_LIBUV="0")
    torch.cuda.set_device(rank)
    dist.init_process_group(backend="nccl", rank=rank, world_size=world)
    if torch.cuda.is_available():
        assert dist.get_backend() == "nccl"
    device = torch.device("cuda", rank)
    mine = torch.arange(4, dtype=torch.float32, device=device) + 10 * rank
    lines = []

    def show(name, *tensors):
        lines.append((name, [t.tolist() for t in tensors]))

    t = mine.clone()
    dist.all_reduce(t, op=dist.ReduceOp.AVG)
    show("mean", t)
    t = mine.clone()
    dist.broadcast(t, src=1)
    show("broadcast", t)
    all_of_it = torch.empty(8, device=device)
    dist.all_gather_into_tensor(all_of_it, mine)
    show("gathered", all_of_it)
    part = torch.empty(2, device=device)
    dist.reduce_scatter_tensor(part, mine)
    show("scattered", part)
    swapped = torch.empty(4, device=device)
    dist.all_to_all_single(swapped, mine)
    show("swapped", swapped)
    work = dist.all_reduce(mine.clone(), async_op=True)
    work.wait()
    if rank == 0:
        dist.send(mine, dst=1)
    else:
        t = torch.zeros(4, device=device)
        dist.recv(t, src=0)
        show("received", t)
    objects = [{"epoch": 3}] if rank == 0 else [None]
    dist.broadcast_object_list(objects, src=0, device=device)
    group = dist.new_group([0, 1], backend="nccl")
    dist.all_reduce(t, group=group)
    dist.barrier(device_ids=[rank])
    everything = [None] * world
    dist.all_gather_object(everything, (rank, objects, lines))
    if rank == 0:
        for item in everything:
            print(item, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        free = s.getsockname()[1]
    mp.spawn(worker, args=(2, free), nprocs=2)
