"""A character model in the style of small GPT trainers: config globals, a context, a loop."""
import math
from contextlib import nullcontext

import torch
import torch.nn as nn
from torch.nn import functional as F

device = "cuda"
if not torch.cuda.is_available():
    device = "cpu"
device_type = "cuda" if "cuda" in device else "cpu"
ptdtype = torch.bfloat16
ctx = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=ptdtype)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (i.view(b, t, self.heads, -1).transpose(1, 2) for i in self.qkv(self.ln1(x)).split(c, 2))
        att = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        att = att.masked_fill(torch.ones(t, t, device=x.device).tril() == 0, float("-inf"))
        x = x + self.out((att.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.ln2(x))


text = "the quick brown fox jumps over the lazy dog. " * 8
chars = sorted(set(text))
data = torch.tensor([chars.index(c) for c in text])
torch.manual_seed(1337)
model = nn.ModuleDict(
    dict(e=nn.Embedding(len(chars), 32), b=Block(32, 4), n=nn.LayerNorm(32), h=nn.Linear(32, len(chars)))
)
model.to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95))
scaler = torch.cuda.amp.GradScaler(enabled=(ptdtype == torch.float16))


def get_batch():
    ix = torch.randint(len(data) - 17, (4,))
    x = torch.stack([data[i : i + 16] for i in ix])
    y = torch.stack([data[i + 1 : i + 17] for i in ix])
    if device_type == "cuda":
        return x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
    return x.to(device), y.to(device)


for step in range(8):
    x, y = get_batch()
    with ctx:
        logits = model.h(model.n(model.b(model.e(x))))
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    print(step, f"{loss.item():.4f}")
