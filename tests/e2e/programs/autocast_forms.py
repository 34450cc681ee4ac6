"""The spellings of autocast that are around, each around the same layer."""
import contextlib

import torch
from torch import autocast as ac
from torch.cuda import amp

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
torch.manual_seed(1)
layer = torch.nn.Linear(4, 4).to(device)
x = torch.ones(2, 4, device=device)


@amp.autocast(enabled=use_cuda)
def decorated(x):
    return layer(x)


ctx = torch.autocast("cuda", dtype=torch.bfloat16) if use_cuda else contextlib.nullcontext()
with ctx:
    print(f"{layer(x).float().sum().item():.5f}")
with amp.autocast(use_cuda):
    print(f"{layer(x).float().sum().item():.5f}")
with ac(device_type=device.type, dtype=torch.bfloat16, enabled=False):
    print(f"{layer(x).sum().item():.5f}")
print(f"{decorated(x).float().sum().item():.5f}")
