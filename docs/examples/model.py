"""A transformer block and its helpers, written the many ways in which people name CUDA."""
from __future__ import annotations

import argparse
from dataclasses import dataclass

import torch as th
import torch.nn as nn
from torch import cuda
from torch.cuda.amp import autocast as ac

try:
    from flash_attn import flash_attn_func
except ImportError:
    flash_attn_func = None


@dataclass
class Config:
    width: int = 256
    heads: int = 4
    device: str = "cuda"
    name: str = "cuda-block"  # a name, not a device


class Attention(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.out = nn.Linear(config.width, config.width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).unbind(2)
        if flash_attn_func is not None and x.is_cuda and x.dtype != th.float32:
            y = flash_attn_func(q, k, v, causal=True)
        else:
            q, k, v = (i.transpose(1, 2) for i in (q, k, v))
            y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2)
        return self.out(y.reshape(b, t, c))


class Prefetcher:
    """Copies the next batch on a stream of its own while the current one is used."""

    def __init__(self, batches, device):
        self.batches = iter(batches)
        self.device = th.device(device)
        self.stream = cuda.Stream() if self.device.type == "cuda" else None

    def __iter__(self):
        for batch in self.batches:
            if self.stream is None:
                yield batch.to(self.device)
                continue
            with cuda.stream(self.stream):
                batch = batch.to(self.device, non_blocking=True)
            cuda.current_stream().wait_stream(self.stream)
            batch.record_stream(cuda.current_stream())
            yield batch


def pick_device(index=None):
    if not cuda.is_available():
        return th.device("cpu")
    if index is None:
        index = cuda.current_device()
    return th.device(f"cuda:{index}")


def run(model, x, device):
    with ac(enabled=device.type == "cuda", dtype=th.bfloat16):
        y = model(x.to(device))
    if device.type == "cuda":
        used = cuda.memory_allocated(device)
        print(f"{used} bytes in use; see the 'cuda' row of the log")
    return y.cpu()


def main():
    parser = argparse.ArgumentParser(description="runs one block on CUDA or the CPU")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help='"cuda" or "cpu"')
    parser.add_argument("--gpu", type=int, default=0, help="which of the cuda devices")
    args = parser.parse_args()
    device = pick_device(args.gpu) if args.device == "cuda" else th.device("cpu")
    config = Config(device=str(device))
    if config.device.startswith("cuda"):
        cuda.set_device(device)
    model = Attention(config).to(device)
    metrics = {"cuda_batches": 0}
    for x in Prefetcher((th.randn(2, 16, config.width) for _ in range(4)), device):
        run(model, x, device)
        metrics["cuda_batches"] += 1
    print(metrics)


if __name__ == "__main__":
    main()
