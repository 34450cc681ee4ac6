# SPDX-License-Identifier: Apache-2.0
"""Stands in for FlagOS' torch_fl: torch.flagos, and nothing that its sources lack."""

import emulated_device

emulated_device.install("flagos")

__version__ = "0.1.0"
