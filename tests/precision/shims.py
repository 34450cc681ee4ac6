# target: ascend
"""Imports that change what torch.cuda says."""
import torch
# ok: silent/shim
import torch_npu
# want: silent/shim
from torch_npu.contrib import transfer_to_npu
# want: silent/shim
import torch_npu.contrib.transfer_to_npu
# ok: silent/shim
from torch_npu.contrib.module import LinearQuant
# ok: silent/shim
from torch_npu.testing.testcase import run_tests

try:
    # want: silent/shim
    import torchada
except ImportError:
    # ok: silent/shim
    torchada = None

# want: silent/shim
import ascend_compat

# ok: silent/shim
ascend_compat.activate()
# ok: silent/shim
settings = {"ascend_compat": True}
