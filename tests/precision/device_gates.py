# target: xpu
"""Fast paths that open for one device only."""
import torch
import torch.nn.functional as F


def attention(q, k, v):
    # want: torch-device/is-cuda
    if q.is_cuda:
        return F.scaled_dot_product_attention(q, k, v)
    scores = q @ k.transpose(-1, -2)
    return scores.softmax(-1) @ v


def norm(x, weight, device):
    # want: torch-device/device-string
    if x.device.type == "cuda":
        return fused_norm(x, weight)
    # want: torch-device/device-string
    if "cuda" in str(device):
        x = x.contiguous()
    # want: torch-device/device-string
    if str(device).startswith("cuda"):
        x = x.contiguous()
    # ok: torch-device/device-string
    if x.device.type != "cpu":
        x = x.float()
    # ok: torch-device/device-string
    if device.type == "xpu":
        x = x.half()
    return x


def fused_norm(x, weight):
    # want: torch-device/is-cuda
    assert x.is_cuda and weight.ndim == 1
    # ok: torch-device/is-cuda
    assert x.is_contiguous() and not x.is_sparse
    return x * weight


def log_state(metrics, optimizer):
    # ok: torch-device/device-string
    if "cuda" in metrics:
        print(metrics["cuda_memory"])
    # ok: torch-device/device-string
    optimizer.name = "adam_cuda_fused"
    # ok: torch-device/is-cuda
    return getattr(optimizer, "cuda_is_used", False)


class Batch:
    def __init__(self, tensors):
        self.tensors = tensors

    def to_device(self):
        # want: torch-device/cuda-method
        return [t.cuda(non_blocking=True) for t in self.tensors]

    def pinned(self):
        # ok: torch-device/cuda-method
        return [t.pin_memory() for t in self.tensors]

    def on_gpu(self):
        # want: torch-device/device-string
        return all(t.device.type in ("cuda", "mps") for t in self.tensors)
