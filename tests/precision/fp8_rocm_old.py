# target: rocm
# target-version: rocm=6.3
"""The same formats on a ROCm whose devices all compute in the fnuz ones."""
import torch

# want: silent/float8
FORMAT = torch.float8_e4m3fn
# ok: silent/float8
AMD_FORMAT = torch.float8_e4m3fnuz
# ok: silent/float8
AMD_WIDE = torch.float8_e5m2fnuz


def scale_of(x):
    # ok: silent/float8
    limit = torch.finfo(AMD_FORMAT).max
    return x.abs().max() / limit


def quantize(x, fast):
    scale = scale_of(x)
    # want: silent/float8
    kind = torch.float8_e5m2 if fast else AMD_WIDE
    # ok: silent/float8
    return (x / scale).to(kind), scale.to(torch.float32)
