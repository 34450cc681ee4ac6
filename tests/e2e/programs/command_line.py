"""Options as programs have them: a device with choices, a switch that forbids it, ranks."""
import argparse

import torch


def parse(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="auto", choices=["auto", "cuda", "cpu"], help="cuda or cpu")
    parser.add_argument("--no-cuda", action="store_true", help="do not use CUDA")
    parser.add_argument("--gpu", type=int, default=0)
    return parser.parse_args(arguments)


def choose(args):
    if args.no_cuda or args.device == "cpu":
        return torch.device("cpu")
    if args.device == "auto":
        return torch.device("cuda:%d" % args.gpu if torch.cuda.is_available() else "cpu")
    return torch.device(args.device, args.gpu)


assert choose(parse(["--no-cuda"])).type == "cpu"
assert choose(parse(["--device", "cpu"])) == torch.device("cpu")
best = choose(parse([]))
if torch.cuda.is_available():
    assert best == torch.device("cuda:0"), best
    second = choose(parse(["--gpu", "1", "--device", "cuda"]))
    assert second.index == 1 and second.type == "cuda"
    a = torch.ones(2, device=second)
    assert a.get_device() == 1
    with torch.cuda.device(second):
        assert torch.cuda.current_device() == 1
        b = torch.full((2,), 3.0, device="cuda")
    assert b.device == second, b.device
    total = (a + b).sum().item()
else:
    assert best.type == "cpu"
    total = 8.0
assert total == 8.0
print("options", total)
