# SPDX-License-Identifier: Apache-2.0
"""torch.<device>: what is implemented, under the names that the vendor defines and no others.

A name of the vendor that nothing here implements raises NotImplementedError when it is called; a
name that the vendor has not is not there, so that AttributeError tells of a wrong port."""

import functools
import inspect
import sys
import types

import torch

from . import names
from .implementation import implement

# What PyTorch asks of the module of a back end (torch.utils.backend_registration and its users).
_PROTOCOL = """_is_in_bad_fork _lazy_call _lazy_init current_device current_stream device
    device_count get_amp_supported_dtype get_rng_state is_available is_initialized manual_seed manual_seed_all
    set_device set_rng_state synchronize Stream Event stream set_stream""".split()

# What torch.utils.generate_methods_for_privateuse1_backend() gives methods to, or the vendor itself.
CLASSES = {
    "torch.Tensor": torch.Tensor,
    "torch.nn.Module": torch.nn.Module,
    "torch.UntypedStorage": torch.UntypedStorage,
    "torch.TypedStorage": torch.TypedStorage,
    "torch.nn.utils.rnn.PackedSequence": torch.nn.utils.rnn.PackedSequence,
}


def generate_methods(device):
    """Tensor.npu() and its like: those that are in the vendor's list."""
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)
    listed = names.of_vendor(device)
    for path, cls in CLASSES.items():
        for method in (device, f"is_{device}"):
            if f"{path}.{method}" not in listed and method in vars(cls):
                delattr(cls, method)


def _missing(name):
    def stand_in(*args, **kwargs):
        raise NotImplementedError(f"the emulation of {name} is missing")

    stand_in.__name__ = stand_in.__qualname__ = name.rpartition(".")[2]
    return stand_in


def _strict(function, parameters):
    """`function` with the vendor's parameter names: positional order stays, others are refused."""
    own = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*args, **kwargs):
        for word in kwargs:
            if word not in parameters:
                raise TypeError(f"{function.__name__}() got an unexpected argument '{word}'")
        renamed = {own[parameters.index(w)] if w not in own else w: v for w, v in kwargs.items()}
        return function(*args, **renamed)

    return call


def _adapt(table, device):
    """Classes and functions of `table` under the vendor's parameters."""
    for name, parameters in names.details(device)["parameters"].items():
        value = table[name]
        if isinstance(value, type):
            made = value.__new__ if "__new__" in vars(value) else value.__init__
            own = list(inspect.signature(made).parameters)[1:]
            table[name] = _strict_class(value, own, parameters)
        else:
            table[name] = _strict(value, parameters)


def _strict_class(cls, own, parameters):
    def rename(kwargs):
        for word in kwargs:
            if word not in parameters and word not in ("stream_id", "device_index", "device_type"):
                raise TypeError(f"{cls.__name__}() got an unexpected argument '{word}'")
        return {
            own[parameters.index(w)] if w in parameters and w not in own else w: v
            for w, v in kwargs.items()
        }

    class Strict(cls):
        def __new__(new, *args, **kwargs):
            if cls.__new__ is object.__new__:
                return object.__new__(new)
            return cls.__new__(new, *args, **rename(kwargs))

        def __init__(self, *args, **kwargs):
            if "__init__" in vars(cls):
                cls.__init__(self, *args, **rename(kwargs))

    Strict.__name__, Strict.__qualname__ = cls.__name__, cls.__qualname__
    return Strict


def _members(cls, allowed):
    """`cls` without the public members that the vendor's class has not."""
    have = [m for m in vars(cls) if not m.startswith("_")]
    for base in cls.__mro__:
        if base.__name__ == cls.__name__:
            have += [m for m in vars(base) if not m.startswith("_")]
    hidden = {m: property(functools.partial(_refuse, m)) for m in set(have) - allowed}
    return type(cls.__name__, (cls,), hidden) if hidden else cls


def _refuse(member, self):
    raise AttributeError(f"{type(self).__name__!r} of this vendor has no attribute {member!r}")


def _module(path):
    module = sys.modules.get(path) or types.ModuleType(path, "The vendor's stand-in.")
    sys.modules[path] = module
    parent, _, last = path.rpartition(".")
    if parent in sys.modules and parent != "torch":
        setattr(sys.modules[parent], last, module)
    return module


def build(device):
    """The module torch.<device> of an out-of-tree vendor."""
    table = implement(device)
    _adapt(table, device)
    prefix = f"torch.{device}"
    all_names = {n for n in names.of_vendor(device) if n.startswith(prefix + ".")}
    tails = {n[len(prefix) + 1 :] for n in all_names}
    members = {}
    for tail in tails:
        owner, _, member = tail.rpartition(".")
        if owner and owner.rpartition(".")[2][:1].isupper():
            members.setdefault(owner.rpartition(".")[2], set()).add(member)
    for cls, allowed in members.items():
        if isinstance(table.get(cls), type) and cls in ("Stream", "Event"):
            table[cls] = _members(table[cls], allowed)
    root = _module(prefix)
    for name in _PROTOCOL:
        setattr(root, name, table[name])
    for tail in sorted(tails):
        owner, _, name = tail.rpartition(".")
        if owner.rpartition(".")[2][:1].isupper():
            continue
        module = root
        for part in filter(None, owner.split(".")):
            module = getattr(module, part, None)
            if not isinstance(module, types.ModuleType):
                module = _module(f"{prefix}.{owner}")
                break
        dotted = table.get(tail, table.get(name))
        if any(other.startswith(tail + ".") for other in tails) and dotted is None:
            if not hasattr(module, name):
                setattr(module, name, _module(f"{prefix}.{tail}"))
        else:
            setattr(module, name, _missing(f"{prefix}.{tail}") if dotted is None else dotted)
    for path, members in names.modules_of_vendor(device).items():
        module = _module(path)
        for member in members:
            name = member.rpartition(".")[2]
            if member == f"{prefix}.{name}":
                setattr(module, name, getattr(root, name))
    return root


def _install_in_tree(device):
    """torch.cuda and torch.xpu are PyTorch's own: what is implemented replaces what asks for
    hardware, where there is such a name."""
    table = implement(device)
    if device == "xpu":
        _adapt(table, device)
    root = getattr(torch, device)
    for path, module in list(sys.modules.items()):
        if path != root.__name__ and not path.startswith(root.__name__ + "."):
            continue
        for name, value in table.items():
            if name in vars(module) and not isinstance(vars(module)[name], types.ModuleType):
                setattr(module, name, value)
    if device == "cuda":
        for name in (
            "Stream",
            "Event",
            "nvtx",
            "default_generators",
            *[n for n in table if n.endswith("Tensor")],
        ):
            setattr(root, name, table[name])
    else:
        root.default_generators = table["default_generators"]


def install(device):
    if device in ("cuda", "xpu"):
        _install_in_tree(device)
    else:
        torch._register_device_module(device, build(device))
