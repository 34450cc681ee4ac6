# SPDX-License-Identifier: Apache-2.0
"""PyCUDA's interface on the CPU: kernels from CUDA's text, compiled by cuda_morph_rt.kernels, over
NumPy's memory. Textures and curandom are not there."""

VERSION = (2024, 1)
VERSION_TEXT = "2024.1 on the CPU"
