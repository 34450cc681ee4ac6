# target: musa
"""Statistics in double precision."""
import torch


def moments(x):
    # want: silent/double
    wide = x.double()
    # want: silent/float64
    mean = wide.mean(dtype=torch.float64)
    # ok: silent/float64, silent/double
    return mean.to(torch.float32), wide.float()
