# SPDX-License-Identifier: Apache-2.0
"""Devices by the name that PyTorch gives them: adapters, waiting, collectives."""

import os
import platform
import sys


def known():
    """Device type -> (module to import, back end of torch.distributed, dispatch key), as the
    program that started us tells it from the targets' files."""
    lines = os.environ.get("CUDA_MORPH_DEVICES", "").splitlines()
    rows = [[None if word == "-" else word for word in line.split(" ")] for line in lines]
    return {row[0]: tuple(row[1:]) for row in rows if len(row) == 4}


DEVICES = known()


class Missing(Exception):
    """What is needed and not here, as a sentence."""


def load(name):
    """Returns torch and the torch.device `name`, or raises Missing."""
    if not DEVICES:
        raise Missing("verify and bench are started by cuda-morph itself")
    kind = name.split(":")[0]
    if kind not in DEVICES:
        raise Missing(f"unknown device '{name}'; known are {', '.join(DEVICES)}")
    try:
        import torch
    except ImportError as error:
        raise Missing(
            f"{sys.executable} has no PyTorch ({error}); --python names another"
        ) from None
    adapter = DEVICES[kind][0]
    if adapter:
        try:
            __import__(adapter)
        except ImportError as error:
            raise Missing(f"device {kind} needs {adapter}: {error}") from None
    module = namespace(torch, kind)
    if kind != "cpu" and (module is None or not module.is_available()):
        raise Missing(f"PyTorch {torch.__version__} sees no device '{kind}'")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, ValueError) as error:
        raise Missing(f"device {name} cannot be used: {error}") from None
    return torch, device


def namespace(torch, kind):
    """torch.npu for npu, and so on; None for the CPU and for what is not there."""
    return None if kind == "cpu" else getattr(torch, kind, None)


def wait(torch, device):
    """Waits until the device has done all that it was told."""
    module = namespace(torch, device.type)
    if module is not None:
        module.synchronize()


def fingerprint(torch=None, device=None):
    """What tells this machine from another, as (key, value) pairs."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
            cpu = next(
                (line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), cpu
            )
    except OSError:
        pass
    pairs = [
        ("os", platform.platform()),
        ("cpu", cpu),
        ("cpus", str(os.cpu_count())),
        ("python", platform.python_version()),
    ]
    if torch is not None:
        pairs.append(("torch", torch.__version__))
        pairs.append(("threads", str(torch.get_num_threads())))
    if device is not None:
        pairs.append(("device", str(device)))
        module = namespace(torch, device.type)
        if module is not None and hasattr(module, "get_device_name"):
            pairs.append(("device_name", module.get_device_name(device)))
    return pairs


def leave(main):
    """Ends the process with the status of main(); a reader that has gone away is no error."""
    try:
        status = main()
        sys.stdout.flush()
    except Missing as error:
        print(f"cuda-morph: {error}", file=sys.stderr)
        status = 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = 0
    except OSError as error:
        print(f"cuda-morph: {error}", file=sys.stderr)
        status = 2
    sys.exit(status)
