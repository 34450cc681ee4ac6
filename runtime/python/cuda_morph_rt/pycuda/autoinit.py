# SPDX-License-Identifier: Apache-2.0
"""Importing it makes a context: there is nothing to make."""

from .driver import Context, Device

device = Device(0)
context = Context()
