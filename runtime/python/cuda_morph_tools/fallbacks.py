# SPDX-License-Identifier: Apache-2.0
"""Which operators a device hands to the CPU without a word.

PyTorch's dispatcher is asked: an operator that was called and has no kernel for the device's key,
and none that is made of other operators, ends in the device's fallback, which is the CPU.
"""

COMPOSITE = ("CompositeExplicitAutograd", "CompositeImplicitAutograd")


def _has(torch, name, key):
    try:
        return torch._C._dispatch_has_kernel_for_dispatch_key(name, key)
    except RuntimeError:  # this PyTorch does not know the key
        return False


def _names(function):
    """The operator with all of its overloads: a kernel often stands at the one with out=."""
    packet = getattr(function, "_overloadpacket", None)
    name = function._schema.name
    for overload in packet.overloads() if packet is not None else ():
        yield name if overload == "default" else f"{name}.{overload}"


def is_answerable(torch, key):
    """Whether the device has kernels of its own to tell from a fallback: one whose every operator
    is the fallback (an emulated device) has none."""
    try:
        from torch.utils._python_dispatch import TorchDispatchMode  # noqa: F401
    except ImportError:
        return False
    return bool(key) and any(_has(torch, f"aten::add.{o}", key) for o in ("Tensor", "out"))


def without_kernel(torch, key, call):
    """Runs call() and returns the sorted names of the operators that had no kernel for the key."""
    from torch.utils._python_dispatch import TorchDispatchMode

    called = {}

    class Recorder(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            called[str(function)] = function
            return function(*args, **(kwargs or {}))

    with Recorder():
        call()
    found = set()
    for function in called.values():
        names = list(_names(function))
        own = any(_has(torch, name, key) for name in names)
        if not own and not any(_has(torch, name, made) for name in names for made in COMPOSITE):
            found.add(function._schema.name)
    return sorted(found)
