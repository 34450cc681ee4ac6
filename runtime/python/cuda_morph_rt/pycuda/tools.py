# SPDX-License-Identifier: Apache-2.0
"""Contexts and pools of PyCUDA's."""

from .driver import Context, DeviceAllocation


def make_default_context(*arguments):
    return Context()


def clear_context_caches():
    """Nothing is kept."""


class DeviceMemoryPool:
    def allocate(self, size):
        return DeviceAllocation(size)

    def free_held(self):
        """Nothing is held."""

    stop_holding = free_held
