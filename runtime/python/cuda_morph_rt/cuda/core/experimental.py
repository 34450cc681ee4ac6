# SPDX-License-Identifier: Apache-2.0
"""What cuda.core was called before its first release."""

from . import *
