"""Mixed precision with a gradient scaler, the device from the command line."""
import argparse

import torch
from torch.cuda.amp import GradScaler, autocast

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
device = torch.device(args.device)
use_amp = device.type == "cuda"

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = GradScaler(enabled=use_amp)
x, y = torch.randn(64, 16, device=device), torch.randint(3, (64,), device=device)
for step in range(10):
    optimizer.zero_grad(set_to_none=True)
    with autocast(enabled=use_amp):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    print(step, f"{loss.item():.6f}")
