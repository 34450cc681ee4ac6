# target: portable
"""Where a model lives: strings that are devices, words that are not, and loading."""
import logging

import torch
from torch import load as read

log = logging.getLogger("cuda")


class Settings:
    # want: torch-device/device-string
    device: str = "cuda"
    # want: torch-device/device-string
    devices = ["cuda:0", "cpu"]
    # ok: torch-device/device-string
    theme = "cuda-green"


def place(model, batch, options):
    # want: torch-device/device-string
    model = model.to("cuda:1")
    # want: torch-device/device-string
    batch = batch.to(device="cuda", non_blocking=True)
    # want: torch-device/device-string
    mask = torch.ones(4, device="cuda")
    # want: torch-device/device-string
    if model.device.type == "cuda":
        # want: torch-device/device-string
        other = torch.device("cuda", options.rank)
    # ok: torch-device/device-string
    log.info("cuda")
    # ok: torch-device/device-string
    with log.getChild("cuda").scope():
        return model, batch, mask, other


def refuse(kind):
    # ok: torch-device/device-string
    raise ValueError("cuda")


def pick(kind):
    # want: torch-device/device-string
    if kind.startswith("cuda"):
        return 1
    # want: torch-device/device-string
    return f"cuda:{kind}"


def fetch(path, device):
    # want: silent/load
    first = read(path)
    # want: silent/load
    second = torch.load(path, mmap=True)
    loader = torch.load
    # want: silent/load
    third = loader(path, weights_only=True)
    # ok: silent/load
    fourth = loader(path, map_location=device)
    # ok: silent/load
    fifth = read(path, "cpu")
    # ok: silent/load
    return first, second, third, fourth, fifth, torch.jit.annotations


def neutral():
    # want: silent/current-accelerator
    device = torch.accelerator.current_accelerator()
    # ok: silent/current-accelerator
    checked = torch.accelerator.current_accelerator(check_available=True)
    # want: silent/current-accelerator
    kind = torch.accelerator.current_accelerator(check_available=False).type
    return device, checked, kind
