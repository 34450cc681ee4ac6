# target: mlu
"""A memory watcher."""
import shutil
import subprocess

import torch

try:
    # want: third-party/monitoring
    import pynvml
except ImportError:
    # ok: third-party/monitoring
    pynvml = None


def query():
    # want: third-party/command
    command = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader"]
    # ok: third-party/command
    return subprocess.run(command, capture_output=True, text=True).stdout


def has_tool():
    # want: third-party/command
    return shutil.which("nvidia-smi") is not None


def shell():
    # want: third-party/command
    return subprocess.check_output("nvidia-smi --list-gpus", shell=True)


def used():
    # want: torch-cuda/memory
    here = torch.cuda.memory_allocated()
    # want: torch-cuda/memory
    free, total = torch.cuda.mem_get_info()
    # ok: torch-cuda/memory
    share = here / max(total - free, 1)
    return share


def names():
    # want: torch-cuda/device
    return torch.cuda.get_device_name(0)


def explain():
    # ok: third-party/command
    print("run nvidia-smi to see the memory")
