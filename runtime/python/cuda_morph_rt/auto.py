# SPDX-License-Identifier: Apache-2.0
"""`import cuda_morph_rt.auto`, as a program's first line: the program begins again under
`cuda-morph run`, with the same interpreter, options and arguments. Under `run` it does nothing.

What stands after the line is compiled already when it runs, so a hook would come too late for it;
beginning again is the only way that leaves the program's text alone. Options are `run`'s variables
(CUDA_MORPH_TARGET ...)."""

import os
import shutil
import sys


def command_line():
    """The interpreter's own arguments, or None where nobody kept them."""
    if hasattr(sys, "orig_argv"):
        return sys.orig_argv[1:]
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[1:-1]]
    except OSError:
        return None


def is_running():
    """Whether `run` started this process, or one that started it."""
    return any(type(finder).__module__ == "cuda_morph_rt.hook" for finder in sys.meta_path)


def begin_again():
    program = os.environ.get("CUDA_MORPH") or shutil.which("cuda-morph")
    if not program:
        raise ImportError("cuda_morph_rt.auto needs cuda-morph, which is not in PATH")
    words = command_line()
    if not words or sys.argv[0] in ("", "-"):
        raise ImportError("only a program in a file, of -m or of -c can begin again under "
                          "cuda-morph: start the interpreter with `cuda-morph run`")
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(program, [program, "run", "--python", sys.executable, *words])


if not is_running():
    begin_again()
