# SPDX-License-Identifier: Apache-2.0
# An extension of several sources, with a folder of headers and flags by compiler.
import glob
import os

from setuptools import find_packages, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

here = os.path.dirname(os.path.abspath(__file__))
if CUDA_HOME is None:
    raise RuntimeError("voxel needs nvcc; set CUDA_HOME")

setup(
    name="voxel",
    version="0.1",
    packages=find_packages(),
    ext_modules=[
        CUDAExtension(
            name="voxel._C",
            sources=sorted(glob.glob("csrc/*.cpp") + glob.glob("csrc/*.cu")),
            include_dirs=[os.path.join(here, "csrc", "include")],
            define_macros=[("WITH_CUDA", None)],
            extra_compile_args={
                "cxx": ["-O2", "-std=c++17"],
                "nvcc": ["-O2", "-std=c++17", "--expt-relaxed-constexpr", "--expt-extended-lambda",
                         "-D__CUDA_NO_HALF_OPERATORS__", "-arch=sm_70"],
            },
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
