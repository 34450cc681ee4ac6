# target: mlu
"""Device strings where they are devices, and where they are not."""
import argparse
import dataclasses
import logging

import torch

log = logging.getLogger("cuda")


@dataclasses.dataclass
class Options:
    # want: torch-device/device-string
    device: str = "cuda"
    # ok: torch-device/device-string
    kernel: str = "cuda_fused"


def build(rank, model):
    # want: torch-device/device-string
    model.to("cuda")
    # want: torch-device/device-string
    model.to(f"cuda:{rank}")
    # want: torch-device/device-string
    model.to("cuda:%d" % rank)
    # want: torch-device/device-string
    model.to("cuda:" + str(rank))
    # want: torch-device/cuda-method
    model.cuda()
    # want: torch-device/device-string
    x = torch.zeros(4, device="cuda")
    # ok: torch-device/device-string
    log.info("moved to cuda:%d", rank)
    # ok: torch-device/device-string
    raise RuntimeError("no cuda device was found") if x is None else ValueError(x)


def arguments():
    parser = argparse.ArgumentParser()
    # want: torch-device/device-string
    parser.add_argument("--device", type=str, default="cuda:0")
    # ok: torch-device/device-string
    parser.add_argument("--no-cuda", action="store_true", help="do not use cuda")
    return parser.parse_args()


def paths(step):
    # ok: torch-device/device-string
    name = f"runs/cuda_{step}.pt"
    # ok: torch-device/device-string
    return open("weights-cuda.bin", "rb"), name


def timings(table):
    # ok: torch-device/device-string
    table["cuda_time"] = 1.0
    # ok: torch-device/device-string
    return {key: value for key, value in table.items() if not key.startswith("cuda_")}


def placed(x, device=None):
    # want: torch-device/device-string
    device = device or torch.device("cuda", 0)
    # want: torch-device/type-string
    old = x.type("torch.cuda.FloatTensor")
    # ok: torch-device/type-string
    new = x.type("torch.FloatTensor")
    return x.to(device), old, new


class Toolkit:
    # ok: torch-device/cuda-method
    def __init__(self, args):
        # ok: torch-device/cuda-method
        self.cuda = args.cuda
