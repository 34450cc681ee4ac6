"""A small decoder that generates with a cache, sampling on the device."""
import contextlib
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"  # 'cpu', 'cuda', 'cuda:0', ...
dtype = "bfloat16" if torch.cuda.is_available() and torch.cuda.is_bf16_supported() else "float16"
dtype = "float32"
device_type = "cuda" if "cuda" in device else "cpu"  # for later use in torch.autocast
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]
ctx = contextlib.nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=ptdtype, enabled=False)

torch.manual_seed(1337)
torch.cuda.manual_seed(1337)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


@dataclass
class Config:
    vocab: int = 11
    width: int = 8


class Tiny(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.emb = nn.Embedding(config.vocab, config.width)
        self.out = nn.Linear(config.width, config.vocab, bias=False)
        with torch.no_grad():
            self.emb.weight.copy_(torch.eye(config.vocab, config.width))
            self.out.weight.copy_(torch.roll(torch.eye(config.vocab, config.width), 1, 0) * 20)
        self.register_buffer("mask", torch.ones(4, 4).tril())

    def forward(self, idx):
        b, t = idx.size()
        if idx.device.type == "cuda":
            assert self.mask.is_cuda
        pos = torch.arange(0, t, dtype=torch.long, device=idx.device)
        return self.out(self.emb(idx)) + pos.view(1, -1, 1) * 0


@torch.inference_mode()
def generate(model, idx, n, temperature=1.0, top_k=None):
    for _ in range(n):
        logits = model(idx[:, -4:])[:, -1] / temperature
        if top_k is not None:
            v, _ = torch.topk(logits, top_k)
            logits[logits < v[:, [-1]]] = -float("inf")
        idx = torch.cat((idx, torch.multinomial(F.softmax(logits, -1), 1)), 1)
    return idx


model = Tiny(Config()).eval().to(device)
start = torch.tensor([0], dtype=torch.long, device=device)[None, ...]
with torch.no_grad():
    with ctx:
        y = generate(model, start, 6, top_k=1)
assert y.device.type == device_type
print(y[0].tolist())
