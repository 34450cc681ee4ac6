"""Gradients gathered over several batches, a schedule and a moving average of the weights."""
import copy

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(4)
net = torch.nn.Sequential(torch.nn.Linear(5, 9), torch.nn.SiLU(), torch.nn.Linear(9, 1)).to(DEVICE)
ema = copy.deepcopy(net).eval()
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 6)
data = torch.randn(48, 5, device=DEVICE)
for step in range(12):
    loss = net(data[step * 4 : step * 4 + 4]).sub(1).square().mean() / 2
    loss.backward()
    if step % 2:
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        opt.zero_grad()
        sched.step()
        with torch.no_grad():
            for a, b in zip(ema.parameters(), net.parameters()):
                a.lerp_(b, 0.3)
        print(step, f"{loss.item():.5f} {norm.item():.4f} {sched.get_last_lr()[0]:.5f}")
print(f"{ema(data).mean().item():.5f}")
