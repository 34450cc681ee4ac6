# target: ascend
"""Rotary embeddings that compute their angles in double precision."""
import numpy as np
import torch


def frequencies(dim, length, theta=10000.0):
    # want: silent/float64
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim
    # want: silent/float64
    base = torch.tensor(theta, dtype=torch.double)
    omega = 1.0 / base**exponent
    # want: silent/double
    t = torch.arange(length).double()
    # ok: silent/float64, silent/double
    return torch.outer(t, omega).float()


def reference(dim, length):
    # ok: silent/float64
    steps = np.arange(length, dtype=np.float64)
    # ok: silent/double
    return np.double(steps) / dim


def check(x, y):
    # want: silent/double, silent/double
    error = (x.double() - y.double()).abs().max()
    # ok: silent/double
    doubled = 2 * error
    # ok: silent/float64
    assert x.dtype != torch.float16
    return doubled


def as_complex(x):
    # ok: silent/float64
    pair = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    # want: silent/float64
    return pair.to(torch.complex128)


class Quote:
    def double(self):
        # ok: silent/double
        return 2 * self.amount
