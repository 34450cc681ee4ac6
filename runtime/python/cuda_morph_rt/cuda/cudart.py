# SPDX-License-Identifier: Apache-2.0
"""What cuda.bindings.runtime was called before."""

from .bindings.runtime import *
