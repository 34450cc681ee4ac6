# SPDX-License-Identifier: Apache-2.0
"""What cuda.bindings.nvrtc was called before."""

from .bindings.nvrtc import *
