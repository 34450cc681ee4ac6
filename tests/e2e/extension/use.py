# SPDX-License-Identifier: Apache-2.0
"""An extension of a C++ file and a CUDA file, built by torch.utils.cpp_extension.load: nothing of it is
changed for the CPU (tests/torch.sh)."""
import os
import torch
from torch.utils.cpp_extension import load
here = os.path.dirname(os.path.abspath(__file__))
ops = load(name="rows_ops", sources=[os.path.join(here, "ops.cpp"), os.path.join(here, "kernels.cu")], verbose=False)
x = torch.randn(7, 300, device="cuda")
assert torch.allclose(ops.scale(x, 2.5), x * 2.5)
assert torch.allclose(ops.row_sum(x.double()), x.double().sum(1))
try:
    ops.scale(x.t(), 1.0)
except RuntimeError as error:
    print("contiguous" in str(error))
print("good")
