# SPDX-License-Identifier: Apache-2.0
"""torch_scatter's module of that name: programs import it by its path, too."""

from .core import (
    scatter,
    scatter_add,
    scatter_max,
    scatter_mean,
    scatter_min,
    scatter_mul,
    scatter_sum,
)

__all__ = [
    "scatter",
    "scatter_add",
    "scatter_max",
    "scatter_mean",
    "scatter_min",
    "scatter_mul",
    "scatter_sum",
]
