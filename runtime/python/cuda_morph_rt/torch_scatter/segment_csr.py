# SPDX-License-Identifier: Apache-2.0
"""torch_scatter's module of that name: programs import it by its path, too."""

from .core import (
    gather_csr,
    segment_add_csr,
    segment_csr,
    segment_max_csr,
    segment_mean_csr,
    segment_min_csr,
    segment_sum_csr,
)

__all__ = [
    "gather_csr",
    "segment_add_csr",
    "segment_csr",
    "segment_max_csr",
    "segment_mean_csr",
    "segment_min_csr",
    "segment_sum_csr",
]
