"""Attention through flash_attn where it can be imported, written out elsewhere."""
import math

import torch
import torch.nn as nn

try:
    from flash_attn import flash_attn_func
except ImportError:
    flash_attn_func = None

device = "cuda" if torch.cuda.is_available() else "cpu"


class Attention(nn.Module):
    def __init__(self, width, heads, kv_heads, window):
        super().__init__()
        self.heads, self.kv_heads, self.window = heads, kv_heads, window
        self.size = width // heads
        self.q = nn.Linear(width, width)
        self.kv = nn.Linear(width, 2 * kv_heads * self.size)

    def forward(self, x):
        b, n, c = x.shape
        q = self.q(x).view(b, n, self.heads, self.size)
        k, v = self.kv(x).view(b, n, 2, self.kv_heads, self.size).unbind(2)
        if flash_attn_func is not None:
            y = flash_attn_func(q, k, v, causal=True, window_size=(self.window, 0))
        else:
            k, v = (t.repeat_interleave(self.heads // self.kv_heads, dim=2) for t in (k, v))
            q, k, v = (t.transpose(1, 2) for t in (q, k, v))
            scores = q @ k.transpose(2, 3) / math.sqrt(self.size)
            seen = torch.ones(n, n, device=x.device).tril().triu(-self.window).bool()
            y = (scores.masked_fill(~seen, -math.inf).softmax(-1) @ v).transpose(1, 2)
        return y.reshape(b, n, c)


torch.manual_seed(5)
embed = nn.Embedding(20, 32).to(device)
layers = nn.ModuleList([Attention(32, 4, 2, 5) for _ in range(2)]).to(device)
head = nn.Linear(32, 20).to(device)
parameters = [p for m in (embed, layers, head) for p in m.parameters()]
optimizer = torch.optim.AdamW(parameters, lr=1e-2)
tokens = torch.randint(20, (4, 13), device=device)
for step in range(6):
    x = embed(tokens[:, :-1])
    for layer in layers:
        x = x + layer(x)
    loss = nn.functional.cross_entropy(head(x).flatten(0, 1), tokens[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
