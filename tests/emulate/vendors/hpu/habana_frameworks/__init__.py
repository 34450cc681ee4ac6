# SPDX-License-Identifier: Apache-2.0
"""Stands in for Intel's habana_frameworks."""
