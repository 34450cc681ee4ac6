# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel: the C program, what it needs beside it, and cuda_morph_rt, which ported programs
import (a PEP 517 backend without requirements).

`pip install DIRECTORY` calls it, and so does pre-commit for a hook with `language: python`. The
program is made and installed by `make`, with the compiler that is at hand, below build/pip. No
package of the system is ever installed from here: what is missing is named. The grammars come from
npm, as in any other build. CC, CFLAGS, LDFLAGS and MAKEFLAGS are heeded.

    cuda_morph_backend.py PREFIX FOLDER     the wheel of what `make install` put into PREFIX

is how tools/dist/dist.sh makes the one that others install. The parts of the wheel: bin/ becomes
scripts; the Python packages lie at its root; all else (libraries, headers, manual page,
completions) is data, which pip puts below the environment's prefix, where the program looks.
"""

import base64
import hashlib
import os
import re
import shutil
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


def tag(program=None):
    """Of this machine, or, for a program that needs libc alone, of all that have such a libc."""
    platform = re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
    if program is not None:
        newest = max((int(v) for v in re.findall(rb"GLIBC_2\.(\d+)", program)), default=17)
        platform = platform.replace("linux", f"manylinux_2_{newest}")
    return f"py3-none-{platform}"


def wheel_file(of):
    return (
        "Wheel-Version: 1.0\n"
        f"Generator: cuda-morph {version()}\n"
        "Root-Is-Purelib: false\n"
        f"Tag: {of}\n"
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


def install():
    """Builds and installs below build/pip; the prefix."""
    look_for_tools()
    environment = dict(os.environ)
    environment.setdefault("CFLAGS", "-O2")
    prefix = BUILD / "prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    command = ["make", f"BUILD={BUILD.relative_to(TOP)}", f"-j{os.cpu_count() or 1}",
               f"PREFIX={prefix}", "all", "install"]
    # Standard output is pip's; what make says is shown when it fails.
    make = subprocess.run(command, cwd=TOP, env=environment, stdin=subprocess.DEVNULL,
                          stdout=sys.stderr)
    if make.returncode:
        refuse("make failed, see above")
    return prefix


PACKAGES = "share/cuda-morph/python/"


def place_of(path, base):
    """Where in the wheel a file of the prefix goes."""
    if path.startswith("bin/"):
        return f"{base}.data/scripts/{path[4:]}"
    if path.startswith(PACKAGES):
        return path[len(PACKAGES):]
    return f"{base}.data/data/{path}"


def write_wheel(prefix, folder, of):
    """The wheel's name; files in byte order, without links, dated 1980: always the same."""
    base = f"cuda_morph-{version()}"
    name = f"{base}-{of}.whl"
    record = []
    files = sorted(p.relative_to(prefix).as_posix() for p in prefix.rglob("*")
                   if p.is_file() and "__pycache__" not in p.parts)
    with zipfile.ZipFile(Path(folder) / name, "w", compresslevel=9) as archive:
        for path in files:
            # A second name of a library would be a second copy: those who link find the first.
            if (prefix / path).is_symlink() and (prefix / path).suffix != ".0":
                continue
            mode = 0o755 if os.access(prefix / path, os.X_OK) else 0o644
            add(archive, record, place_of(path, base), (prefix / path).read_bytes(), mode)
        add(archive, record, f"{base}.dist-info/METADATA", metadata().encode())
        add(archive, record, f"{base}.dist-info/WHEEL", wheel_file(of).encode())
        add(archive, record, f"{base}.dist-info/LICENSE", (TOP / "LICENSE").read_bytes())
        record.append(f"{base}.dist-info/RECORD,,\n")
        info = zipfile.ZipInfo(f"{base}.dist-info/RECORD", (1980, 1, 1, 0, 0, 0))
        info.external_attr = 0o100644 << 16
        archive.writestr(info, "".join(record))
    return name


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
    (folder / "WHEEL").write_text(wheel_file(tag()), encoding="utf-8")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(install(), wheel_directory, tag())


if __name__ == "__main__":
    PREFIX = Path(sys.argv[1])
    PROGRAM = (PREFIX / "bin" / "cuda-morph").read_bytes()
    print(write_wheel(PREFIX, sys.argv[2], tag(PROGRAM)))
