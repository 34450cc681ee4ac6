# target: ascend
"""Registering operators, and handing memory to other libraries."""
import ctypes

import torch

library = torch.library.Library("shop", "DEF")
library.define("scale(Tensor x, float by) -> Tensor")


def scale(x, by):
    return x * by


# want: torch-extension/dispatch-key
library.impl("scale", scale, "CUDA")
# ok: torch-extension/dispatch-key
library.impl("scale", scale, "CPU")
# ok: torch-extension/dispatch-key
library.impl("scale", scale, "CompositeExplicitAutograd")


# want: torch-device/device-string
@torch.library.custom_op("shop::add", mutates_args=(), device_types="cuda")
def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x + y


def pointer(stream):
    # want: torch-device/raw-handle
    return ctypes.c_void_p(stream.cuda_stream)


def array(x):
    # want: torch-extension/array-interface
    shape = x.__cuda_array_interface__["shape"]
    # ok: torch-extension/array-interface
    return shape, x.__array_interface__


def library_handle():
    # want: third-party/library
    return ctypes.CDLL("libcudart.so")


def other_handle():
    # ok: third-party/library
    return ctypes.CDLL("libm.so.6")


# ok: torch-extension/dispatch-key
TITLE = "CUDA"
