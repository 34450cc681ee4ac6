# SPDX-License-Identifier: Apache-2.0
"""The names that a vendor's package defines, from tests/names, and what is known of them."""

import json
import os

_here = os.path.dirname(os.path.abspath(__file__))
_tests = os.path.normpath(os.path.join(_here, "..", "..", ".."))
_FILES = {"npu": "ascend", "mlu": "mlu", "musa": "musa", "xpu": "xpu"}


def of_vendor(device):
    """Every qualified name of the vendor's list, such as torch.npu.Stream.query."""
    with open(os.path.join(_tests, "names", _FILES[device] + ".names"), encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


def details(device):
    """What names alone don't tell (devices.json): titles, answers, parameters."""
    with open(os.path.join(_here, "devices.json"), encoding="utf-8") as file:
        table = json.load(file)
    return table[device]
