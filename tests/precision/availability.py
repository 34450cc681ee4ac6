# target: portable
"""Choosing a device at start-up, in the ways that programs do it."""
import argparse
import os

import torch


def pick():
    # want: torch-cuda/availability, torch-device/device-string
    return "cuda" if torch.cuda.is_available() else "cpu"


def pick_by_statement(prefer_gpu):
    # want: torch-cuda/availability
    if prefer_gpu and torch.cuda.is_available():
        # want: torch-device/device-string
        device = torch.device("cuda:0")
    else:
        # ok: torch-device/device-string
        device = torch.device("cpu")
    return device


def pick_by_index(local_rank):
    # want: torch-cuda/availability, torch-device/device-string
    return torch.device(f"cuda:{local_rank}") if torch.cuda.is_available() else torch.device("cpu")


def workers():
    # want: torch-cuda/availability
    count = torch.cuda.device_count()
    # ok: torch-cuda/availability
    cores = os.cpu_count() or 1
    return min(count, cores)


class Runtime:
    def __init__(self, cuda_graphs=False):
        # ok: torch-device/cuda-method, torch-device/device-string
        self.cuda_graphs = cuda_graphs
        # want: torch-cuda/availability, torch-cuda/availability
        self.has_gpu = torch.cuda.is_available() and torch.cuda.device_count() > 0
        # ok: torch-cuda/availability
        self.has_xpu = hasattr(torch, "xpu") and torch.xpu.is_available()


def arguments():
    parser = argparse.ArgumentParser()
    # want: torch-device/device-string, torch-device/device-string
    parser.add_argument("--device", default="cuda", choices=["cpu", "cuda"])
    # ok: torch-device/device-string
    parser.add_argument("--graph", default="cuda_graph", help="cuda or none")
    return parser.parse_args()


def modern():
    # ok: torch-cuda/availability
    if torch.accelerator.is_available():
        # ok: silent/current-accelerator
        return torch.accelerator.current_accelerator()
    return torch.device("cpu")


def modern_and_checked():
    # ok: silent/current-accelerator
    found = torch.accelerator.current_accelerator(check_available=True)
    # ok: torch-device/device-string
    return found or torch.device("cpu")
