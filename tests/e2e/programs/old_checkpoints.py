"""Loads checkpoints of other machines: names of devices in them, maps of locations, states of generators."""
import io

import torch

device = torch.device("cuda:0") if torch.cuda.is_available() else torch.device("cpu")


def save(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return buffer


state = {"weight": torch.arange(4.0, device=device), "device": str(device), "step": 7}
host = torch.load(save(state), map_location="cpu")
assert host["weight"].device.type == "cpu" and host["step"] == 7
same = torch.load(save(state), map_location=device)
assert same["weight"].device.type == device.type
if torch.cuda.is_available():
    moved = torch.load(save(state), map_location={"cuda:0": "cuda:1"})
    assert moved["weight"].device == torch.device("cuda:1")
    rank = 1
    again = torch.load(save(moved), map_location={"cuda:%d" % 1: "cuda:%d" % 0})
    assert again["weight"].get_device() == 0
    assert state["device"] == "cuda:0"
random = {"cpu": torch.get_rng_state()}
if torch.cuda.is_available():
    random["cuda"] = torch.cuda.get_rng_state_all()
first = torch.rand(2, device=device)
torch.set_rng_state(random["cpu"])
if "cuda" in random:
    torch.cuda.set_rng_state_all(random["cuda"])
second = torch.rand(2, device=device)
assert torch.equal(first, second)
print("loaded", host["weight"].sum().item())
