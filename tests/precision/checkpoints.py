# target: cpu
"""Loading what another machine saved."""
import io
import json
import pickle

import torch
from torch.utils.data import DataLoader


def weights(path):
    # want: silent/load
    return torch.load(path, weights_only=True)


def resume(path, model, optimizer, device):
    # want: silent/load
    state = torch.load(path + "/state.pt")
    # ok: silent/load
    best = torch.load(path + "/best.pt", map_location=device)
    # ok: silent/load
    first = torch.load(path + "/first.pt", "cpu")
    # ok: silent/load
    text = json.load(open(path + "/config.json"))
    # ok: silent/load
    extra = pickle.load(open(path + "/extra.pkl", "rb"))
    model.load_state_dict(state["model"])
    # ok: silent/load
    optimizer.load(path)
    return best, first, text, extra


def from_bytes(data, options):
    # want: silent/load
    one = torch.load(io.BytesIO(data))
    # ok: silent/load
    two = torch.load(io.BytesIO(data), **options)
    # want: torch-device/device-string
    three = torch.load(io.BytesIO(data), map_location="cuda")
    # want: torch-device/device-string, torch-device/cuda-method
    four = torch.load(io.BytesIO(data), map_location=lambda s, _: s.cuda() or torch.device("cuda"))
    return one, two, three, four


def loader(data, device):
    # want: silent/pin-memory-device
    first = DataLoader(data, batch_size=8, pin_memory_device=device)
    # ok: silent/pin-memory-device
    second = DataLoader(data, batch_size=8, num_workers=2)
    return first, second


def seed():
    # ok: silent/fork-rng
    with torch.random.fork_rng():
        return torch.rand(1)


def precision():
    # want: silent/grad-scaler
    scaler = torch.GradScaler()
    # want: stale/cpu-amp
    with torch.cpu.amp.autocast(dtype=torch.bfloat16):
        # ok: stale/cpu-amp
        with torch.amp.autocast("cpu", dtype=torch.bfloat16):
            return scaler
