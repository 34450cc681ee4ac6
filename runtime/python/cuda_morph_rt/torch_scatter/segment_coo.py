# SPDX-License-Identifier: Apache-2.0
"""torch_scatter's module of that name: programs import it by its path, too."""

from .core import (
    gather_coo,
    segment_add_coo,
    segment_coo,
    segment_max_coo,
    segment_mean_coo,
    segment_min_coo,
    segment_sum_coo,
)

__all__ = [
    "gather_coo",
    "segment_add_coo",
    "segment_coo",
    "segment_max_coo",
    "segment_mean_coo",
    "segment_min_coo",
    "segment_sum_coo",
]
