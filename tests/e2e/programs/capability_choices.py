"""Chooses an attention and a precision as libraries do, and says what it chose."""
import functools

import torch


@functools.lru_cache(maxsize=None)
def supports_bf16():
    return torch.cuda.is_available() and torch.cuda.is_bf16_supported()


def backend_name(tensor):
    if tensor.device.type == "cpu":
        return "host"
    elif tensor.device.type == "cuda":
        return "gpu"
    raise ValueError(f"no backend for {tensor.device}")


def attention(q, k, v):
    if q.device.type == "cuda" and q.dtype in (torch.float16, torch.bfloat16):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)
    weights = torch.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5, dim=-1)
    return weights @ v


device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(5)
q, k, v = (torch.randn(1, 2, 4, 8).to(device) for _ in range(3))
full = attention(q, k, v)
name = backend_name(full)
assert name == ("gpu" if torch.cuda.is_available() else "host"), name
if supports_bf16():
    low = attention(q.bfloat16(), k.bfloat16(), v.bfloat16())
    assert low.dtype is torch.bfloat16
    assert (low.float() - full).abs().max().item() < 0.05
with torch.autocast(device_type=device, dtype=torch.bfloat16):
    mixed = q @ k.transpose(-2, -1)
assert mixed.dtype is torch.bfloat16 and mixed.device.type == device
print("chosen", tuple(full.shape))
