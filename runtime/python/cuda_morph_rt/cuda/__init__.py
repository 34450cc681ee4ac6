# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's own Python packages on the CPU, as far as programs need them that compile kernels from
text: cuda.bindings (driver, nvrtc, runtime; also as cuda.cuda, cuda.nvrtc, cuda.cudart) and
cuda.core. What is not there is an AttributeError."""

from .bindings import driver as cuda
from .bindings import nvrtc
from .bindings import runtime as cudart
