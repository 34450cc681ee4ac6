# SPDX-License-Identifier: Apache-2.0
"""Packages that compile kernels themselves, under `run --target cpu`: CuPy, PyCUDA and NVIDIA's
bindings are answered by packages of the same interface in this folder, numba.cuda by its simulator,
Triton by its interpreter. Each is said once on standard error; `run --skip NAME` leaves one alone."""

import importlib
import os
import sys
from importlib.machinery import ModuleSpec

ANSWERED = {
    "cupy": "arrays are NumPy's, kernels are compiled from their text",
    "pycuda": "memory is NumPy's, kernels are compiled from their text",
    "cuda": "kernels are compiled from their text",
}
SET_UP = {
    "numba": ("NUMBA_ENABLE_CUDASIM", "1", "numba.cuda's kernels run in numba's simulator"),
    "triton": ("TRITON_INTERPRET", "1", "Triton's kernels run in its interpreter"),
}


class Loader:
    """Gives the module that is there already, or is imported, under its own name."""

    def __init__(self, name):
        self._name = name

    def create_module(self, spec):
        own = "cuda_morph_rt." + self._name
        try:
            return importlib.import_module(own)
        except ModuleNotFoundError as error:
            parent, _, last = own.rpartition(".")
            found = getattr(sys.modules.get(parent), last, None)
            if error.name != own or found is None:
                raise
            return found

    def exec_module(self, module):
        """It was executed."""


class Finder:
    """For sys.meta_path, before all others."""

    def __init__(self, say, skip):
        self._say, self._skip, self._said = say, skip, set()

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in self._skip:
            return None
        if name in SET_UP:
            variable, value, what = SET_UP[name]
            if variable not in os.environ and self._elsewhere(name, path, target):
                os.environ[variable] = value
                self._tell(name, f"{what} ({variable}={value})")
        if top not in ANSWERED or top == "cuda" and self._is_own(name):
            return None
        if name == top:
            self._tell(name, f"{name} on the CPU: {ANSWERED[name]}")
        own = "cuda_morph_rt." + name
        try:
            found = own in sys.modules or importlib.util.find_spec(own) is not None
        except ModuleNotFoundError:
            found = False
        parent, _, last = own.rpartition(".")
        if not found and not hasattr(sys.modules.get(parent), last):
            return None
        return ModuleSpec(name, Loader(name), is_package=True)

    def _tell(self, name, text):
        if name not in self._said:
            self._said.add(name)
            self._say(text)

    def _elsewhere(self, name, path, target):
        for finder in sys.meta_path:
            find_spec = getattr(finder, "find_spec", None)
            spec = find_spec(name, path, target) if find_spec and finder is not self else None
            if spec is not None:
                return spec
        return None

    def _is_own(self, name):
        """A module `cuda` of the user's: NVIDIA's is a folder without a file of its own."""
        top = sys.modules.get("cuda")
        if top is not None:
            return not top.__name__.startswith("cuda_morph_rt")
        spec = self._elsewhere("cuda", None, None)
        return spec is not None and spec.origin is not None

    def invalidate_caches(self):
        """importlib.invalidate_caches() calls this; there is nothing to forget."""


def install(target, say, skip):
    if target == "cpu":
        sys.meta_path.insert(0, Finder(say, skip))
