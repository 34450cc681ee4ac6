# target: musa
"""Seeding through torch.cuda alone."""
import torch


def seed(value):
    # want: torch-cuda/random
    torch.cuda.manual_seed(value)
    # want: torch-cuda/random
    torch.cuda.manual_seed_all(value + 1)
    # ok: torch-cuda/random
    return torch.initial_seed()
