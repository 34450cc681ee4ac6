# SPDX-License-Identifier: Apache-2.0
"""Stands in for Enflame's torch_gcu: torch.gcu, and nothing that its sources lack."""

import emulated_device

emulated_device.install("gcu")

__version__ = "2.10.0"
