"""What PyTorch decides in Python, or compiles in, for the devices of its own."""

import torch

import _emulated_device as native


def _storages(kind):
    """UntypedStorage knows CUDA and XPU only where PyTorch was built with them."""
    make = torch.UntypedStorage.__new__
    original = torch.UntypedStorage.resize_

    def resize_(self, size):
        if self.device.type != kind:
            return original(self, size)
        view = torch.empty(0, dtype=torch.uint8, device=self.device).set_(self)
        native.resize_storage(view, size)
        return self

    def new(cls, *args, device=None, **kwargs):
        if device is None or torch.device(device).type != kind:
            return make(cls, *args, **kwargs, **({} if device is None else {"device": device}))
        return torch.empty(*args or (0,), dtype=torch.uint8, device=device).untyped_storage()

    torch.UntypedStorage.resize_ = resize_
    torch.UntypedStorage.__new__ = new


def _raw_stream(device):
    return torch.accelerator.current_stream(device).stream_id


def install(kind):
    if kind in ("cuda", "xpu"):
        _storages(kind)
        setattr(torch._C, f"_{kind}_getCurrentRawStream", _raw_stream)
    if kind == "cuda":
        torch.backends.cuda.is_built = lambda: True
