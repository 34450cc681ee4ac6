"""What there is, told in a table; a choice of the fastest by name, with choices of a command line."""
# e2e: manual on portable,cpu: members of an Enum, of which one may take the other's value
import argparse
import enum
import torch

class Kind(str, enum.Enum):
    CPU = "cpu"
    CUDA = "cuda"

CHECKS = {Kind.CUDA: torch.cuda.is_available, Kind.CPU: lambda: True}
COUNTS = {"cuda": torch.cuda.device_count, "cpu": lambda: 1}
ORDER = ("cuda", "cpu")

def best():
    for kind in (Kind.CUDA, Kind.CPU):
        if CHECKS[kind]():
            return kind
    raise RuntimeError("no device")

parser = argparse.ArgumentParser()
parser.add_argument("--device", type=str, choices=["cuda", "cpu"], default=best().value)
parser.add_argument("--index", type=int, default=None)
args = parser.parse_args([])
name = args.device if args.index is None else f"{args.device}:{args.index}"
x = torch.ones(2, 2, device=name)
rank = ORDER.index(x.device.type)
assert x.is_cuda == (rank == 0) == torch.cuda.is_available()
assert COUNTS[x.device.type]() >= 1
with torch.device(args.device):
    y = torch.zeros(3)
assert y.device.type == args.device
free = torch.cuda.mem_get_info()[0] if x.is_cuda else 1
assert free > 0
print(x.sum().item(), y.sum().item(), best() is not None)
