# SPDX-License-Identifier: Apache-2.0
"""NVRTC: what nvrtcGetCUBIN() and nvrtcGetPTX() give is the path of a shared library, which
cuModuleLoadData() knows."""

import enum
import os

from ... import kernels

MARK = b"cuda-morph module\0"


class nvrtcResult(enum.IntEnum):
    NVRTC_SUCCESS = 0
    NVRTC_ERROR_INVALID_INPUT = 3
    NVRTC_ERROR_COMPILATION = 6
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10


_GOOD = nvrtcResult.NVRTC_SUCCESS


class nvrtcProgram:
    def __init__(self, source=b"", name=None, headers=()):
        self.source, self.name, self.headers = source, name, list(headers)
        self.names, self.log, self.image = [], b"", b""


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def nvrtcVersion():
    return _GOOD, 12, 9


def nvrtcGetErrorString(result):
    return _GOOD, nvrtcResult(result).name.encode()


def nvrtcCreateProgram(src, name, numHeaders, headers, includeNames):
    pairs = zip(includeNames or (), headers or ())
    return _GOOD, nvrtcProgram(_text(src), name, [(_text(n), _text(h)) for n, h in pairs])


def nvrtcAddNameExpression(prog, name_expression):
    prog.names.append(_text(name_expression))
    return (_GOOD,)


def nvrtcCompileProgram(prog, numOptions, options):
    options = [_text(o) for o in (options or ())[:numOptions]]
    if prog.headers:
        import tempfile

        prog.folder = tempfile.TemporaryDirectory(prefix="cuda-morph-headers-")
        for name, text in prog.headers:
            path = os.path.join(prog.folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        options.append(f"-I{prog.folder.name}")
    try:
        path = kernels.build(prog.source, options, prog.names)
    except kernels.CompileError as error:
        prog.log = str(error).encode()
        return (nvrtcResult.NVRTC_ERROR_COMPILATION,)
    prog.image = MARK + path.encode() + b"\0"
    return (_GOOD,)


def nvrtcGetProgramLogSize(prog):
    return _GOOD, len(prog.log) + 1


def _fill(buffer, data):
    if isinstance(buffer, bytes):  # the bindings' examples write into one: b" " * size
        import ctypes

        ctypes.memmove(buffer, data, min(len(buffer), len(data)))
    else:
        memoryview(buffer).cast("B")[: len(data)] = data
    return (_GOOD,)


def nvrtcGetProgramLog(prog, log):
    return _fill(log, prog.log + b"\0")


def nvrtcGetCUBINSize(prog):
    return _GOOD, len(prog.image)


def nvrtcGetCUBIN(prog, cubin):
    return _fill(cubin, prog.image)


nvrtcGetPTXSize, nvrtcGetPTX = nvrtcGetCUBINSize, nvrtcGetCUBIN


def nvrtcGetLoweredName(prog, name_expression):
    name = _text(name_expression)
    if name not in prog.names:
        return nvrtcResult.NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, None
    return _GOOD, f"expression_{prog.names.index(name)}".encode()


def nvrtcDestroyProgram(prog):
    return (_GOOD,)
