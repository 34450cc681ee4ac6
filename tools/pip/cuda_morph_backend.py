# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel that holds one file, the C program (a PEP 517 backend without requirements).

`pip install DIRECTORY` calls it, and so does pre-commit for a hook with `language: python`. The
program is made by `make`, with the compiler that is at hand, below build/pip. No package of the
system is ever installed from here: what is missing is named. The grammars come from npm, as in
any other build. CC, CFLAGS, LDFLAGS and MAKEFLAGS are heeded.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build" / "pip"


def version():
    header = (TOP / "src" / "cudamorph.h").read_text(encoding="utf-8")
    return re.search(r'#define CM_VERSION "([^"]+)"', header).group(1)


def metadata():
    return (
        "Metadata-Version: 2.1\n"
        "Name: cuda-morph\n"
        f"Version: {version()}\n"
        "Summary: Ports CUDA code to other accelerators, source to source\n"
        "License: Apache-2.0\n"
        "Requires-Python: >=3.8\n"
    )


def tag():
    platform = re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
    return f"py3-none-{platform}"


def wheel_file():
    return (
        "Wheel-Version: 1.0\n"
        f"Generator: cuda-morph {version()}\n"
        "Root-Is-Purelib: false\n"
        f"Tag: {tag()}\n"
    )


def refuse(reason):
    sys.exit(f"cuda-morph cannot be built: {reason}")


def look_for_tools():
    """Ends with a sentence when something of the system is missing; npm's part may be."""
    try:
        look = subprocess.run(
            ["sh", str(TOP / "tools" / "bootstrap.sh"), "--check"],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        refuse("there is no POSIX shell (sh)")
    if look.returncode and "missing: the grammars;" not in look.stderr:
        refuse("something is missing\n" + look.stderr)


def build_program():
    look_for_tools()
    environment = dict(os.environ)
    environment.setdefault("CFLAGS", "-O2")
    command = ["make", f"BUILD={BUILD.relative_to(TOP)}", f"-j{os.cpu_count() or 1}", "all"]
    # Standard output is pip's; what make says is shown when it fails.
    make = subprocess.run(command, cwd=TOP, env=environment, stdin=subprocess.DEVNULL,
                          stdout=sys.stderr)
    if make.returncode:
        refuse("make failed, see above")
    return (BUILD / "cuda-morph").read_bytes()


def add(archive, record, name, data, mode=0o644):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record.append(f"{name},sha256={digest},{len(data)}\n")


# ---- what PEP 517 asks for ----


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"cuda_morph-{version()}.dist-info"
    folder = Path(metadata_directory) / name
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_file(), encoding="utf-8")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    program = build_program()
    base = f"cuda_morph-{version()}"
    name = f"{base}-{tag()}.whl"
    record = []
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as archive:
        add(archive, record, f"{base}.data/scripts/cuda-morph", program, 0o755)
        add(archive, record, f"{base}.dist-info/METADATA", metadata().encode())
        add(archive, record, f"{base}.dist-info/WHEEL", wheel_file().encode())
        add(archive, record, f"{base}.dist-info/LICENSE", (TOP / "LICENSE").read_bytes())
        record.append(f"{base}.dist-info/RECORD,,\n")
        info = zipfile.ZipInfo(f"{base}.dist-info/RECORD", (1980, 1, 1, 0, 0, 0))
        info.external_attr = 0o100644 << 16
        archive.writestr(info, "".join(record))
    return name
