# SPDX-License-Identifier: Apache-2.0
"""driver, nvrtc and runtime: every function returns a tuple that begins with its status."""

from . import driver, nvrtc, runtime
