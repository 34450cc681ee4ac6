# SPDX-License-Identifier: Apache-2.0
"""The names that a vendor's package defines, from tests/names, and what is known of them."""

import json
import os

_here = os.path.dirname(os.path.abspath(__file__))
_tests = os.path.normpath(os.path.join(_here, "..", "..", ".."))
_FILES = {"npu": "ascend", "mlu": "mlu", "musa": "musa", "xpu": "xpu"}
_rules = os.path.join(os.path.dirname(_tests), "rules")


def _target_of(device):
    """The file of rules/targets whose device that is."""
    for name in sorted(os.listdir(os.path.join(_rules, "targets"))):
        with open(os.path.join(_rules, "targets", name), encoding="utf-8") as file:
            target = json.load(file)
        if target["facts"]["device"] == device and target.get("listed"):
            return target
    raise KeyError(device)


def package(device):
    """What a program imports to have the device; empty: PyTorch finds it."""
    return f"torch_{device}" if device in _FILES else _target_of(device)["facts"]["import"]


def _known(device):
    """The names of a listed target, and where its sources have them."""
    target = _target_of(device)
    releases = target.get("releases")
    if releases is None:
        path = os.path.join(_rules, "releases", target["target"] + ".json")
        with open(path, encoding="utf-8") as file:
            releases = json.load(file)
    return releases["names"]


def of_vendor(device):
    """Every qualified name of the vendor's list, such as torch.npu.Stream.query: of tests/names, or
    those that were found in the vendor's sources."""
    if device not in _FILES:
        return {name for name, known in _known(device).items() if known.get("in") != []}
    with open(os.path.join(_tests, "names", _FILES[device] + ".names"), encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


def modules_of_vendor(device):
    """Names that are files of the vendor's own, such as torch.hpu.random of hpu/random.py, and the
    names that the same file defines."""
    if device in _FILES:
        return {}
    files = {name: known.get("file", "") for name, known in _known(device).items()}
    listed = of_vendor(device)
    return {
        name: {other for other in listed if files[other] == files[name] and other != name}
        for name in listed
        if name.count(".") > 1 and files[name].endswith(f"/{name.rpartition('.')[2]}.py")
    }


def details(device):
    """What names alone don't tell (devices.json): titles, answers, parameters."""
    with open(os.path.join(_here, "devices.json"), encoding="utf-8") as file:
        table = json.load(file)
    return table[device]
