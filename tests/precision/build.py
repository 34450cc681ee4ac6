# target: xpu
"""A setup script with a device extension."""
import os

from setuptools import setup
# want: torch-extension/cpp-extension, torch-extension/cpp-extension
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

# ok: torch-extension/cpp-extension
SOURCES = ["csrc/ops.cpp", "csrc/kernels.cu"]


NVCC = ["-O3", "--use_fast_math"]


def extensions():
    # want: torch-extension/cpp-extension
    if CUDA_HOME is None:
        return []
    # want: environment/variable
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0;9.0")
    # want: torch-extension/cpp-extension, torch-extension/nvcc-key
    return [CUDAExtension("fast_ops", SOURCES, extra_compile_args={"cxx": ["-O3"], "nvcc": NVCC})]


# ok: torch-extension/cpp-extension
setup(name="fast_ops", ext_modules=extensions(), cmdclass={"build_ext": BuildExtension})
