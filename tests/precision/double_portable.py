# target: portable
"""Double precision is a matter of the target: without one nothing is said."""
import torch


def moments(x):
    # ok: silent/double
    wide = x.double()
    # ok: silent/float64
    return wide.mean(dtype=torch.float64), wide.var()
