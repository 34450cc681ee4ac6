# target: portable
"""The same names by other ways."""
import torch as th
import torch.cuda as gpu
# want: torch-cuda/amp
import torch.cuda.amp as mixed
from torch import cuda
from torch.amp import GradScaler as Scaler
# want: torch-cuda/availability
from torch.cuda import is_available as has_gpu


def check():
    # want: torch-cuda/availability
    if not has_gpu():
        return None
    # want: torch-cuda/device
    gpu.synchronize()
    # want: torch-cuda/memory
    cuda.empty_cache()
    # want: torch-cuda/memory
    return th.cuda.memory_allocated()


def scalers():
    # want: silent/grad-scaler
    first = Scaler()
    # want: torch-cuda/amp
    second = mixed.GradScaler()
    # ok: silent/grad-scaler
    third = Scaler("cpu")
    return first, second, third


def read(path):
    # want: silent/load
    state = th.load(path)
    load = th.load
    # want: silent/load
    other = load(path)
    return state, other


def shadowed(cuda, load):
    # ok: torch-cuda/memory
    cuda.empty_cache()
    # ok: silent/load
    return load("file")


def local():
    th = object()
    # ok: torch-cuda/availability
    return th.cuda.is_available()
