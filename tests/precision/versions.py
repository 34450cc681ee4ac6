# target: portable
"""Reading versions: which of them may be None."""
import platform

import torch


def cuda_release():
    # want: torch-backends/version
    major, minor = torch.version.cuda.split(".")[:2]
    # ok: torch-backends/version
    return int(major) * 10 + int(minor)


def new_enough():
    # want: torch-backends/version
    if float(torch.version.cuda) >= 12.4:
        return True
    # ok: torch-backends/version
    return tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 6)


def vendor():
    # want: stale/version-name
    if getattr(torch.version, "rocm", None):
        return "amd"
    # ok: torch-backends/version, stale/version-name
    if torch.version.hip:
        return "amd"
    # want: torch-backends/version
    if torch.version.cuda is not None:
        return "nvidia"
    # ok: torch-backends/version
    return platform.machine()


def has_cuda():
    # want: torch-backends/has-cuda
    return torch.has_cuda


def describe():
    # ok: torch-backends/version
    return "torch.version.cuda is None without CUDA"
