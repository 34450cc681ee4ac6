# SPDX-License-Identifier: Apache-2.0
"""PyTorch's builder of CUDA extensions (load_inline, load, CUDAExtension) on the CPU: cmcc stands for
nvcc, by the variables of `cuda-morph env`, which count when the builder is imported. PyTorch builds
without CUDA have no version of it that a toolkit could be compared with, so that question, on which
CUDAExtension would end, is not asked. A setup script that asks whether there is a GPU is told that
there is one: it decides by that whether it builds the extension, or ends. A PyTorch with CUDA is
left alone."""

import os
import re
import shlex
import subprocess
import sys

BUILDER = "torch.utils.cpp_extension"
DEVICE = "torch.cuda"
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


def is_setup_script():
    """Whether this process builds a package: `setup.py build_ext`, or pip's for a pyproject.toml."""
    name = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""
    return name.startswith("setup") and name.endswith(".py") or name == "_in_process.py"


def is_setup_source(source):
    """Whether a program says how extensions are built: it is not ported, as what it is told is."""
    return b"CUDAExtension" in source and re.search(rb"\bsetup\s*\(", source) is not None


def without_gpu():
    """Whether PyTorch, which may not be imported to its end, was built for CUDA or ROCm."""
    version = sys.modules.get("torch.version")
    return not (getattr(version, "cuda", None) or getattr(version, "hip", None))


def answer_setup_script(cuda):
    """torch.cuda as a setup script finds it on a machine with the GPU that cmcc compiles for."""
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.get_device_capability = lambda device=None: (8, 0)


class BuilderLoader:
    """The loader of the builder, or of torch.cuda, between the environment and the questions."""

    def __init__(self, loader, program):
        self._loader, self._program = loader, program

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        if module.__name__ == BUILDER and without_gpu():
            set_environment(self._program)
        self._loader.exec_module(module)
        if not without_gpu():
            return
        if module.__name__ == DEVICE:
            answer_setup_script(module)
        elif hasattr(module, "_check_cuda_version"):
            module._check_cuda_version = lambda *arguments, **options: None


class BuilderFinder:
    """For sys.meta_path, before all others."""

    def __init__(self, program):
        self._program = program

    def find_spec(self, name, path=None, target=None):
        if name != BUILDER and not (name == DEVICE and is_setup_script()):
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
    is_there = any(type(finder).__name__ == "BuilderFinder" for finder in sys.meta_path)
    if target == "cpu" and program and not is_there:
        sys.meta_path.insert(0, BuilderFinder(program))
