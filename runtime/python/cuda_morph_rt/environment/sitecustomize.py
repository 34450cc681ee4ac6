# SPDX-License-Identifier: Apache-2.0
"""What each Python runs first in the environment of `cuda-morph env --target cpu`, which puts this
folder in front of PYTHONPATH: PyTorch's builder of CUDA extensions uses cmcc there, as under
`cuda-morph run`. Nothing is ported, and nothing else of a program changes."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name, path):
    """The module in that file; the package around it would be imported with all of its parts."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_hidden():
    """The machine's own sitecustomize, which this one hides."""
    for folder in sys.path:
        path = os.path.join(folder, "sitecustomize.py")
        if os.path.abspath(folder) != HERE and os.path.isfile(path):
            load("sitecustomize_behind_cuda_morph", path)
            break


if sys.version_info >= (3, 6):
    load(
        "cuda_morph_extensions", os.path.join(os.path.dirname(HERE), "extensions.py")
    ).install(os.environ.get("CUDA_MORPH_TARGET"))
    run_hidden()
