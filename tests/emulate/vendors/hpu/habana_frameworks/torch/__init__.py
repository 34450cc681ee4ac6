# SPDX-License-Identifier: Apache-2.0
"""Stands in for Intel's habana_frameworks.torch: torch.hpu, and nothing that its sources lack."""

import emulated_device

emulated_device.install("hpu")

__version__ = "1.19.0"
