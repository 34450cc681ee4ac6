# target: rocm
"""Kernel selection by number: NVIDIA's numbers mean something else on AMD."""
import torch


def supports_fp8():
    # want: silent/compute-capability
    major, minor = torch.cuda.get_device_capability()
    # ok: silent/compute-capability
    return major >= 9 or (major, minor) == (8, 9)


def is_recent(version_text):
    major, _, minor = version_text.partition(".")
    # ok: silent/compute-capability
    return int(major) >= 9 and int(minor) > 0


def choose(x):
    # want: silent/compute-capability
    if torch.cuda.get_device_capability(x.device)[0] >= 8:
        return "flash"
    # ok: torch-cuda/device, silent/compute-capability
    name = torch.cuda.get_device_properties(x.device).gcnArchName
    return "ck" if name.startswith("gfx94") else "math"


def weights_format():
    # want: silent/float8
    table = {"gfx950": torch.float8_e4m3fn}
    # want: silent/float8
    table["gfx942"] = torch.float8_e4m3fnuz
    # ok: silent/float8
    table["gfx90a"] = torch.float16
    # want: silent/float8
    return table, torch.finfo(torch.float8_e5m2).max


def device_stays():
    # ok: torch-device/device-string, torch-cuda/availability
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def toolkit():
    # want: torch-backends/version
    release = torch.version.cuda
    # want: stale/version-name
    other = torch.version.rocm
    # ok: torch-backends/version, stale/version-name
    return release, other, torch.version.hip
