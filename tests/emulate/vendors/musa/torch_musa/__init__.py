# SPDX-License-Identifier: Apache-2.0
"""Stands in for Moore Threads' torch_musa: torch.musa, and nothing that its sources lack."""

import emulated_device

emulated_device.install("musa")

__version__ = "2.7.1"
