# SPDX-License-Identifier: Apache-2.0
"""The parts of `cuda-morph verify` and `cuda-morph bench` that need Python and PyTorch.

They are started by the program itself; nothing here is imported by ported code.
"""
