# SPDX-License-Identifier: Apache-2.0
# An extension of one .cu file, only where torch says that there is CUDA, with numpy's version of it.
import torch
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

assert torch.cuda.is_available(), "a GPU is needed to build this"
major, minor = torch.cuda.get_device_capability()
arch = f"{major}{minor}"
setup(
    name="linear_scan",
    ext_modules=[
        CUDAExtension(
            "linear_scan_cuda",
            ["scan.cu"],
            extra_compile_args={"cxx": ["-O2"],
                                "nvcc": ["-O2", f"-gencode=arch=compute_{arch},code=sm_{arch}", "--ptxas-options=-v"]},
        )
    ],
    cmdclass={"build_ext": BuildExtension.with_options(use_ninja=False)},
)
