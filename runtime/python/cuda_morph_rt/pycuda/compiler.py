# SPDX-License-Identifier: Apache-2.0
"""SourceModule: a module's text becomes a shared library of the CPU's."""

from .. import kernels
from .driver import CompileError, Function


class SourceModule:
    def __init__(
        self,
        source,
        nvcc="nvcc",
        options=None,
        keep=False,
        no_extern_c=False,
        arch=None,
        code=None,
        cache_dir=None,
        include_dirs=(),
    ):
        text = source if no_extern_c else 'extern "C" {\n#line 1\n' + source + "\n}\n"
        options = [*(options or ()), *(f"-I{folder}" for folder in include_dirs)]
        try:
            self._library = kernels.load(kernels.build(text, options))
        except kernels.CompileError as error:
            raise CompileError(str(error)) from None

    def get_function(self, name):
        try:
            return Function(self._library.kernel(name))
        except KeyError as error:
            from .driver import LogicError

            raise LogicError(f"cuModuleGetFunction failed: {error.args[0]}") from None

    def get_global(self, name):
        try:
            return self._library.variable(name), self._library.size(name)
        except KeyError as error:
            from .driver import LogicError

            raise LogicError(f"cuModuleGetGlobal failed: {error.args[0]}") from None

    def get_texref(self, name):
        raise NotImplementedError("texture references are not there on the CPU")


DEFAULT_NVCC_FLAGS = []
