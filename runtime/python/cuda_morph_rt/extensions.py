# SPDX-License-Identifier: Apache-2.0
"""PyTorch's builder of CUDA extensions (load_inline, load, CUDAExtension) on the CPU: cmcc stands for
nvcc, by the variables of `cuda-morph env`, which count when the builder is imported. PyTorch builds
without CUDA have no version of it that a toolkit could be compared with, so that question, on which
CUDAExtension would end, is not asked. A PyTorch with CUDA is left alone."""

import os
import shlex
import subprocess
import sys

BUILDER = "torch.utils.cpp_extension"
# The builder would call the nvcc of a toolkit of NVIDIA's that is there, too.
OURS = ("PATH", "LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH")


def set_environment(program):
    """What the user has not set becomes what `cuda-morph env --target cpu` says."""
    said = subprocess.run(
        [program, "env", "--target", "cpu"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    for line in said.stdout.decode("utf-8", "surrogateescape").splitlines():
        words = shlex.split(line)
        if len(words) == 2 and words[0] == "export":
            name, _, value = words[1].partition("=")
            if name in OURS or name not in os.environ:
                os.environ[name] = value
    # C++ files of an extension are ported, too: bin/c++ does it.
    os.environ.setdefault("CUDA_MORPH_CXX", os.environ.get("CXX", "c++"))
    os.environ["CXX"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "c++")


class BuilderLoader:
    """The builder's own loader, between the environment and the question."""

    def __init__(self, loader, program):
        self._loader, self._program = loader, program

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        import torch

        if torch.version.cuda is None and torch.version.hip is None:
            set_environment(self._program)
        self._loader.exec_module(module)
        if torch.version.cuda is None and hasattr(module, "_check_cuda_version"):
            module._check_cuda_version = lambda *arguments, **options: None


class Finder:
    """For sys.meta_path, before all others."""

    def __init__(self, program):
        self._program = program

    def find_spec(self, name, path=None, target=None):
        if name != BUILDER:
            return None
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = BuilderLoader(spec.loader, self._program)
            if spec is not None:
                return spec
        return None

    def invalidate_caches(self):
        """importlib.invalidate_caches() calls this; there is nothing to forget."""


def install(target):
    program = os.environ.get("CUDA_MORPH_PROGRAM")
    if target == "cpu" and program:
        sys.meta_path.insert(0, Finder(program))
