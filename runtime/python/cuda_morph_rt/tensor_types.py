# SPDX-License-Identifier: Apache-2.0
"""torch.cuda.FloatTensor and its like for whatever accelerator there is: `tensor_types.FloatTensor`.

Where PyTorch or the vendor has such a type (torch.cuda, torch.npu, torch.mlu, torch.musa; on the CPU
torch.FloatTensor), it is that one. Intel's torch.xpu has none: there it is a class that makes
tensors as the legacy constructors do, that `isinstance` knows them by, and that Tensor.type() takes,
which reads the name of a class and knows "torch.xpu.FloatTensor"."""

import torch
from torch import Tensor

from . import devices

DTYPES = {
    "BFloat16Tensor": torch.bfloat16,
    "BoolTensor": torch.bool,
    "ByteTensor": torch.uint8,
    "CharTensor": torch.int8,
    "DoubleTensor": torch.float64,
    "FloatTensor": torch.float32,
    "HalfTensor": torch.float16,
    "IntTensor": torch.int32,
    "LongTensor": torch.int64,
    "ShortTensor": torch.int16,
}

_stand_ins = {}


class _Type(type):
    """The type of the stand-ins: calling one makes a tensor."""

    def __instancecheck__(cls, x):
        return isinstance(x, Tensor) and x.dtype == cls.dtype and x.device.type == cls.kind

    def __call__(cls, *args, device=None):
        """No argument: an empty tensor. Numbers or a torch.Size: an uninitialised one of that size.
        A sequence or an array: its values. A tensor of this type: another view of it."""
        where = torch.device(cls.kind if device is None else device)
        if where.type != cls.kind:
            raise RuntimeError(f"{cls.__name__} makes no tensors on {where}")
        if len(args) != 1 or isinstance(args[0], torch.Size) or _is_number(args[0]):
            sizes = args[0] if args and isinstance(args[0], torch.Size) else args or (0,)
            return torch.empty(sizes, dtype=cls.dtype, device=where)
        if isinstance(args[0], cls):
            return torch.ops.aten.alias(args[0])
        if isinstance(args[0], (Tensor, torch.TypedStorage, torch.UntypedStorage)):
            raise TypeError(f"expected a {cls.__name__} (got {args[0].type()})")
        return torch.tensor(args[0], dtype=cls.dtype, device=where)


def _is_number(x):
    """Whether it is one integer: an array of numpy has __index__, too."""
    return hasattr(x, "__index__") and not hasattr(x, "__len__")


def _stand_in(kind, name):
    if (kind, name) not in _stand_ins:
        members = {"dtype": DTYPES[name], "kind": kind, "is_sparse": False}
        _stand_ins[kind, name] = _Type(f"torch.{kind}.{name}", (), members)
    return _stand_ins[kind, name]


def __getattr__(name):
    if name not in DTYPES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    kind = devices.current()
    module = torch if kind == "cpu" else getattr(torch, kind)
    return getattr(module, name, None) or _stand_in(kind, name)


def name(tail):
    """How Tensor.type() calls that type here: "torch.xpu.FloatTensor" for "FloatTensor"."""
    kind = devices.current()
    return f"torch.{tail}" if kind == "cpu" else f"torch.{kind}.{tail}"


def set_default_tensor_type(t):
    """torch.set_default_tensor_type(), which does not know the stand-ins nor their names. For those
    it does what PyTorch's documentation names in its place: torch.set_default_dtype() and
    torch.set_default_device(). torch.Tensor(...) is on the CPU then, as that function leaves it."""
    text = t if isinstance(t, str) else getattr(t, "__name__", "")
    kind, _, tail = text[len("torch.") :].partition(".")
    if tail not in DTYPES or hasattr(getattr(torch, kind, None), tail):
        torch.set_default_tensor_type(t)
        return
    if not DTYPES[tail].is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, not {text}")
    torch.set_default_dtype(DTYPES[tail])
    torch.set_default_device(kind)
