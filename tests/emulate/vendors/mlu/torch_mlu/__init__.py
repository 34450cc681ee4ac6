# SPDX-License-Identifier: Apache-2.0
"""Stands in for Cambricon's torch_mlu: torch.mlu, and nothing that its sources lack."""

import emulated_device

emulated_device.install("mlu")

__version__ = "1.29.0"
