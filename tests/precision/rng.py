# target: ascend
"""Seeds and generator states of a run that can be resumed."""
import random

import numpy as np
import torch


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    # ok: torch-cuda/random
    torch.manual_seed(seed)
    # ok: torch-cuda/random
    random.seed(f"cuda-{seed}")


def save_state():
    return {
        "python": random.getstate(),
        # ok: torch-cuda/random
        "cpu": torch.get_rng_state(),
        # want: torch-cuda/random
        "cuda": torch.cuda.get_rng_state_all(),
    }


def load_state(state):
    # ok: torch-cuda/random
    torch.set_rng_state(state["cpu"])
    # want: torch-cuda/random
    torch.cuda.set_rng_state_all(state["cuda"])


def dropout_twice(layer, x, device):
    # want: silent/fork-rng
    with torch.random.fork_rng():
        first = layer(x)
    # want: silent/fork-rng
    with torch.random.fork_rng(devices=[device.index]):
        second = layer(x)
    # ok: silent/fork-rng
    with torch.random.fork_rng(devices=[device.index], device_type=device.type):
        third = layer(x)
    return first, second, third


def generator():
    # want: torch-device/device-string
    g = torch.Generator(device="cuda")
    # ok: torch-device/device-string, torch-cuda/random
    return g.manual_seed(7)
