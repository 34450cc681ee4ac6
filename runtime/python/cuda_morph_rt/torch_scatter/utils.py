# SPDX-License-Identifier: Apache-2.0
"""What torch_scatter.utils has."""


def broadcast(src, other, dim):
    """An index, of one dimension or as many as there are up to `dim`, for each element."""
    dim = dim % other.dim()
    if src.dim() == 1:
        src = src.view([1] * dim + [-1])
    src = src.view(list(src.shape) + [1] * (other.dim() - src.dim()))
    return src.expand(other.shape)
