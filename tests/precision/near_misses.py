# target: portable
"""Nothing here ties the code to one vendor."""
import collections
import struct
import zlib

import torch

# ok: torch-device/device-string
CUDA_GRAPH = "cuda_graph"
# ok: torch-device/device-string
LABELS = {"cuda_mem": 0.0, "gpu": "n/a"}
# ok: torch-cuda/module
URL = "https://example.org/torch.cuda.html"


def checksum(data):
    # ok: torch-cuda/capability
    value = zlib.crc32(data) & 0xFFFFFFFF
    # ok: torch-cuda/capability
    return (value >> 5) ^ (value & 31), struct.pack("<I", value)


def device_of(x):
    # ok: torch-device/device-string
    return x.device.type


def on_accelerator(x):
    # ok: torch-device/is-cuda
    return x.device.type != "cpu"


class Cache:
    """Mentions torch.cuda.empty_cache() and "cuda" in its text only."""

    def __init__(self):
        # ok: torch-cuda/memory
        self.empty_cache = collections.OrderedDict().clear

    # ok: torch-cuda/memory
    def memory_allocated(self):
        return 0


def backend(name):
    # ok: torch-distributed/backend-string
    if name == "mpi":
        return "gloo"
    # ok: torch-distributed/backend-string
    return name.lower() + "_nccl_like"


def neutral(x):
    # ok: torch-device/device-string
    device = torch.accelerator.current_accelerator(True) or torch.device("cpu")
    # ok: silent/autocast-device
    with torch.amp.autocast(device.type, dtype=torch.bfloat16):
        # ok: silent/grad-scaler
        scaler = torch.amp.GradScaler(device.type)
        # ok: silent/load
        state = torch.load("weights.pt", map_location="cpu", weights_only=True)
    # ok: silent/fork-rng
    with torch.random.fork_rng(device_type=device.type):
        return scaler, state, x.to(device)


def apple(x):
    # ok: torch-device/device-string
    return x.to("mps") if torch.backends.mps.is_available() else x


def tune(search):
    # ok: triton/num-stages
    search.add("num_stages", [1, 2])
    # ok: triton/num-warps
    return search.best("num_warps")


def test_marks(pytest):
    # ok: torch-device/cuda-method
    return pytest.mark.cuda


def version_gate(text):
    major = int(text.split(".")[0])
    # ok: torch-backends/version
    return major >= 9
