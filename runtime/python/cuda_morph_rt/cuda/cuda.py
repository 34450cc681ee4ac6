# SPDX-License-Identifier: Apache-2.0
"""What cuda.bindings.driver was called before."""

from .bindings.driver import *
