# SPDX-License-Identifier: Apache-2.0
"""How often the functions of this package were called: printed at exit under CUDA_MORPH_STATS=1.

Without that variable, counted() gives back the function itself, so that counting costs nothing
where nobody asked for it."""

import functools
import os
import sys

ON = os.environ.get("CUDA_MORPH_STATS", "") not in ("", "0")
counts = {}


def counted(function):
    """Decorator: counts the calls under the function's module and name."""
    if not ON:
        return function
    name = f"{function.__module__}.{function.__qualname__}".replace("cuda_morph_rt.", "", 1)
    if not counts:
        import atexit

        atexit.register(report)
    counts.setdefault(name, 0)

    @functools.wraps(function)
    def counting(*args, **kwargs):
        counts[name] += 1
        return function(*args, **kwargs)

    return counting


def report(file=None):
    """The functions that were called, the most frequent first."""
    called = sorted((-n, name) for name, n in counts.items() if n)
    lines = [f"cuda-morph: {-n:9} calls of {name}\n" for n, name in called]
    (file or sys.stderr).write("".join(lines))
